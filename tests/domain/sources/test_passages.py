"""Passages of a page: closest to the question first, whole paragraphs, offsets in bytes."""

import pytest

from sourcewright.domain.sources.passages import best_passages

FILLER = "The harbour was quiet that day, and nobody spoke of anything in particular."
KELP = "Sea otters keep kelp forests alive because they eat the urchins that graze on kelp."
URCHINS = "Urchins without predators graze a forest of kelp down to bare rock, café by café."


def page(*paragraphs: str) -> str:
    return "# Kelp\n\n" + "\n\n".join(paragraphs)


def check_offsets(text, passages):
    body = text.encode()
    for one in passages:
        assert body[one.start : one.end].decode() == one.text


def test_the_closest_paragraph_comes_first_with_its_heading_and_offsets():
    text = page(FILLER, URCHINS, *[FILLER] * 5, f"## Otters\n\n{KELP} {FILLER}", FILLER)

    passages = best_passages(text, "why do sea otters matter for kelp forests", 4000)

    assert passages[0].text == f"{KELP} {FILLER}"
    assert passages[0].section == "Otters"
    assert URCHINS in [one.text for one in passages]
    check_offsets(text, passages)


def test_two_sentences_of_one_paragraph_give_it_once():
    text = page(f"{KELP} {URCHINS}", FILLER)

    passages = best_passages(text, "sea otters kelp urchins", 4000)

    assert [one.text for one in passages] == [f"{KELP} {URCHINS}"]


def test_of_a_long_paragraph_the_part_at_the_sentence_is_given():
    text = page(f"{FILLER} " * 60 + KELP + f" {FILLER}" * 60)

    [first, *_] = best_passages(text, "sea otters kelp forests urchins", 4000)

    assert first.text.startswith(KELP)
    assert 200 < len(first.text) <= 1500
    check_offsets(text, [first])


def test_the_size_is_kept_and_a_smaller_passage_takes_what_is_left():
    text = page(f"{KELP} " * 12, FILLER, URCHINS)

    passages = best_passages(text, "sea otters kelp urchins", 300)

    assert [one.text for one in passages] == [URCHINS]


@pytest.mark.parametrize("text", ["", "# Only a heading", "\n\n\n"])
def test_a_page_without_text_has_no_passage(text):
    assert best_passages(text, "kelp", 1000) == ()


def test_a_page_about_something_else_gives_its_beginning():
    passages = best_passages(page(FILLER, "More of the same."), "quantum chromodynamics", 1000)

    assert [one.text for one in passages] == [FILLER]


def test_a_post_is_given_with_its_author_and_all_its_paragraphs():
    posts = [
        f"- **{name}**, 2024-03-09\n\n  {text}\n\n  ```py\n  go()\n\n  stop()\n  ```"
        for name, text in (("ada", FILLER), ("bo", KELP), ("cy", FILLER))
    ]

    [first, *_] = best_passages(page(*posts), "why do sea otters keep kelp forests alive", 4000)

    assert first.text == posts[1]
    check_offsets(page(*posts), [first])


def test_a_block_of_code_is_not_divided():
    code = "```py\nurchins = 3\n\n\nkelp.graze(urchins)  # sea otters eat urchins\n```"

    [first, *_] = best_passages(page(FILLER, code, FILLER), "kelp graze sea otters urchins", 4000)

    assert first.text == code


def test_a_page_about_something_else_gives_its_first_post():
    posts = [f"- **{name}**, 2024-03-09\n\n  {FILLER}" for name in ("ada", "bo")]

    assert [one.text for one in best_passages(page(*posts), "quantum gravity", 4000)] == [posts[0]]


def test_passages_of_a_text_of_many_blocks_take_linear_time():
    # A fence that is never closed, and breaks of every kind.
    text = page(*["```", *[f"{FILLER}\n\n  more"] * 2000, *["- x\n\n  y"] * 2000])

    assert best_passages(text, "harbour quiet day", 12_000)


def test_the_section_of_a_passage_is_shown_as_its_heading_is():
    code = "```py\n# no heading\n```"
    text = page(FILLER, f"## fn [graze](https://k.example/graze)(*kelp*)\n\n{code}", KELP)

    [first, *_] = best_passages(text, "why do sea otters keep kelp forests alive", 4000)

    assert (first.text, first.section) == (KELP, "fn graze(kelp)")


def test_a_page_about_something_else_does_not_give_a_label():
    text = page("Type Parameters:", "`T`", FILLER)

    assert [one.text for one in best_passages(text, "quantum gravity", 4000)] == [FILLER]
    assert [one.text for one in best_passages(page("Short."), "quantum", 4000)] == ["Short."]


def test_a_heading_is_given_with_the_text_below_it():
    text = page(FILLER, f"## Sea otters and kelp\n\n### Why\n\n{FILLER}\n\n## Rocks\n\n{FILLER}")

    [first, *_] = best_passages(text, "sea otters and kelp", 4000)

    assert first.text == f"## Sea otters and kelp\n\n### Why\n\n{FILLER}"
    assert first.section == "Sea otters and kelp"
    check_offsets(text, [first])


def test_a_term_is_given_with_its_definition_and_a_definition_with_its_term():
    text = page(FILLER, "--sea-otters", FILLER, "--graze", KELP)

    term, definition = best_passages(text, "sea-otters --graze kelp forests alive", 4000)

    texts = {term.text, definition.text}
    assert texts == {f"--sea-otters\n\n{FILLER}", f"--graze\n\n{KELP}"}


def test_code_is_given_with_the_line_that_announces_it():
    code = "```js\nkelp.graze(urchins, otters)\n```"
    text = page(FILLER, "The size of the forest is:", code, FILLER)

    [first, *_] = best_passages(text, "kelp.graze urchins otters", 4000)

    assert first.text == f"The size of the forest is:\n\n{code}"


def test_the_room_that_the_best_sentences_leave_has_other_paragraphs_on_the_subject():
    notes = [f"Note {number}: sea otters were counted near the pier." for number in range(12)]
    text = page(KELP, *notes, FILLER)

    passages = best_passages(text, "how do sea otters keep kelp forests alive", 4000)

    given = [one.text for one in passages]
    assert given[0] == KELP
    assert set(notes) <= set(given)
    assert FILLER not in given


def test_of_paragraphs_alike_the_one_in_the_section_on_the_subject_comes_first():
    notes = [f"Sea otters and kelp, entry {number}." for number in range(8)]
    dawn, dusk = "Some otters were seen at dawn.", "Some otters were seen at dusk."
    text = page(*notes, "## Boats", dawn, "## Urchins", dusk)

    passages = best_passages(text, "sea otters kelp urchins", 4000)

    given = [one.text for one in passages if one.text in (dawn, dusk)]
    assert given == [dusk, dawn]
