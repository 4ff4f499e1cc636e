"""The size of a text: its estimated tokens, and the name of its category."""

import pytest

from sourcewright.reading.markdown.sections import estimated_tokens, size_category


@pytest.mark.parametrize(("size", "tokens"), [(0, 0), (3, 0), (4, 1), (50_001, 12_500)])
def test_four_bytes_count_as_one_token(size, tokens):
    assert estimated_tokens(size) == tokens


@pytest.mark.parametrize(
    ("size", "category"),
    [
        (0, "small"),
        (4_999, "small"),
        (5_000, "medium"),
        (19_999, "medium"),
        (20_000, "large"),
        (49_999, "large"),
        (50_000, "very_large"),
    ],
)
def test_a_size_has_the_contracts_name(size, category):
    assert size_category(size) == category
