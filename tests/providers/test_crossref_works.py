"""Crossref as a scholarly index: searches, batches and references, simulated and recorded."""

import json

import pytest

from sourcewright.base.errors import BadAnswer, InvalidInput, NotFound
from sourcewright.domain.papers.scholar import WorkIds, WorkQuery
from sourcewright.providers.crossref import search_params
from sourcewright.providers.crossref.works import read_list, read_record, read_references

pytestmark = pytest.mark.anyio

HOST = "api.crossref.org"
FINE = "10.5555/fine-paper"
HUB = "10.5555/about-retractions"


@pytest.fixture
async def index(provide):
    return await provide("crossref", role="scholar")


async def test_a_work_is_found_by_its_title(index, internet):
    written = internet.corpus.by_doi(FINE)

    results = await index.search_works(WorkQuery(text=written.plain_title, limit=3))

    best = results.records[0]
    assert (best.source, best.doi, best.year) == ("crossref", FINE, written.year)
    assert isinstance(best.citation_count, int)
    assert best.open_access is None
    assert best.url.startswith("https://")


async def test_years_and_order_hold_and_other_filters_are_named(index):
    query = WorkQuery(
        text="the of a",
        limit=50,
        year_from=2005,
        year_to=2012,
        sort_by="date",
        open_access=True,
        source="pubmed",
    )

    results = await index.search_works(query)

    years = [record.year for record in results.records]
    assert results.ignored == ("source", "open_access")
    assert len(years) > 3
    assert all(2005 <= year <= 2012 for year in years)
    assert years == sorted(years, reverse=True)


@pytest.mark.parametrize(
    ("source", "filter_"),
    [("ieee", "prefix:10.1109"), ("nature", "prefix:10.1038"), ("springer", "member:297")],
)
def test_a_source_that_is_a_publisher_is_a_filter(source, filter_):
    query = WorkQuery(text="x", limit=5, source=source)

    assert search_params(query, this_year=2026)["filter"] == filter_


async def test_a_batch_tells_every_notice_and_says_where_there_is_none(index, internet):
    dois = ("10.5555/retracted-paper", "10.5555/unlisted-retraction", FINE, "10.5555/nobody")

    described = await index.describe_works(dois)

    assert described.keys() == set(dois[:3])
    assert [notice.kind for notice in described[dois[0]].notices][:1] == ["retraction"]
    assert [notice.doi for notice in described[dois[1]].notices] == [
        "10.5555/unlisted-retraction-notice"
    ]
    assert described[FINE].notices == ()
    assert len(internet.seen) == 2


async def test_a_notice_that_both_ends_tell_is_told_once(index):
    described = await index.describe_works(("10.5555/retracted-paper",))

    notices = described["10.5555/retracted-paper"].notices
    result = [(notice.kind, notice.doi, notice.asserted_by) for notice in notices]
    assert len(result) == len(set(result))


async def test_notices_that_were_not_all_sent_are_not_none(index, internet):
    internet.says(
        HOST,
        {
            "status": "ok",
            "message-type": "work-list",
            "message": {"total-results": 2, "items": [{"DOI": FINE, "title": ["T"]}]},
        },
    )

    [record] = (await index.describe_works((FINE,))).values()

    assert record.notices is None


async def test_references_are_paged_and_those_with_a_doi_are_described(index, internet):
    first = await index.list_cited(WorkIds(doi=HUB), limit=25)
    rest = await index.list_cited(WorkIds(doi=HUB), limit=25, cursor=first.next_cursor)

    assert (first.total, first.next_cursor, rest.next_cursor) == (30, "25", None)
    records = [one.record for page in (first, rest) for one in page.citations]
    assert len(records) == 30
    assert all(record.title or record.doi for record in records)
    described = [record for record in records if record.citation_count is not None]
    assert {record.doi for record in described} <= {
        work.key for work in internet.corpus.cites(internet.corpus.by_doi(HUB))
    }
    assert len(described) > 10


async def test_a_reference_that_was_only_typed_keeps_its_words(index):
    page = await index.list_cited(WorkIds(doi=HUB), limit=25)

    typed = [one.record for one in page.citations if one.record.doi is None]
    assert typed
    assert all(record.title and record.authors_truncated for record in typed)


async def test_a_work_is_known_by_its_doi_alone(index):
    with pytest.raises(NotFound):
        await index.list_cited(WorkIds(arxiv_id="2401.00001"), limit=5)
    with pytest.raises(NotFound):
        await index.list_cited(WorkIds(doi="10.5555/nobody"), limit=5)


async def test_a_cursor_of_another_kind_is_refused(index):
    with pytest.raises(InvalidInput):
        await index.list_cited(WorkIds(doi=FINE), limit=5, cursor="x")


async def test_hits_that_are_announced_and_not_sent_are_not_an_empty_result(index, internet):
    message = {"total-results": 3, "items": []}
    internet.says(HOST, {"status": "ok", "message-type": "work-list", "message": message})

    with pytest.raises(BadAnswer):
        await index.search_works(WorkQuery(text="x", limit=5))


def answers_in(files):
    for file in files:
        if file.suffix == ".json":
            yield file, json.loads(file.read_text(encoding="utf-8-sig"))


def test_every_recorded_list_is_read_as_records(recorded):
    lists = [
        (file, answer)
        for file, answer in answers_in(recorded("crossref"))
        if isinstance(answer, dict) and answer.get("message-type") == "work-list"
    ]
    full = [(file, answer) for file, answer in lists if answer["message"]["items"]]

    records = [record for _, answer in full for record in read_list(answer)[0]]

    assert (len(lists), len(full), len(records)) == (27, 26, 187)
    assert all(record.doi and record.url for record in records)
    assert sum(record.citation_count is not None for record in records) == 184
    [(_, empty)] = [one for one in lists if one not in full]
    with pytest.raises(ValueError, match="none sent"):
        read_list(empty)


def test_recorded_hits_of_a_client_are_read(recorded):
    hits = [
        one
        for _, found in answers_in(recorded("crossref"))
        if isinstance(found, list)
        for one in found
    ]

    assert len(hits) == 30
    assert all(read_record(one).title for one in hits)


def test_the_references_of_every_recorded_work_are_read(recorded):
    works = [
        answer
        for _, answer in answers_in(recorded("crossref"))
        if isinstance(answer, dict)
        and answer.get("message-type") == "work"
        and answer["message"].get("reference")
    ]

    references = [one for work in works for one in read_references(work, work["message"]["DOI"])]

    assert len(references) == 3608
    assert sum(bool(one.doi) for one in references) == 3052
    assert sum(bool(one.title) for one in references) == 1753
