"""verify_citation, through the tool, in the simulated world."""

import pytest

from sourcewright.world.corpus.ids import pmcid
from sourcewright.world.sites import crossref

pytestmark = pytest.mark.anyio

CROSSREF, DATACITE, DOI_ORG = "api.crossref.org", "api.datacite.org", "doi.org"
FINE, RETRACTED, CORRECTED = (
    "10.5555/fine-paper",
    "10.5555/retracted-paper",
    "10.5555/corrected-paper",
)
FINE_TITLE = "Tidal mixing and the memory of estuaries"
FINE_ENTRY = f"""@article{{tides,
  title = {{{FINE_TITLE}}},
  author = {{Adaeze Okonkwo and Åsa Lindqvist and 太郎 山田}},
  journal = {{Journal of Tidal Research}},
  year = {{2019}},
  volume = {{14}},
  pages = {{101--119}},
  doi = {{{FINE}}}
}}"""

STRING = (
    f"Okonkwo, A., Lindqvist, A., & 山田, 太. (2019). {FINE_TITLE}."
    " Journal of Tidal Research, 14(2), 101-119."
)


@pytest.fixture
async def verify(asking):
    ask = await asking(keys=False)

    async def run(citation, **more):
        return (await ask("verify_citation", citation=citation, **more)).structured

    return run


def checks(answer):
    return {one["field"]: one["status"] for one in answer["fieldChecks"]}


async def test_a_right_entry_is_verified_field_by_field(verify):
    answer = await verify(FINE_ENTRY)

    assert (answer["status"], answer["exists"], answer["matchConfidence"]) == (
        "verified",
        True,
        "high",
    )
    assert set(checks(answer).values()) == {"match"}
    assert set(checks(answer)) >= {"title", "authors", "year", "venue", "volume", "pages", "doi"}
    assert answer["matchedRecord"]["doi"] == FINE
    assert answer["risk"] < 0.1
    assert answer["coverage"]["status"] == "complete"
    assert "suggestion" not in answer


async def test_a_bare_doi_is_looked_up_and_nothing_else_is_claimed(verify):
    answer = await verify(FINE)

    assert (answer["inputType"], answer["exists"], answer["titleMatch"]) == (
        "doi",
        True,
        "not_checked",
    )
    assert answer["matchedRecord"]["doi"] == FINE
    assert "retractionStatus" not in answer


@pytest.mark.parametrize(
    "written", [f"doi:{FINE}.", f"https://doi.org/{FINE})", f"({FINE.upper()})"]
)
async def test_a_doi_is_found_whatever_stands_around_it(verify, written):
    answer = await verify(written)

    assert answer["exists"] is True
    assert answer["matchedRecord"]["doi"] == FINE


@pytest.mark.parametrize("scheme", ["https://", ""])
async def test_a_url_is_checked_as_a_link_with_and_without_its_scheme(verify, internet, scheme):
    written = f"{scheme}signposts.example/article/1"

    answer = await verify(written)

    assert (answer["input"], answer["inputType"]) == (written, "url")
    assert (answer["linkState"], answer["status"]) == ("live", "verified")
    assert {one.host for one in internet.seen} == {"signposts.example"}


@pytest.mark.parametrize("written", ["e.g. a/b", "10.5555/fine-paper", "and/or"])
async def test_what_only_resembles_a_url_is_not_requested(verify, internet, written):
    await verify(written)

    assert not {"e.g", "10.5555", "and"} & {one.host for one in internet.seen}


async def test_a_doi_that_every_decider_denies_does_not_exist(verify):
    answer = await verify("10.5555/nobody-registered-this")

    assert (answer["status"], answer["exists"]) == ("not_found", False)
    assert "matchedRecord" not in answer
    assert checks(answer) == {"doi": "differs"}


async def test_absence_names_every_source_that_answered_it(verify):
    answer = await verify("10.5555/nobody-registered-this")

    denying = {
        one["source"]
        for one in answer["provenance"]
        if one["outcome"] == "has no record of the identifier"
    }
    assert {"crossref", "datacite", "doi.org"} <= denying
    assert denying == {*answer["coverage"]["answered"]}


