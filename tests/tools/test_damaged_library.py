"""A damaged library never looks like a smaller one: what could not be read is named."""

import shutil

import pytest

pytestmark = pytest.mark.anyio

BROKEN = {
    "no TOML": b"title = ",
    "no text": b"\xff\xfe\x00",
    "empty": b"",
    "other keys": b'name = "x"\n',
}


@pytest.mark.promise("absence.damage-is-named")
@pytest.mark.parametrize("kind", BROKEN)
async def test_a_record_that_cannot_be_read_is_named_in_every_list(kind, call, shelve):
    shelve("doi_10.1_fine", title="Tides")
    shelve("doi_10.1_gone", title="Tides again").write_bytes(BROKEN[kind])

    searched = await call("doiget_search_local", {"query": "tides"})
    recent = await call("doiget_list_recent", {})

    for answer in (searched, recent):
        assert (answer["ok"], answer["count"]) == (True, 1)
        assert answer["damaged"]["count"] == 1
        assert [one["safekey"] for one in answer["damaged"]["entries"]] == ["doi_10.1_gone"]
        assert "1 record of the library could not be read" in answer["note"]


@pytest.mark.promise("absence.damage-is-named")
async def test_papers_whose_records_are_gone_are_no_empty_library(call, shelve, tmp_path):
    shelve("doi_10.1_fine", title="Tides")
    (tmp_path / "papers" / "doi_10.1_fine.pdf").write_bytes(b"%PDF-1.7")
    shutil.rmtree(tmp_path / "papers" / ".metadata")

    recent = await call("doiget_list_recent", {})

    assert "is missing: 1 PDF without a record" in recent["damaged"]["problem"]


@pytest.mark.promise("absence.damage-is-named")
async def test_a_file_in_place_of_the_records_is_an_error_and_no_empty_library(call, tmp_path):
    (tmp_path / "papers").mkdir()
    (tmp_path / "papers" / ".metadata").write_text("in the way", encoding="utf-8")

    recent = await call("doiget_list_recent", {})

    assert (recent["ok"], recent["error"]["code"]) == (False, "STORE_ERROR")


async def test_a_library_in_order_says_nothing_of_damage(call, shelve):
    shelve("doi_10.1_fine", title="Tides")

    for name, arguments in (
        ("doiget_search_local", {"query": "tides"}),
        ("doiget_list_recent", {}),
    ):
        answer = await call(name, arguments)
        assert (answer["damaged"], answer["note"]) == (None, None)


async def test_a_record_that_was_mended_is_found_again(call, shelve):
    path = shelve("doi_10.1_fine", title="Tides")
    whole = path.read_bytes()
    path.write_bytes(b"title = ")
    broken = await call("doiget_list_recent", {})
    path.write_bytes(whole)

    mended = await call("doiget_list_recent", {})

    assert (broken["count"], mended["count"]) == (0, 1)
    assert mended["damaged"] is None


def test_the_terminal_and_the_doctor_name_the_damage(cli, shelve):
    shelve("doi_10.1_gone").write_bytes(b"title = ")

    recent = cli("library", "recent")
    searched = cli("library", "search", "tides")
    doctor = cli("doctor")

    for done in (recent, searched):
        assert "1 record of the library could not be read" in done.stdout
        assert "doi_10.1_gone" in done.stdout
    assert "the library is empty" not in recent.stdout
    assert doctor.returncode == 1
    assert "doi_10.1_gone" in doctor.stdout


DAMAGED = {"ref": "10.5555/fine-paper"}


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("doiget_info", DAMAGED),
        ("doiget_fetch_paper", DAMAGED),
        ("doiget_metadata_only", DAMAGED),
        ("doiget_paper_pdf_path", DAMAGED),
        ("doiget_bibtex_export", {"refs": [DAMAGED["ref"]]}),
        ("doiget_batch_fetch", {"refs": [DAMAGED["ref"]]}),
    ],
)
async def test_no_setting_is_asked_for_where_a_record_is_damaged(
    application, shelve, tool, arguments
):
    shelve("doi_10.5555_fine-paper", title="Tides").write_bytes(b"title = ")
    app = await application()

    for _ in range(2):  # the second answer may be a repetition
        answer = (await app.call(tool, arguments)).structured
        [row] = answer.get("results") or answer.get("entries") or [answer]
        assert row["error"]["code"] == "STORE_ERROR"
        assert row["error"]["disposition"] == "terminal"


async def test_no_setting_is_asked_for_where_the_file_of_a_copy_is_damaged(application, internet):
    internet.says("journals.plos.org", b"%PDF-1.7 cut", content_type="application/pdf")
    app, copy = await application(), {"ref": "10.5555/of-2023"}

    fetched = (await app.call("doiget_fetch_paper", copy)).structured
    again = (await app.call("doiget_fetch_paper", copy)).structured

    assert fetched["pdf"]["status"] == "blocked"
    assert "the PDF is damaged" in fetched["pdf"]["reason"]
    assert fetched["pdf"]["disposition"] == "terminal"
    assert (again["error"]["disposition"], again["error"]["replayed"]) == ("terminal", True)
