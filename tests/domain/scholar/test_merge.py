"""Records of several indexes merged: one work, once."""

import gzip
import random
import sys
from importlib import import_module

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.material import SHARED

from sourcewright.base.text.plain import plain_text
from sourcewright.base.works import Author, Copy, Notice, WorkRecord
from sourcewright.domain.papers.titles import full_title
from sourcewright.domain.scholar.merge import group_records, merge_group, merge_lists

TRUST = SHARED / "trust"
TITLE = "Tidal mixing and the memory of estuaries"
PEOPLE = ("Adaeze Okonkwo", "Åsa Lindqvist")


def record(source="openalex", title=TITLE, authors=PEOPLE, year=2019, **more):
    names = tuple(Author(name=name) for name in authors)
    return WorkRecord(source=source, title=title, authors=names, year=year, **more)


def test_a_preprint_and_its_publication_are_one_work_with_both_places():
    preprint = record("arxiv", year=2017, venue="arXiv", arxiv_id="1701.00001")
    published = record("crossref", venue="Journal of Tides", doi="10.1/tides")

    [work] = merge_lists({"arxiv": [preprint], "crossref": [published]})

    assert (work.record.venue, work.record.year, work.record.doi) == (
        "Journal of Tides",
        2019,
        "10.1/tides",
    )
    assert work.record.arxiv_id == "1701.00001"
    assert [(one.is_preprint, one.sources) for one in work.places] == [
        (False, ("crossref",)),
        (True, ("arxiv",)),
    ]


def test_each_field_names_the_index_that_it_is_from():
    poor = record("crossref", title=TITLE.upper(), authors=PEOPLE[:1], doi="10.1/a")
    rich = record("semanticscholar", doi="10.1/A", tldr="Estuaries remember.", citation_count=7)

    work = merge_group([poor, rich])

    assert work.record.title == TITLE
    assert work.origins["title"] == work.origins["authors"] == "semanticscholar"
    assert work.origins["doi"] == "crossref"
    assert (work.record.tldr, work.record.citation_count) == ("Estuaries remember.", 7)


def test_notices_and_copies_of_all_records_are_kept():
    notice = Notice(kind="retraction", source="crossref", doi="10.1/n")
    copy = Copy(url="https://a.example/a.pdf", source="openalex", is_pdf=True)

    work = merge_group(
        [record(doi="10.1/a", copies=(copy,)), record("crossref", doi="10.1/a", notices=(notice,))]
    )

    assert work.record.notices == (notice,)
    assert work.record.copies == (copy,)
    assert work.record.open_access is True
    assert merge_group([record()]).record.notices is None


def test_a_wrong_identifier_does_not_chain_two_works():
    first = record(doi="10.1/a")
    wrong = record("semanticscholar", doi="10.1/a", arxiv_id="2001.00002")
    other = record(
        "arxiv", "The acoustics of frozen lakes", ("Bjørn Ødegård",), arxiv_id="2001.00002"
    )

    assert group_records([first, wrong, other]) == [[0, 1], [2]]
    assert group_records([other, wrong, first]) == [[0], [1, 2]]


def test_a_cut_title_does_not_chain_two_subtitles():
    theory, bare, practice = (
        record(title=title) for title in (f"{TITLE}: theory", TITLE, f"{TITLE}: practice")
    )

    assert sorted(map(len, group_records([theory, bare, practice]))) == [1, 2]


def test_a_later_record_joins_two_that_had_nothing_in_common():
    crossref = record("crossref", authors=(), doi="10.1/a")
    arxiv = record("arxiv", authors=(), arxiv_id="1901.00001")
    both = record("semanticscholar", doi="10.1/a", arxiv_id="1901.00001")

    assert group_records([crossref, arxiv, both]) == [[0, 1, 2]]


NOISE = st.lists(st.sampled_from(("upper", "accents", "first", "initials", "year", "dot")))


@given(NOISE, st.randoms(use_true_random=False))
def test_the_same_work_is_merged_whatever_the_indexes_make_of_it(kinds, dice):
    one = record(doi="10.1/a")
    other = noisy(record("crossref"), kinds)
    order = [one, other]
    dice.shuffle(order)

    assert group_records(order) == [[0, 1]]


def noisy(clean, kinds):
    title, names, year = clean.title, [author.name for author in clean.authors], clean.year
    for kind in kinds:
        if kind == "upper":
            title = title.upper()
        elif kind == "dot" and not title.endswith("."):
            title = f"{title}."
        elif kind == "accents":
            names = [name.replace("Å", "A") for name in names]
        elif kind == "initials":
            names = [f"{name[0]}. {name.split()[-1]}" for name in names]
        elif kind == "first":
            names = names[:1]
        elif kind == "year":
            year = 2018
    return record(clean.source, title, names, year)


@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 3)), max_size=25),
    st.randoms(use_true_random=False),
)
def test_every_record_is_in_exactly_one_group_and_dois_never_mix(chosen, dice):
    records = [
        record(title=f"{TITLE} of type {work}", doi=f"10.1/{work}" if spelling else None)
        for work, spelling in chosen
    ]
    dice.shuffle(records)

    groups = group_records(records)

    assert sorted(at for group in groups for at in group) == list(range(len(records)))
    assert all(len({records[at].title for at in group}) == 1 for group in groups)


@pytest.fixture(scope="module")
def closed_world():
    """A fixed sample of works of the closed world, as each of its indexes describes them."""
    if not TRUST.is_dir():
        pytest.skip("the closed world is not beside the checkout")
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(TRUST))
    try:
        world, sets = import_module("world"), import_module("sets")
    finally:
        sys.path.remove(str(TRUST))
    with gzip.open(TRUST / "works.jsonl.gz", "rt", encoding="utf-8") as lines:
        number = sum(1 for _ in lines)
    index = world.Index(world.index_path(sets.works(None)), "hard")
    start = random.Random(17).randrange(number - 2500)
    return [
        (row["n"], as_record(name, row))
        for name in ("openalex", "crossref", "s2", "dblp", "arxiv", "datacite")
        for row in index.rows(name, f"id BETWEEN {start} AND {start + 2500}")
    ]


def as_record(name, row):
    doi = row["doi"] if name in ("crossref", "dblp", "arxiv") else row["any_doi"]
    arxiv = row["arxiv_id"] if name in ("s2", "arxiv") else ""
    return record(
        name,
        plain_text(full_title(row["title"], row.get("subtitle"))),
        row["authors"],
        row.get("online") or row["year"] or None,
        doi=doi or None,
        arxiv_id=arxiv.partition("v")[0] or None,
        venue=row["venue"] or None,
        pages=row["pages"] or None,
    )


def test_no_two_works_of_the_closed_world_are_merged_and_nearly_none_is_shown_twice(closed_world):
    numbers, records = zip(*closed_world, strict=True)

    groups = group_records(records)

    for group in groups:
        published = {
            records[at].doi
            for at in group
            if records[at].doi and "arxiv" not in (records[at].doi or "")
        }
        titles = {"".join(filter(str.isalnum, records[at].title.casefold())) for at in group}
        assert len(published) <= 1
        assert len({numbers[at] for at in group}) == 1 or len(titles) == 1
    repeated = len(groups) - len(set(numbers))
    assert repeated <= 0.01 * len(set(numbers))
