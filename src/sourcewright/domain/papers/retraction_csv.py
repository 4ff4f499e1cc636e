"""Retraction Watch's CSV file: its rows as notices, and the rows that cannot be read.

Columns: https://www.crossref.org/documentation/retrieve-metadata/retraction-watch/
"""

import csv
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from sourcewright.base.errors import InvalidInput
from sourcewright.base.formats.json_values import doi_of
from sourcewright.base.notices import KINDS
from sourcewright.base.text.dates import date_of
from sourcewright.domain.papers.retractions import ListedKind, ListedUpdate

MAX_BAD_ROWS = 1000
"""A file with more is not the list, or a damaged one, and is refused."""
MAX_ROWS = 1_000_000

_ID, _NATURE, _DATE = "record id", "retractionnature", "retractiondate"
_DOI, _PMID = "originalpaperdoi", "originalpaperpubmedid"
_NOTICE_DOI, _NOTICE_PMID = "retractiondoi", "retractionpubmedid"
_REASON = "reason"
_REQUIRED = {_NATURE: "RetractionNature", _DOI: "OriginalPaperDOI"}
_AMERICAN = re.compile(r"([0-9]{1,2})/([0-9]{1,2})/([0-9]{4})(?:\s.{0,20})?")
_NUMBER = re.compile(r"[1-9][0-9]{0,11}")
_MAX_REASONS, _MAX_REASON, _MAX_ID = 30, 200, 40


@dataclass(frozen=True, slots=True, kw_only=True)
class BadRow:
    """A row that cannot be read."""

    line: int
    """Where it starts, from 1."""
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class UnnamedRow:
    """A row about a work without DOI and PMID, which cannot be looked up."""

    line: int


Row = ListedUpdate | BadRow | UnnamedRow


def read_rows(lines: Iterable[str]) -> Iterator[Row]:
    """The rows of the file, in order. An unreadable row does not affect others.

    Raises:
        InvalidInput: It is not Retraction Watch's list, or too much of it cannot be read.
    """
    bad = 0
    for at, (line, cells) in enumerate(_records(lines)):
        row = cells if isinstance(cells, BadRow) else _read_row(line, cells)
        bad += isinstance(row, BadRow)
        if bad > MAX_BAD_ROWS:
            raise InvalidInput(
                f"more than {MAX_BAD_ROWS} rows cannot be read; the file is damaged"
            )
        if at >= MAX_ROWS:
            raise InvalidInput(f"the file has more than {MAX_ROWS} rows")
        yield row


class _Lines:
    """Lines with their numbers; those of an unreadable record can be read again."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._rest = iter(lines)
        self._again: list[str] = []
        self._taken: list[str] = []
        self.number = 0

    def __iter__(self) -> "_Lines":
        return self

    def __next__(self) -> str:
        line = self._again.pop() if self._again else next(self._rest)
        self._taken.append(line)
        self.number += 1
        return line

    def start_record(self) -> int:
        """Return the number of the line at which the next record starts."""
        self._taken.clear()
        return self.number + 1

    def skip_one(self) -> None:
        """Skip the first line of the record, and read its other lines again.

        One quotation mark too many would otherwise hide all rows up to the next one.
        """
        others = self._taken[1:]
        self._again += reversed(others)
        self.number -= len(others)


def _records(lines: Iterable[str]) -> Iterator[tuple[int, Mapping[str, str] | BadRow]]:
    source = _Lines(lines)
    reader = csv.reader(source)
    try:
        names = _header(next(reader, []))
    except csv.Error as error:
        raise InvalidInput(f"not the list of Retraction Watch: {error}") from error
    while True:
        start = source.start_record()
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            source.skip_one()
            yield start, BadRow(line=start, reason=str(error))
            continue
        if not any(cells):
            continue
        if len(cells) < len(names) or any(cells[len(names) :]):
            source.skip_one()
            reason = f"{len(cells)} columns instead of {len(names)}"
            yield start, BadRow(line=start, reason=reason)
            continue
        yield start, dict(zip(names, cells, strict=False))


def _header(cells: Sequence[str]) -> list[str]:
    names = [cell.strip("\ufeff \t").lower() for cell in cells]
    while names and not names[-1]:
        names.pop()
    missing = [title for name, title in _REQUIRED.items() if name not in names]
    if missing:
        raise InvalidInput(
            f"not the list of Retraction Watch: its first row has no column {missing[0]}"
        )
    return names


def _read_row(line: int, cells: Mapping[str, str]) -> Row:
    nature = cells[_NATURE].strip().lower().replace(" ", "_").replace("-", "_")
    kind: ListedKind | None = "reinstatement" if nature == "reinstatement" else KINDS.get(nature)
    if kind is None:
        return BadRow(line=line, reason=f"unknown RetractionNature {cells[_NATURE]!r:.60}")
    doi, pmid = doi_of(cells[_DOI]), _pmid_of(cells.get(_PMID))
    if doi is None and pmid is None:
        return UnnamedRow(line=line)
    return ListedUpdate(
        record_id=cells.get(_ID, "").strip()[:_MAX_ID],
        kind=kind,
        date=_date_of(cells.get(_DATE, "")),
        doi=doi,
        pmid=pmid,
        notice_doi=doi_of(cells.get(_NOTICE_DOI)),
        notice_pmid=_pmid_of(cells.get(_NOTICE_PMID)),
        reasons=_reasons_of(cells.get(_REASON, "")),
    )


def _pmid_of(text: str | None) -> str | None:
    """The number, without the decimals that spreadsheets add; `0` stands for none."""
    digits = (text or "").strip().removesuffix(".0")
    return digits if _NUMBER.fullmatch(digits) else None


@lru_cache(maxsize=8192)  # the list has few days, and many rows of each
def _date_of(text: str) -> str | None:
    american = _AMERICAN.fullmatch(text.strip())
    if american is None:
        return date_of(text.strip())
    month, day, year = american.groups()
    return date_of(f"{year}-{month:0>2}-{day:0>2}")


@lru_cache(maxsize=8192)
def _reasons_of(text: str) -> tuple[str, ...]:
    """The reasons, which are separated by semicolons and marked with a plus sign."""
    parts = (part.strip(" +\t")[:_MAX_REASON] for part in text.split(";")[:_MAX_REASONS])
    return tuple(filter(None, parts))
