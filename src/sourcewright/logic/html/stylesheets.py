"""CSS parsing: the rules of a page's style sheets that decide what is visible.

Decides whether a style sheet's rules hold on the screen of somebody who reads.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

_WIDTH = 1366.0
"""Pixels across, as most screens have them that pages are read on."""
_POINTS = {"px": 1.0, "em": 16.0, "rem": 16.0, "": 1.0}
_FEATURE = re.compile(
    r"\(\s*+(min|max)-(?:device-)?width\s*+:\s*+([\d.]{1,8}+)\s*+(px|r?em|)\s*+\)"
)
_ASIDE = re.compile(r"\([^)]*\)?")
_OTHERS = re.compile(r"\b(?:print|speech|aural|braille|handheld|tv|projection|embossed)\b")


def applies(media: str) -> bool | None:
    """Whether rules for these media hold; None where it depends on something else."""
    told = [_asks(query) for query in media[:500].lower().split(",")]
    if True in told:
        return True
    return None if None in told else False


def _asks(query: str) -> bool | None:
    plain = _ASIDE.sub(" ", query)
    if re.search(r"\bnot\b", query):
        return None
    if _OTHERS.search(plain):
        return False
    widths = _FEATURE.findall(query)
    if not all(_fits(bound, number, unit) for bound, number, unit in widths):
        return False
    return True if len(widths) == query.count("(") else None


def _fits(bound: str, number: str, unit: str) -> bool:
    try:
        size = float(number) * _POINTS[unit]
    except ValueError:
        return False
    return size <= _WIDTH if bound == "min" else size >= _WIDTH


_MOST_CHARACTERS = 500_000
_MOST_RULES, _DEEPEST = 10_000, 20
_LONGEST = 2000
"""Characters of a selector list, or of a rule, that are looked at."""
_NOISE = re.compile(
    r"/\*[^*]*+(?:\*(?!/)[^*]*+)*+(?:\*/|\Z)|\"[^\"\n]*+\"?|'[^'\n]*+'?|<!--|-->", re.DOTALL
)
# The last alternative takes what closes nothing: without it each of its characters would be tried.
_RULE = re.compile(r"([^{}]*+)\{([^{}]*+)\}|([^{}]*+)\{|\}|[^{}]++")
_PROPERTIES = frozenset(
    (
        *("display", "visibility", "opacity", "font", "font-size", "text-indent", "clip"),
        *("clip-path", "left", "right", "top", "bottom", "margin-left", "margin-top"),
        *("height", "max-height", "width", "max-width", "overflow", "padding-bottom"),
        *("padding-top", "color", "background", "background-color", "background-clip"),
        *("text-fill-color", "content-visibility", "zoom"),
        *("transform", "transition", "animation", "will-change", "translate", "filter"),
    )
)
# The letters are the last of display, visibility and opacity.
_SUSPECT = re.compile(
    r"y\s*:\s*(?:none|hidden|collapse|0|\.0)|clip|-\s*\d{3}|font(?:-size)?\s*:\s*[01.]"
    r"|height\s*:\s*[01](?:px)?\s*[;!}]|scale[xy]?\(\s*0|transparent",
    re.IGNORECASE,
)
_COLOUR = re.compile(r"(?:^|[;\s])color\s*:")
WORD = re.compile(r"[\w-]+")
_NAME = r"(?:[\w-]|[^\x00-\x7f]|\\[^\n])++"
_COMPOUND = re.compile(rf"([a-zA-Z][\w-]*+|\*)?((?:[.#]{_NAME})*+)")
_NAMES = re.compile(rf"[.#]{_NAME}")
_ESCAPED = re.compile(r"\\(.)")
_SPELT = re.compile(r"/\*.*?(?:\*/|\Z)|\\(?:([0-9a-fA-F]{1,6})\s?|(.))", re.DOTALL)
_ATTRIBUTE = re.compile(r"(?<!\\)\[[^\]]*\]?")
_PSEUDO = re.compile(r"(?<!\\):[\w-]+(?:\([^)]*\)?)?")
_ELEMENT = re.compile(r"(?<!\\)(?:::|:(?:before|after|first-l)\b)")
"""What stands for a part that is not in the page's text."""
_COMBINED = re.compile(r"\s*[>+~]\s*|\s+")
_GROUPS = re.compile(r"@(?:media|supports|layer)\b")


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """What one selector says about the elements that it may meet."""

    tag: str
    names: frozenset[str]
    """The id and the classes that an element must have, as selectors write them."""
    weight: tuple[int, int, int]
    order: int
    declared: Mapping[str, str]
    pressing: frozenset[str]
    """Properties that are said to be important."""
    sure: bool
    """Whether nothing else decides if it holds: no state, no other screen."""
    above: tuple["Compound", ...] = ()
    """What must stand above the element, the nearest first."""

    @property
    def key(self) -> str:
        """What every element has that it meets."""
        return min(self.names, default=self.tag)

    @property
    def named(self) -> frozenset[str]:
        """Every name that it speaks of, of the element and of those above."""
        return self.names.union(*(one.names for one in self.above))

    def meets(self, tag: str, names: frozenset[str]) -> bool:
        return self.tag in ("", tag) and self.names <= names


class Compound(NamedTuple):
    """One part of a selector, and whether an element must be right above the one before."""

    tag: str
    names: frozenset[str]
    right_above: bool


