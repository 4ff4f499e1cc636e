"""Records in which anything may have any type: read sensibly, or refused, never a crash."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sourcewright.base.formats import json_values
from sourcewright.base.works import Registration, Work
from sourcewright.providers import (
    arxiv,
    biorxiv,
    core,
    crossref,
    datacite,
    doaj,
    doi_org,
    europepmc,
    hal,
    openaire,
    openalex,
    semantic_scholar,
    tdm_elsevier,
    tdm_springer,
    unpaywall,
)

UNREADABLE = (LookupError, TypeError, ValueError, AttributeError)

SAMPLES = {
    "crossref": {
        "DOI": "10.5555/x",
        "title": ["T"],
        "author": [{"given": "A", "family": "B", "ORCID": "0000-0001-2345-6789"}],
        "issued": {"date-parts": [[2020, 1, 2]]},
        "container-title": ["J"],
        "ISSN": ["1234-5678"],
        "abstract": "<jats:p>x</jats:p>",
        "license": [{"content-version": "vor", "URL": "https://a.example"}],
        "resource": {"primary": {"URL": "https://a.example"}},
        "relation": {"has-preprint": [{"id-type": "doi", "id": "10.5555/y"}]},
        "institution": [{"name": "I"}],
        "updated-by": [
            {"DOI": "10.5555/n", "type": "retraction", "updated": {"date-parts": [[2021]]}}
        ],
        "update-to": [{"DOI": "10.5555/m", "type": "correction"}],
    },
    "datacite": {
        "type": "dois",
        "attributes": {
            "doi": "10.5555/x",
            "titles": [{"title": "T", "titleType": None}],
            "creators": [{"name": "B, A", "nameType": "Personal", "nameIdentifiers": [{}]}],
            "publicationYear": 2020,
            "publisher": {"name": "P"},
            "types": {"resourceTypeGeneral": "Preprint"},
            "container": {"title": "C", "identifierType": "ISSN", "identifier": "1234-5678"},
            "dates": [{"dateType": "Issued", "date": "2020"}],
            "rightsList": [{"rightsUri": "https://a.example"}],
            "descriptions": [{"descriptionType": "Abstract", "description": "x"}],
            "relatedIdentifiers": [
                {"relationType": "IsVersionOf", "relatedIdentifier": "10.1234/y"}
            ],
        },
    },
    "unpaywall": {
        "doi": "10.5555/x",
        "is_oa": True,
        "title": "T",
        "year": 2020,
        "z_authors": [{"raw_author_name": "A B"}],
        "journal_issns": "1234-5678",
        "best_oa_location": {"url": "https://a.example", "license": "cc-by"},
        "oa_locations": [{"url": "https://a.example"}],
    },
    "doi_org": {
        "responseCode": 1,
        "handle": "10.5555/x",
        "values": [{"type": "URL", "data": {"format": "string", "value": "https://a.example"}}],
    },
    "openalex": {
        "id": "https://openalex.org/W1",
        "doi": "https://doi.org/10.5555/x",
        "title": "T",
        "publication_year": 2020,
        "publication_date": "2020-01-02",
        "type": "article",
        "authorships": [{"author": {"display_name": "A B", "orcid": None}}],
        "biblio": {"volume": "1", "issue": None, "first_page": "1", "last_page": "9"},
        "primary_location": {"source": {"display_name": "J", "issn": ["1234-5678"]}},
        "best_oa_location": {"is_oa": True, "pdf_url": "https://a.example", "license": "cc-by"},
        "locations": [{"landing_page_url": "http://arxiv.org/abs/2401.00001", "source": {}}],
        "open_access": {"oa_status": "gold"},
        "abstract_inverted_index": {"word": [0]},
    },
    "semantic_scholar": {
        "paperId": "a1",
        "externalIds": {"DOI": "10.5555/x", "ArXiv": "2401.00001"},
        "title": "T",
        "abstract": "A",
        "year": 2020,
        "publicationDate": "2020-01-02",
        "publicationTypes": ["Review"],
        "publicationVenue": {"issn": "1234-5678"},
        "journal": {"name": "J", "volume": "1", "pages": "1 - 9"},
        "authors": [{"name": "A B"}],
        "openAccessPdf": {"url": "https://a.example", "status": "GOLD", "license": "CCBY"},
    },
    "europepmc": {
        "id": "1",
        "source": "MED",
        "doi": "10.5555/x",
        "title": "T.",
        "pubYear": "2020",
        "firstPublicationDate": "2020-01-02",
        "authorString": "B A.",
        "authorList": {"author": [{"fullName": "B A", "authorId": {"value": "x"}}]},
        "journalInfo": {"volume": "1", "journal": {"title": "J", "issn": "1234-5678"}},
        "pubTypeList": {"pubType": ["Review"]},
        "abstractText": "A",
        "fullTextUrlList": {
            "fullTextUrl": [
                {"availabilityCode": "F", "documentStyle": "pdf", "url": "https://a.example"}
            ]
        },
        "license": "cc by",
    },
    "arxiv": {
        "id": "http://arxiv.org/abs/2401.00001v1",
        "title": "T",
        "summary": "S",
        "published": "2024-01-01T00:00:00Z",
        "updated": "2024-01-01T00:00:00Z",
        "comment": "C",
        "journal_ref": "J",
        "doi": "10.5555/x",
        "authors": ["A"],
        "categories": ["c"],
        "links": [{"title": "pdf", "href": "https://arxiv.org/pdf/2401.00001v1"}],
    },
}
SAMPLES |= {
    "tdm_elsevier": {
        "prism:doi": "10.1016/x",
        "dc:title": "T",
        "dc:creator": [{"$": "B, A"}],
        "prism:coverDate": "2020-01-02",
        "prism:issn": "12345678",
        "dc:description": "x",
        "openaccessUserLicense": "http://creativecommons.org/licenses/by/4.0/",
        "link": [{"@rel": "scidir", "@href": "https://a.example"}],
    },
    "tdm_springer": {
        "doi": "10.1007/x",
        "title": "T",
        "creators": [{"creator": "B, A", "ORCID": "0000-0001-2345-6789"}],
        "publicationDate": "2020-01-02",
        "url": [{"value": "https://a.example"}],
        "issn": "1234-5678",
        "startingPage": "1",
        "abstract": {"h1": "Abstract", "p": ["x"]},
    },
    "doaj": {
        "last_updated": "2020-01-02T00:00:00Z",
        "bibjson": {
            "identifier": [{"type": "doi", "id": "10.5555/x"}],
            "title": "T",
            "year": "2020",
            "month": "7",
            "author": [{"name": "B, A", "orcid_id": "0000-0001-2345-6789"}],
            "journal": {"title": "J", "issns": ["1234-5678"], "license": [{"type": "CC BY"}]},
            "link": [{"type": "fulltext", "url": "https://a.example", "content_type": "PDF"}],
        },
    },
    "core": {
        "doi": "10.5555/x",
        "title": "T",
        "authors": [{"name": "B, A"}],
        "downloadUrl": "https://a.example/x.pdf",
        "yearPublished": 2020,
        "publishedDate": "2020-01-02T00:00:00",
        "publisher": "'P'",
        "journals": [{"title": "J", "identifiers": ["issn:1234-5678"]}],
        "links": [{"type": "display", "url": "https://a.example"}],
    },
    "hal": {
        "doiId_s": "10.5555/x",
        "title_s": ["T"],
        "uri_s": "https://a.example",
        "authFullName_s": ["A B"],
        "authFirstName_s": ["A"],
        "authLastName_s": ["B"],
        "publicationDateY_i": 2020,
        "licence_s": "https://a.example",
        "openAccess_bool": True,
        "fileMain_s": "https://a.example/document",
    },
    "openaire": {
        "pids": [{"scheme": "doi", "value": "10.5555/x"}],
        "mainTitle": "T",
        "type": "publication",
        "authors": [{"fullName": "B, A", "pid": {"id": {"scheme": "orcid", "value": "x"}}}],
        "publicationDate": "2020-01-02",
        "container": {"name": "J", "sp": "1", "ep": "2"},
        "descriptions": ["x"],
        "bestAccessRight": {"code": "c_abf2"},
        "instances": [{"urls": ["https://a.example"], "license": "CC BY"}],
    },
    "biorxiv": {
        "doi": "10.5555/x",
        "version": "1",
        "date": "2020-01-02",
        "title": "T",
        "authors": "B, A.; C, D.",
        "type": "new results",
        "server": "bioRxiv",
        "license": "cc_by",
        "category": "c",
        "published": "10.5555/y",
    },
}


def from_openalex(record):
    return openalex.read_work(json_values.require_record_about(record, "10.5555/x", record["doi"]))


def from_semantic_scholar(record):
    message = record["externalIds"]["DOI"]
    return semantic_scholar.read_work(
        json_values.require_record_about(record, "10.5555/x", message)
    )


def from_europepmc(record):
    answer = {"hitCount": 1, "resultList": {"result": [record]}}
    return europepmc.read_work(europepmc.record_of_doi(answer, "10.5555/x"))


READERS = {
    "openalex": from_openalex,
    "semantic_scholar": from_semantic_scholar,
    "europepmc": from_europepmc,
    "crossref": crossref.read_work,
    "datacite": datacite.read_work,
    "unpaywall": unpaywall.read_work,
    "doi_org": lambda record: doi_org.read_answer(record, "10.5555/x"),
    "arxiv": arxiv.read_work,
    "tdm_elsevier": tdm_elsevier.read_work,
    "tdm_springer": tdm_springer.read_work,
    # Lists with one hit, out of which the one that was asked for must be picked.
    "doaj": lambda hit: doaj.read_answer({"total": 1, "results": [hit]}, "10.5555/x")[0],
    "core": lambda hit: core.read_answer({"totalHits": 1, "results": [hit]}, "10.5555/x")[0],
    "hal": lambda hit: hal.read_answer({"response": {"numFound": 1, "docs": [hit]}}, "10.5555/x")[
        0
    ],
    "openaire": lambda hit: openaire.read_answer(
        {"header": {"numFound": 1}, "results": [hit]}, "10.5555/x"
    )[0],
    "biorxiv": lambda hit: biorxiv.read_versions((hit,), "10.5555/x")[0],
}


@pytest.mark.parametrize("name", SAMPLES)
def test_the_untouched_sample_is_read(name):
    assert READERS[name](SAMPLES[name])


@pytest.mark.parametrize("name", SAMPLES)
@given(data=st.data())
def test_a_changed_record_is_read_or_refused(spoilt, name, data):
    changed = spoilt(SAMPLES[name], data)

    try:
        read = READERS[name](changed)
    except UNREADABLE:
        return
    assert isinstance(read, Work | Registration)
    assert read.doi or read.arxiv_id


@pytest.mark.parametrize("name", SAMPLES)
def test_a_record_without_its_identity_is_refused(with_change, name):
    identity = {
        "semantic_scholar": ("externalIds", "DOI"),
        "datacite": ("attributes", "doi"),
        "crossref": ("DOI",),
        "doi_org": ("handle",),
        "tdm_elsevier": ("prism:doi",),
        "doaj": ("bibjson", "identifier", 0, "id"),
        "hal": ("doiId_s",),
        "openaire": ("pids", 0, "value"),
    }
    path = identity.get(name, ("id",) if name == "arxiv" else ("doi",))

    for nothing in (None, "", "x", 7, [], {}):
        with pytest.raises(UNREADABLE):
            READERS[name](with_change(SAMPLES[name], path, nothing))
