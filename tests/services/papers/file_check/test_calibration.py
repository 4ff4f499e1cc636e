"""The right-file check, counted over files whose identity is known.

Each test counts a table of statuses. `confirmed` for a wrong file is the one thing that may
never be; a right file may be refused in two cases of a hundred.
"""

from collections import Counter
from collections.abc import Iterable
from random import Random

import pytest
from rapidfuzz import fuzz, process

from sourcewright.base.identifiers import ArxivId, Doi
from sourcewright.base.works import Author, Work
from sourcewright.services.papers.file_check.check import check_file

REFUSED_AT_MOST = 0.02
HARDEST, RANDOM = 3, 1
"""Crossed with each file: the works whose titles are most like its own, and some others."""


def work(title: str, *authors: str, year: int | None = None, **ids: str) -> Work:
    people = tuple(Author(name=name) for name in authors)
    return Work(source="by hand", title=title, authors=people, year=year, **ids)


TRULY = {
    "docling-multi-page": work("The Evolution of the Word Processor"),
    "jabref-example": work("An Example Paper", "My Name", year=2005),
    "jabref-ieee-paper": work("JabRef Example for Reference Parsing", "First Author"),
    "jabref-multiple-meta-data": work(
        "Title-from-LaTeX", "Author-from-LaTeX", year=2025, doi="10.1039/authorarchive"
    ),
    "rcrossref-mairchamberlain2014rjournal": work(
        "Web Technologies Task View", "Patrick Mair", "Scott Chamberlain", year=2014
    ),
    "refextract-2304-10117": work(
        "Testing the first law of black hole mechanics with gravitational waves",
        "Chao-Wan-Zhen Wang",
        "Fu-Wen Shu",
        year=2023,
        arxiv_id="2304.10117",
    ),
    "sample-files-multicolumn": work(
        "Two-Column Document with Lorem Ipsum", "Your Name", year=2024
    ),
    "zotero-recognizepdf-test-title": work(
        "Bitcoin: A Peer-to-Peer Electronic Cash System", "Satoshi Nakamoto", year=2008
    ),
}
"""The recorded files that are papers or like papers, described by hand; the rest are forms,
invoices, tables, drawings, orders of a court and empty or locked files."""

SCANNED = {"botfeeder-house-ptr-scanned-no-text"}
"""Pictures of whole pages."""
BARE = {"courtlistener-opinion-pdf-image-based", "jabref-write-protected"}
"""No text, and at most a small picture."""
LOCKED = {
    "pdfminer-six-aes-256",
    "pdfplumber-password-example",
    "sample-files-libreoffice-writer-password",
}


def reference_of(one: Work) -> Doi | ArxivId:
    return ArxivId(one.arxiv_id) if one.arxiv_id else Doi(one.doi or "10.5555/made-by-hand")


def counted(pairs: Iterable[tuple]) -> Counter:
    return Counter(
        check_file(case.work, excerpt, reference=case.reference).status for case, excerpt in pairs
    )


def are_versions(one: Work, other: Work) -> bool:
    """Whether two records are the preprint and the publication of one text."""
    known = {other.doi, other.arxiv_id}
    return bool(known & {*one.preprints, *one.published_as}) or one.title == other.title


def crossed(cases):
    """Every file with the records that are most easily taken for its own."""
    titles = [case.work.title or "" for case in cases]
    for at, case in enumerate(cases):
        near = process.extract(titles[at], titles, scorer=fuzz.ratio, limit=HARDEST + 1)
        others = {index for _, _, index in near} | {*Random(at).sample(range(len(cases)), RANDOM)}
        for other in sorted(others - {at}):
            if not are_versions(case.work, cases[other].work):
                yield cases[other], case.excerpt


def test_every_invented_paper_is_confirmed_as_itself(corpus_cases):
    table = counted((case, case.excerpt) for case in corpus_cases)

    assert table == {"confirmed": len(corpus_cases)}


