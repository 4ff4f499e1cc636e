"""Holds the invented records against real ones: no field that the real service never sends."""

import json
import xml.etree.ElementTree as ET
from urllib.parse import quote

import pytest
from tests.material import SHARED

from sourcewright.world import corpus

UPSTREAM = SHARED / "upstream"

pytestmark = pytest.mark.skipif(
    not UPSTREAM.is_dir(), reason="the recorded answers are not on this machine"
)


def recorded(folder, *patterns):
    for pattern in patterns:
        for path in sorted((UPSTREAM / folder).glob(pattern)):
            yield json.loads(path.read_text(encoding="utf-8"))


def works(agency):
    return corpus.load().of_agency(agency)


def test_crossref_sends_no_field_that_the_real_one_does_not(visitor, shapes):
    singles = [one.get("message", one) for one in recorded("crossref", "works-10-*.json")]
    samples = [one["message"] for one in recorded("crossref", "prereview-*.json")]
    lists = [
        one["message"]["items"] for one in recorded("crossref", "*works-rows-30-cursor*.json")
    ]
    excerpt = next(recorded("crossref", "excerpt-updated-by-*.json"))
    real = shapes([*singles, *samples, *(item for items in lists for item in items), excerpt])

    invented = shapes(
        visitor.ask("api.crossref.org", f"/works/{quote(work.doi)}").json["message"]
        for work in works("crossref")
    )

    # The notices' sources and record numbers are printed alike on both ends of the relation.
    both_ends = {found.replace("update-to", "updated-by") for found in invented}
    assert both_ends - real == set()


def test_datacite_sends_no_field_that_the_real_one_does_not(visitor, shapes):
    real = shapes(one["data"] for one in recorded("datacite", "dois-10-*.json"))

    invented = shapes(
        visitor.ask("api.datacite.org", f"/dois/{quote(work.doi)}").json["data"]
        for work in works("datacite")
    )

    assert invented - real == set()


def test_unpaywall_sends_no_field_that_the_real_one_does_not(visitor, shapes):
    searches = recorded("unpaywall", "v2-search-*.json")
    found = [hit["response"] for search in searches for hit in search["results"]]
    real = shapes([*recorded("unpaywall", "v2-10-*.json"), *found])

    invented = shapes(
        visitor.ask("api.unpaywall.org", f"/v2/{quote(work.doi)}?email=a@b.example").json
        for work in works("crossref")
    )

    assert invented - real == set()


def test_arxiv_sends_no_element_that_the_real_one_does_not(visitor):
    files = sorted((UPSTREAM / "arxiv").glob("[iq]*.xml"))
    real = {element.tag for path in files for element in ET.parse(path).iter()}

    feeds = [
        visitor.ask("export.arxiv.org", f"/api/query?id_list={item}").text
        for item in ("2401.99901", "2402.99902", "hep-th/9901999", "abc")
    ]

    assert {element.tag for feed in feeds for element in ET.fromstring(feed).iter()} <= real


def test_openalex_sends_no_field_that_the_real_one_does_not(visitor, shapes):
    singles = recorded("openalex", "works-https-*.json", "prereview-*.json")
    lists = recorded("openalex", "works-filter-*.json", "works-sample-*.json", "fastpaper-*.json")
    real = shapes([*singles, *(one for found in lists for one in found["results"])])

    invented = shapes(
        visitor.ask("api.openalex.org", f"/works/doi:{quote(work.doi)}").json
        for work in (*works("crossref"), *works("datacite"))
    )

    words = {found for found in invented if found.startswith(".abstract_inverted_index.")}
    assert invented - words - real == {".ids.pmcid"}  # documented, and in no recording
    assert len(words) > 100


def test_semantic_scholar_sends_no_field_that_the_real_one_does_not(visitor, shapes):
    singles = recorded("semanticscholar", "graph-v1-paper-doi-*.json", "refchecker-*.json")
    batch = next(recorded("semanticscholar", "graph-v1-paper-batch-fields-abstract-*.json"))
    real = shapes([*singles, *batch])
    fields = (
        "externalIds,url,title,abstract,venue,publicationVenue,year,isOpenAccess,openAccessPdf,"
        "publicationTypes,publicationDate,journal,authors,citationCount"
    )

    invented = shapes(
        visitor.ask(
            "api.semanticscholar.org", f"/graph/v1/paper/DOI:{quote(work.doi)}?fields={fields}"
        ).json
        for work in (*works("crossref"), *works("datacite"))
    )

    assert invented - real == set()


def test_europepmc_sends_no_field_that_the_real_one_does_not(visitor, shapes):
    lists = recorded("europepmc", "fastpaper-*.json", "search-*.json")
    real = shapes([one for found in lists for one in found["resultList"]["result"]])

    answers = [
        visitor.ask(
            "www.ebi.ac.uk",
            "/europepmc/webservices/rest/search?format=json&resultType=core&query="
            + quote(f'DOI:"{work.doi}"'),
        ).json
        for work in works("crossref")
    ]

    invented = shapes(one for answer in answers for one in answer["resultList"]["result"])
    person = ".authorList.author[]"
    seldom = {f"{person}.collectiveName", f"{person}.authorId.type", f"{person}.authorId.value"}
    preprint, notice = ".bookOrReportDetails", ".commentCorrectionList.commentCorrection"
    seldom |= {preprint, f"{preprint}.publisher", f"{preprint}.yearOfPublication"}
    seldom |= {f"{notice}[].{name}" for name in ("id", "source", "reference", "type")}
    seldom |= {".commentCorrectionList", notice, f"{notice}[]", f"{person}.authorId"}
    assert invented - real <= seldom  # documented, and in no recording
    assert {answer["hitCount"] for answer in answers} == {0, 1}
