"""Names of authors in the lines between the title and the text of the first page."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

from sourcewright.base.text.name_particles import is_particle
from sourcewright.base.text.person_names import is_organisation_name
from sourcewright.reading.layout.inline import unraised_text
from sourcewright.reading.layout.lines import TextLine
from sourcewright.reading.layout.words import BOLD, FIXED, ITALIC, Word

_MAX_LINES_BEFORE = 3
"""Lines between the title and the first author, such as a subtitle."""
_MAX_AUTHORS, _MAX_DIVIDED, _LONGEST_LINE = 60, 4, 300
_GAP = 0.85
"""Gap between the names of authors side by side, in units of the font size."""
_EMPHASIS = BOLD | ITALIC | FIXED
NOTE_SIGNS = " *\u2217\u2020\u2021\u22c6"
_MIN_WORDS, _MAX_WORDS, _LONGEST_NAME = 2, 5, 60
_SEPARATOR = re.compile(
    r" ?(?:[,;\u00b7\u2022|*\u2217\u22c6\u2020\u2021\u00a7\u00b6\u2016]|\band\b|\bund\b|\bet\b|\by\b|&) ?",
    re.IGNORECASE,
)
_NOT_NAMES = re.compile(
    r"[\d@:/]|university|institut|department|school|college|laborator|center|centre|faculty"
    r"|abstract|journal|proceedings|volume|hospital|company|\bltd\b|\binc\b"
    r"|\b(?:guide|manual|handbook|report|edition|version|documentation)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]{2}")
_LAST = re.compile(r",?\s(?:and|und|et|&)\s")
_BY = re.compile(r"\A(?:by|von|par|por)\s+", re.IGNORECASE)


def authors_in(lines: Sequence[TextLine]) -> list[str]:
    """The names in lines; lines in the type of the first ones may have more, below addresses."""
    authors: list[str] = []
    kind: tuple[float, int] | None = None
    before = 0
    for other, group in groupby(lines, key=_type):
        run = list(group)
        if kind is None or other == kind:
            names = list(_leading_names(run, _MAX_LINES_BEFORE - before if kind is None else 0))
            if kind is not None and not names:
                break
            authors += names
            kind = other if names else None
        before += len(run)
        if kind is None and before >= _MAX_LINES_BEFORE:
            break
    return authors[:_MAX_AUTHORS]


def listed_authors(text: str) -> list[str]:
    """The names of a list such as `Ada Lund, Ben Mora and Cy Noor`; the text if it may be one.

    Two parts with only a comma between them may be a family name and a given one.
    """
    head, *last = _LAST.split(text)
    names = [name.strip() for name in (*head.split(","), *last)]
    is_list = len(last) == 1 if last else len(names) > 2
    return names if is_list and all(map(_is_full_name, names)) else [text]


def _is_full_name(text: str) -> bool:
    is_other = _NOT_NAMES.search(text) or is_organisation_name(text)
    return not is_other and "," not in text and ";" not in text and _is_name(text)


def _type(line: TextLine) -> tuple[float, int]:
    return line.size, _main_style(line)


def _main_style(line: TextLine) -> int:
    """The emphasis of the first word, in which all names are set."""
    first = next((word for word in line.words if _WORD.search(word.text)), line.words[0])
    return first.style & _EMPHASIS


def _leading_names(lines: Sequence[TextLine], skipped: int) -> Iterator[str]:
    """The names at the start of lines of one type, after at most as many other lines."""
    texts = ["" if _is_prose(line) else _text_of(line) for line in lines]
    at = 0
    has_names = False
    while at < len(texts):
        # A line may end within a name.
        ends = range(at + 1, min(at + _MAX_DIVIDED, len(texts)) + 1)
        joined = ((end, _names(" ".join(texts[at:end]), is_list=has_names)) for end in ends)
        end, names = next((one for one in joined if one[1]), (at + 1, []))
        if not names and (has_names or at >= skipped):
            return
        has_names = has_names or bool(names)
        yield from names
        at = end


def _is_prose(line: TextLine) -> bool:
    """Whether most words begin with small letters; found first, as it is found quickly."""
    return 2 * sum(word.text[:1].islower() for word in line.words) > len(line.words)


def _text_of(line: TextLine) -> str:
    return _BY.sub("", unraised_text([_with_commas(line)], instead=","))


def _with_commas(line: TextLine) -> TextLine:
    """A line with commas in gaps, and instead of words in another style, such as degrees."""
    style = _main_style(line)
    words = [_separated(line.words[0], style)]
    for before, word in pairwise(line.words):
        is_apart = word.left - before.right > _GAP * line.size
        words.append(_separated(word, style, "," if is_apart else ""))
    return TextLine(words, line.segments)


def _separated(word: Word, style: int, separator: str = "") -> Word:
    is_name = not _WORD.search(word.text) or word.style & _EMPHASIS == style
    return word._replace(text=f"{separator}{word.text}" if is_name else ",")


def _names(text: str, *, is_list: bool) -> list[str]:
    """Names separated by commas or `and`; none if the text is anything else.

    A single line in capitals may be anything, unless names are above it.
    """
    if len(text) > _LONGEST_LINE or _NOT_NAMES.search(text):
        return []
    parts = [one.strip(f"{NOTE_SIGNS}.") for one in _SEPARATOR.split(" ".join(text.split()))]
    parts = [one for one in parts if one]
    if text.isupper():
        parts = list(map(_capitalised, parts)) if is_list or len(parts) > 1 else []
    return parts if all(map(_is_name, parts)) else []


def _capitalised(name: str) -> str:
    # A first word is a given name: Ben and Al are particles of other names.
    words = (
        word if at and is_particle(word) else word.title()
        for at, word in enumerate(name.lower().split())
    )
    return " ".join(words)


def _is_name(text: str) -> bool:
    words = text.split()
    if not _MIN_WORDS <= len(words) <= _MAX_WORDS or len(text) > _LONGEST_NAME:
        return False
    if not _WORD.search(words[-1]) or text.isupper():
        return False
    return all(one[0].isupper() or is_particle(one) for one in words)
