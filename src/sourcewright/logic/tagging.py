"""Takes an HTML page apart into its tags and texts, in time that grows with its length only."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import unescape
from itertools import islice

MOST_BYTES = 1024 * 1024
MOST_TAGS = 20_000
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
_TEXT_END = {
    name: re.compile(rf"</{name}(?=[\s/>])|\Z", re.IGNORECASE)
    for name in ("iframe", "noembed", "noscript", "script", "style", "textarea", "title", "xmp")
}


@dataclass(frozen=True, slots=True)
class Piece:
    """One tag, a closing one with its slash, and the text between it and the next."""

    name: str
    attributes: Mapping[str, str]
    text: str


def pieces(page: bytes) -> Iterator[Piece]:
    """A page piece by piece; what follows no tag, or a comment, has no name."""
    text = page[:MOST_BYTES].decode("utf-8", errors="replace")
    name, attributes = "", dict[str, str]()
    start = place = 0
    for _ in range(MOST_TAGS):
        token = _TOKEN.search(text, place)
        yield Piece(name, attributes, unescape(text[start : token.start() if token else None]))
        if token is None:
            return
        name = (token[1] or "") + (token[2] or "").lower()
        attributes = _attributes(token[3] or "")
        start = token.end()
        ends = _TEXT_END[name].search(text, start) if name in _TEXT_END else None
        place = ends.start() if ends else start


def _attributes(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for one in islice(_EACH_ATTRIBUTE.finditer(text), _MOST_ATTRIBUTES):
        value = one[2] or one[3] or one[4] or ""
        found.setdefault(one[1].lower(), unescape(value).strip())
    return found
