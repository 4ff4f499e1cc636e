"""The commands about the library."""

import json
import shutil

import pytest

REF = "10.1234/example"
KEY = "doi_10.1234_example"


@pytest.fixture
def pdf(tmp_path):
    def make(body=b"%PDF-1.7 one", name="mine.pdf"):
        path = tmp_path / name
        path.write_bytes(body)
        return str(path)

    return make


def test_a_pdf_of_ones_own_is_kept_recorded_and_found(cli, pdf, tmp_path):
    added = cli("library", "add", REF, pdf())
    info = cli("info", REF, "--json")
    place = cli("tool", "doiget_paper_pdf_path", "--ref", REF, "--json")
    rows = json.loads(cli("log", "show", "--json").stdout)

    assert added.returncode == 0, added.stderr
    held = json.loads(info.stdout)["metadata"]["doiget"]
    assert (held["origin"], held["size_bytes"]) == ("user-supplied", 12)
    assert json.loads(place.stdout)["origin"] == "user-supplied"
    assert (tmp_path / "papers" / f"{KEY}.pdf").read_bytes() == b"%PDF-1.7 one"
    [row] = [row for row in rows if row["event"] == "store_write"]
    assert (row["capability"], row["ref"]) == ("user-supplied", REF)
    assert (row["store_path"], row["size_bytes"]) == (f"{KEY}.pdf", 12)
    assert cli("log", "verify").returncode == 0


def test_a_pdf_that_was_deleted_by_hand_is_said_to_be_gone(cli, pdf, tmp_path):
    cli("library", "add", REF, pdf())
    (tmp_path / "papers" / f"{KEY}.pdf").unlink()

    info = cli("info", REF)

    assert f"{KEY}.pdf is missing" in info.stdout
    assert "bytes" not in info.stdout


def test_another_pdf_replaces_the_first_only_by_force(cli, pdf, tmp_path):
    stored = tmp_path / "papers" / f"{KEY}.pdf"
    cli("library", "add", REF, pdf())

    same = cli("library", "add", REF, pdf())
    refused = cli("library", "add", REF, pdf(b"%PDF-1.7 two"))
    kept = stored.read_bytes()
    forced = cli("library", "add", REF, pdf(b"%PDF-1.7 two"), "--force")

    assert (same.returncode, refused.returncode, forced.returncode) == (0, 2, 0)
    assert "--force" in refused.stderr
    assert kept == b"%PDF-1.7 one"
    assert stored.read_bytes() == b"%PDF-1.7 two"


def test_a_pdf_of_another_paper_is_refused_and_the_right_one_is_told_by_its_check(cli, tmp_path):
    cli("fetch", "10.5555/fine-paper")
    cli("fetch", "10.5555/closed-paper")
    right = tmp_path / "papers" / "doi_10.5555_fine-paper.pdf"

    wrong = cli("library", "add", "10.5555/closed-paper", str(right))
    own = cli("library", "add", "10.5555/fine-paper", str(right), "--json")
    forced = cli("library", "add", "10.5555/closed-paper", str(right), "--force", "--json")

    assert (wrong.returncode, own.returncode, forced.returncode) == (2, 0, 0)
    assert "not this paper; it seems to be Tidal mixing" in wrong.stderr
    assert json.loads(own.stdout)["metadata"]["doiget"]["file_check"] == "confirmed"
    assert "file_check" not in json.loads(forced.stdout)["metadata"]["doiget"]


@pytest.mark.parametrize("body", [b"", b"<html>", b" %PDF-1.7"])
def test_what_is_no_pdf_is_refused_and_changes_nothing(cli, pdf, tmp_path, body):
    done = cli("library", "add", REF, pdf(body))

    assert done.returncode == 2
    assert "not a PDF" in done.stderr
    assert not (tmp_path / "papers").exists()


@pytest.mark.parametrize("name", ["missing.pdf", "."])
def test_what_is_no_file_is_refused(cli, name):
    done = cli("library", "add", REF, name)

    assert done.returncode == 2
    assert "not a regular file" in done.stderr


