"""Retraction notices about papers of the library, through every tool that shows a paper."""

import json
import re
import tomllib
from dataclasses import replace

import pytest

from sourcewright.stores.papers.metadata import entry_bytes, read_entry

pytestmark = pytest.mark.anyio

CROSSREF = "api.crossref.org"
RETRACTED = "10.5555/retracted-paper"
CLEAN = "10.5555/fine-paper"
LONG_AGO = "2025-03-04T05:06:07.000Z"


@pytest.fixture
def record(tmp_path):
    """The metadata file of a paper in the library."""
    return lambda ref: tmp_path / "papers" / ".metadata" / f"doi_{ref.replace('/', '_')}.toml"


@pytest.fixture
def rewritten(record):
    """Changes what the library holds of a paper, as another program would."""

    def rewrite(ref, **changes):
        path = record(ref)
        entry = read_entry(path.stem, path.read_bytes())
        changed = replace(entry, holding=replace(entry.holding, **changes))
        path.write_bytes(entry_bytes(changed))

    return rewrite


@pytest.fixture
def aged(rewritten):
    """Moves the last check for notices about a paper to another day."""
    return lambda ref, moment=LONG_AGO: rewritten(ref, notices_checked_at=moment)


@pytest.fixture
def reinstated(application, tmp_path):
    """Reads a local retraction list that says that a retraction was undone."""

    async def read(ref):
        path = tmp_path / "list.csv"
        path.write_text(
            "Record ID,Title,Reason,RetractionDate,RetractionDOI,OriginalPaperDOI,"
            "RetractionPubMedID,OriginalPaperPubMedID,RetractionNature\n"
            f"1,Bells,+Upgrade;,4/15/2021 0:00,10.5555/back,{ref},0,0,Reinstatement\n"
        )
        await (await application()).services.trust.retraction_lists.update(str(path))

    return read


def forgets(internet, ref):
    """Makes Crossref answer about a paper without its notices, as a stale cache does."""
    title = "Harbour bells cure insomnia: a randomised trial"
    message = {"DOI": ref, "title": [title], "type": "journal-article"}
    record = {"status": "ok", "message-type": "work", "message": message}
    nothing = {"total-results": 0, "items": []}
    internet.says(CROSSREF, record, path=f"/works/{ref}")
    listed = {"status": "ok", "message-type": "work-list", "message": nothing}
    internet.says(CROSSREF, listed, path="/works")


def held(path):
    return tomllib.loads(path.read_text())["doiget"]


@pytest.mark.promise("kept.notices-are-remembered")
async def test_a_notice_is_in_the_record_with_its_date_and_source(call, record):
    await call("doiget_fetch_paper", {"ref": RETRACTED})

    stored = held(record(RETRACTED))
    assert stored["notices_checked_by"] == ["crossref"]
    assert stored["notices_checked_at"].endswith("Z")
    assert stored["notices"][0] == {
        "kind": "retraction",
        "source": "crossref",
        "asserted_by": "publisher",
        "doi": "10.5555/retraction-notice",
        "date": "2018-02-14",
        "label": "Retraction",
    }


@pytest.mark.promise("kept.notices-are-remembered")
async def test_every_tool_that_shows_the_paper_shows_the_notice(call):
    fetched = await call("doiget_fetch_paper", {"ref": RETRACTED})
    batch = await call("doiget_batch_fetch", {"refs": [RETRACTED]})
    info = await call("doiget_info", {"ref": RETRACTED})
    place = await call("doiget_paper_pdf_path", {"ref": RETRACTED})
    found = await call("doiget_search_local", {"query": "harbour bells"})
    recent = await call("doiget_list_recent", {})
    graph = await call("doiget_expand_citation_graph", {"ref": RETRACTED})

    shown = [
        *(fetched, batch["results"][0], info, place),
        *(found["results"][0], recent["entries"][0], graph["nodes"][0]),
    ]
    assert fetched["integrity"]["status"] == "retracted"
    assert [one["integrity"] for one in shown] == [fetched["integrity"]] * len(shown)
    assert info["metadata"]["doiget"]["notices"][0]["kind"] == "retraction"


