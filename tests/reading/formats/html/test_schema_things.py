"""Recipes, instructions and FAQ answers that a page has only in its structured data."""

import json

import pytest

from sourcewright.reading.formats.html import read_html

TEXT = (
    "<p>My grandmother made this soup every Friday, when the boats came in, and the whole house "
    "smelled of it before we were home from school.</p><p>It is a soup for cold days, and it keeps "
    "for two days in the refrigerator, if anything is left of it at all.</p>"
)
STEPS = ["Chop the onion.", "Fry it in butter for five minutes.", "Add stock and cod, and simmer."]
RECIPE = {
    "@context": "https://schema.org",
    "@type": "Recipe",
    "name": "Fish soup",
    "recipeYield": ["4", "4 servings"],
    "prepTime": "PT20M",
    "totalTime": "PT1H20M",
    "recipeIngredient": ["500 g cod", "1 onion", "1 l stock"],
}
QUESTIONS = {
    "How long does it take?": "A hull takes six weeks, and a deck two.",
    "What does it cost?": "From 900 euros, by the metre.",
    "Do you paint?": "Yes, with linseed oil paint only.",
}
FAQ = {
    "@type": "FAQPage",
    "mainEntity": [
        {
            "@type": "Question",
            "name": name,
            "acceptedAnswer": {"@type": "Answer", "text": f"<p>{text}</p>"},
        }
        for name, text in QUESTIONS.items()
    ],
}


def content(data: object, inner: str = "") -> str:
    page = (
        "<!doctype html><html><head><title>Fish soup</title><script type='application/ld+json'>"
        f"{json.dumps(data)}</script></head><body><nav><a href=/>Home</a></nav><main><article>"
        f"<h1>Fish soup</h1>{TEXT}{inner}</article></main><footer>Privacy</footer></body></html>"
    )
    return read_html(page, url="https://soups.example/fish").content


STEP = [{"@type": "HowToStep", "text": text} for text in STEPS]


@pytest.mark.parametrize(
    "steps",
    [
        STEPS,
        "\n".join(STEPS),
        STEP,
        [{"@type": "ItemList", "itemListElement": STEP}],
        [{"@type": "HowToStep", "name": text} for text in STEPS],
    ],
    ids=["texts", "one text", "steps", "list", "names"],
)
def test_a_recipe_has_its_ingredients_and_steps(steps):
    text = content({**RECIPE, "recipeInstructions": steps})

    assert text.partition("left of it at all.\n\n")[2] == (
        "- Yield: 4 servings\n- Preparation: 20 min\n- Total: 1 h 20 min\n\n"
        "### Ingredients\n\n- 500 g cod\n- 1 onion\n- 1 l stock\n\n"
        f"### Steps\n\n1. {STEPS[0]}\n2. {STEPS[1]}\n3. {STEPS[2]}"
    )


def test_sections_of_instructions_keep_their_names():
    section = {"@type": "HowToSection", "name": "Finish", "itemListElement": STEP[2:]}
    text = content({"@type": "HowTo", "name": "Soup", "step": [*STEP[:2], section]})

    assert text.endswith(
        f"### Steps\n\n1. {STEPS[0]}\n2. {STEPS[1]}\n\n**Finish**\n\n3. {STEPS[2]}"
    )


def test_a_recipe_that_the_page_shows_is_not_repeated():
    shown = "".join(f"<li>{text}</li>" for text in (*RECIPE["recipeIngredient"], *STEPS))

    text = content({**RECIPE, "recipeInstructions": STEP}, f"<ol>{shown}</ol>")

    assert text.count("500 g cod") == text.count(STEPS[1]) == 1


def test_answers_that_a_script_would_show_are_read():
    shown = "".join(f"<h3>{name}</h3>" for name in QUESTIONS)

    text = content(FAQ, f"<h2>Questions</h2>{shown}")

    assert text.endswith(
        "\n\n".join(f"### {name}\n\n{answer}" for name, answer in QUESTIONS.items())
    )


@pytest.mark.parametrize(
    "shown",
    [
        "".join(f"<h3>{name}</h3><p>{text}</p>" for name, text in QUESTIONS.items()),
        "".join(
            f"<details><summary>{name}</summary><p>{text}</p></details>"
            for name, text in QUESTIONS.items()
        ),
        "".join(
            f"<div class=faq-item><button aria-controls=a{at}>{name}</button><div id=a{at} hidden>"
            f"<p>{text}</p></div></div>"
            for at, (name, text) in enumerate(QUESTIONS.items())
        ),
    ],
    ids=["headings", "details", "buttons"],
)
def test_answers_at_the_end_of_a_page_are_kept_once(shown):
    text = content(FAQ, f"<section class=faq><h2>Questions</h2>{shown}</section>")

    assert [text.count(answer) for answer in QUESTIONS.values()] == [1, 1, 1]


def test_answers_with_links_are_shown_answers():
    shown = "".join(
        f"<h3>{name}</h3><p><a href=https://boats.example/a>{text[:6]}</a>{text[6:]}</p>"
        for name, text in QUESTIONS.items()
    )

    text = content(FAQ, f"<section><h2>Questions</h2>{shown}</section>")

    assert [text.count(name) for name in QUESTIONS] == [1, 1, 1]


@pytest.mark.parametrize(
    "data",
    [
        {**RECIPE, "recipeInstructions": 7, "recipeIngredient": {"a": []}},
        {"@type": "Recipe", "recipeInstructions": [None, {}, [], {"itemListElement": [[[[1]]]]}]},
        {"@type": "FAQPage", "mainEntity": ["x", {"name": 1, "acceptedAnswer": [None]}, None]},
        {"@type": ["Recipe", None], "totalTime": "P99999999D", "recipeYield": [True, 1.5]},
    ],
)
def test_damaged_structured_data_adds_nothing(data):
    assert content(data).endswith("left of it at all.")


def test_ingredients_and_steps_in_microdata_are_lists():
    story = "This is the tart that was made every autumn, and nobody ever asked for another one."
    foods = [
        "<a href=/f/1>all-purpose flour</a>",
        "5 ounces of butter",
        "<a href=/f/3>treacle</a>",
    ]
    steps = ["Rub the butter into the flour.", "Pour in the treacle, and bake it."]
    lines = "".join(f"<div itemprop=ingredients class=item>{one}</div>" for one in foods)
    actions = "".join(f"<p itemprop=recipeInstructions>{one}</p>" for one in steps)
    page = (
        f"<html><body><main><h1>Tart</h1><p>{story}</p><h2>Ingredients</h2><div>{lines}</div>"
        f"<h2>Preparation</h2><div>{actions}</div></main></body></html>"
    )

    text = read_html(page, url="https://example.org/tart").content

    assert (
        "- [all-purpose flour](https://example.org/f/1)\n- 5 ounces of butter\n"
        "- [treacle](https://example.org/f/3)" in text
    )
    assert "1. Rub the butter into the flour.\n2. Pour in the treacle, and bake it." in text
