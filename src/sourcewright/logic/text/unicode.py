"""Unicode: grapheme clusters, lone surrogates, accents, truncation that splits no character.

The rules are those of Unicode's extended grapheme clusters as far as the standard library's
character data tells them; where it does not, characters rather stay together.

Brings texts that mean the same to the same letters, so that they can be compared.
"""

import re
import unicodedata
from collections.abc import Iterator

JOINER = "\u200d"
NON_JOINER = "\u200c"
VIRAMA = 9
"""The combining class of the marks that tie a letter to the next one."""
_EXTENDING = frozenset("\u200c\u200d\u0e33\u0eb3\uff9e\uff9f")
"""Joiners, and the vowels and voicing marks that are letters by category only."""

_LEADING = frozenset("\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\u0d4e")
"""Signs that stand over or before the character after them."""


def clusters(text: str) -> Iterator[str]:
    """The characters of a text, each with its marks, modifiers and joined partners."""
    start = 0
    for place in range(1, len(text)):
        # The last two are enough to tell, however many marks there are before.
        if not _belongs(text[max(start, place - 2) : place], text[place]):
            yield text[start:place]
            start = place
    if text:
        yield text[start:]


def is_extending(char: str) -> bool:
    """Whether a character only changes the one before it."""
    return (
        unicodedata.category(char).startswith("M")
        or char in _EXTENDING
        or "\U0001f3fb" <= char <= "\U0001f3ff"
    )


def _belongs(begun: str, char: str) -> bool:
    """Whether a character goes with those before it."""
    before = begun[-1]
    if is_extending(char) or before == JOINER or before in _LEADING:
        return True
    if _is_regional(before) and _is_regional(char):
        # Two make a flag; a third begins another one.
        return not _is_regional(begun[-2:-1])
    if unicodedata.combining(before) == VIRAMA:
        return unicodedata.category(char) == "Lo"
    return _is_one_syllable(before, char)


def _is_regional(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def _is_one_syllable(before: str, char: str) -> bool:
    """Whether two Hangul letters are parts of one syllable."""
    first, second = _hangul(before), _hangul(char)
    if first == "L":
        return second in {"L", "V", "S"}
    return first in {"V", "T", "S"} and second in {"V", "T"}


def _hangul(char: str) -> str:
    """Whether it leads, follows (a vowel) or trails, or is a whole syllable already."""
    if "\u1100" <= char <= "\u115f" or "\ua960" <= char <= "\ua97c":
        return "L"
    if "\u1160" <= char <= "\u11a7" or "\ud7b0" <= char <= "\ud7c6":
        return "V"
    if "\u11a8" <= char <= "\u11ff" or "\ud7cb" <= char <= "\ud7fb":
        return "T"
    return "S" if "\uac00" <= char <= "\ud7a3" else ""


_NAMED = {"œ": "oe", "æ": "ae", "ø": "o", "đ": "d", "ð": "d", "ł": "l", "ħ": "h", "\u0131": "i"}
_LETTERS = str.maketrans({**_NAMED, "þ": "th", "ŧ": "t", "&": " and "})
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})
_APART = re.compile(r"[\W_]+")
# PDFium gives U+FFFE for a hyphen at the end of a line; others give a soft hyphen or a control.
_LINE_HYPHEN = re.compile("[\u00ad\u0002\ufffe]\\s*")
_QUIET = re.compile("[\u2018\u2019\u02bb\u02bc'`\u00b4\u0000-\u0008\ufffd]")
_ACCENT = re.compile(r"""\\["'`^~=.]\s?\{?\\?([A-Za-z])\}?|\\[uvHckr]\{([A-Za-z])\}""")
_COMMAND = re.compile(r"\\([A-Za-z]{1,30})\*?")
_GREEK = re.compile(r"(?:var)?([a-z]{2,7})")


def folded(text: str) -> str:
    """Words in small letters without accents, ligatures and punctuation, one blank between them."""
    text = _QUIET.sub("", _LINE_HYPHEN.sub("", text)).casefold()
    if not text.isascii():
        # Before as well: a pile of thousands on one letter would take its time to be ordered.
        text = _unmarked(unicodedata.normalize("NFKD", _unmarked(text)))
    return _APART.sub(" ", text.translate(_LETTERS)).strip()


def _unmarked(text: str) -> str:
    return "".join(letter for letter in text if not unicodedata.combining(letter))


def squeezed(text: str) -> str:
    """As `folded`, without blanks: small capitals and broken lines put them anywhere."""
    return folded(text).replace(" ", "")


def spelled_out(text: str) -> str:
    """As `folded`, with umlauts written as two letters, as in Mueller for Müller."""
    return folded(unicodedata.normalize("NFC", text).casefold().translate(_UMLAUTS))


def without_tex(text: str) -> str:
    """A title without the TeX that some records carry; Greek letters keep their meaning."""
    if "\\" not in text and "$" not in text:
        return text
    text = _ACCENT.sub(lambda found: found[1] or found[2], text)
    return _COMMAND.sub(_letter, text).translate({ord(sign): None for sign in "${}^_\\"})


def _letter(command: re.Match[str]) -> str:
    name = _GREEK.fullmatch(command[1].lower())
    if name is None:
        return ""
    try:
        return unicodedata.lookup(f"GREEK SMALL LETTER {name[1].upper()}")
    except KeyError:
        return ""
