"""Venues: journals and proceedings by name, abbreviation (LTWA) or acronym, and preprint servers."""

import re
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from sourcewright.base.text.unicode import fold_text
from sourcewright.references.comparison.journal_names import (
    MIN_HEAD,
    abbreviates_name,
    full_names,
    is_same_single_word,
    journal_head,
    same_word,
    without_place,
)
from sourcewright.references.comparison.venue_table import venue_table

MAX_VENUE = 400
_YEAR = re.compile(r"\b(?:1[6-9]|20)[0-9]{2}\b|'[0-9]{2}\b")
_ORDINAL = re.compile(
    r"\b(?:[0-9]{1,3}(?:st|nd|rd|th)|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)?[ -]?"
    r"(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth"
    r"|thirteenth|fourteenth|fifteenth|sixteenth|seventeenth|eighteenth|nineteenth|twentieth"
    r"|thirtieth|fortieth|fiftieth|sixtieth))\b",
    re.IGNORECASE,
)
_EDITIONS = (
    re.compile(r"\b([0-9]{1,3})(?:st|nd|rd|th)\b", re.IGNORECASE),
    re.compile(r"\b(?:1[6-9]|20)[0-9]{2}\b"),
)
"""What tells the meetings of one series apart: the 56th, that of 2018."""
_PART = re.compile(
    r"\((?:vol(?:ume)?|part|long|short|student|system|industry|main)\b[^()]{0,60}\)", re.IGNORECASE
)
_PREPRINT = re.compile(
    r"\b(?:[a-z]{0,12}rxiv|corr|ssrn|preprints?|research square|osf|zenodo|repec|hal|techrxiv"
    r"|authorea|openreview)\b"
)
_ACRONYM = re.compile(r"\b[A-Z][A-Za-z]{0,5}[A-Z][A-Za-z0-9]{0,12}\b|\b[A-Z]{2,12}\b")
_FUNCTION_WORDS = frozenset(
    (
        *("a", "an", "and", "at", "in", "on", "of", "for", "the", "to", "d", "l"),
        *("de", "del", "della", "dei", "des", "der", "die", "du", "di", "da", "do", "dos", "das"),
        *("el", "en", "et", "fur", "fuer", "het", "il", "im", "la", "las", "le", "les", "los"),
        *("i", "och", "og", "per", "pour", "sur", "und", "van", "voor", "y", "zur", "\u0438"),
    )
)
_DULL = _FUNCTION_WORDS | {
    *("proceedings", "proc", "conference", "conferences", "conf", "international", "intl", "int"),
    *("annual", "annu", "meeting", "symposium", "symp", "ieee", "acm", "cvf", "usenix", "sig"),
    *("volume", "vol", "part", "section", "sect", "series", "ser", "th", "st", "nd", "rd"),
    *("long", "short", "papers", "paper", "main", "track", "workshop", "workshops", "companion"),
    *("extended", "abstracts", "lecture", "lect", "notes", "official", "online"),
}
_ADVANCES = frozenset({"advances", "adv"})
_PERIODICALS = (
    *("journal", "transactions", "letters", "review", "magazine", "annal", "zeitschrift"),
)
_PERIODICALS_ABBREVIATED = frozenset({"j", "trans", "lett", "rev", "mag", "ann", "z"})
_SET_OFF = re.compile(
    r"[(\[:,\u2013\u2014-]\s?([A-Z][A-Za-z]{0,8}[A-Z])\b|\b([A-Z][A-Za-z]{0,8}[A-Z])\s?[)\]:,\u2013\u2014-]"
)
_OWN_ACRONYM = re.compile(r"\s{0,2}([A-Z][A-Za-z]{0,6}[A-Z])(?:\s?[:\u2013\u2014-])?\s(?=\S)")
_LAW = re.compile(r"\bL\.\s?|(?<=\s)L$")
"""The word for law in the names of law reviews (Bluebook): `Yale L.J.`, `Am. J. Int'l L.`"""
_DOTTED = re.compile(r"\b(?:[A-Z]\.){2,6}(?=\s|$)")
"""Initials without spaces: `Ann. N.Y. Acad. Sci.`"""
_ELISION = re.compile(r"\b[lLdD]['\u2019](?=\w)")
_MEETINGS = frozenset(
    {"conference", "conf", "symposium", "symp", "workshop", "meeting", "proceedings", "proc"}
)
_FEW_WORDS = 2
_PLACE = re.compile(r"\s\((?=[^()]{0,60}[a-z])[^()]{3,60}\)\s{0,2}$")
"""What a catalogue adds to the name of a journal: `Lancet (London, England)`."""
MIN_SHARED = 0.7
"""Share of the content words of each name that the other must have."""


