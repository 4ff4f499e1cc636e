"""Lists of scholarly indexes in which anything may have any type: read sensibly, or refused."""

import json
from urllib.parse import urlencode

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sourcewright.base.errors import Refused
from sourcewright.base.works import WorkRecord
from sourcewright.domain.papers.scholar import CitationPage
from sourcewright.domain.scholar import europe_pmc
from sourcewright.providers import core, doaj, opencitations
from sourcewright.providers.crossref import works as crossref
from sourcewright.providers.datacite import works as datacite
from sourcewright.providers.exa import papers as exa
from sourcewright.providers.hal import deposits
from sourcewright.providers.openalex import works as openalex
from sourcewright.providers.semantic_scholar import papers
from sourcewright.world import corpus
from sourcewright.world.messages import Request
from sourcewright.world.sites import discover

UNREADABLE = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, Refused)
FINE = "10.5555/fine-paper"
S2_FIELDS = "externalIds,title,abstract,year,authors,openAccessPdf,tldr,citationCount,journal"

REQUESTS = {
    "openalex": ("api.openalex.org", "/works", {"search": "the", "per-page": "1"}),
    "crossref": ("api.crossref.org", "/works", {"query": "the", "rows": "1"}),
    "semantic_scholar": (
        "api.semanticscholar.org",
        "/graph/v1/paper/search",
        {"query": "the", "limit": "1", "fields": S2_FIELDS},
    ),
    "citations": (
        "api.semanticscholar.org",
        f"/graph/v1/paper/DOI:{FINE}/citations",
        {"limit": "1", "fields": f"intents,isInfluential,{S2_FIELDS.replace('tldr,', '')}"},
    ),
    "references": ("api.crossref.org", f"/works/{FINE}", {}),
    "europepmc": (
        "www.ebi.ac.uk",
        "/europepmc/webservices/rest/search",
        {"query": "the", "resultType": "core", "format": "json", "pageSize": "1"},
    ),
    "datacite": ("api.datacite.org", "/dois", {"query": "the", "page[size]": "1"}),
    "doaj": ("doaj.org", "/api/search/articles/the", {"pageSize": "1"}),
    "core": ("api.core.ac.uk", "/v3/search/works/", {"q": "the", "limit": "1"}),
    "edges": ("api.opencitations.net", f"/index/v2/citations/doi:{FINE}", {}),
    "metadata": ("api.opencitations.net", f"/meta/v1/metadata/doi:{FINE}", {}),
}
READERS = {
    "openalex": openalex.read_list,
    "crossref": crossref.read_list,
    "semantic_scholar": papers.read_list,
    "citations": lambda answer: papers.read_citations(answer, "citingPaper"),
    "references": lambda answer: crossref.read_references(answer, FINE),
    "europepmc": lambda answer: europe_pmc.read_list(answer, "europepmc"),
    "datacite": datacite.read_list,
    "doaj": doaj.read_list,
    "core": core.read_list,
    "hal": deposits.read_list,
    "exa": exa.read_papers,
    "edges": lambda answer: opencitations.read_edges(answer, "citing"),
    "metadata": opencitations.read_metadata,
}
WRITTEN = {
    "hal": {
        "response": {
            "numFound": 1,
            "docs": [
                {
                    "halId_s": "hal-1",
                    "uri_s": "https://hal.science/hal-1",
                    "title_s": ["T"],
                    "authFullName_s": ["A B"],
                    "doiId_s": "10.5555/x",
                    "arxivId_s": "2401.00001",
                    "publicationDateY_i": 2020,
                    "openAccess_bool": True,
                    "fileMain_s": "https://hal.science/hal-1/document",
                }
            ],
        }
    },
    "exa": {
        "results": [
            {
                "url": "https://arxiv.org/abs/2401.00001",
                "title": "T",
                "author": "A B, C D",
                "publishedDate": "2024-01-02T00:00:00.000Z",
            }
        ]
    },
}


def sample(name):
    """One answer with one entry, as the simulated site sends it."""
    if name in WRITTEN:
        return WRITTEN[name]
    host, path, params = REQUESTS[name]
    headers = {"authorization": "Bearer k"} if name == "core" else {}
    request = Request(host=host, path=path, query=urlencode(params), headers=headers)
    return json.loads(discover()[host](request, corpus.load()).body)


SAMPLES = {name: sample(name) for name in READERS}


def records_in(read):
    if isinstance(read, CitationPage):
        return [one.record for one in read.citations]
    entries = read[0] if read and isinstance(read[0], tuple) else read
    return [one for one in entries if isinstance(one, WorkRecord)]


@pytest.mark.parametrize("name", READERS)
def test_the_untouched_sample_is_read(name):
    assert READERS[name](SAMPLES[name])


@pytest.mark.parametrize("name", READERS)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_a_changed_answer_is_read_or_refused(spoilt, name, data):
    changed = spoilt(SAMPLES[name], data)

    try:
        read = READERS[name](changed)
    except UNREADABLE:
        return
    for record in records_in(read):
        assert isinstance(record.title, str | None)
        assert isinstance(record.year, int | None)
        assert isinstance(record.citation_count, int | None)
        assert record.doi is None or record.doi.startswith("10.")
        assert record.pmid is None or isinstance(record.pmid, str)
        assert all(isinstance(author.name, str) for author in record.authors)


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("openalex", ("meta", "count")),
        ("crossref", ("message", "total-results")),
        ("semantic_scholar", ("total",)),
        ("europepmc", ("hitCount",)),
        ("datacite", ("meta", "total")),
        ("doaj", ("total",)),
        ("core", ("totalHits",)),
        ("hal", ("response", "numFound")),
    ],
)
def test_a_list_without_its_count_is_refused(with_change, name, path):
    for nothing in (None, "", "x", -1, [], {}, True):
        with pytest.raises(UNREADABLE):
            READERS[name](with_change(SAMPLES[name], path, nothing))
