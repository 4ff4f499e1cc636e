"""Splits Markdown text into sentences, in any script.

Places are those of the text as it was given: what Markdown adds is blanked out for looking,
never taken out.
"""

import re
from collections.abc import Iterator
from functools import cache

from sourcewright.logic.language.lexicon import alternatives

Span = tuple[int, int]

LONGEST = 1000
"""Characters of a sentence; what goes on longer is looked at in parts."""
_MOST = 100_000
"""Sentences of a text: in a huge one, those that are too short for it join the next one.

It bounds what millions of stops can cost."""

_SPACED = ".!?\u2026\u061f\u06d4"
"""Marks that end a sentence where a blank follows: Latin, Greek, Cyrillic, Arabic, Hebrew."""
_TIGHT = "\u3002\uff01\uff1f\uff0e\uff61\u0964\u0965\u0589\u1362\u104b\u17d4\u0f0d"
"""Marks that end one anyway: CJK, Indic, Armenian, Ethiopic, Burmese, Khmer, Tibetan."""
_CLOSERS = "\"'\u201d\u2019\u00bb\u300d\u300f\uff09)\\]*_~`"
_THAI = "\u0e00-\u0eff"
# The pattern begins with a set of characters, which the engine finds fastest, and looks at a
# run of marks once, from its start.
_END = re.compile(
    rf"[{_SPACED}{_TIGHT}\n ](?<![{_SPACED}{_TIGHT}][{_SPACED}{_TIGHT}])(?:"
    rf"(?<=\S[{_SPACED}])[{_SPACED}{_TIGHT}]*+[{_CLOSERS}]*+(?=\s)(?!\s[a-z])"
    rf"|(?<=[{_TIGHT}])[{_SPACED}{_TIGHT}]*+[{_CLOSERS}]*+"
    r"|(?<=\n)\s*+"
    rf"|(?<=[{_THAI}] ) *+(?=[{_THAI}]))"
)
_SHORT_THAI = 30
"""Thai and Lao end clauses with a blank and nothing else; below this, it ends no sentence."""
# A list's own number, or the day before a month.
_NUMBERED = re.compile(r"(?:^|\n)[\s>]{0,9}\d{1,3}\.$")
_MONTH = re.compile(
    r"\s(?:jan|feb|m\u00e4r|apr|ma[ij]|jun|jul|aug|sep|okt|nov|de[zc]|jahrhundert|kapitel)",
    re.IGNORECASE,
)
_LOOK_BACK = 14
_BLOCK = re.compile(r"(?:#{1,6}\s|[-+*\u2022]\s|\d{1,3}[.)]\s|>|\||`{3}|~{3})")
_OPENING = re.compile(r"(?:\s|>|(?:#{1,6}|[-+*\u2022\u2013]|\d{1,3}[.)])(?=\s)|\|)*+(?:\\(?=\W))?")
_FULL_LINE = 40
"""A line at least so long that ends without a mark was broken to fit, not ended."""

_LINK = re.compile(r"\]\((?:[^()\s]|\([^()\s]{0,200}\)){0,2000}+(?:\s\"[^\"\n]{0,300}\")?\)")
_ADDRESS = re.compile(r"\bhttps?://[^\s<>()\[\]|]{1,2000}")
_NOTE = re.compile(r"\\?\[\^?\d{1,3}(?:[,;\u2013-]\s?\d{1,3}){0,9}\\?\]|\[\^[\w-]{1,20}\]")
_FENCE = re.compile(r"^[ \t]{0,12}(?:`{3,}|~{3,})[^\n]*$", re.MULTILINE)
_RULE = re.compile(r"^[ \t]{0,3}\|?[ \t|:*_=-]{3,}$", re.MULTILINE)
_NOISE = (
    ("](", _LINK),
    ("://", _ADDRESS),
    ("[", _NOTE),
    ("```", _FENCE),
    ("~~~", _FENCE),
    ("---", _RULE),
    ("***", _RULE),
    ("===", _RULE),
)
_HEADING = re.compile(r"#{1,6}[ \t]+([^\n]{1,300})")
_LETTER = re.compile(r"[^\W_]")


