"""Venues: journals and proceedings by name, abbreviation (LTWA) or acronym, and preprint servers."""

import json
import re
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

from sourcewright.logic.text.unicode import fold_text

MAX_VENUE = 400
_YEAR = re.compile(r"\b(?:1[6-9]|20)[0-9]{2}\b|'[0-9]{2}\b")
_ORDINAL = re.compile(
    r"\b(?:[0-9]{1,3}(?:st|nd|rd|th)|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)?[ -]?"
    r"(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth"
    r"|thirteenth|fourteenth|fifteenth|sixteenth|seventeenth|eighteenth|nineteenth|twentieth"
    r"|thirtieth|fortieth|fiftieth|sixtieth))\b",
    re.IGNORECASE,
)
_PART = re.compile(
    r"\((?:vol(?:ume)?|part|long|short|student|system|industry|main)\b[^()]{0,60}\)", re.IGNORECASE
)
_PREPRINT = re.compile(
    r"\b(?:[a-z]{0,12}rxiv|corr|ssrn|preprints?|research square|osf|zenodo|repec|hal|techrxiv"
    r"|authorea|openreview)\b"
)
_ACRONYM = re.compile(r"\b[A-Z][A-Za-z]{0,5}[A-Z][A-Za-z0-9]{0,12}\b|\b[A-Z]{2,12}\b")
_DULL = frozenset(
    [
        "a",
        "an",
        "and",
        "at",
        "in",
        "on",
        "of",
        "for",
        "the",
        "to",
        "de",
        "la",
        "le",
        "et",
        "und",
        "der",
        "die",
        "des",
        "du",
        "proceedings",
        "proc",
        "conference",
        "conferences",
        "conf",
        "international",
        "intl",
        "int",
        "annual",
        "meeting",
        "symposium",
        "symp",
        "ieee",
        "acm",
        "cvf",
        "usenix",
        "sig",
        "volume",
        "vol",
        "part",
        "series",
        "th",
        "st",
        "nd",
        "rd",
        "long",
        "short",
        "papers",
        "paper",
        "main",
        "track",
        "workshop",
        "workshops",
        "companion",
        "extended",
        "abstracts",
        "lecture",
        "lect",
        "notes",
        "official",
        *("fur", "fuer", "zur", "per", "di", "dei", "del", "della", "da", "do", "dos", "el", "y"),
    ]
)
_ADVANCES = frozenset({"advances", "adv"})
_PERIODICALS = (
    *("journal", "transactions", "letters", "review", "magazine", "annal", "zeitschrift"),
)
_PERIODICALS_ABBREVIATED = frozenset({"j", "trans", "lett", "rev", "mag", "ann", "z"})
_MEETINGS = frozenset(
    {"conference", "conf", "symposium", "symp", "workshop", "meeting", "proceedings", "proc"}
)
_FEW_WORDS = 2
_PLACE = re.compile(r"\s\((?=[^()]{0,60}[a-z])[^()]{3,60}\)\s{0,2}$")
"""What a catalogue adds to the name of a journal: `Lancet (London, England)`."""
_SUBTITLE = re.compile(r":\s")
_SECTION = re.compile(r"\s([A-Za-z])\s{0,2}$")
MIN_SHARED = 0.7
"""Share of the content words of each name that the other must have."""


class Venue(NamedTuple):
    """A venue prepared for comparison."""

    letters: str
    words: tuple[str, ...]
    """The words that distinguish venues."""
    series: frozenset[str]
    """Known conferences and journals that the name contains, by acronym."""
    acronyms: frozenset[str]
    is_preprint: bool
    is_periodical: bool
    is_meeting: bool


def is_preprint_venue(text: str) -> bool:
    return bool(_PREPRINT.search(text[:MAX_VENUE].lower()))


def is_known_series(text: str) -> bool:
    """Whether the name is that of a conference or journal in the list of series."""
    return bool(prepare_venue(text[:MAX_VENUE]).series)


def same_venue(cited: str, recorded: str) -> bool:
    """Whether two names are those of one venue, however they are abbreviated."""
    one, other = prepare_venue(cited[:MAX_VENUE]), prepare_venue(recorded[:MAX_VENUE])
    if one.letters == other.letters:
        return True
    if one.is_preprint or other.is_preprint:
        return one.is_preprint and other.is_preprint
    if one.series and other.series:
        return not one.series.isdisjoint(other.series)
    if _names_acronym(one, other) or _names_acronym(other, one):
        return True
    if _share_words(one, other, strict=bool(one.series or other.series)):
        return True
    return _same_section(cited[:MAX_VENUE], recorded[:MAX_VENUE])