@pytest.mark.promise("kept.notices-are-remembered")
async def test_exports_carry_the_notice(call):
    await call("doiget_fetch_paper", {"ref": RETRACTED})

    bibtex = await call("doiget_bibtex_export", {"refs": [RETRACTED]})
    csl = await call("doiget_csl_export", {"refs": [RETRACTED]})

    words = (
        "Retracted 2018-02-14 (notice 10.5555/retraction-notice, "
        "according to publisher in crossref, retraction-watch in crossref)"
    )
    assert f"note       = {{{words}}}" in bibtex["entries"][0]["bibtex"]
    [item] = csl["entries"][0]["csl"]
    assert (item["status"], item["note"]) == ("retracted", words)


@pytest.mark.parametrize(
    ("ref", "status", "word"),
    [
        ("10.5555/partly-retracted-paper", "partially_retracted", "partially retracted"),
        ("10.5555/withdrawn-paper", "withdrawn", "withdrawn"),
        ("10.5555/removed-paper", "removed", "removed"),
        ("10.5555/concern-paper", "expression_of_concern", "expression of concern"),
        ("10.5555/corrected-paper", "corrected", "corrected"),
        ("10.5555/unlisted-retraction", "retracted", "retracted"),
        ("10.5555/corrected-then-retracted", "retracted", "retracted"),
    ],
)
@pytest.mark.promise("evidence.integrity-kinds-stay-distinct")
async def test_kinds_stay_apart_in_what_is_remembered(call, ref, status, word):
    await call("doiget_fetch_paper", {"ref": ref})

    info = await call("doiget_info", {"ref": ref})
    csl = await call("doiget_csl_export", {"refs": [ref]})

    assert info["integrity"]["status"] == status
    assert csl["entries"][0]["csl"][0]["status"] == word


@pytest.mark.promise("kept.none-is-not-unchecked")
async def test_a_paper_that_was_checked_and_found_clean_is_remembered_as_checked(call, record):
    first = await call("doiget_fetch_paper", {"ref": CLEAN})

    again = await call("doiget_fetch_paper", {"ref": CLEAN})
    csl = await call("doiget_csl_export", {"refs": [CLEAN]})

    assert again["integrity"] == first["integrity"]
    assert again["integrity"]["status"] == "no_notice_found"
    assert again["integrity"]["checked_at"] == held(record(CLEAN))["notices_checked_at"]
    assert not {"status", "note"} & csl["entries"][0]["csl"][0].keys()


@pytest.mark.promise("kept.none-is-not-unchecked")
async def test_a_paper_that_could_not_be_checked_is_never_called_clean(call, internet, record):
    internet.breaks(CROSSREF, status=503)

    fetched = await call("doiget_fetch_paper", {"ref": CLEAN})
    info = await call("doiget_info", {"ref": CLEAN})

    for answer in (fetched, info):
        assert answer["integrity"]["status"] == "unchecked"
        assert answer["integrity"]["checked_at"] is None
    assert fetched["integrity"]["note"] == "crossref could not be queried for notices"
    assert not {"notices", "notices_checked_at"} & held(record(CLEAN)).keys()


async def test_within_a_week_nobody_is_asked_again(call, internet):
    first = await call("doiget_fetch_paper", {"ref": RETRACTED})
    internet.forget()

    again = await call("doiget_fetch_paper", {"ref": RETRACTED})

    assert again["integrity"] == first["integrity"]
    assert again["attempts"] is None
    assert internet.seen == []


@pytest.mark.promise("kept.notices-are-remembered")
async def test_after_a_week_notices_are_looked_for_again_and_kept(call, internet, aged):
    await call("doiget_fetch_paper", {"ref": CLEAN})
    aged(CLEAN)
    internet.forget()

    again = await call("doiget_fetch_paper", {"ref": CLEAN})
    then = await call("doiget_info", {"ref": CLEAN})

    assert again["integrity"]["status"] == "no_notice_found"
    assert again["integrity"]["checked_at"] > LONG_AGO
    assert "note" not in again["integrity"]
    assert {"crossref"} <= {one["source"] for one in again["attempts"]}
    assert then["integrity"] == again["integrity"]
    assert again["pdf"]["reason"] == "already in the library"
    assert not internet.requests_to("journals.plos.org")


