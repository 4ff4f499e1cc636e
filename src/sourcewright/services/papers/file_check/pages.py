"""Prepares the pages of a PDF for matching: lines, text without white space, DOIs, years."""

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from sourcewright.base.doi_prefix import DOI_PREFIX
from sourcewright.base.text.unicode import fold_heading, fold_text
from sourcewright.reading.excerpts import Excerpt

_MAX_LINES = 600
_MAX_LINE_LENGTH = 600
_REFERENCES = re.compile(
    r"(?:\d+ )?(?:references|bibliography|literature cited|works cited|references and notes|"
    r"literatur|literaturverzeichnis|bibliographie|bibliografia|referencias|参考文献|参考資料)"
)
_REFERENCES_FROM_SHARE = 0.3
"""Share of a page. A reference list starts below it; the same heading above it is a menu item."""
_CONTENTS = re.compile(r"(?:table of )?contents|inhalt|inhaltsverzeichnis|sommaire|indice")
_DOT_LEADER = re.compile(r"(?<!\.)(?<!\.\s)(?:\.\s?){4,}+\s*+\d{1,4}\s*+$")
_MANY_LEADERS = 2
_PAGE_AT_END = re.compile(r"(?<![\w.,:/-])(?!1[5-9]\d\d$|20\d\d$)([1-9]\d{0,3})$")
"""A page number that ends a line; a number from 1500 to 2099 may be a year."""
_MANY_PAGES = 4
_LINE_NUMBER = re.compile(r"(\d{1,4})(?:\s|$)")
_NUMBERED_SHARE = 0.6
"""Share of the lines of a page. Entries of a numbered list are longer than a line."""
_MANY_LINES = 8
_CONTENTS_HEADING_LINES = 12
"""A table of contents has its heading within this many lines from the top."""
_DOI = re.compile(DOI_PREFIX + r"/[^\s\"<>|\u201c\u201d]{1,200}", re.IGNORECASE)
_YEAR = re.compile(r"(?<![0-9])(?:1[5-9]|20)[0-9]{2}(?![0-9])")


@dataclass(frozen=True, slots=True)
class JoinedLines:
    """Lines joined without line breaks, and the offset at which each starts."""

    text: str
    starts: tuple[int, ...]

    def line_at(self, position: int) -> int:
        return bisect_right(self.starts, position) - 1


@dataclass(frozen=True, slots=True)
class PageText:
    """One page in the forms that matching needs."""

    number: int
    lines: tuple[str, ...]
    plain: tuple[str, ...]
    """Each line, folded."""
    letters: JoinedLines
    """Folded lines without white space."""
    bare: JoinedLines
    """The lines in lower case with their punctuation, without white space."""
    gaps: frozenset[int]
    """Offsets in `bare` that white space preceded."""
    words: str
    """All folded lines, joined by spaces."""
    dois: tuple[tuple[int, str], ...]
    """Line number and text of everything that looks like a DOI."""
    years: frozenset[int]
    contents_from: int
    """The line where a table of contents starts; a title found below it does not count."""


@lru_cache(maxsize=4)
def prepare_pages(excerpt: Excerpt) -> tuple[PageText, ...]:
    """Return the pages up to the reference list, which names other works.

    Cached, because one file is often compared with several records.
    """
    pages = []
    for number, text in enumerate(excerpt.pages, start=1):
        lines = _lines(text)
        end = _reference_list_start(lines)
        pages.append(_prepare_page(number, lines[:end]))
        if end is not None:
            break
    return tuple(pages)


def dois_in(text: str) -> list[str]:
    """Return what looks like a DOI, including punctuation that directly follows it."""
    return _DOI.findall(text)


def _lines(page: str) -> list[str]:
    lines = (" ".join(line.split())[:_MAX_LINE_LENGTH] for line in page.splitlines())
    return _without_line_numbers([line for line in lines if line][:_MAX_LINES])


def _without_line_numbers(lines: list[str]) -> list[str]:
    """Remove the numbers that manuscripts have at the start of most lines, or between the lines."""
    matches = {at: match for at, line in enumerate(lines) if (match := _LINE_NUMBER.match(line))}
    counted = {
        at
        for pair in pairwise(matches)
        if int(matches[pair[1]][1]) - int(matches[pair[0]][1]) == 1
        for at in pair
    }
    is_alone = 2 * sum(lines[at].isdecimal() for at in counted) > len(counted)
    share = _NUMBERED_SHARE / 2 if is_alone else _NUMBERED_SHARE
    if len(counted) < max(_MANY_LINES, share * len(lines)):
        return lines
    rest = (line[matches[at].end() :] if at in counted else line for at, line in enumerate(lines))
    return [line for line in rest if line]


def _reference_list_start(lines: list[str]) -> int | None:
    for at, line in enumerate(lines):
        is_late = at >= len(lines) * _REFERENCES_FROM_SHARE
        if is_late and len(line) < 40 and _REFERENCES.fullmatch(fold_text(line)):
            return at
    return None


def _prepare_page(number: int, lines: list[str]) -> PageText:
    plain = tuple(map(fold_heading, lines))
    bare = ["".join(line.lower().split()).replace("\u2010", "-") for line in lines]
    return PageText(
        number=number,
        lines=tuple(lines),
        plain=plain,
        letters=_join_lines([line.replace(" ", "") for line in plain]),
        bare=_join_lines(bare),
        gaps=frozenset(_gaps(lines)),
        words=(words := " ".join(plain)),
        dois=tuple((at, doi) for at, line in enumerate(lines) for doi in dois_in(line)),
        years=frozenset(map(int, _YEAR.findall(words))),
        contents_from=_contents_start(lines, plain),
    )


def _join_lines(lines: list[str]) -> JoinedLines:
    starts, length = [], 0
    for line in lines:
        starts.append(length)
        length += len(line)
    return JoinedLines("".join(lines), tuple(starts))


def _gaps(lines: list[str]) -> list[int]:
    gaps, length = [], 0
    for line in lines:
        # Lower case is longer for a few letters.
        for word in (line if line.isascii() else line.lower()).split():
            gaps.append(length)
            length += len(word)
    return [*gaps, length]


def _contents_start(lines: list[str], plain: tuple[str, ...]) -> int:
    headings = [
        at for at, line in enumerate(plain[:_CONTENTS_HEADING_LINES]) if _CONTENTS.fullmatch(line)
    ]
    leaders = [at for at, line in enumerate(lines) if _DOT_LEADER.search(line)]
    listed = leaders if len(leaders) >= _MANY_LEADERS else []
    return min((*headings, *listed, *_page_column(lines)), default=len(lines))


def _page_column(lines: list[str]) -> list[int]:
    """Return the lines that end in ever higher page numbers, as in a list of articles.

    Numbers of lines, which some manuscripts have, go up by one or are multiples of five.
    """
    ends = ((at, _PAGE_AT_END.search(line)) for at, line in enumerate(lines))
    column = [(at, int(match[1])) for at, match in ends if match]
    numbers = [number for _, number in column]
    steps = sorted(after - before for before, after in pairwise(numbers))
    is_column = len(numbers) >= _MANY_PAGES and steps[0] > 0
    if not is_column or steps[len(steps) // 2] < 2 or all(number % 5 == 0 for number in numbers):
        return []
    return [at for at, _ in column]
