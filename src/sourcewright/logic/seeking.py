"""Words as the library search compares them: folded, split, and quoted for an FTS5 query.

Index and query go through the same two functions, so that both sides agree on what a word
is. Nothing that a caller types reaches the query language unquoted.
"""

import re
import unicodedata
from dataclasses import dataclass

MAX_WORDS = 32
"""Words of a query beyond this are left out."""

_MARKS = re.compile("[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]+")
_LETTERS = str.maketrans(
    {
        "ø": "o",
        "ł": "l",
        "đ": "d",
        "ð": "d",
        "þ": "th",
        "æ": "ae",
        "œ": "oe",
        "\u0131": "i",
        "ħ": "h",
    }
)
_UNSPACED = (
    "\u0e00-\u0eff"  # Thai, Lao
    "\u1000-\u109f\u1780-\u17ff"  # Burmese, Khmer
    "\u3005-\u3007\u3041-\u30ff\u31f0-\u31ff"  # Japanese syllables
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Han
    "\uac00-\ud7af"  # Korean
)
# One character of a script that is written without spaces is a word of its own;
# a run of them in a query is then a phrase, which finds them anywhere in a text.
_WORD = re.compile(rf"[{_UNSPACED}]|(?:(?![{_UNSPACED}])[^\W_])+")
_UNSPACED_WORD = re.compile(f"[{_UNSPACED}]")
_PART = re.compile(r'"([^"]*)"|([^\s"]+)')
_ADDRESS = re.compile(r"(?:https?://)?(?:dx\.)?doi\.org/|(?:doi|arxiv):\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Term:
    """Words that must stand side by side; of the last one, its beginning may do."""

    words: tuple[str, ...]
    prefix: bool = False

    def is_word(self) -> bool:
        """Whether it is nothing but one word."""
        return len(self.words) == 1 and not self.prefix

    def quoted(self) -> str:
        """For MATCH. Words hold letters and digits alone, so that nothing can end the quote."""
        return f'"{" ".join(self.words)}"{"*" if self.prefix else ""}'


def folded(text: str) -> str:
    """Without case, accents and the differences between look-alike forms."""
    if text.isascii():
        return text.lower()
    bare = _MARKS.sub("", unicodedata.normalize("NFKD", text.casefold()))
    return unicodedata.normalize("NFC", bare).casefold().translate(_LETTERS)


def words_of(text: str) -> list[str]:
    return _WORD.findall(folded(text))


def terms_of(query: str) -> list[Term]:
    """What a query asks for: each word, and each phrase in quotation marks.

    A star behind a word asks for every word that begins with it.
    """
    terms: list[Term] = []
    for phrase, word in _PART.findall(_ADDRESS.sub(" ", query)):
        found = words_of(phrase or word)
        if found:
            terms.append(Term(tuple(found[:MAX_WORDS]), prefix=word.endswith("*")))
    return terms[:MAX_WORDS]


def open_ended(terms: list[Term]) -> list[Term]:
    """The same question by somebody who has not finished typing the last word."""
    last = terms[-1]
    if last.prefix or len(last.words[-1]) < 2:
        return []
    return [*terms[:-1], Term(last.words, prefix=True)]


def excerpt(text: str, terms: list[Term], *, around: int = 80) -> str | None:
    """The part of a text where a term begins, or nothing where none does.

    Folding can change the length of a text, so that a place in one is a place
    in the other only when the lengths agree; else the beginning is shown.
    """
    plain = folded(text)
    short = len(text) <= 3 * around
    first = -1
    for term in terms:
        word = term.words[0]
        # Most texts hold none of the words, which is quickly seen.
        place = _place(plain, word) if word in plain else -1
        if place >= 0 and short:
            return text
        if place >= 0:
            first = place if first < 0 else min(first, place)
    if first < 0:
        return None
    return _cut(text, first if len(plain) == len(text) else 0, around)


def _place(plain: str, word: str) -> int:
    """Where a word of the text begins with this one; -1 for nowhere."""
    at = plain.find(word)
    if at <= 0 or _UNSPACED_WORD.match(word):
        return at
    while at > 0 and plain[at - 1].isalnum():
        at = plain.find(word, at + 1)
    return at


def _cut(text: str, at: int, around: int) -> str:
    """So much of a text before and behind a place, at blanks where there are some."""
    start = max(0, text.rfind(" ", max(0, at - around - 20), max(0, at - around)) + 1)
    start = start or max(0, at - around)
    stop = text.find(" ", at + 2 * around, at + 2 * around + 20)
    stop = stop if stop >= 0 else min(len(text), at + 2 * around)
    shown = text[start:stop].strip()
    if "  " in shown or not shown.isprintable():
        shown = " ".join(shown.split())
    return f"{'…' if start else ''}{shown}{'…' if stop < len(text) else ''}"
