"""Brings texts that mean the same to the same letters, so that they can be compared."""

import re
import unicodedata

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
