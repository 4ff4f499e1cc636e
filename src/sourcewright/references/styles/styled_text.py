"""Styled text of a citation: joining with punctuation collapsed, quotation marks, italics.

While a citation is put together, italics and quotation marks are single marker characters in
the text, so that punctuation is compared across them.
"""

import re
from collections.abc import Iterable

ITALIC, UPRIGHT = "\ue000", "\ue001"
OPEN_QUOTE, CLOSE_QUOTE = "\ue002", "\ue003"
NO_CASE, END_NO_CASE = "\ue004", "\ue005"
"""Between these, no text case is applied."""
OPEN_SINGLE_QUOTE = "\ue008"
"""Like `OPEN_QUOTE`, for a text that has single marks where no quotation is around it."""

_MARKERS = re.compile("[\ue000-\ue0ff]")
_CLOSING = UPRIGHT + CLOSE_QUOTE + END_NO_CASE
_MARKS = frozenset("!?.,:;")
_MERGED = {
    "!": {".": "!", ":": "!"},
    "?": {".": "?", ":": "?"},
    ":": {"!": "!", "?": "?", ".": ":"},
    ";": {"!": "!", "?": "?", ".": ";", ":": ";"},
}
"""Pairs of which one stays; all other pairs stay as they are."""

_SPACES = re.compile(r"[ \t\n\r\f\v\x1c-\x1f\x85\u2028\u2029]+")
# A space before such a mark, as in French, must not become a line break.
_FRENCH_SPACE = re.compile(r"(?<=\u00ab) | (?=[:;?!\u00bb])")
_TAGS = re.compile(
    r"<(?P<close>/?)(?P<name>i|b|sup|sub|sc|span)(?P<attributes>(?:\s[^<>]{0,200})?)>"
)
_MAX_DEPTH = 8
_BEFORE_QUOTE = "([{/-\u2010\u2013\u2014\u201c\u2018\"'"
_STRAIGHT_QUOTE = re.compile("[\"'\u201c\u201d\u2018\u2019]")


def without_markers(text: str) -> str:
    """The text without characters that have a meaning here, for text from outside."""
    return _MARKERS.sub("", text)


def one_line(text: str) -> str:
    """The text on one line; spaces that do not break stay."""
    return _SPACES.sub(" ", text).strip(" ")


def italic(text: str) -> str:
    return f"{ITALIC}{text}{UPRIGHT}" if text else ""


def quoted(text: str) -> str:
    return f"{OPEN_QUOTE}{text}{CLOSE_QUOTE}" if text else ""


def join(parts: Iterable[str], delimiter: str = "") -> str:
    """The parts that are not empty, with punctuation and spaces collapsed where they meet."""
    joined = ""
    for part in parts:
        if part:
            joined = _append(_append(joined, delimiter), part) if joined else part
    return joined


def affixed(text: str, prefix: str, suffix: str) -> str:
    return _append(_append(prefix, text), suffix) if text else ""


def _append(left: str, right: str) -> str:
    if left.endswith(" ") and right.startswith(" "):
        return left + right[1:]
    if not left or right[:1] not in _MARKS:
        return left + right
    return _append_mark(left, right)


def _append_mark(left: str, right: str) -> str:
    """Text that begins with a punctuation mark, merged with the mark before it."""
    inner = left.rstrip(_CLOSING)
    markers = left[len(inner) :]
    last, mark = inner[-1:], right[0]
    if CLOSE_QUOTE in markers and mark in ".,":
        # American punctuation: full stops and commas go inside the quotation marks.
        place = markers.index(CLOSE_QUOTE)
        body, rest = inner + markers[:place], markers[place:]
        return _append(body, mark) + rest + right[1:]
    if last == mark:
        return left + right[1:]
    if merged := _MERGED.get(last, {}).get(mark):
        return inner[:-1] + merged + markers + right[1:]
    return left + right


