"""People in lists of authors: same person or not, initials, order, missing and invented names."""

import json
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from html import unescape
from importlib.resources import files
from typing import Literal, NamedTuple

from rapidfuzz.distance import Levenshtein

from sourcewright.base.text.name_particles import split_particles, trailing_particles
from sourcewright.base.text.person_names import split_name
from sourcewright.base.text.romanisation import has_other_alphabet, romanised
from sourcewright.base.text.scripts import main_script
from sourcewright.base.text.unicode import fold_text
from sourcewright.base.works import Author

Likeness = Literal["same", "variant", "conflict", "different"]
"""`variant`: a nickname, a misspelling, a middle name. `conflict`: the same family name with another
given name."""

AuthorsAgreement = Literal[
    "match", "variant", "reordered", "incomplete", "differs", "group", "unknown"
]
"""`incomplete`: the citation names some of the authors, in order, without "et al.". `group`: one
names a collaboration, the other its members."""

_FEW_LETTERS = 5
MAX_COMPARED = 50
"""Of longer lists, which indexes and reference managers cut, only so many names are compared."""
_BEFORE_ELLIPSIS = 2
"""How many authors stand before an ellipsis and the last one at least."""
_CUT_LIST = 10
"""Some indexes list the first ten authors of many, and do not say so."""
_SUFFIXES = frozenset({"jr", "sr", "ii", "iii", "iv"})
_COLLABORATIONS = frozenset(("collaboration", "collaborations", "consortium", "investigators"))
_MIN_MEMBERS = 3
_GROUP_WORDS = frozenset(("a", "an", "and", "for", "in", "of", "on", "the"))
_IDEOGRAPHIC = "\u2e80"
_SLAVIC = re.compile(r"(?:[oe]va?|ina?|ska?|ic|[eu]nk[oa]|[cui]uk)$")
"""How Slavic family names end, in the spelling of `romanised`."""
_ALPHABETS = frozenset(("latin", "cyrillic", "greek", None))
"""Scripts whose names can be romanised letter by letter."""


class Person(NamedTuple):
    """The names of one author, folded."""

    family: tuple[str, ...]
    given: tuple[str, ...]
    is_group: bool
    may_be_inverted: bool = False
    """Whether the family name may be initials, as in `Serre JP` or `Xiaoming LI`."""
    core: tuple[str, ...] = ()
    """The family name without its particles."""
    particles: tuple[str, ...] = ()
    """Those of the family name, in order, wherever they stand."""
    capital_particles: tuple[str, ...] = ()
    """Words at the end of the given names that may be particles too: `Robert De`, `Jan Op`."""

    @property
    def words(self) -> frozenset[str]:
        return frozenset((*self.family, *self.given))

    def with_family(self, family: tuple[str, ...], given: tuple[str, ...]) -> "Person":
        """The person with other names, which have no particles."""
        return self._replace(family=family, given=given, core=family)


@lru_cache(maxsize=8192)
def person_of(author: Author) -> Person:
    """The names of an author; a name that cannot be split is a family name."""
    family, given = author.family, author.given
    if not family:
        name = split_name(unescape(author.name))
        family, given = name.family or name.whole or author.name, name.given
    given, given_particles, capitals = _without_particles(unescape(given or ""))
    particles, core = split_particles(unescape(family))
    folded, core = (_spelled_alike(words) for words in (fold_text(unescape(family)).split(), core))
    names = tuple(map(_transliterated, _given_words(given)))
    if not names and len(core) > 1 and not author.is_organisation:
        folded, core, names = folded[-1:], core[-1:], core[:-1]
    person = Person(
        folded,
        names,
        author.is_organisation,
        _may_be_initials(family, given),
        core or folded,
        tuple(map(_transliterated, (*given_particles, *particles))),
        tuple(map(_transliterated, capitals)),
    )
    return _inverted(person, given) if _is_initial(folded) else person


def _without_particles(given: str) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """The given names, the particles in small letters after them, and those with a capital."""
    words = given.split()
    count = trailing_particles(words)
    names, rest = words[: len(words) - count], words[len(words) - count :]
    capitals = [word for word in rest if word[:1].isupper()]
    if rest and rest[: len(capitals)] != capitals:
        # `Jan van Op`: what is written in both ways is no particle.
        return given, (), ()
    small = rest[len(capitals) :]
    return (
        " ".join((*names, *capitals)),
        tuple(map(fold_text, small)),
        tuple(map(fold_text, capitals)),
    )


