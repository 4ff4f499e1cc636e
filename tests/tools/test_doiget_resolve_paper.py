"""doiget_resolve_paper, through the whole pipeline, in a world with faults."""

import json

import pytest
from jsonschema import Draft202012Validator

from sourcewright.manifest import load as manifest
from sourcewright.tools.doiget_resolve_paper import doiget_resolve_paper
from sourcewright.world.corpus import load
from sourcewright.world.corpus.ids import pmcid, pmid
from sourcewright.world.sites import crossref

pytestmark = pytest.mark.anyio

CROSSREF = "api.crossref.org"
DATACITE = "api.datacite.org"
UNPAYWALL = "api.unpaywall.org"
DOI_ORG = "doi.org"
ARXIV = "export.arxiv.org"
NCBI = "eutils.ncbi.nlm.nih.gov"
ELSEVIER = "api.elsevier.com"
ELSEVIERS = "10.1016/j.invented.2018.01.001"
AGREED = {"DOIGET_KEY_ELSEVIER": "a-fine-key", "DOIGET_AGREE_TDM_ELSEVIER": "1"}
NOBODY_ELSE = {
    option["env"][0]: "0"
    for option in manifest()["options"]
    if option["name"] == "enabled" and option["provider"] not in {"ncbi", "datacite"}
}
"""Turns off whoever else could describe a paper, and all that will be added."""
DECIDERS = (CROSSREF, DATACITE, DOI_ORG)
ABSENT = "10.5555/never-registered-2019"
TOOL = "doiget_resolve_paper"
EUROPE_PMC = "www.ebi.ac.uk"
FINE, TITLE_OF_FINE = "10.5555/fine-paper", "Tidal mixing and the memory of estuaries"
WITHOUT_REPOSITORIES = {
    f"DOIGET_ENABLE_{name}": "0" for name in ("OPENAIRE", "HAL", "CORE", "BIORXIV", "DOAJ")
}


SCHEMA = Draft202012Validator(doiget_resolve_paper.listing()["outputSchema"])


def outcomes(result):
    attempts = result["attempts"] if result["ok"] else result["error"]["attempts"]
    not_due = (result if result["ok"] else result["error"]).get("not_due", {})
    return {name: reason for reason, names in not_due.items() for name in names} | {
        attempt["source"]: attempt["outcome"] for attempt in attempts
    }


@pytest.mark.promise("absence.needs-every-source")
async def test_a_doi_that_every_deciding_source_denies_does_not_exist(call):
    result = await call(TOOL, {"ref": ABSENT})

    assert result["ok"] is False
    assert result["ref"] == ABSENT
    assert result["error"]["code"] == "NOT_FOUND"
    assert result["error"]["disposition"] == "terminal"
    assert "does not exist" in result["error"]["message"]
    assert {outcomes(result)[name] for name in ("crossref", "datacite", "doi_org")} == {
        "consulted_no_record"
    }


@pytest.mark.promise("absence.one-failure-leaves-it-open")
@pytest.mark.parametrize("host", DECIDERS)
@pytest.mark.parametrize(
    ("status", "code"),
    [
        (401, "CAPABILITY_DENIED"),
        (403, "CAPABILITY_DENIED"),
        (429, "RATE_LIMITED"),
        (451, "CAPABILITY_DENIED"),
        (418, "NETWORK_ERROR"),
        (500, "NETWORK_ERROR"),
        (503, "NETWORK_ERROR"),
    ],
)
async def test_one_deciding_source_that_fails_makes_absence_uncheckable(
    call, internet, host, status, code
):
    internet.breaks(host, status=status)

    result = await call(TOOL, {"ref": ABSENT})

    assert result["error"]["code"] == code
    assert "could not be checked" in result["error"]["message"]
    assert "consulted_failed" in outcomes(result).values()


