"""The sentence closest to a claim."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sourcewright.logic.signalling import sentences_of, signal_in


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]),
        ('He said "yes." She left.', ['He said "yes."', "She left."]),
        ("Dr. Smith et al. saw 3.5 mg. It rose.", ["Dr. Smith et al. saw 3.5 mg.", "It rose."]),
        ("See fig. 2 and J. R. Doe, e.g. A. End.", ["See fig. 2 and J. R. Doe, e.g. A. End."]),
        ("Wait … what? No...  Yes.", ["Wait … what?", "No...", "Yes."]),
        ("日本は暑い。寒い日もある。", ["日本は暑い。", "寒い日もある。"]),
        ("「はい。」次は\uff01終", ["「はい。」", "次は\uff01", "終"]),
        ("वह गया। ठीक है।", ["वह गया।", "ठीक है।"]),
        ("هل هذا صحيح؟ نعم.", ["هل هذا صحيح؟", "نعم."]),
        ("a line\nanother", ["a line", "another"]),
        ("", []),
    ],
)
def test_sentences_end_where_their_script_says(text, expected):
    found = sentences_of(text)

    assert found == expected


@pytest.mark.parametrize(
    ("text", "claim", "expected"),
    [
        (
            "It rained. Tides rose by 3.5 metres.",
            "a rise of 3.5 metres",
            "Tides rose by 3.5 metres.",
        ),
        ("In 3 of 5 cases. A dose of 3.5 mg.", "3.5", "A dose of 3.5 mg."),
        ("In 3 of 5 cases.", "3.5", ""),
        ("About 1,200 ships. About 12 ships.", "1200", "About 1,200 ships."),
        ("Es waren 3,5 Prozent. Es regnete.", "3.5 per cent", "Es waren 3,5 Prozent."),
        (
            "Cold. The vaccines reduced deaths.",
            "vaccine reduces death",
            "The vaccines reduced deaths.",
        ),
        ("寒い日もある。大阪は暑い。", "大阪の気温", "大阪は暑い。"),
        ("Это был дождь. Приливы выросли.", "приливы", "Приливы выросли."),
        ("Das ist für die Katze.", "und was ist das für ein Hund", ""),
        ("There was that which they had.", "that which was there", ""),
        ("Café opened.", "CAFE", "Café opened."),
        ("", "anything", ""),
        ("anything", "", ""),
    ],
)
def test_the_signal_is_the_sentence_that_shares_most(text, claim, expected):
    assert signal_in(text, claim) == expected


@given(st.text(max_size=200), st.text(max_size=60))
def test_a_signal_is_a_part_of_the_text(text, claim):
    assert signal_in(text, claim) in text


@given(st.text(alphabet="ab. !?。\n", max_size=60))
def test_sentences_lose_nothing_but_blanks(text):
    kept = "".join(sentences_of(text))

    assert "".join(kept.split()) == "".join(text.split())
