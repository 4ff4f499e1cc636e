"""Finds text that a page holds for machines only: the body of an article, a product's words."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from sourcewright.domain.readings import Embedded
from sourcewright.logic.cleaning import plain_text
from sourcewright.logic.extracting.embedding import things_in
from sourcewright.logic.extracting.hiding import visible

_FIELDS = ("articleBody", "text", "reviewBody")
_LEAST = 250
_LONGEST = 200_000
_WORD = re.compile(r"\w+")
_BREAK = re.compile(r"\n\s*\n|\r\n\s*\r\n|<br\s*/?>\s*<br\s*/?>|</p>", re.IGNORECASE)


def unshown(embedded: Embedded | None, shown: str) -> list[str]:
    """Paragraphs of long texts in the JSON-LD whose words the page does not show."""
    known = set(_threes(shown))
    found: list[str] = []
    for text in _texts(embedded):
        threes = list(_threes(text))
        if sum(three in known for three in threes) * 3 < len(threes):
            found += [part for part in map(_paragraph, _BREAK.split(text)) if part]
            known.update(threes)
    return found


def _texts(embedded: Embedded | None) -> Iterator[str]:
    things = things_in(embedded)
    # A page of many products is about none of them.
    is_one = len({str(thing.get("name")) for thing in things if _is_product(thing)}) == 1
    for thing in things:
        fields = [*_FIELDS, *["description"] * (is_one and _is_product(thing))]
        for text in _long(thing, fields):
            yield text[:_LONGEST]


def _is_product(thing: Mapping[str, Any]) -> bool:
    return thing.get("@type") == "Product"


def _long(thing: Mapping[str, Any], fields: list[str]) -> list[str]:
    values = (thing.get(name) for name in fields)
    return [value for value in values if isinstance(value, str) and len(value) >= _LEAST]


def _paragraph(text: str) -> str:
    return visible(plain_text(text))


def _threes(text: str) -> Iterator[tuple[str, ...]]:
    words = _WORD.findall(text.lower())
    return zip(words, words[1:], words[2:], strict=False)
