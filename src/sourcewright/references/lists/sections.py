"""Finds the list of references in the text of a document, by its heading or by its shape."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from sourcewright.base.errors import InvalidInput
from sourcewright.base.reference_headings import begins_next_section, has_date, is_heading
from sourcewright.base.text.page_anchors import PAGE_ANCHOR
from sourcewright.references.limits import MAX_TEXT_LINES
from sourcewright.references.lists.table_rows import entry_of_row
from sourcewright.references.strings.names import begins_with_name

_MARKDOWN_HEADING = re.compile(r"^\s{0,3}(#{1,6})\s{1,9}\S")
_PAGE_NUMBER = re.compile(
    r"^\s{0,99}(?:[-\u2013]\s)?(?:[Pp]age\s)?\d{1,4}(?:\s[-\u2013])?\s{0,99}$"
)
_FIRST_LABEL = re.compile(r"^\s{0,9}(?:\[1\]|\(1\)|1\.)\s{1,9}\S")
_LABEL = re.compile(r"^\s{0,9}(?:\[(\d{1,4})\]|\((\d{1,4})\)|(\d{1,4})\.)\s{1,9}\S")
_ANCHOR = re.compile(rf"{PAGE_ANCHOR.pattern}\s?")
_FLOAT = re.compile(r"\*(?:Text in the figure:|(?:Figure|Table|Fig\.) \d{1,3}[.:])")
_OUTER_NUMBER = re.compile(r"\A[0-9]{1,4}\b|\b[0-9]{1,4}\Z")
_MIN_LABELS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberedLine:
    """A line of a document and its number, counted from 1."""

    number: int
    text: str


def reference_sections(text: str) -> tuple[tuple[NumberedLine, ...], ...]:
    """The lines of each list of references, without page numbers and running heads.

    A document without a heading has one list, if its last numbered entries look like one.

    Raises:
        InvalidInput: It has too many lines.
    """
    if text.count("\n") > MAX_TEXT_LINES:
        raise InvalidInput(f"it has more than {MAX_TEXT_LINES} lines")
    lines = tuple(_without_furniture(text.splitlines()))
    starts = [index for index, line in enumerate(lines) if is_heading(line.text)]
    if not starts:
        first = _first_entry(lines)
        return () if first is None else (lines[first:],)
    sections = (
        _section(lines, start, stop)
        for start, stop in zip(starts, (*starts[1:], len(lines)), strict=True)
    )
    return tuple(section for section in sections if _has_references(section))


def _section(lines: tuple[NumberedLine, ...], start: int, stop: int) -> tuple[NumberedLine, ...]:
    """The lines under a heading; those of headings below it, such as "Books", are left blank."""
    level = _level(lines[start].text)
    section: list[NumberedLine] = []
    for line in lines[start + 1 : stop]:
        own = _level(line.text)
        if begins_next_section(line.text) or 0 < own <= (level or own):
            break
        text = "" if own or _is_float(line.text) else entry_of_row(line.text)
        section.append(replace(line, text=text))
    return tuple(section)


def _is_float(line: str) -> bool:
    """Whether a line is the text or the caption of a figure or table, which may land in a list."""
    return _FLOAT.match(line) is not None


def _level(line: str) -> int:
    """The level of a heading in Markdown; 0 for another line."""
    heading = _MARKDOWN_HEADING.match(line)
    return len(heading[1]) if heading else 0


def _has_references(section: tuple[NumberedLine, ...]) -> bool:
    return any(has_date(line.text) for line in section)


def _without_furniture(lines: list[str]) -> Iterator[NumberedLine]:
    """The lines without page marks, page numbers, and heads that several pages have."""
    marks = [index for index, line in enumerate(lines) if PAGE_ANCHOR.match(line)]
    heads = {
        edge: _head(lines[edge], page if edge > mark else page - 1)
        for page, mark in enumerate((-1, *marks, len(lines)))
        for edge in _edges(lines, mark)
    }
    counts = Counter(heads.values())
    for index, line in enumerate(lines):
        is_number = bool(marks) and _PAGE_NUMBER.match(line)
        is_repeated = bool(marks) and index in heads and counts[heads[index]] > 1
        if not (PAGE_ANCHOR.match(line) or is_number or is_repeated):
            # A page may begin within an entry.
            yield NumberedLine(number=index + 1, text=_ANCHOR.sub("", line))


def _head(line: str, page: int) -> tuple[str, int]:
    """A line at the edge of a page, and by how much the number at its end exceeds the page.

    Entries may differ by a year; the numbers of running heads rise with the pages.
    """
    text = line.strip()
    if number := _OUTER_NUMBER.search(text):
        return text.replace(number[0], "#", 1), int(number[0]) - page
    return text, 0


def _edges(lines: list[str], mark: int) -> Iterator[int]:
    """The first and the last line of text beside a page mark, where running heads and feet are."""
    for step in (1, -1):
        index = mark + step
        while 0 <= index < len(lines) and abs(index - mark) < 5 and not lines[index].strip():
            index += step
        if 0 <= index < len(lines) and not _PAGE_NUMBER.match(lines[index]):
            yield index
        elif 0 <= index + step < len(lines):
            yield index + step


def _first_entry(lines: tuple[NumberedLine, ...]) -> int | None:
    """Where the last numbered list begins whose entries have years, identifiers or links."""
    firsts = [index for index, line in enumerate(lines) if _FIRST_LABEL.match(line.text)]
    if not firsts:
        return None
    first = firsts[0] if _begins_with_entry(lines, firsts[0]) else firsts[-1]
    expected, count, dated = 1, 0, 0
    for line in lines[first:]:
        label = _LABEL.match(line.text)
        if label and int(next(filter(None, label.groups()))) == expected:
            expected, count = expected + 1, count + 1
        dated += has_date(line.text)
    return first if count >= _MIN_LABELS and 2 * dated >= count else None


def _begins_with_entry(lines: tuple[NumberedLine, ...], first: int) -> bool:
    """Whether the text has only references: it begins with a name after the first label."""
    opening = next(index for index, line in enumerate(lines) if line.text.strip())
    _, _, words = lines[first].text.strip().partition(" ")
    return first == opening and begins_with_name(words.strip())