class Passage(NamedTuple):
    """One rule as it is written, to be understood when it matters."""

    selectors: str
    body: str
    order: int
    sure: bool

    @property
    def may_hide(self) -> bool:
        body = self.body[:_LONGEST]
        return self.sure and (bool(_SUSPECT.search(body)) or _is_painted(body))

    def concerns(self, words: Iterable[str], named: frozenset[str]) -> bool:
        """Whether it speaks of one of the words, and may meet what has one of the names."""
        body = self.body.lower()
        if not any(word in body for word in words):
            return False
        return not named.isdisjoint(WORD.findall(self.selectors[:_LONGEST]))

    def rules(self) -> Iterator[Rule]:
        declared, pressing = declared_in(self.body)
        for selector in self.selectors[:_LONGEST].split(",") if declared else ():
            found = _aim(selector.strip())
            if found is not None:
                tag, names, above = found
                sure = self.sure and above is not None
                weight = _weight([(tag, names), *((one.tag, one.names) for one in above or ())])
                yield Rule(tag, names, weight, self.order, declared, pressing, sure, above or ())


def _is_painted(body: str) -> bool:
    """Whether both the text and what is behind it are given a colour."""
    return "background" in body and bool(_COLOUR.search(body))


def passages_in(sheets: Iterable[tuple[str, str, bool]]) -> list[Passage]:
    """The rules of sheets, each given with its media and whether it surely holds."""
    found: list[Passage] = []
    left = _MOST_CHARACTERS
    for text, media, certain in sheets:
        holds = applies(media)
        if holds is not False:
            css = _NOISE.sub(" ", text[:left])
            more = _passages(css, len(found), sure=certain and bool(holds))
            found += islice(more, _MOST_RULES - len(found))
        left -= len(text)
        if left <= 0 or len(found) >= _MOST_RULES:
            break
    return found


def declared_in(body: str) -> tuple[dict[str, str], frozenset[str]]:
    """The properties that matter here, and which of them are important."""
    found: dict[str, str] = {}
    pressing: set[str] = set()
    for part in _unescaped(body[:_LONGEST]).lower().split(";"):
        name, _, value = part.partition(":")
        name = name.strip().removeprefix("-webkit-")
        if name not in _PROPERTIES:
            continue
        value, important, _ = value.partition("!")
        value = value.strip()
        if name in pressing and not important:
            continue
        if name == "font":
            name, value = "font-size", "0" if re.match(r"0(?:px)?[/\s]", value) else "1rem"
        found[name] = value
        if important:
            pressing.add(name)
    return found, frozenset(pressing)


def _unescaped(body: str) -> str:
    """The declarations without comments, and with the letters that were written as numbers."""
    if "\\" not in body and "/*" not in body:
        return body
    return _SPELT.sub(
        lambda found: chr(min(int(found[1], 16), 0x10FFFF)) if found[1] else found[2] or "", body
    )


def _passages(css: str, order: int, *, sure: bool) -> Iterator[Passage]:
    around: list[bool | None] = []
    """Of each group of rules that is open, whether it holds; None where that is not known."""
    for found in _RULE.finditer(css):
        if found[2] is not None:
            if False not in around:
                selectors = found[1].rpartition(";")[2].strip()
                if not selectors.startswith("@"):
                    order += 1
                    yield Passage(selectors, found[2], order, sure and None not in around)
        elif found[3] is not None:
            around.append(_group(found[3]))
            if len(around) > _DEEPEST:
                return
        elif around and found[0] == "}":
            around.pop()


def _group(prelude: str) -> bool | None:
    """Whether the rules in a block hold; those in another rule hold for what is inside it."""
    told = prelude.rpartition(";")[2].strip().lower()
    if not told.startswith("@"):
        return None
    if not _GROUPS.match(told):
        return None if told.startswith("@container") else False
    if told.startswith("@media"):
        return applies(told[6:])
    return None if " not" in told else True


def _weight(parts: Iterable[tuple[str, frozenset[str]]]) -> tuple[int, int, int]:
    tags, named = zip(*parts, strict=True)
    ids = sum(name.startswith("#") for names in named for name in names)
    return ids, sum(map(len, named)) - ids, sum(map(bool, tags))


def _aim(
    selector: str,
) -> tuple[str, frozenset[str], tuple[Compound, ...] | None] | None:
    """The tag and the names that a selector ends with, and what it wants above.

    That is None where a selector wants something else as well.
    """
    if _ELEMENT.search(selector):
        return None
    plain = _PSEUDO.sub("", _ATTRIBUTE.sub("", selector))
    *before, last = _COMBINED.split(plain)
    aim = _compound(last)
    if aim is None or last in ("", "*"):
        return None
    above = _above(selector, before) if plain == selector else None
    return *aim, above


def _above(selector: str, before: list[str]) -> tuple[Compound, ...] | None:
    """The parts before the last, the nearest first, where each stands above the next."""
    joints = _COMBINED.findall(selector)
    found = [_compound(part) for part in before]
    if any(part is None for part in found) or any(joint.strip() in ("+", "~") for joint in joints):
        return None
    parts = zip(reversed(found), reversed(joints), strict=False)
    return tuple(Compound(*part, joint.strip() == ">") for part, joint in parts if part)


def _compound(part: str) -> tuple[str, frozenset[str]] | None:
    compound = _COMPOUND.fullmatch(part)
    if compound is None:
        return None
    names = frozenset(_ESCAPED.sub(r"\1", name) for name in _NAMES.findall(compound[2]))
    return (compound[1] or "").lower().removeprefix("*"), names
