"""Embedded metadata of a page: JSON-LD, OpenGraph, microdata and meta tags, bounded.

Also finds text that is only in JSON-LD: the body of an article, a product's description.
"""

import json
import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, Never

from sourcewright.base.text.plain import plain_text
from sourcewright.reading.html.document import Node
from sourcewright.reading.html.visibility import strip_invisible
from sourcewright.reading.readings import EmbeddedMetadata

_SCRIPT_WRAPPER = re.compile(
    r"^(?://\s*)?(?:<!--|<!\[CDATA\[)|(?://\s*)?(?:-->|\]\]>)$|^/\*\s*<!\[CDATA\[\s*\*/|/\*\s*\]\]>\s*\*/$"
)
"""Comment and CDATA wrappers, which once hid scripts from old browsers and XML parsers."""
_ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_DATE_FIELD = re.compile(r'"(datePublished|dateModified)"\s{0,9}:\s{0,9}"([^"\n]{4,40})"')
_PART_TYPES = ("/ImageObject", "/AudioObject")
"""Types of microdata that describe a part of a page; comments are the posts of a thread."""
_MAX_BLOCKS, _MAX_BLOCK_BYTES, _MAX_TOTAL_BYTES = 16, 32 * 1024, 64 * 1024
_MAX_PARSED = 1_000_000
"""Characters of JSON-LD from which author, dates and title are read."""
_MAX_VALUES, _MAX_VALUE_BYTES = 64, 2 * 1024
_MAX_DEPTH, _MAX_OBJECTS = 12, 500
"""Limits on the depth of JSON-LD and on the number of its objects."""


def embedded_metadata(root: Node) -> EmbeddedMetadata | None:
    """JSON-LD, OpenGraph and Highwire tags; None if the page has none."""
    metas = meta_tags(root)
    blocks, omitted = _json_ld(root)
    embedded = EmbeddedMetadata(
        json_ld=blocks,
        json_ld_omitted=omitted,
        open_graph=_values_by_name(metas, ("og:", "article:")),
        citation=_values_by_name(metas, ("citation_",)),
    )
    return embedded if embedded != EmbeddedMetadata() else None


def meta_tags(root: Node) -> list[tuple[str, str]]:
    """Names, in lower case, and contents of the page's meta tags, in page order."""
    metas = []
    for meta in root.iter("meta"):
        name = meta.get("property") or meta.get("name") or _item_property(meta)
        name = name or meta.get("http-equiv")
        content = meta.get("content")
        if name and content and content.strip():
            metas.append((name.strip().lower()[:200], strip_invisible(content).strip()))
    return metas


def describes_part(node: Node) -> bool:
    """Whether a microdata property is one of an image or a sound, with its own author and date."""
    types = (place.get("itemtype") for place in node.iterancestors())
    return next(filter(None, types), "").rstrip("/").endswith(_PART_TYPES)


def _item_property(meta: Node) -> str | None:
    name = meta.get("itemprop")
    return None if name and describes_part(meta) else name


def json_ld_objects(embedded: EmbeddedMetadata | None) -> list[Mapping[str, Any]]:
    """All objects of the JSON-LD, those in a graph and nested ones included."""
    objects: list[Mapping[str, Any]] = []
    for block in embedded.json_ld if embedded else ():
        objects += nested_objects(json.loads(block))
    return objects[:_MAX_OBJECTS]


def nested_objects(value: Any) -> Iterator[Mapping[str, Any]]:
    """All objects of one JSON-LD block, the outer ones first."""
    queue = [(value, 0)]
    seen = 0
    while queue and seen < _MAX_OBJECTS:
        item, depth = queue.pop(0)
        seen += 1
        if isinstance(item, dict):
            yield item
        children = (
            item.values() if isinstance(item, dict) else item if isinstance(item, list) else ()
        )
        if depth < _MAX_DEPTH:
            queue += [(child, depth + 1) for child in children if isinstance(child, dict | list)]


def json_ld_values(root: Node) -> list[Any]:
    """The JSON-LD blocks, parsed; larger ones too, and those with raw line breaks in texts."""
    values = []
    remaining = _MAX_PARSED
    for text in islice(_json_ld_scripts(root), _MAX_BLOCKS):
        remaining -= len(text)
        if remaining < 0:
            break
        try:
            values.append(json.loads(text, strict=False))
        except (ValueError, RecursionError):
            values += _broken_work(text)
    return values


def _broken_work(text: str) -> list[Mapping[str, str]]:
    """The dates of a work in JSON-LD that is not valid JSON: the first of each name."""
    dates = {match[1]: match[2] for match in reversed([*_DATE_FIELD.finditer(text)])}
    return [{"@type": "CreativeWork", **dates}] if dates else []


