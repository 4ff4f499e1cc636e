"""doiget_fetch_paper, through the whole pipeline, in a world with faults."""

import json
from pathlib import Path

import pytest

from sourcewright.stores.logs import provenance
from sourcewright.tools._answers.papers import KEPT

pytestmark = pytest.mark.anyio

TOOL = "doiget_fetch_paper"
CROSSREF = "api.crossref.org"
UNPAYWALL = "api.unpaywall.org"
PLOS = "journals.plos.org"
OPTIONAL = (
    "api.openalex.org",
    "api.semanticscholar.org",
    "doaj.org",
    "www.ebi.ac.uk",
    "api.core.ac.uk",
    "api.archives-ouvertes.fr",
    "api.openaire.eu",
    "api.biorxiv.org",
)


def pdfs(tmp_path):
    return sorted(path.name for path in (tmp_path / "papers").glob("*.pdf"))


@pytest.mark.promise("file.is-the-paper-asked-for")
async def test_an_open_paper_lands_with_its_record_and_a_checked_file(call, tmp_path):
    result = await call(TOOL, {"ref": "doi:10.5555/FINE-paper"})

    assert result["ok"] is True
    assert result["ref"] == "doi:10.5555/FINE-paper"
    assert (result["source"], result["license"]) == ("oa-publisher", "cc-by")
    assert result["pdf"]["status"] == "fetched"
    assert result["pdf"]["file_check"] == "confirmed"
    assert result["pdf"]["evidence"]
    assert Path(result["path"]) == tmp_path / "papers" / "doi_10.5555_fine-paper.pdf"
    assert (tmp_path / "papers" / "doi_10.5555_fine-paper.pdf").stat().st_size == result[
        "size_bytes"
    ]
    assert (tmp_path / "papers" / ".metadata" / "doi_10.5555_fine-paper.toml").is_file()


@pytest.mark.promise("file.is-the-paper-asked-for")
async def test_a_wrong_paper_is_never_kept_under_the_name(call, tmp_path):
    result = await call(TOOL, {"ref": "10.5555/wrong-file"})

    assert result["ok"] is True
    assert result["pdf"]["status"] == "blocked"
    assert pdfs(tmp_path) == []
    assert any("not this paper" in (a["detail"] or "") for a in result["attempts"])


async def test_a_web_page_in_place_of_a_pdf_is_blocked_with_its_first_bytes(call, tmp_path):
    result = await call(TOOL, {"ref": "10.5555/html-file"})

    assert result["pdf"]["status"] == "blocked"
    assert result["pdf"]["denial_context"]["reason"] == "content_type_mismatch"
    assert result["pdf"]["denial_context"]["expected"] == ["%PDF-"]
    assert pdfs(tmp_path) == []


async def test_a_redirect_to_a_private_address_is_denied_at_its_hop(call, tmp_path):
    result = await call(TOOL, {"ref": "10.5555/private-redirect"})

    assert result["pdf"]["status"] == "blocked"
    assert result["pdf"]["denial_context"]["reason"] == "ssrf_private_address"
    assert result["pdf"]["denial_context"]["hop_index"] == 1
    assert pdfs(tmp_path) == []


async def test_a_closed_paper_says_that_no_open_copy_is_known(call):
    result = await call(TOOL, {"ref": "10.5555/closed-paper"})

    assert result["ok"] is True
    assert result["pdf"]["status"] == "no_oa_url"
    assert result["path"].endswith(".toml")


async def test_not_being_able_to_ask_is_not_the_same_as_knowing_no_copy(call, internet):
    internet.breaks(UNPAYWALL, status=503)
    for host in OPTIONAL:
        internet.breaks(host, status=503)

    result = await call(TOOL, {"ref": "10.5555/closed-paper"})

    assert result["pdf"]["status"] == "lookup_failed"
    assert "unpaywall" in result["pdf"]["reason"]


@pytest.mark.promise("absence.needs-every-source")
async def test_without_an_address_for_unpaywall_nobody_can_say_that_no_copy_is_known(call):
    result = await call(TOOL, {"ref": "10.5555/closed-paper"}, CONTACT_EMAIL="")

    pdf = result["pdf"]
    assert (pdf["status"], pdf["code"]) == ("lookup_failed", "CAPABILITY_DENIED")
    assert pdf["disposition"] == "needs_config"
    assert pdf["reason"] == "unpaywall was not queried for a copy; set CONTACT_EMAIL"


