"""Finds the lists of references in a text: what they say is said elsewhere.

A numbered list is none for being numbered: the lines must look like references.
"""

import re
from collections import deque
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice

from sourcewright.logic.weighing.lexicon import words
from sourcewright.logic.weighing.splitting import Span

_NEXT_HEADING = re.compile(
    r"^[ \t]{0,3}(#{1,6})[ \t]+(?!page \d+\s*$)(?=\S)", re.IGNORECASE | re.MULTILINE
)
_AFTERWARDS = re.compile(
    r"^[ \t]{0,3}[*_]{0,3}(?:[A-Z][.)]? )?(?:appendix|appendices|supplementary|supporting information|anhang"
    r"|annexe?s?|ap\u00e9ndice|anexo|acknowledge?ments?|author contributions|about the authors?)\b[^\n]{0,60}$",
    re.IGNORECASE | re.MULTILINE,
)
_LINE = re.compile(r"[^\n]*\S[^\n]*")
_YEAR = re.compile(r"(?<![\d.])(?:1[89]|20)\d\d[a-z]?(?![\d])")
_SIGNS = (
    _YEAR,
    re.compile(r"\b10\.\d{4,9}/|\bdoi\b|\barxiv\b|https?://|\bISBN\b|\bPMID\b", re.IGNORECASE),
    re.compile(
        r"\b\d{1,4}\s?[\u2013-]\s?\d{1,5}\b|\b\d{1,4}\s?\(\d{1,4}\)|\bpp?\.\s?\d|:\s?e?\d{2,}"
    ),
    re.compile(r"\b[A-Z]\.\s?(?:-?[A-Z]\.\s?)?[A-Z][a-z]|[a-z],\s[A-Z]\.|[a-z]\s[A-Z]{1,3},"),
    re.compile(
        r"\bet al\b|\b(?:vol|eds?|hrsg|trans|proc|journal|review|press|publishers|university|verlag"
        r"|retrieved|accessed|abgerufen|consult[\u00e9e]|archived|nature|science|lancet)\b",
        re.IGNORECASE,
    ),
    re.compile(r"^\s*(?:[-*] )?(?:\\?\[\d{1,3}\\?\]|\d{1,3}[.)]\s|\^)"),
    re.compile("\u300a[^\u300b]{2,60}\u300b|\u300e[^\u300f]{2,60}\u300f|\\[[JMDCNRPS]\\]"),
)
_SHORT_LINE = re.compile(r"^[^\n]{2,60}$", re.MULTILINE)
_MARKS = re.compile(r"[ \t]{0,3}#{1,6}[ \t]")
_DRESS = re.compile(r"^[ \t#*_]*(?:[0-9IVX]{1,4}[.)]?[ \t]+)?[*_]*|\[[^\]]*\]|[*_:# \t]*$")
_LOOKED_LINES, _MOST_LINES = 40, 200_000
_MOST_HEADINGS = 10
_MOST_ENTRIES = 20_000
_LEAST_RUN = 5
_PER_SIGN = 160
"""Characters of a list of references that have at least one year or address among them."""


def reference_spans(text: str) -> list[Span]:
    """The places of the lists of references, in their order."""
    spans: list[Span] = []
    for heading in _headings(text):
        if spans and heading.start() < spans[-1][1]:
            continue
        end = _section_end(text, heading)
        if _looks_like_references(text[heading.end() : end]):
            spans.append((heading.start(), end))
    tail = _tail(text[: spans[-1][0]] if spans and spans[-1][1] >= len(text) else text)
    if tail is not None and not any(start <= tail < end for start, end in spans):
        spans.append((tail, len(text)))
    return spans


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
    lines = [found[0][:800] for found in islice(_LINE.finditer(section), _LOOKED_LINES)]
    if not lines:
        return False
    dense = sum(bool(sign.search(line)) for line in lines for sign in _SIGNS[:2])
    return dense * _PER_SIGN >= sum(min(len(line), 400) for line in lines) or _share(lines) >= 0.5


def _share(lines: list[str]) -> float:
    return sum(map(_is_entry, lines)) / len(lines)


def _is_entry(line: str) -> bool:
    """Whether a line has so many signs of a reference that it is hardly anything else."""
    if len(line) > 700:
        return False
    return sum(bool(sign.search(line)) for sign in _SIGNS) >= 3


def _tail(text: str) -> int | None:
    """Where a long run of references begins that ends the text without a heading of its own."""
    begin: int | None = None
    count = misses = 0
    for start, line in _lines_from_the_end(text):
        if _is_entry(line):
            count, misses, begin = count + 1, 0, start
        else:
            misses += 1
            if misses > 1:
                break
    return begin if count >= _LEAST_RUN else None


def _lines_from_the_end(text: str) -> Iterator[tuple[int, str]]:
    end = len(text)
    for _ in range(_MOST_ENTRIES):
        start = text.rfind("\n", 0, end) + 1
        line = text[start:end]
        if line.strip():
            yield start, line[:800]
        if not start:
            return
        end = start - 1
