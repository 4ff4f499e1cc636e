"""Semantic Scholar as a scholarly index: searches, batches and citations, simulated and recorded."""

import json

import pytest

from sourcewright.base.errors import BadAnswer, InvalidInput, NotFound, Refused
from sourcewright.domain.papers.scholar import WorkIds, WorkQuery
from sourcewright.providers.semantic_scholar import name_of, search_params
from sourcewright.providers.semantic_scholar.papers import (
    read_batch,
    read_citations,
    read_list,
    read_record,
)
from sourcewright.world.corpus.ids import semantic_scholar_id

pytestmark = pytest.mark.anyio

HOST = "api.semanticscholar.org"
FINE = "10.5555/fine-paper"


@pytest.fixture
async def index(provide):
    return await provide("semantic_scholar", role="scholar")


async def test_a_paper_is_found_with_its_summary_and_its_other_identifiers(index, internet):
    written = internet.corpus.by_doi("10.5555/arxiv-pair")

    results = await index.search_works(WorkQuery(text=written.plain_title, limit=3))

    best = results.records[0]
    assert (best.source, best.index_id) == ("semanticscholar", semantic_scholar_id(written))
    assert (best.doi, best.arxiv_id) == (written.key, "2401.99901")
    assert best.tldr
    assert isinstance(best.is_influential, bool)
    assert isinstance(best.citation_count, int)
    assert best.notices is None


async def test_years_and_open_access_hold_and_other_filters_are_named(index):
    query = WorkQuery(
        text="the of a",
        limit=50,
        year_from=2005,
        year_to=2012,
        open_access=True,
        sort_by="date",
        source="ieee",
    )

    results = await index.search_works(query)

    assert results.ignored == ("source", "sort_by")
    assert results.records
    assert all(2005 <= one.year <= 2012 and one.open_access for one in results.records)


@pytest.mark.parametrize(
    ("years", "year_range"),
    [
        ({"year_from": 2010}, "2010-"),
        ({"year_to": 2012}, "-2012"),
        ({"year_from": 2010, "year_to": 2012}, "2010-2012"),
    ],
)
def test_years_are_asked_for_as_a_range(years, year_range):
    assert search_params(WorkQuery(text="x", limit=5, **years))["year"] == year_range


def test_a_hyphen_does_not_hide_a_word():
    params = search_params(WorkQuery(text="Retrieval-augmented: a (short) study", limit=5))

    assert params["query"] == "Retrieval augmented a short study"


async def test_a_batch_is_one_request_in_which_unknown_papers_are_missing(index, internet):
    described = await index.describe_works((FINE, "10.5555/nobody", "10.5555/closed-paper"))

    assert described.keys() == {FINE, "10.5555/closed-paper"}
    assert described[FINE].copies
    assert [seen.method for seen in internet.seen] == ["POST"]


async def test_a_record_of_another_version_does_not_stand_for_a_doi(index):
    assert await index.describe_works(("10.48550/arxiv.2401.99901",)) == {}


async def test_all_pages_together_are_all_citations_with_how_they_cite(index, internet):
    seed = max(internet.corpus.works, key=lambda work: len(internet.corpus.cited_by(work)))
    citing = internet.corpus.cited_by(seed)
    found, cursor = [], None

    while True:
        page = await index.list_citing(WorkIds(doi=seed.key), limit=3, cursor=cursor)
        found += page.citations
        cursor = page.next_cursor
        if cursor is None:
            break

    assert len(found) == len([work for work in citing if semantic_scholar_id(work)]) > 3
    assert all(isinstance(one.is_influential, bool) for one in found)
    assert {intent for one in found for intent in one.intents} <= {
        "background",
        "methodology",
        "result",
    }


async def test_references_are_listed(index, internet):
    page = await index.list_cited(WorkIds(doi=FINE), limit=10)

    assert {one.record.doi for one in page.citations} == {
        work.key for work in internet.corpus.cites(internet.corpus.by_doi(FINE))
    }


async def test_citations_of_a_paper_that_is_not_there_are_absent(index):
    with pytest.raises(NotFound) as caught:
        await index.list_citing(WorkIds(doi="10.5555/nobody"), limit=5)
    assert caught.value.source == "semanticscholar"


async def test_references_that_a_publisher_withholds_are_a_refusal(index, internet):
    internet.says(HOST, {"offset": 0, "citingPaperInfo": {"title": "T"}, "data": None})

    with pytest.raises(Refused):
        await index.list_cited(WorkIds(doi=FINE), limit=5)


@pytest.mark.parametrize(
    ("ids", "name"),
    [
        (WorkIds(index_id="a1", doi=FINE), "a1"),
        (WorkIds(doi=FINE, pmid="12"), f"DOI:{FINE}"),
        (WorkIds(arxiv_id="hep-th/9901999"), "ARXIV:hep-th/9901999"),
        (WorkIds(pmid="12"), "PMID:12"),
    ],
)
def test_a_paper_is_asked_for_by_its_best_identifier(ids, name):
    assert name_of(ids) == name


async def test_a_cursor_of_another_kind_is_refused(index):
    with pytest.raises(InvalidInput):
        await index.list_citing(WorkIds(doi=FINE), limit=5, cursor="next")


@pytest.mark.parametrize(
    "answer", [{"total": 3, "offset": 0}, {"total": 3, "data": []}, {"data": []}, {"total": -1}]
)
async def test_a_search_without_its_hits_is_not_an_empty_result(index, internet, answer):
    internet.says(HOST, answer)

    with pytest.raises(BadAnswer):
        await index.search_works(WorkQuery(text="x", limit=5))


def contents(files, *words):
    named = [file for file in files if all(word in file.name for word in words)]
    return [json.loads(file.read_text(encoding="utf-8")) for file in named]


def test_recorded_searches_are_read(recorded):
    files = recorded("semanticscholar")
    [hits], [nothing] = contents(files, "fastpaper-semantic-search"), contents(files, "n0-r3sult")

    records, total = read_list(hits)

    assert [record.arxiv_id for record in records] == [None, "2406.10581", "2201.12987"]
    assert [record.citation_count for record in records] == [2865, 336, 280]
    assert total == 12143225
    assert read_list(nothing) == ((), 0)


def test_recorded_pages_of_citations_are_read_to_the_last(recorded):
    pages = contents(recorded("semanticscholar"), "corpusid-14514057-citations")

    read = [read_citations(page, "citingPaper") for page in pages]

    assert len(read) == 15
    assert sum(len(page.citations) for page in read) == 1481
    assert [page.next_cursor for page in read].count(None) == 1


def test_recorded_references_are_read(recorded):
    [page] = contents(recorded("semanticscholar"), "fastpaper-semantic-references")

    read = read_citations(page, "citedPaper")

    assert read.next_cursor == "3"
    assert [one.record.doi for one in read.citations][:1] == ["10.1103/physreva.87.032118"]


def test_recorded_batches_are_read(recorded):
    files = [file for file in recorded("semanticscholar") if file.name.startswith("graph")]
    [whole] = contents(files, "paper-batch-fields-abstract")

    records = read_batch(whole, len(whole))

    assert len(whole) == 4
    assert len(records) == len([one for one in whole if one])
    with pytest.raises(ValueError, match="papers requested"):
        read_batch(whole, 3)


def test_recorded_single_papers_have_counts(recorded):
    papers = [
        one
        for one in contents(recorded("semanticscholar"), "graph-v1-paper-doi")
        if "citationCount" in one
    ]

    records = [read_record(one) for one in papers]

    assert sorted(record.citation_count for record in records) == [0, 5, 7, 9, 111, 136, 500, 689]
