"""Recipes, instructions and FAQ answers of schema.org that a page's text lacks, as Markdown."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sourcewright.base.text.plain import plain_text
from sourcewright.reading.html.embedded_data import json_ld_objects
from sourcewright.reading.html.inline import escape_markdown
from sourcewright.reading.html.linked_data import as_sequence, type_names
from sourcewright.reading.html.visibility import strip_invisible
from sourcewright.reading.readings import EmbeddedMetadata

_MAX_ITEMS, _MAX_TEXT = 200, 5000
_MAX_DEPTH = 4
_KEY = 60
"""Letters and digits by which a text is looked for on the page."""
_WORDS = re.compile(r"\w+")
_LINK_TARGET = re.compile(r"(?<=\])\([^()\s]{1,2000}\)")
"""The URL of a link in Markdown, which is not part of the text that is displayed."""
_DURATION = re.compile(r"P(?:(\d{1,4})D)?(?:T(?:(\d{1,4})H)?(?:(\d{1,4})M)?(?:\d{1,5}S)?)?")
_TIMES = {"prepTime": "Preparation", "cookTime": "Cooking", "totalTime": "Total"}
_LISTS = {"recipeIngredient": "Ingredients", "supply": "Supplies", "tool": "Tools"}


def undisplayed_things(embedded: EmbeddedMetadata | None, content: str) -> list[str]:
    """Blocks of Markdown for recipes, instructions and answers of which the text has less than half."""
    if embedded is None or not embedded.json_ld:
        return []
    letters = _letters(_LINK_TARGET.sub("", content))
    blocks: list[str] = []
    for item in json_ld_objects(embedded):
        kinds = type_names(item)
        if kinds & {"recipe", "howto"}:
            blocks += _instructions(item, letters)
        elif "faqpage" in kinds:
            blocks += _answers(item, letters)
    return blocks


def _letters(text: str) -> str:
    return "".join(_WORDS.findall(text.lower()))


def _is_shown(text: str, page: str) -> bool:
    return _letters(text[: 4 * _KEY])[:_KEY] in page


def _instructions(item: Mapping[str, Any], page: str) -> Iterator[str]:
    """The ingredients and steps of a recipe or of instructions, each list that is not shown."""
    steps = list(_steps(item.get("recipeInstructions") or item.get("step"), 0))[:_MAX_ITEMS]
    lists = {title: _texts(item.get(name)) for name, title in _LISTS.items()}
    missing = {title: texts for title, texts in lists.items() if _is_missing(texts, page)}
    has_steps = _is_missing([text for text, _ in steps], page)
    if not missing and not has_steps:
        return
    facts = [*_facts(item)]
    if facts:
        yield "\n".join(facts)
    for title, texts in missing.items():
        yield f"### {title}"
        yield "\n".join(f"- {text}" for text in texts)
    if has_steps:
        yield "### Steps"
        yield "\n".join(_numbered(steps))


def _is_missing(texts: Sequence[str], page: str) -> bool:
    return bool(texts) and 2 * sum(_is_shown(text, page) for text in texts) < len(texts)


def _facts(item: Mapping[str, Any]) -> Iterator[str]:
    servings = _texts(item.get("recipeYield"))
    if servings:
        yield f"- Yield: {max(servings, key=len)}"
    for name, title in _TIMES.items():
        duration = _duration(item.get(name))
        if duration:
            yield f"- {title}: {duration}"


def _duration(value: Any) -> str:
    match = _DURATION.fullmatch(value) if isinstance(value, str) else None
    parts = zip(match.groups(), ("d", "h", "min"), strict=True) if match else ()
    return " ".join(f"{int(number)} {unit}" for number, unit in parts if number and int(number))


def _numbered(steps: Sequence[tuple[str, bool]]) -> Iterator[str]:
    number = 0
    for text, is_heading in steps:
        number += not is_heading
        yield f"\n**{text}**\n" if is_heading else f"{number}. {text}"


def _steps(value: Any, depth: int) -> Iterator[tuple[str, bool]]:
    """The texts of steps, and whether each is the name of a section."""
    for one in as_sequence(value) if depth < _MAX_DEPTH else ():
        if isinstance(one, str):
            yield from ((text, False) for text in map(_clean, one.split("\n")) if text)
        elif isinstance(one, dict):
            inner = one.get("itemListElement") or one.get("steps")
            text = _clean(one.get("text") or one.get("name") or one.get("description"))
            if inner:
                name = _clean(one.get("name"))
                yield from ((name, True),) if name and "howtosection" in type_names(one) else ()
                yield from _steps(inner, depth + 1)
            elif text:
                yield text, False


def _answers(item: Mapping[str, Any], page: str) -> Iterator[str]:
    """Questions with their answers, if the text has most of the questions without answers."""
    pairs = [*_pairs(item)][:_MAX_ITEMS]
    is_part = not _is_missing([question for question, _ in pairs], page)
    for question, answer in (
        pairs if is_part and _is_missing([answer for _, answer in pairs], page) else ()
    ):
        yield f"### {question}"
        yield answer


def _pairs(item: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for one in as_sequence(item.get("mainEntity")):
        if isinstance(one, dict):
            answer = next(iter(as_sequence(one.get("acceptedAnswer"))), None)
            texts = (_clean(one.get("name")), _clean(answer and _text_of(answer)))
            if all(texts):
                yield texts


def _text_of(answer: Any) -> Any:
    return answer.get("text") if isinstance(answer, dict) else answer


def _texts(value: Any) -> list[str]:
    members = (
        one.get("name") if isinstance(one, dict) else str(one)
        for one in as_sequence(value)
        if isinstance(one, str | int | dict)
    )
    return [text for text in map(_clean, members) if text][:_MAX_ITEMS]


def _clean(value: Any) -> str:
    """A value as one line of Markdown without markup."""
    text = value if isinstance(value, str) else ""
    return escape_markdown(" ".join(strip_invisible(plain_text(text[:_MAX_TEXT])).split()))