@pytest.mark.promise("kept.notices-are-remembered")
async def test_a_retraction_that_came_later_is_found_by_the_next_look(call, rewritten):
    await call("doiget_fetch_paper", {"ref": RETRACTED})
    rewritten(RETRACTED, notices=(), notices_checked_at=LONG_AGO)

    before = await call("doiget_info", {"ref": RETRACTED})
    await call("doiget_fetch_paper", {"ref": RETRACTED})
    after = await call("doiget_info", {"ref": RETRACTED})

    assert before["integrity"]["status"] == "no_notice_found"
    assert "days ago" in before["integrity"]["note"]
    assert after["integrity"]["status"] == "retracted"


@pytest.mark.parametrize("fault", ["500", "cut", "another shape"])
@pytest.mark.promise("kept.notices-are-remembered")
async def test_a_look_that_fails_leaves_the_notice_and_says_how_old_it_is(
    call, internet, record, aged, fault
):
    await call("doiget_fetch_paper", {"ref": RETRACTED})
    aged(RETRACTED)
    before = record(RETRACTED).read_text()
    _spoil(internet, fault)

    again = await call("doiget_fetch_paper", {"ref": RETRACTED})

    assert again["integrity"]["status"] == "retracted"
    assert again["integrity"]["checked_at"] == LONG_AGO
    assert "crossref" in again["integrity"]["note"]
    assert re.search(r"last checked \d+ days ago", again["integrity"]["note"])
    assert record(RETRACTED).read_text() == before


@pytest.mark.promise("kept.notices-are-remembered")
async def test_fetching_anew_while_nobody_can_be_asked_keeps_what_was_found(call, internet):
    first = await call("doiget_fetch_paper", {"ref": RETRACTED})
    internet.breaks(CROSSREF, status=503)

    forced = await call("doiget_fetch_paper", {"ref": RETRACTED, "force": True})
    kept = await call("doiget_metadata_only", {"ref": RETRACTED})
    resolved = await call("doiget_resolve_paper", {"ref": RETRACTED})

    for answer in (forced, kept, resolved):
        assert answer["integrity"]["notices"] == first["integrity"]["notices"]
        assert answer["integrity"]["checked_at"] == first["integrity"]["checked_at"]
        assert "crossref could not be queried for notices" in answer["integrity"]["note"]


@pytest.mark.promise("kept.notices-are-remembered")
async def test_an_answer_without_the_notice_does_not_erase_it(call, internet, record, aged):
    first = await call("doiget_fetch_paper", {"ref": RETRACTED})
    found_at = first["integrity"]["checked_at"]
    aged(RETRACTED)
    forgets(internet, RETRACTED)

    resolved = await call("doiget_resolve_paper", {"ref": RETRACTED})
    again = await call("doiget_fetch_paper", {"ref": RETRACTED})
    forced = await call("doiget_fetch_paper", {"ref": RETRACTED, "force": True})
    then = await call("doiget_info", {"ref": RETRACTED})

    for answer in (resolved, again, forced, then):
        seen = answer["integrity"]
        assert seen["status"] == "retracted"
        assert [one["last_reported"] for one in seen["notices"]] == [LONG_AGO, LONG_AGO]
        assert (
            f"crossref no longer lists the retraction that it listed on {LONG_AGO[:10]}"
            in (seen["note"])
        )
    assert then["integrity"]["checked_at"] >= found_at
    assert held(record(RETRACTED))["notices"][0]["last_reported"] == LONG_AGO


@pytest.mark.promise("kept.notices-are-remembered")
async def test_a_notice_that_is_listed_again_is_as_it_was(call, internet, aged):
    first = await call("doiget_fetch_paper", {"ref": RETRACTED})
    aged(RETRACTED)
    forgets(internet, RETRACTED)
    await call("doiget_fetch_paper", {"ref": RETRACTED})
    aged(RETRACTED)
    internet.mends(CROSSREF)

    again = await call("doiget_fetch_paper", {"ref": RETRACTED})

    assert again["integrity"]["notices"] == first["integrity"]["notices"]
    assert "note" not in again["integrity"]


