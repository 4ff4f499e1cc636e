"""paper_metadata, through the whole pipeline, in a world with faults."""

import json

import pytest

from sourcewright.world.corpus.ids import pmcid, pmid

pytestmark = pytest.mark.anyio

TOOL = "paper_metadata"
CROSSREF, UNPAYWALL = "api.crossref.org", "api.unpaywall.org"
DATACITE, DOI_ORG = "api.datacite.org", "doi.org"
ARXIV, PUBMED = "export.arxiv.org", "eutils.ncbi.nlm.nih.gov"
MIRRORED = {
    "SCIHUB_MIRRORS": "https://mirror.shadow.example",
    "SCIHUB_ACCEPT_RESPONSIBILITY": "1",
}
FINE, CLOSED, UNKNOWN = "10.5555/fine-paper", "10.5555/closed-paper", "10.1234/nonexistent"
UNCHECKED, ABSENT = "Metadata could not be checked", "Metadata not available"
FAULTS = ("500", "429", "403", "cut", "unplugged", "a page", "another shape", "private")


def details_of(result, source):
    return [one["said"] for one in result.structured["checked"] if one["source"] == source]


async def test_each_field_says_whose_word_it_is(answer, internet, kept):
    result = await answer(TOOL, {"identifier": FINE})

    reply = result.structured
    assert json.loads(result.text) == reply
    assert (reply["doi"], reply["year"], reply["is_oa"]) == (FINE, 2019, True)
    assert reply["authors"][0].startswith("Okonkwo, ")
    assert reply["available_sources"] == ["Unpaywall"]
    assert (reply["field_sources"]["title"], reply["field_sources"]["pages"]) == (
        "unpaywall",
        "crossref",
    )
    assert set(reply["field_sources"]) <= set(reply)
    assert reply["field_sources"]["is_oa"] == "unpaywall"
    # Its record, and the notices that only refer to it.
    assert sorted(seen.host for seen in internet.seen) == [CROSSREF, CROSSREF, UNPAYWALL]
    assert reply["integrity"] == "no_notice_found"
    assert kept() == []


@pytest.mark.parametrize("fault", FAULTS)
async def test_without_unpaywall_nobody_can_say_whether_it_is_open(answer, spoil, fault):
    spoil(UNPAYWALL, fault)

    result = await answer(TOOL, {"identifier": FINE})

    reply = result.structured
    assert not result.is_error
    assert (reply["year"], reply["is_oa"], reply["available_sources"]) == (2019, None, [])
    assert set(reply["field_sources"].values()) == {"crossref"}
    assert details_of(result, "Unpaywall")[0] not in {"answered", "no record"}


@pytest.mark.parametrize("fault", FAULTS)
async def test_without_crossref_unpaywall_s_word_stands(answer, spoil, fault):
    spoil(CROSSREF, fault)

    result = await answer(TOOL, {"identifier": FINE})

    reply = result.structured
    assert not result.is_error
    assert (reply["title"], reply["year"], reply["is_oa"]) == (
        "Tidal mixing and the memory of estuaries",
        2019,
        True,
    )
    assert set(reply["field_sources"].values()) == {"unpaywall"}
    assert "pages" not in reply
    assert reply["integrity"] == "unchecked"


@pytest.mark.promise("absence.needs-every-source")
@pytest.mark.parametrize("fault", ["500", "429", "a page", "another shape", "private"])
@pytest.mark.parametrize("host", [CROSSREF, DATACITE, DOI_ORG])
async def test_could_not_ask_is_not_unknown(answer, spoil, host, fault):
    spoil(host, fault)

    result = await answer(TOOL, {"identifier": UNKNOWN})

    reply = json.loads(result.text)
    assert result.is_error
    assert reply["error"] != ABSENT
    assert "could not be checked" in reply["detail"]
    assert (reply["doi"], reply["available_sources"]) == (UNKNOWN, [])