@pytest.mark.parametrize(
    ("kind", "title", "author", "year"),
    [
        ("software", "seiche: a toolbox for standing waves", "Gądek, Michał", 2022),
        (
            "misc",
            "Tide-gauge readings of the Meridian archipelago, 1961\u20132020",
            "{Meridian Tide Consortium} and others",
            2021,
        ),
    ],
)
async def test_what_only_datacite_has_is_found_without_a_doi(verify, kind, title, author, year):
    answer = await verify(f"@{kind}{{s, title={{{title}}}, author={{{author}}}, year={{{year}}}}}")

    assert answer["exists"] is True
    assert answer["matchedRecord"]["doi"].startswith("10.99101/harbour.")


@pytest.mark.parametrize("kind", ["software", "misc"])
async def test_datacite_is_asked_for_what_no_other_index_has(verify, kind):
    answer = await verify(f"@{kind}{{s, title={{Bells without harbours}}, author={{Poe, Ed}}}}")

    assert (answer["exists"], answer["status"]) == (None, "unconfirmed")
    assert "datacite" in answer["coverage"]["answered"]


async def test_the_abbreviation_that_the_agency_has_is_a_name_of_the_journal(verify, internet):
    work = internet.corpus.by_doi(FINE)
    record = crossref.record(work, internet.corpus) | {"short-container-title": ["JTR Quart"]}
    items = {"items": [record], "total-results": 1}
    listed = {"status": "ok", "message-type": "work-list", "message": items}
    entry = FINE_ENTRY.replace("Journal of Tidal Research", "JTR Quart")
    entry = entry.replace(f"  doi = {{{FINE}}}\n", "")
    before = await verify(entry)
    internet.says(CROSSREF, listed, path="/works")
    after = await verify(entry.replace("tides,", "other,"))

    assert (before["status"], checks(before)["venue"]) == ("mismatch", "differs")
    assert checks(after)["venue"] == "match"


ENDINGS = (
    "/full",
    ".pdf",
    "?via=ihub",
    ";jsessionid=1a",
    "#section-2",
    "v2",
    "/full/html",
    "/epdf.",
)


@pytest.mark.parametrize("ending", ENDINGS)
async def test_a_doi_with_the_end_of_a_link_is_that_of_the_work_and_the_answer_says_so(
    verify, ending
):
    given = f"{FINE}{ending}".removesuffix(".")
    alone = await verify(f"doi:{FINE}{ending}")
    entry = await verify(FINE_ENTRY.replace(f"{{{FINE}}}", f"{{{FINE}{ending}}}"))
    string = await verify(f"{STRING} https://doi.org/{FINE}{ending.partition('?')[0]}")

    for answer in (alone, entry):
        assert (answer["status"], answer["exists"]) == ("verified", True)
        assert answer["matchedRecord"]["doi"] == FINE
        assert f"'{given}' does not exist; {FINE} does." in answer["reason"]
        [check] = [one for one in answer["fieldChecks"] if one["field"] == "doi"]
        assert (check["given"], check["found"], check["status"]) == (given, FINE, "match")
    assert (string["status"], string["matchedRecord"]["doi"]) == ("verified", FINE)


async def test_the_notices_of_a_work_are_found_by_a_doi_with_the_end_of_a_link(verify):
    answer = await verify(f"{RETRACTED}/full")

    assert answer["retractionStatus"]["retracted"] is True


async def test_a_wrong_title_beside_a_doi_with_the_end_of_a_link_is_a_mismatch(verify):
    other = FINE_ENTRY.replace(FINE_TITLE, "Salt marshes under a warming sea").replace(
        f"{{{FINE}}}", f"{{{FINE}/full}}"
    )
    answer = await verify(other)

    assert answer["status"] == "mismatch"
    assert f"'{FINE}/full' does not exist; {FINE} does." in answer["reason"]


@pytest.mark.promise("absence.needs-every-source")
@pytest.mark.parametrize(
    ("host", "path"),
    [(CROSSREF, "*"), (DATACITE, "*"), (DOI_ORG, "*absent/full"), (DOI_ORG, "*absent")],
)
async def test_absence_of_a_doi_with_the_end_of_a_link_needs_every_source_twice(
    verify, internet, host, path
):
    denied = await verify("10.5555/absent/full")
    internet.breaks(host, status=503, path=path)
    answer = await verify("10.5555/absent/full")

    assert (denied["status"], denied["exists"]) == ("not_found", False)
    assert (answer["status"], answer["exists"]) == ("unconfirmed", None)
    assert answer["coverage"]["status"] == "incomplete"