@pytest.mark.promise("absence.needs-every-source")
@pytest.mark.parametrize("name", ["HAL", "OPENALEX", "BIORXIV"])
async def test_a_source_that_is_turned_off_leaves_open_whether_there_is_a_copy(call, name):
    switch = f"DOIGET_ENABLE_{name}"

    result = await call(TOOL, {"ref": "10.5555/closed-paper"}, **{switch: "0"})

    assert result["pdf"]["status"] == "lookup_failed"
    assert f"{name.lower()} was not queried for a copy; set {switch}=1" in result["pdf"]["reason"]
    attempt = next(a for a in result["attempts"] if a.get("required_env") == [switch])
    assert attempt["detail"] == f"disabled (enable it with {switch}=1)"


async def test_a_failure_that_may_pass_says_to_wait_though_a_setting_is_missing_too(
    call, internet
):
    internet.breaks("api.openaire.eu", status=503)

    result = await call(TOOL, {"ref": "10.5555/closed-paper"}, CONTACT_EMAIL="")

    assert result["pdf"]["disposition"] == "retry_after"
    assert "could not query openaire" in result["pdf"]["reason"]
    assert "CONTACT_EMAIL" in result["pdf"]["reason"]


async def test_a_publisher_that_refuses_is_a_copy_that_is_known_but_blocked(call, internet):
    internet.breaks(PLOS, status=403)
    internet.breaks("*europepmc.org", status=403)

    result = await call(TOOL, {"ref": "10.5555/fine-paper"})

    assert (result["pdf"]["status"], result["pdf"]["code"]) == ("blocked", "CAPABILITY_DENIED")


async def test_another_copy_stands_in_for_one_that_refuses_and_the_refusal_is_kept(call, internet):
    internet.breaks(PLOS, status=403)

    result = await call(TOOL, {"ref": "10.5555/fine-paper"})

    assert result["pdf"]["status"] == "fetched"
    assert result["pdf"]["original_block"]["code"] == "CAPABILITY_DENIED"


async def test_a_host_off_the_list_is_denied_with_what_would_let_it_answer(call):
    result = await call(TOOL, {"ref": "10.5555/scanned-paper"})

    assert result["pdf"]["status"] == "blocked"
    assert result["pdf"]["denial_context"]["reason"] == "redirect_not_in_allowlist"
    assert result["pdf"]["denial_context"]["hop_index"] == 0
    assert result["pdf"]["remediation"][0]["value"] == "fog.haar.example"


async def test_an_arxiv_paper_lands_with_its_stamp_checked(call, tmp_path):
    result = await call(TOOL, {"ref": "2401.99901"})

    assert (result["source"], result["license"]) == ("arxiv", "arxiv-default")
    assert result["pdf"]["file_check"] == "confirmed"
    assert pdfs(tmp_path) == ["arxiv_2401.99901.pdf"]


async def test_arxivs_pdf_is_fetched_although_its_records_cannot_be_asked(call, internet):
    internet.breaks("export.arxiv.org", status=503)

    result = await call(TOOL, {"ref": "2401.99901"})

    assert result["ok"] is True
    assert result["title"] == "arxiv:2401.99901"


@pytest.mark.parametrize("ref", ["10.5555/never-registered-2019", "2401.00001"])
async def test_what_does_not_exist_is_not_fetched(call, ref, tmp_path):
    result = await call(TOOL, {"ref": ref})

    assert result["error"]["code"] == "NOT_FOUND"
    assert not (tmp_path / "papers" / ".metadata").exists()


async def test_what_the_library_has_is_not_asked_for_again_unless_forced(application, internet):
    app = await application()
    await app.call(TOOL, {"ref": "10.5555/fine-paper"})
    internet.forget()

    again = await app.call(TOOL, {"ref": "10.5555/fine-paper"})
    silent = list(internet.seen)
    await app.call(TOOL, {"ref": "10.5555/fine-paper", "force": True})

    assert again.structured["pdf"]["status"] == "fetched"
    assert silent == []
    assert internet.seen != []


async def test_what_cannot_change_is_said_again_without_asking(application, internet):
    app = await application()
    await app.call(TOOL, {"ref": "10.5555/never-registered-2019"})
    internet.forget()

    again = (await app.call(TOOL, {"ref": "10.5555/never-registered-2019"})).structured

    assert (again["error"]["code"], again["error"]["replayed"]) == ("NOT_FOUND", True)
    assert internet.seen == []


async def test_what_may_change_is_refused_for_a_moment(application, internet):
    internet.breaks(CROSSREF, status=503)
    app = await application()
    await app.call(TOOL, {"ref": "10.5555/never-registered-2019"})
    internet.forget()

    again = (await app.call(TOOL, {"ref": "10.5555/never-registered-2019"})).structured

    assert again["error"]["code"] == "RATE_LIMITED"
    assert 0 < again["error"]["retry_after_ms"] <= 30_000
    assert internet.seen == []


