"""The simulated scholarly sites agree about every work, each in its own format."""

import pkgutil
import xml.etree.ElementTree as ET
from importlib import import_module
from urllib.parse import quote, urlencode

import pytest

from sourcewright.world import corpus, sites
from sourcewright.world.corpus import ids as numbering
from sourcewright.world.corpus.works import plain

WORKS = corpus.load().works
EMAIL = "email=reader@meridian.example"
ATOM = "{http://www.w3.org/2005/Atom}"
ARXIV = "{http://arxiv.org/schemas/atom}"


def crossref(visitor, doi):
    return visitor.ask("api.crossref.org", f"/works/{quote(doi, safe='')}")


def datacite(visitor, doi):
    return visitor.ask("api.datacite.org", f"/dois/{quote(doi, safe='')}")


def unpaywall(visitor, doi):
    return visitor.ask("api.unpaywall.org", f"/v2/{quote(doi)}?{EMAIL}")


def handle(visitor, doi):
    return visitor.ask("doi.org", f"/api/handles/{quote(doi)}")


def arxiv(visitor, **params):
    answer = visitor.ask("export.arxiv.org", f"/api/query?{urlencode(params)}")
    return answer.status, ET.fromstring(answer.text).findall(f"{ATOM}entry")


def names(authors):
    return [
        one.get("name") or f"{one.get('given', '')} {one['family']}".strip() for one in authors
    ]


def test_every_site_tells_the_same_story_about_every_crossref_work(visitor):
    for work in corpus.load().of_agency("crossref"):
        message = crossref(visitor, work.doi).json["message"]
        open_access = unpaywall(visitor, work.doi).json

        assert message["DOI"] == open_access["doi"] == work.key
        assert (message["title"] or [None])[0] == open_access["title"]
        assert message["issued"]["date-parts"][0][0] == open_access["year"] == work.year
        assert names(message.get("author", [])) == [
            one["raw_author_name"] for one in open_access["z_authors"] or []
        ]
        assert datacite(visitor, work.doi).status == 404


def test_every_site_tells_the_same_story_about_every_datacite_work(visitor):
    for work in corpus.load().of_agency("datacite"):
        attributes = datacite(visitor, work.doi).json["data"]["attributes"]

        assert attributes["doi"] == work.key
        assert attributes["publicationYear"] == work.year
        assert [plain(one["title"]) for one in attributes["titles"]] == [
            title for title in [work.plain_title] if title
        ]
        assert crossref(visitor, work.doi).status == 404
        assert unpaywall(visitor, work.doi).status == 404


def test_every_doi_of_any_agency_is_registered_and_leads_to_a_page(visitor):
    for work in WORKS:
        registered = handle(visitor, work.doi).json
        resolved = visitor.ask("doi.org", f"/{quote(work.doi)}")

        assert registered["responseCode"] == 1
        if work.handle_url:
            assert registered["values"][0]["data"]["value"] == work.landing
            assert (resolved.status, resolved.headers["Location"]) == (302, work.landing)


def test_a_doi_of_another_agency_is_known_to_the_doi_system_alone(visitor):
    doi = "10.99201/kakuu.2020.1"

    assert handle(visitor, doi).status == 200
    assert visitor.ask("doi.org", f"/ra/{doi}").json == [{"DOI": doi, "RA": "JaLC"}]
    assert (crossref(visitor, doi).status, datacite(visitor, doi).status) == (404, 404)


def test_each_source_says_in_its_own_way_that_a_doi_does_not_exist(visitor):
    doi = "10.5555/never-registered-2019"

    answers = [ask(visitor, doi) for ask in (crossref, datacite, unpaywall, handle)]

    assert [answer.status for answer in answers] == [404, 404, 404, 404]
    assert answers[0].body == b"Resource not found."
    assert answers[0].headers["Content-Type"] == "text/plain"
    assert answers[1].json["errors"][0]["status"] == "404"
    assert answers[2].json["error"] is True
    assert answers[3].json == {"responseCode": 100, "handle": doi}
    assert visitor.ask("doi.org", f"/{doi}").headers["Content-Type"].startswith("text/html")


