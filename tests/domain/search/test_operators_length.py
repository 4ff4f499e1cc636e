"""A query in no more characters than an engine takes."""

import pytest

from sourcewright.domain.search.operators import fit_query, leaves_too_few_words
from sourcewright.domain.web.queries import Query


def query(text, **filters):
    return Query(kind="web", text=text, limit=5, **filters)


@pytest.mark.parametrize(
    ("text", "most", "kept"),
    [
        ("sea otter", 9, "sea otter"),
        ("sea otter kelp", 13, "sea otter"),
        ("sea otter kelp", 12, "sea otter"),
        ("seaotterkelp", 5, "seaot"),
        ("\N{SEAL}" * 9, 4, "\N{SEAL}" * 4),
    ],
)
def test_whole_words_go_where_there_are_several(text, most, kept):
    assert fit_query(query(text), most) == kept


def test_operators_stay_where_words_go():
    outcome = query("sea otter kelp", exact_terms="a b", sites=("x.y",))

    assert fit_query(outcome, 24) == 'sea otter "a b" site:x.y'
    assert fit_query(outcome, 20, without=("sites",)) == 'sea otter kelp "a b"'


def test_operators_alone_are_cut_where_they_are_too_many():
    assert len(fit_query(query("sea", sites=tuple(f"{n}.example" for n in range(9))), 40)) == 40


@pytest.mark.parametrize(
    ("words", "hosts", "crowded"),
    [(2, 2, False), (99, 0, False), (99, 2, False), (99, 6, True), (2, 9, True)],
)
def test_operators_crowd_words_out_where_little_room_is_left(words, hosts, crowded):
    outcome = query("kelp " * words, sites=tuple(f"{n}.example" for n in range(hosts)))

    assert leaves_too_few_words(outcome, 120) is crowded
