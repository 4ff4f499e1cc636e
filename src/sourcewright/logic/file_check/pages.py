"""Pages of a PDF prepared for matching: lines, text without white space, zones."""

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache

from sourcewright.domain.files import Excerpt
from sourcewright.logic.text.unicode import folded

_MAX_LINES = 600
_MAX_LINE = 600
_REFERENCES = re.compile(
    r"(?:\d+ )?(?:references|bibliography|literature cited|works cited|references and notes|"
    r"literatur|literaturverzeichnis|bibliographie|bibliografia|referencias|参考文献|参考資料)"
)
_REFERENCES_NOT_BEFORE = 0.3
"""A list of references comes late on its page; the same word above that is a menu."""
_CONTENTS = re.compile(r"(?:table of )?contents|inhalt|inhaltsverzeichnis|sommaire|indice")
_LEADER = re.compile(r"(?<!\.)(?<!\.\s)(?:\.\s?){4,}+\s*+\d{1,4}\s*+$")
_MANY_LEADERS = 3
_CONTENTS_ABOVE = 12
"""Lines in which a list of contents begins."""
_DOI = re.compile(
    r"10\.[0-9]{4,9}(?:\.[0-9]{1,9}){0,3}/[^\s\"<>|\u201c\u201d]{1,200}", re.IGNORECASE
)
_YEAR = re.compile(r"(?<![0-9])(?:1[5-9]|20)[0-9]{2}(?![0-9])")


@dataclass(frozen=True, slots=True)
class Strip:
    """Lines written without their breaks, and where each began."""

    text: str
    starts: tuple[int, ...]

    def line_at(self, position: int) -> int:
        return bisect_right(self.starts, position) - 1


@dataclass(frozen=True, slots=True)
class Leaf:
    """One page."""

    number: int
    lines: tuple[str, ...]
    plain: tuple[str, ...]
    """Each line, folded."""
    letters: Strip
    """Folded lines without any blanks."""
    bare: Strip
    """The lines in small letters as they stand, without blanks."""
    gaps: frozenset[int]
    """Positions in `bare` before which there was a blank."""
    words: str
    """All folded lines."""
    dois: tuple[tuple[int, str], ...]
    """What looks like a DOI, and in which line."""
    years: frozenset[int]
    contents_from: int
    """The line from which on the page lists works or sections instead of having a title."""


@lru_cache(maxsize=4)
def leaves_of(excerpt: Excerpt) -> tuple[Leaf, ...]:
    """The pages up to the list of references; other works are named from there on.

    Kept for a moment, because one file is often compared with several records.
    """
    leaves = []
    for number, page in enumerate(excerpt.pages, start=1):
        lines = _lines(page)
        end = _references(lines)
        leaves.append(_leaf(number, lines[:end]))
        if end is not None:
            break
    return tuple(leaves)


def dois_in(text: str) -> list[str]:
    """What looks like a DOI, with whatever stands close behind it."""
    return _DOI.findall(text)


def _lines(page: str) -> list[str]:
    lines = (" ".join(line.split())[:_MAX_LINE] for line in page.splitlines())
    return [line for line in lines if line][:_MAX_LINES]


def _references(lines: list[str]) -> int | None:
    for at, line in enumerate(lines):
        late = at >= len(lines) * _REFERENCES_NOT_BEFORE
        if late and len(line) < 40 and _REFERENCES.fullmatch(folded(line)):
            return at
    return None


def _leaf(number: int, lines: list[str]) -> Leaf:
    plain = tuple(map(folded, lines))
    bare = [re.sub(r"\s", "", line.lower()).replace("\u2010", "-") for line in lines]
    return Leaf(
        number=number,
        lines=tuple(lines),
        plain=plain,
        letters=_strip([line.replace(" ", "") for line in plain]),
        bare=_strip(bare),
        gaps=frozenset(_gaps(lines)),
        words=(words := " ".join(plain)),
        dois=tuple((at, doi) for at, line in enumerate(lines) for doi in dois_in(line)),
        years=frozenset(map(int, _YEAR.findall(words))),
        contents_from=_contents(lines, plain),
    )


def _strip(lines: list[str]) -> Strip:
    starts, length = [], 0
    for line in lines:
        starts.append(length)
        length += len(line)
    return Strip("".join(lines), tuple(starts))


def _gaps(lines: list[str]) -> list[int]:
    gaps, length = [], 0
    for line in lines:
        for word in line.split():
            gaps.append(length)
            length += len(word.lower())
    return [*gaps, length]


def _contents(lines: list[str], plain: tuple[str, ...]) -> int:
    headings = [at for at, line in enumerate(plain[:_CONTENTS_ABOVE]) if _CONTENTS.fullmatch(line)]
    leaders = [at for at, line in enumerate(lines) if _LEADER.search(line)]
    listed = leaders if len(leaders) >= _MANY_LEADERS else []
    return min((*headings, *listed), default=len(lines))
