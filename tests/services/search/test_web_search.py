"""What a session is told of a search."""

from dataclasses import replace

import pytest

from sourcewright.domain.queries import Query
from sourcewright.services.search.web_search import SearchOptions

pytestmark = pytest.mark.anyio

ONE = {"BRAVE_API_KEY": "an-invented-key", "SEARCH_PROVIDER": "brave"}
KINDS = {"web": "web_search", "images": "image_search", "news": "news_search"}


@pytest.fixture
async def looking(application, sessions):
    """Looks as a tool would, for a session; gives what the sessions were told as well."""
    looker = replace((await application(**ONE)).services.search.web_search, sessions=sessions)

    async def look(kind="web", text="sea otter", **wish):
        query = Query(kind=kind, text=text, limit=3)
        return await looker.look(query, SearchOptions(tool=KINDS[kind], **wish))

    return look, sessions.told


@pytest.mark.parametrize("kind", KINDS)
async def test_a_session_is_told_the_pages_whether_they_are_new_or_kept(looking, kind):
    look, told = looking

    looked = [await look(kind, session_id="known") for _ in range(2)]

    assert [one.searched.answer.cached for one in looked] == [False, True]
    assert [one.session_known for one in looked] == [True, True]
    assert told[0] == told[1]
    assert told[0][:2] == ("known", KINDS[kind])
    assert len(told[0][2]) == 3
    assert not any(page.endswith(".jpg") for page in told[0][2])


async def test_a_session_is_told_that_nothing_was_found(looking):
    look, told = looking

    await look(text="xyzzy plugh quux", session_id="known")

    assert told == [("known", "web_search", [])]


async def test_nobody_is_told_where_no_session_was_named(looking):
    look, told = looking

    assert (await look()).session_known is None
    assert told == []


async def test_a_session_that_is_unknown_changes_nothing_else(looking):
    look, _ = looking

    looked = await look(session_id="nobodys")

    assert looked.session_known is False
    assert len(looked.searched.hits) == 3
