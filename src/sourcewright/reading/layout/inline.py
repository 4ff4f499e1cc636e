"""Inline text of a block as Markdown: emphasis, superscripts, and words joined over lines."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from typing import NamedTuple

from sourcewright.base.text.plain import superscript_of
from sourcewright.reading.layout.lines import TextLine, is_apart, is_wide, join_words
from sourcewright.reading.layout.words import BOLD, FIXED, ITALIC, MATH, Word

_EMPHASIS = BOLD | ITALIC
_MIN_LETTERS = 3
_SMALL, _SMALLER, _RAISED = 0.86, 0.95, 0.28
_NEAR = 0.25
_INDEX_GAP = 0.16
"""Space beside a superscript or subscript, in units of the font size of its line."""
_STACKED = 0.8
_LONGEST_RAISED = 12
_MAX_INDENT, _MAX_BLANK = 200, 2
_CHARACTER = 0.5
"""Width of a character of a listing that is not fixed in width, in units of the font size."""
_HYPHENS = ("\u0002", "\ufffe", "\u00ad", "-", "\u2010")
_SIGNS = "*\u2217\u22c6\u2020\u2021\u00a7\u00b6,"
_LABEL = re.compile(f"\\d+|[{_SIGNS[:-1]}]+|[a-z]")
_NO_LABEL = re.compile(f"[^\\da-z{_SIGNS};\\s]")
_AROUND_CODE = re.compile(r"(\s*+[(\[\"']?+)(.*?[^\s.,;:!?)\]\"'])([\s.,;:!?)\]\"']*+)", re.DOTALL)
_OUTSIDE = re.compile(r"\A([\s.,;:]*+)(.*?)([\s.,;:!?]*+)\Z", re.DOTALL)


MARK = "\ue003"
"""Stands before and after the number of a page that begins within a block."""
_OWN_MARKS = {ord(mark): None for mark in ("\ue000", "\ue001", MARK)}


class _Token(NamedTuple):
    text: str
    style: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What decides how the words of a block are written."""

    style: int = 0
    """Style of the running text, which is not emphasis."""
    notes: Mapping[str, str] = field(default_factory=dict)
    """Names of footnotes by their raised labels."""
    breaks: Mapping[int, str] = field(default_factory=dict)
    """Anchors of the pages that begin at a line of the block."""


def inline_markdown(lines: Sequence[TextLine], around: Surroundings) -> str:
    """Words of a block with line breaks between lines."""
    tokens = list(_tokens(lines, around))
    base = around.style & ~FIXED
    if all(token.style & _EMPHASIS for token in tokens if _letters(token.text)):
        # A block that is emphasised as a whole is set in another font, and stresses nothing.
        common = _EMPHASIS
        for token in tokens:
            common &= token.style if _letters(token.text) else _EMPHASIS
        base |= common
    parts: list[str] = []
    emphasis = (_EMPHASIS | (FIXED & ~around.style)) & ~base
    for style, group in groupby(tokens, key=lambda token: token.style & emphasis):
        text = "".join(token.text for token in group)
        parts.append(_code(text) if style & FIXED else _emphasised(text, style))
    return _separated(parts)


def _code(text: str) -> str:
    """A code span, unless it is too short or has marks of its own."""
    match = _AROUND_CODE.fullmatch(text)
    if match is None or "`" in text or "\n" in match[2] or MARK in text:
        return text
    return f"{match[1]}`{match[2]}`{match[3]}"


def _letters(text: str) -> int:
    return sum(map(str.isalpha, text))


def _tokens(lines: Sequence[TextLine], around: Surroundings) -> Iterator[_Token]:
    """Words and the spaces between them; a space has the style that its neighbours share."""
    before: _Token | None = None
    last: Word | None = None
    for number, line in enumerate(lines):
        anchor = around.breaks.get(number, "")
        for at, (word, is_raised) in enumerate(_with_raised(line)):
            text = word.text if word.text.isascii() else word.text.translate(_OWN_MARKS)
            token = _Token(text, word.style)
            if is_raised:
                notes = {} if _is_exponent(last) else around.notes
                token = _Token(_raised(text, notes), 0)
            if last is not None and before is not None:
                gap = "\n" if at == 0 else " " if _is_spaced(last, word, line) else ""
                if anchor and not last.text.endswith(_HYPHENS):
                    gap, anchor = f"\n{anchor} ", ""
                yield _Token(gap, before.style & token.style)
            yield token
            if anchor:
                # A divided word is completed before the anchor.
                yield _Token(f" {anchor}", 0)
                anchor = ""
            before, last = token, word


def _is_spaced(before: Word, word: Word, line: TextLine) -> bool:
    """Whether a space is between two words; beside an index only its width tells."""
    if min(before.size, word.size) >= _SMALL * line.size or is_wide(word.text[:1]):
        return is_apart(before, word)
    gap = word.left - before.right
    # An upper limit of several characters ends far beyond the start of the lower one.
    return gap > _INDEX_GAP * line.size or gap < -_STACKED * line.size


