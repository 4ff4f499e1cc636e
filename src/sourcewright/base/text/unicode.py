"""Unicode: grapheme clusters, lone surrogates, accents, truncation that splits no character.

Clusters follow Unicode's extended grapheme clusters as far as the standard library's character
data allows; in doubt, characters stay together. The folding functions normalise texts that are
to be compared.
"""

import re
import unicodedata
from collections.abc import Iterator
from itertools import filterfalse

JOINER = "\u200d"
NON_JOINER = "\u200c"
VIRAMA = 9
"""The combining class of viramas, which join a consonant to the next one."""
_EXTENDING = frozenset("\u200c\u200d\u0e33\u0eb3\uff9e\uff9f")
"""Joiners, and vowels and voicing marks whose category is that of a letter."""

_LEADING = frozenset("\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\u0d4e")
"""Prepended characters, which belong to the character after them."""


def clusters(text: str) -> Iterator[str]:
    """The grapheme clusters of a text: characters with their marks, modifiers and joined parts."""
    start = 0
    for offset in range(1, len(text)):
        # The last two characters decide; a longer slice would make many marks quadratic.
        if not _continues_cluster(text[max(start, offset - 2) : offset], text[offset]):
            yield text[start:offset]
            start = offset
    if text:
        yield text[start:]


def is_extending(char: str) -> bool:
    """Whether a character only modifies the one before it."""
    return (
        unicodedata.category(char).startswith("M")
        or char in _EXTENDING
        or "\U0001f3fb" <= char <= "\U0001f3ff"
    )


def _continues_cluster(cluster_end: str, char: str) -> bool:
    """Whether a character belongs to the cluster that `begun` ends."""
    before = cluster_end[-1]
    if is_extending(char) or before == JOINER or before in _LEADING:
        return True
    if _is_regional(before) and _is_regional(char):
        # Two regional indicators make a flag; a third begins another one.
        return not _is_regional(cluster_end[-2:-1])
    if unicodedata.combining(before) == VIRAMA:
        return unicodedata.category(char) == "Lo"
    return _is_one_syllable(before, char)


def _is_regional(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def _is_one_syllable(before: str, char: str) -> bool:
    """Whether two Hangul letters are parts of the same syllable."""
    first, second = _hangul_type(before), _hangul_type(char)
    if first == "L":
        return second in {"L", "V", "S"}
    return first in {"V", "T", "S"} and second in {"V", "T"}


def _hangul_type(char: str) -> str:
    """The syllable type of a Hangul character: L, V, T or S (a whole syllable); else empty."""
    if "\u1100" <= char <= "\u115f" or "\ua960" <= char <= "\ua97c":
        return "L"
    if "\u1160" <= char <= "\u11a7" or "\ud7b0" <= char <= "\ud7c6":
        return "V"
    if "\u11a8" <= char <= "\u11ff" or "\ud7cb" <= char <= "\ud7fb":
        return "T"
    return "S" if "\uac00" <= char <= "\ud7a3" else ""


_PLAIN_LETTERS = {
    "œ": "oe",
    "æ": "ae",
    "ø": "o",
    "đ": "d",
    "ð": "d",
    "ł": "l",
    "ħ": "h",
    "\u0131": "i",
}
_LETTERS = str.maketrans({**_PLAIN_LETTERS, "þ": "th", "ŧ": "t", "&": " and "})
_ASCII_PAIRS = {**_PLAIN_LETTERS, "þ": "th", "ŧ": "t", "ß": "ss"}
_ASCII_LETTERS = str.maketrans(
    {
        **_ASCII_PAIRS,
        **{one.upper(): two.title() for one, two in _ASCII_PAIRS.items() if one != "ß"},
    }
)
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})
_SEPARATORS = re.compile(r"[\W_]+")
# PDFium gives U+FFFE for a hyphen at the end of a line; others give a soft hyphen or a control.
_LINE_HYPHEN = re.compile("[\u00ad\u0002\ufffe]\\s*")
_DROPPED = re.compile("[\u2018\u2019\u02bb\u02bc'`\u00b4\u0000-\u0008\ufffd]")
_TEX_ACCENT = re.compile(r"""\\["'`^~=.]\s?\{?\\?([A-Za-z])\}?|\\[uvHckr]\{([A-Za-z])\}""")
_TEX_COMMAND = re.compile(r"\\([A-Za-z]{1,30})\*?")
_GREEK = re.compile(r"(?:var)?([a-z]{2,7})")

_SYMBOL = (
    "[\u00b5\u03b1-\u03c9\u0391-\u03a9\u03d0-\u03d6\u03f0-\u03f5\u2126\u2206\U0001d6a8-\U0001d7cb]"
)
_SYMBOLS = re.compile(f"{_SYMBOL}(?<![\u0370-\u03ff].){_SYMBOL}?(?![\u0370-\u03ff])")
"""Greek letters that are symbols, and no word of the language."""
_SYMBOL_NAMES = {"\u00b5": "mu", "\u2126": "omega", "\u2206": "delta"}


def fold_text(text: str) -> str:
    """Lower-case words without accents, ligatures and punctuation, separated by single spaces."""
    if not text.isascii() or "\u0002" in text:
        text = _LINE_HYPHEN.sub("", text)
    text = _DROPPED.sub("", text).casefold()
    if not text.isascii():
        # Also before normalising, which is slow for thousands of marks on one letter.
        text = _without_marks(unicodedata.normalize("NFKD", _without_marks(text)))
    return _SEPARATORS.sub(" ", text.translate(_LETTERS)).strip()


def _without_marks(text: str) -> str:
    return "".join(filterfalse(unicodedata.combining, text))


def without_accents(text: str) -> str:
    """The text in ASCII, case and punctuation kept; letters that no accent explains are dropped."""
    if text.isascii():
        return text
    decomposed = unicodedata.normalize("NFKD", _without_marks(text.translate(_ASCII_LETTERS)))
    return " ".join(decomposed.encode("ascii", "ignore").decode().split())


def fold_without_spaces(text: str) -> str:
    """`fold_text` without spaces, which small capitals and line breaks can put anywhere."""
    return fold_text(text).replace(" ", "")


def fold_heading(text: str) -> str:
    """`fold_text`, with the names of Greek letters for the letters: records have either."""
    return fold_text(text if text.isascii() else _SYMBOLS.sub(_spelled, text))


def _spelled(letters: re.Match[str]) -> str:
    return "".join(_SYMBOL_NAMES.get(letter) or _greek_name(letter) for letter in letters[0])


def _greek_name(letter: str) -> str:
    words = [
        word for word in unicodedata.name(letter, "").split() if word not in {"SYMBOL", "FINAL"}
    ]
    return words[-1].lower() if words else letter


def fold_expanding_umlauts(text: str) -> str:
    """`fold_text` with umlauts written as two letters, as in Mueller for Müller."""
    return fold_text(unicodedata.normalize("NFC", text).casefold().translate(_UMLAUTS))


def strip_tex(text: str) -> str:
    """A title without the TeX commands that some records contain; Greek letters are kept."""
    if "\\" not in text and "$" not in text:
        return text
    text = _TEX_ACCENT.sub(lambda match: match[1] or match[2], text)
    return _TEX_COMMAND.sub(_greek_letter, text).translate({ord(char): None for char in "${}^_\\"})


def _greek_letter(command: re.Match[str]) -> str:
    name = _GREEK.fullmatch(command[1].lower())
    if name is None:
        return ""
    try:
        return unicodedata.lookup(f"GREEK SMALL LETTER {name[1].upper()}")
    except KeyError:
        return ""