async def test_a_registered_doi_that_ends_like_a_link_is_not_shortened(verify, internet):
    page = {"format": "string", "value": "https://lakes.example/full"}
    values = [{"index": 1, "type": "URL", "data": page}]
    handle = {"responseCode": 1, "handle": f"{FINE}/full", "values": values}
    internet.says(DOI_ORG, handle, path=f"/api/handles/{FINE}/full")

    answer = await verify(f"{FINE}/full")

    assert (answer["status"], answer["exists"]) == ("unconfirmed", True)
    assert "matchedRecord" not in answer


async def test_a_doi_that_ends_in_a_point_is_not_called_missing(verify):
    answer = await verify("10.5555/ends-in-a-point.")

    assert (answer["status"], answer["exists"]) == ("verified", True)
    assert answer["matchedRecord"]["doi"] == "10.5555/ends-in-a-point."


@pytest.mark.parametrize("host", [CROSSREF, DATACITE, DOI_ORG])
async def test_one_decider_that_fails_leaves_existence_undecided(verify, internet, host):
    internet.breaks(host, status=503)

    answer = await verify("10.5555/nobody-registered-this")

    assert (answer["status"], answer["exists"]) == ("unconfirmed", None)
    assert answer["coverage"]["status"] == "incomplete"


@pytest.mark.parametrize("target", ["http://10.0.0.1/admin", "https://elsewhere.example/x"])
@pytest.mark.parametrize("host", [CROSSREF, DATACITE, DOI_ORG])
async def test_a_decider_that_leads_elsewhere_has_not_answered(verify, internet, host, target):
    internet.redirects(host, target)

    answer = await verify("10.5555/nobody-registered-this")

    assert (answer["status"], answer["exists"]) == ("unconfirmed", None)
    assert len(answer["coverage"]["failed"]) == 1


async def test_when_nobody_answers_nothing_is_said_to_be_missing(verify, internet):
    for host in internet.hosts:
        internet.breaks(host, status=503)

    answer = await verify(FINE_ENTRY)

    assert (answer["status"], answer["exists"]) == ("unconfirmed", None)
    assert answer["coverage"]["status"] == "incomplete"


async def test_a_retracted_paper_is_named_as_such(verify):
    answer = await verify(RETRACTED)

    assert answer["exists"] is True
    assert answer["retractionStatus"]["retracted"] is True
    assert answer["retractionStatus"]["kind"] == "retraction"
    assert (answer["status"], answer["risk"] > 0.9) == ("unconfirmed", True)
    assert "retracted on 2018-02-14 (retraction, according to crossref)" in answer["reason"]


@pytest.mark.parametrize(
    "citation",
    [
        "10.5555/retracted-paper",
        """@article{a, title={Harbour bells cure insomnia: a randomised trial},
        author={Percival Fabricant and John Smith}}""",
        "Fabricant, P., & Smith, J. Harbour bells cure insomnia: a randomised trial.",
        "https://doi.org/10.5555/retracted-paper",
    ],
)
async def test_however_a_retracted_paper_is_cited_it_is_not_verified(verify, citation):
    answer = await verify(citation)

    assert answer["retractionStatus"]["retracted"] is True
    assert answer["status"] == "unconfirmed"
    assert answer["risk"] > 0.9


async def test_a_correction_is_no_retraction(verify):
    answer = await verify(CORRECTED)

    assert answer["retractionStatus"]["kind"] == "correction"
    assert answer["retractionStatus"]["retracted"] is False


async def test_a_title_that_is_not_that_of_the_doi_is_a_mismatch(verify):
    answer = await verify(f"Perpetual motion in tower clocks explained. doi:{FINE}")

    assert (answer["titleMatch"], answer["status"]) == ("mismatch", "mismatch")


async def test_the_right_title_beside_a_doi_matches(verify):
    answer = await verify(f"{FINE_TITLE} {FINE}")

    assert answer["titleMatch"] == "match"


