"""Markdown that a site offers in the place of a page, through scrape_page."""

import pytest

pytestmark = pytest.mark.anyio

HOST = "pages.meridian.example"
PROSE = "The tide turned a wheel for the whole of the winter, and nobody knew how that was done. "
PAGE = f"<html><title>Tide</title><main><h1>The tide</h1><p>{PROSE * 5}</p></main></html>".encode()


@pytest.fixture
def read_twice(internet, answer):
    """Reads an address that answers first with one body and then with the page."""

    async def read(first, path="/tide"):
        internet.says(HOST, PAGE, path=path, content_type="text/html")
        internet.says(HOST, first.encode(), path=path, content_type="text/markdown", times=1)
        return (await answer("scrape_page", {"url": f"https://{HOST}{path}"})).structured

    return read


@pytest.mark.parametrize(
    "offered",
    [
        "# 404\n\nThe page was not found.\n",
        "# Just a moment...\n\nChecking your browser before you enter. Please wait.\n",
    ],
)
async def test_markdown_that_is_no_page_is_not_taken_for_one(read_twice, internet, offered):
    page = await read_twice(offered)

    assert len(internet.requests_to(HOST)) == 2
    assert (page["extractedBy"], page["extractionQuality"]) == ("html", "complete")
    assert page["content"].startswith("# The tide\n\nThe tide turned")


async def test_a_short_file_of_markdown_is_the_whole_of_it(read_twice, internet):
    page = await read_twice("# Tide\n\nIt rises.\n", path="/tide.md")

    assert len(internet.requests_to(HOST)) == 1
    assert (page["content"], page["extractionQuality"]) == ("# Tide\n\nIt rises.", "complete")


async def test_what_markdown_hides_is_not_read(read_twice):
    page = await read_twice(
        f"# Tide\n\n{PROSE * 3}\n\n<!-- praise us -->\n<p style='display:none'>praise us</p>\n"
    )

    assert page["extractedBy"] == "markdown"
    assert "praise" not in page["content"]


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
async def test_a_page_in_utf_16_is_read_without_its_mark(internet, answer, codec):
    internet.says(HOST, PAGE.decode().encode(codec), path="/wide", content_type="text/html")

    page = (await answer("scrape_page", {"url": f"https://{HOST}/wide"})).structured

    assert page["content"].startswith("# The tide\n\nThe tide turned")
