"""The pages of GitHub, against the simulated site."""

import json

import pytest

from sourcewright.base.errors import (
    BadAnswer,
    InvalidInput,
    NotFound,
    RateLimited,
    Refused,
    Unavailable,
    UpstreamError,
)
from sourcewright.world.sites.github_pages import CODE, COMMENTS, SLOW

pytestmark = pytest.mark.anyio

API, RAW = "api.github.com", "raw.githubusercontent.com"
CLOCK = "https://github.com/lakeside/tide-clock"


@pytest.fixture
async def pages(provide):
    return await provide("github_pages")


@pytest.mark.parametrize(
    "url",
    [
        CLOCK,
        f"{CLOCK}/",
        f"{CLOCK}.git",
        f"{CLOCK}?tab=readme-ov-file#tide-clock",
        "http://www.github.com/lakeside/tide-clock",
        f"{CLOCK}/blob/main/README.md",
        f"{CLOCK}/blob/main/docs/a%20guide.md#L3",
        f"{CLOCK}/issues/7",
        f"{CLOCK}/issues/7#issuecomment-1",
        f"{CLOCK}/pull/9",
        f"{CLOCK}/releases",
        f"{CLOCK}/releases?page=1",
        f"{CLOCK}/releases/latest",
        f"{CLOCK}/releases/tag/v1.0",
        f"{CLOCK}/releases/tag/release/2.0",
        "https://github.com/actions/checkout",
        "https://github.com/keeper_lakeside/clock",
    ],
)
async def test_its_pages_are_taken(pages, url):
    assert pages.accepts(url)


@pytest.mark.parametrize(
    "url",
    [
        "https://github.com",
        "https://github.com/lakeside",
        "https://github.com/features/copilot",
        "https://github.com/topics/tides",
        "https://github.com/orgs/lakeside",
        "https://github.com/_lakeside/clock",
        f"{CLOCK}/blob/main/docs/manual.pdf",
        "https://github.com/lakeside/..",
        f"{CLOCK}/tree/main/src",
        f"{CLOCK}/wiki",
        f"{CLOCK}/wiki/Home",
        f"{CLOCK}/issues",
        f"{CLOCK}/issues/new",
        f"{CLOCK}/issues/0",
        f"{CLOCK}/pull/9/files",
        f"{CLOCK}/discussions/3",
        f"{CLOCK}/releases?page=2",
        f"{CLOCK}/releases/download/v1.0/clock.zip",
        f"{CLOCK}/blob/main",
        f"{CLOCK}/blob/main/../../../../user",
        f"{CLOCK}/blob/main/%2e%2e/%2e%2e/x/y/z",
        f"{CLOCK}/blob/main/..%2f..%2fother",
        "https://gist.github.com/lakeside/abc",
        "https://github.com.example/lakeside/tide-clock",
        "https://token@github.com/lakeside/tide-clock",
    ],
)
async def test_other_pages_are_left_to_others(pages, internet, url):
    assert not pages.accepts(url)
    with pytest.raises(InvalidInput):
        await pages.read_site(url)
    assert not internet.seen


async def test_a_repository_comes_with_its_readme(pages):
    reading = await pages.read_site(CLOCK)

    assert reading.content == (
        "# lakeside/tide-clock\n\n"
        "Shows the tide & the time\n\n"
        "- Stars: 1234\n"
        "- Forks: 56\n"
        "- Open issues: 7\n"
        "- Language: Python\n"
        "- Topics: tides, clocks\n"
        "- Licence: MIT License\n"
        "- Created: 2019-03-09\n"
        "- Last push: 2025-06-01\n\n"
        "## README\n\n"
        "# Tide clock\n\n\n"
        "A clock that shows the tide.\n\n"
        "```html\n<!-- this comment is an example -->\n```"
    )
    assert (reading.kind, reading.site, reading.author) == ("github", "GitHub", "lakeside")
    assert reading.title == "lakeside/tide-clock: Shows the tide & the time"
    assert (reading.published, reading.modified) == ("2019-03-09", "2025-06-01")
    assert not reading.cut


async def test_a_repository_without_a_readme_says_so(pages):
    reading = await pages.read_site("https://github.com/lakeside/bare")

    assert reading.content.endswith("It has no README.")


