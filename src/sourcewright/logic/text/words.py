"""Words for the library search: lower case without accents (NFKD), split, quoted for FTS5.

Index and query go through the same two functions, so that both sides agree on what a word
is. Nothing that a caller types reaches the query language unquoted.
"""

import re
import unicodedata
from collections.abc import Iterable
from typing import NamedTuple

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
UNSPACED = (
    "\u0e00-\u0eff"  # Thai, Lao
    "\u1000-\u109f\u1780-\u17ff"  # Burmese, Khmer
    "\u3005-\u3007\u3041-\u30ff\u31f0-\u31ff"  # Japanese syllables
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Han
    "\uac00-\ud7af"  # Korean
)
"""The letters, as inside a character class, of scripts that are written without spaces."""
# One character of a script that is written without spaces is a word of its own;
# a run of them in a query is then a phrase, which finds them anywhere in a text.
_WORD = re.compile(rf"[{UNSPACED}]|(?:(?![{UNSPACED}])[^\W_])+")
_UNSPACED_WORD = re.compile(f"[{UNSPACED}]")
PARTS = re.compile(r'"([^"]*)"|([^\s"]+)')
"""Phrases in quotation marks, and the words beside them."""
_ADDRESS = re.compile(r"(?:https?://)?(?:dx\.)?doi\.org/|(?:doi|arxiv):\s*", re.IGNORECASE)


class Term(NamedTuple):
    """Words that must stand side by side; of the last one, its beginning may do."""

    words: tuple[str, ...]
    prefix: bool = False

    def is_word(self) -> bool:
        """Whether it is nothing but one word."""
        return len(self.words) == 1 and not self.prefix

    def spaced(self) -> str:
        """For finding it in what `spaced` makes of texts."""
        return f" {' '.join(self.words)}{'' if self.prefix else ' '}"

    def quoted(self) -> str:
        """For MATCH. Words hold letters and digits alone, so that nothing can end the quote."""
        return f'"{" ".join(self.words)}"{"*" if self.prefix else ""}'


def folded(text: str) -> str:
    """Without case, accents and the differences between look-alike forms."""
    if text.isascii():
        return text.lower()
    # Marks go first: a pile of thousands on one letter would take its time to be put in order.
    plain = _MARKS.sub("", text.casefold())
    bare = _MARKS.sub("", unicodedata.normalize("NFKD", plain))
    return unicodedata.normalize("NFC", bare).casefold().translate(_LETTERS)


def words_of(text: str) -> list[str]:
    return _WORD.findall(folded(text))


def spaced(texts: Iterable[str]) -> list[str]:
    """The words of each text, every one of them between blanks."""
    return [f" {' '.join(words_of(text))} " for text in texts]


def terms_of(query: str) -> list[Term]:
    """What a query asks for: each word, and each phrase in quotation marks.

    A star behind a word asks for every word that begins with it.
    """
    if query.isascii() and query.replace(" ", "").isalnum():
        return [Term((word,)) for word in query.lower().split()[:MAX_WORDS]]
    terms: list[Term] = []
    for phrase, word in PARTS.findall(_ADDRESS.sub(" ", query)):
        found = words_of(phrase or word)
        if found:
            terms.append(Term(tuple(found[:MAX_WORDS]), prefix=word.endswith("*")))
    return terms[:MAX_WORDS]


def matching(terms: Iterable[Term], joint: str) -> str:
    """For MATCH: all terms, with a word of the query language between them."""
    return joint.join(term.quoted() for term in terms)


def open_ended(terms: list[Term]) -> list[Term]:
    """The same question by somebody who has not finished typing the last word."""
    last = terms[-1]
    if last.prefix or len(last.words[-1]) < 2:
        return []
    return [*terms[:-1], Term(last.words, prefix=True)]


def apart(letter: str, word: str) -> bool:
    """Whether a character beside a word belongs to another one, or to none."""
    return not letter.isalnum() or bool(_UNSPACED_WORD.match(letter) or _UNSPACED_WORD.match(word))
