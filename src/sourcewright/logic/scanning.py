"""Takes the tags out of the head of an HTML page, in time that grows with its length only.

A tag counts where a browser would put it into the page's head: not in a comment, a
script, a template or a title, and not once the body has begun, where a page shows what
others wrote.
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
_RAW = {
    name: re.compile(rf"</{name}(?=[\s/>])|\Z", re.IGNORECASE)
    for name in ("script", "style", "title", "noscript", "noframes")
}
_IN_HEAD = {"html", "head", "base", "basefont", "bgsound", "link", "meta", "template", *_RAW}
_ENDING = {"head", "body", "html", "br"}


@dataclass(frozen=True, slots=True)
class Tag:
    """One tag: its name and attribute names in lower case, and the text that a script holds."""

    name: str
    attributes: Mapping[str, str]
    text: str = ""


def head_tags(page: bytes) -> Iterator[Tag]:
    """The tags in a page's head, in their order."""
    text = _decoded(page[:MOST_BYTES])
    place = inside_template = 0
    for _ in range(MOST_TAGS):
        token = _TOKEN.search(text, place)
        if token is None:
            return
        place = token.end()
        closes, name = bool(token[1]), (token[2] or "").lower()
        if name == "template":
            inside_template = max(0, inside_template + (-1 if closes else 1))
        elif name and not inside_template and _ends_head(name, closes=closes):
            return
        if not name or closes:
            continue
        start, place = place, _end_of(name, text, place)
        if not inside_template:
            yield Tag(name, _attributes(token[3]), text[start:place])


def all_tags(page: bytes) -> Iterator[Tag]:
    """Every tag of a page, a closing one with its slash, each with the text up to the next.

    What stands before the first tag, or after a comment, comes under a tag without a name.
    """
    text = _decoded(page[:MOST_BYTES])
    name, attributes = "", dict[str, str]()
    start = place = 0
    for _ in range(MOST_TAGS):
        token = _TOKEN.search(text, place)
        yield Tag(name, attributes, unescape(text[start : token.start() if token else None]))
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


def _ends_head(name: str, *, closes: bool) -> bool:
    return name in _ENDING if closes else name not in _IN_HEAD


def _end_of(name: str, text: str, place: int) -> int:
    """Where the text ends that an element holds, in which nothing is a tag."""
    ends = _RAW[name].search(text, place) if name in _RAW else None
    return ends.start() if ends else place


def _attributes(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for one in islice(_EACH_ATTRIBUTE.finditer(text), _MOST_ATTRIBUTES):
        value = one[2] or one[3] or one[4] or ""
        found.setdefault(one[1].lower(), unescape(value).strip())
    return found
