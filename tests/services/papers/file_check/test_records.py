# ruff: noqa: RUF001 -- letters of other scripts are meant
"""What the record says of a work decides which documents may be it: its kind, its title, its pages."""

from dataclasses import replace

import pytest

from sourcewright.base.identifiers import Doi
from sourcewright.base.works import Author, Work
from sourcewright.reading.excerpts import Excerpt
from sourcewright.services.papers.file_check.check import check_file

DOI = Doi("10.5555/fine-paper")
TITLE = "Tidal mixing and the memory of estuaries"
PEOPLE = "Adaeze Okonkwo and Åsa Lindqvist"
WORK = Work(
    source="crossref",
    title=TITLE,
    authors=(
        Author(name="Adaeze Okonkwo", family="Okonkwo", given="Adaeze"),
        Author(name="Åsa Lindqvist", family="Lindqvist", given="Åsa"),
    ),
    year=2019,
    doi=DOI.value,
    venue="Journal of Tidal Research",
    type="journal-article",
    pages="101-119",
)
BODY = "\n".join(
    f"Line {number} of the body says something about water, salt and instruments."
    for number in range(40)
)
KEPT = {"confirmed", "probable"}


def status(*texts: str, work: Work = WORK, page_count: int = 12, **about) -> str:
    pages = tuple(f"{text}\n{BODY}" for text in texts)
    excerpt = Excerpt(pages=pages, page_count=page_count, **about)
    return check_file(work, excerpt, reference=Doi(work.doi or "")).status


def notice(title: str) -> Work:
    return replace(WORK, title=title, doi="10.5555/note", notice_for=(DOI.value,), pages="300-300")


NOTICE_FILE = (
    f"Journal of Tidal Research 15\nhttps://doi.org/10.5555/note\nCORRECTION\n{TITLE}\n{PEOPLE}\n"
    "2019\nThe original article can be found online at https://doi.org/10.5555/fine-paper."
)


@pytest.mark.parametrize("title", [f"Correction to: {TITLE}", TITLE, "Correction"])
def test_a_notice_is_kept_when_it_is_what_was_asked_for(title):
    assert status(NOTICE_FILE, work=notice(title), page_count=1) in KEPT
    assert status(NOTICE_FILE, page_count=1) == "mismatch"


def test_a_notice_of_a_few_lines_is_a_whole_notice():
    text = (
        f"https://doi.org/10.5555/note\nWithdrawal: {TITLE}\n{PEOPLE}\nWithdrawn by the authors."
    )
    excerpt = Excerpt(pages=(text,), page_count=1)
    work = notice(f"Withdrawal: {TITLE}")

    assert check_file(work, excerpt, reference=Doi("10.5555/note")).status in KEPT


@pytest.mark.parametrize("title", [f"Correction to: {TITLE}", TITLE])
def test_the_article_is_not_its_notice_even_without_a_doi(title):
    assert status(f"{TITLE}\n{PEOPLE}\n2019\nAbstract", work=notice(title)) == "mismatch"


def test_a_retraction_is_not_the_correction_of_the_same_article():
    retraction = NOTICE_FILE.replace("CORRECTION", "RETRACTION").replace("10.5555/note", "n.a.")

    assert status(retraction, work=notice(f"Correction to: {TITLE}"), page_count=1) == "mismatch"


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        (
            {"type": "dissertation", "pages": None},
            f"{TITLE}\nAdaeze Okonkwo\nA thesis submitted for the degree of Doctor of Philosophy\n2019",
        ),
        (
            {"type": "component", "title": f"Supplementary material for: {TITLE}", "pages": None},
            f"Supplementary material for: {TITLE}\n{PEOPLE}\n2019\nTable S1. Gauges",
        ),
        (
            {"type": "component", "pages": None},
            f"Supporting Information\n{TITLE}\n{PEOPLE}\n2019\nTable S1. Gauges",
        ),
        (
            {"title": f"{TITLE}: study protocol"},
            f"STUDY PROTOCOL\n{TITLE}: study protocol\n{PEOPLE}\n2019",
        ),
        (
            {"title": "Protocol for a randomised trial of tide tables"},
            f"Protocol\nProtocol for a randomised trial of tide tables\n{PEOPLE}\n2019",
        ),
        ({"title": f"RETRACTED: {TITLE}"}, f"{TITLE}\n{PEOPLE}\n2019"),
        ({}, f"RETRACTED: {TITLE}\n{PEOPLE}\n2019\nAbstract"),
        (
            {"title": "Peer review and its discontents"},
            f"Peer review and its discontents\n{PEOPLE}",
        ),
    ],
    ids=[
        "thesis",
        "supplement",
        "component",
        "protocol-after",
        "protocol-before",
        "retracted-in-the-record",
        "retracted-in-the-file",
        "about-peer-review",
    ],
)
def test_a_document_of_that_kind_is_kept_when_it_is_what_was_asked_for(fields, text):
    assert status(text, work=replace(WORK, **fields)) in KEPT


