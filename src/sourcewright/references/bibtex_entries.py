"""Parses BibTeX and biblatex into entries and their fields, continuing after a broken entry."""

import logging
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from bibtexparser import model
from bibtexparser.splitter import Splitter

from sourcewright.references.limits import (
    MAX_MESSAGE_TEXT,
    MAX_STRING,
    MAX_VALUE,
    refuse_if_too_many,
)

_BLOCK = re.compile(r"@\s{0,9}\w{1,40}\s{0,9}[{(]")
_OPENING = re.compile(r"@\s{0,9}\w{1,40}\s{0,9}[{(]\s{0,9}([^\s,{}()=]{1,200})")
_STRAY_ENTRY = re.compile(r"^[ \t]{0,99}@\s{0,9}([\w-]{1,40})\s{0,99}[{(]", re.MULTILINE)
_NO_ENTRY = frozenset({"comment", "preamble", "string"})
_NO_REFERENCE = frozenset({"xdata", "set", "control", "ieeetranbstctl", "bibnote"})
"""Types of biblatex, REVTeX and IEEEtran for shared fields, groups and settings of a style."""
_NUMBER = re.compile(r"\d{1,20}")
_NEXT_FIELD = re.compile(r"\s{0,99}([A-Za-z][\w-]{0,39})\s{0,9}=\s{0,9}")


@dataclass(frozen=True, slots=True, kw_only=True)
class BibtexEntry:
    """An entry with its fields in LaTeX, abbreviations expanded; names in lower case."""

    type: str
    key: str
    fields: Mapping[str, str]
    text: str
    line: int | None

    @property
    def is_reference(self) -> bool:
        """Whether it cites a work, unlike one that only has settings or parts of others."""
        return self.type not in _NO_REFERENCE


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokenBibtex:
    """A part of the file that begins like an entry but is malformed."""

    key: str | None
    reason: str
    text: str
    line: int | None
    is_reference: ClassVar[bool] = True
    """It may cite a work, so it is never left out."""


def bibtex_entries(text: str, names: Collection[str]) -> Iterator[BibtexEntry | BrokenBibtex]:
    """Every entry in order, with the fields of these names; comments and preambles are skipped.

    Raises:
        InvalidInput: It has too many entries.
    """
    refuse_if_too_many(sum(1 for _ in _BLOCK.finditer(text)), "entries")
    strings: dict[str, str] = {}
    for block in _blocks(text):
        # A duplicate entry is still available here, and may name another paper.
        entry = block.ignore_error_block if isinstance(block, model.ParsingFailedBlock) else block
        if isinstance(entry, model.String):
            _define_string(strings, entry)
        elif isinstance(entry, model.Entry):
            yield BibtexEntry(
                type=entry.entry_type.casefold(),
                key=entry.key.strip(),
                fields=_fields(entry, strings, names),
                text=entry.raw or "",
                line=_line(entry),
            )
        elif isinstance(block, model.ParsingFailedBlock):
            yield _broken(block)
        elif isinstance(block, model.ImplicitComment):
            yield from _stray_entries(block)


def _blocks(text: str) -> Sequence[model.Block]:
    # Its log repeats, over several lines, the errors that are reported as problems.
    logging.getLogger(Splitter.__module__).disabled = True
    return Splitter(text).split().blocks


def _line(block: model.Block) -> int | None:
    return None if block.start_line is None else block.start_line + 1


def _define_string(strings: dict[str, str], string: model.String) -> None:
    # Unlike that of a field, its text keeps the space around it: `@string{more = " and others"}`.
    value = _joined_pieces(string.value, strings)
    if len(value) <= MAX_STRING:
        strings[string.key.strip().casefold()] = value


def _broken(block: model.ParsingFailedBlock) -> BrokenBibtex:
    raw = block.raw or ""
    opening = _OPENING.match(raw)
    reason = " ".join(str(getattr(block.error, "abort_reason", block.error)).split())
    reason = f"{reason[:1].lower()}{reason[1:MAX_MESSAGE_TEXT].rstrip('. ')}"
    return BrokenBibtex(
        key=opening[1] if opening else None,
        reason=f"it is not well-formed BibTeX: {reason}",
        text=raw.strip(),
        line=_line(block),
    )


def _stray_entries(comment: model.ImplicitComment) -> Iterator[BrokenBibtex]:
    """Entries in text that counts as a comment because their first line is malformed."""
    openings = [
        match
        for match in _STRAY_ENTRY.finditer(comment.comment)
        if match[1].casefold() not in _NO_ENTRY
    ]
    ends = [*(match.start() for match in openings[1:]), len(comment.comment)]
    before = counted = 0
    for match, end in zip(openings, ends, strict=False):
        before += comment.comment.count("\n", counted, match.start())
        counted = match.start()
        yield BrokenBibtex(
            key=None,
            reason="it is not well-formed BibTeX: the type of the entry is malformed",
            text=comment.comment[match.start() : end].strip(),
            line=None if comment.start_line is None else comment.start_line + before + 1,
        )


def _fields(
    entry: model.Entry, strings: Mapping[str, str], names: Collection[str]
) -> dict[str, str]:
    """The fields of these names; of duplicates, the first that is not empty."""
    fields: dict[str, str] = {}
    for field in entry.fields:
        for name, raw in _with_missing_commas(field.key.casefold(), str(field.value)):
            if name in names and not fields.get(name):
                fields[name] = _value(raw, strings)[:MAX_VALUE]
    return {name: value for name, value in fields.items() if value}


def _with_missing_commas(name: str, raw: str) -> Iterator[tuple[str, str]]:
    """The field, and those after it that no comma separates (`title = {A} year = 2020`)."""
    start = 0
    while following := _NEXT_FIELD.match(raw, _end_of_value(raw, start)) if "=" in raw else None:
        yield name, raw[start : following.start()]
        name, start = following[1].casefold(), following.end()
    yield name, raw[start:]


def _end_of_value(raw: str, start: int) -> int:
    """Where the braces, quotes or digits end with which a value begins; `start` for others."""
    opener = raw[start : start + 1]
    if number := _NUMBER.match(raw, start):
        return number.end()
    if opener not in ("{", '"'):
        return start
    depth = 0
    for index in range(start, len(raw)):
        depth += {"{": 1, "}": -1}.get(raw[index], 0)
        closes = raw[index] == ("}" if opener == "{" else '"') and index > start
        if closes and depth == 0:
            return index + 1
    return len(raw)


def _value(raw: str, strings: Mapping[str, str]) -> str:
    """A field's text: without braces and quotes, abbreviations expanded, pieces joined."""
    return _joined_pieces(raw, strings).strip()


def _joined_pieces(raw: str, strings: Mapping[str, str]) -> str:
    return "".join(_piece(piece.strip(), strings) for piece in _pieces(raw.strip()))


def _pieces(raw: str) -> Iterator[str]:
    """The text split at each `#` outside braces and quotes."""
    depth, in_quotes, start = 0, False, 0
    for index, character in enumerate(raw if "#" in raw else ""):
        if character in "{}":
            depth += 1 if character == "{" else -1
        elif character == '"' and not depth:
            in_quotes = not in_quotes
        elif character == "#" and not depth and not in_quotes:
            yield raw[start:index]
            start = index + 1
    yield raw[start:]


def _piece(piece: str, strings: Mapping[str, str]) -> str:
    if len(piece) > 1 and piece[0] + piece[-1] in ("{}", '""'):
        return piece[1:-1]
    return strings.get(piece.casefold(), piece)
