"""`sourcewright bib` and `sourcewright csl`, as a person runs them."""

import asyncio
import json

import pytest
from pybtex.database import parse_string

from sourcewright.base.clocks import SystemClock
from sourcewright.references.entries import Acquisition, Entry
from sourcewright.settings import Settings
from sourcewright.stores.papers.store import PaperStore

BEARS = "10.5555/bears"
BEES = "10.5555/bees"


def entry(key, **fields):
    holding = Acquisition(fetched_at="2025-03-04T05:06:07Z", source="crossref")
    return Entry(key=key, holding=holding, authors=("Bär, Åsa",), year=2019, **fields)


@pytest.fixture
def library(environment, tmp_path):
    root = Settings.load(environment, cwd=tmp_path).store_root

    async def fill():
        store = PaperStore(root, clock=SystemClock(), sandbox=True)
        await store.save(entry("doi_10.5555_bees", title="On bees", doi=BEES))
        await store.save(entry("doi_10.5555_bears", title="On bears", doi=BEARS))
        await store.aclose()

    asyncio.run(fill())
    return root


def keys_in(text):
    return list(parse_string(text, "bibtex").entries)


@pytest.mark.usefixtures("library")
def test_one_paper_is_written_as_bibtex(cli):
    done = cli("bib", BEARS)

    assert (done.returncode, done.stderr) == (0, "")
    assert keys_in(done.stdout) == ["doi_10.5555_bears"]


@pytest.mark.usefixtures("library")
def test_the_whole_library_is_written_in_the_order_of_its_keys(cli):
    done = cli("bib", "--all", "--key-template", "{author}{year}")

    assert done.returncode == 0, done.stderr
    assert keys_in(done.stdout) == ["bar2019", "bar2019a"]
    assert done.stdout.index("bears") < done.stdout.index("bees")


def test_an_empty_library_is_written_as_nothing(cli):
    done = cli("bib", "--all")

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.usefixtures("library")
def test_the_papers_of_a_bibliography_are_written_and_the_others_told(cli, tmp_path):
    (tmp_path / "old.bib").write_text(
        "@book{nameless, title={x}}\n@article{a, doi={10.5555/bees}}\n@article{b, doi={10.5555/no}}",
        encoding="utf-8",
    )

    done = cli("csl", "--from-file", "old.bib")

    assert done.returncode == 2
    assert [item["DOI"] for item in json.loads(done.stdout)] == [BEES]
    assert "old.bib, line 1: nameless: it has no DOI" in done.stderr
    assert "10.5555/no is not in the library" in done.stderr


@pytest.mark.usefixtures("library")
def test_papers_are_written_as_one_list_of_items(cli):
    done = cli("csl", BEES, BEARS, BEES)

    assert done.returncode == 0, done.stderr
    assert [item["id"] for item in json.loads(done.stdout)] == [
        "doi_10.5555_bees",
        "doi_10.5555_bears",
    ]


@pytest.mark.usefixtures("library")
def test_a_paper_that_is_not_there_is_told_and_the_rest_is_written(cli):
    done = cli("bib", "10.5555/absent", BEARS)

    assert done.returncode == 1
    assert keys_in(done.stdout) == ["doi_10.5555_bears"]
    assert "error[NOT_FOUND]: 10.5555/absent is not in the library" in done.stderr


def test_a_damaged_file_is_told_and_the_rest_is_written(cli, library):
    (library / ".metadata" / "doi_10.5555_damaged.toml").write_text("= = =", encoding="utf-8")

    done = cli("bib", "--all")

    assert done.returncode == 4
    assert len(keys_in(done.stdout)) == 2
    assert "error[STORE_ERROR]" in done.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["bib"], "give references, --all or --from-file"),
        (["bib", BEARS, "--all"], "give references, --all or --from-file"),
        (["csl", "nonsense"], "error[INVALID_REF]"),
        (["bib", "--all", "--key-template", "{nobody}"], "key template has no field {nobody}"),
        (["csl", "--from-file", "absent.bib"], "absent.bib"),
    ],
)
def test_what_makes_no_sense_is_refused_with_the_reason(cli, words, message):
    done = cli(*words)

    assert done.returncode == 2
    assert message in done.stderr
