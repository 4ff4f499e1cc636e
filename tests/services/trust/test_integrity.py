"""The integrity check of many works, against the simulated world and its faults."""

import pytest
from tests.stores.catalogues.retraction_lists import csv_of, row

from sourcewright.base.errors import InvalidInput
from sourcewright.domain.papers.scholar import WorkIds
from sourcewright.world.corpus.ids import pmid

pytestmark = pytest.mark.anyio

CROSSREF, OPENALEX, ARXIV = "api.crossref.org", "api.openalex.org", "export.arxiv.org"
PUBMED, DATACITE = "eutils.ncbi.nlm.nih.gov", "api.datacite.org"
FINE, RETRACTED = "10.5555/fine-paper", "10.5555/retracted-paper"
NOTICE = "10.5555/retraction-notice"
STATUSES = {
    RETRACTED: "retracted",
    "10.5555/partly-retracted-paper": "partially_retracted",
    "10.5555/withdrawn-paper": "withdrawn",
    "10.5555/removed-paper": "removed",
    "10.5555/concern-paper": "expression_of_concern",
    "10.5555/corrected-paper": "corrected",
    "10.5555/unlisted-retraction": "retracted",
    "10.5555/corrected-then-retracted": "retracted",
    FINE: "no_notice_found",
}


@pytest.fixture
async def checker(application):
    return (await application()).services.trust.integrity


def by_doi(*dois):
    return [WorkIds(doi=doi) for doi in dois]


async def test_each_kind_of_notice_is_kept_apart(checker):
    report = await checker.check(by_doi(*STATUSES))

    assert {one.work.doi: one.integrity.status for one in report.works} == STATUSES
    assert not report.failed
    assert {"crossref", "openalex", "pubmed", "datacite"} <= set(report.answered)


async def test_the_notice_that_says_most_comes_first(checker):
    [work] = (await checker.check(by_doi(RETRACTED))).works

    first = work.integrity.notices[0]
    assert (first.doi, first.date) == (NOTICE, "2018-02-14")
    assert {one.source for one in work.integrity.notices} >= {"crossref", "openalex", "pubmed"}


async def test_many_works_take_one_question_per_index_and_fifty_works(
    checker, internet, one_world
):
    dois = [work.key for work in one_world.corpus.works if work.agency == "crossref"][:120]

    report = await checker.check(by_doi(*dois))

    assert [one.work.doi for one in report.works] == dois
    assert len(internet.requests_to(CROSSREF)) == 2 * 3
    assert len(internet.requests_to(OPENALEX)) == 3
    assert len(internet.requests_to(DATACITE)) == 3
    assert len(internet.requests_to(PUBMED)) <= 2 * 3


async def test_a_notice_is_no_retracted_paper_and_says_what_it_is_about(checker):
    [notice] = (await checker.check(by_doi(NOTICE))).works

    assert notice.integrity.status == "no_notice_found"
    assert notice.notice_for == (RETRACTED,)


async def test_a_preprint_that_arxiv_withdrew_is_withdrawn_by_any_of_its_names(checker, internet):
    works = [WorkIds(arxiv_id="2402.99902"), WorkIds(doi="10.48550/arXiv.2402.99902")]

    report = await checker.check([*works, WorkIds(arxiv_id="2401.99901")])

    statuses = [one.integrity.status for one in report.works]
    assert statuses == ["withdrawn", "withdrawn", "no_notice_found"]
    assert len(internet.requests_to(ARXIV)) == 1


async def test_a_pubmed_id_leads_to_what_every_index_knows(checker, one_world):
    number = pmid(one_world.corpus.by_doi(RETRACTED))

    [work] = (await checker.check([WorkIds(pmid=number)])).works

    assert work.work.doi == RETRACTED
    assert work.integrity.status == "retracted"
    assert {"crossref", "openalex", "pubmed"} <= set(work.integrity.checked_by)


FAULTS = {
    "down": lambda world: world.breaks(CROSSREF, status=503),
    "throttled": lambda world: world.breaks(CROSSREF, status=429, retry_after=3600),
    "unplugged": lambda world: world.unplugs(CROSSREF),
    "absent": lambda world: world.breaks(CROSSREF, status=404),
    "a page": lambda world: world.says(CROSSREF, b"<html>", content_type="text/html"),
    "another shape": lambda world: world.says(CROSSREF, {"status": "ok", "message": []}),
}


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_deciding_source_that_fails_leaves_works_unchecked(checker, internet, fault):
    FAULTS[fault](internet)

    report = await checker.check(by_doi(FINE, RETRACTED))

    fine, retracted = report.works
    assert fine.integrity.status == "unchecked"
    assert "crossref" in fine.failed
    assert "could not be checked" in fine.integrity.note
    assert retracted.integrity.status == "retracted"
    assert "crossref" in report.failed
    assert "crossref" not in report.answered


WITHOUT_NOTICES = {
    "status": "ok",
    "message-type": "work-list",
    "message": {"total-results": 2, "items": [{"DOI": FINE, "title": ["T"]}]},
}
"""A list that holds the record, and is too short to be all notices about it."""


async def test_a_record_without_its_notices_leaves_the_work_unchecked(checker, internet):
    internet.says(CROSSREF, WITHOUT_NOTICES)

    [work] = (await checker.check(by_doi(FINE))).works

    assert work.integrity.status == "unchecked"
    assert "crossref sent a record without its notices" in work.integrity.note


async def test_a_search_names_the_index_whose_notices_are_missing(call, internet):
    internet.says(CROSSREF, WITHOUT_NOTICES)

    reply = await call("academic_search", {"query": "Tidal mixing and the memory of estuaries"})

    assert "crossref" in reply["noticeCheck"]["failed"]
    assert "crossref" not in reply["noticeCheck"]["answered"]


