"""Parts of a text, by size, offset and heading."""

import threading
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sourcewright.reading.markdown.sections import outline_of, section_of, slice_text

TEXTS = st.text(st.characters(exclude_categories=("Cs",)), max_size=300)
PIECES = st.lists(st.sampled_from(["a", " ", ". ", "\n", "\n\n", "é", "潮", "🌊", "# h\n"]))
PAGE = (
    "# Tides\n\nIntro.\n\n## Setup (Linux)\n\nOne.\n\n### Deep\n\nTwo.\n\n## Setup (Mac)\n\nThree."
)


@given(text=TEXTS | PIECES.map("".join), most=st.integers(1, 50), tidy=st.booleans())
def test_the_parts_cover_the_text_without_loss_or_overlap(text, most, tidy):
    parts, offset = [], 0
    while offset is not None:
        part = slice_text(text, offset=offset, most=most, tidy=tidy)
        assert part.next_offset is None or part.next_offset > offset
        assert len(part.text.encode()) <= max(most, 4)
        parts.append(part.text)
        offset = part.next_offset

    assert "".join(parts) == text


@given(text=TEXTS, offset=st.integers(-10, 2000), most=st.integers(1, 2000))
def test_any_offset_gives_a_part_that_begins_with_a_whole_character(text, offset, most):
    part = slice_text(text, offset=offset, most=most)

    assert part.text in text


def test_an_offset_behind_the_end_gives_nothing_and_no_more():
    part = slice_text("tides", offset=99, most=10)

    assert (part.text, part.next_offset) == ("", None)


def test_a_part_ends_with_a_paragraph_where_that_loses_little():
    text = f"{'a' * 60}\n\n{'b' * 60}"

    assert slice_text(text, most=100).text == f"{'a' * 60}\n\n"
    assert slice_text(text, most=100, tidy=False).text == text[:100]
    assert slice_text(text, most=len(text)).text == text


def test_the_outline_has_each_heading_with_its_level_and_place():
    headings = outline_of(f"é\n{PAGE}")

    assert [(one.level, one.text) for one in headings] == [
        (1, "Tides"),
        (2, "Setup (Linux)"),
        (3, "Deep"),
        (2, "Setup (Mac)"),
    ]
    data = f"é\n{PAGE}".encode()
    assert all(data[one.offset :].startswith(b"#" * one.level + b" ") for one in headings)


def test_an_underlined_line_is_a_heading():
    text = "Tides\n=====\n\nText of tides.\n\nHigh *ones*\n---\n\nMore.\n\n# Piers\n"

    headings = [(one.level, one.text, text.encode()[one.offset :][:4]) for one in outline_of(text)]

    assert headings == [(1, "Tides", b"Tide"), (2, "High ones", b"High"), (1, "Piers", b"# Pi")]
    assert section_of(text, "high ones") == "High *ones*\n---\n\nMore."


@pytest.mark.parametrize(
    "text",
    [
        "---\ntitle: Tides\n---\n\nText.",
        "A | B\n--- | ---\n1 | 2",
        "| A |\n| --- |",
        "Two lines\nof text\n---\n\nText.",
        "- item\n---\n",
        "1. item\n---\n",
        "```\n\nTides\n=====\n\n```",
        "Tides\n\n=====\n",
    ],
)
def test_a_rule_or_a_table_underlines_no_heading(text):
    assert outline_of(text) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("# Learning C#", ["Learning C#"]),
        ("## Closed ##", ["Closed"]),
        ("#hashtag", []),
        ("####### seven", []),
        ("# ", []),
        ("```\n# comment\n```\n# After", ["After"]),
        ("```\n# one\n```js\n# two\n```\n# After", ["After"]),
        ("~~~\n```\n# no\n~~~\n# After", ["After"]),
        ("```inline``` code\n# After", ["After"]),
        ("````\n```\n# no\n````\n# After", ["After"]),
        ("# " + "x" * 5000, []),
        ("# One\r\n\r\n# Two\r\n", ["One", "Two"]),
    ],
)
def test_only_headings_are_headings(text, found):
    assert [one.text for one in outline_of(text)] == found