LOWER = "tidal mixing and the memory of estuaries"


@pytest.mark.parametrize(
    "shown",
    [
        f"The {LOWER}",
        f"On the {LOWER}",
        f"On {LOWER}",
        f"Towards {LOWER}",
        f"Review: {TITLE}",
        f"Review Article: {TITLE}",
        f"Original article: {TITLE}",
        f"Short communication: {TITLE}",
        f"RESEARCH ARTICLE The {LOWER}",
    ],
)
def test_small_words_and_the_article_s_section_do_not_make_another_title(shown):
    assert status(f"{shown}\n{PEOPLE}\n2019") == "confirmed"
    # The record has them too, and the file does not.
    recorded = replace(WORK, title=shown.removeprefix("RESEARCH ARTICLE "))
    assert status(f"{TITLE}\n{PEOPLE}\n2019", work=recorded) == "confirmed"


@pytest.mark.parametrize(
    ("recorded", "shown"),
    [
        ("Inhibition of alpha-synuclein aggregation", "Inhibition of α-synuclein aggregation"),
        ("TNF-α and the tides of inflammation", "TNF-alpha and the tides of inflammation"),
        (
            r"A $\beta$-decay of heavy nuclei near stability",
            "A beta-decay of heavy nuclei near stability",
        ),
        ("The 5 µm band of methane in winter", "The 5 μm band of methane in winter"),
        ("ΔS and the entropy of cold water", "Delta S and the entropy of cold water"),
        ("Измерение массы α-частицы в тумане", "Измерение массы 𝛼-частицы в тумане"),
    ],
)
def test_greek_letters_and_their_names_are_the_same(recorded, shown):
    assert status(f"{shown}\n{PEOPLE}\n2019", work=replace(WORK, title=recorded)) == "confirmed"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{TITLE}\nMaria Castellano, Wei Bell\n2019", "mismatch"),
        (f"{TITLE}\nMaria Castellano\nAs Okonkwo and Lindqvist (2019) showed", "probable"),
        (f"{TITLE}\nBoniface Okonkwo\n2019", "mismatch"),
        (f"{TITLE}\nOkonkwo A, Lindqvist Å\n2019", "confirmed"),
        (f"{TITLE}\nAdaeze Okonkwoa,b, Åsa Lindqvistc\n2019", "confirmed"),
        (f"{TITLE}\nAdaeze 0konkwo and Asa Lindqvjst\n2019", "confirmed"),
        (f"{TITLE}\nAdaeze Okonkwo et al.\n2019", "confirmed"),
    ],
    ids=["others", "others-citing", "namesake", "inverted", "footnotes", "ocr", "et-al"],
)
def test_every_author_counts(text, expected):
    assert status(text) == expected


def test_one_of_many_authors_is_not_enough_to_confirm():
    names = ["Okonkwo", "Lindqvist", "Castellano", "Dimitrov", "Ekwueme"]
    work = replace(WORK, authors=tuple(Author(name=f"Ada {name}", family=name) for name in names))

    assert status(f"{TITLE}\nAdaeze Okonkwo\n2019", work=work) == "probable"


def test_a_name_in_another_script_is_not_another_author():
    assert status(f"{TITLE}\nАдаэзе Оконкво, Оса Линдквист\n2019", work=WORK) == "probable"


@pytest.mark.parametrize(
    ("pages", "page_count", "expected"),
    [
        ("11-29", 110, "mismatch"),
        ("11-29", 45, "confirmed"),
        ("11-14", 30, "confirmed"),
        ("11-14", 60, "mismatch"),
        (None, 110, "confirmed"),
        ("e1004", 110, "confirmed"),
    ],
)
def test_a_file_with_many_more_pages_than_the_record_is_something_longer(
    pages, page_count, expected
):
    work = replace(WORK, pages=pages)

    assert status(f"{TITLE}\n{PEOPLE}\n2019", BODY, work=work, page_count=page_count) == expected


def test_a_page_that_says_it_is_the_first_of_many_is_not_the_paper():
    work = replace(WORK, pages="e77")
    text = f"{TITLE}\n{PEOPLE}\n2019\nhttps://doi.org/{DOI}\n{BODY}\nTides 2019, 14, 77 1 of 15"

    def found(page_count: int) -> str:
        excerpt = Excerpt(pages=(text,) * min(3, page_count), page_count=page_count)
        return check_file(work, excerpt, reference=DOI).status

    assert found(1) == "mismatch"
    assert found(15) == "confirmed"


@pytest.mark.parametrize("venue", ["Materials Letters", "Data", "Nature Protocols"])
def test_the_name_of_a_journal_does_not_make_its_doi_that_of_a_data_set(venue):
    work = replace(WORK, venue=venue)
    text = f"{venue} 12 (2019) 1-9\nhttps://doi.org/10.5555/another\n{TITLE}\n{PEOPLE}"

    assert status(text, work=work) == "mismatch"
