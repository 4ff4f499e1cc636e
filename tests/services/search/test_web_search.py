"""What a web search records in its research session."""

import pytest

from sourcewright.base.calls import NO_CALL, current_call
from sourcewright.domain.calls import collecting
from sourcewright.domain.web.queries import Query
from sourcewright.services.search.web_search import SearchOptions

pytestmark = pytest.mark.anyio

ONE = {"BRAVE_API_KEY": "an-invented-key", "SEARCH_PROVIDER": "brave"}
KINDS = {"web": "", "images": "image", "news": "news"}


@pytest.fixture
async def search(application):
    """Searches as a tool would."""
    web_search = (await application(**ONE)).services.search.web_search

    async def search(kind="web", text="sea otter", **options):
        query = Query(kind=kind, text=text, limit=3)
        return await web_search.search(query, SearchOptions(**options))

    return search


@pytest.mark.parametrize("kind", KINDS)
async def test_pages_are_noted_whether_they_are_new_or_cached(search, kind):
    noted = []
    for _ in range(2):
        with collecting() as findings:
            outcome = await search(kind)
        noted.append((outcome.results.answer.cached, findings))

    [(_, new), (is_cached, cached)] = noted
    assert is_cached
    assert new == cached
    assert {one.tag for one in new.sources} == {KINDS[kind]}
    assert len(new.sources) == 3
    assert all(one.title for one in new.sources)
    assert not any(one.url.endswith(".jpg") for one in new.sources)
    assert [(one.provider, one.error) for one in new.outcomes] == [("brave", None)]


async def test_a_search_without_results_is_noted_as_one_that_was_answered(search):
    with collecting() as findings:
        await search(text="xyzzy plugh quux")

    assert findings.sources == []
    assert [one.provider for one in findings.outcomes] == ["brave"]


async def test_an_engine_that_fails_is_noted_with_its_error(search, internet):
    internet.breaks("api.search.brave.com", status=403)

    with collecting() as findings, pytest.raises(Exception, match="brave"):
        await search()

    [outcome] = findings.outcomes
    assert outcome.error is not None


async def test_nothing_is_noted_outside_a_session(search):
    await search()

    assert current_call.get() is NO_CALL