async def test_asking_again_by_force_is_written_down(application, tmp_path):
    app = await application()
    await app.call(TOOL, {"ref": "10.5555/never-registered-2019"})

    await app.call(TOOL, {"ref": "10.5555/never-registered-2019", "force": True})

    log = (tmp_path / "state" / "provenance.jsonl").read_text(encoding="utf-8")
    forced = [row for row in map(json.loads, log.splitlines()) if row["event"] == "repeat_forced"]
    assert [row["error_code"] for row in forced] == ["NOT_FOUND"]


async def test_the_last_row_says_what_kept_the_paper_from_landing(call, tmp_path):
    await call(TOOL, {"ref": "10.5555/private-redirect"})

    log = (tmp_path / "state" / "provenance.jsonl").read_text(encoding="utf-8")
    last = json.loads(log.splitlines()[-1])
    assert (last["event"], last["error_code"]) == ("session_end", "CAPABILITY_DENIED")


async def test_nobody_stands_as_both_asked_and_not_asked(call):
    result = await call(TOOL, {"ref": "10.5555/closed-paper"})

    arguments = {a["source"] for a in result["attempts"] if a["consulted"]}
    skipped_sources = {a["source"] for a in result["attempts"] if not a["consulted"]}
    assert arguments & skipped_sources == set()
    assert "openalex" in arguments


async def test_a_copy_at_arxiv_is_the_preprint_and_says_so(call, internet):
    result = await call(TOOL, {"ref": "10.5555/arxiv-pair"})

    assert (result["source"], result["license"]) == ("arxiv", "arxiv-default")
    assert result["pdf"]["status"] == "preprint_fallback"
    assert (result["pdf"]["arxiv_id"], result["pdf"]["found_by"]) == ("2401.99901", "unpaywall")
    assert len(internet.requests_to("arxiv.org")) == 1


async def test_a_preprint_that_only_its_server_knows_stands_in(call):
    result = await call(TOOL, {"ref": "10.5555/only-in-biorxiv"})

    assert result["pdf"]["status"] == "preprint_doi_fallback"
    assert result["pdf"]["preprint_doi"] == "10.1101/2021.02.30.999001"
    assert result["pdf"]["found_by"] == "biorxiv_pubs"
    assert result["pdf"]["file_check"] == "confirmed"


async def test_a_pubmed_id_is_fetched_by_its_doi(call):
    result = await call(TOOL, {"ref": "PMID: 99033157"})

    assert (result["ref"], result["id"]) == ("PMID: 99033157", "10.5555/fine-paper")
    assert result["attempts"][0]["source"] == "ncbi"
    assert result["pdf"]["status"] == "fetched"


async def test_a_refusal_that_is_said_again_still_says_which_rule_and_what_would_help(application):
    app = await application()
    first = (await app.call(TOOL, {"ref": "10.5555/scanned-paper"})).structured

    again = (await app.call(TOOL, {"ref": "10.5555/scanned-paper"})).structured

    assert first["pdf"]["status"] == "blocked"
    assert again["error"]["replayed"] is True
    assert again["error"]["denial_context"]["attempted"] == "fog.haar.example"
    assert again["error"]["denial_context"] == first["pdf"]["denial_context"]
    assert again["error"]["remediation"] == first["pdf"]["remediation"]


async def test_a_refetch_that_is_refused_says_that_the_earlier_file_is_kept(
    application, internet, tmp_path
):
    app = await application()
    first = (await app.call(TOOL, {"ref": "10.5555/fine-paper"})).structured
    [file] = (tmp_path / "papers").glob("*.pdf")
    stored = file.read_bytes()
    for host in (PLOS, "europepmc.org"):
        internet.breaks(host, status=403)

    again = (await app.call(TOOL, {"ref": "10.5555/fine-paper", "force": True})).structured

    assert (first["pdf"]["status"], again["pdf"]["status"]) == ("fetched", "blocked")
    assert KEPT not in first["pdf"]["reason"]
    assert again["pdf"]["reason"].endswith(KEPT)
    assert (again["path"], again["size_bytes"]) == (str(file), len(stored))
    assert file.read_bytes() == stored


async def test_a_refetch_that_is_refused_names_no_file_that_was_deleted(
    application, internet, tmp_path
):
    app = await application()
    await app.call(TOOL, {"ref": "10.5555/fine-paper"})
    [file] = (tmp_path / "papers").glob("*.pdf")
    file.unlink()
    for host in (PLOS, "europepmc.org"):
        internet.breaks(host, status=403)

    again = (await app.call(TOOL, {"ref": "10.5555/fine-paper"})).structured

    assert again["pdf"]["status"] == "blocked"
    assert KEPT not in again["pdf"]["reason"]
    record = tmp_path / "papers" / ".metadata" / f"{file.stem}.toml"
    assert (again["path"], again["size_bytes"]) == (str(record), 0)


