"""Repairs identifiers that were damaged by copying: percent-encoding, dashes, line breaks."""

import re
import unicodedata
from urllib.parse import unquote

from sourcewright.base.errors import InvalidInput

MAX_LENGTH = 2048

_INVISIBLE = dict.fromkeys(
    map(ord, "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\u202a\u202b\u202c\u202d\u202e")
)
_DASHES = dict.fromkeys(
    map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"), "-"
)
ASCII_LOWER = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}
_BRACKETS = {"(": ")", "[": "]", "{": "}", "<": ">"}
_QUOTES = "\"'`"
_PUNCTUATION = ".,;:!?" + _QUOTES
_OPENING = frozenset({"Ps", "Pi"})
_SURROUNDING = _OPENING | {"Pe", "Pf", "Po"}
"""Unicode categories of punctuation that is not ASCII, which identifiers neither begin nor end with."""
_ENTITY = re.compile(r"&(?:(?:amp;)*(?:(lt;)|(gt;))|(?:amp;)+)", re.IGNORECASE)
_LATEX = re.compile(r"\\([_&#%$])")
_URL_EDGES = "".join(map(chr, range(0x21)))
_URL_NOISE = {ord(noise): None for noise in "\t\r\n"}
_MAX_ROUNDS = 4
"""Two levels of encoding, one for what decoding uncovers, and one to see that nothing changes."""


def quoted_for_message(text: str) -> str:
    """Return the text for an error message: truncated, with control characters escaped."""
    return ascii(text) if len(text) <= 80 else ascii(text[:80]) + " (cut)"


def clean_url(url: str) -> str:
    """Clean a URL as browsers do (the WHATWG URL standard), before it is parsed.

    Removes white space and control characters around it, and tabs and line breaks in it; turns
    a backslash before the query into a slash, so that the text after it is not part of the host.
    """
    text = url.strip(_URL_EDGES).translate(_URL_NOISE)
    end = min((at for at in (text.find("?"), text.find("#")) if at >= 0), default=len(text))
    return text[:end].replace("\\", "/") + text[end:]


def strip_wrapping(text: str) -> str:
    """Strip surrounding white space, brackets and quotes, and remove invisible characters.

    Raises:
        InvalidInput: The text is empty, too long, or contains control characters.
    """
    if len(text) > MAX_LENGTH:
        raise InvalidInput(
            f"the reference is {len(text)} characters long; at most {MAX_LENGTH} are accepted"
        )
    bare = _without_wrapping(text.translate(_INVISIBLE).strip())
    if not bare:
        raise InvalidInput("the reference is empty")
    _refuse_control_characters(bare)
    return bare


def undo_encodings(text: str) -> str:
    """Undo percent-encoding, HTML entities and LaTeX escapes; lower-case and compose (NFC).

    Raises:
        InvalidInput: The text is encoded more than twice, or not as UTF-8.
    """
    for _ in range(_MAX_ROUNDS):
        decoded = _decode_once(text)
        if decoded == text:
            _refuse_control_characters(text)
            return text
        text = decoded
    raise InvalidInput(f"reference {quoted_for_message(text)} is percent-encoded more than twice")


def strip_trailing_punctuation(text: str) -> str:
    """Remove the trailing punctuation of the surrounding sentence.

    A closing bracket stays if the text has its opening one: DOIs may end in a bracket.
    """
    stray = _stray_closers(text)
    end = len(text)
    while end and (_is_punctuation(text[end - 1]) or end - 1 in stray):
        end -= 1
    return text[:end]


def with_plain_dashes(text: str) -> str:
    """Replace typographic dashes by hyphens if everything else is ASCII, so they are accidental."""
    plain = text.translate(_DASHES)
    return plain if plain.isascii() else text


def _is_punctuation(character: str) -> bool:
    """Whether a character at the end of a text may belong to the surrounding sentence, in any script."""
    return character in _PUNCTUATION or _is_foreign(character, _SURROUNDING)


def _is_foreign(character: str, categories: frozenset[str]) -> bool:
    return not character.isascii() and unicodedata.category(character) in categories


def _is_opening(character: str) -> bool:
    return character in _BRACKETS or character in _QUOTES or _is_foreign(character, _OPENING)


def _without_wrapping(text: str) -> str:
    while text and _is_opening(text[0]):
        closer = _BRACKETS.get(text[0])
        opener, text = text[0], text[1:].strip()
        body = text.rstrip(_PUNCTUATION)
        if closer and body.endswith(closer) and body.count(closer) > body.count(opener):
            text = body[:-1].rstrip()
    return text


def _decode_once(text: str) -> str:
    text = _LATEX.sub(r"\1", text)
    try:
        text = unquote(text, errors="strict")
    except UnicodeDecodeError as error:
        raise InvalidInput(
            f"reference {quoted_for_message(text)} is not percent-encoded UTF-8"
        ) from error
    text = _ENTITY.sub(_entity, text).translate(_INVISIBLE)
    # Composed first, because only ASCII letters are lower-cased and U with diaeresis is not one;
    # composed again, because some marks combine with the lower-case letter only.
    lower = unicodedata.normalize("NFC", text).translate(ASCII_LOWER)
    return unicodedata.normalize("NFC", lower)


def _entity(match: re.Match[str]) -> str:
    return "<" if match[1] else ">" if match[2] else "&"


def _stray_closers(text: str) -> frozenset[int]:
    openers = {closer: opener for opener, closer in _BRACKETS.items()}
    depth = dict.fromkeys(_BRACKETS, 0)
    stray = []
    for place, character in enumerate(text):
        if character in depth:
            depth[character] += 1
        elif character in openers and depth[openers[character]]:
            depth[openers[character]] -= 1
        elif character in openers:
            stray.append(place)
    return frozenset(stray)


def _refuse_control_characters(text: str) -> None:
    for character in text:
        if unicodedata.category(character) in {"Cc", "Cf", "Cs"}:
            raise InvalidInput(
                f"reference {quoted_for_message(text)} contains the control character U+{ord(character):04X}"
            )
