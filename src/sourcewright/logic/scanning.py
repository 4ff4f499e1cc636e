"""Takes the tags out of the head of an HTML page, in time that grows with its length only.

A tag counts where the page's author put it into the head: not in a comment, a script, a
template or a title, and not once the body has begun, where a page shows what others wrote.
"""

import codecs
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import unescape
from itertools import islice

MOST_BYTES = 1024 * 1024
MOST_TAGS = 4000
"""Honest heads have a few hundred tags; reading stops here, as it does at the last byte."""
_MOST_ATTRIBUTES = 50

# Each piece goes on to the end of the text where its own end is missing, so that no
# place is ever read twice.
_VALUE = r"""(?:"([^"]*+)(?:"|\Z)|'([^']*+)(?:'|\Z)|([^\s>"'][^\s>]*+))"""
_ATTRIBUTE = rf"([^\s/>][^\s/>=]*+)(?:\s*+=\s*+{_VALUE}?+)?+"
_UNNAMED = re.sub(r"(?<!\\)\((?!\?)", "(?:", _ATTRIBUTE)
_TOKEN = re.compile(
    r"<!--(?:-?>|.*?(?:--!?>|\Z))"
    rf"|<(/?)([a-zA-Z][^\s/>]*+)((?:[\s/]++|{_UNNAMED})*+)(?:>|\Z)"
    r"|<[!?/][^>]*+(?:>|\Z)",
    re.DOTALL,
)
_EACH_ATTRIBUTE = re.compile(_ATTRIBUTE)
_TEXTS_IN_HEAD = ("script", "style", "title", "noscript", "noframes")
_HOLDS_TEXT = (*_TEXTS_IN_HEAD, "textarea", "iframe", "xmp", "noembed")
_TEXT_END = {name: re.compile(rf"</{name}(?=[\s/>])|\Z", re.IGNORECASE) for name in _HOLDS_TEXT}
_IN_HEAD = {
    *("html", "head", "base", "basefont", "bgsound", "link", "meta", "template"),
    *_TEXTS_IN_HEAD,
}


@dataclass(frozen=True, slots=True)
class Tag:
    """One tag: its name and attribute names in lower case, and the text that a script holds."""

    name: str
    attributes: Mapping[str, str]
    text: str = ""


def head_tags(page: bytes) -> Iterator[Tag]:
    """The tags in a page's head, in their order.

    Some pages put parts of their body before the end of their head. What follows those
    counts only if the head does end later on.
    """
    doubtful: list[Tag] = []
    for tag in _tags(_decoded(page[:MOST_BYTES])):
        if tag.name in {"/head", "body", "frameset"}:
            yield from doubtful
            return
        if doubtful or tag.name not in _IN_HEAD:
            doubtful.append(tag)
        else:
            yield tag


def _tags(text: str) -> Iterator[Tag]:
    """Every tag outside of comments, texts and templates; `/head` for the end of the head."""
    place = inside_template = 0
    for _ in range(MOST_TAGS):
        token = _TOKEN.search(text, place)
        if token is None:
            return
        place = token.end()
        closes, name = bool(token[1]), (token[2] or "").lower()
        if name == "template":
            inside_template = max(0, inside_template + (-1 if closes else 1))
        start, place = place, place if closes else _end_of(name, text, place)
        if inside_template or not name:
            continue
        if not closes:
            yield Tag(name, _attributes(token[3]), text[start:place])
        elif name == "head":
            yield Tag("/head", {})


def _decoded(page: bytes) -> str:
    """The page as text; names and DOIs are ASCII in whatever encoding is left."""
    sixteen = page.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return page.decode("utf-16" if sixteen else "utf-8", errors="replace")


def _end_of(name: str, text: str, place: int) -> int:
    """Where the text ends that an element holds, in which nothing is a tag."""
    ends = _TEXT_END[name].search(text, place) if name in _TEXT_END else None
    return ends.start() if ends else place


def _attributes(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for one in islice(_EACH_ATTRIBUTE.finditer(text), _MOST_ATTRIBUTES):
        value = one[2] or one[3] or one[4] or ""
        found.setdefault(one[1].lower(), unescape(value).strip())
    return found