def parse_markup(text: str) -> str:
    """A field of an item: its tags and quotation marks as markers, apostrophes typographic."""
    return _mark_quotes(_mark_tags(_FRENCH_SPACE.sub("\u202f", without_markers(text))))


def _mark_tags(text: str) -> str:
    """CSL's tags as markers; an opening tag without its end stays text."""
    open_tags: list[tuple[int, str, str]] = []
    pieces: list[str] = []
    position = 0
    for match in _TAGS.finditer(text):
        pieces.append(text[position : match.start()])
        position = match.end()
        name = match["name"]
        if not match["close"]:
            open_tags.append((len(pieces), name, match["attributes"]))
            pieces.append(match[0])
        elif open_tags and open_tags[-1][1] == name:
            index, _, attributes = open_tags.pop()
            pieces[index], closing = _markers_of(name, attributes, pieces[index])
            pieces.append(closing or match[0])
        else:
            pieces.append(match[0])
    return "".join((*pieces, text[position:]))


def _markers_of(name: str, attributes: str, tag: str) -> tuple[str, str]:
    if name == "i":
        return ITALIC, UPRIGHT
    if name == "span" and "nocase" in attributes:
        return NO_CASE, END_NO_CASE
    if name == "span" and "small-caps" not in attributes:
        return tag, ""
    # Bold, raised, lowered and small capitals have no plain form.
    return "\ue006", "\ue007"


def _mark_quotes(text: str) -> str:
    """Pairs of quotation marks as markers; what is left over is an apostrophe or stays."""
    characters = list(text)
    open_marks: list[tuple[int, str]] = []
    for match in _STRAIGHT_QUOTE.finditer(text):
        place, mark = match.start(), match[0]
        before, after = text[place - 1 : place], text[place + 1 : place + 2]
        recent = range(max(len(open_marks) - _MAX_DEPTH, 0), len(open_marks))
        partner = next((n for n in recent if _pairs(open_marks[n][1], mark)), None)
        if partner is not None and _closes(mark, before, after):
            single = open_marks[partner][1] == "\u2018"
            characters[open_marks[partner][0]] = OPEN_SINGLE_QUOTE if single else OPEN_QUOTE
            characters[place] = CLOSE_QUOTE
            del open_marks[partner:]
        elif _opens(mark, before, after):
            open_marks.append((place, mark))
        elif mark == "'":
            characters[place] = "\u2019"
    for place, mark in open_marks:
        characters[place] = "\u2019" if mark == "'" else mark
    return "".join(characters)


def _pairs(opened: str, mark: str) -> bool:
    return (opened + mark) in ('""', "''", "\u201c\u201d", "\u2018\u2019")


def _closes(mark: str, before: str, after: str) -> bool:
    return mark == "\u201d" or (not before.isspace() and not after.isalnum())


def _opens(mark: str, before: str, after: str) -> bool:
    if mark in "\u201c\u2018":
        return True
    starts = not before or before.isspace() or before in _BEFORE_QUOTE
    return mark in "\"'" and starts and bool(after) and not after.isspace()


def to_plain(text: str, *, markdown: bool = False) -> str:
    """The finished citation: quotation marks by depth, italics with asterisks or not at all."""
    out: list[str] = []
    open_quotes: list[str] = []
    slanted = 0
    for character in text:
        if character in (OPEN_QUOTE, OPEN_SINGLE_QUOTE):
            outer = open_quotes[-1] if open_quotes else character
            is_double = outer in (OPEN_QUOTE, "\u2018")
            open_quotes.append("\u201c" if is_double else "\u2018")
            out.append(open_quotes[-1])
        elif character == CLOSE_QUOTE:
            out.append("\u201d" if open_quotes.pop() == "\u201c" else "\u2019")
        elif character in (ITALIC, UPRIGHT):
            was, slanted = slanted, slanted + (1 if character == ITALIC else -1)
            # Asterisks do not nest.
            out.append("*" if markdown and 0 in (was, slanted) else "")
        elif not _MARKERS.match(character):
            out.append(character)
    return "".join(out).strip()
