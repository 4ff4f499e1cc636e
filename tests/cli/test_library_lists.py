"""Lists of the library by tag and collection, of any length, and exports of what they have."""

import json

import pytest

from sourcewright.references.entries import Acquisition, Entry
from sourcewright.stores.papers.metadata import entry_bytes

MANY = 450


@pytest.fixture
def shelve(tmp_path):
    def write(number, *, tags=(), collections=(), **fields):
        holding = Acquisition(
            fetched_at=f"2026-01-01T00:{number // 60:02}:{number % 60:02}Z",
            source="crossref",
            tags=tags,
            collections=collections,
        )
        doi = f"10.5555/n{number}"
        key = f"doi_10.5555_n{number}"
        known = {"title": f"Tides, part {number}", "authors": ("Moon, Ann",), "doi": doi}
        path = tmp_path / "papers" / ".metadata" / f"{key}.toml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(entry_bytes(Entry(key=key, holding=holding, **{**known, **fields})))

    return write


@pytest.fixture
def library(shelve):
    for number in range(MANY):
        shelve(
            number,
            tags=("Thesis",) if number % 90 == 0 else (),
            collections=("Chapter 2",) if number % 60 == 0 else (),
        )


def listed(done, name="entries"):
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["count"] == len(answer[name])
    return [paper["doi"] for paper in answer[name]]


@pytest.mark.usefixtures("library")
def test_a_limit_above_two_hundred_gives_so_many(cli):
    recent = listed(cli("library", "recent", "--limit", "430", "--json"))
    rest = listed(cli("library", "recent", "--offset", "430", "--limit", "500", "--json"))
    found = listed(cli("library", "search", "tides", "--limit", "430", "--json"), "results")

    assert len(recent) == len(set(recent)) == 430
    assert len(rest) == 20
    assert not set(rest) & set(recent)
    assert len(found) == len(set(found)) == 430


@pytest.mark.usefixtures("library")
def test_papers_are_listed_by_tag_and_collection_in_any_case(cli):
    by_tag = listed(cli("library", "list", "--tag", "thesis", "--json"))
    both = listed(cli("library", "list", "--tag", "THESIS", "--collection", "chapter 2", "--json"))
    none = cli("library", "list", "--tag", "thes")
    tags = json.loads(cli("library", "tags", "--json").stdout)["labels"]

    assert by_tag == [f"10.5555/n{n}" for n in (360, 270, 180, 90, 0)]
    assert both == ["10.5555/n360", "10.5555/n180", "10.5555/n0"]
    assert "no such paper" in none.stdout
    assert tags == [
        {"kind": "tag", "name": "Thesis", "papers": 5},
        {"kind": "collection", "name": "Chapter 2", "papers": 8},
    ]


@pytest.mark.usefixtures("library")
def test_a_tool_says_that_its_limit_was_too_high(cli):
    done = cli("tool", "doiget_list_recent", "--limit", "500", "--json")

    answer = json.loads(done.stdout)
    assert (answer["count"], answer["total"]) == (200, MANY)
    assert "continue with offset 200" in answer["note"]


def test_tags_that_were_changed_are_listed_as_they_are(cli, shelve):
    shelve(1, tags=("old",))
    listed(cli("library", "list", "--tag", "old", "--json"))

    cli("library", "tag", "10.5555/n1", "--add", "new", "--remove", "old")

    assert listed(cli("library", "list", "--tag", "old", "--json")) == []
    assert listed(cli("library", "list", "--tag", "new", "--json")) == ["10.5555/n1"]


@pytest.mark.parametrize("command", ["bib", "csl", "ris"])
def test_a_collection_is_exported(cli, shelve, command):
    shelve(1, collections=("A",))
    shelve(2, collections=("A", "B"))
    shelve(3)

    done = cli(command, "--collection", "a")
    narrow = cli(command, "--collection", "a", "--collection", "B")
    unclear = cli(command, "--collection", "A", "--all")

    assert (done.returncode, unclear.returncode) == (0, 2)
    assert [f"10.5555/n{n}" in done.stdout for n in (1, 2, 3)] == [True, True, False]
    assert [f"10.5555/n{n}" in narrow.stdout for n in (1, 2, 3)] == [False, True, False]


def test_keywords_abstract_and_file_are_exported(cli, tmp_path):
    cli("fetch", "10.5555/fine-paper")
    cli("library", "tag", "10.5555/fine-paper", "--add", "my thesis")
    path = tmp_path / "papers" / "doi_10.5555_fine-paper.pdf"

    bib = cli("bib", "--all").stdout
    ris = cli("ris", "--all").stdout

    assert f"  file       = {{{path}}}," in bib
    assert "my thesis" in bib.partition("keywords")[2].partition("\n")[0]
    assert f"\nL1  - {path}\n" in ris
    assert "\nKW  - my thesis\n" in ris
    assert ris.startswith("TY  - JOUR\n")
    assert ris.rstrip().endswith("ER  -")


def test_an_abstract_and_its_signs_are_exported(cli, shelve):
    shelve(1, abstract="50 % of {all} tides & more", keywords=("sea", "moon"))

    bib = cli("bib", "10.5555/n1").stdout
    ris = cli("ris", "10.5555/n1").stdout

    assert "sea, moon" in bib
    assert r"50 \% of" in bib
    assert "\nAB  - 50 % of {all} tides & more\n" in ris
    assert "\nKW  - sea\nKW  - moon\n" in ris


def test_a_file_that_is_gone_or_has_changed_is_named_in_exports(cli, tmp_path):
    cli("fetch", "10.5555/fine-paper")
    path = tmp_path / "papers" / "doi_10.5555_fine-paper.pdf"
    path.write_bytes(b"%PDF-1.7")
    changed = cli("bib", "--all")
    path.unlink()

    gone = cli("bib", "--all")

    assert "has changed since it was stored" in changed.stderr
    assert "is missing" in gone.stderr
    assert "file " not in gone.stdout