async def test_a_retraction_that_was_undone_does_not_stay(call, internet, aged, reinstated):
    await call("doiget_fetch_paper", {"ref": RETRACTED})
    aged(RETRACTED)
    forgets(internet, RETRACTED)
    await reinstated(RETRACTED)

    again = await call("doiget_fetch_paper", {"ref": RETRACTED})
    then = await call("doiget_info", {"ref": RETRACTED})

    assert again["integrity"]["status"] == "no_notice_found"
    assert "reinstated on 2021-04-15" in again["integrity"]["note"]
    assert then["integrity"]["notices"] == []


@pytest.mark.promise("kept.none-is-not-unchecked")
async def test_a_record_of_an_older_version_is_read_and_checked_at_the_next_fetch(
    call, record, rewritten
):
    await call("doiget_fetch_paper", {"ref": RETRACTED})
    rewritten(RETRACTED, notices=(), notices_checked_at=None, notices_checked_by=())

    before = await call("doiget_list_recent", {})
    fetched = await call("doiget_fetch_paper", {"ref": RETRACTED})

    assert before["entries"][0]["integrity"]["status"] == "unchecked"
    assert fetched["integrity"]["status"] == "retracted"
    assert held(record(RETRACTED))["notices"]


@pytest.mark.parametrize("moment", ["3025-01-01T00:00:00Z", "yesterday", "2020-01-01"])
async def test_a_time_that_cannot_be_does_not_stop_the_next_look(call, aged, moment):
    await call("doiget_fetch_paper", {"ref": CLEAN})
    aged(CLEAN, moment)

    again = await call("doiget_fetch_paper", {"ref": CLEAN})

    assert again["integrity"]["checked_at"] != moment
    assert again["integrity"]["checked_by"] == ["crossref"]


async def test_an_arxiv_paper_is_checked_by_arxiv_and_says_so(call):
    result = await call("doiget_fetch_paper", {"ref": "2401.99901"})

    assert result["integrity"]["checked_by"] == ["arxiv"]
    assert result["integrity"]["status"] == "no_notice_found"


async def test_another_process_finds_the_notice_in_the_index(call, shelve_text):
    shelve_text(
        "doi_10.1234_bears",
        "[doiget]\\nsource = 'x'\\nnotices = [{kind = 'correction', source = 'hand'}]\\n",
    )

    recent = await call("doiget_list_recent", {})

    assert recent["entries"][0]["integrity"]["status"] == "corrected"
    assert recent["entries"][0]["integrity"]["checked_at"] is None


@pytest.mark.parametrize(
    "notices", ["1", "[1]", "[{kind = 'retraction'}]", "[{kind = 'bad', source = 'x'}]"]
)
async def test_notices_that_cannot_be_read_make_the_record_unreadable(call, shelve_text, notices):
    shelve_text("doi_10.1234_bears", f"[doiget]\\nnotices = {notices}\\n")

    result = await call("doiget_info", {"ref": "10.1234/bears"})

    assert result["error"]["code"] == "STORE_ERROR"
    assert "notices is not a list" in result["error"]["message"]


@pytest.fixture
def shelve_text(tmp_path):
    """Writes a metadata file by hand."""

    def write(key, text):
        path = tmp_path / "papers" / ".metadata" / f"{key}.toml"
        path.parent.mkdir(parents=True, exist_ok=True)
        head = "schema_version = '1.0'\ntitle = 'Bears'\nauthors = []\n"
        path.write_text(head + text.replace("\\n", "\n"))

    return write


def _spoil(internet, fault):
    if fault == "cut":
        internet.cuts(CROSSREF)
    elif fault == "another shape":
        internet.says(CROSSREF, json.loads('{"moved": true}'))
    else:
        internet.breaks(CROSSREF, status=int(fault))


@pytest.mark.promise("absence.needs-every-source")
async def test_what_arxiv_alone_was_asked_about_is_asked_of_crossref_when_the_doi_is_meant(call):
    preprint = await call("doiget_fetch_paper", {"ref": "2401.99901"})

    paper = await call("doiget_fetch_paper", {"ref": "10.5555/arxiv-pair"})

    assert preprint["integrity"]["checked_by"] == ["arxiv"]
    assert paper["integrity"]["checked_by"] == ["crossref"]