@pytest.mark.parametrize(
    ("beside", "match"),
    [
        ("Okonkwo 2019", "not_checked"),
        ("Okonkwo et al. (2019)", "not_checked"),
        ("A. Okonkwo and Å. Lindqvist, 2019,", "not_checked"),
        ("Journal of Tidal Research 14", "not_checked"),
        (f"Adaeze Okonkwo, {FINE_TITLE},", "match"),
        ("Adaeze Okonkwo, Perpetual motion in tower clocks,", "mismatch"),
    ],
)
async def test_authors_journal_and_year_beside_a_doi_are_no_title(verify, beside, match):
    answer = await verify(f"{beside} {FINE}")

    expected = "mismatch" if match == "mismatch" else "verified"
    assert (answer["titleMatch"], answer["status"]) == (match, expected)


@pytest.mark.parametrize(
    ("old", "new", "field"),
    [
        ("memory of estuaries", "history of estuaries", "title"),
        ("Adaeze Okonkwo", "Percival Fabricant", "authors"),
        ("Adaeze Okonkwo and Åsa Lindqvist", "Åsa Lindqvist and Adaeze Okonkwo", "authors"),
        (" and 太郎 山田", "", "authors"),
        ("{2019}", "{2016}", "year"),
        ("Journal of Tidal Research", "Acta Horologica Ficta", "venue"),
        ("{14}", "{41}", "volume"),
        ("101--119", "433--440", "pages"),
        (FINE, "10.5555/retracted-paper", "doi"),
        (FINE, "10.5555/nobody-registered-this", "doi"),
    ],
)
async def test_a_wrong_field_is_named_and_the_right_one_suggested(verify, old, new, field):
    answer = await verify(FINE_ENTRY.replace(old, new))

    assert (answer["status"], answer["exists"]) == ("mismatch", True)
    assert [name for name, status in checks(answer).items() if status == "differs"] == [field]
    assert answer["risk"] > 0.5
    assert FINE_TITLE.split(maxsplit=1)[0] in answer["suggestion"]
    assert "@article{tides" in answer["suggestion"]
    assert FINE in answer["suggestion"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (FINE_TITLE, FINE_TITLE.upper()),
        (FINE_TITLE, "{T}idal mixing and the {\\em memory} of estuaries"),
        (FINE_TITLE, "Tidal mixing and the memory of esturaies"),
        (
            "Adaeze Okonkwo and Åsa Lindqvist and 太郎 山田",
            "Okonkwo, A. and Lindqvist, A. and others",
        ),
        ("Åsa Lindqvist", "Asa Lindqvist"),
        ("Journal of Tidal Research", "J. Tidal Res."),
        ("101--119", "101"),
        (f",\n  doi = {{{FINE}}}", ""),
    ],
)
async def test_other_ways_to_write_the_same_are_no_flaws(verify, old, new):
    answer = await verify(FINE_ENTRY.replace(old, new))

    assert answer["status"] == "verified", answer["reason"]


@pytest.mark.parametrize(
    ("venue", "year", "status"),
    [
        ("Annals of Imaginary Limnology", 2024, "verified"),
        ("arXiv preprint arXiv:2401.99901", 2024, "verified"),
        ("Annals of Imaginary Limnology", 2021, "mismatch"),
    ],
)
async def test_a_citation_of_any_version_is_right_if_its_fields_belong_together(
    verify, venue, year, status
):
    answer = await verify(
        f"@article{{x, title={{A lattice model of lichen growth}}, journal={{{venue}}}, year={{{year}}},"
        " author={Ximena Fernández-Blanco and Bram van der Meer}}"
    )

    assert answer["status"] == status


async def test_a_correction_of_a_paper_is_not_the_paper(verify):
    answer = await verify(
        "@article{x, title={Correction: Seiche periods of forty harbours},"
        " author={Mette Sørensen and Michał Gądek}, journal={Journal of Tidal Research}, year={2017}}"
    )

    assert answer["matchedRecord"]["doi"] == "10.5555/correction-notice"


