"""A count of one takes the singular."""

import pytest

from sourcewright.base.text.phrases import count_phrase


@pytest.mark.parametrize(
    ("number", "phrase"),
    [(0, "0 pages"), (1, "1 page"), ("1", "1 page"), (2, "2 pages"), (11, "11 pages")],
)
def test_one_is_never_called_many(number, phrase):
    assert count_phrase(number, "page") == phrase