@pytest.mark.promise("absence.one-failure-leaves-it-open")
@pytest.mark.promise("absence.failure-is-no-absence")
@pytest.mark.parametrize("host", DECIDERS)
@pytest.mark.parametrize(
    "nonsense", [{}, [], None, "down for maintenance", {"error": "maintenance"}, b"<html>", b""]
)
async def test_a_deciding_source_that_talks_nonsense_makes_absence_uncheckable(
    call, internet, host, nonsense
):
    internet.says(host, nonsense)

    result = await call(TOOL, {"ref": ABSENT})

    assert result["error"]["code"] in ("NETWORK_ERROR", "INTERNAL_ERROR")
    assert "could not be checked" in result["error"]["message"]


@pytest.mark.parametrize("host", DECIDERS)
async def test_an_html_404_is_a_proxy_talking_not_absence(call, internet, host):
    internet.breaks(
        host, status=404, body=b"<!doctype html><h1>Not found</h1>", content_type="text/html"
    )

    result = await call(TOOL, {"ref": ABSENT})

    assert result["error"]["code"] == "NETWORK_ERROR"


@pytest.mark.promise("absence.one-failure-leaves-it-open")
@pytest.mark.parametrize("host", DECIDERS)
async def test_an_unplugged_deciding_source_makes_absence_uncheckable(call, internet, host):
    internet.unplugs(host)

    result = await call(TOOL, {"ref": ABSENT})

    assert result["error"]["code"] == "NETWORK_ERROR"
    assert result["error"]["disposition"] == "retry_after"


@pytest.mark.promise("absence.unasked-decides-nothing")
async def test_a_source_that_is_turned_off_does_not_decide(call, internet):
    result = await call(TOOL, {"ref": ABSENT}, DOIGET_ENABLE_DATACITE="0")

    assert result["error"]["code"] == "NOT_FOUND"
    assert outcomes(result)["datacite"] == "not_consulted_disabled"
    assert internet.requests_to(DATACITE) == []


async def test_the_longest_wait_asked_for_reaches_the_caller(call, internet):
    internet.breaks(CROSSREF, status=429, retry_after=120)

    result = await call(TOOL, {"ref": ABSENT})

    assert result["error"]["code"] == "RATE_LIMITED"
    assert result["error"]["retry_after_ms"] == 120_000


@pytest.mark.promise("evidence.every-source-is-named")
async def test_a_paper_comes_with_its_record_and_the_account_of_how_we_know(call):
    result = await call(TOOL, {"ref": "https://doi.org/10.5555/FINE-paper"})

    assert result["ok"] is True
    assert result["ref"] == "https://doi.org/10.5555/FINE-paper"
    assert result["id"] == "10.5555/fine-paper"
    assert (result["source"], result["resolver_profile"]) == ("crossref", "crossref")
    assert result["metadata"]["DOI"].lower() == "10.5555/fine-paper"
    assert result["metadata_omitted"] == {"indexed": 1, "link": 1, "reference": 2}
    assert not {"indexed", "link", "reference"} & result["metadata"].keys()
    assert result["work"]["title"]
    assert result["work"]["authors"]
    assert result["oa_url"].startswith("https://")
    assert result["integrity"].pop("checked_at").endswith("Z")
    assert result["integrity"] == {
        "status": "no_notice_found",
        "notices": [],
        "checked_by": ["crossref"],
    }
    assert outcomes(result)["crossref"] == "consulted_resolved"


@pytest.mark.promise("evidence.integrity-kinds-stay-distinct")
@pytest.mark.parametrize(
    ("ref", "status"),
    [
        ("10.5555/retracted-paper", "retracted"),
        ("10.5555/corrected-paper", "corrected"),
        ("10.5555/concern-paper", "expression_of_concern"),
        ("10.5555/partly-retracted-paper", "partially_retracted"),
        ("10.5555/withdrawn-paper", "withdrawn"),
        ("10.5555/unlisted-retraction", "retracted"),
        ("10.5555/retraction-notice", "no_notice_found"),
        ("10.5555/glacier-retraction", "no_notice_found"),
        ("10.5555/fine-paper", "no_notice_found"),
    ],
)
async def test_each_kind_of_notice_is_told_apart(call, ref, status):
    result = await call(TOOL, {"ref": ref})

    assert result["integrity"]["status"] == status


