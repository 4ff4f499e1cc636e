"""Pages that fail: how often one call requests them, and redirects that lead to no page."""

import pytest

pytestmark = pytest.mark.anyio

HOST = "failing.example"
URL = f"https://{HOST}/page"
CLAIM = "The harbour lamp was lit in 1812"
CALLS = {
    "scrape_page": {"url": URL},
    "verify_recommendation": {"recommendations": [{"title": "Harbour lamps", "url": URL}]},
    "verify_citation": {"citation": URL, "claim": CLAIM},
}
FAULTS = {
    "403": lambda world: world.breaks(HOST, status=403),
    "404": lambda world: world.breaks(HOST, status=404),
    "418": lambda world: world.breaks(HOST, status=418),
    "429": lambda world: world.breaks(HOST, status=429),
    "500": lambda world: world.breaks(HOST, status=500),
    "503": lambda world: world.breaks(HOST, status=503),
    "no answer": lambda world: world.unplugs(HOST),
    "no text": lambda world: world.says(HOST, b"<html></html>", content_type="text/html"),
    "a loop": lambda world: world.redirects(HOST, URL),
    "half a line": lambda world: [
        world.says(HOST, b"<html><p>Hello wor", content_type="text/html"),
        world.cuts(HOST),
    ],
}
NO_TARGET = {
    "a loop": lambda world: world.redirects(HOST, "/page", "/page"),
    "an invalid URL": lambda world: world.redirects(HOST, "http://[::bad"),
    "no URL": lambda world: world.redirects(HOST, ""),
    "not modified": lambda world: world.breaks(HOST, status=304),
    "a choice": lambda world: world.breaks(HOST, status=300),
}


@pytest.mark.parametrize("tool", CALLS)
@pytest.mark.parametrize("fault", FAULTS)
async def test_a_failing_page_is_requested_three_times_at_most(answer, internet, tool, fault):
    FAULTS[fault](internet)

    await answer(tool, CALLS[tool])

    assert 1 <= len(internet.requests_to(HOST)) <= 3


async def test_another_call_requests_a_failing_page_again(asking, internet):
    internet.breaks(HOST, status=500, times=3)
    internet.says(HOST, b"<p>The lamp was lit again.</p>" * 9, content_type="text/html")
    ask = await asking()

    first, second = [await ask("scrape_page", url=URL) for _ in range(2)]

    assert (first.is_error, second.is_error) == (True, False)


async def test_a_page_of_which_half_arrives_is_read_once_and_used_twice(answer, internet):
    page = f"<html><p>{CLAIM} by the keeper.</p>{'<p>The sea was calm that day.</p>' * 40}</html>"
    internet.says(HOST, page.encode(), content_type="text/html")
    internet.cuts(HOST)

    citation = (await answer("verify_citation", CALLS["verify_citation"])).structured

    assert citation["claimSupport"] == "addressed"
    assert len(internet.requests_to(HOST)) == 3


@pytest.mark.parametrize("fault", NO_TARGET)
async def test_redirects_to_no_page_are_no_passing_failure(answer, internet, fault):
    NO_TARGET[fault](internet)

    error = (await answer("scrape_page", {"url": URL})).structured["error"]

    assert (error["kind"], error["retryable"]) == ("upstream_unavailable", False)
    assert error["detail"].startswith(f"Unavailable: {URL} leads to no page: ")
    assert len(internet.requests_to(HOST)) == 1


async def test_a_redirect_to_a_private_address_is_named_as_one(answer, internet):
    internet.redirects(HOST, "http://127.0.0.1/secret")

    error = (await answer("scrape_page", {"url": URL})).structured["error"]

    assert error["kind"] == "validation"
    assert "it redirects, and 127.0.0.1:80 is not on the public internet" in error["detail"]


@pytest.mark.parametrize("status", [400, 405, 412, 418, 444])
async def test_a_server_that_declines_in_its_own_way_has_not_lost_the_page(
    answer, internet, status
):
    internet.breaks(HOST, status=status)

    citation = (await answer("verify_citation", {"citation": URL})).structured

    assert (citation["exists"], citation["linkState"]) == (None, "unchecked")
    assert citation["httpStatus"] == status


async def test_a_page_that_was_not_read_has_no_finding_about_its_doi(answer, internet):
    internet.breaks(HOST, status=404)

    citation = (await answer("verify_citation", {"citation": URL})).structured

    page = next(step for step in citation["provenance"] if step["evidence"] == "page")
    assert page["outcome"] == "not read, because the link is dead"


@pytest.mark.parametrize("status", [403, 404, 500])
async def test_who_could_not_be_checked_for_self_promotion_is_named(answer, internet, status):
    internet.breaks(HOST, status=status)

    audit = (await answer("verify_recommendation", CALLS["verify_recommendation"])).structured

    [item] = audit["recommendations"]
    assert item["selfPromotionUnchecked"]
    assert "selfPromotionSignal" not in item