def test_no_invented_paper_is_taken_for_another(corpus_cases):
    table = counted(crossed(corpus_cases))

    assert table.keys() == {"mismatch"}, table


def test_manuscripts_without_identifiers_are_recognised(bare_cases):
    table = counted((case, case.excerpt) for case in bare_cases)

    refused = len(bare_cases) - table["confirmed"] - table["probable"]
    assert refused <= REFUSED_AT_MOST * len(bare_cases), table
    assert table["confirmed"] >= 0.9 * len(bare_cases), table


def test_manuscripts_without_identifiers_are_not_confirmed_as_others(bare_cases):
    table = counted(crossed(bare_cases))

    assert table["confirmed"] == 0, table
    # A renamed preprint that no record links to its publication is alike in all but the name.
    assert table["probable"] <= 2, table


def test_scans_are_never_confirmed_and_stay_undisputed(scans):
    table = counted((case, case.excerpt) for case in scans)

    assert table == {"unconfirmed": len(scans)}


def test_every_layout_is_recognised(made_right):
    refused = Counter(
        case.name
        for case in made_right
        if check_file(case.work, case.excerpt, reference=case.reference).status == "mismatch"
    )
    table = counted((case, case.excerpt) for case in made_right)

    assert refused.total() <= REFUSED_AT_MOST * len(made_right), refused
    assert table["confirmed"] >= 0.9 * len(made_right), table


def test_no_layout_is_taken_for_another_paper(made_right):
    table = counted(
        (other, case.excerpt)
        for case in made_right
        for other in made_right[:15]
        if other.work != case.work
    )

    assert table.keys() == {"mismatch"}, table


def test_no_document_about_a_paper_is_taken_for_it(made_wrong):
    accepted = Counter(
        (case.name, check_file(case.work, case.excerpt, reference=case.reference).status)
        for case in made_wrong
    )

    assert {status for _, status in accepted} == {"mismatch"}, accepted


@pytest.mark.parametrize("name", TRULY)
def test_a_real_file_is_recognised(recorded_files, name):
    one = TRULY[name]

    found = check_file(one, recorded_files[name], reference=reference_of(one))

    assert found.status in {"confirmed", "probable"}, found


def test_a_real_preprint_is_confirmed_by_its_stamp(recorded_files):
    one = TRULY["refextract-2304-10117"]

    found = check_file(one, recorded_files["refextract-2304-10117"], reference=reference_of(one))

    assert found.status == "confirmed"
    assert "the arXiv stamp is 2304.10117v1" in found.evidence


def test_real_files_are_never_taken_for_other_papers(recorded_files, corpus_cases):
    works = [*TRULY.items(), *((case.name, case.work) for case in corpus_cases[::10])]

    table = Counter(
        check_file(one, excerpt, reference=reference_of(one)).status
        for name, excerpt in recorded_files.items()
        for truly, one in works
        if name != truly
    )

    assert table.keys() == {"mismatch", "unusable", "unconfirmed"}, table
    # A picture of a page shows nothing; whether it is kept is for its place to say.
    assert table["unconfirmed"] == len(SCANNED) * len(works), table


def test_invented_papers_are_never_taken_for_real_ones(corpus_cases):
    table = Counter(
        check_file(one, case.excerpt, reference=reference_of(one)).status
        for case in corpus_cases[::5]
        for one in TRULY.values()
    )

    assert table.keys() == {"mismatch"}, table


@pytest.mark.parametrize(
    ("names", "status"),
    [(SCANNED, "unconfirmed"), (BARE, "mismatch"), (LOCKED, "unusable")],
    ids=["scanned", "bare", "locked"],
)
def test_a_real_file_without_text_is_told_by_what_is_on_its_pages(recorded_files, names, status):
    one = TRULY["refextract-2304-10117"]

    statuses = {
        name: check_file(one, recorded_files[name], reference=reference_of(one)).status
        for name in names
    }

    assert set(statuses.values()) == {status}, statuses
