"""Searches of the scholarly indexes in the simulated world: what is found, and which filters hold."""

import re

import pytest

from sourcewright.base.errors import BadAnswer
from sourcewright.domain.papers.scholar import WorkQuery

pytestmark = pytest.mark.anyio

FINE = "10.5555/fine-paper"
KEYS = {"exa": {"EXA_API_KEY": "k"}}
NAMES = {"ncbi": "pubmed", "semantic_scholar": "semanticscholar"}
ALL = frozenset({"year_from", "year_to", "source", "open_access", "sort_by"})

SUPPORTED_FILTERS = {
    "openalex": ALL,
    "crossref": {"year_from", "year_to", "source", "sort_by"},
    "semantic_scholar": {"year_from", "year_to", "open_access"},
    "ncbi": {"year_from", "year_to", "open_access", "sort_by"},
    "arxiv": {"year_from", "year_to", "open_access", "sort_by"},
    "europepmc": {"year_from", "year_to", "open_access", "sort_by"},
    "dblp": set(),
    "datacite": {"year_from", "year_to", "sort_by"},
    "doaj": {"year_from", "year_to", "open_access", "sort_by"},
    "core": {"year_from", "year_to", "open_access", "sort_by"},
    "hal": {"year_from", "year_to", "open_access", "sort_by"},
    "biorxiv": {"year_from", "year_to", "open_access", "sort_by"},
    "exa": {"year_from", "year_to", "source"},
}
"""The filters that each index honours; the source here is a publisher, IEEE."""
# A title that each of them has.
KNOWN = {
    "openalex": FINE,
    "crossref": FINE,
    "semantic_scholar": FINE,
    "ncbi": FINE,
    "arxiv": "10.48550/arxiv.2401.99901",
    "europepmc": FINE,
    "dblp": "10.48550/arxiv.2401.99901",
    "datacite": "10.48550/arxiv.2401.99901",
    "doaj": "10.5555/fine-paper",
    "core": FINE,
    "hal": "10.5555/only-in-hal",
    "biorxiv": "10.1101/999002",
    "exa": FINE,
}


@pytest.fixture
def index(provide):
    async def build(name):
        return await provide(name, role="scholar", **KEYS.get(name, {}))

    return build


def words_of(title):
    return set(re.findall(r"\w+", title.lower()))


@pytest.mark.parametrize("name", KNOWN)
async def test_a_work_is_found_by_its_title(index, internet, name):
    written = internet.corpus.by_doi(KNOWN[name])

    results = await (await index(name)).search_works(WorkQuery(text=written.plain_title, limit=10))

    titles = [words_of(record.title) for record in results.records]
    assert words_of(written.plain_title) in titles[:2]
    assert {record.source for record in results.records} == {NAMES.get(name, name)}
    assert all(record.index_id and record.url for record in results.records)


@pytest.mark.parametrize("name", SUPPORTED_FILTERS)
async def test_filters_that_an_index_cannot_honour_are_named(index, name):
    query = WorkQuery(
        text="of",
        limit=5,
        year_from=1990,
        year_to=2026,
        source="ieee",
        open_access=True,
        sort_by="date",
    )

    results = await (await index(name)).search_works(query)

    assert set(results.ignored) == ALL - SUPPORTED_FILTERS[name]


@pytest.mark.parametrize(
    "name", [name for name in SUPPORTED_FILTERS if "year_from" in SUPPORTED_FILTERS[name]]
)
async def test_years_hold_for_every_hit(index, name):
    first, last = (2023, 2026) if name == "biorxiv" else (2000, 2014)
    source = await index(name)

    everything = await source.search_works(WorkQuery(text="of the a", limit=50))
    narrowed = await source.search_works(
        WorkQuery(text="of the a", limit=50, year_from=first, year_to=last)
    )

    years = [record.year for record in narrowed.records]
    assert all(first <= year <= last for year in years)
    expected = [one for one in everything.records if first <= (one.year or 0) <= last]
    assert len(years) >= len(expected)


@pytest.mark.parametrize(
    "name", [name for name in SUPPORTED_FILTERS if "sort_by" in SUPPORTED_FILTERS[name]]
)
async def test_the_latest_comes_first_where_that_is_asked_for(index, name):
    query = WorkQuery(text="of the a", limit=50, sort_by="date")

    records = (await (await index(name)).search_works(query)).records

    # Some tell only the year, and arXiv orders by the day of submission.
    years = [record.year for record in records if record.year]
    assert records
    assert years == sorted(years, reverse=True)


