"""paper_download, through the whole pipeline, in a world with faults."""

import json
from collections import Counter
from pathlib import Path

import pytest

from sourcewright.stores.logs import provenance

pytestmark = pytest.mark.anyio

TOOL = "paper_download"
CROSSREF, UNPAYWALL, DATACITE = "api.crossref.org", "api.unpaywall.org", "api.datacite.org"
PLOS, ARXIV, PUBMED = "journals.plos.org", "export.arxiv.org", "eutils.ncbi.nlm.nih.gov"
MIRROR, SECOND, VAULT = (f"{name}.shadow.example" for name in ("mirror", "second", "vault"))
MIRRORED = {"SCIHUB_MIRRORS": f"https://{MIRROR}", "SCIHUB_ACCEPT_RESPONSIBILITY": "1"}
FINDERS = {
    "api.openalex.org": "OpenAlex",
    "api.semanticscholar.org": "Semantic Scholar",
    "doaj.org": "DOAJ",
    "www.ebi.ac.uk": "Europe PMC",
    "api.core.ac.uk": "CORE",
    "api.archives-ouvertes.fr": "HAL",
    "api.openaire.eu": "OpenAIRE",
    "api.biorxiv.org": "bioRxiv and medRxiv",
    ARXIV: "arXiv",
}
TITLES = {**FINDERS, UNPAYWALL: "Unpaywall"}
CLOSED, OPEN, SHADOWED = "10.5555/closed-paper", "10.5555/of-2023", "10.5555/mirrored-only"
COULD_NOT = "Paper could not be downloaded"
FAULTS = ("500", "429", "403", "cut", "unplugged", "a page", "another shape", "private")
FEW = ("500", "429", "a page", "private")


def details_of(result, source):
    """The `said` texts of a source in the list of sources checked."""
    return [one["said"] for one in result.structured["checked"] if one["source"] == source]


@pytest.fixture
def broken(answer, spoil):
    """Requests a paper while one host fails."""

    async def run(host, fault, arguments):
        spoil(host, fault)
        changes = MIRRORED if host.endswith("shadow.example") else {}
        return await answer(TOOL, arguments, **changes)

    return run


def hosts(internet):
    return [seen.host for seen in internet.seen]


# A source that failed is not a source that has nothing.


@pytest.mark.promise("absence.needs-every-source")
@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize(
    ("host", "source", "paper"),
    [
        (UNPAYWALL, "Unpaywall", CLOSED),
        (PLOS, "Open copy", OPEN),
        (MIRROR, "Sci-Hub", SHADOWED),
        (VAULT, "Sci-Hub", SHADOWED),
    ],
)
async def test_a_source_that_fails_is_never_one_that_has_nothing(
    broken, kept, fault, host, source, paper
):
    result = await broken(host, fault, {"identifier": paper})

    assert result.is_error
    assert result.structured["error"] == COULD_NOT
    assert all(
        message and "no record" not in message for message in details_of(result, source)[-1:]
    )
    assert f"- {source}: " in result.text.partition("Sources checked:")[2]
    assert kept() == []


@pytest.mark.parametrize(
    ("host", "fault"), [*zip(FINDERS, [*FAULTS] * 2, strict=False), (UNPAYWALL, "private")]
)
async def test_whoever_might_know_a_copy_and_is_silent_is_named(answer, spoil, host, fault):
    spoil(host, fault)

    result = await answer(TOOL, {"identifier": CLOSED}, CORE_API_KEY="an-invented-key")

    assert result.structured["error"] == COULD_NOT
    assert "could not query" in result.structured["detail"]
    assert any("answered" not in message for message in details_of(result, TITLES[host]))


@pytest.mark.promise("absence.unasked-decides-nothing")
@pytest.mark.parametrize("tool", [TOOL, "doiget_fetch_paper"])
async def test_a_source_that_answers_nobody_without_a_key_is_no_decider(answer, internet, tool):
    argument = "identifier" if tool == TOOL else "ref"

    result = (await answer(tool, {argument: CLOSED})).structured

    assert "api.core.ac.uk" not in hosts(internet)
    if tool == TOOL:
        assert result["error"] == "Paper not available from any source"
    else:
        assert (result["pdf"]["status"], result["pdf"]["reason"]) == (
            "no_oa_url",
            "no open copy is known",
        )


