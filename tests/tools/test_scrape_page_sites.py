"""scrape_page with site-specific APIs: their failures, and what is read instead."""

import pytest

pytestmark = pytest.mark.anyio

HOST = "pages.meridian.example"
WATCH = "https://www.youtube.com/watch?v="
POST = "https://bsky.app/profile/keeper.harbour.example/post/3gone"
EXA = {"EXA_API_KEY": "an-invented-key"}


@pytest.fixture
def paper(internet):
    """The number of a paper at arXiv."""
    return next(work.manuscript.id for work in internet.corpus.works if work.manuscript)


def targets(internet):
    return [(seen.host, seen.path) for seen in internet.seen]


@pytest.mark.parametrize(
    ("number", "kind", "why"),
    [
        ("nobodysfilm", "not_found", "youtube: no such video: Video unavailable"),
        ("privatefilm", "auth_required", "youtube: This is a private video"),
        ("warnedabout", "blocked", "youtube: Some may be offended"),
    ],
)
async def test_what_a_site_does_not_show_is_told_and_no_shell_is_given_for_it(
    answer, number, kind, why
):
    result = await answer("scrape_page", {"url": WATCH + number})

    error = result.structured["error"]
    assert error["kind"] == kind
    assert f"({why}" in error["detail"]
    assert "stealth: only " in error["detail"]
    assert error["suggestedAction"] == "inform_user"
    assert "browser: " not in error["detail"]  # which would only say the same


@pytest.mark.parametrize(
    ("body", "kind", "words"),
    [
        ({"error": "NotFound", "message": "Post not found: at://x"}, "not_found", "Not found: "),
        (
            {"error": "AccountTakedown", "message": "Account has been suspended"},
            "blocked",
            f"Blocked: {POST} is not accessible: Account has been suspended. Try an alternative",
        ),
    ],
)
async def test_a_page_without_a_word_leaves_that_of_its_interface(
    answer, internet, body, kind, words
):
    internet.says("public.api.bsky.app", body, status=400)
    internet.says("bsky.app", b"<html><body><div></div></body></html>", content_type="text/html")

    error = (await answer("scrape_page", {"url": POST})).structured["error"]

    assert error["kind"] == kind
    assert error["detail"].startswith(words)


async def test_a_refusal_that_may_be_ours_leaves_the_part_that_the_page_shows(answer, internet):
    internet.breaks("api.github.com", status=401)
    shell = b"<html><body><p>A clock that shows the tide.</p></body></html>"
    internet.says("github.com", shell, content_type="text/html")

    result = await answer("scrape_page", {"url": "https://github.com/lakeside/tide-clock"})

    assert result.structured["extractionQuality"] == "partial"
    assert result.meta["tried"][0].startswith("github_pages: HTTP 401")


async def test_a_post_for_followers_wants_a_login_and_no_key(answer, internet):
    internet.says("x.com", b"<html><body></body></html>", content_type="text/html")
    url = "https://x.com/NorthLight/status/1009"

    result = await answer("scrape_page", {"url": url}, SOURCEWRIGHT_ENABLE_FXTWITTER="1")

    error = result.structured["error"]
    assert (error["kind"], error["suggestedAction"]) == ("auth_required", "inform_user")


async def test_a_page_that_fails_is_not_absent_because_its_interface_says_so(answer, internet):
    internet.says("public.api.bsky.app", {"error": "NotFound"}, status=400)
    internet.breaks("bsky.app", status=503)

    error = (await answer("scrape_page", {"url": POST})).structured["error"]

    assert error["kind"] == "network"


async def test_others_are_not_told_of_what_a_site_says_is_not_there(answer, internet):
    await answer("scrape_page", {"url": f"{WATCH}nobodysfilm"}, **EXA)

    assert internet.requests_to("api.exa.ai") == []


