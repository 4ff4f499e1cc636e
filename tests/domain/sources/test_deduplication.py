"""Text that several sources repeat is given once."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sourcewright.domain.sources.deduplication import Deduplicator

FIRST = "# Tides\n\nThe water rises.\n\nThe moon pulls at it, far away."
CODE = "```python\nx = 1\n\ny = 2\n```"


def telling(*texts, most=10_000, deduplicate=True):
    deduplicator = Deduplicator(most=most, deduplicate=deduplicate)
    return [deduplicator.deduplicate(text) for text in texts]


def test_a_paragraph_is_told_once_and_the_first_keeps_it():
    first, second = telling(FIRST, "# Other\n\nIts own words.\n\nThe water rises.\n\nAn end.")

    assert (first.content, first.repeated) == (FIRST, 0)
    assert second.content == "# Other\n\nIts own words.\n\nAn end."
    assert second.repeated == 1


def test_white_space_makes_no_other_paragraph_and_a_letter_does():
    _, same, other = telling(FIRST, "The  water\n\trises.", "The waters rise.")

    assert (same.content, same.repeated) == ("", 1)
    assert (other.content, other.repeated) == ("The waters rise.", 0)


def test_a_text_that_says_its_own_paragraph_twice_says_it_once():
    [result] = telling("One and one.\n\nTwo.\n\nOne and one.\n\nThree.")

    assert result.content == "One and one.\n\nTwo.\n\nThree."


def test_a_text_that_was_told_already_leaves_nothing_not_even_its_headings():
    _, again = telling(FIRST, f"{FIRST}\n\n---\n\n## More\n\nThe water rises.")

    assert again.content == ""
    assert again.repeated == 3
    assert again.next_offset is None


def test_a_heading_goes_with_its_section_and_stays_above_what_is_left():
    text = "# Sea\n\n## Rise\n\nThe water rises.\n\n## Fall\n\n### Slow\n\nIt falls slowly."

    _, result = telling(FIRST, text)

    assert result.content == "# Sea\n\n## Fall\n\n### Slow\n\nIt falls slowly."


def test_headings_that_two_texts_share_are_no_repetition():
    _, result = telling("## History\n\nOne thing.", "## History\n\nAnother thing.")

    assert (result.content, result.repeated) == ("## History\n\nAnother thing.", 0)


def test_a_code_block_is_told_whole_or_not_at_all():
    first, second, third = telling(CODE, f"Look:\n\n{CODE}", "```\ny = 2\n```\n\ny = 2\n```")

    assert first.content == CODE
    assert second.content == "Look:"
    assert third.repeated == 0


def test_nothing_is_left_out_where_that_is_not_wanted():
    first, second = telling(FIRST, FIRST, deduplicate=False)

    assert first.content == second.content == FIRST


def test_what_fell_to_a_limit_is_told_of_a_later_text():
    long = "A beginning that is told.\n\nAn end that there was no room for."

    cut, later = telling(long, "An end that there was no room for.", most=40)

    assert cut.content.strip() == "A beginning that is told."
    assert later.content == "An end that there was no room for."


def test_the_rest_begins_where_the_page_itself_goes_on():
    text = "Told before, é.\n\nNew words, ü.\n\nThe rest of it, which is too long."

    _, result = telling("Told before, é.", text, most=30)

    assert result.content == "New words, ü."
    rest = text.encode()[result.next_offset :].decode()
    assert rest == "The rest of it, which is too long."


@pytest.mark.parametrize("most", [1, 2, 3, 7, 50])
def test_no_limit_splits_a_character(most):
    [result] = telling("潮は満ちて引く。🌊🌊\n\nまた満ちる。", most=most)

    assert result.content.encode()
    assert result.next_offset is not None


@pytest.mark.parametrize("piece", ["a\n\n", "# a\n\n", "```\n\n", "\n \n", "# " + " " * 99 + "\n"])
def test_a_text_in_very_many_pieces_is_told_to_its_end(piece):
    text = piece * 200_000 + "The end."

    [result] = telling(text, most=10**9)

    assert result.content.endswith("The end.")
    assert result.next_offset is None


WORDS = st.sampled_from(["a", "b b", "# h", "## h", "---", "```", "~~~", "é", "x\ny", "  ", ""])


@given(st.lists(WORDS, max_size=12), st.lists(WORDS, max_size=12), st.integers(1, 60))
def test_whatever_is_told_stands_in_the_text_and_only_told_paragraphs_are_left_out(a, b, most):
    texts = ["\n\n".join(a), "\n\n".join(b)]
    deduplicator = Deduplicator(most=most, deduplicate=True)

    result = [deduplicator.deduplicate(text) for text in texts]

    for text, one in zip(texts, result, strict=True):
        assert one.next_offset is None or 0 <= one.next_offset < len(text.encode())
        assert all(line in text for line in one.content.splitlines())
        if not one.repeated and one.next_offset is None:
            assert one.content == text
    assert (
        result[0].content
        == Deduplicator(most=most, deduplicate=True).deduplicate(texts[0]).content
    )