async def test_a_dry_run_touches_neither_network_nor_disk_nor_log(application, internet, tmp_path):
    app = await application()
    arguments = {"ref": "10.5555/fine-paper", "dry_run": True}

    result = (await app.call(TOOL, arguments)).structured
    await app.aclose()

    assert result["dry_run"] is True
    assert result["ref"] == {"doi": "10.5555/fine-paper"}
    assert result["plan"]["candidate_hosts_are_upper_bound"] is True
    assert result["rate_limit_budget"] == {"global_per_sec": 5.0, "per_source_min_gap_ms": 200}
    assert result["plan"]["metadata_sources"][:2] == ["crossref", "unpaywall"]
    assert internet.seen == []
    assert list(tmp_path.iterdir()) == []


async def test_the_file_the_row_and_the_metadata_agree(call, tmp_path):
    await call(TOOL, {"ref": "10.5555/fine-paper"})

    log = tmp_path / "state" / "provenance.jsonl"
    rows = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    written = next(row for row in rows if row["event"] == "store_write")
    assert written["store_path"] == "doi_10.5555_fine-paper.pdf"
    assert written["size_bytes"] == (tmp_path / "papers" / written["store_path"]).stat().st_size
    assert provenance.verify(log, store_root=tmp_path / "papers").ok


async def test_a_store_that_cannot_be_written_is_a_store_error(call, tmp_path):
    (tmp_path / "file").write_text("in the way", encoding="utf-8")

    result = await call(
        TOOL, {"ref": "10.5555/fine-paper"}, DOIGET_STORE_ROOT=str(tmp_path / "file" / "papers")
    )

    assert (result["ok"], result["error"]["code"]) == (False, "STORE_ERROR")


async def test_a_pdf_that_went_missing_is_fetched_again(call, tmp_path):
    await call(TOOL, {"ref": "10.5555/fine-paper"})
    pdf = tmp_path / "papers" / "doi_10.5555_fine-paper.pdf"
    pdf.unlink()

    again = await call(TOOL, {"ref": "10.5555/fine-paper"})

    assert again["path"] == str(pdf)
    assert pdf.read_bytes().startswith(b"%PDF-")


@pytest.mark.parametrize(
    ("ref", "field", "preprint"),
    [
        ("10.5555/arxiv-pair", "arxiv_id", "2401.99901"),
        ("10.5555/only-in-biorxiv", "preprint_doi", "10.1101/2021.02.30.999001"),
    ],
)
async def test_the_library_remembers_whose_file_it_has(call, ref, field, preprint):
    first = await call(TOOL, {"ref": ref})

    again = await call(TOOL, {"ref": ref})
    stored = (await call("doiget_info", {"ref": ref}))["metadata"]

    text = ("status", "file_check", "evidence", "arxiv_id", "preprint_doi")
    assert again["attempts"] is None
    assert {name: again["pdf"][name] for name in text} == {n: first["pdf"][n] for n in text}
    assert (again["pdf"][field], stored[field]) == (preprint, preprint)


async def test_a_doi_that_arxiv_gave_leads_to_its_own_paper(call):
    result = await call(TOOL, {"ref": "10.48550/arXiv.2401.99901"})

    assert (result["source"], result["license"]) == ("arxiv", "arxiv-default")
    assert (result["pdf"]["status"], result["pdf"]["file_check"]) == ("fetched", "confirmed")
    assert result["path"].endswith("doi_10.48550_arxiv.2401.99901.pdf")


async def test_a_record_that_could_not_be_asked_might_have_named_a_copy(call, internet):
    internet.breaks(CROSSREF, status=500)

    result = await call(TOOL, {"ref": "10.5555/glacier-retraction"})

    assert result["pdf"]["status"] == "lookup_failed"
    assert "crossref" in result["pdf"]["reason"]


async def test_a_denial_leaves_out_what_it_does_not_say_and_its_attempt_says_the_remedy(call):
    private = await call(TOOL, {"ref": "10.5555/private-redirect"})
    elsewhere = await call(TOOL, {"ref": "10.5555/scanned-paper"})

    assert private["pdf"]["denial_context"].keys() == {
        *("reason", "source", "attempted", "hop_index"),
    }
    denied = next(a for a in elsewhere["attempts"] if a["outcome"] == "consulted_denied")
    assert denied["denial_context"] == elsewhere["pdf"]["denial_context"]
    assert denied["remediation"] == elsewhere["pdf"]["remediation"] != []


async def test_what_neither_the_records_nor_a_file_show_is_not_kept(call, internet, tmp_path):
    internet.breaks("*arxiv.org", status=500)

    result = await call(TOOL, {"ref": "2401.99901"})

    assert (result["ok"], result["error"]["disposition"]) == (False, "retry_after")
    assert [a["source"] for a in result["error"]["attempts"]] == ["arxiv", "arxiv"]
    assert not (tmp_path / "papers" / ".metadata").exists()