async def test_another_source_that_fails_is_named_beside_the_answer(checker, internet):
    internet.breaks(OPENALEX, status=503)

    [fine] = (await checker.check(by_doi(FINE))).works

    assert fine.integrity.status == "no_notice_found"
    assert (fine.complete, list(fine.failed)) == (False, ["openalex"])


async def test_when_nobody_answers_nothing_is_clean(checker, internet):
    for host in (CROSSREF, OPENALEX, PUBMED, DATACITE, "www.ebi.ac.uk"):
        internet.breaks(host, status=500)

    report = await checker.check(by_doi(*STATUSES))

    assert {one.integrity.status for one in report.works} == {"unchecked"}
    assert report.answered == ()


async def test_a_work_that_nobody_knows_is_unchecked(checker):
    [work] = (await checker.check(by_doi("10.5555/nobody.registered.this"))).works

    assert work.integrity.status == "unchecked"
    assert work.integrity.checked_at is None


async def test_a_failing_batch_costs_no_other_work(checker, internet, one_world):
    dois = sorted(work.key for work in one_world.corpus.works if work.agency == "crossref")[:60]
    internet.breaks(CROSSREF, status=400, times=1)

    report = await checker.check(by_doi(*dois))

    failed = [one.work.doi for one in report.works if "crossref" in one.failed]
    assert failed in (dois[:50], dois[50:])
    assert all(one.integrity.status != "no_notice_found" for one in report.works if one.failed)


async def test_a_doi_that_an_index_cannot_be_asked_for_is_unchecked(checker):
    [work] = (await checker.check(by_doi("10.1001/jama.251.19.2504,2509"))).works

    assert work.integrity.status == "unchecked"
    assert "cannot express" in work.failed["crossref"]


async def test_a_work_without_identifier_is_refused(checker):
    with pytest.raises(InvalidInput, match="needs a DOI"):
        await checker.check([WorkIds()])


@pytest.fixture
async def listing(application, tmp_path):
    """Reads rows into the local list, and returns the checker that uses it."""
    app = await application()

    async def read(*rows):
        path = tmp_path / "list.csv"
        path.write_text(csv_of(*rows))
        await app.services.trust.retraction_lists.update(str(path))
        return app.services.trust.integrity

    return read


async def test_the_local_list_adds_what_the_indexes_lack(listing):
    checker = await listing(row(OriginalPaperDOI=FINE.upper()))

    [work] = (await checker.check(by_doi(FINE))).works

    assert work.integrity.status == "retracted"
    assert work.integrity.notices[0].source == "retraction-watch"
    assert "Error in Data" in work.integrity.notices[0].label


async def test_a_reinstated_paper_is_not_retracted(listing):
    checker = await listing(
        row(OriginalPaperDOI=RETRACTED, RetractionDate="2/14/2018 0:00"),
        row(OriginalPaperDOI=RETRACTED, RetractionNature="Reinstatement"),
    )

    for offline in (True, False):
        [work] = (await checker.check(by_doi(RETRACTED), offline=offline)).works
        assert work.integrity.status != "retracted"
        assert work.reinstated_on == "2021-04-15"
        assert "reinstated on 2021-04-15" in work.integrity.note


async def test_a_paper_that_was_retracted_again_is_retracted(listing):
    checker = await listing(
        row(OriginalPaperDOI=FINE, RetractionNature="Reinstatement"),
        row(OriginalPaperDOI=FINE, RetractionDate="6/1/2022 0:00"),
    )

    [work] = (await checker.check(by_doi(FINE), offline=True)).works

    assert (work.integrity.status, work.reinstated_on) == ("retracted", None)


async def test_a_notice_of_the_list_is_no_retracted_paper(listing):
    checker = await listing(row(OriginalPaperDOI="10.7777/p", RetractionDOI="10.7777/n"))

    [notice] = (await checker.check(by_doi("10.7777/n"), offline=True)).works

    assert (notice.integrity.status, notice.notice_for) == ("no_notice_found", ("10.7777/p",))


async def test_a_notice_in_place_of_the_article_is_about_the_article(listing):
    checker = await listing(row(OriginalPaperDOI="10.7777/p", RetractionDOI="10.7777/p"))

    [work] = (await checker.check(by_doi("10.7777/p"), offline=True)).works

    assert (work.integrity.status, work.notice_for) == ("retracted", ())


async def test_a_pmid_never_overrules_a_doi(listing):
    checker = await listing(row(OriginalPaperDOI="10.7777/p", OriginalPaperPubMedID="777"))

    other, same = (
        await checker.check(
            [WorkIds(doi="10.7777/other", pmid="777"), WorkIds(pmid="777")], offline=True
        )
    ).works

    assert other.integrity.status == "no_notice_found"
    assert same.integrity.status == "retracted"


async def test_a_list_that_cannot_be_read_is_a_source_that_failed(listing):
    checker = await listing(row())
    checker.retractions.path.write_bytes(b"damaged" * 400)

    [work] = (await checker.check(by_doi("10.7777/paper"), offline=True)).works

    assert work.integrity.status == "unchecked"
    assert "retraction-watch" in work.failed


async def test_the_list_does_not_hide_that_a_deciding_source_failed(listing, internet):
    checker = await listing(row())
    internet.breaks(CROSSREF, status=503)

    [fine] = (await checker.check(by_doi(FINE))).works

    assert fine.integrity.status == "unchecked"
    assert "retraction-watch" in fine.integrity.checked_by