@pytest.mark.parametrize(
    "path",
    [
        "/works/10.5555/Mixed.Case.ID-2015",
        "/works/10.5555%2Fmixed.case.id-2015",
        "/v1/works/10.5555%2FMIXED.CASE.ID-2015",
    ],
)
def test_crossref_takes_a_doi_in_any_case_and_encoding(visitor, path):
    answer = visitor.ask("api.crossref.org", path)

    assert answer.json["message"]["DOI"] == "10.5555/mixed.case.id-2015"


def test_a_retracted_paper_says_who_says_so(visitor):
    message = crossref(visitor, "10.5555/retracted-paper").json["message"]

    result = [(one["type"], one["source"], "record-id" in one) for one in message["updated-by"]]
    assert result == [
        ("retraction", "publisher", False),
        ("retraction", "retraction-watch", True),
    ]
    assert "update-to" not in message


def test_a_notice_says_what_it_is_about_and_is_not_itself_updated(visitor):
    message = crossref(visitor, "10.5555/retraction-notice").json["message"]

    assert {one["DOI"] for one in message["update-to"]} == {"10.5555/retracted-paper"}
    assert "updated-by" not in message


def test_the_updates_filter_finds_a_notice_that_the_record_omits(visitor):
    doi = "10.5555/unlisted-retraction"

    message = crossref(visitor, doi).json["message"]
    found = visitor.ask("api.crossref.org", f"/works?filter=updates:{doi}").json["message"]

    assert "updated-by" not in message
    assert [item["DOI"] for item in found["items"]] == ["10.5555/unlisted-retraction-notice"]
    assert found["total-results"] == 1


def test_an_undated_work_is_issued_at_null(visitor):
    message = crossref(visitor, "10.5555/no-year").json["message"]

    assert message["issued"] == {"date-parts": [[None]]}
    assert "published" not in message


def test_a_preprint_and_its_paper_are_related(visitor):
    preprint = crossref(visitor, "10.99005/opendrift.pair").json["message"]
    paper = crossref(visitor, "10.5555/published-pair").json["message"]

    assert preprint["relation"]["is-preprint-of"][0]["id"] == "10.5555/published-pair"
    assert paper["relation"]["has-preprint"][0]["id"] == "10.99005/opendrift.pair"
    assert (preprint["type"], preprint["subtype"]) == ("posted-content", "preprint")


def test_a_search_puts_the_work_with_that_title_first(visitor):
    outcome = urlencode({"query.bibliographic": "the acoustics of frozen lakes", "rows": 3})

    found = visitor.ask("api.crossref.org", f"/works?{outcome}").json["message"]

    assert found["items"][0]["DOI"] == "10.5555/closed-paper"
    assert len(found["items"]) == 3
    assert found["total-results"] > 3
    assert found["items"][0]["score"] > found["items"][1]["score"]


@pytest.mark.parametrize("query", ["rows=many", "rows=5000", "filter=colour:red"])
def test_crossref_refuses_a_question_it_does_not_understand(visitor, query):
    answer = visitor.ask("api.crossref.org", f"/works?{query}")

    assert (answer.status, answer.json["message-type"]) == (400, "validation-failure")


@pytest.mark.parametrize(
    ("doi", "agency"),
    [("10.5555/fine-paper", "crossref"), ("10.99101/harbour.dataset", "datacite")],
)
def test_crossref_knows_the_agency_of_any_doi(visitor, doi, agency):
    answer = visitor.ask("api.crossref.org", f"/works/{doi}/agency")

    assert answer.json["message"]["agency"]["id"] == agency


def test_datacite_searches_and_pages(visitor):
    outcome = urlencode({"query": "titles.title:tide-gauge", "page[size]": 2})

    found = visitor.ask("api.datacite.org", f"/dois?{outcome}").json

    assert found["data"][0]["id"] == "10.99101/harbour.dataset"
    assert found["meta"]["total"] >= 1
    assert visitor.ask("api.datacite.org", "/dois?page[size]=2").json["meta"]["totalPages"] > 10


@pytest.mark.parametrize("query", ["", "email=", "email=nobody", "email=test@example.com"])
def test_unpaywall_wants_an_address_of_ones_own(visitor, query):
    answer = visitor.ask("api.unpaywall.org", f"/v2/10.5555/fine-paper?{query}")

    assert (answer.status, answer.json["HTTP_status_code"]) == (422, 422)


