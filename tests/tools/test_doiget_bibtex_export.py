"""doiget_bibtex_export, through the whole pipeline, over a library on disk."""

import pytest
from pybtex.database import parse_string

from sourcewright.base.clocks import SystemClock
from sourcewright.references.entries import Acquisition, Entry
from sourcewright.settings import Settings
from sourcewright.stores.papers.store import PaperStore

pytestmark = pytest.mark.anyio

TOOL = "doiget_bibtex_export"
BEARS = "10.5555/bears"
PREPRINT = "2401.00001"


def entry(key, **fields):
    holding = Acquisition(fetched_at="2025-03-04T05:06:07Z", source="crossref")
    return Entry(key=key, holding=holding, **fields)


@pytest.fixture
async def library(environment, tmp_path):
    """Two papers, and one whose file is damaged."""
    root = Settings.load(environment, cwd=tmp_path).store_root
    store = PaperStore(root, clock=SystemClock(), sandbox=True)
    authors = ("Bär, Åsa", "World Health Organization")
    for paper in (
        entry(
            "doi_10.5555_bears",
            title="Bears & {bees} of 100%",
            authors=authors,
            year=2019,
            doi=BEARS,
            venue="Journal of Bears",
            type="journal-article",
        ),
        entry("arxiv_2401.00001", title="More", authors=authors, year=2019, arxiv_id=PREPRINT),
    ):
        await store.save(paper)
    await store.aclose()
    (root / ".metadata" / "doi_10.5555_damaged.toml").write_text("= = =", encoding="utf-8")


@pytest.mark.usefixtures("library")
async def test_a_paper_of_the_library_is_written_so_that_others_can_read_it(call):
    result = await call(TOOL, {"refs": ["https://doi.org/10.5555/BEARS"]})

    (one,) = result["entries"]
    read = parse_string(one["bibtex"], "bibtex").entries["doi_10.5555_bears"]
    assert result["ok"] is True
    assert (one["ref"], one["safekey"]) == ("https://doi.org/10.5555/BEARS", "doi_10.5555_bears")
    assert (read.type, read.fields["doi"]) == ("article", BEARS)
    assert [str(person) for person in read.persons["author"]] == [
        "Bär, Åsa",
        "{World Health Organization}",
    ]


@pytest.mark.usefixtures("library")
async def test_every_reference_has_its_answer_in_the_order_asked(call):
    refs = ["10.5555/absent", "nonsense", BEARS, "10.5555/damaged", f"arXiv:{PREPRINT}", BEARS]

    entries = (await call(TOOL, {"refs": refs}))["entries"]

    absent, nonsense, bears, damaged, preprint, again = entries
    assert [one["ref"] for one in entries] == refs
    assert (absent["safekey"], absent["bibtex"]) == ("doi_10.5555_absent", None)
    assert nonsense["error"]["code"] == "INVALID_REF"
    assert damaged["error"]["code"] == "STORE_ERROR"
    assert bears == again
    assert preprint["bibtex"].startswith("@misc{arxiv_2401.00001,")


@pytest.mark.usefixtures("library")
async def test_keys_follow_the_template_and_are_never_the_same(call):
    result = await call(TOOL, {"refs": [BEARS, PREPRINT], "key_template": "{author}{year}"})

    starts = [one["bibtex"].partition(",")[0] for one in result["entries"]]
    assert starts == ["@article{bar2019", "@misc{bar2019a"]


@pytest.mark.usefixtures("library")
async def test_a_pubmed_id_is_refused_with_the_tool_that_knows_it(call):
    (one,) = (await call(TOOL, {"refs": ["PMID: 123"]}))["entries"]

    assert one["error"]["code"] == "INVALID_REF"
    assert "doiget_resolve_paper" in one["error"]["message"]


@pytest.mark.parametrize(
    "arguments",
    [
        {"refs": [BEARS] * 201},
        {"refs": []},
        {"refs": BEARS},
        {"refs": [7]},
        {"refs": [BEARS], "key_template": "{nobody}"},
    ],
)
async def test_a_call_that_asks_too_much_or_nothing_is_refused_whole(call, arguments):
    result = await call(TOOL, arguments)

    assert (result["ok"], result["error"]["code"]) == (False, "INVALID_REF")


@pytest.mark.usefixtures("library")
async def test_two_hundred_references_are_not_too_many(call):
    result = await call(TOOL, {"refs": [BEARS] * 200})

    assert len(result["entries"]) == 200


@pytest.mark.usefixtures("library")
async def test_nobody_is_asked_and_nothing_is_changed(call, internet, tmp_path):
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.toml")}

    await call(TOOL, {"refs": [BEARS, "10.5555/absent"]})

    assert internet.seen == []
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.toml")} == before


async def test_the_isbn_and_the_suffix_of_a_name_are_in_every_export(call, internet):
    record = {
        "DOI": "10.5555/a-book",
        "type": "book",
        "title": ["A book of tides"],
        "author": [{"given": "Martin", "family": "King", "suffix": "Jr."}],
        "issued": {"date-parts": [[2019]]},
        "ISBN": ["http://id.crossref.org/isbn/9783161484100"],
    }
    answer = {"status": "ok", "message-type": "work", "message": record}
    internet.says("api.crossref.org", answer, path="/works/10.5555/a-book")

    await call("doiget_metadata_only", {"ref": "10.5555/a-book"})
    (bibtex,) = (await call(TOOL, {"refs": ["10.5555/a-book"]}))["entries"]
    (csl,) = (await call("doiget_csl_export", {"refs": ["10.5555/a-book"]}))["entries"]

    read = parse_string(bibtex["bibtex"], "bibtex").entries["doi_10.5555_a-book"]
    assert read.fields["isbn"] == "9783161484100"
    assert [str(person) for person in read.persons["author"]] == ["King, Jr., Martin"]
    (item,) = csl["csl"]
    assert item["ISBN"] == "9783161484100"
    assert item["author"] == [{"family": "King", "given": "Martin", "suffix": "Jr."}]
