"""doiget_info, through the whole pipeline."""

import pytest

pytestmark = pytest.mark.anyio


async def test_a_paper_that_the_library_does_not_have_is_no_error(call, internet, tmp_path):
    result = await call("doiget_info", {"ref": "doi:10.1234/Example"})

    assert result == {
        "ok": True,
        "ref": "doi:10.1234/Example",
        "safekey": "doi_10.1234_example",
        "metadata": None,
        "trust": "untrusted-external-content",
    }
    assert internet.seen == []
    assert not (tmp_path / "papers").exists()
    assert not (tmp_path / "state" / "provenance.jsonl").exists()


async def test_what_is_stored_is_shown_by_the_names_of_its_file(call, shelve):
    shelve(
        "doi_10.1234_example",
        title="A giraffe",
        authors=("Müller, Jörg",),
        year=2024,
        doi="10.1234/example",
        extras={"shelf_mark": "Q 7", "limit": float("inf")},
        held={"tags": ("thesis",), "annotation": "read me", "extras": {"mcp_call_id": "7"}},
    )

    result = await call("doiget_info", {"ref": "10.1234/example"})

    assert result["metadata"] == {
        "schema_version": "1.0",
        "title": "A giraffe",
        "authors": ["Müller, Jörg"],
        "year": 2024,
        "doi": "10.1234/example",
        "shelf_mark": "Q 7",
        "limit": "inf",
        "doiget": {
            "fetched_at": "2026-01-01T00:00:00Z",
            "source": "crossref",
            "license": "unknown",
            "tags": ["thesis"],
            "annotation": "read me",
            "mcp_call_id": "7",
        },
    }


async def test_a_pdf_that_was_deleted_by_hand_is_missing_and_not_described(call, tmp_path):
    await call("doiget_fetch_paper", {"ref": "10.5555/fine-paper"})
    whole = await call("doiget_info", {"ref": "10.5555/fine-paper"})
    name = whole["metadata"]["pdf_path"]
    (tmp_path / "papers" / name).unlink()

    result = await call("doiget_info", {"ref": "10.5555/fine-paper"})

    assert "missing_pdf" not in whole
    assert whole["metadata"]["doiget"]["file_check"] == "confirmed"
    assert result["missing_pdf"] == name
    assert "pdf_path" not in result["metadata"]
    assert not {"size_bytes", "file_check"} & result["metadata"]["doiget"].keys()
    assert result["metadata"]["title"] == whole["metadata"]["title"]


async def test_an_entry_that_doiget_stored_is_found_under_its_own_name(call, shelve):
    shelve("doi_10.1016_S0370-1573_98_00122-3", doi="10.1016/S0370-1573(98)00122-3", title="Old")

    result = await call("doiget_info", {"ref": "10.1016/s0370-1573(98)00122-3"})

    assert result["safekey"] == "doi_10.1016_S0370-1573_98_00122-3"
    assert result["metadata"]["title"] == "Old"


async def test_a_pubmed_id_is_refused_with_the_names_of_the_tools_that_take_one(call, internet):
    result = await call("doiget_info", {"ref": "pmid:12345"})

    assert result["error"]["code"] == "INVALID_REF"
    assert "doiget_fetch_paper" in result["error"]["message"]
    assert internet.seen == []


async def test_a_file_that_cannot_be_read_is_a_store_error_and_not_an_absence(call, shelve):
    shelve("doi_10.1234_example").write_text("title = [", encoding="utf-8")

    result = await call("doiget_info", {"ref": "10.1234/example"})

    assert result["error"]["code"] == "STORE_ERROR"