def _json_ld_scripts(root: Node) -> Iterator[str]:
    for script in root.iter("script"):
        if (script.get("type") or "").strip().lower().startswith("application/ld+json"):
            yield _SCRIPT_WRAPPER.sub("", (script.text or "").strip()).strip()


def _json_ld(root: Node) -> tuple[tuple[str, ...], int]:
    """Blocks of valid JSON, verbatim but for lone surrogates, and how many exceed the limits."""
    remaining, omitted = _MAX_TOTAL_BYTES, 0
    blocks: list[str] = []
    for text in _json_ld_scripts(root):
        size = len(text.encode("utf-8", "replace"))
        if len(blocks) == _MAX_BLOCKS or size > min(_MAX_BLOCK_BYTES, remaining):
            omitted += 1
        elif _is_json(text):
            remaining -= size
            blocks.append(_without_lone_surrogates(text))
    return tuple(blocks), omitted


def _without_lone_surrogates(text: str) -> str:
    """The JSON without lone surrogates, which cannot be encoded in a response."""
    if not _ESCAPED_SURROGATE.search(text):
        return text
    plain = json.dumps(json.loads(text), ensure_ascii=False)
    return plain.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _is_json(text: str) -> bool:
    try:
        return isinstance(json.loads(text, parse_constant=_reject_constant), dict | list)
    except (ValueError, RecursionError):
        return False


def _reject_constant(constant: str) -> Never:
    """Reject NaN and Infinity, which Python's parser accepts and JSON does not allow."""
    raise ValueError(f"{constant} is not valid JSON")


def _values_by_name(metas: list[tuple[str, str]], prefixes: tuple[str, ...]) -> dict[str, str]:
    """The first value of each name; the authors of a paper are joined."""
    values: dict[str, str] = {}
    for name, content in metas:
        if not name.startswith(prefixes):
            continue
        if name == "citation_author" and name in values:
            values[name] = _truncated(f"{values[name]}; {content}")
        elif name not in values and len(values) < _MAX_VALUES:
            values[name] = _truncated(content)
    return values


def _truncated(text: str) -> str:
    data = text.encode("utf-8", "replace")
    return (
        text
        if len(data) <= _MAX_VALUE_BYTES
        else data[:_MAX_VALUE_BYTES].decode("utf-8", "ignore")
    )


_TEXT_FIELDS = ("articleBody", "text", "reviewBody")
_MIN_CHARACTERS = 250
_MAX_CHARACTERS = 200_000
_WORD = re.compile(r"\w+")
_PARAGRAPH_BREAK = re.compile(r"\n\s*\n|\r\n\s*\r\n|<br\s*/?>\s*<br\s*/?>|</p>", re.IGNORECASE)


def undisplayed_paragraphs(embedded: EmbeddedMetadata | None, content: str) -> list[str]:
    """Paragraphs of long JSON-LD texts of which the page shows less than a third."""
    texts = list(_texts(embedded))
    known_trigrams = set(_trigrams(content)) if texts else set()
    paragraphs: list[str] = []
    for text in texts:
        trigrams = list(_trigrams(text))
        if sum(trigram in known_trigrams for trigram in trigrams) * 3 < len(trigrams):
            paragraphs += [part for part in map(_paragraph, _PARAGRAPH_BREAK.split(text)) if part]
            known_trigrams.update(trigrams)
    return paragraphs


def _texts(embedded: EmbeddedMetadata | None) -> Iterator[str]:
    objects = json_ld_objects(embedded)
    # A page of several products is a list: its descriptions are not its content.
    is_product_page = len({str(item.get("name")) for item in objects if _is_product(item)}) == 1
    for item in objects:
        fields = [*_TEXT_FIELDS, *["description"] * (is_product_page and _is_product(item))]
        for text in _long_values(item, fields):
            yield text[:_MAX_CHARACTERS]


def _is_product(item: Mapping[str, Any]) -> bool:
    return item.get("@type") == "Product"


def _long_values(item: Mapping[str, Any], fields: list[str]) -> list[str]:
    values = (item.get(name) for name in fields)
    return [value for value in values if isinstance(value, str) and len(value) >= _MIN_CHARACTERS]


def _paragraph(text: str) -> str:
    return strip_invisible(plain_text(text))


def _trigrams(text: str) -> Iterator[tuple[str, ...]]:
    words = _WORD.findall(text.lower())
    return zip(words, words[1:], words[2:], strict=False)
