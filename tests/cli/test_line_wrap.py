"""Text on a terminal: no line is wider than it, and none is broken where it must not be."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from sourcewright.cli.line_wrap import wrap_markdown, wrap_text

ADDRESS = "https://a.example/a/long/way/to/a/page-that-is-wider-than-most-terminals.html"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("one two  three\tfour", ["one two", "three four"]),
        ("", [""]),
        ("海獺と昆布の森を守る。", ["海獺と昆布", "の森を守", "る。"]),
        ("森を守るotter kelp", ["森を守る", "otter kelp"]),
        ("한국어 해달 다시마", ["한국어", "해달", "다시마"]),
        ("abcdefghijklmnop qr", ["abcdefghij", "klmnop qr"]),
        ("לוטרות ים ויערות", ["לוטרות ים", "ויערות"]),
        (f"see {ADDRESS} now", ["see", ADDRESS, "now"]),
    ],
)
def test_text_is_broken_where_its_script_allows_it(text, lines):
    assert wrap_text(text, 10) == lines


@given(st.text(max_size=300).filter(lambda text: "/" not in text), st.integers(20, 100))
def test_no_line_is_wider_than_the_terminal_and_nothing_is_lost(text, width):
    lines = wrap_text(text, width)

    assert all(cell_len(line) <= width for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())


def test_markdown_keeps_its_marks_its_code_and_its_tables():
    page = [
        "The tide rises and falls twice a day here.",
        "",
        "  10. Measure the tide, and write it down at once.",
        "> > The moon pulls the water, and the sun helps.",
        "```",
        "measure --tide --moon --sun --everything-else",
        "```",
        "| a very wide column | and another column |",
    ]

    text = wrap_markdown("\n".join(page), 30)

    assert text.split("\n") == [
        "The tide rises and falls twice",
        "a day here.",
        "",
        "  10. Measure the tide, and",
        "      write it down at once.",
        "> > The moon pulls the water,",
        "> > and the sun helps.",
        *page[4:],
    ]
