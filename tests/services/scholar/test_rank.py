"""The order of merged works."""

from sourcewright.base.works import Author, WorkRecord
from sourcewright.domain.scholar.merge import merge_lists
from sourcewright.services.scholar.rank import rank_works, without_unknown_words

A, B, C = "Slow water turns a wheel", "Tidal mixing of forty estuaries", "Fog over urban canals"


def works(**lists):
    return merge_lists(
        {
            name: [
                WorkRecord(
                    source=name,
                    title=title,
                    authors=(Author(name="Ann Lee"),),
                    year=2019,
                    doi=f"10.1/{title[:4].lower()}{len(title)}",
                )
                for title in titles
            ]
            for name, titles in lists.items()
        }
    )


def titles(query, **lists):
    return [work.record.title for work in rank_works(works(**lists), query)]


def test_works_are_fused_by_reciprocal_rank_and_equal_ones_keep_their_order():
    assert titles("harbour", openalex=[A, B], crossref=[C, B]) == [B, A, C]
    assert titles("harbour", openalex=[A, B]) == [A, B]


def test_the_work_that_a_query_names_comes_first_whatever_its_ranks():
    ranked = {"openalex": [A, C, B], "crossref": [A, C]}

    for query in (B, "tidal mixing forty estuaries", "Tidal mxing of forty estuaries", "Lee " + B):
        assert titles(query, **ranked)[0] == B


def test_a_correction_does_not_come_before_the_work_that_is_named():
    correction = f"Correction to: {B}"

    assert titles(B, openalex=[correction, B]) == [B, correction]
    assert titles(correction, openalex=[B, correction])[0] == correction


def test_one_common_word_names_no_work():
    assert titles("tidal", openalex=[A, B]) == [A, B]


def test_words_that_no_work_has_are_left_out_unless_they_are_many():
    found = works(openalex=[A, B])

    assert without_unknown_words("Tidal mxing of forty estuaries", found) == (
        "Tidal of forty estuaries"
    )
    assert without_unknown_words(B, found) is None
    assert without_unknown_words("quite another question", found) is None
