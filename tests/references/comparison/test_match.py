"""Whether two records describe the same work."""

import pytest

from sourcewright.base.works import Author, WorkRecord
from sourcewright.references.comparison.match import (
    Fingerprint,
    are_apart,
    authors_agree,
    is_same_work,
    title_relation,
)

TITLE = "Tidal mixing and the memory of estuaries"
FULL = f"{TITLE}: a study of forty harbours"


def record(title=TITLE, authors=("Adaeze Okonkwo", "Åsa Lindqvist"), year=2019, **more):
    names = tuple(Author(name=name) for name in authors)
    return Fingerprint(WorkRecord(source="x", title=title, authors=names, year=year, **more))


def same(one, other):
    assert is_same_work(one, other) == is_same_work(other, one)
    return is_same_work(one, other)


@pytest.mark.parametrize(
    "title",
    [
        TITLE.upper(),
        f"{TITLE}.",
        "Tidal Mixing and the Memory of Estuaries",
        "Tidal mixing & the memory of estuaries",
        "Tidal mixing and the memory of $\\mathrm{estuaries}$",
        "RETRACTED: Tidal mixing and the memory of estuaries",
    ],
)
def test_a_title_in_another_spelling_is_the_same(title):
    assert same(record(), record(title))


@pytest.mark.parametrize(
    "title",
    [
        f"Correction to: {TITLE}",
        f"Comment on \u201c{TITLE}\u201d",
        f"Reply to: {TITLE}",
        f"Erratum: {TITLE}",
        f"{TITLE} (Erratum)",
        f"Retraction Note: {TITLE}",
        f"{TITLE}: Part II",
        f"{TITLE} II",
        f"{TITLE}: second edition",
        f"{TITLE}, 2nd edition",
        f"{TITLE}: revisited",
        "Tidal mixing and the memory of harbours",
        "Tidal mixing and the memory of estuary",
    ],
)
def test_a_correction_a_comment_a_part_or_another_edition_is_another_work(title):
    assert not same(record(), record(title))
    assert are_apart(record(doi="10.1/a"), record(title, doi="10.1/b"))


def test_part_one_and_part_two_under_one_identifier_stay_apart():
    first, second = (record(f"{TITLE}: Part {n}", doi="10.1/a") for n in ("I", "II"))

    assert not same(first, second)


def test_a_title_alone_is_never_enough():
    assert not same(record(), record(authors=()))
    assert not same(record(authors=()), record(authors=()))
    assert not same(record(), record(authors=("Wei Zhang", "Li Na")))


def test_a_lost_subtitle_is_the_same_work_but_another_subtitle_is_not():
    assert same(record(FULL), record())
    assert not same(record(FULL), record(f"{TITLE}: a theory"))


@pytest.mark.parametrize(
    ("years", "expected"), [((2019, 2019), True), ((2019, 2020), True), ((2019, 2021), False)]
)
def test_years_may_differ_by_one(years, expected):
    assert same(record(year=years[0]), record(year=years[1])) is expected


def test_a_preprint_and_its_publication_are_one_work():
    preprint = record(year=2016, venue="arXiv", arxiv_id="1601.00001")
    published = record(year=2019, venue="Journal of Tides", doi="10.1/tides")

    assert same(preprint, published)


def test_a_preprint_of_any_server_is_known_by_its_type_or_by_a_link():
    preprint = record(doi="10.99/drift.1", type="posted-content")
    published = record(doi="10.1/tides", type="journal-article")
    linked = record(doi="10.1/tides", year=2030, preprints=("10.99/drift.2",))

    assert same(preprint, published)
    assert same(linked, record(doi="10.99/drift.2", type="article"))


def test_a_reprint_years_later_is_another_work():
    assert not same(record(year=1990, venue="Tides"), record(year=2004, venue="Classics"))


def test_editions_of_a_book_stay_apart():
    assert not same(record(year=2019, type="book"), record(year=2020, type="book"))


def test_two_publications_with_different_dois_stay_apart():
    assert not same(record(doi="10.1/a"), record(doi="10.1/b"))


def test_a_dataset_with_the_title_of_the_paper_is_no_paper():
    assert not same(record(type="article"), record(type="dataset"))


def test_a_wrong_identifier_does_not_join_two_works():
    one = record(doi="10.1/a")
    other = record("The acoustics of frozen lakes", ("Bjørn Ødegård",), doi="10.1/a")

    assert not same(one, other)


def test_a_translated_title_under_one_identifier_is_the_same_work():
    other = record("Gezeitenmischung und das Gedächtnis der Ästuare", doi="10.1/a")

    assert same(record(doi="10.1/a"), other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("Jürgen Müller",), ("J. Mueller",)),
        (("Zhang Wei", "Li Na"), ("Wei Zhang", "Na Li")),
        (("Bal Krishna Bal",), ("B. Bal",)),
        (("María José de la Cruz",), ("M. J. de la Cruz",)),
        (("Åsa Lindqvist", "Bo Ek"), ("Asa Lindqvist", "Bo Ek 0002")),
        (("Ann Lee",), ("Ann Lee", "Bo Ek", "Cy Day")),
    ],
)
def test_names_are_compared_whatever_their_spelling(one, other):
    assert authors_agree(record(authors=one), record(authors=other))
    assert authors_agree(record(authors=other), record(authors=one))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("Ann Lee",), ("Bob Lee",)),
        (("Ann Lee", "Bo Ek"), ("Cy Day", "Di Foe")),
        (("Ann Lee", "Bo Ek"), ("Ann Lee", "C D", "E F", "G H", "I J")),
    ],
)
def test_other_people_are_told_apart(one, other):
    assert authors_agree(record(authors=one), record(authors=other)) is False


def test_editorials_of_one_year_are_different_works():
    editorial = {"title": "Editorial", "authors": ("Ann Lee",), "venue": "Tides"}

    assert not same(record(**editorial, pages="1-2"), record(**editorial, pages="101-102"))
    assert not same(record(**editorial), record(**editorial))
    assert same(record(**editorial, pages="1-2"), record(**editorial, pages="1-2"))


def test_titles_of_different_documents_about_a_work_differ():
    assert title_relation(record(), record(f"Correction to: {TITLE}")) == "different"
    assert title_relation(record(FULL), record()) == "shortened"
