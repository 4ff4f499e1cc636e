"""Splits Markdown text into sentences, in any script.

Spans are offsets into the original text: Markdown syntax is replaced by spaces of the same length,
never removed.
"""

import re
from collections.abc import Iterator
from functools import cache

from sourcewright.base.language.lexicon import regex_alternatives
from sourcewright.base.text.page_anchors import PAGE_ANCHOR

Span = tuple[int, int]

MAX_SENTENCE_LENGTH = 1000
"""Maximum characters of a sentence; longer ones are split."""
_MAX_SENTENCES = 100_000
"""Approximate maximum of sentences in a text; in a huge text, short sentences join the next one.

It bounds the cost of a text with millions of full stops."""

_MARKS_BEFORE_SPACE = ".!?\u2026\u061f\u06d4"
"""Marks that end a sentence if a space follows: Latin, Greek, Cyrillic, Arabic, Hebrew."""
_MARKS_ALONE = "\u3002\uff01\uff1f\uff0e\uff61\u0964\u0965\u0589\u1362\u104b\u17d4\u0f0d"
"""Marks that end a sentence in any case: CJK, Indic, Armenian, Ethiopic, Burmese, Khmer, Tibetan."""
_CLOSERS = "\"'\u201d\u2019\u00bb\u300d\u300f\uff09)\\]*_~`"
_THAI = "\u0e00-\u0eff"
# The pattern starts with a character set, which the regex engine finds fastest, and matches a
# run of marks once, from its start.
_END = re.compile(
    rf"[{_MARKS_BEFORE_SPACE}{_MARKS_ALONE}\n ](?<![{_MARKS_BEFORE_SPACE}{_MARKS_ALONE}][{_MARKS_BEFORE_SPACE}{_MARKS_ALONE}])(?:"
    rf"(?<=\S[{_MARKS_BEFORE_SPACE}])[{_MARKS_BEFORE_SPACE}{_MARKS_ALONE}]*+[{_CLOSERS}]*+(?=\s)(?!\s[a-z])"
    rf"|(?<=[{_MARKS_ALONE}])[{_MARKS_BEFORE_SPACE}{_MARKS_ALONE}]*+[{_CLOSERS}]*+"
    r"|(?<=\n)\s*+"
    rf"|(?<=[{_THAI}] ) *+(?=[{_THAI}]))"
)
_MIN_THAI_SENTENCE = 30
"""Thai and Lao end clauses with a space only; it ends a sentence of at least this length."""
# The number of a list item, and the month that follows a day.
_LIST_NUMBER = re.compile(r"(?:^|\n)[\s>]{0,9}\d{1,3}\.$")
_MONTH = re.compile(
    r"\s(?:jan|feb|m\u00e4r|apr|ma[ij]|jun|jul|aug|sep|okt|nov|de[zc]|jahrhundert|kapitel)",
    re.IGNORECASE,
)
_LOOK_BACK = 14
_BLOCK = re.compile(r"(?:#{1,6}\s|[-+*\u2022]\s|\d{1,3}[.)]\s|>|\||`{3}|~{3})")
_BLOCK_PREFIX = re.compile(
    r"(?:\s|>|(?:#{1,6}|[-+*\u2022\u2013]|\d{1,3}[.)])(?=\s)|\|)*+(?:\\(?=\W))?"
)
_WRAPPED_LINE = 40
"""A line of at least this length without a final mark was wrapped, not ended."""

_LINK = re.compile(r"\]\((?:[^()\s]|\([^()\s]{0,200}\)){0,2000}+(?:\s\"[^\"\n]{0,300}\")?\)")
_URL = re.compile(r"\bhttps?://[^\s<>()\[\]|]{1,2000}")
_FOOTNOTE_MARK = re.compile(
    r"\\?\[\^?\d{1,3}(?:[,;\u2013-]\s?\d{1,3}){0,9}\\?\]|\[\^[\w-]{1,20}\]"
)
_FENCE = re.compile(r"^[ \t]{0,12}(?:`{3,}|~{3,})[^\n]*$", re.MULTILINE)
_RULE = re.compile(r"^[ \t]{0,3}\|?[ \t|:*_=-]{3,}$", re.MULTILINE)
_NOISE = (
    ("<!--", PAGE_ANCHOR),
    ("](", _LINK),
    ("://", _URL),
    ("[", _FOOTNOTE_MARK),
    ("```", _FENCE),
    ("~~~", _FENCE),
    ("---", _RULE),
    ("***", _RULE),
    ("===", _RULE),
)
_LETTER = re.compile(r"[^\W_]")