def test_unpaywall_knows_an_open_copy_and_a_closed_door(visitor):
    fine = unpaywall(visitor, "10.5555/fine-paper").json
    closed = unpaywall(visitor, "10.5555/closed-paper").json

    assert (fine["oa_status"], fine["best_oa_location"]["license"]) == ("gold", "cc-by")
    assert (closed["is_oa"], closed["best_oa_location"], closed["oa_locations"]) == (
        False,
        None,
        [],
    )


def test_arxiv_gives_the_latest_version_unless_asked_for_another(visitor):
    _, (latest,) = arxiv(visitor, id_list="2401.99901")
    _, (first,) = arxiv(visitor, id_list="2401.99901v1")

    assert latest.findtext(f"{ATOM}id") == "http://arxiv.org/abs/2401.99901v3"
    assert first.findtext(f"{ATOM}id") == "http://arxiv.org/abs/2401.99901v1"
    assert latest.findtext(f"{ARXIV}doi") == "10.5555/arxiv-pair"
    assert first.findtext(f"{ATOM}published") == latest.findtext(f"{ATOM}published")


def test_arxiv_and_datacite_agree_on_every_manuscript(visitor):
    for work in WORKS:
        if work.manuscript:
            _, (entry,) = arxiv(visitor, id_list=work.manuscript.id)
            attributes = datacite(visitor, work.doi).json["data"]["attributes"]

            assert entry.findtext(f"{ATOM}title") == attributes["titles"][0]["title"]
            assert len(entry.findall(f"{ATOM}author")) == len(attributes["creators"])
            assert attributes["identifiers"][0]["identifier"] == work.manuscript.id


def test_arxiv_answers_an_unknown_identifier_with_an_empty_feed(visitor):
    assert arxiv(visitor, id_list="2401.00000") == (200, [])
    assert arxiv(visitor, id_list="2401.99901v9") == (200, [])


def test_arxiv_answers_a_malformed_identifier_with_an_entry_that_is_an_error(visitor):
    status, (entry,) = arxiv(visitor, id_list="abc")

    assert (status, entry.findtext(f"{ATOM}title")) == (400, "Error")


@pytest.mark.parametrize(
    ("search", "found"),
    [
        ('ti:"lattice model of lichen growth"', True),
        ("au:blanco AND ti:lichen", True),
        ("au:blanco ANDNOT ti:lichen", False),
        ("ti:unicorns OR au:meer", True),
    ],
)
def test_arxiv_searches_fields(visitor, search, found):
    _, entries = arxiv(visitor, search_query=search, max_results=100)

    ids = [entry.findtext(f"{ATOM}id") for entry in entries]
    assert ("http://arxiv.org/abs/2401.99901v3" in ids) is found


def test_the_handle_api_filters_and_knows_a_handle_without_an_address(visitor):
    outcome = "/api/handles/10.5555/handle-without-url"

    assert [one["type"] for one in visitor.ask("doi.org", outcome).json["values"]] == ["HS_ADMIN"]
    assert visitor.ask("doi.org", f"{outcome}?type=URL").json["responseCode"] == 200


def test_the_resolver_sends_plain_http_to_https(visitor):
    answer = visitor.ask(
        "doi.org", "/10.5555/fine-paper?a=1", headers={"X-Forwarded-Proto": "http"}
    )

    assert answer.status == 301
    assert answer.headers["Location"] == "https://doi.org/10.5555/fine-paper?a=1"


@pytest.mark.parametrize(
    ("doi", "entry"),
    [
        ("10.99202", {"RA": "mEDRA"}),
        ("10.5555/fine-paper", {"RA": "Crossref"}),
        ("10.48550", {"RA": "DataCite"}),
        ("10.5555/nobody", {"status": "DOI does not exist"}),
    ],
)
def test_the_doi_system_names_the_agency(visitor, doi, entry):
    assert visitor.ask("dx.doi.org", f"/ra/{doi}").json == [{"DOI": doi, **entry}]