@pytest.mark.promise("evidence.words-prove-nothing")
async def test_a_notice_names_the_paper_that_it_is_about(call):
    result = await call(TOOL, {"ref": "10.5555/retraction-notice"})

    assert result["notice_for"] == ["10.5555/retracted-paper"]


async def test_a_retraction_that_could_not_be_looked_for_is_unchecked_not_clear(call, internet):
    internet.breaks(CROSSREF, status=503, path="/works")

    result = await call(TOOL, {"ref": "10.5555/fine-paper"})

    assert result["ok"] is True
    assert result["integrity"]["status"] == "unchecked"


async def test_a_dataset_is_found_at_its_own_agency(call):
    result = await call(TOOL, {"ref": "10.99101/harbour.dataset"})

    assert (result["source"], result["provider"]) == ("datacite", "datacite")
    assert outcomes(result)["datacite"] == "consulted_resolved"


async def test_a_doi_of_an_agency_that_nobody_here_covers_exists(call):
    result = await call(TOOL, {"ref": "10.99201/kakuu.2020.1"})

    assert result["ok"] is True
    assert (result["source"], result["provider"]) == ("doi_org", "doi_org")
    assert result["metadata"]["url"].startswith("http")


async def test_a_registered_doi_whose_record_cannot_be_read_is_not_absent(call, internet):
    for host in set(internet.hosts) - {DOI_ORG}:
        internet.breaks(host, status=503)

    result = await call(TOOL, {"ref": "10.5555/fine-paper"})

    assert result["error"]["code"] == "NETWORK_ERROR"
    assert "is registered, but its record could not be read" in result["error"]["message"]


async def test_another_description_stands_in_and_says_whose_it_is(call, internet):
    internet.breaks(CROSSREF, status=503)

    result = await call(TOOL, {"ref": "10.5555/fine-paper"})

    assert result["source"] == "unpaywall"
    assert result["integrity"]["status"] == "unchecked"
    assert outcomes(result)["crossref"] == "consulted_failed"


async def test_a_catalogue_stands_in_where_no_agency_could_answer(call, internet):
    internet.breaks(CROSSREF, status=503)
    internet.breaks(UNPAYWALL, status=503)
    internet.breaks(EUROPE_PMC, status=503)

    result = await call(TOOL, {"ref": FINE}, **WITHOUT_REPOSITORIES)

    assert (result["source"], result["work"]["title"]) == ("openalex", TITLE_OF_FINE)
    assert result["integrity"]["status"] == "unchecked"
    assert outcomes(result)["europe-pmc"] == "consulted_failed"
    assert outcomes(result)["semantic_scholar"] == "consulted_resolved"


@pytest.mark.parametrize(
    ("ref", "requests"), [(ABSENT, 4), ("10.99201/kakuu.2020.1", 5), ("10.5555/fine-paper", 3)]
)
async def test_where_every_agency_has_answered_no_catalogue_is_asked(
    call, internet, ref, requests
):
    await call(TOOL, {"ref": ref})

    assert {seen.host for seen in internet.seen} <= {CROSSREF, UNPAYWALL, DATACITE, DOI_ORG}
    assert len(internet.seen) == requests


@pytest.mark.promise("absence.one-failure-leaves-it-open")
async def test_catalogues_that_know_nothing_do_not_speak_for_an_agency(call, internet):
    internet.breaks(CROSSREF, status=503)

    result = await call(TOOL, {"ref": "10.99201/kakuu.2020.1"}, **WITHOUT_REPOSITORIES)

    catalogues = ("europe-pmc", "openalex", "semantic_scholar")
    assert {outcomes(result)[name] for name in catalogues} == {"consulted_no_record"}
    assert result["error"]["code"] == "NETWORK_ERROR"
    assert "is registered, but its record could not be read" in result["error"]["message"]


async def test_no_catalogue_is_asked_about_a_doi_that_is_not_registered(call, internet):
    internet.breaks(CROSSREF, status=503)

    result = await call(TOOL, {"ref": ABSENT})

    assert "could not be checked" in result["error"]["message"]
    assert {seen.host for seen in internet.seen} <= {CROSSREF, UNPAYWALL, DATACITE, DOI_ORG}


