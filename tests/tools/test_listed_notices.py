"""The local retraction list, as the tools of the library and academic_search show it."""

import pytest

pytestmark = pytest.mark.anyio

FINE, NOTICE = "10.5555/fine-paper", "10.7777/the-notice"
COLUMNS = "Record ID,Title,Reason,RetractionDate,RetractionDOI,OriginalPaperDOI,OriginalPaperPubMedID,RetractionNature"


@pytest.fixture
async def app(application):
    return await application()


@pytest.fixture
def list_says(app, tmp_path):
    """Reads a list with one row about the sound paper of the world."""

    async def read(nature, doi=FINE, notice=NOTICE):
        path = tmp_path / "list.csv"
        row = f"1,Tidal mixing,+Error in Data;,4/15/2021 0:00,{notice},{doi},0,{nature}"
        path.write_text(f"{COLUMNS}\n{row}\n", encoding="utf-8")
        await app.services.trust.retraction_lists.update(str(path))

    return read


@pytest.mark.parametrize(
    ("nature", "status", "kind"),
    [
        ("Retraction", "retracted", "retraction"),
        ("Expression of concern", "expression_of_concern", "expression_of_concern"),
        ("Correction", "corrected", "correction"),
    ],
)
async def test_a_resolved_paper_has_the_notice_of_the_list(app, list_says, nature, status, kind):
    await list_says(nature)

    answer = (await app.call("doiget_resolve_paper", {"ref": FINE})).structured

    assert answer["integrity"]["status"] == status
    [notice] = answer["integrity"]["notices"]
    assert (notice["kind"], notice["source"], notice["doi"]) == (kind, "retraction-watch", NOTICE)
    assert "retraction-watch" in answer["integrity"]["checked_by"]


async def test_without_a_list_nothing_changes(app):
    answer = (await app.call("doiget_resolve_paper", {"ref": FINE})).structured

    assert answer["integrity"]["status"] == "no_notice_found"
    assert "retraction-watch" not in answer["integrity"]["checked_by"]


async def test_a_stored_paper_shows_a_list_that_was_read_later_without_a_request(
    app, list_says, internet
):
    await app.call("doiget_fetch_paper", {"ref": FINE})
    await list_says("Retraction")
    internet.forget()

    info = (await app.call("doiget_info", {"ref": FINE})).structured
    path = (await app.call("doiget_paper_pdf_path", {"ref": FINE})).structured

    assert not internet.seen
    assert info["integrity"]["status"] == path["integrity"]["status"] == "retracted"


async def test_a_fetched_paper_keeps_the_notice_of_the_list(app, list_says):
    await list_says("Retraction")

    answer = (await app.call("doiget_fetch_paper", {"ref": FINE})).structured

    assert answer["integrity"]["status"] == "retracted"


async def test_the_notice_itself_is_not_retracted(app, list_says):
    await list_says("Retraction", doi="10.7777/another", notice=FINE)

    answer = (await app.call("doiget_resolve_paper", {"ref": FINE})).structured

    assert answer["integrity"]["status"] == "no_notice_found"


async def test_a_search_shows_the_list_although_the_deciding_index_fails(app, list_says, spoil):
    await list_says("Retraction")
    spoil("api.crossref.org", "500")

    answer = (
        await app.call("academic_search", {"query": "Tidal mixing and the memory of estuaries"})
    ).structured

    [paper] = [one for one in answer["papers"] if one.get("doi") == FINE]
    assert paper["retractionStatus"]["retracted"] is True
    assert paper["retractionStatus"]["noticeDoi"] == NOTICE