def _same_section(cited: str, recorded: str) -> bool:
    """Whether a name is that of the other without its subtitle: `J. Phys. A`, a section."""
    heads = [_SUBTITLE.split(name, maxsplit=1)[0] for name in (cited, recorded)]
    if heads == [cited, recorded]:
        return False
    sections = [match[1].lower() if (match := _SECTION.search(head)) else "" for head in heads]
    is_section = bool(sections[0]) and sections[0] == sections[1]
    return is_section and _share_words(*map(prepare_venue, heads), strict=False)


@lru_cache(maxsize=4096)
def prepare_venue(text: str) -> Venue:
    plain = _PLACE.sub("", _PART.sub(" ", _ORDINAL.sub(" ", _YEAR.sub(" ", text))))
    folded = fold_text(plain)
    words = folded.split()
    acronyms = frozenset(one.lower() for one in _ACRONYM.findall(plain))
    series = _series_in(f" {folded} ", acronyms, words)
    content = _content_of(words)
    return Venue(
        letters="".join(words),
        words=content or tuple(words),
        series=series,
        acronyms=acronyms,
        is_preprint=is_preprint_venue(text),
        is_periodical=any(_is_periodical_word(word) for word in words),
        is_meeting=not _MEETINGS.isdisjoint(words),
    )


def _is_periodical_word(word: str) -> bool:
    return word.startswith(_PERIODICALS) or word in _PERIODICALS_ABBREVIATED


def _content_of(words: list[str]) -> tuple[str, ...]:
    """The words that distinguish a name: `Advances in` does so only before one or two words."""
    content = list(dict.fromkeys(word for word in words if _tells_apart(word)))
    others = [word for word in content if word not in _ADVANCES]
    return tuple(others if len(others) > _FEW_WORDS else content)


def _tells_apart(word: str) -> bool:
    return word not in _DULL and not word.isdecimal()


def _series_in(folded: str, acronyms: frozenset[str], words: list[str]) -> frozenset[str]:
    """The known series in a name; a longer name takes precedence over those that it contains."""
    table = _table()
    names = [(name, key) for name, key in table.names if f" {name} " in folded]
    series = {
        key
        for name, key in names
        if not any(name != other and f" {name} " in f" {other} " for other, _ in names)
    }
    joined = "".join(words)
    if not series:
        # A name that is an acronym and nothing else: `Proc. of NeurIPS`, `ACL (1)`.
        plain = [word for word in words if _tells_apart(word)]
        series = {word for word in plain if word in table.acronyms and len(plain) <= 2}
        series |= {joined} & table.acronyms
    series |= {one for one in acronyms if one in table.acronyms and (not series or len(one) > 3)}
    return frozenset(table.canonical[one] for one in series)


def _names_acronym(short: Venue, full: Venue) -> bool:
    """Whether a name is the acronym in the other name, or its initials."""
    if len(short.words) != 1:
        return False
    word = short.words[0]
    if word in full.acronyms:
        return True
    initials = "".join(one[0] for one in full.words)
    return len(word) >= 3 and len(full.words) >= 3 and word == initials


def _share_words(one: Venue, other: Venue, *, strict: bool) -> bool:
    if not one.words or not other.words:
        return False
    short = min(len(one.words), len(other.words)) <= _FEW_WORDS
    if one.is_periodical != other.is_periodical and (strict or short):
        return False
    if one.is_meeting != other.is_meeting and short:
        return False
    forward = sum(any(_same_word(a, b) for b in other.words) for a in one.words) / len(one.words)
    backward = sum(any(_same_word(b, a) for a in one.words) for b in other.words) / len(
        other.words
    )
    least = 1.0 if short else MIN_SHARED
    return forward >= least and backward >= least


@lru_cache(maxsize=16384)
def _same_word(one: str, other: str) -> bool:
    """Whether two words are the same, or one abbreviates the other."""
    if one == other:
        return True
    short, full = sorted((one, other), key=len)
    if full.startswith(short):
        return True
    if full.rstrip("s") == short.rstrip("s"):
        return True
    return any(full.startswith(word) for word in _table().contractions.get(short, ()))


class _Table(NamedTuple):
    names: tuple[tuple[str, str], ...]
    acronyms: frozenset[str]
    canonical: dict[str, str]
    """One acronym for all that have the same name, such as NIPS and NeurIPS."""
    contractions: dict[str, tuple[str, ...]]


@lru_cache(maxsize=1)
def _table() -> _Table:
    data = json.loads(files("sourcewright").joinpath("data/venues.json").read_bytes())
    series: dict[str, list[str]] = data["series"]
    first: dict[str, str] = {}
    canonical: dict[str, str] = {}
    for acronym, names in series.items():
        canonical[acronym] = first.setdefault(names[0], acronym)
    return _Table(
        names=tuple((name, acronym) for acronym, names in series.items() for name in names),
        acronyms=frozenset(series),
        canonical=canonical,
        contractions={short: tuple(words) for short, words in data["contractions"].items()},
    )