@pytest.mark.promise("absence.needs-every-source")
@pytest.mark.parametrize("fault", FEW)
@pytest.mark.parametrize("host", [CROSSREF, DATACITE, "doi.org"])
async def test_one_silent_agency_keeps_a_doi_from_being_called_unknown(answer, spoil, host, fault):
    spoil(host, fault)

    result = await answer(TOOL, {"identifier": "10.1234/nonexistent"})

    assert result.is_error
    assert "not found" not in result.text.lower()
    assert "could not be checked" in result.structured["detail"]
    assert "this does not mean that it does not exist" in result.text


@pytest.mark.parametrize(
    ("fault", "advice", "retryable"),
    [
        ("500", "Try again later: this does not mean that the paper does not exist.", True),
        ("429", "Try again in 3600 s: this does not mean that the paper does not exist.", True),
        ("403", "Open the URL in a browser", False),
        ("private", "Ask your library, or the authors", False),
    ],
)
async def test_what_to_do_next_depends_on_what_went_wrong(answer, spoil, fault, advice, retryable):
    spoil(PLOS, fault)

    result = await answer(TOOL, {"identifier": OPEN})

    assert advice in result.text.partition("What to do next:")[2]
    assert result.structured["retryable"] is retryable
    assert result.structured["detail"].startswith(
        f"{OPEN}: a copy is known, but could not be fetched"
    )


async def test_nobody_is_sent_to_a_private_address_by_browser(answer):
    result = await answer(TOOL, {"identifier": "10.5555/private-redirect"})

    assert result.structured["error"] == COULD_NOT
    assert "169.254.169.254" in result.text
    assert "browser" not in result.text


@pytest.mark.parametrize(
    ("paper", "why"),
    [
        ("10.5555/wrong-file", "the file is not this paper; it seems to be The acoustics of"),
        ("10.5555/tiny-file", "bytes are too few for a paper"),
    ],
)
async def test_a_file_that_is_not_the_paper_is_not_kept(answer, kept, paper, why):
    result = await answer(TOOL, {"identifier": paper})

    assert result.structured["error"] == "Paper not available from any source"
    assert any(why in message for message in details_of(result, "Open copy"))
    assert kept() == []


async def test_a_wrong_file_settles_nothing_while_somebody_is_silent(answer, internet):
    internet.breaks("api.openalex.org", status=500)

    result = await answer(TOOL, {"identifier": "10.5555/wrong-file"})

    assert (result.structured["error"], result.structured["retryable"]) == (COULD_NOT, True)
    assert "the file is not this paper" in result.structured["detail"]
    assert "could not query openalex" in result.structured["detail"]


@pytest.mark.parametrize("paper", ["html-file", "redirect-loop", "dead-link", "login-wall"])
async def test_a_copy_that_leads_nowhere_is_a_copy_that_could_not_be_had(answer, kept, paper):
    result = await answer(TOOL, {"identifier": f"10.5555/{paper}"})

    assert result.structured["error"] == COULD_NOT
    assert f"10-5555-{paper}.pdf: " in details_of(result, "Open copy")[0]
    assert kept() == []


async def test_a_second_copy_stands_in_for_a_dead_one(answer):
    result = await answer(TOOL, {"identifier": "10.5555/second-copy"})

    first, second = details_of(result, "Open copy")
    assert not result.is_error
    assert "HTTP 404" in first
    assert second == f"answered ({result.structured['location']})"


async def test_a_closed_paper_is_not_a_missing_one(answer):
    result = await answer(TOOL, {"identifier": CLOSED})

    assert result.structured["error"] == "Paper not available from any source"
    assert result.structured["detail"] == f"{CLOSED}: no open copy is known"
    assert "your library" in result.text


async def test_a_source_that_is_turned_off_leaves_open_whether_there_is_a_copy(answer):
    result = await answer(TOOL, {"identifier": CLOSED}, DOIGET_ENABLE_HAL="0")

    reply = result.structured
    assert reply["error"] == "Paper not available from the queried sources"
    assert reply["detail"] == f"{CLOSED}: hal was not queried for a copy; set DOIGET_ENABLE_HAL=1"
    assert (reply["code"], reply["retryable"]) == ("CAPABILITY_DENIED", False)
    assert "HAL: disabled (enable it with DOIGET_ENABLE_HAL=1)" in result.text


