"""Relevance of a text to a query."""

import pytest

from sourcewright.domain.sources.scoring import relevance


def test_the_title_and_the_text_count_four_to_six():
    assert relevance("sea otter", title="Sea otters", text="Something else.") == pytest.approx(0.4)
    assert relevance("sea otter", title="", text="The otter at sea.") == pytest.approx(0.6)
    assert relevance("sea otter", title="Sea otters", text="An otter. The sea.") == 1.0


def test_a_longer_word_weighs_more():
    long, short = (
        relevance("photosynthesis leaf", title="", text=text)
        for text in ("On photosynthesis.", "On a leaf.")
    )

    assert long > 3 * short > 0


@pytest.mark.parametrize("text", ["A catalogue of scatter.", "Concatenate.", "category"])
def test_a_word_inside_another_is_not_that_word(text):
    assert relevance("cat", title=text, text=text) == 0.0


@pytest.mark.parametrize(
    ("query", "text", "other"),
    [
        ("海獺 昆布", "海獺は昆布の森を守る。", "山の鉄道は急な坂を登る。"),
        ("морские выдры", "Морские выдры едят ежей.", "Горная железная дорога."),
        ("ثعالب البحر", "تعيش ثعالب البحر هنا.", "سكة حديد جبلية."),
        ("ปะการัง", "ปะการังฟอกขาว", "รถไฟภูเขา"),
        ("Café Ärzte", "Die ÄRZTE im cafe.", "Die Bergbahn."),
    ],
)
def test_every_script_is_compared_by_its_words(query, text, other):
    assert relevance(query, title=text, text=text) > 0.9
    assert relevance(query, title=other, text=other) < 0.2


@pytest.mark.parametrize("operator", ["-car", '-"racing car"', "site:nature.com", "filetype:pdf"])
def test_what_is_said_to_the_engine_is_no_part_of_the_question(operator):
    text = "The jaguar swims."

    assert relevance(f"jaguar {operator}", title="Jaguar", text=text) == 1.0


def test_a_colon_and_a_minus_sign_do_not_make_an_operator():
    assert relevance("re:invent", title="", text="We invent the wheel.") > 0
    assert relevance("ice at -5", title="", text="At 5 below there is ice.") == pytest.approx(0.6)


def test_a_short_name_in_capitals_counts_and_a_small_word_does_not():
    assert relevance("AI in EU", title="", text="What the EU says of AI.") == pytest.approx(0.6)
    assert relevance("AI law", title="", text="An aide said: ai! The law.") < 0.6


def test_a_question_of_small_words_alone_is_asked_by_these():
    assert relevance("to be or not to be", title="", text="To be, or not.") > 0.5
    assert relevance("it", title="", text="Nothing here.") == 0.0


@pytest.mark.parametrize("query", ["?!", "-otter", "🦦"])
def test_a_question_without_words_says_nothing_of_any_text(query):
    assert relevance(query, title="Otters", text="Otters.") == 0.5