async def test_no_catalogue_is_asked_where_nobody_answers_at_all(call, internet):
    for host in (CROSSREF, UNPAYWALL, DATACITE, DOI_ORG):
        internet.unplugs(host)

    await call(TOOL, {"ref": FINE})

    assert {seen.host for seen in internet.seen} == {CROSSREF, UNPAYWALL, DATACITE, DOI_ORG}


async def test_a_closed_paper_says_closed_and_an_unasked_one_says_nothing(call, internet):
    closed = await call(TOOL, {"ref": "10.5555/closed-paper"})
    internet.breaks(UNPAYWALL, status=503)
    metadata_only = await call(TOOL, {"ref": "10.5555/closed-paper"})

    assert (closed["oa_status"], closed["oa_url"]) == ("closed", None)
    assert (metadata_only["oa_status"], metadata_only["oa_url"]) == (None, None)


async def test_unpaywall_is_not_asked_without_an_address(call, internet):
    result = await call(TOOL, {"ref": "10.5555/fine-paper"}, CONTACT_EMAIL="")

    unpaywall = next(a for a in result["attempts"] if a["source"] == "unpaywall")
    assert unpaywall["outcome"] == "not_consulted_disabled"
    assert "UNPAYWALL_EMAIL" in unpaywall["required_env"]
    assert internet.requests_to(UNPAYWALL) == []


@pytest.mark.parametrize("ref", ["2401.99901", "arXiv:2401.99901v2", "hep-th/9901999"])
async def test_an_arxiv_id_resolves_at_arxiv(call, ref):
    result = await call(TOOL, {"ref": ref})

    assert (result["source"], result["license"]) == ("arxiv", "arxiv-default")
    assert result["work"]["arxiv_id"]


@pytest.mark.parametrize(
    ("ref", "status"), [("2401.99901", "no_notice_found"), ("2401.99901v1", "unchecked")]
)
async def test_an_older_version_does_not_say_whether_the_paper_was_withdrawn(call, ref, status):
    result = await call(TOOL, {"ref": ref})

    assert result["integrity"]["status"] == status


async def test_an_arxiv_id_that_arxiv_does_not_know_does_not_exist(call):
    result = await call(TOOL, {"ref": "2401.00001"})

    assert result["error"]["code"] == "NOT_FOUND"


async def test_an_arxiv_that_does_not_answer_leaves_the_id_unchecked(call, internet):
    internet.unplugs(ARXIV)

    result = await call(TOOL, {"ref": "2401.00001"})

    assert result["error"]["code"] == "NETWORK_ERROR"
    assert "could not be checked" in result["error"]["message"]


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        None,
        [],
        "10.5555/fine-paper",
        {"ref": 7},
        {"ref": None},
        {"ref": ""},
        {"ref": "not a reference"},
        {"ref": "10.5555/fine-paper", "dry_run": True},
        {"ref": "10.5555/fine-paper", "unknown": 1},
        {"ref": "x" * 100_000},
    ],
)
async def test_bad_arguments_are_invalid_refs_and_ask_nobody(call, internet, arguments):
    result = await call(TOOL, arguments)

    assert result["ok"] is False
    assert result["error"]["code"] == "INVALID_REF"
    assert result["error"]["message"]
    assert internet.seen == []


@pytest.mark.parametrize(
    ("number", "spelling"),
    [
        (pmid, "PMID: {}"),
        (pmid, "https://pubmed.ncbi.nlm.nih.gov/{}/"),
        (pmcid, "{}"),
        (pmcid, "https://pmc.ncbi.nlm.nih.gov/articles/{}/"),
    ],
)
async def test_a_pubmed_id_resolves_through_its_doi(call, internet, number, spelling):
    ref = spelling.format(number(load().by_doi("10.5555/fine-paper")))

    result = await call(TOOL, {"ref": ref})

    assert result["ok"] is True
    assert (result["ref"], result["id"]) == (ref, "10.5555/fine-paper")
    assert result["source"] == "crossref"
    assert result["attempts"][0]["source"] == "ncbi"
    assert "10.5555/fine-paper" in result["attempts"][0]["detail"]
    assert len(internet.requests_to(NCBI)) == 1