async def test_a_failure_that_passes_is_tried_again(answer, internet):
    internet.breaks(PLOS, status=503, times=2)
    internet.breaks(UNPAYWALL, status=500, times=2)

    result = await answer(TOOL, {"identifier": OPEN})

    assert not result.is_error
    assert (len(internet.requests_to(PLOS)), len(internet.requests_to(UNPAYWALL))) == (3, 3)


# Every way to name a paper.


@pytest.mark.parametrize(
    ("identifier", "doi", "name"),
    [
        ("doi:10.5555/OF-2023", OPEN, "[2023] - Lighthouse light as a habitat.pdf"),
        (
            "2401.99901",
            "10.48550/arxiv.2401.99901",
            "[2024] - A lattice model of lichen growth.pdf",
        ),
        (
            "https://arxiv.org/abs/2401.99901v2",
            "10.48550/arxiv.2401.99901",
            "[2024] - A lattice model of lichen growth.pdf",
        ),
        (
            "https://arxiv.org/pdf/hep-th/9901999",
            "10.48550/arxiv.hep-th/9901999",
            "[1999] - Branes in fog.pdf",
        ),
        (
            "https://signposts.example/article/1",
            "10.5555/fine-paper",
            "[2019] - Tidal mixing and the memory of estuaries.pdf",
        ),
        (
            "https://journals.plos.org/invented/article/10-5555-of-2023",
            OPEN,
            "[2023] - Lighthouse light as a habitat.pdf",
        ),
    ],
)
async def test_a_paper_goes_by_many_names(answer, kept, identifier, doi, name):
    result = await answer(TOOL, {"identifier": identifier})

    assert result.structured["doi"] == doi
    assert kept() == ["downloads", f"downloads/{name}"]


@pytest.mark.parametrize("place", ["pubmed.ncbi.nlm.nih.gov/{pmid}", "PMC"])
async def test_a_page_of_pubmed_is_as_good_as_a_doi(answer, internet, place):
    from sourcewright.world.corpus.ids import pmcid, pmid

    work = internet.corpus.by_doi("10.5555/fine-paper")
    pmc = f"pmc.ncbi.nlm.nih.gov/articles/{pmcid(work)}"
    address = pmc if place == "PMC" else place.format(pmid=pmid(work))

    result = await answer(TOOL, {"identifier": f"https://{address}/"})

    assert result.structured["doi"] == "10.5555/fine-paper"
    assert result.structured["checked"][0]["source"] == "NCBI E-utilities"


@pytest.mark.parametrize("fault", FEW)
async def test_a_silent_pubmed_says_nothing_about_a_paper(answer, spoil, fault):
    spoil(PUBMED, fault)

    result = await answer(TOOL, {"identifier": "https://pubmed.ncbi.nlm.nih.gov/99033157/"})

    assert result.structured["error"] == COULD_NOT
    assert "could not be checked" in result.structured["detail"]


async def test_an_unknown_number_is_not_called_a_doi(answer):
    result = await answer(TOOL, {"identifier": "https://pubmed.ncbi.nlm.nih.gov/99999999/"})

    assert result.structured["error"] == "Paper not found in any source"
    assert "Verify that the identifier is correct." in result.text
    assert "doi.org" not in result.text


async def test_a_page_without_a_paper_says_what_it_lacks(answer):
    result = await answer(TOOL, {"identifier": "https://signposts.example/no-paper"})

    assert result.structured["error"] == "Invalid input"
    assert "names no paper" in details_of(result, "Web page")[0]


@pytest.mark.parametrize("paper", ["10.99101/harbour.dataset", "10.99201/kakuu.2020.1"])
async def test_a_doi_of_another_agency_exists_also_without_a_copy(answer, paper):
    result = await answer(TOOL, {"identifier": paper})

    assert result.structured["error"] == "Paper not available from any source"


async def test_arxiv_hands_out_a_paper_whose_record_cannot_be_asked(answer, internet):
    internet.breaks(ARXIV, status=500)

    result = await answer(TOOL, {"identifier": "2401.99901"})

    assert not result.is_error
    assert Path(result.structured["path"]).name == "[n.d.] - 2401.99901.pdf"
    assert details_of(result, "arXiv")[0] == "HTTP 500"


