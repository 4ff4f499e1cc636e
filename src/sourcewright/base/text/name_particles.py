"""Particles of family names: `van der`, `de la`, `al-`, `'t`. The one table of them.

The words are those of the table of particles in citeproc-js (Juris-M/citeproc-js,
src/util_name_particles.js, revision 59ab5861, read on 2026-11-20), without those that are only
letters or ordinary words of English, and with the words for son, daughter and descendant, the
saints, and the Portuguese, Polish, Scandinavian, Irish and Welsh particles of Wikipedia's "List of
family name affixes" (as of 2026).
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from sourcewright.base.text.unicode import fold_text

_WORDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "Arabic": "abd abou abu al aït ben bent bin binte bint binti bou el ibn oulad ould ul",
        "Catalan and French": "d da de dels des du l la las le les lou",
        "Celtic": "ab ap fitz mac mc mhic ní nic nig ó ua ui uí",
        "Dutch and Flemish": (
            "'s 't den der het op te ten ter tho thoe thor tot toe uijt uit van vande vanden vander"
            " vd ver"
        ),
        "German": "am auf aus dem im v vom von zu zum zur",
        "Hebrew": "bar bat ha",
        "Italian": "da dal dall dalla dalle dagli de degli dei del dell della delle dello di lo li",
        "Polish and Czech": "z ze",
        "Portuguese": "da das de do dos",
        "Scandinavian": "af av",
        "Spanish": "de del dela deca el la las los",
        "saints": "saint sainte san sankt sant santa santo são st ste",
    }
)
"""Words that stand before a family name, by language; many belong to several."""
_PREPOSITIONS: Final = (
    *("aan", "auf", "aus", "bij", "in", "onder", "op", "over", "uit", "unter", "voor", "vor"),
)
"""Words that are particles before an article: `op de`, `in 't`, `auf der`."""
_ARTICLES: Final = ("de", "dem", "den", "der", "gen", "het", "'m", "'t", "te", "ten", "ter")
_ELIDED: Final = (
    *("all", "d", "dagl", "dall", "degl", "dell", "l", "m", "n", "nell", "o", "sull", "t"),
)
"""Particles that an apostrophe joins to the name: `d'`, `dell'`, `O'`."""
_HYPHENATED: Final = (
    *("'s", "abd", "abu", "ad", "adh", "aït", "al", "an", "ar", "as", "ash", "at", "ath", "az"),
    *("ben", "bin", "bou", "ed", "edh", "el", "en", "er", "es", "esh", "et", "eth", "ez", "ibn"),
    *("ould", "ul", "ur", "us"),
)
"""Particles that a hyphen joins to the name; before some letters the Arabic article is changed."""
CONNECTORS: Final = frozenset(("e", "i", "y"))
"""What joins two family names of one person: `Ortega y Gasset`, `Puig i Cadafalch`."""
_SPELLINGS: Final = MappingProxyType({"st": "saint", "ste": "sainte"})

APOSTROPHES: Final = "'\u2019\u2018\u02bc\u00b4`"
PARTICLES: Final = frozenset(
    word.strip(APOSTROPHES) for words in _WORDS.values() for word in words.split()
) | {fold_text(word) for words in _WORDS.values() for word in words.split()}
"""All particles of one word in lower case, with and without their accents."""
_FOLDED_ARTICLES: Final = frozenset(map(fold_text, _ARTICLES))


def _any_of(words: Iterable[str]) -> str:
    """A pattern for any of the words, whose first letter may be a capital.

    Words with the same beginning share it: dozens of alternatives take long to compile.
    """
    by_first: dict[str, list[str]] = {}
    for word in sorted(set(words)):
        by_first.setdefault(word[:1], []).append(word[1:])
    parts = [_any_letter(first) + _any_ending(rest) for first, rest in by_first.items()]
    return f"(?:{'|'.join(parts)})"


def _any_ending(endings: Sequence[str]) -> str:
    by_first: dict[str, list[str]] = {}
    for ending in filter(None, endings):
        by_first.setdefault(ending[0], []).append(ending[1:])
    parts = [_escaped(first) + _any_ending(rest) for first, rest in by_first.items()]
    if not parts:
        return ""
    return f"(?:{'|'.join(parts)}){'?' if '' in endings else ''}"


def _any_letter(letter: str) -> str:
    return f"[{letter}{letter.upper()}]" if letter.isalpha() else _escaped(letter)


def _escaped(character: str) -> str:
    return f"[{APOSTROPHES}]" if character == "'" else re.escape(character)


_NAMED_BY_LETTERS: Final = frozenset(("d", "l", "st", "ste", "v", "z"))
"""Particles that a pattern for any case would find in initials and in ordinals."""
_ANY_CASE = {word for words in _WORDS.values() for word in words.split()} - _NAMED_BY_LETTERS
PARTICLE_PATTERN: Final = (
    rf"(?:{_any_of(_ANY_CASE)}(?!\w)[{APOSTROPHES}]?|[Ss]te?\.?|[vz]\.?"
    rf"|{_any_of(_PREPOSITIONS)}(?=\s{_any_of(_ARTICLES)}\s)|und(?=\szum?\s))"
)
"""A word of a particle that white space separates from the next one and from the name."""
JOINED_PATTERN: Final = rf"(?:{_any_of(_ELIDED)}[{APOSTROPHES}]\s?|{_any_of(_HYPHENATED)}-)"
"""A particle that is written in one with the name."""
_JOINED = re.compile(rf"({JOINED_PATTERN})(?=\w)", re.IGNORECASE)


def is_particle(word: str) -> bool:
    """Whether a word stands before family names; a single letter only in lower case or elided."""
    bare = word.strip(f"{APOSTROPHES}.")
    is_initial = len(bare) == 1 and bare.isascii() and bare.isupper()
    if is_initial and not word.endswith(tuple(APOSTROPHES)):
        return False
    return fold_text(bare) in PARTICLES


def leading_particles(words: Sequence[str]) -> int:
    """How many words at the beginning are particles; one word is always left."""
    count = 0
    while count < len(words) - 1 and is_particle_before(words, count):
        count += 1
    return count


def trailing_particles(words: Sequence[str]) -> int:
    """How many words at the end are particles, as in `Jan van der`; one word is always left."""
    counts = range(len(words) - 1, 0, -1)
    return next((one for one in counts if leading_particles([*words[-one:], ""]) == one), 0)


def is_particle_before(words: Sequence[str], at: int) -> bool:
    """Whether a word is one of a particle, also by what stands beside it."""
    word, following = (fold_text(one) for one in (words[at], "".join(words[at + 1 : at + 2])))
    if word in _PREPOSITIONS and following in _FOLDED_ARTICLES:
        return True
    if word == "und":
        return at > 0 and following in ("zu", "zum")
    return is_particle(words[at])


def has_joined_particle(word: str) -> bool:
    """Whether a word begins with a particle that is written in one with the name: `d'Arcy`."""
    return _JOINED.match(word) is not None


def split_particles(family: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The particles of a family name, in order, and its other words, both folded.

    What only connects two family names is in neither.
    """
    particles: list[str] = []
    core: list[str] = []
    words = family.split()
    while words:
        count = leading_particles(words)
        particles += (fold_text(word) for word in words[:count])
        words = words[count:]
        name = words.pop(0)
        if core and words and fold_text(name) in CONNECTORS:
            continue
        while joined := _JOINED.match(name):
            particles.append(fold_text(joined[1]))
            name = name[joined.end() :]
        core += fold_text(name).split()
    return tuple(_SPELLINGS.get(one, one) for one in particles if one), tuple(core)