@pytest.mark.parametrize(
    ("ref", "catalogue"), [("pmid:99999999", "PubMed"), ("PMC99999999", "PubMed Central")]
)
async def test_a_number_that_pubmed_does_not_have_does_not_exist(call, internet, ref, catalogue):
    result = await call(TOOL, {"ref": ref})

    assert (result["ref"], result["error"]["code"]) == (ref, "NOT_FOUND")
    assert f"{catalogue} has no such record" in result["error"]["message"]
    assert outcomes(result) == {"ncbi": "consulted_no_record"}
    assert {seen.host for seen in internet.seen} == {NCBI}


@pytest.mark.promise("absence.failure-is-no-absence")
@pytest.mark.parametrize(
    ("status", "code"),
    [
        (403, "CAPABILITY_DENIED"),
        (429, "RATE_LIMITED"),
        (404, "NETWORK_ERROR"),
        (503, "NETWORK_ERROR"),
    ],
)
async def test_a_pubmed_that_fails_leaves_its_numbers_unchecked(call, internet, status, code):
    internet.breaks(NCBI, status=status)

    result = await call(TOOL, {"ref": "pmid:99999999"})

    assert result["error"]["code"] == code
    assert "could not be checked" in result["error"]["message"]
    assert outcomes(result) == {"ncbi": "consulted_failed"}


@pytest.mark.parametrize("ref", ["pmid:1000001", "PMC1000001"])
async def test_a_record_of_pubmed_without_a_doi_is_told_from_no_record(call, ref):
    result = await call(TOOL, {"ref": ref})

    assert result["error"]["code"] == "NOT_IMPLEMENTED"
    assert "has no DOI" in result["error"]["message"]


async def test_pubmed_ids_need_the_source_that_knows_them(call, internet):
    result = await call(TOOL, {"ref": "pmid:99999999"}, DOIGET_ENABLE_NCBI="0")

    assert result["error"]["code"] == "CAPABILITY_DENIED"
    assert internet.seen == []


async def test_a_pubmed_id_whose_doi_cannot_be_read_says_who_named_the_doi(call, internet):
    for host in (CROSSREF, UNPAYWALL, DATACITE):
        internet.breaks(host, status=503)
    number = pmid(load().by_doi("10.5555/fine-paper"))

    result = await call(TOOL, {"ref": f"pmid:{number}"}, **NOBODY_ELSE)

    assert result["error"]["code"] == "NETWORK_ERROR"
    assert outcomes(result)["ncbi"] == "consulted_resolved"
    assert outcomes(result)["crossref"] == "consulted_failed"


async def test_every_step_from_a_pubmed_id_leaves_its_row(call, tmp_path):
    log = tmp_path / "steps.jsonl"
    number = pmid(load().by_doi("10.5555/fine-paper"))

    await call(TOOL, {"ref": f"pmid:{number}"}, DOIGET_LOG_PATH=str(log))

    rows = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
    queries = [(row["ref"], row["source"]) for row in rows if row["event"] == "resolve"]
    assert queries[0] == (f"pmid:{number}", "ncbi")
    assert ("10.5555/fine-paper", "crossref") in queries
    assert {row["ref"] for row in rows if row["event"].startswith("session")} == {f"pmid:{number}"}


async def test_a_publisher_is_asked_about_its_own_papers_when_crossref_fails(call, internet):
    internet.breaks(CROSSREF, status=503)
    internet.breaks(UNPAYWALL, status=503)

    result = await call(TOOL, {"ref": ELSEVIERS}, **AGREED, **NOBODY_ELSE)

    assert (result["ok"], result["source"]) == (True, "tdm-elsevier")
    assert result["work"]["title"] == "Ice bells: a licensed account"
    assert outcomes(result)["tdm-elsevier"] == "consulted_resolved"


async def test_another_publishers_paper_is_never_sent_to_it(call, internet):
    result = await call(TOOL, {"ref": ABSENT}, **AGREED)

    assert outcomes(result)["tdm-elsevier"] == "not_consulted_wrong_publisher"
    assert internet.requests_to(ELSEVIER) == []