async def test_with_nobody_there_to_ask_it_says_when_to_come_back(answer, internet):
    internet.breaks("*", status=429, retry_after=120)

    result = await answer(TOOL, {"identifier": FINE})

    assert (result.structured["error"], result.structured["retryable"]) == (UNCHECKED, True)
    assert "Try again in 120 s" in result.structured["suggestions"][0]


async def test_an_unknown_doi_is_unknown_to_everybody_who_was_asked(answer):
    result = await answer(TOOL, {"identifier": UNKNOWN})

    reply = result.structured
    assert (reply["error"], reply["retryable"]) == (ABSENT, False)
    assert {one["said"] for one in reply["checked"]} == {"no record"}
    assert not any("paper_metadata" in advice for advice in reply["suggestions"])


async def test_a_doi_of_datacite_is_described_by_datacite(answer):
    result = await answer(TOOL, {"identifier": "10.99101/harbour.dataset"}, **MIRRORED)

    reply = result.structured
    assert (reply["year"], reply["publisher"]) == (2021, "Harbour Data Archive")
    assert set(reply["field_sources"].values()) == {"datacite"}
    assert (reply["is_oa"], reply["available_sources"]) == (None, [])


async def test_a_doi_that_is_only_registered_is_not_unknown(answer):
    result = await answer(TOOL, {"identifier": "10.99201/kakuu.2020.1"})

    assert not result.is_error
    assert result.structured["title"] is None
    assert details_of(result, "DOI system") == ["answered"]


@pytest.mark.parametrize(
    "identifier", ["2401.99901", "arXiv:2401.99901v2", "https://arxiv.org/abs/2401.99901"]
)
async def test_an_arxiv_paper_goes_by_arxiv_s_own_doi(answer, identifier):
    result = await answer(TOOL, {"identifier": identifier}, **MIRRORED)

    reply = result.structured
    assert (reply["doi"], reply["year"]) == ("10.48550/arxiv.2401.99901", 2024)
    assert (reply["is_oa"], reply["available_sources"]) == (True, ["arXiv"])


@pytest.mark.parametrize(
    ("identifier", "error"),
    [("2401.00000", ABSENT), ("https://pubmed.ncbi.nlm.nih.gov/99999999/", ABSENT)],
)
async def test_a_number_that_its_catalogue_does_not_know_is_unknown(answer, identifier, error):
    result = await answer(TOOL, {"identifier": identifier})

    assert result.structured["error"] == error


@pytest.mark.parametrize("fault", ["500", "429", "private"])
@pytest.mark.parametrize(
    ("host", "identifier"),
    [
        (ARXIV, "2401.00000"),
        (PUBMED, "https://pubmed.ncbi.nlm.nih.gov/99999999/"),
        ("signposts.example", "https://signposts.example/article/1"),
    ],
)
async def test_a_silent_catalogue_says_nothing(answer, spoil, host, identifier, fault):
    spoil(host, fault)

    result = await answer(TOOL, {"identifier": identifier})

    assert result.structured["error"] == UNCHECKED


async def test_the_page_that_named_an_unknown_doi_stays_in_the_account(answer, internet):
    head = f'<head><meta name="citation_doi" content="{UNKNOWN}"></head>'
    internet.says("signposts.example", head.encode(), content_type="text/html")

    result = await answer(TOOL, {"identifier": "https://signposts.example/article/1"})

    assert result.structured["error"] == ABSENT
    assert details_of(result, "Web page")[0].startswith("answered (https://signposts.example/")


@pytest.mark.parametrize(
    ("paper", "changes", "available"),
    [
        (CLOSED, {}, []),
        (CLOSED, MIRRORED, ["Sci-Hub"]),
        ("10.5555/of-2013", MIRRORED, ["Unpaywall", "Sci-Hub"]),
        ("10.5555/of-2023", MIRRORED, ["Unpaywall"]),
        ("10.5555/no-year", MIRRORED, []),
        ("10.5555/arxiv-pair", {}, ["Unpaywall", "arXiv"]),
    ],
)
async def test_nobody_is_named_who_would_not_have_it(answer, internet, paper, changes, available):
    result = await answer(TOOL, {"identifier": paper}, **changes)

    assert result.structured["available_sources"] == available
    assert len(internet.seen) <= 3


