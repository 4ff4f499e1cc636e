"""Finds reference lists in a text, whose titles are no statements of the text.

A numbered list is none for being numbered: the lines must look like references.
"""

import re
from collections import deque
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice

from sourcewright.logic.language.lexicon import words
from sourcewright.logic.language.sentences import Span

_NEXT_HEADING = re.compile(
    r"^[ \t]{0,3}(#{1,6})[ \t]+(?!page \d+\s*$)(?=\S)", re.IGNORECASE | re.MULTILINE
)
_AFTERWARDS = re.compile(
    r"^[ \t]{0,3}[*_]{0,3}(?:[A-Z][.)]? )?(?:appendix|appendices|supplementary|supporting information|anhang"
    r"|annexe?s?|ap\u00e9ndice|anexo|acknowledge?ments?|author contributions|about the authors?)\b[^\n]{0,60}$",
    re.IGNORECASE | re.MULTILINE,
)
_LINE = re.compile(r"^[^\S\n]*+\S[^\n]*+", re.MULTILINE)
_TELLING = (
    re.compile(r"\b10\.\d{4,9}/|\bdoi\b|\barxiv\b|https?://|\bISBN\b|\bPMID\b", re.IGNORECASE),
    re.compile(r"\b[A-Z]\.\s?(?:-?[A-Z]\.\s?)?[A-Z][a-z]|[a-z],\s[A-Z]\.|[a-z]\s[A-Z]{1,3},"),
    re.compile(
        r"\bet al\b|\b(?:vol|eds?|hrsg|trans|proc|journal|review|press|publishers|university|verlag"
        r"|rev|lett|phys|retrieved|accessed|abgerufen|consult[\u00e9e]|archived|lancet)\b",
        re.IGNORECASE,
    ),
    re.compile("\u300a[^\u300b]{2,60}\u300b|\u300e[^\u300f]{2,60}\u300f|\\[[JMDCNRPS]\\]"),
)
"""What hardly anything but a reference has."""
_USUAL = (
    re.compile(r"(?<![\d.])(?:1[89]|20)\d\d[a-z]?(?!\d)"),
    re.compile(
        r"\b\d{1,4}\s?[\u2013-]\s?\d{1,5}\b|\b\d{1,4}\s?\(\d{1,4}\)|\bpp?\.\s?\d|:\s?e?\d{2,}"
    ),
    re.compile(r"^\s*(?:[-*] )?(?:\\?\[\d{1,3}\\?\]|\d{1,3}[.)]\s|\^)"),
)
"""What references have, and tables and lists may have: years, pages, a number in front."""
_SHORT_LINE = re.compile(r"^[^\n]{2,60}$", re.MULTILINE)
_MARKS = re.compile(r"[ \t]{0,3}#{1,6}[ \t]")
_DRESS = re.compile(
    r"^[ \t#*_]*(?:[0-9IVX]{1,4}[.)]?[ \t]+)?[*_]*|\[[^\]]{0,60}+\]|[*_:# \t]{0,60}+$"
)
_MOST_LINES = 200_000
_MOST_HEADINGS = 10
_MOST_ENTRIES = 20_000
_LOOKED, _CUT = 4000, 800
"""Characters of a section that are looked at, and of one line."""
_CHUNK, _LEAST_CHUNKS = 300, 3
"""A list without a heading is looked at in parts of so many characters, and has so many parts."""
_BODY = 0.3
"""The share of a text before a list that only ends it; what is more of a list is the text."""
# Signs per character. Lists of references in papers have two or more in a hundred characters,
# prose about history one in three hundred; under its heading a list may be sparser.
_HEADED, _HEADED_TELLING = 0.008, 0.002
_UNHEADED, _UNHEADED_TELLING = 0.012, 0.006


def reference_spans(text: str) -> list[Span]:
    """The places of the lists of references, in their order."""
    spans: list[Span] = []
    for heading in _headings(text):
        if spans and heading.start() < spans[-1][1]:
            continue
        end = _section_end(text, heading)
        if _looks_like_references(text[heading.end() : end]):
            spans.append((heading.start(), end))
    tail = None if spans else _tail(text)
    return [(tail, len(text))] if tail is not None else spans


def _headings(text: str) -> Iterable[re.Match[str]]:
    """The last few lines that are nothing but the heading of such a list."""
    names = _names()
    lines = islice(_SHORT_LINE.finditer(text), _MOST_LINES)
    return deque(
        (line for line in lines if _DRESS.sub("", line[0]).strip().casefold() in names),
        maxlen=_MOST_HEADINGS,
    )


@cache
def _names() -> frozenset[str]:
    return frozenset(name.casefold() for name in words("headings of references")["any"])


def _section_end(text: str, heading: re.Match[str]) -> int:
    marks = _MARKS.match(heading[0])
    level = len(marks[0].strip()) if marks else 6
    found = _NEXT_HEADING.finditer(text, heading.end())
    end = next((one.start() for one in found if len(one[1]) <= level), len(text))
    after = _AFTERWARDS.search(text, heading.end(), end)
    return after.start() if after else end


def _looks_like_references(section: str) -> bool:
    lines = [found[0][:_CUT] for found in _LINE.finditer(section[:_LOOKED])]
    if not lines:
        return False
    telling, usual = _densities(lines)
    dated = sum(bool(_USUAL[0].search(line)) for line in lines)
    return telling + usual >= _HEADED and (telling >= _HEADED_TELLING or dated * 2 >= len(lines))


def _densities(lines: list[str]) -> tuple[float, float]:
    """Telling and usual signs of references, each per character; rows of tables have none."""
    length = sum(map(len, lines))
    free = [line for line in lines if not line.lstrip().startswith("|")]
    telling, usual = (
        sum(bool(sign.search(line)) for line in free for sign in signs) / length
        for signs in (_TELLING, _USUAL)
    )
    return telling, usual


def _tail(text: str) -> int | None:
    """Where a run of references begins that ends the text without a heading of its own."""
    begin: int | None = None
    chunks, lines, length = 0, deque[tuple[int, str]](), 0
    for start, line in _lines_from_the_end(text):
        lines.appendleft((start, line))
        length += len(line)
        if length < _CHUNK:
            continue
        if not _is_list([one for _, one in lines]):
            break
        begin = next(at for at, one in lines if sum(_densities([one])))
        chunks, length = chunks + 1, 0
        lines.clear()
    is_tail = chunks >= _LEAST_CHUNKS and (begin or 0) > _BODY * len(text)
    return begin if is_tail else None


def _is_list(lines: list[str]) -> bool:
    telling, usual = _densities(lines)
    dated = any(map(_USUAL[0].search, lines))
    return dated and telling >= _UNHEADED_TELLING and telling + usual >= _UNHEADED


def _lines_from_the_end(text: str) -> Iterator[tuple[int, str]]:
    end = len(text)
    for _ in range(_MOST_ENTRIES):
        start = text.rfind("\n", 0, end) + 1
        line = text[start:end]
        if line.strip():
            yield start, line[:_CUT]
        if not start:
            return
        end = start - 1