class Venue(NamedTuple):
    """A venue prepared for comparison."""

    letters: str
    words: tuple[str, ...]
    """The words that distinguish venues."""
    every_word: tuple[str, ...]
    series: frozenset[str]
    """Known conferences and journals that the name contains, by acronym."""
    journals: tuple[str, ...]
    """The journals that the name abbreviates, if that is known."""
    acronyms: frozenset[str]
    set_off: frozenset[str]
    """The acronyms that punctuation separates from the other words."""
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
    cited, recorded = cited[:MAX_VENUE], recorded[:MAX_VENUE]
    one, other = prepare_venue(cited), prepare_venue(recorded)
    if one.is_meeting and other.is_meeting and _are_other_editions(cited, recorded):
        return False
    if one.letters == other.letters:
        return True
    if one.is_preprint or other.is_preprint:
        return one.is_preprint and other.is_preprint
    if one.series and other.series:
        return not one.series.isdisjoint(other.series)
    spelled_out = product(one.journals or (cited,), other.journals or (recorded,))
    return any(_same_name(*pair) for pair in spelled_out)


def _are_other_editions(cited: str, recorded: str) -> bool:
    """Whether both names say which meeting of a series it was, and say different ones."""
    marks = ((set(mark.findall(cited)), set(mark.findall(recorded))) for mark in _EDITIONS)
    return any(one and other and one.isdisjoint(other) for one, other in marks)


def _same_name(cited: str, recorded: str) -> bool:
    one, other = prepare_venue(cited), prepare_venue(recorded)
    heads = journal_head(cited), journal_head(recorded)
    if heads[0].section and heads[1].section and heads[0].section != heads[1].section:
        return one.is_meeting and other.is_meeting and _share_words(one, other, strict=True)
    if one.letters == other.letters or _names_acronym(one, other) or _names_acronym(other, one):
        return True
    if _share_words(one, other, strict=bool(one.series or other.series)):
        return True
    return _same_head(cited, recorded)


def _same_head(cited: str, recorded: str) -> bool:
    """Whether a name is that of the other without its subtitle: `J. Phys. A`, a section."""
    first, second = journal_head(cited), journal_head(recorded)
    if not (first.has_subtitle or second.has_subtitle):
        return False
    one, other = prepare_venue(first.text), prepare_venue(second.text)
    if _names_acronym(one, other) or _names_acronym(other, one):
        return True
    if first.section and first.section == second.section:
        return abbreviates_name(one.words, other.words)
    if first.section or second.section or (first.has_subtitle and second.has_subtitle):
        return False
    if len(one.every_word) == 1 and one.letters == other.letters:
        return True
    weight = min(map(_weight, (one, other)))
    return weight >= MIN_HEAD and _share_words(one, other, strict=False)


def _weight(venue: Venue) -> int:
    """How many words a name has; names in Chinese or Japanese have no spaces between them."""
    return max(len(venue.words), sum(letter >= "\u2e80" for letter in venue.letters))


