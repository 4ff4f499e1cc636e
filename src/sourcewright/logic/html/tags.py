"""Tokenises HTML into tags and texts in linear time.

Takes the tags out of the head of an HTML page.
"""

import codecs
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import unescape
from itertools import islice

MOST_BYTES = 1024 * 1024
MOST_TAGS = 20_000
"""Reading stops here, as it does at the last byte."""
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
_READ_AS_TEXT = ("title", "textarea")
_LEFT_AS_IT_IS = ("script", "style", "noscript", "noframes", "iframe", "xmp", "noembed")
_TEXT_END = {
    name: re.compile(rf"</{name}(?=[\s/>])|\Z", re.IGNORECASE)
    for name in (*_READ_AS_TEXT, *_LEFT_AS_IT_IS)
}


@dataclass(frozen=True, slots=True)
class Tag:
    """One tag, names in lower case, and the text between it and the next.

    A closing tag has its slash in its name; what stands before every tag, or after a
    comment, comes with an empty name.
    """

    name: str
    attributes: Mapping[str, str]
    text: str


def tags(page: bytes) -> Iterator[Tag]:
    """The tags of a page in their order. Nothing is a tag in a comment or in a script."""
    text = _decoded(page[:MOST_BYTES])
    name, attributes = "", dict[str, str]()
    start = place = 0
    for _ in range(MOST_TAGS):
        token = _TOKEN.search(text, place)
        between = text[start : token.start() if token else None]
        yield Tag(name, attributes, between if name in _LEFT_AS_IT_IS else unescape(between))
        if token is None:
            return
        name = (token[1] or "") + (token[2] or "").lower()
        attributes = _attributes(token[3] or "")
        start = token.end()
        place = _end_of(name, text, start)


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


_MOST_TAGS = 4000
"""Honest heads have a few hundred."""
_IN_HEAD = {
    *("html", "head", "base", "basefont", "bgsound", "link", "meta", "template"),
    *("script", "style", "title", "noscript", "noframes"),
}


def head_tags(page: bytes) -> Iterator[Tag]:
    """The tags in a page's head, in their order.

    Some pages put parts of their body before the end of their head. What follows those
    counts only if the head does end later on.
    """
    doubtful: list[Tag] = []
    for tag in _outside_templates(islice(tags(page), _MOST_TAGS)):
        if tag.name in {"/head", "body", "frameset"}:
            yield from doubtful
            return
        if tag.name.startswith("/") or not tag.name:
            continue
        if doubtful or tag.name not in _IN_HEAD:
            doubtful.append(tag)
        else:
            yield tag


def _outside_templates(found: Iterator[Tag]) -> Iterator[Tag]:
    depth = 0
    for tag in found:
        if tag.name == "template":
            depth += 1
        elif tag.name == "/template":
            depth = max(0, depth - 1)
        if not depth:
            yield tag
