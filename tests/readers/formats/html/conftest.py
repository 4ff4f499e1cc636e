"""An article around the piece of HTML that a test is about."""

from collections.abc import Callable

import pytest

from sourcewright.readers.formats.html import read_html

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
        told = read_html(page, url=URL).content
        return told.partition(BEFORE)[2].rpartition(AFTER)[0].strip("\n")

    return read
