"""File names and store keys of papers: `[2013] - Its title.pdf`, valid on every system.

Every name begins with a bracket, so that none is hidden or taken for an option, and none is
one of the names that an operating system keeps for itself.

What a paper's files are called: names that are safe everywhere and never shared by two papers.
"""

import hashlib
import re
import unicodedata

from sourcewright.domain.identifiers import ArxivId, Doi
from sourcewright.logic.text.unicode import JOINER, NON_JOINER, VIRAMA, clusters, is_extending

LONGEST_TITLE = 100
LONGEST_NAME = 255
"""In bytes, counter and ending included."""

_ENDING = ".pdf"
_UNKNOWN_YEAR = "n.d."
_UNTITLED = "untitled"
_FORBIDDEN = re.compile(r'[<>:"/\\|?*&]')
_BLANK = "\u2800"
"""Braille without a dot: a symbol by category, a blank to the eye."""
_UNSEEN = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0")
"""Fillers and joiners that are letters or marks by category, and show nothing."""
_GONE = frozenset({"Cc", "Cf", "Cn", "Co", "Cs"})
_MOST_MARKS = 30
"""On one character; as many as Unicode allows in text that is safe to process."""
_LONGEST_READ = 10_000


def file_name(*, title: str | None, year: int | None, fallback: str, counter: int = 0) -> str:
    """The paper's file name; a counter tells apart papers that would share it.

    The fallback, such as a DOI, stands in for a title that is missing or of which no
    character can stand in a name.
    """
    opening = f"[{_year(year)}] - "
    closing = f" ({counter + 1}){_ENDING}" if counter else _ENDING
    room = LONGEST_NAME - len((opening + closing).encode())
    words = _cut(_clean(title or "", " "), room) or _cut(_clean(fallback, "-"), room)
    return f"{opening}{words or _UNTITLED}{closing}"


def _year(year: int | None) -> str:
    return f"{year:04d}" if year is not None and 0 < year <= 9999 else _UNKNOWN_YEAR


def _clean(text: str, instead: str) -> str:
    """The text on one line, of visible characters that every file system takes."""
    text = unicodedata.normalize("NFC", text[:_LONGEST_READ]).replace(_BLANK, " ")
    words = _FORBIDDEN.sub(instead, text).split()
    seen = (_with_bases(_visible(word)) for word in words)
    line = " ".join(word for word in seen if word)
    return unicodedata.normalize("NFC", line).strip(". ")


def _visible(word: str) -> str:
    kept = [char for char in word if not _is_unseen(char)]
    return "".join(char for place, char in enumerate(kept) if _is_wanted(kept, place))


def _is_unseen(char: str) -> bool:
    joins = char in {JOINER, NON_JOINER}
    return char in _UNSEEN or (unicodedata.category(char) in _GONE and not joins)


def _is_wanted(chars: list[str], place: int) -> bool:
    """Joiners shape some scripts and join emoji; anywhere else they only hide."""
    if chars[place] not in {JOINER, NON_JOINER}:
        return True
    inside = 0 < place < len(chars) - 1
    return inside and _is_joinable(chars[place - 1], chars[place + 1], chars[place])


def _is_joinable(before: str, after: str, joiner: str) -> bool:
    if joiner == JOINER and unicodedata.category(after) == "So":
        return unicodedata.category(before) in {"So", "Sk", "Mn"}
    in_arabic = "\u0600" <= before <= "\u08ff" and "\u0600" <= after <= "\u08ff"
    return in_arabic or unicodedata.combining(before) == VIRAMA


def _with_bases(word: str) -> str:
    """The word without marks that have no character of their own, or have too many others."""
    kept: list[str] = []
    marks = 0
    for char in word:
        marks = marks + 1 if is_extending(char) else 0
        if marks <= _MOST_MARKS and (kept or not marks):
            kept.append(char)
    return "".join(kept)


def _cut(line: str, room: int) -> str:
    """As many whole characters as there is room for, in characters and in bytes."""
    kept: list[str] = []
    length = size = 0
    for cluster in clusters(line):
        length += len(cluster)
        size += len(cluster.encode())
        if length > LONGEST_TITLE or size > room:
            break
        kept.append(cluster)
    return "".join(kept).rstrip(". ")


LONGEST_KEY = 201
_CUT_AT = 192
_KEY = re.compile(rf"[A-Za-z0-9_-][A-Za-z0-9._-]{{0,{LONGEST_KEY - 1}}}")
_UNSAFE = re.compile(r"[^A-Za-z0-9.-]+")
_SCHEME = re.compile(r"(doi|arxiv):", re.IGNORECASE)
_LOOKS_HASHED = re.compile(r"_[0-9a-f]{8}\Z")


def store_key(reference: Doi | ArxivId) -> str:
    """The name of a paper's files, without their endings.

    It is doiget's own key wherever that key tells which paper is meant, and carries a hash
    where it does not. A short key that merely ends like a hashed one gets a hash as well,
    since it could be the key of another paper.
    """
    raw = f"{reference.kind}_{reference}"
    key = _doiget_key(raw)
    tells = key == raw.replace("/", "_", 1) and not _LOOKS_HASHED.search(key)
    return key if tells or len(key) > _CUT_AT else f"{key}_{_hash(str(reference))}"


def legacy_key(text: str) -> str:
    """The name that doiget gives to a paper, letter case kept; one name may mean several papers."""
    scheme = _SCHEME.match(text)
    bare = text[scheme.end() :] if scheme else text
    kind = scheme[1].lower() if scheme else "doi" if bare.startswith("10.") else "arxiv"
    return _doiget_key(f"{kind}_{bare}")


def is_key(name: str) -> bool:
    """Whether the name can be one that a store gave: one safe part of a path, not hidden."""
    return _KEY.fullmatch(name) is not None


def _doiget_key(raw: str) -> str:
    key = _UNSAFE.sub("_", raw).strip("_")
    return key if len(key) <= _CUT_AT else f"{key[:_CUT_AT]}_{_hash(raw)}"


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:8]