def _with_raised(line: TextLine) -> Iterator[tuple[Word, bool]]:
    """Words with whether they are raised; raised words next to each other become one."""
    raised: Word | None = None
    before: Word | None = None
    for at, word in enumerate(line.words):
        after = line.words[at + 1] if at + 1 < len(line.words) else None
        if not _is_raised(word, line, before or after):
            if raised is not None:
                yield raised, True
            raised = None
            yield word, False
        elif raised is None:
            raised = word
        else:
            raised = raised._replace(text=raised.text + word.text, right=word.right)
        before = word
    if raised is not None:
        yield raised, True


def _is_raised(word: Word, line: TextLine, beside: Word | None) -> bool:
    if (
        word.size >= (_SMALLER if word.joined else _SMALL) * line.size
        or word.base - line.base <= _RAISED * line.size
    ):
        return False
    if beside is None or len(word.text) > _LONGEST_RAISED:
        return False
    return max(word.left - beside.right, beside.left - word.right) <= _NEAR * line.size


def _is_exponent(before: Word | None) -> bool:
    """Whether what is raised behind a word is an exponent: the word is one letter, or a formula."""
    if before is None:
        return False
    return bool(before.style & MATH) or (len(before.text) == 1 and before.text.isalpha())


def raised_labels(lines: Iterable[TextLine]) -> Iterator[str]:
    """Raised numbers and signs after the first word of a line."""
    for line in lines:
        before: Word | None = None
        for word, is_raised in _with_raised(line):
            if is_raised and before is not None and not _is_exponent(before):
                yield from _labels_in(word.text)
            before = word


def _labels_in(text: str) -> list[str]:
    """The labels of notes in a raised text; none if it has anything else, such as a minus sign."""
    return [] if _NO_LABEL.search(text) else _LABEL.findall(text)


def unraised_text(lines: Iterable[TextLine], instead: str = "") -> str:
    """The plain text of lines with another text instead of raised numbers and signs."""
    parts = [
        join_words(
            [
                word._replace(text=instead) if is_raised else word
                for word, is_raised in _with_raised(line)
                if instead or not is_raised
            ]
        )
        for line in lines
    ]
    return " ".join(parts)


def first_raised(line: TextLine) -> str:
    """The raised number or sign with which a line starts; empty if it starts without."""
    word, is_raised = next(_with_raised(line))
    return word.text.strip() if is_raised else ""


def _raised(text: str, notes: Mapping[str, str]) -> str:
    labels = [notes.get(one) for one in _labels_in(text)]
    if labels and all(labels):
        return "".join(f"[^{label}]" for label in labels)
    number = text.rstrip(_SIGNS)
    written = superscript_of(number)
    if written:
        return written + text[len(number) :]
    return f"<sup>{text}</sup>" if text.replace(",", "").isalnum() else text


def _emphasised(text: str, emphasis: int) -> str:
    if not emphasis or _letters(text) < _MIN_LETTERS:
        return text
    mark = {BOLD: "**", ITALIC: "*", BOLD | ITALIC: "***"}[emphasis]
    match = _OUTSIDE.match(text)
    if match is None or not match[2]:
        return text
    return f"{match[1]}\ue000{mark}{match[2]}{mark}\ue001{match[3]}"


def _separated(parts: Iterable[str]) -> str:
    """The parts joined; emphasis that is glued to a word would not be read as such, so it goes."""
    text = "".join(parts)
    if "\ue000" not in text:
        return text
    text = _GLUED_END.sub(r"\1", _GLUED_START.sub(r"\1\2", text))
    return text.replace("\ue000", "").replace("\ue001", "")


_GLUED_START = re.compile("(\\w)\ue000(?:\\*{1,3})([^\ue000\ue001]{0,2000}?)\\*{1,3}\ue001")
_GLUED_END = re.compile("(?:\ue000\\*{1,3})([^\ue000\ue001]{0,2000}?)\\*{1,3}\ue001(?=\\w)")


def unwrap(text: str) -> str:
    """The text on one line; no space where Chinese or Japanese lines meet."""
    lines = text.split("\n")
    parts = [lines[0]]
    for before, line in pairwise(lines):
        if not (before and line and is_wide(before[-1]) and is_wide(line[0])):
            parts.append(" ")
        parts.append(line)
    return " ".join("".join(parts).split(" "))


def code_text(lines: Sequence[TextLine]) -> str:
    """Lines of code with their indentation."""
    left = min(line.left for line in lines)
    widths = [
        (word.right - word.left) / len(word.text)
        for line in lines
        for word in line.words
        if word.style & FIXED and word.text
    ]
    width = sorted(widths)[len(widths) // 2] if widths else _CHARACTER * lines[0].size
    distances = [above.base - line.base for above, line in pairwise(lines)]
    usual = min((one for one in distances if one > 0), default=1.0)
    written = [_code_line(lines[0], left, width or 1.0)]
    for line, distance in zip(lines[1:], distances, strict=True):
        blank = min(round(distance / usual), _MAX_BLANK + 1) - 1
        written += [*[""] * blank, _code_line(line, left, width or 1.0)]
    return "\n".join(written)


def _code_line(line: TextLine, left: float, width: float) -> str:
    out = " " * min(round((line.left - left) / width), _MAX_INDENT)
    for at, word in enumerate(line.words):
        if at and is_apart(line.words[at - 1], word):
            gap = round((word.left - line.words[at - 1].right) / width)
            out += " " * min(max(gap, 1), _MAX_INDENT)
        out += word.text
    return out
