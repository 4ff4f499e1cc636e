"""Finds reference lists in a text; the titles in them are not statements of the text.

A numbered list is not enough: the lines must look like references.
"""

import re
from collections import deque
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice

from sourcewright.base.doi_prefix import DOI_PREFIX
from sourcewright.base.language.lexicon import words
from sourcewright.base.language.sentences import Span

_NEXT_HEADING = re.compile(r"^[ \t]{0,3}(#{1,6})[ \t]+(?=\S)", re.MULTILINE)
_SECTION_AFTER_REFERENCES = re.compile(
    r"^[ \t]{0,3}[*_]{0,3}(?:[A-Z][.)]? )?(?:appendix|appendices|supplementary|supporting information|anhang"
    r"|annexe?s?|ap\u00e9ndice|anexo|acknowledge?ments?|author contributions|about the authors?)\b[^\n]{0,60}$",
    re.IGNORECASE | re.MULTILINE,
)
_LINE = re.compile(r"^[^\S\n]*+\S[^\n]*+", re.MULTILINE)
_STRONG_MARKS = (
    re.compile(
        r"\b" + DOI_PREFIX + r"/|\bdoi\b|\barxiv\b|https?://|\bISBN\b|\bPMID\b", re.IGNORECASE
    ),
    re.compile(r"\b[A-Z]\.\s?(?:-?[A-Z]\.\s?)?[A-Z][a-z]|[a-z],\s[A-Z]\.|[a-z]\s[A-Z]{1,3},"),
    re.compile(
        r"\bet al\b|\b(?:vol|eds?|hrsg|trans|proc|journal|review|press|publishers|university|verlag"
        r"|rev|lett|phys|retrieved|accessed|abgerufen|consult[\u00e9e]|archived|lancet)\b",
        re.IGNORECASE,
    ),
    re.compile("\u300a[^\u300b]{2,60}\u300b|\u300e[^\u300f]{2,60}\u300f|\\[[JMDCNRPS]\\]"),
)
"""Strong marks: hardly any text but a reference has them."""
_WEAK_MARKS = (
    re.compile(r"(?<![\d.])(?:1[89]|20)\d\d[a-z]?(?!\d)"),
    re.compile(
        r"\b\d{1,4}\s?[\u2013-]\s?\d{1,5}\b|\b\d{1,4}\s?\(\d{1,4}\)|\bpp?\.\s?\d|:\s?e?\d{2,}"
    ),
    re.compile(r"^\s*(?:[-*] )?(?:\\?\[\d{1,3}\\?\]|\d{1,3}[.)]\s|\^)"),
)
"""Weak marks, which tables and lists may also have: years, page ranges, a leading number."""
_SHORT_LINE = re.compile(r"^[^\n]{2,60}$", re.MULTILINE)
_HEADING_PREFIX = re.compile(r"[ \t]{0,3}#{1,6}[ \t]")
_HEADING_MARKUP = re.compile(
    r"^[ \t#*_]*(?:[0-9IVX]{1,4}[.)]?[ \t]+)?[*_]*|\[[^\]]{0,60}+\]|[*_:# \t]{0,60}+$"
)
_MAX_LINES = 200_000
_MAX_HEADINGS = 10
_MAX_ENTRIES = 20_000
_SECTION_CHARACTERS, _LINE_CHARACTERS = 4000, 800
"""Characters that are examined of a section, and of a line."""
_CHUNK, _MIN_CHUNKS = 300, 3
"""A list without heading is examined in chunks of this size, and needs this many of them."""
_MIN_BODY_SHARE = 0.3
"""Minimum share of the text before a list without heading; otherwise the text itself is a list."""
# Marks per character. Reference lists in papers have two or more per hundred characters, prose
# about history one per three hundred; a list under a heading may be sparser.
_MIN_HEADED, _MIN_HEADED_STRONG = 0.008, 0.002
_MIN_UNHEADED, _MIN_UNHEADED_STRONG = 0.012, 0.006


def reference_spans(text: str) -> list[Span]:
    """Return the spans of the reference lists, in order."""
    spans: list[Span] = []
    for heading in _headings(text):
        if spans and heading.start() < spans[-1][1]:
            continue
        end = _section_end(text, heading)
        if _looks_like_references(text[heading.end() : end]):
            spans.append((heading.start(), end))
    tail = None if spans else _unheaded_list_start(text)
    return [(tail, len(text))] if tail is not None else spans


def _headings(text: str) -> Iterable[re.Match[str]]:
    """Return the last few lines that consist of the heading of a reference list only."""
    names = _heading_names()
    lines = islice(_SHORT_LINE.finditer(text), _MAX_LINES)
    return deque(
        (line for line in lines if _HEADING_MARKUP.sub("", line[0]).strip().casefold() in names),
        maxlen=_MAX_HEADINGS,
    )


@cache
def _heading_names() -> frozenset[str]:
    return frozenset(name.casefold() for name in words("headings of references")["any"])


def _section_end(text: str, heading: re.Match[str]) -> int:
    prefix = _HEADING_PREFIX.match(heading[0])
    level = len(prefix[0].strip()) if prefix else 6
    headings = _NEXT_HEADING.finditer(text, heading.end())
    end = next((one.start() for one in headings if len(one[1]) <= level), len(text))
    after = _SECTION_AFTER_REFERENCES.search(text, heading.end(), end)
    return after.start() if after else end


def _looks_like_references(section: str) -> bool:
    lines = [
        match[0][:_LINE_CHARACTERS] for match in _LINE.finditer(section[:_SECTION_CHARACTERS])
    ]
    if not lines:
        return False
    strong, weak = _densities(lines)
    with_year = sum(bool(_WEAK_MARKS[0].search(line)) for line in lines)
    return strong + weak >= _MIN_HEADED and (
        strong >= _MIN_HEADED_STRONG or with_year * 2 >= len(lines)
    )


def _densities(lines: list[str]) -> tuple[float, float]:
    """Return strong and weak marks of references per character; table rows do not count."""
    length = sum(map(len, lines))
    outside_tables = [line for line in lines if not line.lstrip().startswith("|")]
    strong, weak = (
        sum(bool(mark.search(line)) for line in outside_tables for mark in marks) / length
        for marks in (_STRONG_MARKS, _WEAK_MARKS)
    )
    return strong, weak


def _unheaded_list_start(text: str) -> int | None:
    """Return the start of a reference list without heading at the end of the text, or None."""
    begin: int | None = None
    chunks, lines, length = 0, deque[tuple[int, str]](), 0
    for start, line in _lines_from_the_end(text):
        lines.appendleft((start, line))
        length += len(line)
        if length < _CHUNK:
            continue
        if not _is_reference_chunk([one for _, one in lines]):
            break
        begin = next(at for at, one in lines if sum(_densities([one])))
        chunks, length = chunks + 1, 0
        lines.clear()
    is_tail = chunks >= _MIN_CHUNKS and (begin or 0) > _MIN_BODY_SHARE * len(text)
    return begin if is_tail else None


def _is_reference_chunk(lines: list[str]) -> bool:
    strong, weak = _densities(lines)
    has_year = any(map(_WEAK_MARKS[0].search, lines))
    return has_year and strong >= _MIN_UNHEADED_STRONG and strong + weak >= _MIN_UNHEADED


def _lines_from_the_end(text: str) -> Iterator[tuple[int, str]]:
    end = len(text)
    for _ in range(_MAX_ENTRIES):
        start = text.rfind("\n", 0, end) + 1
        line = text[start:end]
        if line.strip():
            yield start, line[:_LINE_CHARACTERS]
        if not start:
            return
        end = start - 1