@pytest.mark.parametrize(
    "text",
    [
        f"Okonkwo, A., Lindqvist, Å., & 山田, 太. (2019). {FINE_TITLE}. Journal of Tidal Research, 14(2), 101\u2013119.",
        "[7] A. Okonkwo, Å. Lindqvist, 山田太郎, Journal of Tidal Research 14 (2019) 101.",
        "Okonkwo A, Lindqvist A. Tidal mixing and the memryo of estuaries. J Tidal Res 2019;14:101-19.",
    ],
)
async def test_a_reference_string_is_linked_to_its_record(verify, text):
    answer = await verify(text)

    assert answer["inputType"] == "reference"
    assert (answer["exists"], answer["matchedRecord"]["doi"]) == (True, FINE)


@pytest.mark.parametrize(
    ("old", "new", "field"),
    [
        ("(2019)", "(2014)", "year"),
        ("Okonkwo, A., Lindqvist, A.", "Fabricant, P.", "authors"),
        ("Okonkwo, A., Lindqvist, A.", "Lindqvist, A., Okonkwo, A.", "authors"),
        ("Lindqvist, A.", "Lindqvist, A., Yamada, T., Fabricant, P.", "authors"),
        ("14(2)", "17(2)", "volume"),
        ("101-119", "301-319", "pages"),
        ("Journal of Tidal Research", "Annals of Imaginary Limnology", "venue"),
        ("the memory of estuaries", "the history of estuaries", "title"),
    ],
)
async def test_a_string_with_a_wrong_field_is_linked_and_not_confirmed(verify, old, new, field):
    answer = await verify(STRING.replace(old, new))

    assert answer["status"] == "mismatch"
    assert [name for name, status in checks(answer).items() if status == "differs"] == [field]
    assert answer["matchedRecord"]["doi"] == FINE


async def test_what_a_string_is_said_to_give_is_what_it_gives(verify):
    answer = await verify(STRING.replace("14(2)", "17(2)"))

    given = {one["field"]: one["given"] for one in answer["fieldChecks"]}
    assert (given["volume"], given["pages"], given["year"]) == ("17", "101-119", "2019")
    assert given["authors"].startswith("A. Okonkwo; A. Lindqvist")


async def test_a_whole_reference_with_its_doi_is_compared_field_by_field(verify):
    right = f"{STRING} https://doi.org/{FINE}"

    answer, wrong = await verify(right), await verify(right.replace("(2019)", "(2014)"))

    assert (answer["status"], answer["inputType"], answer["titleMatch"]) == (
        "verified",
        "doi",
        "match",
    )
    assert set(checks(answer)) >= {"title", "authors", "year", "venue", "volume", "pages", "doi"}
    assert wrong["status"] == "mismatch"
    assert checks(wrong)["year"] == "differs"


async def test_a_string_with_a_doi_that_is_not_registered_may_still_describe_a_work(verify):
    answer = await verify(f"{STRING} https://doi.org/10.5555/nobody-registered-this")

    assert (answer["status"], answer["exists"]) == ("mismatch", True)
    assert checks(answer)["doi"] == "differs"
    assert answer["matchedRecord"]["doi"] == FINE


async def test_an_invented_title_by_known_authors_is_not_linked_to_another_work_of_theirs(verify):
    answer = await verify(
        "Okonkwo, A., Lindqvist, A. (2019). Copper bells and the taste of fog. Journal of Tidal"
        " Research, 31(4), 7-9."
    )

    assert (answer["status"], answer["exists"]) == ("unconfirmed", None)
    assert "matchedRecord" not in answer


async def test_a_reference_string_that_no_record_explains_is_not_linked(verify):
    answer = await verify(
        "Nobody, N. (2020). The invention of silent bells. Journal of Unheard Sounds, 1, 1\u20139."
    )

    assert (answer["status"], answer["exists"]) == ("unconfirmed", None)
    assert "matchedRecord" not in answer


async def test_a_live_page_that_is_no_paper_is_checked_for_its_link_alone(verify):
    answer = await verify("https://pages.meridian.example/harbour-walk")

    assert answer["inputType"] == "url"
    assert "detectedDoi" not in answer


async def test_a_claim_is_compared_with_the_source(verify):
    answer = await verify(FINE, claim="tidal mixing keeps a memory in estuaries")

    assert answer["claim"] == "tidal mixing keeps a memory in estuaries"
    assert answer["claimSupport"] in (
        "addressed",
        "partially_addressed",
        "not_addressed",
        "source_unavailable",
    )