async def test_a_readme_that_fails_is_not_called_missing(pages, internet):
    internet.breaks(API, status=500, path="*/readme")

    with pytest.raises(Unavailable):
        await pages.read_site(CLOCK)


async def test_a_repository_that_its_owner_does_not_have_is_absent(pages):
    with pytest.raises(NotFound):
        await pages.read_site("https://github.com/lakeside/moon-clock")


async def test_without_such_an_owner_the_page_itself_is_left_to_say_whether_it_exists(pages):
    """GitHub has pages of its own under names like those of repositories."""
    with pytest.raises(BadAnswer, match="no account named accelerator"):
        await pages.read_site("https://github.com/accelerator/2026")


@pytest.mark.parametrize("status", [429, 500])
async def test_absence_is_not_said_while_the_owner_cannot_be_asked_for(pages, internet, status):
    internet.breaks(API, status=status, path="/users/*", retry_after=0)

    with pytest.raises((RateLimited, Unavailable)):
        await pages.read_site("https://github.com/lakeside/moon-clock")


async def test_code_stands_in_a_fence_with_its_language(pages, internet):
    reading = await pages.read_site(f"{CLOCK}/blob/main/src/clock.py")

    assert reading.content == f"# lakeside/tide-clock: clock.py\n\n```python\n{CODE}```"
    assert [seen.host for seen in internet.seen] == [RAW]


async def test_markdown_stands_as_it_is(pages):
    reading = await pages.read_site(f"{CLOCK}/blob/main/docs/a%20guide.md")

    assert reading.content == "# Guide\n\nWind it."


async def test_a_notebook_is_read_as_a_document_with_absolute_links(pages, internet):
    cells = [
        {"cell_type": "markdown", "source": ["# Tides\n", "See [data](data.csv)."]},
        {"cell_type": "code", "source": "high + low", "outputs": []},
    ]
    notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}
    internet.says(RAW, json.dumps(notebook).encode(), content_type="text/plain")

    reading = await pages.read_site(f"{CLOCK}/blob/main/tides.ipynb")

    link = "https://github.com/lakeside/tide-clock/blob/main/data.csv"
    assert reading.content == (f"# Tides\nSee [data]({link}).\n\n```python\nhigh + low\n```")


async def test_a_fence_inside_a_file_does_not_end_it(pages, internet):
    internet.says(RAW, b"a\n```\nb\n````\nc", content_type="text/plain")

    reading = await pages.read_site(f"{CLOCK}/blob/main/notes.txt")

    assert reading.content.endswith("`````txt\na\n```\nb\n````\nc\n`````")


async def test_a_branch_with_slashes_is_told_from_the_path_by_the_list_of_branches(
    pages, internet
):
    reading = await pages.read_site(f"{CLOCK}/blob/feature/slow-hands/src/clock.py")

    assert SLOW in reading.content
    assert [seen.host for seen in internet.seen] == [RAW, API, API]
    assert internet.seen[-1].query == "ref=feature%2Fslow-hands"


async def test_a_tag_with_slashes_is_found_too(pages):
    reading = await pages.read_site(f"{CLOCK}/blob/release/2.0/notes.md")

    assert reading.content == "# Notes of 2.0"


async def test_a_file_that_no_branch_has_is_absent(pages):
    with pytest.raises(NotFound):
        await pages.read_site(f"{CLOCK}/blob/main/src/nothing.py")


async def test_a_file_is_not_absent_while_branches_cannot_be_listed(pages, internet):
    internet.breaks(API, status=503)

    with pytest.raises(Unavailable):
        await pages.read_site(f"{CLOCK}/blob/feature/slow-hands/src/clock.py")


@pytest.mark.parametrize("name", ["logo.png", "latin.txt"])
async def test_a_file_that_is_no_text_is_left_to_others(pages, name):
    with pytest.raises(BadAnswer):
        await pages.read_site(f"{CLOCK}/blob/main/{name}")


async def test_a_long_file_is_cut_and_says_so(pages, internet):
    internet.says(RAW, b"0123456789\n" * 100_000, content_type="text/plain")

    reading = await pages.read_site(f"{CLOCK}/blob/main/long.txt")

    assert reading.cut
    assert 400_000 <= len(reading.content) < 400_100


