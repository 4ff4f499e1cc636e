"""Corrects RIS and NBIB: finds the lines of each tag of a record, and writes others."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from sourcewright.base.text.person_names import PersonName
from sourcewright.references.corrections.edits import (
    IDENTIFIERS,
    FieldCorrection,
    Groups,
    Slot,
    replaced_inside,
    sorting_name,
)

RIS_GROUPS: Groups = MappingProxyType(
    {
        "title": (("TI", "T1"), ("CT",), ("BT",)),
        "authors": (("AU",), ("A1",)),
        "year": (("PY", "Y1", "DA"),),
        "venue": (("JF", "JO", "JA", "J1", "J2"), ("T2",), ("BT",), ("T3",)),
        "volume": (("VL",),),
        "issue": (("IS",), ("CP",)),
        "pages": (("SP", "EP"),),
        "publisher": (("PB",),),
        "location": (("CY",), ("PP",)),
        "doi": (("DO",),),
        "pmid": (("AN",),),
    }
)
NBIB_GROUPS: Groups = MappingProxyType(
    {
        "title": (("TI",), ("BTI",)),
        "authors": (("FAU", "AU"),),
        "year": (("DP",), ("DEP",)),
        "venue": (("JT", "TA"), ("BTI",), ("CTI",)),
        "volume": (("VI",),),
        "issue": (("IP",),),
        "pages": (("PG",),),
        "publisher": (("PB",),),
        "pmid": (("PMID",),),
        "pmcid": (("PMC",),),
    }
)
_RIS_LINE = re.compile(r"[\ufeff ]{0,9}([A-Z][A-Z0-9]) {0,2}-(?: |(?=\s*$))")
_NBIB_LINE = re.compile(r"\ufeff?([A-Z]{2,4}) {0,2}- ?")
_AUTHOR_TAGS = frozenset({"AU", "A1", "FAU", "CN"})
_RANGE = re.compile(r"(\w{1,20})\s?[-\u2010-\u2015]{1,2}\s?(\w{1,20})")
_LINE_END = "\r\n\v\f\x1c\x1d\x1e\x85\u2028\u2029"


@dataclass(frozen=True, slots=True)
class _Line:
    tag: str
    start: int
    value: int
    end: int
    """Where the value ends, with the lines that continue it."""


class TaggedFile:
    """The lines of a RIS or NBIB file."""

    def __init__(self, text: str, *, is_ris: bool) -> None:
        self._text = text
        self._pattern = _RIS_LINE if is_ris else _NBIB_LINE
        self._lines = text.splitlines(keepends=True)
        self._offsets = [0]
        for line in self._lines:
            self._offsets.append(self._offsets[-1] + len(line))
        self._newline = "\r\n" if "\r\n" in text else "\n"

    def slots(self, first: int, last: int | None) -> list[Slot]:
        """The values of the record that begins on a line, up to another; lines count from 1."""
        lines = list(self._tagged(first - 1, len(self._lines) if last is None else last - 1))
        plain = [self._slot(line) for line in lines if line.tag not in _AUTHOR_TAGS]
        return [*plain, *self._authors(lines)]

    def _tagged(self, first: int, last: int) -> Iterator[_Line]:
        lines: list[_Line] = []
        for at in range(first, last):
            line, start = self._lines[at], self._offsets[at]
            end = start + len(line.rstrip(_LINE_END))
            if match := self._pattern.match(line):
                if match[1] == "ER":
                    break
                lines.append(_Line(match[1], start, start + match.end(), end))
            elif lines and line.strip():
                before = lines[-1]
                lines[-1] = _Line(before.tag, before.start, before.value, end)
        yield from lines

    def _slot(self, line: _Line) -> Slot:
        start = min(line.value, line.end)
        return Slot(name=line.tag, start=start, end=line.end, text=self._text[start : line.end])

    def _authors(self, lines: Sequence[_Line]) -> list[Slot]:
        """The lines of all authors as one slot, if no other line is between them."""
        places = [at for at, line in enumerate(lines) if line.tag in _AUTHOR_TAGS]
        if not places or places[-1] - places[0] >= len(places):
            return []
        first, last = lines[places[0]], lines[places[-1]]
        text = self._text[first.start : last.end]
        return [Slot(name=first.tag, start=first.start, end=last.end, text=text)]

    def write(self, slot: Slot, correction: FieldCorrection) -> str | None:
        """The corrected value of a slot."""
        value = " ".join(correction.value.split())
        if correction.field == "authors":
            return self._newline.join(self._author_lines(slot, correction))
        if correction.field == "pages":
            return _pages(slot, value)
        if correction.field == "year" or correction.field in IDENTIFIERS:
            replacement = replaced_inside(slot.text, correction.given, value)
            return value if replacement is None and slot.name in ("DO", "PMC") else replacement
        is_sentence = slot.name == "TI" and slot.text.rstrip().endswith(".")
        return f"{value}." if is_sentence and not value.endswith((".", "?", "!")) else value

    def _author_lines(self, slot: Slot, correction: FieldCorrection) -> Iterator[str]:
        """One line for each author; in MEDLINE two, in full and with initials."""
        match = self._pattern.match(slot.text)
        lead = match[0] if match else f"{slot.name}  - "
        for name in correction.names:
            if slot.name != "FAU":
                yield f"{lead}{sorting_name(name)}"
            elif name.family is None:
                yield f"CN  - {name.whole}"
            else:
                yield from (f"FAU - {sorting_name(name)}", f"AU  - {_short_name(name)}")
        if correction.truncated and slot.name != "FAU":
            yield f"{lead}et al."


def _short_name(name: PersonName) -> str:
    initials = "".join(word[:1] for word in (name.given or "").replace("-", " ").split())
    return f"{name.family} {initials}".strip()


def _pages(slot: Slot, value: str) -> str:
    """The first page, the last, or both, as the tag has them."""
    match = _RANGE.fullmatch(value)
    if slot.name == "SP" and (not match or _RANGE.search(slot.text)):
        return value
    if match is None or slot.name not in ("SP", "EP"):
        return value
    return match[1] if slot.name == "SP" else match[2]
