"""OpenAlex as a scholarly index: searches, batches and citations, in the simulated world and recorded."""

import json

import pytest

from sourcewright.base.errors import BadAnswer, InvalidInput, NotFound
from sourcewright.domain.papers.scholar import WorkIds, WorkQuery
from sourcewright.providers.openalex.requests import name_of, search_params
from sourcewright.providers.openalex.works import RETRACTED, read_list, read_record
from sourcewright.world.corpus.ids import openalex_id

pytestmark = pytest.mark.anyio

HOST = "api.openalex.org"
FINE = "10.5555/fine-paper"


@pytest.fixture
async def index(provide):
    return await provide("openalex", role="scholar")


async def test_a_work_is_found_by_its_title_with_all_that_is_known_of_it(index, internet):
    written = internet.corpus.by_doi(FINE)

    results = await index.search_works(WorkQuery(text=written.plain_title, limit=3))

    [best, *_] = results.records
    assert (best.source, best.index_id, best.doi) == ("openalex", openalex_id(written), FINE)
    assert best.pmid.isdecimal()
    assert best.pmcid.startswith("PMC")
    assert best.open_access is True
    assert best.copies[0].is_pdf
    assert isinstance(best.citation_count, int)
    assert best.notices is None
    assert results.ignored == ()
    assert results.total >= 3


async def test_filters_hold_for_every_hit_and_the_latest_comes_first(index):
    query = WorkQuery(
        text="the of a", limit=50, year_from=2005, year_to=2012, open_access=True, sort_by="date"
    )

    records = (await index.search_works(query)).records

    dates = [record.published for record in records]
    assert len(records) > 3
    assert all(2005 <= record.year <= 2012 and record.open_access for record in records)
    assert dates == sorted(dates, reverse=True)


async def test_a_source_narrows_the_search(index):
    records = (
        await index.search_works(WorkQuery(text="the of a", limit=50, source="arxiv"))
    ).records

    assert records
    assert all(record.doi.startswith("10.48550/") or record.preprints for record in records)


async def test_works_of_a_distant_future_never_come_first():
    params = search_params(WorkQuery(text="x", limit=5, sort_by="date"), this_year=2026)

    assert params["filter"] == "to_publication_date:2027-12-31"
    assert params["sort"] == "publication_date:desc"


async def test_a_flag_of_retraction_is_told_as_what_openalex_says(index):
    described = await index.describe_works(("10.5555/retracted-paper", FINE))

    [notice] = described["10.5555/retracted-paper"].notices
    assert (notice.kind, notice.source, notice.label) == ("retraction", "openalex", RETRACTED)
    assert described[FINE].notices is None


async def test_a_batch_is_one_request_and_leaves_out_what_is_unknown(index, internet):
    dois = tuple(work.key for work in internet.corpus.of_agency("crossref")[:49])

    described = await index.describe_works((*dois, "10.5555/nobody"))

    assert described.keys() == set(dois)
    assert len(internet.seen) == 1


async def test_a_doi_that_a_list_of_dois_cannot_carry_is_not_asked_for(index, internet):
    assert await index.describe_works(("10.5555/a,b", "10.5555/a|b")) == {}
    assert not internet.seen


async def test_all_pages_together_are_all_works_that_cite_a_work(index, internet):
    seed = max(internet.corpus.works, key=lambda work: len(internet.corpus.cited_by(work)))
    found, cursor = [], None

    while True:
        page = await index.list_citing(WorkIds(doi=seed.key), limit=3, cursor=cursor)
        found += [one.record.doi for one in page.citations]
        cursor = page.next_cursor
        if cursor is None:
            break

    assert sorted(found) == sorted(work.key for work in internet.corpus.cited_by(seed))
    assert page.total == len(found) > 3


async def test_references_keep_their_order_and_what_is_gone_is_left_out(index, internet):
    seed = internet.corpus.by_doi("10.5555/about-retractions")
    first = await index.list_cited(WorkIds(doi=seed.key), limit=25)
    rest = await index.list_cited(WorkIds(doi=seed.key), limit=25, cursor=first.next_cursor)

    found = [one.record.doi for page in (first, rest) for one in page.citations]
    assert found == [work.key for work in internet.corpus.cites(seed)]
    assert (first.total, first.next_cursor, rest.next_cursor) == (30, "25", None)


@pytest.mark.parametrize(
    ("ids", "name"),
    [
        (WorkIds(index_id="W1", doi=FINE), "W1"),
        (WorkIds(doi=FINE, pmid="12"), f"doi:{FINE}"),
        (WorkIds(arxiv_id="2401.00001"), "doi:10.48550/arxiv.2401.00001"),
        (WorkIds(pmid="12"), "pmid:12"),
    ],
)
def test_a_work_is_asked_for_by_its_best_identifier(ids, name):
    assert name_of(ids) == name


def test_a_work_without_an_identifier_is_not_there():
    with pytest.raises(NotFound):
        name_of(WorkIds())


async def test_a_cursor_of_another_kind_is_refused_before_a_page_is_asked_for(index):
    with pytest.raises(InvalidInput):
        await index.list_cited(WorkIds(doi=FINE), limit=5, cursor="-1")


async def test_a_query_without_words_is_no_question(index, internet):
    with pytest.raises(InvalidInput):
        await index.search_works(WorkQuery(text="?? ()", limit=5))
    assert not internet.seen


async def test_hits_that_are_announced_and_not_sent_are_not_an_empty_result(index, internet):
    internet.says(HOST, {"meta": {"count": 7}, "results": []})

    with pytest.raises(BadAnswer):
        await index.search_works(WorkQuery(text="x", limit=5))


def test_every_recorded_list_and_work_is_read_as_records(recorded):
    answers = [json.loads(file.read_text(encoding="utf-8")) for file in recorded("openalex")]
    lists = [answer for answer in answers if isinstance(answer, dict) and "results" in answer]
    works = [one for answer in answers if isinstance(answer, list) for one in answer]
    works += [one for answer in lists for one in answer["results"]]
    works += [one for one in answers if isinstance(one, dict) and "authorships" in one]

    records = [read_record(one) for one in works]

    assert [len(read_list(answer)[0]) for answer in lists] == [3, 1, 1, 1, 5]
    assert len(records) == 65
    assert all(record.index_id and record.url for record in records)
    assert sum(record.title is not None for record in records) == 64
    assert sum(record.citation_count is not None for record in records) == 39
    assert sum(record.pmid is not None for record in records) == 11
    assert sum(record.open_access is True for record in records) == 40
    assert sum(bool(record.copies) for record in records) == 40