async def test_a_publisher_without_its_key_says_what_it_needs(call):
    result = await call(TOOL, {"ref": ELSEVIERS})

    made = {one["source"]: one for one in result["attempts"]}
    assert made["tdm-elsevier"]["outcome"] == "not_consulted_disabled"
    assert made["tdm-elsevier"]["required_env"] == [
        "DOIGET_KEY_ELSEVIER",
        "DOIGET_AGREE_TDM_ELSEVIER",
    ]
    assert "tdm-aps" in result["not_due"]["not_consulted_wrong_publisher"]
    assert "tdm-aps" not in made


async def test_every_highlight_of_the_world_is_answered_as_the_schema_says(application):
    app = await application()

    for _label, ref, _expected in load().highlights():
        result = (await app.call(TOOL, {"ref": ref})).structured

        assert [e.message for e in SCHEMA.iter_errors(result)] == [], ref


@pytest.mark.parametrize(
    ("ref", "found", "used"),
    [
        ("10.5555/ends-in-a-point.", "10.5555/ends-in-a-point.", "as_written"),
        (
            "https://doi.org/10.5555/S0140(98)ends-in-a-bracket)",
            "10.5555/s0140(98)ends-in-a-bracket)",
            "as_written",
        ),
        ("10.5555/fine-paper.", "10.5555/fine-paper", "cleaned"),
        ("10.5555/fine-paper),", "10.5555/fine-paper", "cleaned"),
    ],
)
async def test_punctuation_after_a_doi_is_tried_as_a_part_of_it_first(call, ref, found, used):
    resolved = await call(TOOL, {"ref": ref})
    kept = await call("doiget_metadata_only", {"ref": ref})
    batch = await call("doiget_batch_fetch", {"refs": [ref]})
    answer = await call("paper_metadata", {"identifier": ref}, CONTACT_EMAIL="reader@uni.edu")

    for result in (resolved, kept, batch["results"][0]):
        assert (result["id"], result["ref_used"]) == (found, used)
    assert answer["doi"] == found


async def test_a_doi_without_punctuation_has_one_reading(call):
    assert "ref_used" not in await call(TOOL, {"ref": FINE})


async def test_absence_with_punctuation_needs_both_readings_denied_by_every_decider(
    call, internet
):
    denied = await call(TOOL, {"ref": f"{ABSENT}."})
    internet.breaks(DATACITE, status=500, path=f"/dois/{ABSENT}.")
    unchecked = await call(TOOL, {"ref": f"{ABSENT}."})

    assert denied["error"]["code"] == "NOT_FOUND"
    queries = [a for a in denied["error"]["attempts"] if a["outcome"] == "consulted_no_record"]
    assert len([a for a in queries if a["source"] in {"crossref", "datacite", "doi_org"}]) == 6
    assert unchecked["error"]["code"] == "NETWORK_ERROR"


@pytest.mark.parametrize(
    "ending",
    [
        *("/full", "/pdf", "/abstract", "/meta", "/html", "/epdf", ".pdf", ".full.pdf", "/full)."),
        *("#section-2", "?via=ihub", ";jsessionid=A1.b2", "&utm_source=x", "/suppl_file/si_1.pdf"),
        *("v2", ".s001", "/", "pmid:123", "[CrossRef]"),
    ],
)
async def test_a_doi_with_the_end_of_a_link_is_found_once_the_whole_is_denied(call, ending):
    ref = f"10.5555/fine-paper{ending}"
    resolved = await call(TOOL, {"ref": ref})
    kept = await call("doiget_metadata_only", {"ref": ref})
    batch = await call("doiget_batch_fetch", {"refs": [ref, FINE]})
    answer = await call("paper_metadata", {"identifier": ref}, CONTACT_EMAIL="reader@uni.edu")

    for result in (resolved, kept, batch["results"][0]):
        assert (result["ref"], result["id"], result["ref_used"]) == (ref, FINE, "shortened")
    assert batch["results"][0]["path"] == batch["results"][1]["path"]
    assert answer["doi"] == FINE
    denials = [a for a in resolved["attempts"] if a["outcome"] == "consulted_no_record"]
    assert {"crossref", "datacite", "doi_org"} <= {a["source"] for a in denials}


