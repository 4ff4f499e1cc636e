"""Embedded metadata of a page: JSON-LD, OpenGraph, microdata and meta tags, bounded.

Finds text that a page holds for machines only: the body of an article, a product's words.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Never

from sourcewright.domain.readings import Embedded
from sourcewright.logic.html.document import Node
from sourcewright.logic.html.visibility import visible
from sourcewright.logic.text.plain import plain_text

_WRAPPED = re.compile(
    r"^(?://\s*)?(?:<!--|<!\[CDATA\[)|(?://\s*)?(?:-->|\]\]>)$|^/\*\s*<!\[CDATA\[\s*\*/|/\*\s*\]\]>\s*\*/$"
)
"""What hid scripts from browsers of old."""
_HALF = re.compile(r"\\u[dD][89a-fA-F]")
_BLOCKS, _BLOCK_BYTES, _ALL_BYTES = 16, 32 * 1024, 64 * 1024
_VALUES, _VALUE_BYTES = 64, 2 * 1024
_DEEP, _MANY = 12, 500
"""How far into JSON we look, and at how many objects."""


def embedded_in(root: Node) -> Embedded | None:
    """JSON-LD, OpenGraph and Highwire tags; None where there are none."""
    metas = metas_of(root)
    found = Embedded(
        json_ld=tuple(_json_ld(root)),
        open_graph=_picked(metas, ("og:", "article:")),
        citation=_picked(metas, ("citation_",)),
    )
    return found if found.json_ld or found.open_graph or found.citation else None


def metas_of(root: Node) -> list[tuple[str, str]]:
    """Names and contents of the page's meta tags, as they come."""
    metas = []
    for meta in root.iter("meta"):
        name = meta.get("property") or meta.get("name") or meta.get("itemprop")
        name = name or meta.get("http-equiv")
        content = meta.get("content")
        if name and content and content.strip():
            metas.append((name.strip().lower()[:200], visible(content).strip()))
    return metas


def things_in(embedded: Embedded | None) -> list[Mapping[str, Any]]:
    """Every object that the JSON-LD describes, those of a graph and those inside others too."""
    found: list[Mapping[str, Any]] = []
    for block in embedded.json_ld if embedded else ():
        found += _objects(json.loads(block))
    return found[:_MANY]


def _objects(value: Any) -> Iterator[Mapping[str, Any]]:
    waiting = [(value, 0)]
    seen = 0
    while waiting and seen < _MANY:
        one, depth = waiting.pop(0)
        seen += 1
        if isinstance(one, dict):
            yield one
        inner = one.values() if isinstance(one, dict) else one if isinstance(one, list) else ()
        if depth < _DEEP:
            waiting += [(each, depth + 1) for each in inner if isinstance(each, dict | list)]


def _json_ld(root: Node) -> Iterator[str]:
    """Blocks that are JSON, verbatim."""
    left, count = _ALL_BYTES, 0
    for script in root.iter("script"):
        if count == _BLOCKS:
            return
        if not (script.get("type") or "").strip().lower().startswith("application/ld+json"):
            continue
        text = _WRAPPED.sub("", (script.text or "").strip()).strip()
        size = len(text.encode("utf-8", "replace"))
        if size <= min(_BLOCK_BYTES, left) and _is_json(text):
            left, count = left - size, count + 1
            yield _mended(text)


def _mended(text: str) -> str:
    """The same JSON without halves of surrogate pairs, which no answer could be written with."""
    if not _HALF.search(text):
        return text
    plain = json.dumps(json.loads(text), ensure_ascii=False)
    return plain.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _is_json(text: str) -> bool:
    try:
        return isinstance(json.loads(text, parse_constant=_refuse), dict | list)
    except (ValueError, RecursionError):
        return False


def _refuse(constant: str) -> Never:
    """Python's own reader takes numbers that are none."""
    raise ValueError(f"{constant} is no JSON")


def _picked(metas: list[tuple[str, str]], prefixes: tuple[str, ...]) -> dict[str, str]:
    """The first value of each name; authors of a paper are many, and stand together."""
    found: dict[str, str] = {}
    for name, content in metas:
        if not name.startswith(prefixes):
            continue
        if name == "citation_author" and name in found:
            found[name] = _clipped(f"{found[name]}; {content}")
        elif name not in found and len(found) < _VALUES:
            found[name] = _clipped(content)
    return found


def _clipped(text: str) -> str:
    data = text.encode("utf-8", "replace")
    return text if len(data) <= _VALUE_BYTES else data[:_VALUE_BYTES].decode("utf-8", "ignore")


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