@pytest.mark.promise("kept.notices-are-remembered")
@pytest.mark.parametrize("fault", FAULTS)
async def test_what_the_library_knows_against_a_paper_is_told(answer, spoil, fault):
    await answer("doiget_fetch_paper", {"ref": "10.5555/retracted-paper"})
    spoil(CROSSREF, fault)

    result = await answer(TOOL, {"identifier": "10.5555/retracted-paper"})

    assert result.structured["integrity"] == "retracted"
    assert "could not be queried for notices; as of 20" in result.structured["integrity_note"]


async def test_a_library_that_cannot_be_read_is_noted_and_no_obstacle(answer, tmp_path):
    paper = tmp_path / "papers" / ".metadata" / "doi_10.5555_fine-paper.toml"
    paper.parent.mkdir(parents=True)
    paper.write_text("schema_version = ")

    result = await answer(TOOL, {"identifier": FINE})

    assert result.structured["integrity"] == "no_notice_found"
    assert "the library could not be read" in result.structured["integrity_note"]


@pytest.mark.promise("kept.notices-are-remembered")
async def test_a_record_without_the_notice_does_not_speak_for_the_paper(answer, internet):
    paper = "10.5555/retracted-paper"
    await answer("doiget_fetch_paper", {"ref": paper})
    record = {"DOI": paper, "title": ["Harbour bells"], "type": "journal-article"}
    nothing = {"total-results": 0, "items": []}
    for path, kind, message in (("/works/*", "work", record), ("/works", "work-list", nothing)):
        answer_of = {"status": "ok", "message-type": kind, "message": message}
        internet.says(CROSSREF, answer_of, path=path)

    result = await answer(TOOL, {"identifier": paper})

    assert result.structured["integrity"] == "retracted"
    assert "crossref no longer lists the retraction" in result.structured["integrity_note"]


@pytest.mark.parametrize("paper", ["10.5555/retracted-paper", "10.5555/unlisted-retraction"])
async def test_what_is_known_against_a_paper_is_told(answer, paper):
    result = await answer(TOOL, {"identifier": paper})

    assert result.structured["integrity"] == "retracted"


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"identifier": 7},
        {"identifier": "10.1"},
        {"identifier": "x" * 501},
        {"identifier": FINE, "output_dir": "downloads"},
        {"identifier": "no paper at all"},
    ],
)
async def test_arguments_without_a_meaning_are_told_apart_from_absence(
    answer, internet, arguments
):
    result = await answer(TOOL, arguments)

    reply = json.loads(result.text)
    assert result.is_error
    assert (reply["error"], reply["available_sources"]) == ("Invalid input", [])
    assert internet.seen == []


@pytest.mark.parametrize("tool", [TOOL, "paper_download", "paper_batch_download"])
@pytest.mark.parametrize("way", ["doi", "pmid", "pmc", "page", "arxiv"])
async def test_every_failure_says_which_paper_it_was(answer, internet, tool, way):
    work = internet.corpus.by_doi(FINE)
    named = {
        "doi": (f"https://doi.org/{FINE.upper()}", FINE),
        "pmid": (f"PMID {pmid(work)}", FINE),
        "pmc": (pmcid(work), FINE),
        "page": ("https://signposts.example/article/1", FINE),
        "arxiv": ("arXiv:2312.99999", "10.48550/arxiv.2312.99999"),
    }
    identifier, doi = named[way]
    for host in (CROSSREF, UNPAYWALL, DATACITE, DOI_ORG, ARXIV, "arxiv.org"):
        internet.breaks(host, status=503)
    one = (
        {"identifier": identifier}
        if tool != "paper_batch_download"
        else {"identifiers": [identifier]}
    )

    result = await answer(tool, one, CONTACT_EMAIL="reader@uni.edu")

    failure = result.structured.get("failures", [result.structured])[0]
    assert (failure["identifier"], failure["doi"]) == (identifier, doi)