@pytest.mark.parametrize(
    "name", ["openalex", "semantic_scholar", "ncbi", "europepmc", "core", "hal"]
)
async def test_open_access_holds_for_every_hit(index, name):
    query = WorkQuery(text="of the a", limit=50, open_access=True)

    records = (await (await index(name)).search_works(query)).records

    assert records
    assert all(record.open_access for record in records)


@pytest.mark.parametrize("name", ["arxiv", "biorxiv", "doaj"])
async def test_where_all_is_open_every_record_says_so(index, name):
    records = (await (await index(name)).search_works(WorkQuery(text="of the", limit=20))).records

    assert records
    assert all(record.open_access for record in records)


@pytest.mark.parametrize("name", ["ncbi", "europepmc"])
async def test_notices_are_told_and_their_absence_too(index, internet, name):
    described = await (await index(name)).describe_works(
        ("10.5555/retracted-paper", FINE, "10.5555/nobody")
    )

    assert described.keys() == {"10.5555/retracted-paper", FINE}
    assert [one.kind for one in described["10.5555/retracted-paper"].notices][:1] == ["retraction"]
    assert described[FINE].notices == ()
    assert described[FINE].pmid.isdecimal()
    assert len(internet.seen) <= 2


@pytest.mark.parametrize("name", ["ncbi", "europepmc"])
async def test_a_doi_that_would_end_its_phrase_is_not_asked_for(index, internet, name):
    assert await (await index(name)).describe_works(('10.5555/a"b',)) == {}
    assert not internet.seen


async def test_pubmed_is_asked_twice_and_tells_abstracts(index, internet):
    written = internet.corpus.by_doi(FINE)

    results = await (await index("ncbi")).search_works(
        WorkQuery(text=written.plain_title, limit=5)
    )

    assert [seen.path.rpartition("/")[2] for seen in internet.seen] == [
        "esearch.fcgi",
        "efetch.fcgi",
    ]
    [fine] = [record for record in results.records if record.doi == FINE]
    assert fine.abstract
    assert "**" not in fine.abstract
    assert fine.pmcid.startswith("PMC")


async def test_records_that_were_found_and_not_sent_are_not_an_empty_result(index, internet):
    found = {"esearchresult": {"count": "2", "idlist": ["1", "2"]}}
    internet.says("eutils.ncbi.nlm.nih.gov", found, path="/entrez/eutils/esearch.fcgi")

    with pytest.raises(BadAnswer):
        await (await index("ncbi")).search_works(WorkQuery(text="x", limit=5))


@pytest.mark.parametrize(
    "body", [{"esearchresult": {"ERROR": "Search Backend failed"}}, {"error": "API key invalid"}]
)
async def test_an_error_of_pubmed_is_not_an_empty_result(index, internet, body):
    internet.says("eutils.ncbi.nlm.nih.gov", body)

    with pytest.raises(BadAnswer):
        await (await index("ncbi")).search_works(WorkQuery(text="x", limit=5))


async def test_preprints_of_biology_are_searched_where_they_are_indexed(index, internet):
    results = await (await index("biorxiv")).search_works(WorkQuery(text="of the", limit=10))

    assert {seen.host for seen in internet.seen} == {"www.ebi.ac.uk"}
    assert {record.type for record in results.records} == {"preprint"}
    assert {record.venue for record in results.records} <= {"bioRxiv", "medRxiv"}


async def test_arxiv_records_lead_to_their_published_version(index, internet):
    written = internet.corpus.by_doi("10.48550/arxiv.2401.99901")

    results = await (await index("arxiv")).search_works(
        WorkQuery(text=written.plain_title, limit=5)
    )

    best = next(one for one in results.records if one.arxiv_id == "2401.99901")
    assert best.published_as == ("10.5555/arxiv-pair",)
    assert (best.type, best.venue) == ("preprint", "arXiv")
    assert best.copies[0].is_pdf


async def test_a_page_of_exa_tells_its_identifier_by_its_address(index, internet):
    written = internet.corpus.by_doi("10.48550/arxiv.2401.99901")

    results = await (await index("exa")).search_works(
        WorkQuery(text=written.plain_title, limit=10, source="arxiv")
    )

    assert all(record.url.startswith("https://arxiv.org/") for record in results.records)
    assert "2401.99901" in {record.arxiv_id for record in results.records}
