"""The simulated sites that list open copies: their answers have no invented field."""

import json
from urllib.parse import quote, urlencode

import pytest
from tests.material import SHARED

from sourcewright.world import corpus
from sourcewright.world.lucene import NotUnderstood, any_of

UPSTREAM = SHARED / "upstream"
DOAJ, CORE, HAL = "doaj.org", "api.core.ac.uk", "api.archives-ouvertes.fr"
OPENAIRE, BIORXIV = "api.openaire.eu", "api.biorxiv.org"
FINE = "10.5555/fine-paper"

needs_recordings = pytest.mark.skipif(
    not UPSTREAM.is_dir(), reason="the recorded answers are not on this machine"
)


def doaj(visitor, query, **more):
    outcome = f"/api/search/articles/{quote(query, safe='')}?{urlencode(more)}"
    return visitor.ask(DOAJ, outcome)


def core(visitor, query, key="Bearer k"):
    headers = {} if key is None else {"Authorization": key}
    return visitor.ask(CORE, f"/v3/search/works/?{urlencode({'q': query})}", headers=headers)


def hal(visitor, query, **more):
    return visitor.ask(HAL, f"/search/?{urlencode({'q': query, **more})}")


def openaire(visitor, pid):
    return visitor.ask(OPENAIRE, f"/graph/v3/research-products?{urlencode({'pid': pid})}")


def test_doaj_knows_articles_of_open_journals_alone(visitor):
    found = doaj(visitor, f'doi:"{FINE}"').json
    closed = doaj(visitor, 'doi:"10.5555/closed-paper"').json

    assert (found["total"], found["results"][0]["bibjson"]["year"]) == (1, "2019")
    assert (closed["total"], closed["results"]) == (0, [])


def test_doaj_minds_the_case_only_in_the_exact_field(visitor):
    loud = FINE.upper()

    assert doaj(visitor, f'bibjson.identifier.id:"{loud}"').json["total"] >= 1
    assert doaj(visitor, f'doi:"{loud}"').json["total"] == 0


@pytest.mark.parametrize(
    "query", ['doi:"10.5555/a*"', 'doi:"a~1"', 'doi:"a?"', "doi:", "colour:red"]
)
def test_doaj_refuses_what_it_does_not_allow(visitor, query):
    answer = doaj(visitor, query)

    assert (answer.status, answer.json["status"]) == (400, "bad_request")


def test_doaj_gives_no_more_than_a_page(visitor):
    found = doaj(visitor, 'bibjson.identifier.id:"10.5555"', pageSize=5).json

    assert len(found["results"]) == 5
    assert found["total"] > 5


def test_core_leads_to_the_address_with_its_last_slash(visitor):
    answer = visitor.ask(CORE, "/v3/search/works?q=x")

    assert (answer.status, answer.headers["Location"]) == (
        301,
        f"https://{CORE}/v3/search/works/?q=x",
    )


@pytest.mark.parametrize(("key", "status"), [(None, 429), ("Bearer k", 200), ("k", 401)])
def test_core_takes_a_key_as_a_bearer(visitor, key, status):
    assert core(visitor, f'doi:"{FINE}"', key).status == status


def test_hal_sends_the_fields_that_were_asked_for(visitor):
    query = 'doiId_s:"10.5555/only-in-hal"'

    [doc] = hal(visitor, query, fl="fileMain_s,openAccess_bool,arxivId_s").json["response"]["docs"]

    assert doc == {
        "openAccess_bool": True,
        "fileMain_s": "https://hal.science/hal-09990001/document",
    }
    assert hal(visitor, 'colour_s:"red"').status == 400


def test_openaire_reads_operators_unless_they_are_quoted(visitor):
    sici = "10.99006/(SICI)2999-0080(199905/06)7:3<101::AID-OLD42>3.0.CO;2-X"

    assert openaire(visitor, sici).status == 400
    assert openaire(visitor, f'"{sici}"').json["header"]["numFound"] == 1
    assert openaire(visitor, "10.5555/nobody").json["results"] == []


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("details/biorxiv/10.1101/999002", "ok"),
        ("details/medrxiv/10.1101/999002", "no posts found"),
        ("details/biorxiv/10.5555/fine-paper/na/json", "no posts found"),
        ("pubs/biorxiv/10.5555/only-in-biorxiv/na/json", "ok"),
        ("pubs/biorxiv/10.1101/2021.02.30.999001/na/json", "ok"),
        ("pubs/medrxiv/10.5555/only-in-biorxiv/na/json", "no articles found"),
    ],
)
def test_the_preprint_servers_say_what_they_have(visitor, path, status):
    answer = visitor.ask(BIORXIV, f"/{path}").json

    assert answer["messages"][0]["status"] == status
    assert bool(answer["collection"]) is (status == "ok")


@pytest.mark.parametrize(
    ("host", "path"),
    [
        ("hal.science", "/hal-09990001/document"),
        ("core.ac.uk", "/download/999000001.pdf"),
        ("journals.plos.org", "/deposited/only-in-openaire.pdf"),
        ("www.biorxiv.org", "/content/10.1101/2021.02.30.999001v1.full.pdf"),
        ("www.medrxiv.org", "/content/10.64898/2024.13.01.99000001v1.full.pdf"),
    ],
)
def test_what_only_one_archive_knows_is_really_there(visitor, host, path):
    answer = visitor.ask(host, path)

    assert (answer.status, answer.body[:5]) == (200, b"%PDF-")


def test_no_agency_knows_of_what_only_one_archive_knows(visitor):
    for work in corpus.load().works:
        if work.known_to:
            text = visitor.ask("api.crossref.org", f"/works/{quote(work.doi)}").text

            assert not work.locations
            assert all(value not in text for _, value in work.known_to)


@pytest.mark.parametrize("query", ["", "a", 'a:"b', 'a:"b" AND c:"d"', 'a:"b"c', 'a:"b" OR '])
def test_a_query_of_another_kind_is_not_understood(query):
    with pytest.raises(NotUnderstood):
        any_of(query)


def recorded(name):
    return json.loads((UPSTREAM / name).read_text(encoding="utf-8"))


@needs_recordings
def test_no_site_sends_a_field_that_the_real_one_does_not(visitor, shapes):
    articles = [
        "doaj/fastpaper-doaj-search.json",
        "doaj/api-v2-search-articles-license-cc-by-page-1-pagesize-10.json",
        "doaj/api-v2-search-articles-pinus-contorta-page-1-pagesize-30-sort-year-des.json",
    ]
    preprints = [f"other_scholar/fastpaper-{name}-search.json" for name in ("biorxiv", "medrxiv")]

    invented_article = doaj(visitor, f'doi:"{FINE}"').json
    invented_paper = core(visitor, f'doi:"{FINE}"').json
    invented_preprint = visitor.ask(BIORXIV, "/details/biorxiv/10.1101/999002").json

    assert shapes([invented_article]) <= shapes(map(recorded, articles))
    assert shapes([invented_paper]) <= shapes([recorded("core/fastpaper-core-search.json")])
    assert shapes([invented_preprint]) <= shapes(map(recorded, preprints))
