"""Journal names: sections such as `Phys. Rev. D`, subtitles, and words abbreviated in order (ISO 4)."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from sourcewright.references.comparison.venue_table import venue_table

_SUBTITLE = re.compile(r":\s|\s[-\u2013\u2014]\s|\uff1a")
_LETTER = r"([A-IX])"
_SECTION = re.compile(
    rf"[\s.,](?i:section|sect\.?|series|ser\.?|part|pt\.?)\s{_LETTER}(?![\w.]|-\w)"
    rf"|(?<=[\w.,])\s{_LETTER}(?=\s{{0,2}}$|:\s|\s[-\u2013\u2014(]\s?|\s[^\W\d_a-z])"
)
"""The letter of a section; initials of a name, such as `J. R. Soc.`, have a period."""
_BRACKETED = re.compile(r"\([A-Z]{2,8}\)")
_PLACES = re.compile(
    r"(?<=\w\s)(?:of )?(?:the )?(?:united states of america|u s a?|usa|london|lond|paris|n y|ny|in english|engl)$"
)
"""Where a society is, after its folded name; most abbreviations leave it out."""
MIN_HEAD = 3
"""Words that a name without its subtitle must have to be recognised."""
_WORDS_FOR_A_GAP = 6
_LONGEST_INITIALISM = 3
_MIN_REST = 6


class JournalHead(NamedTuple):
    """The beginning of a name up to its section or subtitle."""

    text: str
    section: str
    has_subtitle: bool


@lru_cache(maxsize=4096)
def journal_head(name: str) -> JournalHead:
    plain = " ".join(_BRACKETED.sub(" ", name).split())
    subtitle = _SUBTITLE.search(plain)
    section = _SECTION.search(plain)
    if section is not None and (subtitle is None or section.start() < subtitle.start()):
        end = section.end()
        letter = (section[1] or section[2]).lower()
        return JournalHead(plain[:end], letter, bool(plain[end:].strip(" .:")))
    if subtitle is not None:
        return JournalHead(plain[: subtitle.start()], "", has_subtitle=True)
    return JournalHead(plain, "", has_subtitle=False)


def without_place(folded: str) -> str:
    """A folded name without the place at its end: `proc natl acad sci usa`."""
    return _PLACES.sub("", folded).strip()


def full_names(folded: str) -> tuple[str, ...]:
    """The journals that a known abbreviation stands for; empty if it is none."""
    return venue_table().journals.get(folded, ())


def abbreviates_name(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether the words of two names agree in order; of long names, one word may be missing."""
    one, other = _with_initialisms_of(other, one), _with_initialisms_of(one, other)
    # Row by row, the length of the longest sequence of words that both have.
    row = [0] * (len(other) + 1)
    for word in one:
        previous = 0
        for at, candidate in enumerate(other, start=1):
            above = row[at]
            row[at] = previous + 1 if same_word(word, candidate) else max(row[at], row[at - 1])
            previous = above
    gaps = min(len(one), len(other)) // _WORDS_FOR_A_GAP
    return max(len(one), len(other)) - row[-1] <= gaps


def _with_initialisms_of(abbreviated: Sequence[str], words: Sequence[str]) -> list[str]:
    """The words, with those joined that the other name has as initials: `NY` for `New York`."""
    joined = list(words)
    for initials in abbreviated:
        size = len(initials)
        if not 2 <= size <= _LONGEST_INITIALISM or initials in joined:
            continue
        for at in range(len(joined) - size + 1):
            if "".join(word[0] for word in joined[at : at + size]) == initials:
                joined[at : at + size] = [initials]
                break
    return joined


def is_same_single_word(one: str, other: str) -> bool:
    """Titles of one word are not abbreviated (ISO 4): `Cancer` and `Cancers` are two journals."""
    short, full = sorted((_without_umlauts(one), _without_umlauts(other)), key=len)
    is_cut = full.startswith(short) and len(full) - len(short) >= _MIN_REST
    return short == full or (is_cut and len(short) >= _MIN_REST)


@lru_cache(maxsize=16384)
def same_word(one: str, other: str) -> bool:
    """Whether two words are the same, or one abbreviates the other."""
    if one == other:
        return True
    short, full = sorted((_without_umlauts(one), _without_umlauts(other)), key=len)
    table = venue_table()
    if full.startswith(table.longer_stems.get(short, ("\0",))):
        return False
    if full.startswith(short) or full.rstrip("s") == short.rstrip("s"):
        return True
    return any(full.startswith(word) for word in table.contractions.get(short, ()))


def _without_umlauts(word: str) -> str:
    """A word with its umlauts written alike, whether as `ae` or as `a`."""
    return word.replace("ae", "a").replace("oe", "o").replace("ue", "u")