async def test_an_issue_comes_with_its_comments(pages):
    reading = await pages.read_site(f"{CLOCK}/issues/7")

    assert reading.content == (
        "# Hands run backwards\n\n"
        "Issue 7 of lakeside/tide-clock\n\n"
        "- State: closed (completed)\n"
        "- Author: tiller\n"
        "- Opened: 2025-01-02T03:04:05Z\n"
        "- Closed: 2025-02-02T03:04:05Z\n"
        "- Labels: bug, time\n\n"
        "Steps:\n\n1. Look.\n\n"
        "## Comments (2 of 2)\n\n"
        "- **gull**, 2025-01-03T00:00:00Z\n\n"
        "  Mine too.\n\n"
        "- **unknown**, 2025-01-04T00:00:00Z\n\n"
        "  Turn it over."
    )
    assert (reading.author, reading.published) == ("tiller", "2025-01-02T03:04:05Z")
    assert not reading.cut


async def test_more_comments_than_come_at_once_are_said_to_be_missing(pages):
    reading = await pages.read_site(f"{CLOCK}/issues/8")

    assert f"## Comments (100 of {COMMENTS})" in reading.content
    assert reading.content.endswith("Me too 99")
    assert reading.cut


async def test_a_pull_request_comes_with_reviews_and_notes_in_the_order_of_time(pages):
    reading = await pages.read_site(f"{CLOCK}/pull/9")

    assert "Pull request 9 of lakeside/tide-clock\n\n- State: merged\n" in reading.content
    assert reading.content.endswith(
        "## Comments (3 of 3)\n\n"
        "- **lamp**, 2025-01-07T00:00:00Z, on src/clock.py\n\n"
        "  Why twelve?\n\n"
        "- **lamp**, 2025-01-08T00:00:00Z, approved\n\n"
        "  [approved]\n\n"
        "- **gull**, 2025-01-09T00:00:00Z\n\n"
        "  Thank you."
    )
    assert reading.canonical == f"{CLOCK}/pull/9"


@pytest.mark.parametrize(
    ("number", "heading"),
    [(22, "## Comments (101 of 101 or more)"), (23, f"## Comments (150 of {COMMENTS + 50})")],
)
async def test_reviews_and_comments_beyond_those_that_come_at_once_are_said_to_be_missing(
    pages, number, heading
):
    reading = await pages.read_site(f"{CLOCK}/pull/{number}")

    assert heading in reading.content
    assert reading.cut


async def test_an_issue_that_moved_is_followed(pages):
    reading = await pages.read_site(f"{CLOCK}/issues/10")

    assert reading.title == "Hands run backwards"


@pytest.mark.parametrize("number", [11, 12])
async def test_an_issue_that_was_deleted_or_never_was_is_absent(pages, number):
    with pytest.raises(NotFound):
        await pages.read_site(f"{CLOCK}/issues/{number}")


async def test_an_issue_is_not_absent_because_its_comments_are(pages, internet):
    internet.breaks(API, status=404, path="*/issues/7/comments")

    with pytest.raises(BadAnswer):
        await pages.read_site(f"{CLOCK}/issues/7")


@pytest.mark.parametrize("answer", [None, {}, "x"])
async def test_a_list_of_branches_that_is_none_makes_no_file_absent(pages, internet, answer):
    internet.says(API, answer, path="*/git/matching-refs/*")

    with pytest.raises(BadAnswer):
        await pages.read_site(f"{CLOCK}/blob/feature/slow-hands/src/clock.py")


async def test_comments_that_fail_are_not_left_out_in_silence(pages, internet):
    internet.breaks(API, status=500, path="*/comments")

    with pytest.raises(Unavailable):
        await pages.read_site(f"{CLOCK}/issues/7")


async def test_the_newest_releases_are_listed(pages):
    reading = await pages.read_site(f"{CLOCK}/releases")

    assert reading.content.startswith(
        "# Releases of lakeside/tide-clock\n\n"
        "## Clock v1.12\n\n"
        "- Tag: v1.12\n- Date: 2025-03-01T00:00:00Z\n- Author: lakeside\n\n"
        "* Fewer cogs\n\n"
        "- [clock.zip](https://github.com/lakeside/clock.zip)\n\n"
        "## Clock v1.11"
    )
    assert reading.content.count("## Clock") == 10
    assert reading.cut


