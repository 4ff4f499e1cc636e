"""Searches that match few papers, which are scored one by one."""

import os
from contextlib import ExitStack, closing
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sourcewright.base.text.words import words_of
from sourcewright.references.entries import Acquisition, Entry
from sourcewright.stores.index import LibraryIndex

HELD = Acquisition(fetched_at="2026-01-01T00:00:00Z", source="crossref")
TEXTS = st.lists(
    st.sampled_from(
        ["ra", "Ra,", "ran", "(rá)", "be", "be_ta", "beta", "模ra型", "模", "ﬁn", "x"]
    ),
    max_size=12,
).map(" ".join)


def filled(root: Path, papers: list[tuple[str, str]]) -> LibraryIndex:
    """An index over papers that are given as titles with abstracts."""
    (root / ".metadata").mkdir()
    for number in range(len(papers)):
        path = root / ".metadata" / f"{number:03}.toml"
        path.touch()
        # Files that are written in one tick of the system's clock would be equally new.
        os.utime(path, (1_800_000_000 + number,) * 2)

    def read(key: str) -> Entry:
        title, abstract = papers[int(key)]
        return Entry(key=key, title=title, abstract=abstract, authors=(), holding=HELD)

    return LibraryIndex(root / "index.sqlite3", root / ".metadata", read=read)


@pytest.fixture
def library(tmp_path):
    with ExitStack() as made:

        def fill(papers: list[tuple[str, str]]) -> LibraryIndex:
            return made.enter_context(closing(filled(tmp_path, papers)))

        yield fill


def found(index: LibraryIndex, query: str, limit: int = 50) -> list[int]:
    return [int(hit.paper.key) for hit in index.search(query, limit).hits]


@settings(max_examples=25, deadline=None)
@given(papers=st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=9))
def test_few_papers_are_those_that_hold_the_words_and_then_those_with_a_longer_one(
    papers, tmp_path_factory
):
    words = [set(words_of(" ".join(paper))) for paper in papers]
    whole = {number for number, held in enumerate(words) if {"ra", "be"} <= held}
    longer = {
        number
        for number, held in enumerate(words)
        if "ra" in held and any(word.startswith("be") for word in held)
    }

    with closing(filled(tmp_path_factory.mktemp("few"), papers)) as index:
        numbers = found(index, "ra be")

    assert set(numbers[: len(whole)]) == whole
    assert sorted(numbers) == sorted(longer)


@settings(max_examples=25, deadline=None)
@given(papers=st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=9))
def test_a_phrase_is_found_where_its_words_stand_side_by_side_in_one_text(
    papers, tmp_path_factory
):
    sides = [[pair for text in paper for pair in pairwise(words_of(text))] for paper in papers]
    whole = {number for number, pairs in enumerate(sides) if ("ra", "be") in pairs}
    longer = {
        number
        for number, pairs in enumerate(sides)
        if any(first == "ra" and second.startswith("be") for first, second in pairs)
    }

    with closing(filled(tmp_path_factory.mktemp("phrase"), papers)) as index:
        numbers = found(index, '"ra be"')

    assert set(numbers[: len(whole)]) == whole
    assert sorted(numbers) == sorted(longer)


def test_of_more_papers_than_are_shown_the_best_come_and_then_the_newest(library):
    index = library([("On things", "a zebra circuit")] * 40 + [("Zebra circuit", "")] * 2)

    hits = index.search("zebra circuit", 5).hits

    assert [int(hit.paper.key) for hit in hits] == [41, 40, 39, 38, 37]
    assert [hit.snippet for hit in hits] == ["Zebra circuit"] * 2 + ["a zebra circuit"] * 3


def test_where_most_papers_with_a_word_hold_the_other_those_without_it_are_left_out(library):
    index = library([("Zebra", "a circuit")] * 12 + [("Zebra", "")] * 3 + [("A circuit", "")] * 5)

    assert sorted(found(index, "zebra circuit")) == list(range(12))


def test_a_word_in_the_title_outweighs_the_same_word_elsewhere(library):
    index = library([("On things", "zebra and giraffe")] * 3 + [("A giraffe", "and a zebra")])

    hits = index.search("zebra giraffe", 50).hits

    assert hits[0].paper.key == "003"
    assert len(hits) == 4
    assert hits[0].score > hits[1].score == hits[3].score


def test_a_word_left_open_comes_after_the_same_word_finished_even_in_a_title(library):
    index = library([("Circuits of zebra", ""), ("On things", "a zebra circuit")])

    hits = index.search("zebra circuit", 50).hits

    assert [int(hit.paper.key) for hit in hits] == [1, 0]


def test_ten_papers_with_the_words_need_none_with_longer_ones(library):
    index = library([("zebra circuit", "")] * 10 + [("zebra circuits", "")])

    assert sorted(found(index, "zebra circuit")) == list(range(10))


def test_words_that_go_together_may_find_more_than_was_expected(library):
    together = [("On things", "zebra circuit")] * 60 + [("Zebra circuit", "")]
    index = library([("Another", "nothing")] * 140 + together)

    hits = index.search("zebra circuit", 50).hits

    assert len({hit.paper.key for hit in hits}) == 50
    assert hits[0].paper.key == "200"


@pytest.mark.parametrize(
    ("abstract", "query", "shown"),
    [
        ("füller " * 60 + "das Zebra läuft " + "und " * 60, "zebra things", "das Zebra läuft"),
        ("filler " * 60 + "the zebra runs " + "on " * 60, "zebra things", "the zebra runs"),
        ("图像" * 150 + "CNN模型" + "识别" * 150, "cnn things", "CNN模型"),
        ("filler " * 60 + "the zebras run " + "on " * 60, "things zebra", "the zebras run"),
    ],
)
def test_the_snippet_shows_the_first_word_that_stands_anywhere(library, abstract, query, shown):
    index = library([("Untitled", f"{abstract} things")])

    [hit] = index.search(query, 5).hits

    assert shown in hit.snippet
    assert len(hit.snippet) < 400
