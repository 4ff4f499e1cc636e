"""Removing papers, restoring them, and acknowledging what was removed by hand."""

import json

import pytest

REF = "10.5555/fine-paper"
KEY = "doi_10.5555_fine-paper"


@pytest.fixture
def root(tmp_path):
    return tmp_path / "papers"


@pytest.fixture
def fetched(cli):
    done = cli("fetch", REF)
    assert done.returncode == 0, done.stderr
    cli("library", "tag", REF, "--add", "thesis")


def rows(cli, event):
    shown = json.loads(cli("log", "show", "--json", "--limit", "500").stdout)
    return [(row["store_path"], row["ref"]) for row in shown if row["event"] == event]


def files(root):
    """The files of the store, without locks."""
    paths = (path for path in root.rglob("*") if path.is_file() and path.suffix != ".lock")
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in paths}


@pytest.mark.usefixtures("fetched")
def test_a_removed_paper_is_gone_everywhere_and_comes_back_whole(cli, root):
    before = files(root)
    info = json.loads(cli("info", REF, "--json").stdout)

    removed = cli("library", "remove", REF, "--json")
    gone = json.loads(cli("info", REF, "--json").stdout)
    found = json.loads(cli("library", "search", "thesis", "--json").stdout)
    in_trash = json.loads(cli("library", "trash", "--json").stdout)
    verified = cli("log", "verify")
    restored = cli("library", "restore", REF, "--json")

    assert removed.returncode == 0, removed.stderr
    [paper] = json.loads(removed.stdout)["removed"]
    assert (paper["safekey"], paper["pdf_path"]) == (KEY, f"{KEY}.pdf")
    assert (gone["metadata"], found["results"]) == (None, [])
    assert [one["item"] for one in in_trash["papers"]] == [paper["item"]]
    assert rows(cli, "store_remove") == [(f"{KEY}.pdf", REF), (f".metadata/{KEY}.toml", REF)]
    assert verified.returncode == 0, verified.stdout
    assert restored.returncode == 0, restored.stderr
    assert files(root) == before
    assert json.loads(cli("info", REF, "--json").stdout) == info
    assert json.loads(cli("library", "search", "thesis", "--json").stdout)["count"] == 1
    assert json.loads(cli("library", "trash", "--json").stdout)["papers"] == []
    assert cli("log", "verify").returncode == 0


@pytest.mark.usefixtures("fetched")
def test_a_dry_run_removes_nothing(cli, root):
    before = files(root)

    shown = cli("library", "remove", KEY, "--dry-run")

    assert shown.returncode == 0
    assert "would remove" in shown.stdout
    assert files(root) == before
    assert rows(cli, "store_remove") == []


@pytest.mark.usefixtures("fetched")
def test_if_one_of_the_papers_is_not_there_none_is_removed(cli, root):
    before = files(root)

    done = cli("library", "remove", REF, "10.5555/unknown")

    assert done.returncode == 4
    assert "10.5555/unknown: not in the library" in done.stderr
    assert files(root) == before


@pytest.mark.parametrize("words", [("remove", "nonsense"), ("restore", "nonsense"), ("remove",)])
def test_what_names_no_paper_is_misuse(cli, words):
    assert cli("library", *words).returncode == 2


def test_what_is_not_in_the_trash_is_not_restored(cli):
    assert cli("library", "restore", REF).returncode == 4


@pytest.mark.usefixtures("fetched")
def test_a_paper_that_was_fetched_again_is_not_overwritten_by_a_restored_one(cli, root):
    cli("library", "remove", REF)
    cli("fetch", REF)
    before = files(root)

    done = cli("library", "restore", REF)

    assert done.returncode == 4
    assert "again" in done.stderr
    assert files(root) == before


@pytest.mark.usefixtures("fetched")
def test_the_trash_is_emptied_only_when_that_is_confirmed(cli, root):
    cli("library", "remove", REF)
    dry = cli("library", "trash", "--empty", "--dry-run")
    unanswered = cli("library", "trash", "--empty")
    recent = cli("library", "trash", "--empty", "--older-than", "1", "--yes")
    kept = files(root)

    done = cli("library", "trash", "--empty", "--yes", "--json")

    assert (dry.returncode, unanswered.returncode, recent.returncode) == (0, 2, 0)
    assert len(kept) == 2
    assert json.loads(done.stdout)["erased"] is True
    assert files(root) == {}
    assert [path.partition("/")[0] for path, _ in rows(cli, "store_erase")] == [".trash"]
    assert cli("log", "verify").returncode == 0


@pytest.mark.usefixtures("fetched")
def test_a_file_that_was_removed_by_hand_is_acknowledged(cli, root):
    (root / f"{KEY}.pdf").unlink()
    missing = cli("log", "verify")
    dry = cli("log", "acknowledge", "--dry-run")
    still = cli("log", "verify")

    done = cli("log", "acknowledge", "--json")

    assert (missing.returncode, dry.returncode, still.returncode) == (5, 0, 5)
    assert "log acknowledge" in missing.stderr
    assert json.loads(done.stdout)["acknowledged"] == [f"{KEY}.pdf"]
    assert rows(cli, "file_acknowledged") == [(f"{KEY}.pdf", REF)]
    verified = cli("log", "verify")
    assert verified.returncode == 0, verified.stdout
    info = json.loads(cli("info", REF, "--json").stdout)
    assert "missing_pdf" not in info
    assert info["metadata"]["doiget"]["tags"] == ["thesis"]
    assert "no stored file is missing" in cli("log", "acknowledge").stdout


@pytest.mark.usefixtures("fetched")
def test_a_whole_paper_that_was_removed_by_hand_is_acknowledged(cli, root):
    (root / f"{KEY}.pdf").unlink()
    (root / ".metadata" / f"{KEY}.toml").unlink()

    done = cli("log", "acknowledge")

    assert done.returncode == 0, done.stderr
    assert cli("log", "verify").returncode == 0
    assert cli("fetch", REF).returncode == 0
    assert cli("log", "verify").returncode == 0


@pytest.mark.usefixtures("fetched")
def test_a_file_that_is_lost_after_it_was_acknowledged_and_fetched_is_missing_again(cli, root):
    (root / f"{KEY}.pdf").unlink()
    cli("log", "acknowledge")
    cli("fetch", REF)
    (root / f"{KEY}.pdf").unlink()

    assert cli("log", "verify").returncode == 5


@pytest.mark.usefixtures("fetched")
def test_only_a_missing_file_can_be_acknowledged(cli, root):
    (root / f"{KEY}.pdf").write_bytes(b"%PDF-1.7 another")

    changed = cli("log", "acknowledge", f"{KEY}.pdf")

    assert changed.returncode == 2
    assert "not a missing file" in changed.stderr
    assert cli("log", "verify").returncode == 5


@pytest.mark.usefixtures("fetched")
def test_a_changed_pdf_is_in_the_trash_after_fetching_replaced_it(cli, root):
    (root / f"{KEY}.pdf").write_bytes(b"%PDF-1.7 with my highlights")

    again = cli("fetch", REF)

    assert again.returncode == 0, again.stderr
    [paper] = json.loads(cli("library", "trash", "--json").stdout)["papers"]
    aside = root / ".trash" / f"{paper['item']}.pdf"
    assert aside.read_bytes() == b"%PDF-1.7 with my highlights"
    assert cli("log", "verify").returncode == 0
