"""Markup of any shape is read, or refused as unreadable: the reader itself never fails."""

from contextlib import suppress
from random import Random

import pytest

from sourcewright.base.errors import ResearchError
from sourcewright.reading.formats.html import read_html

TAGS = [
    "div",
    "p",
    "table",
    "tr",
    "td",
    "th",
    "section",
    "aside",
    "h2",
    "h3",
    "ul",
    "li",
    "dl",
    "dt",
    "dd",
    "span",
    "a",
    "blockquote",
    "pre",
    "code",
    "article",
    "main",
    "button",
    "img",
    "i",
    "b",
    "figure",
    "figcaption",
    "sup",
    "details",
    "summary",
    "form",
    "iframe",
    "math",
    "select",
    "option",
]
CLASSES = (
    "note",
    "admonition-title",
    "callout title",
    "admonitionblock",
    "alert-heading",
    "card",
    "skeleton",
    "infobox",
    "footnote",
    "highlight",
    "comment",
    "post",
    "cookie consent",
    "mw-editsection",
    "tab",
)
ATTRIBUTES = (
    "itemprop=recipeIngredient",
    "itemprop=step",
    "itemscope itemtype=https://schema.org/Recipe",
    "href=/x",
    "href=#note",
    "id=note",
    "aria-busy=true",
    "role=dialog",
    "hidden",
    "style='display: none'",
    "colspan=9",
    "data-lang=python",
)
TEXTS = (
    "",
    "The tide came in. ",
    "Note",
    "We use cookies. Accept all cookies",
    "1.2 Tides",
    "2024-05-01",
    "<!-- c -->",
    "<?p i?>",
)


def markup(chance, depth=0):
    """Elements in each other, some of them not closed."""
    if depth > 5 or chance.random() < 0.2:
        return chance.choice(TEXTS)
    tag = chance.choice(TAGS)
    name = f' class="{chance.choice(CLASSES)}"' if chance.random() < 0.5 else ""
    attribute = f" {chance.choice(ATTRIBUTES)}" if chance.random() < 0.4 else ""
    inner = "".join(markup(chance, depth + 1) for _ in range(chance.randint(0, 4)))
    end = f"</{tag}>" if chance.random() < 0.95 else ""
    return f"<{tag}{name}{attribute}>{inner}{end}"


@pytest.mark.parametrize("seed", range(8))
def test_no_arrangement_of_elements_makes_the_reader_fail(seed):
    chance = Random(seed)
    for _ in range(60):
        body = "".join(markup(chance) for _ in range(chance.randint(1, 6)))
        with suppress(ResearchError):
            read_html(f"<html><body>{body}</body></html>", url="https://example.org/tides")
