"""One paper is one entry of the library, found by each of its ids, in the version asked for."""

import asyncio
from pathlib import Path

import pytest

from sourcewright.world import pdf
from sourcewright.world.corpus import load
from sourcewright.world.corpus.ids import pmcid, pmid
from sourcewright.world.sites import crossref

pytestmark = pytest.mark.anyio

DOI, ARXIV = "10.5555/arxiv-pair", "2401.99901"
NAMES = [DOI, ARXIV, f"arXiv:{ARXIV}v3", f"10.48550/arXiv.{ARXIV}", f"https://doi.org/{DOI}"]
FINE = load().by_doi("10.5555/fine-paper")
PMID, PMCID = f"pmid:{pmid(FINE)}", pmcid(FINE)


async def keys(call):
    return sorted(one["safekey"] for one in (await call("doiget_list_recent", {}))["entries"])


def served(papers, key):
    return (papers / f"{key}.pdf").read_bytes()


@pytest.mark.parametrize("first", [ARXIV, f"10.48550/arXiv.{ARXIV}", DOI])
async def test_a_paper_is_one_entry_whichever_id_it_was_stored_by(call, internet, first):
    stored = await call("doiget_fetch_paper", {"ref": first})
    internet.forget()
    shown = [await call("doiget_info", {"ref": name}) for name in NAMES]
    placed = [await call("doiget_paper_pdf_path", {"ref": name}) for name in NAMES]
    csl = await call("doiget_csl_export", {"refs": NAMES})
    bib = await call("doiget_bibtex_export", {"refs": NAMES})
    again = [await call("doiget_fetch_paper", {"ref": name}) for name in NAMES]

    [key] = await keys(call)
    assert {one["safekey"] for one in (*shown, *placed, *csl["entries"], *bib["entries"])} == {key}
    assert all(one["metadata"] for one in shown)
    assert {one["path"] for one in (*placed, *again)} == {stored["path"]}
    assert {one["pdf"]["version"] for one in again} == {"v3"}
    assert all(one["csl"] for one in csl["entries"])
    assert not any(seen.path.startswith("/pdf") for seen in internet.seen)


async def test_a_record_kept_by_another_id_joins_the_entry(call):
    await call("doiget_fetch_paper", {"ref": ARXIV})
    kept = await call("doiget_metadata_only", {"ref": DOI})
    found = await call("doiget_search_local", {"query": DOI})
    shown = (await call("doiget_info", {"ref": DOI}))["metadata"]

    assert await keys(call) == [f"arxiv_{ARXIV}"]
    assert kept["path"].endswith(f"arxiv_{ARXIV}.toml")
    assert [one["safekey"] for one in found["results"]] == [f"arxiv_{ARXIV}"]
    assert shown["volume"] == "19"
    assert shown["doiget"]["file_version"] == "v3"


async def test_a_preprint_that_is_held_is_told_as_one_to_who_asks_for_the_article(call):
    own = await call("doiget_fetch_paper", {"ref": ARXIV})
    article = await call("doiget_fetch_paper", {"ref": DOI})

    assert own["pdf"]["status"] == "fetched"
    assert article["pdf"]["status"] == "preprint_fallback"
    assert article["pdf"]["arxiv_id"] == ARXIV


async def test_a_batch_keeps_one_entry_of_one_paper(call, internet):
    refs = [DOI, ARXIV, f"{ARXIV}v3", f"10.48550/arXiv.{ARXIV}"]

    batch = await call("doiget_batch_fetch", {"refs": refs})

    assert len(await keys(call)) == 1
    assert len({row["path"] for row in batch["results"]}) == 1
    assert len([seen for seen in internet.seen if seen.path.startswith("/pdf/")]) == 1


@pytest.mark.parametrize("tool", ["doiget_fetch_paper", "doiget_metadata_only"])
async def test_two_servers_that_store_a_paper_by_two_ids_at_once_keep_one_entry(
    application, call, tool
):
    servers = [await application() for _ in range(4)]
    names = [DOI, ARXIV, f"10.48550/arXiv.{ARXIV}", DOI]

    answers = await asyncio.gather(
        *(server.call(tool, {"ref": name}) for server, name in zip(servers, names, strict=True))
    )

    [key] = await keys(call)
    assert {Path(answer.structured["path"]).stem for answer in answers} == {key}