def visible(text: str) -> str:
    """The text with blanks for what a reader does not see: addresses, notes, fences, rules."""
    text = text.replace("\x1e", " ").replace("\r", "\n")
    for sign, noise in _NOISE:
        if sign in text:
            text = noise.sub(_blanked, text)
    return text


def _blanked(found: re.Match[str]) -> str:
    """As many blanks; what closes the text of a link stays, so that it can close a sentence."""
    kept = found[0][:1] if found[0].startswith("](") else ""
    return kept + " " * (len(found[0]) - len(kept))


def spans_of(text: str) -> list[Span]:
    """The places of the sentences in a text that `visible` gave, in their order."""
    spans: list[Span] = []
    for start, end in _pieces(text):
        opening = _OPENING.match(text, start, end)
        begin = opening.end() if opening else start
        while end - begin > LONGEST:
            cut = max(text.rfind(" ", begin, begin + LONGEST), begin + LONGEST // 2)
            spans += _trimmed(text, begin, cut)
            begin = cut
        spans += _trimmed(text, begin, end)
    return spans


def _trimmed(text: str, start: int, end: int) -> list[Span]:
    """The place without the blanks around it; none where there is no word."""
    piece = text[start:end].rstrip().rstrip(" |")
    if not _LETTER.search(piece):
        return []
    return [(start + len(piece) - len(piece.lstrip()), start + len(piece))]


def _pieces(text: str) -> Iterator[Span]:
    least = 1 + len(text) // _MOST
    start = 0
    for found in _END.finditer(text):
        end = found.end()
        if end - start < least or not _ends(text, start, found):
            continue
        yield start, end
        start = end
    yield start, len(text)


def _ends(text: str, start: int, found: re.Match[str]) -> bool:
    first = text[found.start()]
    if first == ".":
        return not _goes_on(text, start, found.end())
    if first == "\n":
        return not _was_wrapped(text, found)
    if first == " ":
        return found.start() - start >= _SHORT_THAI
    return first != "\u2026" or not text[found.end() : found.end() + 2].strip()[:1].islower()


def _goes_on(text: str, start: int, end: int) -> bool:
    """Whether a stop ends no more than an abbreviation, a number in a list or a day."""
    before = text[max(start, end - _LOOK_BACK) : end].rstrip(_CLOSERS)
    following = text[end : end + 12]
    if following.strip()[:1].islower() or _abbreviated().search(before):
        return True
    if not before[-2:-1].isdecimal():
        return False
    return bool(_NUMBERED.search(before) or _MONTH.match(following))


@cache
def _abbreviated() -> re.Pattern[str]:
    """The end of a text that is an abbreviation: a letter, letters with stops, a known word."""
    known = alternatives("abbreviations").replace(".", r"\.")
    letters = r"[^\W\d_](?:\.\s?[^\W\d_])?"
    return re.compile(rf"(?:^|[\s(\[\u2019'])(?:{letters}|{known})\.$", re.IGNORECASE)


def _was_wrapped(text: str, found: re.Match[str]) -> bool:
    """Whether a line was broken inside a sentence, as mail and PDFs have it."""
    at = found.start()
    if found[0].count("\n") > 1 or _BLOCK.match(text, found.end()):
        return False
    line = text.rfind("\n", 0, at) + 1
    least = _FULL_LINE // 2 if text[found.end() : found.end() + 1].islower() else _FULL_LINE
    if at - line < least or text[at - 1] in _SPACED + _TIGHT + "|:":
        return False
    return not text.startswith(("#", "|"), line)


def is_heading(text: str, start: int) -> bool:
    """Whether what begins there follows the marks of a heading."""
    return text[max(0, start - 12) : start].rstrip(" *_`").endswith("#")


def section_at(text: str, start: int) -> str | None:
    """The nearest heading above a place in a Markdown text."""
    at = text.rfind("\n#", 0, start)
    heading = _HEADING.match(text, at + 1) if at >= 0 or text.startswith("#") else None
    return heading[1].strip(" *_`#") or None if heading and heading.end() < start else None