@pytest.mark.parametrize("fault", FEW)
async def test_a_silent_arxiv_says_nothing_about_a_paper(answer, spoil, fault):
    spoil(ARXIV, fault)
    spoil("arxiv.org", fault)

    result = await answer(TOOL, {"identifier": "2401.99901"})

    assert result.structured["error"] != "Paper not found in any source"
    assert "could not be checked" in result.structured["detail"]


async def test_a_preprint_in_the_paper_s_place_is_called_one(answer):
    result = await answer(TOOL, {"identifier": "10.5555/arxiv-pair"})

    assert result.structured["preprint"] == "2401.99901"
    assert "- Version: this is the paper's preprint, 2401.99901\n" in result.text


async def test_a_published_copy_is_not_called_a_preprint(answer):
    result = await answer(TOOL, {"identifier": OPEN})

    assert result.structured["preprint"] is None
    assert "preprint" not in result.text


@pytest.mark.promise("kept.notices-are-remembered")
@pytest.mark.parametrize("fault", FEW)
@pytest.mark.parametrize("changes", [{}, MIRRORED])
async def test_what_the_library_knows_against_a_paper_is_told(answer, spoil, fault, changes):
    await answer("doiget_fetch_paper", {"ref": "10.5555/retracted-paper"})
    spoil(CROSSREF, fault)

    result = await answer(TOOL, {"identifier": "10.5555/retracted-paper"}, **changes)

    assert result.structured["integrity"] == "retracted"
    assert "- Integrity: this paper is retracted (" in result.text


@pytest.mark.parametrize("changes", [{}, MIRRORED])
async def test_what_is_known_against_a_paper_is_told_whichever_way_it_came(answer, changes):
    result = await answer(TOOL, {"identifier": "10.5555/retracted-paper"}, **changes)

    assert result.structured["integrity"] == "retracted"
    assert "- Integrity: this paper is retracted" in result.text


# By year.


@pytest.mark.parametrize(
    ("paper", "route"),
    [
        ("10.5555/of-2015", [CROSSREF, MIRROR, VAULT]),
        ("10.5555/of-2020", [CROSSREF, MIRROR, UNPAYWALL, PLOS]),
        ("10.5555/of-2021", [CROSSREF, UNPAYWALL, PLOS]),
        ("10.5555/tiny-file", [CROSSREF, UNPAYWALL, PLOS, MIRROR]),
        ("10.5555/no-year", [CROSSREF, UNPAYWALL, MIRROR]),
        ("10.1234/nonexistent", [CROSSREF, UNPAYWALL, "doi.org", MIRROR]),
    ],
)
async def test_the_year_decides_who_is_asked_first(answer, internet, paper, route):
    await answer(TOOL, {"identifier": paper}, **MIRRORED)

    queries = [host for host in dict.fromkeys(hosts(internet)) if host in {*route, MIRROR, VAULT}]
    assert queries == route


async def test_without_a_year_a_mirror_is_the_last_to_be_asked(answer, internet):
    internet.breaks(CROSSREF, status=500)

    result = await answer(TOOL, {"identifier": SHADOWED}, **MIRRORED)

    sources = [one["source"] for one in result.structured["checked"]]
    assert result.structured["source"] == "Sci-Hub"
    assert hosts(internet)[-2:] == [MIRROR, VAULT]
    assert sources.index("Unpaywall") < sources.index("Sci-Hub")


@pytest.mark.parametrize("fault", FEW)
async def test_a_failing_mirror_is_followed_by_the_open_sources(answer, spoil, fault):
    spoil(MIRROR, fault)

    result = await answer(TOOL, {"identifier": "10.5555/of-2013"}, **MIRRORED)

    sources = [one["source"] for one in result.structured["checked"]]
    assert result.structured["source"] == "Unpaywall"
    assert sources[:3] == ["Crossref", "Sci-Hub", "Unpaywall"]


async def test_a_second_mirror_stands_in_for_the_first(answer, internet):
    both = {**MIRRORED, "SCIHUB_MIRRORS": f"https://{MIRROR},https://{SECOND}"}

    result = await answer(TOOL, {"identifier": "10.5555/mirror-asks-for-captcha"}, **both)

    assert result.structured["source"] == "Sci-Hub"
    assert "captcha" in details_of(result, "Sci-Hub")[0]
    assert hosts(internet) == [CROSSREF, MIRROR, SECOND, SECOND]