async def test_a_page_that_can_be_read_stands_against_the_word_of_its_interface(
    answer, internet, paper
):
    empty = b'<feed xmlns="http://www.w3.org/2005/Atom"><o:totalResults xmlns:o="http://a9.com/-/spec/opensearch/1.1/">0</o:totalResults></feed>'
    text = b"<p>The keepers of the harbour write down each tide, and the wind with it.</p>" * 5
    internet.says("export.arxiv.org", empty, content_type="application/atom+xml")
    internet.says("arxiv.org", b"<html><article>" + text, content_type="text/html")

    page = (await answer("scrape_page", {"url": f"https://arxiv.org/abs/{paper}"})).structured

    assert (page["extractedBy"], page["extractionQuality"]) == ("stealth", "complete")


async def test_a_part_that_an_interface_tells_is_not_traded_for_a_page_of_scripts(
    answer, internet
):
    result = await answer("scrape_page", {"url": f"{WATCH}agelimited_"}, **EXA)

    assert "About rum." in result.structured["content"]
    assert result.structured["extractionQuality"] == "partial"
    assert result.meta["tried"] == ["youtube: read"]
    assert [path for _, path in targets(internet)].count("/watch") == 1
    assert internet.requests_to("api.exa.ai") == []


async def test_a_document_in_a_repository_is_read_and_not_the_frame_around_it(answer, internet):
    url = "https://github.com/lakeside/tide-clock/blob/feature/slow/docs/a%20paper.pdf"

    page = (await answer("scrape_page", {"url": url})).structured

    assert (page["url"], page["contentType"]) == (url, "pdf")
    assert page["content"].startswith("<!-- page 1 -->\n")
    assert "4 Discussion" in [one["text"] for one in page["outline"]]
    assert targets(internet)[:2] == [
        ("github.com", "/lakeside/tide-clock/raw/feature/slow/docs/a%20paper.pdf"),
        ("raw.githubusercontent.com", "/lakeside/tide-clock/feature/slow/docs/a%20paper.pdf"),
    ]


async def test_a_file_is_read_as_it_is_while_its_interface_is_silent(answer, internet):
    internet.breaks("raw.githubusercontent.com", status=404, times=1)
    internet.breaks("api.github.com", status=503)
    url = "https://github.com/lakeside/tide-clock/blob/main/src/clock.py"

    page = (await answer("scrape_page", {"url": url})).structured

    assert "    return hours % 12.42" in page["content"]
    assert ("github.com", "/lakeside/tide-clock/raw/main/src/clock.py") in targets(internet)


@pytest.mark.parametrize(
    ("to", "why"),
    [
        ("http://10.0.0.1/admin", "10.0.0.1:80 is not on the public internet"),
        ("https://elsewhere.example/", "elsewhere.example is not an allowed host"),
    ],
)
async def test_an_interface_that_leads_astray_does_not_make_the_address_a_wrong_one(
    answer, internet, paper, to, why
):
    internet.redirects("export.arxiv.org", to)
    internet.breaks("arxiv.org", status=503)

    result = await answer("scrape_page", {"url": f"https://arxiv.org/abs/{paper}"})

    detail = result.structured["error"]["detail"]
    assert result.structured["error"]["kind"] == "network"
    assert f"(arxiv: {why}" in detail
    assert {host for host, _ in targets(internet)} == {"export.arxiv.org", "arxiv.org"}


async def test_an_address_that_leads_to_a_site_is_read_through_its_interface(
    answer, internet, paper
):
    internet.redirects(HOST, f"https://arxiv.org/abs/{paper}", path="/short")

    page = (await answer("scrape_page", {"url": f"https://{HOST}/short"})).structured

    assert (page["contentType"], page["extractionQuality"]) == ("arxiv", "complete")
    assert page["url"] == f"https://{HOST}/short"
    assert targets(internet)[:3] == [
        (HOST, "/short"),
        ("arxiv.org", f"/abs/{paper}"),
        ("export.arxiv.org", "/api/query"),
    ]


async def test_where_that_interface_fails_the_page_that_came_is_read_and_asked_for_once(
    answer, internet, paper
):
    internet.redirects(HOST, f"https://arxiv.org/abs/{paper}", path="/short")
    internet.says("export.arxiv.org", {"moved": True})

    page = (await answer("scrape_page", {"url": f"https://{HOST}/short"})).structured

    assert page["extractedBy"] == "stealth"
    assert [host for host, _ in targets(internet)].count("arxiv.org") == 1