@pytest.mark.parametrize(
    ("which", "title"),
    [
        ("latest", "lakeside/tide-clock Clock v1.12"),
        ("tag/v1.3", "lakeside/tide-clock Clock v1.3"),
        ("tag/release/2.0", "lakeside/tide-clock Clock release/2.0"),
    ],
)
async def test_one_release_is_read(pages, which, title):
    reading = await pages.read_site(f"{CLOCK}/releases/{which}")

    assert reading.title == title
    assert "* Fewer cogs" in reading.content
    assert ("- Prerelease: yes" in reading.content) == which.endswith("2.0")


@pytest.mark.parametrize("which", ["tag/v9.9", "latest"])
async def test_a_release_that_is_not_there_is_absent(pages, which):
    owner = "lakeside/bare" if which == "latest" else "lakeside/tide-clock"

    with pytest.raises(NotFound):
        await pages.read_site(f"https://github.com/{owner}/releases/{which}")


async def test_no_releases_are_an_answer(pages, internet):
    internet.says(API, [])

    reading = await pages.read_site(f"{CLOCK}/releases")

    assert reading.content.endswith("There are none.")


async def test_the_token_goes_with_every_request_and_none_is_needed(provide, internet):
    known = await provide("github_pages", GITHUB_TOKEN="t0ken")
    nobody = await provide("github_pages")

    await known.read_site(CLOCK)
    with_token = {seen.headers.get("authorization") for seen in internet.seen}
    internet.forget()
    await nobody.read_site(CLOCK)

    assert with_token == {"Bearer t0ken"}
    assert {seen.headers.get("authorization") for seen in internet.seen} == {None}


async def test_a_token_that_github_does_not_know_is_a_refusal(pages, internet):
    internet.breaks(API, status=401, body='{"message": "Bad credentials"}')

    with pytest.raises(Refused):
        await pages.read_site(CLOCK)


ISSUE = {
    "repository_url": "https://api.github.com/repos/lakeside/tide-clock",
    "number": 7,
    "title": "T",
    "state": "open",
    "user": None,
    "created_at": "2025-01-02T03:04:05Z",
    "comments": 0,
    "body": None,
}


@pytest.mark.parametrize(
    ("path", "answer"),
    [
        ("", {"full_name": "a/b"}),
        ("/issues/7", []),
        ("/issues/7", ISSUE | {"title": None}),
        ("/issues/7", ISSUE | {"repository_url": "https://elsewhere.example/repos/a/b"}),
        ("/issues/7", ISSUE | {"body": ["x"]}),
        ("/issues/7", ISSUE | {"user": "tiller"}),
        ("/issues/7", ISSUE | {"comments": "many"}),
        ("/releases", {"message": "maintenance"}),
        ("/releases", [{"name": "no tag"}]),
        ("/releases/latest", {"tag_name": "v1", "assets": ["x"]}),
    ],
)
async def test_another_shape_is_no_page(pages, internet, path, answer):
    internet.says(API, answer)

    with pytest.raises(BadAnswer):
        await pages.read_site(CLOCK + path)


async def test_a_deleted_account_and_a_missing_body_do_not_stop_the_reading(pages, internet):
    internet.says(API, ISSUE)

    reading = await pages.read_site(f"{CLOCK}/issues/7")

    assert reading.author is None
    assert reading.content.endswith("- Opened: 2025-01-02T03:04:05Z")


async def test_comments_of_another_shape_are_no_comments(pages, internet):
    internet.says(API, {"comments": []}, path="*/comments")

    with pytest.raises(BadAnswer):
        await pages.read_site(f"{CLOCK}/issues/7")


@pytest.mark.parametrize("path", ["", "/issues/7", "/pull/9", "/releases", "/blob/main/README.md"])
async def test_a_failing_site_is_never_an_empty_page(pages, internet, path):
    for host in (API, RAW):
        internet.unplugs(host)

    with pytest.raises(UpstreamError) as caught:
        await pages.read_site(CLOCK + path)

    assert not isinstance(caught.value, NotFound)