def blank_markup(text: str) -> str:
    """Replace what a reader does not see by spaces: URLs, anchors, footnote marks, fences, rules."""
    text = text.replace("\x1e", " ").replace("\r", "\n")
    for trigger, pattern in _NOISE:
        if trigger in text:
            text = pattern.sub(_as_spaces, text)
    return text


def _as_spaces(match: re.Match[str]) -> str:
    """Return spaces of the same length; keep the `]` of a link, since it can close a sentence."""
    bracket = match[0][:1] if match[0].startswith("](") else ""
    return bracket + " " * (len(match[0]) - len(bracket))


def sentence_spans(text: str) -> list[Span]:
    """Return the spans of the sentences, in order; invisible parts must be blanked before."""
    spans: list[Span] = []
    for start, end in _raw_spans(text):
        opening = _BLOCK_PREFIX.match(text, start, end)
        begin = opening.end() if opening else start
        while end - begin > MAX_SENTENCE_LENGTH:
            cut = max(
                text.rfind(" ", begin, begin + MAX_SENTENCE_LENGTH),
                begin + MAX_SENTENCE_LENGTH // 2,
            )
            spans += _trimmed(text, begin, cut)
            begin = cut
        spans += _trimmed(text, begin, end)
    return spans


def _trimmed(text: str, start: int, end: int) -> list[Span]:
    """Return the span without surrounding white space; no span if it has no word."""
    piece = text[start:end].rstrip().rstrip(" |")
    if not _LETTER.search(piece):
        return []
    return [(start + len(piece) - len(piece.lstrip()), start + len(piece))]


def _raw_spans(text: str) -> Iterator[Span]:
    min_length = 1 + len(text) // _MAX_SENTENCES
    start = 0
    for match in _END.finditer(text):
        end = match.end()
        if end - start < min_length or not _ends_sentence(text, start, match):
            continue
        yield start, end
        start = end
    yield start, len(text)


def _ends_sentence(text: str, start: int, match: re.Match[str]) -> bool:
    first = text[match.start()]
    if first == ".":
        return not _continues_after_stop(text, start, match.end())
    if first == "\n":
        return not _is_wrapped_line(text, match)
    if first == " ":
        return match.start() - start >= _MIN_THAI_SENTENCE
    return first != "\u2026" or not text[match.end() : match.end() + 2].strip()[:1].islower()


def _continues_after_stop(text: str, start: int, end: int) -> bool:
    """Whether a full stop only ends an abbreviation, a list number or a day of the month."""
    before = text[max(start, end - _LOOK_BACK) : end].rstrip(_CLOSERS)
    following = text[end : end + 12]
    if following.strip()[:1].islower() or _abbreviation().search(before):
        return True
    if not before[-2:-1].isdecimal():
        return False
    return bool(_LIST_NUMBER.search(before) or _MONTH.match(following))


@cache
def _abbreviation() -> re.Pattern[str]:
    """Pattern of a final abbreviation: a letter, letters with full stops, or a known word."""
    listed_words = regex_alternatives("abbreviations").replace(".", r"\.")
    letters = r"[^\W\d_](?:\.\s?[^\W\d_])?"
    return re.compile(rf"(?:^|[\s(\[\u2019'])(?:{letters}|{listed_words})\.$", re.IGNORECASE)


def _is_wrapped_line(text: str, match: re.Match[str]) -> bool:
    """Whether a line break is inside a sentence, as in e-mail and PDFs."""
    at = match.start()
    if match[0].count("\n") > 1 or _BLOCK.match(text, match.end()):
        return False
    line = text.rfind("\n", 0, at) + 1
    min_length = (
        _WRAPPED_LINE // 2 if text[match.end() : match.end() + 1].islower() else _WRAPPED_LINE
    )
    if at - line < min_length or text[at - 1] in _MARKS_BEFORE_SPACE + _MARKS_ALONE + "|:":
        return False
    return not text.startswith(("#", "|"), line)


def is_heading(text: str, start: int) -> bool:
    """Whether the sentence at this offset follows the `#` marks of a heading."""
    return text[max(0, start - 12) : start].rstrip(" *_`").endswith("#")
