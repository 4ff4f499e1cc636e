"""Lines and summaries of research sessions: short, and no character is split."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sourcewright.base.text.unicode import clusters
from sourcewright.services.sessions.summaries import one_line

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("short", "short"),
        (" two\n\nlines\t ", "two lines"),
        ("x" * 10, "x" * 10),
        ("x" * 11, "x" * 9 + "\u2026"),
        (FAMILY * 10, FAMILY * 10),
        (FAMILY * 11, FAMILY * 9 + "\u2026"),
        ("e\u0301" * 30, "e\u0301" * 9 + "\u2026"),
        ("a" + "\u0301" * 500, "\u2026"),
        ("", ""),
    ],
)
def test_a_line_has_at_most_so_many_characters_as_a_reader_counts(text, line):
    assert one_line(text, 10) == line


@given(st.text(max_size=300))
def test_a_line_is_made_of_whole_characters(text):
    line = one_line(text, 10)

    assert len(list(clusters(line))) <= 11
    kept = line.removesuffix("\u2026")
    joined = " ".join(text.split())
    assert joined.startswith(kept.rstrip()) or joined == line
