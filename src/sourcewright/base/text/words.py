"""Words for the library search: lower case without accents (NFKD), split, quoted for FTS5.

Index and query use the same functions, so that both agree on what a word is. User input never
reaches the query language unquoted.
"""

import re
import unicodedata
from collections.abc import Iterable
from typing import NamedTuple

MAX_WORDS = 32
"""Further words of a query are ignored."""

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
"""Letters of scripts that are written without spaces, for use in a character class."""
# A character of a script without spaces is a word of its own; a run of them in a query
# is then a phrase, which is found anywhere in a text.
_WORD = re.compile(rf"[{UNSPACED}]|(?:(?![{UNSPACED}])[^\W_])+")
_UNSPACED_WORD = re.compile(f"[{UNSPACED}]")
PHRASES_AND_WORDS = re.compile(r'"([^"]*)"|([^\s"]+)')
"""Quoted phrases, and single words outside quotation marks."""
_IDENTIFIER_PREFIX = re.compile(
    r"(?:https?://)?(?:dx\.)?doi\.org/|(?:doi|arxiv):\s*", re.IGNORECASE
)


class Term(NamedTuple):
    """Words that must be adjacent; with `prefix`, the last one need only be a prefix."""

    words: tuple[str, ...]
    prefix: bool = False

    def is_word(self) -> bool:
        """Whether the term is exactly one word."""
        return len(self.words) == 1 and not self.prefix

    def spaced(self) -> str:
        """The term as a substring to find in the results of `pad_words`."""
        return f" {' '.join(self.words)}{'' if self.prefix else ' '}"

    def quoted(self) -> str:
        """The term for MATCH. Words are letters and digits only, so nothing can end the quote."""
        return f'"{" ".join(self.words)}"{"*" if self.prefix else ""}'


def fold_for_search(text: str) -> str:
    """The text in lower case, without accents, compatibility forms replaced."""
    if text.isascii():
        return text.lower()
    # Marks are removed first: normalising thousands of them on one letter is slow.
    plain = _MARKS.sub("", text.casefold())
    unmarked = _MARKS.sub("", unicodedata.normalize("NFKD", plain))
    return unicodedata.normalize("NFC", unmarked).casefold().translate(_LETTERS)


def words_of(text: str) -> list[str]:
    return _WORD.findall(fold_for_search(text))


def count_words(text: str) -> int:
    """Words between spaces, and one for two characters of scripts without spaces."""
    count = len(text.split())
    return count if text.isascii() else count + len(_UNSPACED_WORD.findall(text)) // 2


def pad_words(texts: Iterable[str]) -> list[str]:
    """The words of each text, each between spaces."""
    return [f" {' '.join(words_of(text))} " for text in texts]


def terms_of(query: str) -> list[Term]:
    """The terms of a query: each word, and each phrase in quotation marks.

    A `*` after a word makes it a prefix.
    """
    if query.isascii() and query.replace(" ", "").isalnum():
        return [Term((word,)) for word in query.lower().split()[:MAX_WORDS]]
    terms: list[Term] = []
    for phrase, word in PHRASES_AND_WORDS.findall(_IDENTIFIER_PREFIX.sub(" ", query)):
        words = words_of(phrase or word)
        if words:
            terms.append(Term(tuple(words[:MAX_WORDS]), prefix=word.endswith("*")))
    return terms[:MAX_WORDS]


def match_expression(terms: Iterable[Term], joint: str) -> str:
    """The terms as a MATCH expression, joined by an operator."""
    return joint.join(term.quoted() for term in terms)


def with_last_as_prefix(terms: list[Term]) -> list[Term]:
    """The terms with the last word as a prefix, for a query that is still being typed."""
    last = terms[-1]
    if last.prefix or len(last.words[-1]) < 2:
        return []
    return [*terms[:-1], Term(last.words, prefix=True)]


def is_outside_word(letter: str, word: str) -> bool:
    """Whether a character next to a word is outside that word."""
    return not letter.isalnum() or bool(_UNSPACED_WORD.match(letter) or _UNSPACED_WORD.match(word))