@pytest.mark.parametrize(
    ("paper", "headline"),
    [
        ("mirror-asks-for-captcha", COULD_NOT),
        ("mirror-checks-browser", COULD_NOT),
        ("mirror-lost-the-file", COULD_NOT),
        ("mirror-says-nothing", COULD_NOT),
        ("mirror-rambles", COULD_NOT),
        ("mirror-lacks-it", "Paper not available from any source"),
        ("mirror-shows-another", "Paper not available from any source"),
    ],
)
async def test_what_a_mirror_cannot_give_is_never_called_a_known_copy(answer, paper, headline):
    result = await answer(TOOL, {"identifier": f"10.5555/{paper}"}, **MIRRORED)

    assert result.structured["error"] == headline
    assert "a copy is known" not in result.text
    assert details_of(result, "Sci-Hub")


async def test_a_year_is_asked_for_once(application, internet):
    app = await application(**MIRRORED)

    for _ in range(2):
        result = await app.call(TOOL, {"identifier": "10.5555/of-2015"})

    assert details_of(result, "Crossref") == ["answered (from an earlier request)"]
    assert [seen.path for seen in internet.requests_to(CROSSREF)] == ["/works/10.5555%2Fof-2015"]


async def test_without_mirrors_none_is_asked(answer, internet):
    result = await answer(TOOL, {"identifier": SHADOWED})

    assert result.structured["error"] == "Paper not available from any source"
    assert not [host for host in hosts(internet) if host.endswith("shadow.example")]
    assert "Sci-Hub" not in result.text


# Where it goes.


@pytest.fixture
def outside(tmp_path, tmp_path_factory):
    """A folder elsewhere, to which a link leads; and a file where a folder might be."""
    folder = tmp_path_factory.mktemp("outside")
    (tmp_path / "way-out").symlink_to(folder)
    (tmp_path / "a-file").write_text("mine")
    return folder


@pytest.mark.parametrize(
    ("folder", "why"),
    [
        ("../elsewhere", "must not contain .."),
        ("reading/../../elsewhere", "must not contain .."),
        ("/etc", "is outside the folders that are allowed for downloads"),
        ("~/.ssh", "is hidden"),
        (".cache/papers", "is hidden"),
        ("way-out", "is outside the folders that are allowed for downloads"),
        ("way-out/further", "is outside the folders that are allowed for downloads"),
        ("a-file", "is not a folder"),
        ("a\x00b", "contains characters that are not allowed in file names"),
        ("~root", "the home folder of another user"),
        ("   ", "is empty"),
    ],
)
async def test_a_folder_that_is_closed_to_downloads_changes_nothing(
    answer, internet, kept, outside, folder, why
):
    before = kept()

    result = await answer(TOOL, {"identifier": OPEN, "output_dir": folder})

    assert result.is_error
    assert why in result.structured["detail"]
    assert result.structured["suggestions"] == [
        "Use a folder inside the working directory, your home folder, or PAPER_ALLOWED_DIRS."
    ]
    assert internet.seen == []
    assert (kept(), list(outside.iterdir())) == (before, [])


async def test_an_operator_s_folder_is_open_to_downloads(answer, tmp_path_factory):
    allowed = tmp_path_factory.mktemp("allowed")

    result = await answer(
        TOOL,
        {"identifier": OPEN, "output_dir": str(allowed / "new")},
        PAPER_ALLOWED_DIRS=str(allowed),
    )

    assert Path(result.structured["path"]).parent == allowed / "new"


async def test_the_same_file_is_used_again(application, kept):
    app = await application()

    first = await app.call(TOOL, {"identifier": OPEN})
    second = await app.call(TOOL, {"identifier": f"https://doi.org/{OPEN}"})

    assert (first.structured["reused"], second.structured["reused"]) == (False, True)
    assert first.structured["path"] == second.structured["path"]
    assert "(already present)" in second.text
    assert len(kept()) == 2


async def test_another_file_of_the_same_name_is_never_overwritten(answer, kept, tmp_path):
    name = "[2023] - Lighthouse light as a habitat"
    (tmp_path / "downloads").mkdir()
    (tmp_path / "downloads" / f"{name}.pdf").write_bytes(b"%PDF-1.7 my notes")

    result = await answer(TOOL, {"identifier": OPEN})

    assert result.structured["filename"] == f"{name} (2).pdf"
    assert (tmp_path / "downloads" / f"{name}.pdf").read_bytes() == b"%PDF-1.7 my notes"
    assert len(kept()) == 3


