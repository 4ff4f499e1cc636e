"""File names and store keys of papers: `[2013] - Its title.pdf`, valid on every system.

Every name begins with a bracket, so that it is neither hidden nor taken for an option nor a
reserved name of an operating system. Store keys are never shared by two papers.
"""

import hashlib
import re
import unicodedata

from sourcewright.base.identifiers import ArxivId, Doi
from sourcewright.base.text.unicode import JOINER, NON_JOINER, VIRAMA, clusters, is_extending

MAX_TITLE_LENGTH = 100
MAX_NAME_BYTES = 255
"""In bytes, including counter and extension."""

_EXTENSION = ".pdf"
_UNKNOWN_YEAR = "n.d."
_UNTITLED = "untitled"
_FORBIDDEN = re.compile(r'[<>:"/\\|?*&]')
_BRAILLE_BLANK = "\u2800"
"""The empty braille pattern: a symbol by category, but displayed as a space."""
_INVISIBLE_LETTERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0")
"""Fillers and joiners that are letters or marks by category, but invisible."""
_DROPPED_CATEGORIES = frozenset({"Cc", "Cf", "Cn", "Co", "Cs"})
"""Categories of control, format, unassigned, private-use and surrogate characters."""
_MAX_MARKS = 30
"""On one character; the limit of Unicode's stream-safe text format."""
_MAX_INPUT = 10_000


def file_name(*, title: str | None, year: int | None, fallback: str, counter: int = 0) -> str:
    """The paper's file name; a counter distinguishes papers that would share it.

    The fallback, such as a DOI, replaces a title that is missing or has no character that a
    file name may contain.
    """
    opening = f"[{_year(year)}] - "
    closing = f" ({counter + 1}){_EXTENSION}" if counter else _EXTENSION
    room = MAX_NAME_BYTES - len((opening + closing).encode())
    words = _truncate(_clean(title or "", " "), room) or _truncate(_clean(fallback, "-"), room)
    return f"{opening}{words or _UNTITLED}{closing}"


def _year(year: int | None) -> str:
    return f"{year:04d}" if year is not None and 0 < year <= 9999 else _UNKNOWN_YEAR


def _clean(text: str, replacement: str) -> str:
    """The text on one line, of visible characters that every file system accepts."""
    text = unicodedata.normalize("NFC", text[:_MAX_INPUT]).replace(_BRAILLE_BLANK, " ")
    words = _FORBIDDEN.sub(replacement, text).split()
    visible = (_drop_stray_marks(_visible_characters(word)) for word in words)
    line = " ".join(word for word in visible if word)
    return unicodedata.normalize("NFC", line).strip(". ")


def _visible_characters(word: str) -> str:
    visible = [char for char in word if not _is_invisible(char)]
    return "".join(char for index, char in enumerate(visible) if _is_kept(visible, index))


def _is_invisible(char: str) -> bool:
    joins = char in {JOINER, NON_JOINER}
    return char in _INVISIBLE_LETTERS or (
        unicodedata.category(char) in _DROPPED_CATEGORIES and not joins
    )


def _is_kept(chars: list[str], index: int) -> bool:
    """Whether to keep a character: joiners only where they shape a script or an emoji."""
    if chars[index] not in {JOINER, NON_JOINER}:
        return True
    inside = 0 < index < len(chars) - 1
    return inside and _is_joinable(chars[index - 1], chars[index + 1], chars[index])


def _is_joinable(before: str, after: str, joiner: str) -> bool:
    if joiner == JOINER and unicodedata.category(after) == "So":
        return unicodedata.category(before) in {"So", "Sk", "Mn"}
    in_arabic = "\u0600" <= before <= "\u08ff" and "\u0600" <= after <= "\u08ff"
    return in_arabic or unicodedata.combining(before) == VIRAMA


def _drop_stray_marks(word: str) -> str:
    """The word without combining marks that have no base character or exceed the limit."""
    chars: list[str] = []
    marks = 0
    for char in word:
        marks = marks + 1 if is_extending(char) else 0
        if marks <= _MAX_MARKS and (chars or not marks):
            chars.append(char)
    return "".join(chars)


def _truncate(line: str, room: int) -> str:
    """As many grapheme clusters as fit, in characters and in bytes."""
    prefix: list[str] = []
    length = size = 0
    for cluster in clusters(line):
        length += len(cluster)
        size += len(cluster.encode())
        if length > MAX_TITLE_LENGTH or size > room:
            break
        prefix.append(cluster)
    return "".join(prefix).rstrip(". ")


MAX_KEY_LENGTH = 201
_MAX_UNHASHED = 192
_KEY = re.compile(rf"[A-Za-z0-9_-][A-Za-z0-9._-]{{0,{MAX_KEY_LENGTH - 1}}}")
_UNSAFE = re.compile(r"[^A-Za-z0-9.-]+")
_SCHEME = re.compile(r"(doi|arxiv):", re.IGNORECASE)
_HASH_SUFFIX = re.compile(r"_[0-9a-f]{8}\Z")


def store_key(reference: Doi | ArxivId) -> str:
    """The name of a paper's files, without extension.

    It is doiget's key if that key is unambiguous, and has a hash appended if it is not. A short
    key that happens to end like a hashed one gets a hash too, since it could be the key of
    another paper.
    """
    raw = f"{reference.kind}_{reference}"
    key = _doiget_key(raw)
    is_unambiguous = key == raw.replace("/", "_", 1) and not _HASH_SUFFIX.search(key)
    return key if is_unambiguous or len(key) > _MAX_UNHASHED else f"{key}_{_hash(str(reference))}"


def legacy_key(text: str) -> str:
    """The name that doiget gives to a paper, case preserved; several papers may share one."""
    scheme = _SCHEME.match(text)
    bare = text[scheme.end() :] if scheme else text
    kind = scheme[1].lower() if scheme else "doi" if bare.startswith("10.") else "arxiv"
    return _doiget_key(f"{kind}_{bare}")


def is_store_key(name: str) -> bool:
    """Whether a name can be a store key: a single safe path segment, not hidden."""
    return _KEY.fullmatch(name) is not None


def _doiget_key(raw: str) -> str:
    key = _UNSAFE.sub("_", raw).strip("_")
    return key if len(key) <= _MAX_UNHASHED else f"{key[:_MAX_UNHASHED]}_{_hash(raw)}"


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:8]
