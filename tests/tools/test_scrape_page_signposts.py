"""scrape_page at a meta refresh, and at fragments inside a page."""

import pytest

pytestmark = pytest.mark.anyio

HOST = "pages.meridian.example"


@pytest.fixture
async def read(asking):
    ask = await asking(keys=False)

    async def page(path):
        return await ask("scrape_page", url=f"https://{HOST}/{path}")

    return page


def paths(internet):
    return [seen.path for seen in internet.requests_to(HOST)]


async def test_a_page_that_sends_its_readers_on_is_followed(read, internet):
    page = (await read("signpost")).structured

    assert "The harbour at Meridian" in page["content"]
    assert page["url"] == f"https://{HOST}/signpost"
    assert paths(internet) == ["/signpost", "/article"]


async def test_a_page_that_renews_itself_after_a_while_is_read(read, internet):
    page = (await read("late")).structured

    assert page["content"] == "# Later\n\nNews."
    assert set(paths(internet)) == {"/late"}


async def test_pages_that_lead_to_each_other_are_left(read, internet):
    error = (await read("spinning")).structured["error"]

    assert "endless meta refresh redirects" in error["detail"]
    assert (error["kind"], error["retryable"]) == ("upstream_unavailable", False)
    assert paths(internet) == ["/spinning", "/turning"]


async def test_a_page_that_sends_its_readers_to_a_private_place_is_not_followed(read, internet):
    error = (await read("astray")).structured["error"]

    assert error["kind"] == "validation"
    assert {seen.host for seen in internet.seen} == {HOST}


async def test_a_place_inside_a_page_is_read_from_the_page_that_is_kept(read, internet):
    await read("article")

    kept = await read("article#part-2")

    assert kept.meta["cached"] is True
    assert paths(internet) == ["/article"]


async def test_a_fragment_that_names_a_page_names_another(read, internet):
    await read("article#!/one")
    await read("article#!/two")

    assert paths(internet) == ["/article", "/article"]