def _spelled_alike(words: Iterable[str]) -> tuple[str, ...]:
    """The words without suffixes and numbers, with their umlauts written alike."""
    spelled = map(_transliterated, words)
    return tuple(word for word in spelled if word not in _SUFFIXES and not word.isdecimal())


def _is_initial(family: tuple[str, ...]) -> bool:
    return len(family) == 1 and len(family[0]) == 1 and family[0] < _IDEOGRAPHIC


def _inverted(person: Person, given: str) -> Person:
    """The person if the initials stand last, as in `Sun T`, `YU R` and `GEARY R S`."""
    words = fold_text(given).split()
    families = tuple(_transliterated(word) for word in words if len(word) > 1)
    if not families:
        return person
    initials = (*(word for word in words if len(word) == 1), *person.family)
    return person.with_family(families, initials)


def _may_be_initials(family: str, given: str | None) -> bool:
    is_initials = family.isupper() and family.isascii() and family.isalpha()
    return is_initials and 1 < len(family) <= 3 and bool(given) and not (given or "").isupper()


def _given_words(text: str) -> list[str]:
    """The given names; initials without spaces, as in `JM`, are separated."""
    words: list[str] = []
    for word in text.replace(".", ". ").split():
        bare = word.strip(".")
        letters = bare.replace("-", "")
        is_initials = letters.isupper() and letters.isalpha() and 1 < len(letters) <= 3
        folded = fold_text(letters if is_initials else bare)
        words += list(folded) if is_initials else folded.split()
    return words


def likeness(one: Person, other: Person) -> Likeness:
    """Whether two names can be those of one person."""
    if one.is_group or other.is_group:
        return "same" if _is_same_group(one, other) else "different"
    alike = _likeness(*_in_one_alphabet(one, other))
    if alike in ("different", "conflict") and _are_transliterations(one, other):
        respelled = _likeness(_romanised_person(one), _romanised_person(other))
        alike = "variant" if respelled in ("same", "variant") else alike
    if alike != "different" or not (one.may_be_inverted or other.may_be_inverted):
        return alike
    return _likeness(_with_initials_last(one), _with_initials_last(other))


def _likeness(one: Person, other: Person) -> Likeness:
    if one.words == other.words or _is_same_without_spaces(one, other):
        return "same"
    if _is_other_particle(one, other):
        return "different"
    if _same_family(one, other):
        return _given_likeness(_given_beside(one, other), _given_beside(other, one))
    if _is_swapped(one, other) or _is_family_first(one, other) or _is_family_first(other, one):
        return "same"
    if _is_misspelled("".join(one.core), "".join(other.core)):
        agree = _given_likeness(one.given, other.given)
        return "variant" if agree in ("same", "variant") and one.given else "different"
    return "different"


def _is_same_without_spaces(one: Person, other: Person) -> bool:
    """Whether two Chinese, Japanese or Korean names have the same characters, in either order."""
    name, other_name = ("".join((*person.family, *person.given)) for person in (one, other))
    if not name or not other_name or min(name + other_name) < _IDEOGRAPHIC:
        return False
    swapped, other_swapped = ("".join((*person.given, *person.family)) for person in (one, other))
    return name in (other_name, other_swapped) or swapped == other_name


def _in_one_alphabet(one: Person, other: Person) -> tuple[Person, Person]:
    """Both romanised, if only one of them is in Cyrillic or Greek."""
    alphabets = [any(map(has_other_alphabet, person.words)) for person in (one, other)]
    if alphabets[0] == alphabets[1]:
        return one, other
    return _romanised_person(one), _romanised_person(other)


def _are_transliterations(one: Person, other: Person) -> bool:
    """Whether two family names may be one Slavic name, as Starobinsky and Starobinskii."""
    name, other_name = ("".join(map(romanised, person.core)) for person in (one, other))
    return name == other_name and _SLAVIC.search(name) is not None


def _romanised_person(person: Person) -> Person:
    names = (person.family, person.given, person.core, person.particles)
    family, given, core, particles = (tuple(map(romanised, words)) for words in names)
    return person._replace(family=family, given=given, core=core, particles=particles)


def _with_initials_last(person: Person) -> Person:
    """`Serre JP` with JP as initials."""
    if not person.may_be_inverted:
        return person
    return person.with_family(person.given, tuple("".join(person.family)))


def are_comparable(one: Person, other: Person) -> bool:
    """Whether the scripts of two names can be compared: a Chinese name says nothing about Latin."""
    scripts = {main_script("".join(person.family)) for person in (one, other)}
    return len(scripts) == 1 or scripts <= _ALPHABETS


def is_like(one: Person, other: Person) -> bool:
    """Whether two names can be those of one person."""
    return likeness(one, other) in ("same", "variant")


