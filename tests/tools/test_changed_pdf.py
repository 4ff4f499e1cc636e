"""A stored PDF that was cut, exchanged or copied later, in every answer that shows it."""

import json
import os
import shutil

import pytest

pytestmark = pytest.mark.anyio

REF = "10.5555/fine-paper"
KEY = "doi_10.5555_fine-paper"
COPIES = ("journals.plos.org", "europepmc.org")


@pytest.fixture
def file(tmp_path):
    return tmp_path / "papers" / f"{KEY}.pdf"


def cut(file):
    file.write_bytes(file.read_bytes()[:5000])


def exchange(file):
    """Other content of the same size."""
    body = file.read_bytes()
    file.write_bytes(body[:1000] + bytes(len(body) - 1000))


def exchange_unnoticed(file):
    """Other content of the same size and time: only its digest tells."""
    status = file.stat()
    exchange(file)
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))


@pytest.mark.promise("kept.changed-files-show")
@pytest.mark.parametrize("change", [cut, exchange])
async def test_a_change_is_named_in_every_answer_and_nothing_stays_confirmed(call, file, change):
    await call("doiget_fetch_paper", {"ref": REF})
    change(file)

    info = await call("doiget_info", {"ref": REF})
    place = await call("doiget_paper_pdf_path", {"ref": REF})
    [recent] = (await call("doiget_list_recent", {}))["entries"]
    [hit] = (await call("doiget_search_local", {"query": "tidal mixing"}))["results"]

    for answer in (info, place, recent, hit):
        assert f"{KEY}.pdf has changed since it was stored" in answer["pdf_problem"]
        assert "confirmed" not in json.dumps(answer)
    assert info["metadata"]["doiget"]["size_bytes"] == file.stat().st_size
    assert (place["path"], place["file_check"]) == (str(file), None)


@pytest.mark.parametrize("change", [cut, exchange, exchange_unnoticed])
async def test_fetching_again_repairs(call, file, change):
    first = await call("doiget_fetch_paper", {"ref": REF})
    stored = file.read_bytes()
    change(file)

    again = await call("doiget_fetch_paper", {"ref": REF})
    info = await call("doiget_info", {"ref": REF})

    assert (again["pdf"]["status"], again["pdf"]["file_check"]) == ("fetched", "confirmed")
    assert again["pdf"]["problem"] is None
    assert again["size_bytes"] == first["size_bytes"]
    assert file.read_bytes() == stored
    assert "pdf_problem" not in info


@pytest.mark.parametrize("change", [cut, exchange])
async def test_a_repair_that_fails_says_what_the_library_still_has(call, internet, file, change):
    await call("doiget_fetch_paper", {"ref": REF})
    change(file)
    for host in COPIES:
        internet.breaks(host, status=403)

    again = await call("doiget_fetch_paper", {"ref": REF})

    assert again["pdf"]["status"] == "blocked"
    assert again["pdf"]["file_check"] is None
    assert "has changed since it was stored" in again["pdf"]["problem"]
    assert again["pdf"]["problem"] in again["pdf"]["reason"]
    assert again["size_bytes"] == file.stat().st_size


async def test_a_batch_repairs_too(call, file):
    await call("doiget_fetch_paper", {"ref": REF})
    stored = file.read_bytes()
    cut(file)

    [row] = (await call("doiget_batch_fetch", {"refs": [REF]}))["results"]

    assert (row["pdf"]["status"], row["size_bytes"]) == ("fetched", len(stored))
    assert file.read_bytes() == stored


async def test_a_tag_does_not_make_a_changed_file_the_stored_one(call, cli, file):
    await call("doiget_fetch_paper", {"ref": REF})
    cut(file)

    tagged = cli("library", "tag", REF, "--add", "thesis")
    info = await call("doiget_info", {"ref": REF})

    assert tagged.returncode == 0, tagged.stderr
    assert info["metadata"]["doiget"]["tags"] == ["thesis"]
    assert "has changed" in info["pdf_problem"]


async def test_a_copied_library_has_new_times_and_no_changes(call, file):
    await call("doiget_fetch_paper", {"ref": REF})
    copy = file.with_name("copy")
    shutil.copyfile(file, copy)
    os.utime(copy, (1, 1))
    copy.replace(file)

    info = await call("doiget_info", {"ref": REF})
    [recent] = (await call("doiget_list_recent", {}))["entries"]
    again = await call("doiget_fetch_paper", {"ref": REF})

    assert "pdf_problem" not in {**info, **recent}
    assert again["pdf"]["reason"] == "already in the library"


async def test_a_file_that_is_gone_is_named_in_lists(call, file):
    await call("doiget_fetch_paper", {"ref": REF})
    file.unlink()

    [recent] = (await call("doiget_list_recent", {}))["entries"]

    assert recent["pdf_problem"] == f"{KEY}.pdf is missing"


async def test_a_record_without_a_digest_is_compared_by_size(call, shelve, file):
    shelve(KEY, title="Old", doi=REF, pdf_path=file.name, held={"size_bytes": 9})
    file.write_bytes(b"%PDF-1.7 ")
    whole = await call("doiget_info", {"ref": REF})
    file.write_bytes(b"%PDF")

    changed = await call("doiget_info", {"ref": REF})

    assert "pdf_problem" not in whole
    assert "it has 4 bytes instead of 9" in changed["pdf_problem"]


def test_the_commands_warn_of_a_changed_file(cli, file):
    cli("fetch", REF)
    cut(file)

    shown = [
        cli("info", REF),
        cli("library", "recent"),
        cli("library", "search", "tidal"),
    ]

    for done in shown:
        assert done.returncode == 0
        assert "has changed since" in " ".join(done.stdout.split())
