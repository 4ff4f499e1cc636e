"""Corrects CSL-JSON: finds the members of each item in the text, and writes other values."""

import json
import re
from collections.abc import Iterator
from json.decoder import JSONDecoder
from types import MappingProxyType
from typing import Any, Final

from sourcewright.references.corrections.edits import (
    IDENTIFIERS,
    FieldCorrection,
    Groups,
    Slot,
    replaced_inside,
)
from sourcewright.references.csl import csl_name
from sourcewright.references.readers.csl import LIST_FIELDS

GROUPS: Groups = MappingProxyType(
    {
        "title": (("title",),),
        "authors": (("author",),),
        "year": (("issued",), ("published",), ("year",)),
        "venue": (
            ("container-title", "container-title-short", "journalAbbreviation"),
            ("event-title",),
            ("event",),
        ),
        "volume": (("volume",),),
        "issue": (("issue",),),
        "pages": (("page", "page-first"), ("number",)),
        "publisher": (("publisher",),),
        "location": (("event-place",), ("publisher-place",)),
        "doi": (("DOI",), ("doi",)),
        "pmid": (("PMID",),),
        "pmcid": (("PMCID",),),
    }
)
_SPACE: Final = re.compile(r"[ \t\r\n]*")
_INDENT: Final = re.compile(r"\n([ \t]{1,16})\S")
_LAYOUT: Final = re.compile(r"\[(\s*\n\s*)\S.*\S(\s*)\]", re.DOTALL)
_ONE_LINE: Final = re.compile(r"\{[^{}\n]*\}")
_DECODER: Final = JSONDecoder()


class CslFile:
    """The items of a CSL-JSON file that is known to be valid JSON."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._ascii = text.isascii()
        indent = _INDENT.search(text)
        self._indent = indent[1] if indent else "  "
        self._newline = "\r\n" if "\r\n" in text else "\n"

    def items(self) -> list[tuple[int, int]]:
        """Where each item stands, in order."""
        start = self._skip(1 if self._text.startswith("\ufeff") else 0)
        if self._text[start] == "[":
            return list(self._elements(start))
        for slot in self._members(start):
            if slot.name in LIST_FIELDS and slot.text.startswith("["):
                return list(self._elements(slot.start))
        return [(start, len(self._text))]

    def slots(self, start: int) -> list[Slot]:
        """The members of the item that begins there; none if it is no object."""
        return list(self._members(start)) if self._text[start] == "{" else []

    def write(self, slot: Slot, correction: FieldCorrection) -> str | None:
        """The corrected value as JSON."""
        if correction.field == "authors":
            return self._written_names(slot, correction)
        if correction.field == "year" or correction.field in IDENTIFIERS:
            return replaced_inside(slot.text, correction.given, correction.value)
        if slot.text.startswith("["):
            return self._json([correction.value])
        return self._json(correction.value)

    def _written_names(self, slot: Slot, correction: FieldCorrection) -> str:
        """The authors, each on one line or spread over several as before."""
        names: list[Any] = [csl_name(name) for name in correction.names]
        names += [{"literal": "et al."}] if correction.truncated else []
        layout = _LAYOUT.fullmatch(slot.text)
        if layout is None:
            return self._json(names)
        before, after = layout.groups()
        if _ONE_LINE.search(slot.text):
            rows = [self._json(name) for name in names]
        else:
            margin = before[before.rfind("\n") + 1 :]
            rows = [
                json.dumps(name, ensure_ascii=self._ascii, indent=self._indent).replace(
                    "\n", f"{self._newline}{margin}"
                )
                for name in names
            ]
        return f"[{before}{f',{before}'.join(rows)}{after}]"

    def _json(self, value: Any) -> str:
        return json.dumps(value, ensure_ascii=self._ascii)

    def _skip(self, at: int) -> int:
        space = _SPACE.match(self._text, at)
        return space.end() if space else at

    def _members(self, start: int) -> Iterator[Slot]:
        at = self._skip(start + 1)
        while self._text[at] == '"':
            name, at = _DECODER.raw_decode(self._text, at)
            value = self._skip(self._skip(at) + 1)
            end = _DECODER.raw_decode(self._text, value)[1]
            yield Slot(name=name, start=value, end=end, text=self._text[value:end])
            at = self._skip(end)
            at = self._skip(at + 1) if self._text[at] == "," else at

    def _elements(self, start: int) -> Iterator[tuple[int, int]]:
        at = self._skip(start + 1)
        while self._text[at] != "]":
            end = _DECODER.raw_decode(self._text, at)[1]
            yield at, end
            at = self._skip(end)
            at = self._skip(at + 1) if self._text[at] == "," else at
