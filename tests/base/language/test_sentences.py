"""Where sentences begin and end."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sourcewright.base.language.sentences import blank_markup, sentence_spans
from sourcewright.domain.claims.evidence import evidence_for

LONG = "These lines were broken by a program that counts"


def sentences_of(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(blank_markup(text))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]),
        ('He said "yes." She left.', ['He said "yes."', "She left."]),
        ("Dr. Smith et al. saw 3.5 mg. It rose.", ["Dr. Smith et al. saw 3.5 mg.", "It rose."]),
        ("See fig. 2 and J. R. Doe, e.g. A. End.", ["See fig. 2 and J. R. Doe, e.g. A. End."]),
        ("Wait \u2026 what? No...  Yes.", ["Wait \u2026 what?", "No...", "Yes."]),
        (
            "Am 5. Mai kam Dr. Au. Es war z. B. kalt.",
            ["Am 5. Mai kam Dr. Au.", "Es war z. B. kalt."],
        ),
        ("In 2019. Then came 2020. End.", ["In 2019.", "Then came 2020.", "End."]),
        ("It fell.[12] Then rose.[3, 4] End.", ["It fell.", "Then rose.", "End."]),
        ("日本は暑い。寒い日もある。", ["日本は暑い。", "寒い日もある。"]),
        ("「はい。」次は\uff01終", ["「はい。」", "次は\uff01", "終"]),
        ("वह गया। ठीक है।", ["वह गया।", "ठीक है।"]),
        ("هل هذا صحيح؟ نعم.", ["هل هذا صحيح؟", "نعم."]),
        ("ברוך הבא. שלום!", ["ברוך הבא.", "שלום!"]),
        ("បាទ។ ទេ។", ["បាទ។", "ទេ។"]),
        (
            "วัคซีนช่วยลดอัตราการเสียชีวิตลงมากในปีนี้ ชาวบ้านชอบไปตลาดเก่าริมแม่น้ำทุกวันเสาร์",
            ["วัคซีนช่วยลดอัตราการเสียชีวิตลงมากในปีนี้", "ชาวบ้านชอบไปตลาดเก่าริมแม่น้ำทุกวันเสาร์"],
        ),
        ("a line\nanother", ["a line", "another"]),
        ("", []),
        (" \n\n ... \n", []),
    ],
)
def test_sentences_end_where_their_script_says(text, expected):
    found = sentences_of(text)

    assert found == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# A heading\n\nText.", ["A heading", "Text."]),
        ("# A heading\nText.", ["A heading", "Text."]),
        ("- one\n- two\n  1. three", ["one", "two", "three"]),
        ("> Quoted. Twice.", ["Quoted.", "Twice."]),
        ("| a | b |\n|---|---|\n| 1 | x |", ["a | b", "1 | x"]),
        ("```python\nx = 1\n```\n\nText.", ["x = 1", "Text."]),
        ("See [this.](https://x.example/a_(b)) Next.", ["See [this.]", "Next."]),
        ("**Bold.** Plain.", ["**Bold.**", "Plain."]),
        ("One\n\n---\n\nTwo", ["One", "Two"]),
        (f"{LONG}\nand went on. End.", [f"{LONG}\nand went on.", "End."]),
        (f"{LONG}\nAnd went on. End.", [f"{LONG}\nAnd went on.", "End."]),
        (f"{LONG}.\nAnd went on.", [f"{LONG}.", "And went on."]),
        (f"{LONG}\n- and went on", [LONG, "and went on"]),
        (f"# {LONG}\nand went on", [LONG, "and went on"]),
        ("Ends.\r\n\r\nBegins.", ["Ends.", "Begins."]),
    ],
)
def test_sentences_are_those_of_the_markdown(text, expected):
    found = sentences_of(text)

    assert found == expected


def test_what_goes_on_too_long_is_looked_at_in_parts_that_end_between_words():
    text = "word " * 1000

    found = sentences_of(text)

    assert max(map(len, found)) <= 1000
    assert {word for part in found for word in part.split()} == {"word"}


@given(st.text(alphabet="ab. !?\u3002\n#-|>1", max_size=60))
def test_no_letter_is_lost_or_told_twice(text):
    spans = sentence_spans(blank_markup(text))

    kept = "".join(text[start:end] for start, end in spans)
    assert all(end <= start for (_, end), (start, _) in pairwise(spans))
    assert [sign for sign in kept if sign in "ab"] == [sign for sign in text if sign in "ab"]


@given(st.text(max_size=200))
def test_what_is_blanked_out_keeps_every_place(text):
    assert len(blank_markup(text)) == len(text)


@pytest.mark.parametrize(
    "piece",
    [
        *(
            ".",
            ". ",
            "! ",
            "Ab. ",
            "\n",
            "a\n",
            "1 ",
            "5 %. ",
            "a",
            "a ",
            " ",
            "[1",
            "](",
            "[a](b) ",
        ),
        *(
            "# a\n",
            "References\n",
            "# References\n",
            "```\n",
            "---\n",
            "http://",
            '."',
            "|",
            "*",
            "> ",
        ),
        *(
            "a\u0301\u0323",
            "\u0301\u0323",
            "\u0e38\u0e48",
            "\ufdfa",
            "a。",
            "ไม่ ",
            "1,1",
            "1.1 ",
            "-1",
        ),
        *(
            "J. Doe, 2019, Journal 1(2), 3-4.\n",
            "ne a ",
            "no a ",
            "( ",
            "10^",
            "[^",
            "a-\n",
            "\u200b",
        ),
    ],
)
def test_hostile_text_of_any_kind_takes_no_more_than_its_length(piece):
    """Anything that grows with the square would not come to an end here."""
    text = piece * (100_000 // len(piece))

    found = evidence_for(text, "no a dose of 5 % kept 1.1 million from harm in 2019")

    assert len(found.key_sentences) <= 5