@pytest.mark.parametrize(
    "name",
    [
        "doi:10.5555%2FFINE-paper",
        "https://doi.org/10.5555/fine-paper",
        "W{openalex}",
        "w{openalex}",
        "pmid:{pmid}",
        "pmcid:{pmcid}",
    ],
)
def test_openalex_knows_a_work_by_many_names(visitor, name):
    fine = corpus.load().by_doi("10.5555/fine-paper")
    numbers = {"openalex": numbering.openalex_id(fine)[1:], "pmid": numbering.pmid(fine)}
    path = f"/works/{name.format(**numbers, pmcid=numbering.pmcid(fine))}"

    assert visitor.ask("api.openalex.org", path).json["doi"].endswith(fine.key)


def test_openalex_sends_what_is_selected_and_knows_its_fields(visitor):
    path = "/works/doi:10.5555/fine-paper?select="

    kept = visitor.ask("api.openalex.org", f"{path}id,doi").json
    refused = visitor.ask("api.openalex.org", f"{path}id,colour")

    assert kept.keys() == {"id", "doi"}
    assert (refused.status, "colour" in refused.json["message"]) == (400, True)


def test_openalex_searches_titles_and_lists_dois(visitor):
    outcome = urlencode({"filter": "title.search:the acoustics of frozen lakes", "per-page": 2})

    found = visitor.ask("api.openalex.org", f"/works?{outcome}").json
    listed = visitor.ask(
        "api.openalex.org", "/works?filter=doi:10.5555/fine-paper|10.5555/closed-paper"
    ).json

    assert found["results"][0]["doi"] == "https://doi.org/10.5555/closed-paper"
    assert len(found["results"]) == 2
    assert listed["meta"]["count"] == 2


def test_semantic_scholar_has_one_record_for_a_preprint_and_its_paper(visitor):
    host, fields = "api.semanticscholar.org", "?fields=externalIds"
    names = ("DOI:10.5555/arxiv-pair", "DOI:10.48550/arXiv.2401.99901", "ARXIV:2401.99901v2")

    answer = [visitor.ask(host, f"/graph/v1/paper/{name}{fields}").json for name in names]

    assert answer[0] == answer[1] == answer[2]
    assert answer[0]["externalIds"]["ArXiv"] == "2401.99901"


def test_semantic_scholar_refuses_a_field_and_a_key_that_it_does_not_know(visitor):
    path = "/graph/v1/paper/DOI:10.5555/fine-paper"

    field = visitor.ask("api.semanticscholar.org", f"{path}?fields=colour")
    key = visitor.ask("api.semanticscholar.org", path, headers={"x-api-key": "wrong-key"})

    assert (field.status, field.json) == (
        400,
        {"error": "Unrecognized or unsupported fields: [colour]"},
    )
    assert (key.status, key.json) == (403, {"message": "Forbidden"})


def test_europepmc_answers_in_xml_unless_asked_otherwise(visitor):
    path = "/europepmc/webservices/rest/search?query=DOI:10.5555/fine-paper"

    plain_answer = visitor.ask("www.ebi.ac.uk", path)
    lite = visitor.ask("www.ebi.ac.uk", f"{path}&format=json").json["resultList"]["result"][0]

    assert ET.fromstring(plain_answer.text).findtext("hitCount") == "1"
    assert lite["journalTitle"] == "J Tidal Res"
    assert "fullTextUrlList" not in lite


def test_europepmc_renders_the_pdf_of_what_was_deposited(visitor):
    fine = corpus.load().by_doi("10.5555/fine-paper")
    path = f"/articles/{numbering.pmcid(fine)}"

    rendered = visitor.ask("europepmc.org", f"{path}?pdf=render")

    assert rendered.body.startswith(b"%PDF-")
    assert visitor.ask("europepmc.org", path).headers["Content-Type"].startswith("text/html")
    assert visitor.ask("europepmc.org", "/articles/PMC1?pdf=render").status == 404


def test_dropping_a_module_in_registers_its_hosts():
    modules = [
        import_module(found.name)
        for found in pkgutil.iter_modules(sites.__path__, f"{sites.__name__}.")
    ]

    registered = sites.discover()

    assert len(modules) >= 6
    for module in modules:
        assert {registered[host] for host in module.HOSTS} == {module.answer}
