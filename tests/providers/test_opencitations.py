"""OpenCitations, against the simulated site and with unusual answers."""

import pytest

from sourcewright.base.errors import InvalidInput, NotFound
from sourcewright.domain.papers.scholar import WorkIds
from sourcewright.providers.opencitations import name_of, read_edges, read_ids, read_record

pytestmark = pytest.mark.anyio

FINE = "10.5555/fine-paper"


@pytest.fixture
async def source(provide):
    return await provide("opencitations")


async def test_opencitations_pages_a_list_that_has_no_pages(source, internet):
    corpus = internet.corpus
    seed = max(
        corpus.of_agency("crossref"),
        key=lambda work: len([one for one in corpus.cited_by(work) if one.agency == "crossref"]),
    )
    found, cursor = [], None

    while True:
        page = await source.list_citing(WorkIds(doi=seed.key), limit=3, cursor=cursor)
        found += [one.record for one in page.citations]
        cursor = page.next_cursor
        if cursor is None:
            break

    expected = [one for one in corpus.cited_by(seed) if one.agency == "crossref"]
    assert [record.doi for record in found] == [one.key for one in expected]
    assert page.total == len(found) > 3
    assert all(record.title and record.index_id for record in found)
    assert all(record.venue and "[" not in record.venue for record in found)
    named = {one.name for record in found for one in record.authors}
    assert named
    assert not any("[" in name for name in named)


async def test_opencitations_lists_references_by_doi_or_pmid(source, internet):
    written = internet.corpus.by_doi(FINE)

    by_doi = await source.list_cited(WorkIds(doi=FINE), limit=10)

    assert [one.record.doi for one in by_doi.citations] == [
        one.key for one in internet.corpus.cites(written)
    ]
    with pytest.raises(NotFound):
        await source.list_cited(WorkIds(index_id="omid:br/1"), limit=10)
    with pytest.raises(InvalidInput):
        await source.list_cited(WorkIds(doi=FINE), limit=10, cursor="first")


async def test_a_work_without_metadata_keeps_its_identifiers(source, internet):
    edge = {"citing": "omid:br/061 doi:10.1/x", "cited": f"omid:br/062 doi:{FINE}"}
    internet.says("api.opencitations.net", [edge], path="/index/*")
    internet.says("api.opencitations.net", [], path="/meta/*")

    page = await source.list_citing(WorkIds(doi=FINE), limit=5)

    [record] = [one.record for one in page.citations]
    assert (record.doi, record.index_id, record.title) == (None, "br/061", None)


async def test_metadata_without_a_doi_describes_no_other_work(source, internet):
    edges = [
        {"citing": "omid:br/061 doi:10.5555/x", "cited": f"omid:br/062 doi:{FINE}"},
        {"citing": "omid:br/063", "cited": f"omid:br/062 doi:{FINE}"},
    ]
    internet.says("api.opencitations.net", edges, path="/index/*")
    entry = {"id": "omid:br/069", "title": "Another work", "author": ""}
    internet.says("api.opencitations.net", [entry], path="/meta/*")

    page = await source.list_citing(WorkIds(doi=FINE), limit=10)

    assert [one.record.title for one in page.citations] == [None, None]
    assert [one.record.index_id for one in page.citations] == ["br/061", "br/063"]


def test_identifiers_are_told_apart_by_their_schemes():
    assert read_ids("omid:br/061 doi:10.1234/A:b pmid:3 openalex:W1 odd") == {
        "omid": "br/061",
        "doi": "10.1234/a:b",
        "pmid": "3",
        "openalex": "W1",
    }


def test_a_work_that_two_edges_name_is_one_work():
    edges = [{"citing": "omid:br/1 doi:10.1234/a"}, {"citing": "doi:10.1234/A omid:br/1"}]

    assert len(read_edges(edges, "citing")) == 1


def test_identifiers_in_brackets_are_not_part_of_a_name():
    record = read_record(
        {
            "id": "doi:10.1234/a omid:br/1",
            "title": "T",
            "author": "Peroni, Silvio [orcid:0000-0003-0530-4305 omid:ra/0614]; A Group [omid:ra/1]",
            "pub_date": "2020-02",
            "venue": "Quantitative Science Studies [issn:2641-3337 omid:br/0650]",
            "type": "journal article",
        }
    )

    assert [one.name for one in record.authors] == ["Silvio Peroni", "A Group"]
    assert (record.venue, record.year) == ("Quantitative Science Studies", 2020)
    assert (record.published, record.type) == ("2020-02", "journal-article")


@pytest.mark.parametrize(
    ("ids", "name"),
    [
        (WorkIds(doi=FINE, pmid="1"), f"doi:{FINE}"),
        (WorkIds(arxiv_id="2401.00001"), "doi:10.48550/arxiv.2401.00001"),
        (WorkIds(pmid="1"), "pmid:1"),
    ],
)
def test_a_work_is_asked_for_by_its_best_identifier(ids, name):
    assert name_of(ids) == name
