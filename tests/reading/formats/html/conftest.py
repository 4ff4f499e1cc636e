"""An article around the piece of HTML that a test is about."""

import time
from collections.abc import Callable

import pytest

from sourcewright.reading.formats.html import read_html

URL = "https://example.org/stories/one"
BEFORE = (
    "The survey of the northern harbours was finished in the spring, and its authors wrote that "
    "the old piers, which had been built of oak, were sound. Nobody had expected that."
)
AFTER = (
    "A second party of divers went down in March, measured what the first one had left out, and "
    "found that the numbers of the earlier survey could not be trusted by anybody."
)


@pytest.fixture
def content() -> Callable[..., str]:
    """What is read of a piece of HTML in the middle of an article; its neighbours are cut off."""

    def read(inner: str, head: str = "") -> str:
        page = (
            f"<!doctype html><html lang=en><head><title>The harbours</title>{head}</head><body>"
            "<nav><ul><li><a href=/>Home</a><li><a href=/log>Log in</a></ul></nav><main><article>"
            f"<h1>The harbours</h1><p>{BEFORE}</p>{inner}<p>{AFTER}</p></article></main>"
            "<footer><p>Privacy policy</p></footer></body></html>"
        )
        text = read_html(page, url=URL).content
        return text.partition(BEFORE)[2].rpartition(AFTER)[0].strip("\n")

    return read


CLEARLY_LINEAR = 16


@pytest.fixture
def growth() -> Callable[..., float]:
    """Times the processor time that a shape takes at eight times its size: a square takes 64.

    The least of three measurements: what else the processor does makes single ones longer.
    """

    def measure(read: Callable[[str], object], shape: Callable[[int], str], size: int) -> float:
        small, large = shape(size // 8), shape(size)
        least = float("inf")
        for _ in range(3):
            # What is too short to be measured has not grown.
            base = max(min(_spent(read, small) for _ in range(2)), 0.01)
            least = min(least, _spent(read, large) / base)
            if least < CLEARLY_LINEAR:
                break
        return least

    return measure


def _spent(read: Callable[[str], object], text: str) -> float:
    start = time.thread_time()
    read(text)
    return time.thread_time() - start
