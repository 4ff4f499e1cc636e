"""The page of `sourcewright cites --html`: readable in the dark and on a phone, by keyboard too."""

import pytest
from page_viewer import CONTRASTS, viewer

from sourcewright.reading.browser.browser import find_chromium

pytestmark = pytest.mark.anyio

NAMELESS = """[...document.querySelectorAll('a[href], th')].filter((one) =>
  !(one.textContent.trim() || one.getAttribute('aria-label'))).length"""
NUMBERS = """[...document.querySelectorAll('svg g')].filter((one) => one.querySelector('.number'))
  .map((one) => getComputedStyle(one.querySelector('circle')).fill.match(/[\\d.]+/g).map(Number))"""


def contrast_with_white(colour):
    linear = [
        one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4
        for one in (part / 255 for part in colour[:3])
    ]
    light = sum(part * share for part, share in zip(linear, (0.2126, 0.7152, 0.0722), strict=True))
    return 1.05 / (light + 0.05)


@pytest.mark.parametrize("paper", ["10.5555/fine-paper", "10.5555/retracted-paper"])
async def test_every_word_can_be_read_and_every_link_has_a_name(cli, tmp_path, paper):
    found = find_chromium()
    if found.path is None:
        pytest.skip(f"the tests of pages need a browser: {found.reason}")
    file = tmp_path / "graph.html"
    done = cli("cites", paper, "--html", str(file))
    assert done.returncode == 0, done.stderr

    async with viewer(found.path, tmp_path / "profile") as browser, browser.tab() as tab:
        for width in (320, 1280):
            for dark in (False, True):
                await tab.look(width=width, dark=dark)
                await tab.open(file.as_uri())
                assert await tab.read(CONTRASTS) == []
                assert min(map(contrast_with_white, await tab.read(NUMBERS))) >= 4.5
                assert await tab.read(NAMELESS) == 0
                # A link inside an image is one that no screen reader finds.
                assert await tab.read("document.querySelectorAll('[role=img] a').length") == 0
                assert await tab.read("document.querySelectorAll('main').length") == 1
                assert await tab.read(
                    "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
                )
