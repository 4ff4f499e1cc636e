"""Writing Markdown: facts, blocks, code fences, and remarks within limits."""

from sourcewright.reading.markdown.writer import (
    Comment,
    code_fence,
    fact_list,
    join_blocks,
    write_comments,
)


def remarks(count, **more):
    return (Comment(text=f"Remark {number}", author="gull", **more) for number in range(count))


def test_facts_that_are_not_known_are_left_out():
    assert (
        fact_list(Points=0, Author=None, Title="", Last_push="a\nb")
        == "- Points: 0\n- Last push: a b"
    )


def test_blocks_stand_a_blank_line_apart():
    assert join_blocks("a\n", None, "  ", "", "\nb") == "a\n\nb"


def test_a_fence_is_longer_than_any_inside():
    assert code_fence("a\n````\nb\n") == "`````\na\n````\nb\n`````"


def test_a_limit_of_remarks_ends_them():
    text = write_comments(remarks(9), most=4, characters=10_000)

    assert (text.count, text.cut) == (4, True)
    assert text.text.endswith("Remark 3")


def test_a_limit_of_characters_ends_them_before_it_is_passed():
    text = write_comments(remarks(9), most=100, characters=70)

    assert text.cut
    assert 0 < len(text.text) <= 70


def test_all_of_them_within_the_limits_are_not_cut():
    text = write_comments(remarks(9), most=9, characters=10_000)

    assert (text.count, text.cut) == (9, False)


def test_one_remark_that_never_ends_is_cut_and_the_rest_goes_on():
    long, short = Comment(text="x" * 1_000_000), Comment(text="short")

    text = write_comments([long, short], most=9, characters=100_000)

    assert (text.count, text.cut) == (2, True)
    assert text.text.endswith("short")


def test_depth_is_a_margin_and_then_a_number():
    deep = [Comment(text="a", depth=1), Comment(text="b", depth=200)]

    text = write_comments(deep, most=9, characters=10_000)

    assert text.text == (
        "  - **unknown**\n\n    a\n\n"
        "                - **unknown**, depth 200\n\n                  b"
    )
