"""doiget_batch_fetch, through the whole pipeline."""

import asyncio

import pytest

from sourcewright.world.corpus.ids import pmid

pytestmark = pytest.mark.anyio

TOOL = "doiget_batch_fetch"


async def test_each_reference_gets_its_own_row_in_the_order_asked(call, tmp_path):
    refs = ["10.5555/fine-paper", "nonsense", "2401.99901", "10.5555/never-registered-2019"]

    result = await call(TOOL, {"refs": refs})

    assert [row["ref"] for row in result["results"]] == refs
    assert [row["ok"] for row in result["results"]] == [True, False, True, False]
    assert result["results"][1]["error"]["code"] == "INVALID_REF"
    assert result["results"][3]["error"]["code"] == "NOT_FOUND"
    assert len(list((tmp_path / "papers").glob("*.pdf"))) == 2


async def test_every_failed_row_has_a_denial_context_even_if_it_is_null(call):
    result = await call(TOOL, {"refs": ["nonsense"]})

    assert result["results"][0]["error"]["denial_context"] is None


async def test_a_failed_row_has_nothing_else_that_is_null(call):
    result = await call(TOOL, {"refs": ["nonsense"]})

    (row,) = result["results"]
    assert row["error"].keys() == {"code", "message", "disposition", "denial_context"}


async def test_a_reference_that_stands_twice_is_fetched_once(call, internet):
    refs = ["10.5555/fine-paper", "https://doi.org/10.5555/FINE-PAPER", "doi:10.5555/fine-paper"]

    result = await call(TOOL, {"refs": refs})

    assert [row["ref"] for row in result["results"]] == refs
    assert all(row["ok"] for row in result["results"])
    requests = [s for s in internet.requests_to("api.crossref.org") if s.path != "/works"]
    assert len(requests) == 1


@pytest.mark.parametrize("doi", ["10.5555/fine-paper", "10.5555/private-redirect"])
async def test_a_paper_that_stands_there_by_two_catalogues_is_fetched_once(call, internet, doi):
    refs = [doi, f"PMID: {pmid(internet.corpus.by_doi(doi))}"]

    result = await call(TOOL, {"refs": refs, "force": True})

    by_doi, by_number = result["results"]
    assert [by_doi["ref"], by_number["ref"]] == refs
    assert by_doi | {"ref": ""} == by_number | {"ref": ""}
    requests = [s for s in internet.requests_to("api.crossref.org") if s.path != "/works"]
    assert len(requests) == 1


@pytest.mark.parametrize("refs", [[], ["10.5555/fine-paper"] * 101])
async def test_too_many_or_none_at_all_fail_as_a_whole_and_ask_nobody(call, internet, refs):
    result = await call(TOOL, {"refs": refs})

    assert (result["ok"], result["error"]["code"]) == (False, "INVALID_REF")
    assert result["error"]["message"].startswith("TOO_MANY_REFS") == bool(refs)
    assert internet.seen == []


async def test_a_dry_run_plans_each(call, internet):
    result = await call(TOOL, {"refs": ["10.5555/fine-paper", "2401.99901"], "dry_run": True})

    assert [plan["ref"] for plan in result["plans"]] == [
        {"doi": "10.5555/fine-paper"},
        {"arxiv": "2401.99901"},
    ]
    assert internet.seen == []


async def test_progress_is_told_after_each_paper(application):
    reports = []

    async def listen(message, **_count):
        reports.append(message)

    app = await application()
    refs = ["10.5555/fine-paper", "10.5555/closed-paper"]
    await app.call(TOOL, {"refs": refs}, progress=listen)

    assert [m for m in reports if m.startswith("1 of 2: ")]
    assert [m for m in reports if m.startswith("2 of 2: ")]


async def test_cancelling_keeps_what_is_done(application, internet, tmp_path):
    internet.delays("www.frontiersin.org", 30)
    done = asyncio.Event()

    async def listen(message, **_count):
        if message.startswith("1 of 2: "):
            done.set()

    app = await application()
    refs = ["10.5555/fine-paper", "10.5555/published-pair"]
    call = asyncio.create_task(app.call(TOOL, {"refs": refs}, progress=listen))
    await asyncio.wait_for(done.wait(), 300)
    call.cancel()
    await asyncio.wait([call], timeout=300)

    assert call.cancelled()
    assert [p.name for p in (tmp_path / "papers").glob("*.pdf")] == ["doi_10.5555_fine-paper.pdf"]