async def test_the_version_that_was_asked_for_is_the_one_that_is_kept(call, tmp_path):
    work = load().by_arxiv(ARXIV)
    first = await call("doiget_fetch_paper", {"ref": f"{ARXIV}v1"})
    last = await call("doiget_fetch_paper", {"ref": f"{ARXIV}v3"})
    any_version = await call("doiget_fetch_paper", {"ref": ARXIV})

    assert [one["pdf"]["version"] for one in (first, last)] == ["v1", "v3"]
    assert any_version["pdf"]["version"] in {"v1", "v3"}
    assert served(tmp_path / "papers", f"arxiv_{ARXIV}v1") == pdf.paper(work, 1)
    assert served(tmp_path / "papers", f"arxiv_{ARXIV}v3") == pdf.paper(work, 3)
    for version in ("v1", "v3"):
        shown = await call("doiget_info", {"ref": f"{ARXIV}{version}"})
        assert shown["metadata"]["doiget"]["file_version"] == version


async def test_another_version_is_not_in_the_library(call):
    await call("doiget_fetch_paper", {"ref": ARXIV})

    shown = await call("doiget_info", {"ref": f"{ARXIV}v1"})
    placed = await call("doiget_paper_pdf_path", {"ref": f"{ARXIV}v1"})

    assert (shown["safekey"], shown["metadata"]) == (f"arxiv_{ARXIV}v1", None)
    assert (placed["path"], placed["version"]) == (None, None)


async def test_a_forced_fetch_puts_no_other_version_under_a_name_with_a_version(call, tmp_path):
    await call("doiget_fetch_paper", {"ref": f"{ARXIV}v1"})
    forced = await call("doiget_fetch_paper", {"ref": DOI, "force": True})

    assert forced["pdf"]["version"] == "v3"
    assert served(tmp_path / "papers", f"arxiv_{ARXIV}v1") == pdf.paper(load().by_arxiv(ARXIV), 1)


async def test_a_file_of_another_version_is_not_kept_for_the_one_asked_for(
    call, internet, tmp_path
):
    latest = pdf.paper(load().by_arxiv(ARXIV), 3)
    internet.says("arxiv.org", latest, path=f"/pdf/{ARXIV}v1", content_type="application/pdf")

    result = await call("doiget_fetch_paper", {"ref": f"{ARXIV}v1"})

    assert result["pdf"]["status"] == "blocked"
    assert f"arXiv:{ARXIV}v3" in result["pdf"]["reason"]
    assert not list((tmp_path / "papers").glob("*.pdf"))


async def test_a_paper_fetched_by_its_pubmed_numbers_is_found_by_them(call, internet):
    unknown = await call("doiget_info", {"ref": PMID})
    await call("doiget_fetch_paper", {"ref": FINE.key})
    await call("doiget_fetch_paper", {"ref": PMID})
    await call("doiget_metadata_only", {"ref": PMCID})
    internet.unplugs("eutils.ncbi.nlm.nih.gov")
    shown = [await call("doiget_info", {"ref": ref}) for ref in (PMID, PMCID, FINE.key)]
    again = await call("doiget_fetch_paper", {"ref": PMCID})
    bib = await call("doiget_bibtex_export", {"refs": [PMID, PMCID]})

    assert unknown["error"]["code"] == "INVALID_REF"
    assert "doiget_resolve_paper" in unknown["error"]["message"]
    assert {one["safekey"] for one in (*shown, *bib["entries"])} == {"doi_10.5555_fine-paper"}
    assert (shown[0]["metadata"]["pmid"], shown[0]["metadata"]["pmcid"]) == (PMID, PMCID)
    assert again["ok"] is True
    assert await keys(call) == ["doi_10.5555_fine-paper"]


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
async def test_a_doi_and_the_one_that_replaced_it_are_one_entry(call, internet, order):
    names = [FINE.key, "10.5555/fine-paper.early"]
    record = {**crossref.record(FINE, internet.corpus), "aliases": [names[1]]}
    answer = {"status": "ok", "message-type": "work", "message": record}
    internet.says("api.crossref.org", answer, path="/works/10.5555/fine-paper*")

    stored = [await call("doiget_fetch_paper", {"ref": names[which]}) for which in order]
    shown = [await call("doiget_info", {"ref": name}) for name in names]

    [key] = await keys(call)
    assert {one["path"] for one in stored} == {stored[0]["path"]}
    assert {one["safekey"] for one in shown} == {key}
    assert all(one["metadata"]["doi"] == FINE.key for one in shown)


@pytest.mark.parametrize("tool", ["doiget_fetch_paper", "doiget_metadata_only"])
async def test_an_entry_of_doiget_in_other_letters_is_not_its_own_published_version(
    call, shelve, tool
):
    shelve("doi_10.5555_Fine-Paper", doi="10.5555/Fine-Paper", title=FINE.title)

    await call(tool, {"ref": "10.5555/fine-paper"})
    shown = (await call("doiget_info", {"ref": "10.5555/FINE-PAPER"}))["metadata"]

    assert shown["doi"] == "10.5555/fine-paper"
    assert "published_doi" not in shown
