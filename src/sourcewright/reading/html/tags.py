"""Tokenises HTML into tags and texts in linear time; finds the tags of a page's head."""

import codecs
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import unescape
from itertools import islice

MAX_BYTES = 1024 * 1024
MAX_TAGS = 20_000
"""Reading stops after this many tags, as it does after `MAX_BYTES`."""
_MAX_ATTRIBUTES = 50

# A piece without its end extends to the end of the text, so that no position is read twice:
# the time stays linear.
_VALUE = r"""(?:"([^"]*+)(?:"|\Z)|'([^']*+)(?:'|\Z)|([^\s>"'][^\s>]*+))"""
_ATTRIBUTE = rf"([^\s/>][^\s/>=]*+)(?:\s*+=\s*+{_VALUE}?+)?+"
_ATTRIBUTE_WITHOUT_GROUPS = re.sub(r"(?<!\\)\((?!\?)", "(?:", _ATTRIBUTE)
_TOKEN = re.compile(
    r"<!--(?:-?>|.*?(?:--!?>|\Z))"
    rf"|<(/?)([a-zA-Z][^\s/>]*+)((?:[\s/]++|{_ATTRIBUTE_WITHOUT_GROUPS})*+)(?:>|\Z)"
    r"|<[!?/][^>]*+(?:>|\Z)",
    re.DOTALL,
)
_EACH_ATTRIBUTE = re.compile(_ATTRIBUTE)
_ESCAPABLE_RAW_TEXT = ("title", "textarea")
_RAW_TEXT = ("script", "style", "noscript", "noframes", "iframe", "xmp", "noembed")
_TEXT_END = {
    name: re.compile(rf"</{name}(?=[\s/>])|\Z", re.IGNORECASE)
    for name in (*_ESCAPABLE_RAW_TEXT, *_RAW_TEXT)
}


@dataclass(frozen=True, slots=True)
class Tag:
    """One tag, names in lower case, and the text between it and the next.

    The name of a closing tag begins with a slash. Text before the first tag, or after a comment,
    comes with an empty name.
    """

    name: str
    attributes: Mapping[str, str]
    text: str


def tags(page: bytes) -> Iterator[Tag]:
    """Yield the tags of a page in order, without those in comments and scripts."""
    text = _decoded(page[:MAX_BYTES])
    name, attributes = "", dict[str, str]()
    start = position = 0
    for _ in range(MAX_TAGS):
        token = _TOKEN.search(text, position)
        between = text[start : token.start() if token else None]
        yield Tag(name, attributes, between if name in _RAW_TEXT else unescape(between))
        if token is None:
            return
        name = (token[1] or "") + (token[2] or "").lower()
        attributes = _attributes(token[3] or "")
        start = token.end()
        position = _end_of_raw_text(name, text, start)


def _decoded(page: bytes) -> str:
    """The page as text: UTF-16 by its BOM, else UTF-8; names and DOIs are ASCII anyway."""
    is_utf16 = page.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return page.decode("utf-16" if is_utf16 else "utf-8", errors="replace")


def _end_of_raw_text(name: str, text: str, position: int) -> int:
    """The end of a raw text element's content, in which there are no tags."""
    end = _TEXT_END[name].search(text, position) if name in _TEXT_END else None
    return end.start() if end else position


def _attributes(text: str) -> dict[str, str]:
    attributes: dict[str, str] = {}
    for match in islice(_EACH_ATTRIBUTE.finditer(text), _MAX_ATTRIBUTES):
        value = match[2] or match[3] or match[4] or ""
        attributes.setdefault(match[1].lower(), unescape(value).strip())
    return attributes


_MAX_HEAD_TAGS = 4000
"""Real heads have a few hundred."""
_HEAD_TAG_NAMES = {
    *("html", "head", "base", "basefont", "bgsound", "link", "meta", "template"),
    *("script", "style", "title", "noscript", "noframes"),
}


def head_tags(page: bytes) -> Iterator[Tag]:
    """Yield the tags in a page's head in order.

    Some pages have elements of the body before the end of the head. Tags from there on count
    only if the head ends later on.
    """
    doubtful: list[Tag] = []
    for tag in _outside_templates(islice(tags(page), _MAX_HEAD_TAGS)):
        if tag.name in {"/head", "body", "frameset"}:
            yield from doubtful
            return
        if tag.name.startswith("/") or not tag.name:
            continue
        if doubtful or tag.name not in _HEAD_TAG_NAMES:
            doubtful.append(tag)
        else:
            yield tag


def _outside_templates(all_tags: Iterator[Tag]) -> Iterator[Tag]:
    depth = 0
    for tag in all_tags:
        if tag.name == "template":
            depth += 1
        elif tag.name == "/template":
            depth = max(0, depth - 1)
        if not depth:
            yield tag
