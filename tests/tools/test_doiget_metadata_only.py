"""doiget_metadata_only, through the whole pipeline."""

import json
import tomllib

import pytest

pytestmark = pytest.mark.anyio

TOOL = "doiget_metadata_only"
RECORDS = {
    "api.crossref.org",
    "api.unpaywall.org",
    "api.datacite.org",
    "doi.org",
    "export.arxiv.org",
}


async def test_the_record_is_kept_and_no_place_with_a_pdf_is_asked(call, internet, tmp_path):
    result = await call(TOOL, {"ref": "10.5555/fine-paper"})

    assert result["ok"] is True
    assert result["oa_url"].endswith(".pdf")
    assert result["metadata"]["DOI"].lower() == "10.5555/fine-paper"
    assert {seen.host for seen in internet.seen} <= RECORDS
    assert list((tmp_path / "papers").glob("*.pdf")) == []


async def test_everything_that_the_record_says_is_stored(call, tmp_path):
    result = await call(TOOL, {"ref": "10.5555/fine-paper"})

    file = tmp_path / "papers" / ".metadata" / "doi_10.5555_fine-paper.toml"
    stored = tomllib.loads(file.read_text(encoding="utf-8"))
    assert str(file) == result["path"]
    assert (stored["title"], stored["year"]) == (result["work"]["title"], result["work"]["year"])
    assert stored["venue"]
    assert stored["publisher"]
    assert stored["doiget"]["source"] == "crossref"


@pytest.mark.parametrize("ref", ["2401.99901", "10.99101/harbour.dataset"])
async def test_other_sources_describe_their_own(call, ref):
    result = await call(TOOL, {"ref": ref})

    assert result["ok"] is True
    assert result["work"]["title"]


async def test_an_absent_paper_leaves_no_file(call, tmp_path):
    result = await call(TOOL, {"ref": "10.5555/never-registered-2019"})

    assert result["error"]["code"] == "NOT_FOUND"
    assert not list(tmp_path.rglob("*.toml"))


async def test_a_dry_run_says_the_same_as_that_of_a_fetch(call, internet):
    plain = await call(TOOL, {"ref": "10.5555/fine-paper", "dry_run": True})
    fetch = await call("doiget_fetch_paper", {"ref": "10.5555/fine-paper", "dry_run": True})

    assert plain == fetch
    assert internet.seen == []


async def test_the_path_is_the_metadata_file_also_when_the_library_has_the_pdf(call, tmp_path):
    await call("doiget_fetch_paper", {"ref": "2401.99901"})

    result = await call(TOOL, {"ref": "2401.99901"})

    assert result["path"] == str(tmp_path / "papers" / ".metadata" / "arxiv_2401.99901.toml")


async def test_the_row_of_the_write_is_tagged(call, tmp_path):
    await call(TOOL, {"ref": "10.5555/fine-paper"})

    log = (tmp_path / "state" / "provenance.jsonl").read_text(encoding="utf-8")
    rows = [json.loads(line) for line in log.splitlines()]
    [written] = [row for row in rows if row["event"] == "store_write"]
    assert written["capability"] == "metadata-only"
    assert {row["capability"] for row in rows} == {"metadata", "metadata-only"}


async def test_the_licence_that_is_told_is_the_one_that_is_stored(call, internet, tmp_path):
    record = {"DOI": "10.5555/fine-paper", "title": ["Tidal mixing"], "type": "journal-article"}
    answer = {"status": "ok", "message-type": "work", "message": record}
    internet.says("api.crossref.org", answer, path="/works/10.5555/fine-paper")

    result = await call(TOOL, {"ref": "10.5555/fine-paper"})

    file = tmp_path / "papers" / ".metadata" / "doi_10.5555_fine-paper.toml"
    stored = tomllib.loads(file.read_text(encoding="utf-8"))
    assert result["license"] == stored["doiget"]["license"] == "cc-by"


@pytest.mark.parametrize(
    ("ref", "provider"),
    [
        ("10.5555/fine-paper", "crossref"),
        ("2401.99901", "arxiv"),
        ("10.48550/arXiv.2401.99901", "datacite"),
        ("10.99101/harbour.dataset", "datacite"),
        ("10.99201/kakuu.2020.1", "doi_org"),
    ],
)
async def test_the_source_is_one_that_has_the_record(answer, ref, provider):
    result = (await answer(TOOL, {"ref": ref})).structured

    assert (result["source"], result["provider"]) == (provider, provider)
    assert result["resolver_profile"] == provider
    outcomes = {one["source"]: one["outcome"] for one in result["attempts"]}
    assert outcomes[provider] == "consulted_resolved"


async def test_a_subtitle_is_part_of_the_title_wherever_it_is_told(call):
    ref, title = "10.5555/subtitled", "Still waters: Depth, silence and the physics of calm"
    kept = await call(TOOL, {"ref": ref})
    shown = await call("doiget_info", {"ref": ref})
    found = await call("doiget_search_local", {"query": "physics of calm"})
    [csl] = (await call("doiget_csl_export", {"refs": [ref]}))["entries"]
    answer = await call("paper_metadata", {"identifier": ref}, CONTACT_EMAIL="reader@uni.edu")

    assert kept["work"]["title"] == shown["metadata"]["title"] == title
    assert found["results"][0]["title"] == csl["csl"][0]["title"] == answer["title"] == title
