"""Names of downloaded files: readable, and valid on every operating system."""

import re
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sourcewright.base.text.unicode import clusters
from sourcewright.domain.papers.file_names import file_name

DOI = "10.5555/fine-paper"
FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
PERSIAN = "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"
SINHALA = "\u0dc1\u0dca\u200d\u0dbb\u0dd3"
READABLE = {
    "Nanometre-scale thermometry in a living cell": "Nanometre-scale thermometry in a living cell",
    "Protein: structure/function & biology": "Protein structure function biology",
    'A <b>"quoted"</b> | piped\\title*?': "A b quoted b piped title",
    "What is life?": "What is life",
    "Well-being, after all (2nd ed.); it's 50% done!": (
        "Well-being, after all (2nd ed.); it's 50% done!"
    ),
    "A \u2013 B \u2014 \u201cC\u201d \u2019s": "A \u2013 B \u2014 \u201cC\u201d \u2019s",
    " \t Tides\nand\r\n\u00a0waves\u3000at\u2028sea \u2800 ": "Tides and waves at sea",
    "...and then. . .": "and then",
    ".hidden": "hidden",
    "~/.ssh/id": "~ .ssh id",
    "../../etc/passwd": "etc passwd",
    "CON": "CON",
    "e\u0301tude": "\u00e9tude",
    "Ti\u200bd\u00ade\ufeffs\u2060 \u202eare\u202c \x00up\x07": "Tides are up",
    "e\u200d\u0301a\u200cb\u200dc\u200d": "\u00e9abc",
    "\ue000priv\uf8ffate \ud800half\udfff \uffffun\U000e0fffassigned": "private half unassigned",
    "\u0301\u0302marks: \u0303first": "marks first",
    "\u3164\u115f\uffa0x\u034fy": "xy",
    f"The {FAMILY} study": f"The {FAMILY} study",
    PERSIAN: PERSIAN,
    SINHALA: SINHALA,
    "\u6c34\u306e\u7814\u7a76": "\u6c34\u306e\u7814\u7a76",
}
UNREADABLE = ["", "   ", "???", ". . .", "\u200b\u200d", "\u0301\u0302", "\x00", "\ud800"]
RESERVED = {
    *("CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "CLOCK$", ".", "..", "DESKTOP.INI"),
    *(f"{port}{number}" for port in ("COM", "LPT") for number in "0123456789\u00b9\u00b2\u00b3"),
}
UNSPLITTABLE = {
    "a mark": "o\u0323\u0302\u0304",
    "a conjunct": "\u0915\u094d\u0937",
    "a family": FAMILY,
    "a flag": "\U0001f1e9\U0001f1ea",
    "a skin tone": "\U0001f44b\U0001f3fd",
    "a selector": "\u2764\ufe0f",
    "an old syllable": "\u1112\u119e\u11ab",
}
SURROGATES = st.characters(min_codepoint=0xD800, max_codepoint=0xDFFF)
INVISIBLE = st.sampled_from("\u200b\u200c\u200d\u202e\u2066\ufeff\u00ad\u0301\ufe0f\u3000\x00\x85")
SPECIAL = st.sampled_from('<>:"/\\|?*& .-~$\u0338\u2044\uff0f\U0001f1e9\u1112\u094d')
TEXTS = st.text(st.one_of(st.characters(), SURROGATES, INVISIBLE, SPECIAL), max_size=300)


def title_in(name: str) -> str:
    return name.removeprefix("[2020] - ").removesuffix(".pdf")


@pytest.mark.parametrize("title", READABLE)
def test_a_title_becomes_a_name_that_people_can_read(title: str) -> None:
    name = file_name(title=title, year=2020, fallback=DOI)

    assert name == f"[2020] - {READABLE[title]}.pdf"


@pytest.mark.parametrize(
    ("year", "shown"),
    [(2013, "2013"), (476, "0476"), (None, "n.d."), (0, "n.d."), (-1, "n.d."), (10_000, "n.d.")],
)
def test_a_year_has_four_digits_or_is_not_known(year: int | None, shown: str) -> None:
    assert file_name(title="Tides", year=year, fallback=DOI) == f"[{shown}] - Tides.pdf"


@pytest.mark.parametrize("title", [None, *UNREADABLE])
def test_the_fallback_stands_in_for_a_title_that_shows_nothing(title: str | None) -> None:
    name = file_name(title=title, year=2020, fallback="10.5555/a/b:c<d>")

    assert name == "[2020] - 10.5555-a-b-c-d-.pdf"


@pytest.mark.parametrize("fallback", UNREADABLE[:2])
def test_without_anything_to_show_it_is_untitled(fallback: str) -> None:
    assert file_name(title="", year=None, fallback=fallback) == "[n.d.] - untitled.pdf"


@pytest.mark.parametrize(
    ("counter", "shown"), [(0, ""), (1, " (2)"), (2, " (3)"), (999, " (1000)")]
)
def test_a_counter_tells_papers_of_one_name_apart(counter: int, shown: str) -> None:
    name = file_name(title="Tides", year=2020, fallback=DOI, counter=counter)

    assert name == f"[2020] - Tides{shown}.pdf"


def test_a_long_title_is_cut_at_a_hundred_characters_without_an_ellipsis() -> None:
    title = "Tides of the northern sea " * 8

    kept = title_in(file_name(title=title, year=2020, fallback=DOI))

    assert kept == title[:100].rstrip()
    assert 95 < len(kept) <= 100


@pytest.mark.parametrize("ending", [" tail", ". tail", " . . tail"])
def test_a_cut_leaves_no_blank_or_dot_at_the_end(ending: str) -> None:
    kept = title_in(file_name(title="a" * 99 + ending, year=2020, fallback=DOI))

    assert kept == "a" * 99


@pytest.mark.parametrize("case", UNSPLITTABLE)
@pytest.mark.parametrize("counter", [0, 9])
def test_no_cut_goes_through_a_character(case: str, counter: int) -> None:
    """The word before it moves the cut through every place of the character."""
    character = unicodedata.normalize("NFC", UNSPLITTABLE[case])
    for before in range(1, 2 * len(character) + 1):
        title = "x" * before + character * 90
        kept = title_in(file_name(title=title, year=2020, fallback=DOI, counter=counter))
        kept = kept.removesuffix(" (10)")

        whole, rest = divmod(len(kept) - before, len(character))
        assert kept == "x" * before + character * whole
        assert (rest, whole > 5) == (0, True)


def test_a_first_character_too_long_for_any_name_gives_way_to_the_fallback() -> None:
    endless = "\U0001f468\u200d" * 80 + "\U0001f468"

    assert file_name(title=endless, year=2020, fallback=DOI) == "[2020] - 10.5555-fine-paper.pdf"


def test_marks_without_end_are_cut_down_to_what_text_needs() -> None:
    kept = title_in(file_name(title="a" + "\u0323" * 500 + "b", year=2020, fallback=DOI))

    assert kept.endswith("b")
    assert len(kept) < 40


@pytest.mark.parametrize("reserved", sorted(RESERVED))
@pytest.mark.parametrize("year", [2020, None])
def test_no_name_is_one_that_a_system_keeps_for_itself(reserved: str, year: int | None) -> None:
    for title in (reserved, reserved.lower(), f"{reserved}.pdf", None):
        name = file_name(title=title, year=year, fallback=reserved)

        assert name.partition(".")[0].upper() not in RESERVED
        assert name.upper() not in RESERVED
        assert name.startswith("[")


@given(
    title=st.none() | TEXTS,
    fallback=TEXTS,
    year=st.none() | st.integers(),
    counter=st.integers(0, 10_000),
)
@example(title="\u8a9e" * 120, fallback="", year=2020, counter=0)
@example(title="\U0001f600" * 120, fallback="", year=None, counter=10_000)
@example(title="<\u0338", fallback="\u212a\u037e\u1fef", year=1, counter=1)
def test_every_name_is_one_that_any_system_takes(
    title: str | None, fallback: str, year: int | None, counter: int
) -> None:
    name = file_name(title=title, year=year, fallback=fallback, counter=counter)
    ending = f" ({counter + 1}).pdf" if counter else ".pdf"
    opening, words = name.removesuffix(ending).split(" - ", 1)

    assert len(name.encode()) <= 255
    assert re.fullmatch(r"\[(\d{4}|n\.d\.)\]", opening)
    assert name.endswith(ending)
    assert 0 < len(words) <= 100
    assert not set(name) & set('<>:"/\\|?*&')
    assert {unicodedata.category(char) for char in words}.isdisjoint({"Cc", "Cn", "Co", "Cs"})
    assert {char for char in words if unicodedata.category(char) == "Cf"} <= {"\u200c", "\u200d"}
    assert unicodedata.normalize("NFC", name) == name
    assert words == " ".join(words.split()).strip(". ")


@given(title=TEXTS)
def test_a_name_made_of_a_name_is_the_same(title: str) -> None:
    """What a name keeps of a title is kept again, so that one paper has one name."""
    once = title_in(file_name(title=title, year=2020, fallback=DOI))

    assert title_in(file_name(title=once, year=2020, fallback=DOI)) == once


@given(title=TEXTS)
def test_a_cut_name_begins_as_the_whole_title_does(title: str) -> None:
    short = title_in(file_name(title=title, year=2020, fallback=DOI))
    shorter = title_in(file_name(title=title, year=2020, fallback=DOI, counter=10**60))
    shorter = shorter.removesuffix(f" ({10**60 + 1})")

    parts, fewer = list(clusters(short)), list(clusters(shorter))
    assert parts[: len(fewer)] == fewer
