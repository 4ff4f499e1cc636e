"""Footnotes in Markdown (`[^1]: text`), which may be references."""

import re
from collections.abc import Iterator

from sourcewright.logic.references.limits import MAX_REFERENCE
from sourcewright.logic.references.lists.entries import ListEntry

_DEFINITION = re.compile(r"\s{0,3}\[\^[^\[\]\s]{1,60}\]:\s{0,9}(?P<text>.*)")
_CONTINUED = re.compile(r"(?:\s{2,99}|\t)(?P<text>\S.*)")


def footnotes(text: str) -> Iterator[ListEntry]:
    """The text of each footnote, wrapped lines joined, with the line on which it begins."""
    lines = text.splitlines() if "[^" in text else []
    for index, line in enumerate(lines):
        note = _DEFINITION.match(line)
        if note is not None:
            yield ListEntry(text=_joined(note["text"], lines[index + 1 :]), line=index + 1)


def _joined(first: str, following: list[str]) -> str:
    """The text with the indented lines after it."""
    parts, length = [first.strip()], len(first)
    for line in following:
        continued = _CONTINUED.match(line)
        if continued is None or length > MAX_REFERENCE:
            break
        parts.append(continued["text"].strip())
        length += len(line)
    return " ".join(parts)