async def test_an_entry_that_cannot_be_read_is_a_clear_error(asking):
    ask = await asking(keys=False)

    result = await ask("verify_citation", citation="@article{}")

    assert result.is_error
    assert result.structured["error"]["kind"] == "validation"


async def test_a_court_case_is_looked_up_by_its_citation(verify):
    answer = await verify("Kelpworth v. Harbour Authority, 984 U.S. 436 (1966)")

    assert answer["status"] == "verified"
    assert answer["exists"] is True
    assert answer["coverage"]["answered"] == ["courtlistener"]
    assert answer["matchedRecord"]["title"] == "Kelpworth v. Harbour Authority"


async def test_a_citation_that_stands_for_another_case_differs(verify):
    answer = await verify("Varghese v. China Southern Airlines Co., 984 U.S. 436 (2019)")

    assert answer["status"] == "mismatch"
    differing = {one["field"] for one in answer["fieldChecks"] if one["status"] == "differs"}
    assert differing == {"title", "year"}
    assert "Kelpworth" in answer["reason"]


async def test_a_case_that_the_source_does_not_have_is_undecided(verify):
    answer = await verify("Lantern v. Tide, 999 U.S. 999 (1999)")

    assert (answer["status"], answer["exists"]) == ("unconfirmed", None)
    assert "does not have every case" in answer["reason"]


async def test_a_source_of_cases_that_fails_leaves_the_case_undecided(verify, spoil):
    spoil("www.courtlistener.com", "500")

    answer = await verify("Kelpworth v. Harbour Authority, 984 U.S. 436 (1966)")

    assert (answer["status"], answer["exists"]) == ("unconfirmed", None)
    assert answer["coverage"]["status"] == "incomplete"
    assert "courtlistener" in answer["coverage"]["failed"]


async def test_an_index_that_knows_the_work_does_not_stand_in_for_the_source_of_notices(
    verify, internet
):
    internet.breaks(CROSSREF, status=503)

    answer = await verify(FINE)

    assert (answer["status"], answer["exists"]) == ("unconfirmed", True)
    assert answer["risk"] >= 0.5
    assert "notices could not be checked" in answer["reason"]
    assert (answer["coverage"]["status"], set(answer["coverage"]["failed"])) == (
        "incomplete",
        {"crossref"},
    )
    assert answer["noticeCheck"]["status"] == "unchecked"
    assert set(answer["noticeCheck"]["failed"]) == {"crossref"}


async def test_another_source_of_notices_that_fails_is_named_and_the_work_is_checked(
    verify, internet
):
    internet.breaks("api.openalex.org", status=503)

    answer = await verify(FINE)

    assert answer["noticeCheck"]["status"] == "checked"
    assert set(answer["noticeCheck"]["failed"]) == {"openalex"}


async def test_a_denial_names_everybody_who_was_asked(verify):
    answer = await verify("10.5555/nobody-registered-this")

    assert set(answer["coverage"]["answered"]) >= {"crossref", "datacite", "doi.org"}
    steps = {(one["source"], one["outcome"]) for one in answer["provenance"]}
    assert ("crossref", "has no record of the identifier") in steps


@pytest.mark.parametrize(
    ("citation", "hosts", "source"),
    [
        ("PMID: 39000001", ["eutils.ncbi.nlm.nih.gov"], "pubmed"),
        ("PMC9000001", ["eutils.ncbi.nlm.nih.gov"], "ncbi"),
        ("arXiv:2999.00001", ["export.arxiv.org"], "arxiv"),
        ("arXiv:2999.00001", ["api.openalex.org"], "openalex"),
    ],
)
async def test_a_source_of_other_identifiers_that_fails_is_named(
    verify, internet, citation, hosts, source
):
    for host in hosts:
        internet.breaks(host, status=503)

    answer = await verify(citation)

    assert (answer["status"], answer["exists"]) == ("unconfirmed", None)
    assert source in answer["coverage"]["failed"]
    assert f"{source} did not answer" in answer["reason"]