# What was asked must have a meaning.


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"identifier": None},
        {"identifier": 7},
        {"identifier": ["10.5555/of-2023"]},
        {"identifier": "10.1"},
        {"identifier": "10.5555/" + "x" * 500},
        {"identifier": OPEN, "output_dir": 7},
        {"identifier": OPEN, "output_dir": ""},
        {"identifier": OPEN, "output_dir": "x" * 5000},
        {"identifier": OPEN, "mood": "good"},
        {"identifier": "no paper at all"},
        {"identifier": "ftp://example.org/paper.pdf"},
        {"identifier": "\ud800\ud800\ud800\ud800\ud800"},
    ],
)
async def test_arguments_without_a_meaning_change_nothing(answer, internet, kept, arguments):
    result = await answer(TOOL, arguments)

    assert result.is_error
    assert result.structured["error"] == "Invalid input"
    assert result.structured["suggestions"]
    assert (internet.seen, kept()) == ([], [])


# What stays behind.


def size_of(path):
    return path.stat().st_size


def rows_in(log):
    return [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]


async def test_a_download_leaves_rows_that_verify_and_an_audit_event(application, tmp_path):
    async with await application() as app:
        result = await app.call(TOOL, {"identifier": OPEN})

    rows = rows_in(log := tmp_path / "state" / "provenance.jsonl")
    [event] = rows_in(tmp_path / "state" / "audit.jsonl")
    assert provenance.verify(log, store_root=tmp_path / "papers").ok
    assert (rows[0]["event"], rows[-1]["event"]) == ("session_start", "session_end")
    assert {row["source"] for row in rows if row["event"] == "fetch"} == {
        "crossref",
        "unpaywall",
        "oa-publisher",
    }
    [written] = [row for row in rows if row["event"] == "store_write"]
    assert (written["ref"], written["source"], written["license"]) == (
        OPEN,
        "oa-publisher",
        "cc-by",
    )
    assert written["size_bytes"] == size_of(tmp_path / "downloads" / result.structured["filename"])
    assert result.structured["size_kb"] == round(written["size_bytes"] / 1024, 1)
    assert written["store_path"] == str(tmp_path / "downloads")
    assert (event["tool_name"], event["success"]) == (TOOL, True)


async def test_a_download_that_was_tidied_up_breaks_no_log(answer, tmp_path):
    await answer(TOOL, {"identifier": OPEN})

    (tmp_path / "downloads").rename(tmp_path / "read")

    log = tmp_path / "state" / "provenance.jsonl"
    assert provenance.verify(log, store_root=tmp_path / "papers").ok


async def test_a_failed_download_leaves_rows_too(application, internet, tmp_path):
    internet.breaks(PLOS, status=500)

    async with await application() as app:
        await app.call(TOOL, {"identifier": OPEN})

    rows = rows_in(log := tmp_path / "state" / "provenance.jsonl")
    [event] = rows_in(tmp_path / "state" / "audit.jsonl")
    assert provenance.verify(log, store_root=tmp_path / "papers").ok
    assert [row["error_code"] for row in rows if row["source"] == "oa-publisher"] == [
        "NETWORK_ERROR"
    ]
    assert rows[-1]["result"] == "err"
    assert not [row for row in rows if row["event"] == "store_write"]
    assert (event["success"], event["error_code"]) == (False, "NETWORK_ERROR")


# One request is tried three times at most.


@pytest.mark.parametrize("fault", ["500", "cut"])
@pytest.mark.parametrize("host", [PLOS, CROSSREF, UNPAYWALL])
async def test_a_request_is_tried_three_times_at_most(broken, internet, host, fault):
    await broken(host, fault, {"identifier": OPEN})

    tries = Counter(seen.path for seen in internet.seen if seen.host == host)
    assert max(tries.values(), default=0) == 3


@pytest.mark.promise("kept.none-is-not-unchecked")
async def test_a_paper_that_could_not_be_checked_for_notices_says_so(answer, internet):
    internet.breaks("api.crossref.org", status=503)

    result = await answer(TOOL, {"identifier": "10.5555/retracted-paper"})

    assert result.structured["integrity"] == "unchecked"
    assert "- Integrity: could not be checked for retractions" in result.text