@pytest.mark.promise("absence.needs-every-source")
@pytest.mark.parametrize("host", DECIDERS)
async def test_a_doi_that_one_decider_did_not_deny_is_never_shortened(call, internet, host):
    internet.breaks(host, status=500, path="*full")

    result = await call(TOOL, {"ref": f"{FINE}/full"}, **NOBODY_ELSE)

    assert result["ok"] is False
    assert result["error"]["code"] == "NETWORK_ERROR"


async def test_absence_of_a_doi_needs_the_absence_of_the_shorter_one(call, internet):
    denied = await call(TOOL, {"ref": f"{ABSENT}/full"})
    internet.breaks(DATACITE, status=500, path=f"/dois/{ABSENT}")
    unchecked = await call(TOOL, {"ref": f"{ABSENT}/full"})

    assert denied["error"]["code"] == "NOT_FOUND"
    assert unchecked["error"]["code"] == "NETWORK_ERROR"


async def test_a_registered_doi_that_ends_like_a_link_is_taken_as_it_is(call, internet):
    page = {"format": "string", "value": "https://lakes.example/full"}
    values = [{"index": 1, "type": "URL", "data": page}]
    handle = {"responseCode": 1, "handle": f"{FINE}/full", "values": values}
    internet.says(DOI_ORG, handle, path=f"/api/handles/{FINE}/full")

    result = await call(TOOL, {"ref": f"{FINE}/full"})

    assert (result["id"], result["provider"]) == (f"{FINE}/full", "doi_org")
    assert "ref_used" not in result


@pytest.mark.parametrize("ref", ["2401.1234", "arXiv:2413.12345", "9999.99999", "10.5555/..."])
async def test_what_the_published_pattern_allows_is_asked_for(call, ref):
    assert (await call(TOOL, {"ref": ref}))["error"]["code"] == "NOT_FOUND"


ALIAS, PRIME = "10.5555/fine-paper.early", "10.5555/fine-paper"


def alias_answers(internet, *aliases):
    """Crossref redirects an alias to the record of the DOI that replaced it."""
    record = crossref.record(internet.corpus.by_doi(PRIME), internet.corpus)
    internet.redirects(CROSSREF, f"https://{CROSSREF}/works/{PRIME}", path=f"/works/{ALIAS}")
    internet.says(
        CROSSREF,
        {"status": "ok", "message-type": "work", "message": {**record, "aliases": aliases}},
        path=f"/works/{PRIME}",
    )


async def test_a_doi_that_another_one_replaced_is_resolved_to_that_one(call, internet):
    alias_answers(internet, ALIAS.upper())

    result = await call(TOOL, {"ref": ALIAS})

    assert result["ok"] is True
    assert result["metadata"]["DOI"] == PRIME
    [detail] = [one["detail"] for one in result["attempts"] if one["source"] == "crossref"][:1]
    assert detail == f"{ALIAS} is an alias of {PRIME}"


async def test_a_record_that_calls_itself_an_alias_is_read_once(call, internet):
    alias_answers(internet, PRIME)

    result = await call(TOOL, {"ref": PRIME})

    assert result["ok"] is True
    assert len(internet.requests_to(CROSSREF)) <= 2  # the record, and notices


@pytest.mark.promise("evidence.the-work-asked-for")
async def test_a_record_of_another_doi_is_not_taken_for_the_one_asked_for(call, internet):
    alias_answers(internet, "10.5555/somebody-else")

    result = await call(TOOL, {"ref": ALIAS})

    assert result["ok"] is False
    assert result["error"]["code"] == "INTERNAL_ERROR"
    assert outcomes(result)["crossref"] == "consulted_failed"
    assert TITLE_OF_FINE not in json.dumps(result)


async def test_without_a_cache_the_record_is_whole(call):
    result = await call(TOOL, {"ref": "10.5555/fine-paper"}, SOURCEWRIGHT_CACHE="0")

    assert len(result["metadata"]["reference"]) == 2
    assert not {"metadata_omitted", "metadata_resource"} & result.keys()