def compare_authors(
    cited: Sequence[Author], known: Sequence[Author], *, et_al: bool, known_truncated: bool
) -> AuthorsAgreement:
    """How the authors of a citation relate to those of a record."""
    if not cited or not known:
        return "unknown"
    et_al = et_al or len(cited) > MAX_COMPARED
    known_truncated = known_truncated or len(known) > MAX_COMPARED
    first = [person_of(author) for author in cited[:MAX_COMPARED]]
    second = [person_of(author) for author in known[:MAX_COMPARED]]
    first, second = _without_lone_group(first, second), _without_lone_group(second, first)
    if not first or not second:
        return "group"
    cut = known_truncated or (len(second) >= _CUT_LIST and len(first) >= 2 * len(second))
    return _agreement(first, second, et_al=et_al, is_cut=cut)


def _agreement(
    first: Sequence[Person], second: Sequence[Person], *, et_al: bool, is_cut: bool
) -> AuthorsAgreement:
    """How two lists relate; `is_cut` if the second may lack authors."""
    listed_pairs = list(zip(first, second, strict=False))
    comparable = [pair for pair in listed_pairs if are_comparable(*pair)]
    pairs = [likeness(*pair) for pair in comparable]
    too_many = len(first) > len(second) and not is_cut
    if all(one in ("same", "variant") for one in pairs) and not too_many:
        if len(first) < len(second) and not et_al:
            return "incomplete"
        if len(comparable) < len(listed_pairs):
            return "unknown"
        return "variant" if "variant" in pairs else "match"
    if et_al and len(first) > _BEFORE_ELLIPSIS and is_like(first[-1], second[-1]):
        # APA names the last author after an ellipsis.
        return _agreement(first[:-1], second[:-1], et_al=True, is_cut=is_cut)
    if _listed(first, second) == len(first) <= len(second):
        return "reordered" if len(first) == len(second) or et_al else "incomplete"
    return "differs"


def _without_lone_group(people: list[Person], others: Sequence[Person]) -> list[Person]:
    """The people without a collaboration, if the other list names none, but several members."""
    if any(one.is_group or _is_collaboration(one) for one in others) or len(others) < _MIN_MEMBERS:
        return people
    return [one for one in people if not _is_collaboration(one)]


def _is_collaboration(person: Person) -> bool:
    return not _COLLABORATIONS.isdisjoint(person.words)


def shared_authors(cited: Sequence[Author], known: Sequence[Author]) -> float:
    """The share of the cited people that a record lists; 0 if either has no authors."""
    if not cited or not known:
        return 0.0
    first = [person_of(author) for author in cited[:MAX_COMPARED]]
    return _listed(first, [person_of(author) for author in known[:MAX_COMPARED]]) / len(first)


def _listed(people: Sequence[Person], others: Sequence[Person]) -> int:
    left = list(others)
    count = 0
    for person in people:
        match = next((one for one in left if is_like(person, one)), None)
        if match is not None:
            left.remove(match)
            count += 1
    return count


def _is_same_group(one: Person, other: Person) -> bool:
    """Whether two organisations are the same: one name has the words of the other, or initials."""
    shorter, longer = sorted((_group_words(one), _group_words(other)), key=len)
    if not shorter or set(shorter) <= set(longer):
        return bool(shorter)
    return len(shorter) == 1 and shorter[0] == "".join(word[0] for word in longer)


def _group_words(person: Person) -> list[str]:
    text = " ".join((*person.given, *person.family)).replace("united states", "u s")
    words = (word.replace("isation", "ization") for word in text.split())
    joined = " ".join(word for word in words if word not in _GROUP_WORDS)
    return re.sub(r"\bu s\b", "us", joined).split()


def _is_other_particle(one: Person, other: Person) -> bool:
    """Whether both names have particles, and not the same ones: `vom Saal` and `von Saal`.

    A particle that is missing is none that differs: many indexes leave it out, or write its
    initials among those of the given names.
    """
    first, second = _particles_beside(one, other), _particles_beside(other, one)
    if not first or not second or first == second:
        return False
    if "".join(one.family) == "".join(other.family):
        return False
    short, long = sorted((first, second), key=lambda words: len("".join(words)))
    is_abbreviated = short[0][0] == "v" and "".join(short) == "".join(word[0] for word in long)
    # French and Spanish leave out `de` alone: `de La Fontaine`, `La Fontaine`.
    is_article = long[0] == "de" and long[1:] == short
    return not (is_abbreviated or is_article)