async def test_a_failure_about_a_doi_is_not_forgotten_when_the_title_was_searched(
    verify, internet
):
    internet.breaks(DATACITE, status=503)
    internet.breaks(DOI_ORG, status=503)

    answer = await verify(
        "@article{x, title={Clay pipes and the price of silence}, author={Nobody Known},"
        " year={2015}, doi={10.5555/nobody-registered-this}}"
    )

    assert (answer["status"], answer["exists"]) == ("unconfirmed", None)
    assert {"datacite", "doi.org"} <= set(answer["coverage"]["failed"])


async def test_a_registered_doi_whose_record_cannot_be_read_is_said_to_be_registered(
    verify, internet
):
    for host in set(internet.hosts) - {DOI_ORG}:
        internet.breaks(host, status=503)

    answer = await verify(FINE)

    assert (answer["status"], answer["exists"]) == ("unconfirmed", True)
    assert answer["reason"].startswith("The DOI is registered")
    assert "crossref" in answer["coverage"]["failed"]


async def test_a_string_says_which_sources_did_not_answer(verify, internet):
    for host in internet.hosts:
        internet.breaks(host, status=503)

    answer = await verify(
        "Okonkwo A. Lighthouse keepers and the grammar of fog. Shore. 1987;3:1-9."
    )

    assert (answer["status"], answer["exists"]) == ("unconfirmed", None)
    assert "crossref" in answer["reason"]
    assert "did not answer" in answer["reason"]


async def test_a_pmc_id_leads_to_its_work(verify, internet):
    work = next(one for one in internet.corpus.works if one.key == FINE)

    answer = await verify(pmcid(work))

    assert (answer["status"], answer["exists"]) == ("verified", True)
    assert answer["matchedRecord"]["doi"] == FINE
    assert checks(answer) == {"pmcid": "match"}


async def test_a_pmc_id_of_nothing_is_undecided_and_says_who_was_asked(verify):
    answer = await verify("PMC1000001")

    assert (answer["status"], answer["exists"]) == ("unconfirmed", None)
    assert answer["coverage"]["answered"] == ["ncbi"]


PUBLISHER = "www.publisher.example"


async def test_a_publishers_address_is_checked_as_a_link_and_as_the_work_that_it_names(
    verify, internet
):
    internet.says(
        PUBLISHER, b"<html><title>T</title><p>Text.</p></html>", content_type="text/html"
    )

    answer = await verify(f"https://{PUBLISHER}/doi/full/{FINE}")

    assert (answer["inputType"], answer["httpStatus"], answer["exists"]) == ("url", 200, True)
    assert (answer["detectedDoi"], answer["matchedRecord"]["doi"]) == (FINE, FINE)


async def test_an_address_that_names_an_unregistered_doi_is_not_said_to_be_missing(
    verify, internet
):
    internet.says(
        PUBLISHER, b"<html><title>T</title><p>Text.</p></html>", content_type="text/html"
    )

    answer = await verify(f"https://{PUBLISHER}/doi/full/10.5555/nobody-registered-this")

    assert (answer["exists"], answer["status"]) == (True, "unconfirmed")
    assert "not registered" in answer["reason"]


async def test_a_page_that_refuses_the_check_exists_and_is_not_verified(verify, internet):
    internet.breaks(PUBLISHER, status=403)

    answer = await verify(f"https://{PUBLISHER}/about")

    assert (answer["exists"], answer["httpStatus"], answer["status"]) == (
        True,
        403,
        "unconfirmed",
    )
    assert "refused" in answer["reason"]


async def test_the_number_in_the_address_of_a_page_that_refuses_us_leads_to_its_work(
    verify, internet
):
    work = next(one for one in internet.corpus.works if one.key == FINE)
    internet.breaks("pmc.ncbi.nlm.nih.gov", status=403)

    answer = await verify(f"https://pmc.ncbi.nlm.nih.gov/articles/{pmcid(work)}/")

    assert answer["matchedRecord"]["doi"] == FINE


async def test_the_title_of_a_retracted_paper_is_no_evidence_for_its_claim(verify):
    claim = "harbour bells cure insomnia in a randomised trial"

    answer = await verify("10.5555/retracted-paper", claim=claim)

    assert answer["retractionStatus"]["retracted"]
    assert not [
        sentence
        for sentence in answer.get("claimEvidence", [])
        if "Harbour bells cure insomnia: a randomised trial" in sentence
    ]