@pytest.mark.parametrize(
    "hostile", ["# a" + " " * 200_000 + "b", "# " + "](" * 100_000, "`" * 200_000, "#" * 200_000]
)
def test_a_line_made_to_take_long_takes_no_time(hostile):
    assert section_of(f"{hostile}\n# End\nhere", "end") in ("# End\nhere", None)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("setup (mac)", "## Setup (Mac)\n\nThree."),
        ("Setup (Linux)", "## Setup (Linux)\n\nOne.\n\n### Deep\n\nTwo."),
        ("deep", "### Deep\n\nTwo."),
        ("TIDES", PAGE),
        ("linux", "## Setup (Linux)\n\nOne.\n\n### Deep\n\nTwo."),
        ("moon", None),
        ("", None),
        ("**", None),
    ],
)
def test_a_section_goes_to_the_next_heading_of_its_level(name, text):
    assert section_of(PAGE, name) == text


def test_a_heading_is_known_without_its_links_and_marks():
    page = "## [**The** moon](https://moon.example/a)\n\nPull.\n\n## Sun"

    assert section_of(page, "the moon").endswith("Pull.")


@pytest.mark.parametrize(
    ("heading", "text"),
    [
        ("Results & *more*", "Results & more"),
        ("The `tide_of` **old**", "The tide_of old"),
        ("[Tides](https://a.example/x_y) of \\[1\\] \\*", "Tides of [1] *"),
        ("![A pier](https://a.example/p.png)", "A pier"),
        ("_Ebb_ and snake_case", "Ebb and snake_case"),
    ],
)
def test_an_outline_has_the_words_of_headings_without_their_marks(heading, text):
    [found] = outline_of(f"## {heading}\n\nWords.")

    assert found.text == text


@pytest.mark.parametrize(
    "name", ["## M\u00fcller & *co*", "mu\u0308ller & CO", "M\u00fcller & co"]
)
def test_a_section_is_found_however_its_name_is_spelt(name):
    text = "# Top\n\n## M\u00fcller & *co*\n\nWords.\n\n## Rest\n\nMore."

    assert section_of(text, name) == "## M\u00fcller & *co*\n\nWords."


NUMBERED = "\n\n".join(
    f"## {heading}\n\nWords."
    for heading in (
        *("1. Introduction", "2.4 Earlier work", "14 Tides", "4.Neap tides", "4.1 At noon"),
        *("Chapter 5: Ebb and flow", "2024 in figures", "HTTP Methods", "Notes on C", "C#", "..."),
    )
)


@pytest.mark.parametrize(
    ("name", "heading"),
    [
        ("4", "4.Neap tides"),
        ("Section 4", "4.Neap tides"),
        ("\u00a7 4.1", "4.1 At noon"),
        ("chapter 5", "Chapter 5: Ebb and flow"),
        ("4. Neap tides", "4.Neap tides"),
        ("Introduction", "1. Introduction"),
        ("6 Introduction", None),
        ("7 HTTP methods", "HTTP Methods"),
        ("http-methods", "HTTP Methods"),
        ("#http-methods", "HTTP Methods"),
        ("neap_tides", "4.Neap tides"),
        ("tides", "14 Tides"),
        ("ebb", "Chapter 5: Ebb and flow"),
        ("2024", "2024 in figures"),
        ("c#", "C#"),
        ("C++", None),
        ("2", None),
        ("3", None),
        ("...", None),
    ],
)
def test_a_section_is_found_by_its_number_its_title_or_its_anchor(name, heading):
    section = section_of(NUMBERED, name)

    assert section == (heading and f"## {heading}\n\nWords.")


@pytest.mark.parametrize("line", ["# a\n", "```\n", "# \n", "~~~\n# a\n"])
def test_the_outline_of_a_text_full_of_marks_costs_no_more_than_is_kept(line):
    """Each heading that is kept weighs about 300 bytes, and a million of them were kept once."""
    text = line * 1_000_000
    tracemalloc.start()
    try:
        kept = outline_of(text, most=200)
        found = section_of(text, "nowhere")
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert len(kept) <= 200
    assert found is None
    assert most < 20_000_000


def test_other_threads_run_while_a_text_of_countless_lines_is_searched():
    turns = 0
    searching = threading.Thread(target=outline_of, args=("a\n" * 10_000_000,))
    searching.start()
    while searching.is_alive():
        searching.join(0.001)
        turns += 1

    assert turns >= 10


def test_headings_are_found_wherever_a_piece_of_the_text_ends():
    heading = "# One\n\nTwo\n===\n\nwords\n\n"
    text = heading * 60_000

    headings = outline_of(text, most=10**6)

    assert len(headings) == 120_000
    assert {one.text for one in headings} == {"One", "Two"}
    assert [one.offset for one in headings[::2]] == list(range(0, len(text), len(heading)))