@lru_cache(maxsize=4096)
def prepare_venue(text: str) -> Venue:
    plain = _PLACE.sub("", _PART.sub(" ", _ORDINAL.sub(" ", _YEAR.sub(" ", text))))
    plain = _DOTTED.sub(lambda match: match[0].replace(".", ""), _LAW.sub("Law ", plain))
    plain = _without_own_acronym(_ELISION.sub("", plain))
    folded = without_place(fold_text(plain))
    words = folded.split()
    acronyms = frozenset(one.lower() for one in _ACRONYM.findall(plain))
    set_off = (one[1] or one[2] for one in _SET_OFF.finditer(plain))
    series = _series_in(f" {folded} ", acronyms, words)
    content = _content_of(words)
    return Venue(
        letters="".join(words),
        words=content or tuple(word for word in words if word not in _FUNCTION_WORDS),
        every_word=tuple(words),
        series=series,
        journals=full_names(folded),
        acronyms=acronyms,
        set_off=frozenset(one.lower() for one in set_off),
        is_preprint=is_preprint_venue(text),
        is_periodical=any(_is_periodical_word(word) for word in words),
        is_meeting=not _MEETINGS.isdisjoint(words),
    )


def _is_periodical_word(word: str) -> bool:
    return word.startswith(_PERIODICALS) or word in _PERIODICALS_ABBREVIATED


def _content_of(words: list[str]) -> tuple[str, ...]:
    """The words that distinguish a name: `Advances in` does so only before one or two words."""
    content = [word for word in words if _tells_apart(word)]
    others = [word for word in content if word not in _ADVANCES]
    return tuple(others if len(others) > _FEW_WORDS else content)


def _tells_apart(word: str) -> bool:
    return word not in _DULL and not word.isdecimal()


def _series_in(folded: str, acronyms: frozenset[str], words: list[str]) -> frozenset[str]:
    """The known series in a name; a longer name takes precedence over those that it contains."""
    table = venue_table()
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


def _title_words(venue: Venue) -> list[str]:
    return [word for word in venue.every_word if word not in _FUNCTION_WORDS]


def _without_own_acronym(name: str) -> str:
    """A name without its acronym at the beginning: `DMW - Deutsche Medizinische Wochenschrift`."""
    acronym = _OWN_ACRONYM.match(name)
    if acronym is None:
        return name
    rest = tuple(fold_text(name[acronym.end() :]).split())
    is_own = len(rest) > 1 and _are_initials(acronym[1].lower(), rest)
    return name[acronym.end() :] if is_own else name


def _names_acronym(short: Venue, full: Venue) -> bool:
    """Whether a name is the acronym in the other name, or its initials."""
    if len(short.words) != 1:
        return False
    word = short.words[0]
    others = [one for one in full.words if one != word]
    if word in full.acronyms and (full.is_meeting or word in full.set_off or not others):
        return True
    return len(word) >= 3 and any(
        len(words) >= 3 and _are_initials(word, words)
        for words in (full.words, full.every_word, tuple(others))
    )


def _are_initials(acronym: str, words: tuple[str, ...]) -> bool:
    """Whether an acronym consists of the initials of words, without those that it may leave out."""
    at = 0
    for word in words:
        if acronym[at : at + 1] == word[0]:
            at += 1
        elif word not in _DULL:
            return False
    return at == len(acronym)


def _share_words(one: Venue, other: Venue, *, strict: bool) -> bool:
    if not one.words or not other.words:
        return False
    short = min(len(one.words), len(other.words)) <= _FEW_WORDS
    if one.is_periodical != other.is_periodical and (strict or short):
        return False
    if one.is_meeting != other.is_meeting and short:
        return False
    if len(_title_words(one)) == 1 and len(_title_words(other)) == 1:
        return is_same_single_word(one.words[0], other.words[0])
    if not (one.is_meeting or other.is_meeting):
        return abbreviates_name(one.words, other.words)
    forward = sum(any(same_word(a, b) for b in other.words) for a in one.words) / len(one.words)
    backward = sum(any(same_word(b, a) for a in one.words) for b in other.words) / len(other.words)
    least = 1.0 if short else MIN_SHARED
    return forward >= least and backward >= least