def _particles_beside(person: Person, other: Person) -> tuple[str, ...]:
    """The particles, with the capital ones unless the other has them as given names."""
    capitals = person.capital_particles
    is_given = all(any(_is_initial_of(one, name) for one in other.given) for name in capitals)
    return person.particles if is_given else (*capitals, *person.particles)


def _given_beside(person: Person, other: Person) -> tuple[str, ...]:
    """The given names, with the particles if the other may have their initials among its own."""
    has_initials = any(len(word) == 1 for word in other.given)
    is_beside = has_initials and not other.particles
    return (*person.given, *person.particles) if is_beside else person.given


def _same_family(one: Person, other: Person) -> bool:
    if "".join(one.core) == "".join(other.core) or "".join(one.family) == "".join(other.family):
        return True
    # Compound family names: `Matas Navarro` and `Navarro`, `Giro i Nieto` and `Giro`.
    shorter, longer = sorted((one.core, other.core), key=len)
    if not shorter or len(longer) == len(shorter):
        return False
    return longer[-len(shorter) :] == shorter or longer[: len(shorter)] == shorter


def _given_likeness(one: tuple[str, ...], other: tuple[str, ...]) -> Likeness:
    if not one or not other:
        return "same"
    joined, others = "".join(one), "".join(other)
    first, second = one[0], other[0]
    if first == second or joined in (others, _initials(other)) or others == _initials(one):
        return "same"
    if _abbreviates(one, other) or _abbreviates(other, one):
        return "same"
    if _is_nickname(first, second) or _is_misspelled(first, second):
        return "variant"
    if min(len(first), len(second)) >= 3 and (
        first.startswith(second) or second.startswith(first)
    ):
        return "variant"
    long_names = {word for word in one if len(word) > 2} & {
        word for word in other if len(word) > 2
    }
    return "variant" if long_names else "conflict"


def _initials(names: tuple[str, ...]) -> str:
    """The initials of several names: `jcjm`, which is not taken apart if it may be a name."""
    return "".join(name[0] for name in names) if len(names) > 1 else ""


def _abbreviates(short: tuple[str, ...], full: tuple[str, ...]) -> bool:
    """Whether names are initials of others, in order; names in between may be missing."""
    if not any(len(word) == 1 for word in short):
        return False
    at = 0
    for word in short:
        while at < len(full) and not _is_initial_of(word, full[at]):
            at += 1
        if at == len(full):
            # Hyphenated names give several initials: J.-Q. for Jiaqi.
            are_initials = all(len(one) == 1 for one in short)
            return are_initials and short[0] == full[0][0] and len(full) == 1
        at += 1
    return short[0][0] == full[0][0] or len(short) < len(full)


def _is_initial_of(word: str, name: str) -> bool:
    return (
        name.startswith(word)
        if len(word) == 1
        else word == name or (len(name) == 1 and word.startswith(name))
    )


def _is_swapped(one: Person, other: Person) -> bool:
    """Whether family and given name are swapped."""
    if not one.given or not other.given:
        return False
    return _joined(one.family) == _joined(other.given) and _joined(other.family) == _joined(
        one.given
    )


def _joined(words: tuple[str, ...]) -> str:
    # Capitals such as `YUE` were taken for initials, and have to be transliterated again.
    return _transliterated("".join(words))


def _is_family_first(one: Person, other: Person) -> bool:
    """Whether the other has the family name first, as in Vietnamese: `Nguyen VA`, `Nguyen Van An`.

    Two names that agree are required, because one initial fits many family names.
    """
    ordered, length = (*other.given, *other.family), len(one.family)
    if len(one.given) < 2 or len(ordered) != length + len(one.given):
        return False
    return ordered[:length] == one.family and all(map(_is_initial_of, one.given, ordered[length:]))


def _is_misspelled(one: str, other: str) -> bool:
    if min(len(one), len(other)) < _FEW_LETTERS:
        return False
    return Levenshtein.distance(one, other, score_cutoff=1) <= 1


def _is_nickname(one: str, other: str) -> bool:
    table = _nicknames()
    return other in table.get(one, ()) or one in table.get(other, ())


@lru_cache(maxsize=1)
def _nicknames() -> dict[str, frozenset[str]]:
    data = json.loads(files("sourcewright").joinpath("data/nicknames.json").read_bytes())
    return {name: frozenset(short.split()) for name, short in data["nicknames"].items()}


def _transliterated(word: str) -> str:
    """A name with its umlauts written alike, whether as `ue` or as `u`; so are å and đ."""
    for pair, letter in (("ae", "a"), ("oe", "o"), ("ue", "u"), ("aa", "a"), ("dj", "d")):
        word = word.replace(pair, letter)
    return word
