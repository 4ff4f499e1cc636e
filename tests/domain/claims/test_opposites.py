"""Sentences that contradict a claim, and sentences that only look like it."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sourcewright.domain.claims.evidence import evidence_for

PAIRS = json.loads(Path(__file__).with_name("opposites.json").read_text(encoding="utf-8"))
MISREAD = {
    # A negation anywhere in a sentence about the claim counts.
    "Output fell 3 % and the deficit was not reported.",
    # A source that rounds says less than the claim, so that nothing is said.
    "The mean was about 5.2 degrees.",
    # What stands before a comparison in one and behind it in the other makes it unsure.
    "On average, women are taller than men.",
}


def weighed(claim: str, sentence: str) -> tuple[str, str]:
    found = evidence_for(sentence, claim)
    numbers = found.signal.numbers if found.signal else None
    return "no" if found.contrast_signal is None else "yes", numbers or "none"


def fits(label: str, found: str) -> bool:
    """A label is the expected value, `!` and an excluded one, or `any` for either."""
    return label == "any" or (found != label[1:] if label[0] == "!" else found == label)


def misread(pairs):
    for pair in pairs:
        contrast, numbers = weighed(pair["claim"], pair["sentence"])
        if not (fits(pair["contrast"], contrast) and fits(pair["numbers"], numbers)):
            yield pair["sentence"]


def test_labelled_pairs_are_told_apart_as_their_labels_say():
    assert set(misread(PAIRS)) == MISREAD


def test_the_labelled_pairs_are_many_and_most_of_them_are_no_contrast():
    labels = [pair["contrast"] for pair in PAIRS]

    assert len(PAIRS) >= 290
    assert labels.count("yes") >= 95
    assert labels.count("no") >= 165


@pytest.mark.parametrize(
    ("up", "down"),
    [
        *(("rose", "fell"), ("increased", "decreased"), ("gained", "lost"), ("grew", "shrank")),
        *(("were higher", "were lower"), ("were above", "were below"), ("doubled", "halved")),
        *(("were up", "were down"), ("climbed", "dropped"), ("soared", "plunged")),
    ],
)
def test_the_opposite_direction_is_a_contrast_and_never_the_same_number(up, down):
    for message, claimed in ((up, down), (down, up)):
        found = evidence_for(
            f"Ships came. Harbour fees {message} 5 % in 2019. It rained.",
            f"Harbour fees {claimed} 5 % in 2019",
        )

        assert found.contrast_signal is not None
        assert message in found.contrast_signal.text
        assert found.contrast_signal.numbers != "same"


@pytest.mark.parametrize(
    ("claim", "same", "other"),
    [
        (
            "Der Umsatz stieg im dritten Quartal um 5 %",
            "Der Umsatz nahm im dritten Quartal um 5 % zu.",
            "Der Umsatz ging im dritten Quartal um 5 % zurück.",
        ),
        (
            "Die Mieten sind in Berlin um 5 % gesunken",
            "Die Mieten fielen in Berlin um 5 %.",
            "Die Mieten haben sich in Berlin um 5 % erhöht.",
        ),
        (
            "Les ventes ont augmenté de 5 % au troisième trimestre",
            "Les ventes sont en hausse de 5 % au troisième trimestre.",
            "Les ventes ont baissé de 5 % au troisième trimestre.",
        ),
        (
            "Las ventas subieron un 5 % en el tercer trimestre",
            "Las ventas crecieron un 5 % en el tercer trimestre.",
            "Las ventas cayeron un 5 % en el tercer trimestre.",
        ),
        (
            "Le vendite sono aumentate del 5 % nel terzo trimestre",
            "Le vendite sono cresciute del 5 % nel terzo trimestre.",
            "Le vendite sono diminuite del 5 % nel terzo trimestre.",
        ),
        (
            "As vendas da empresa subiram 5 % no fim do ano",
            "As vendas da empresa cresceram 5 % no fim do ano.",
            "As vendas da empresa caíram 5 % no fim do ano.",
        ),
        (
            "De omzet steeg in het derde kwartaal met 5 %",
            "De omzet nam in het derde kwartaal met 5 % toe.",
            "De omzet daalde in het derde kwartaal met 5 %.",
        ),
    ],
)
def test_in_other_languages_what_points_the_other_way_is_not_the_same_number(claim, same, other):
    assert weighed(claim, same) == ("no", "same")
    assert weighed(claim, other) == ("no", "none")


def test_what_turns_a_claim_round_is_no_signal_where_a_closer_sentence_says_it():
    result = "In 2019 harbour fees fell by 4 %. In 2020 harbour fees rose by 4 %."

    found = evidence_for(result, "Harbour fees rose by 4 %")

    assert found.contrast_signal is None
    assert found.signal is not None
    assert found.signal.numbers == "same"


def test_a_denial_counts_beside_a_sentence_that_agrees():
    result = "Harbour fees rose in 2019. Harbour fees did not rise in 2019, said the board."

    found = evidence_for(result, "Harbour fees rose in 2019")

    assert found.contrast_signal is not None
    assert "did not" in found.contrast_signal.text


@given(st.sampled_from(PAIRS), st.sampled_from([".", ", the report said.", " (p. 3)."]))
def test_a_claim_never_stands_in_contrast_to_its_own_words(pair, end):
    claim = pair["claim"]

    contrast, _ = weighed(claim, claim + end)

    assert contrast == "no"


@given(st.text(max_size=200), st.sampled_from(PAIRS))
def test_whatever_the_sentence_it_is_weighed_without_an_error(text, pair):
    assert weighed(pair["claim"], f"{pair['sentence']} {text}")[0] in {"yes", "no"}
