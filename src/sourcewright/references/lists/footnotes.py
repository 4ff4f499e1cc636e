"""Footnotes in Markdown (`[^1]: text`), which may be references."""

import re
from collections.abc import Iterator

from sourcewright.references.limits import MAX_REFERENCE, refuse_if_too_many
from sourcewright.references.lists.entries import ListEntry

_DEFINITION = re.compile(r"\s{0,3}\[\^[^\[\]\s]{1,60}\]:\s{0,9}(?P<text>.*)")
_CONTINUED = re.compile(r"(?:\s{2,99}|\t)(?P<text>\S.*)")


def begins_note(line: str) -> bool:
    """Whether a line is the definition of a footnote."""
    return _DEFINITION.match(line) is not None


def footnotes(text: str) -> Iterator[ListEntry]:
    """The text of each footnote, wrapped lines joined, with the line on which it begins.

    Raises:
        InvalidInput: It has too many.
    """
    lines = text.splitlines() if "[^" in text else []
    notes = [(at, note) for at, line in enumerate(lines) if (note := _DEFINITION.match(line))]
    refuse_if_too_many(len(notes), "footnotes")
    for at, note in notes:
        parts, length = [note["text"].strip()], 0
        for following in range(at + 1, len(lines)):
            continued = _CONTINUED.match(lines[following])
            length += len(lines[following])
            if continued is None or length > MAX_REFERENCE:
                break
            parts.append(continued["text"].strip())
        yield ListEntry(text=" ".join(parts), line=at + 1)
