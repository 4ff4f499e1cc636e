"""doiget_search_local, through the whole pipeline."""

import pytest

pytestmark = pytest.mark.anyio


async def test_hits_carry_the_fields_of_the_contract_and_say_why_they_are_there(call, shelve):
    shelve(
        "doi_10.1234_example",
        title="On giraffes",
        authors=("Müller, Jörg", "Doe, Jane"),
        year=2024,
        doi="10.1234/example",
        abstract="Their necks are long.",
    )

    result = await call("doiget_search_local", {"query": "neck*"})

    assert (result["ok"], result["scope"], result["query"]) == (True, "local", "neck*")
    assert (result["count"], result["truncated_ranking"], result["note"]) == (1, False, None)
    [hit] = result["results"]
    assert hit.pop("score") > 0
    assert hit == {
        "safekey": "doi_10.1234_example",
        "title": "On giraffes",
        "year": 2024,
        "fetched_at": "2026-01-01T00:00:00Z",
        "doi": "10.1234/example",
        "authors": ["Müller, Jörg", "Doe, Jane"],
        "snippet": "Their necks are long.",
        "integrity": {"status": "unchecked", "notices": [], "checked_at": None, "checked_by": []},
    }


async def test_a_paper_is_found_as_soon_as_it_is_fetched(application):
    app = await application()
    await app.call("doiget_search_local", {"query": "fine"})

    fetched = (await app.call("doiget_fetch_paper", {"ref": "10.5555/fine-paper"})).structured
    result = (await app.call("doiget_search_local", {"query": fetched["title"]})).structured

    assert [hit["doi"] for hit in result["results"]] == ["10.5555/fine-paper"]


async def test_searching_asks_nobody_and_leaves_no_row(call, internet, tmp_path):
    result = await call("doiget_search_local", {"query": "anything"})

    assert (result["count"], result["results"]) == (0, [])
    assert internet.seen == []
    assert not (tmp_path / "papers").exists()
    assert not (tmp_path / "state" / "provenance.jsonl").exists()


@pytest.mark.parametrize(
    ("limit", "count"),
    [(3, 3), ("3", 3), (3.0, 3), (0, 50), (None, 50), (" ", 50), (-7, 50), (10**9, 60)],
)
async def test_a_limit_out_of_range_is_clamped(call, shelve, limit, count):
    for number in range(60):
        shelve(f"doi_10.1234_{number}", title="common")

    result = await call("doiget_search_local", {"query": "common", "limit": limit})

    assert result["count"] == count


@pytest.mark.parametrize("arguments", [{"query": ""}, {"query": "x", "limit": "many"}, {}])
async def test_a_question_without_sense_is_refused(call, arguments):
    result = await call("doiget_search_local", arguments)

    assert (result["ok"], result["error"]["code"]) == (False, "INVALID_REF")


@pytest.mark.parametrize("query", ["?!", '"', "-", "\u0000", " "])
async def test_a_query_without_words_finds_nothing(call, shelve, query):
    shelve("doi_10.1234_example", title="common")

    result = await call("doiget_search_local", {"query": query})

    assert (result["ok"], result["count"]) == (True, 0)