def test_tags_and_notes_are_kept_in_order_and_searched(cli, pdf):
    cli("library", "add", REF, pdf())
    cli(
        "library", "tag", REF, "--add", "thesis", "--add", "later", "--collection-add", "Chapter 2"
    )
    changed = cli(
        "library", "tag", REF, "--add", "thesis", "--add", "new", "--remove", "later", "--json"
    )
    noted = cli("library", "note", REF, "compare with giraffes", "--json")

    by_tag = json.loads(cli("library", "search", "thesis", "--json").stdout)
    by_note = cli("library", "search", "giraffes")
    cleared = cli("library", "note", REF, "--clear", "--json")

    assert json.loads(changed.stdout) == {
        "ok": True,
        "ref": REF,
        "tags": ["thesis", "new"],
        "collections": ["Chapter 2"],
    }
    assert json.loads(noted.stdout)["annotation"] == "compare with giraffes"
    assert [hit["safekey"] for hit in by_tag["results"]] == [KEY]
    assert "compare with giraffes" in by_note.stdout
    assert json.loads(cleared.stdout)["annotation"] is None


@pytest.mark.parametrize(
    "words",
    [
        ("tag", REF, "--add", "x"),
        ("note", REF, "x"),
    ],
)
def test_a_paper_that_is_not_there_cannot_be_labelled(cli, words, tmp_path):
    done = cli("library", *words)

    assert done.returncode == 4
    assert "STORE_ERROR" in done.stderr
    assert not (tmp_path / "papers" / ".metadata" / f"{KEY}.toml").exists()


@pytest.mark.parametrize(
    "words",
    [
        ("tag", REF, "--add", " "),
        ("tag", "nonsense", "--add", "x"),
        ("note", REF),
        ("note", REF, "x", "--clear"),
        ("note", REF, ""),
        ("search",),
    ],
)
def test_what_makes_no_sense_is_a_usage_error(cli, words):
    assert cli("library", *words).returncode == 2


def test_reindexing_counts_the_papers_and_names_what_cannot_be_read(cli, pdf, tmp_path):
    cli("library", "add", REF, pdf())
    (tmp_path / "papers" / ".metadata" / "broken.toml").write_text("title = [", encoding="utf-8")

    done = cli("library", "reindex")

    assert done.returncode == 0
    assert "the index has 1 paper\n" in done.stdout
    assert "broken" in done.stdout


def test_recent_papers_are_listed_and_an_empty_library_says_so(cli, pdf):
    empty = cli("library", "recent")
    cli("library", "add", REF, pdf())

    assert "empty" in empty.stdout
    assert REF in cli("library", "recent").stdout
    assert "not in the library" in cli("info", "10.1234/other").stdout


DOI, ARXIV = "10.5555/arxiv-pair", "2401.99901"


def test_entries_that_are_one_paper_are_named_and_merged(cli, tmp_path):
    """Two libraries are put into one folder; each has the paper under another id."""
    other = tmp_path / "other"
    cli("fetch", ARXIV)
    cli("fetch", DOI, DOIGET_STORE_ROOT=str(other))
    cli("library", "tag", ARXIV, "--add", "thesis")
    cli("library", "tag", DOI, "--add", "todo", DOIGET_STORE_ROOT=str(other))
    shutil.copytree(other, tmp_path / "papers", dirs_exist_ok=True)
    named = json.loads(cli("doctor", "--json").stdout)["findings"]

    merged = cli("library", "merge", "--json")

    keys = [f"arxiv_{ARXIV}", "doi_10.5555_arxiv-pair"]
    [finding] = [one for one in named if "one paper is stored as" in one["detail"]]
    assert all(key in finding["detail"] for key in keys)
    assert "library merge" in finding["advice"]
    assert json.loads(merged.stdout) == {
        "ok": True,
        "merged": [{"safekey": keys[0], "absorbed": keys[1:]}],
    }
    shown = [json.loads(cli("info", ref, "--json").stdout) for ref in (DOI, ARXIV)]
    assert {one["safekey"] for one in shown} == {keys[0]}
    assert {tuple(one["metadata"]["doiget"]["tags"]) for one in shown} == {("thesis", "todo")}
    assert len(json.loads(cli("library", "recent", "--json").stdout)["entries"]) == 1
    assert len(list((tmp_path / "papers").glob("*.pdf"))) == 2
    assert cli("log", "verify").returncode == 0
    assert "no paper is in the library twice" in cli("library", "merge").stdout


def test_versions_that_were_asked_for_are_not_merged(cli):
    cli("fetch", f"{ARXIV}v1")
    cli("fetch", f"{ARXIV}v3")

    merged = cli("library", "merge", "--json")

    assert json.loads(merged.stdout) == {"ok": True, "merged": []}
