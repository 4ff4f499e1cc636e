"""CSS parsing: the rules of a page's style sheets that decide what is visible.

Media queries are evaluated for an ordinary desktop screen.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

_VIEWPORT_WIDTH = 1366.0
"""Viewport width in pixels: a common desktop screen."""
_PIXELS_PER_UNIT = {"px": 1.0, "em": 16.0, "rem": 16.0, "": 1.0}
_WIDTH_FEATURE = re.compile(
    r"\(\s*+(min|max)-(?:device-)?width\s*+:\s*+([\d.]{1,8}+)\s*+(px|r?em|)\s*+\)"
)
_PARENTHESISED = re.compile(r"\([^)]*\)?")
_OTHER_MEDIA = re.compile(r"\b(?:print|speech|aural|braille|handheld|tv|projection|embossed)\b")


def media_matches(media: str) -> bool | None:
    """Whether a media query list matches; None if that depends on something unknown."""
    results = [_query_matches(query) for query in media[:500].lower().split(",")]
    if True in results:
        return True
    return None if None in results else False


def _query_matches(query: str) -> bool | None:
    plain = _PARENTHESISED.sub(" ", query)
    if re.search(r"\bnot\b", query):
        return None
    if _OTHER_MEDIA.search(plain):
        return False
    widths = _WIDTH_FEATURE.findall(query)
    if not all(_width_matches(bound, number, unit) for bound, number, unit in widths):
        return False
    return True if len(widths) == query.count("(") else None


def _width_matches(bound: str, number: str, unit: str) -> bool:
    try:
        size = float(number) * _PIXELS_PER_UNIT[unit]
    except ValueError:
        return False
    return size <= _VIEWPORT_WIDTH if bound == "min" else size >= _VIEWPORT_WIDTH


_MAX_CHARACTERS = 500_000
_MAX_RULES, _MAX_NESTING = 10_000, 20
_MAX_LENGTH = 2000
"""Characters of a selector list, or of a rule's body, that are parsed."""
_COMMENT_OR_STRING = re.compile(
    r"/\*[^*]*+(?:\*(?!/)[^*]*+)*+(?:\*/|\Z)|\"[^\"\n]*+\"?|'[^'\n]*+'?|<!--|-->", re.DOTALL
)
# The last alternative consumes trailing text in one step; without it each character is tried.
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
# The leading `y` is the last letter of display, visibility and opacity.
_MAY_HIDE = re.compile(
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
_COMMENT_OR_ESCAPE = re.compile(r"/\*.*?(?:\*/|\Z)|\\(?:([0-9a-fA-F]{1,6})\s?|(.))", re.DOTALL)
_ATTRIBUTE = re.compile(r"(?<!\\)\[[^\]]*\]?")
_PSEUDO_CLASS = re.compile(r"(?<!\\):[\w-]+(?:\([^)]*\)?)?")
_PSEUDO_ELEMENT = re.compile(r"(?<!\\)(?:::|:(?:before|after|first-l)\b)")
"""Pseudo-elements, which are not part of the page's text."""
_COMBINATOR = re.compile(r"\s*[>+~]\s*|\s+")
_CONDITIONAL_GROUP = re.compile(r"@(?:media|supports|layer)\b")


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """One selector and the declarations for the elements that it matches."""

    tag: str
    names: frozenset[str]
    """The id and the classes that an element must have, as written in the selector."""
    weight: tuple[int, int, int]
    order: int
    declared: Mapping[str, str]
    pressing: frozenset[str]
    """Properties that are marked `!important`."""
    sure: bool
    """Whether it applies unconditionally: no pseudo-class, no unknown media query."""
    above: tuple["CompoundSelector", ...] = ()
    """What the element's ancestors must match, the nearest first."""

    @property
    def key(self) -> str:
        """A tag, class or id that every matching element has; the key of the index."""
        return min(self.names, default=self.tag)

    @property
    def named(self) -> frozenset[str]:
        """All classes and ids in the selector, those of ancestors included."""
        return self.names.union(*(compound.names for compound in self.above))

    def meets(self, tag: str, names: frozenset[str]) -> bool:
        return self.tag in ("", tag) and self.names <= names


class CompoundSelector(NamedTuple):
    """One compound of a selector, and whether it must match the direct parent."""

    tag: str
    names: frozenset[str]
    right_above: bool


class RawRule(NamedTuple):
    """One rule as written; parsed only if it is relevant."""

    selectors: str
    body: str
    order: int
    sure: bool

    @property
    def may_hide(self) -> bool:
        body = self.body[:_MAX_LENGTH]
        return self.sure and (bool(_MAY_HIDE.search(body)) or _sets_both_colours(body))

    def concerns(self, words: Iterable[str], named: frozenset[str]) -> bool:
        """Whether its body has one of the substrings and its selectors one of the names."""
        body = self.body.lower()
        if not any(word in body for word in words):
            return False
        return not named.isdisjoint(WORD.findall(self.selectors[:_MAX_LENGTH]))

    def rules(self) -> Iterator[Rule]:
        declared, important = parse_declarations(self.body)
        for selector in self.selectors[:_MAX_LENGTH].split(",") if declared else ():
            parsed = _parse_selector(selector.strip())
            if parsed is not None:
                tag, names, ancestors = parsed
                sure = self.sure and ancestors is not None
                weight = _specificity(
                    [
                        (tag, names),
                        *((compound.tag, compound.names) for compound in ancestors or ()),
                    ]
                )
                yield Rule(
                    tag, names, weight, self.order, declared, important, sure, ancestors or ()
                )


def _sets_both_colours(body: str) -> bool:
    """Whether both text and background get a colour."""
    return "background" in body and bool(_COLOUR.search(body))


def split_style_sheets(sheets: Iterable[tuple[str, str, bool]]) -> list[RawRule]:
    """The rules of style sheets, given as text, media query and whether they surely apply."""
    rules: list[RawRule] = []
    remaining = _MAX_CHARACTERS
    for text, media, is_certain in sheets:
        matches = media_matches(media)
        if matches is not False:
            css = _COMMENT_OR_STRING.sub(" ", text[:remaining])
            more = _split_rules(css, len(rules), sure=is_certain and bool(matches))
            rules += islice(more, _MAX_RULES - len(rules))
        remaining -= len(text)
        if remaining <= 0 or len(rules) >= _MAX_RULES:
            break
    return rules


def parse_declarations(body: str) -> tuple[dict[str, str], frozenset[str]]:
    """The properties that can hide an element, and which of them are `!important`."""
    declarations: dict[str, str] = {}
    important_names: set[str] = set()
    for part in _unescaped(body[:_MAX_LENGTH]).lower().split(";"):
        name, _, value = part.partition(":")
        name = name.strip().removeprefix("-webkit-")
        if name not in _PROPERTIES:
            continue
        value, important, _ = value.partition("!")
        value = value.strip()
        if name in important_names and not important:
            continue
        if name == "font":
            name, value = "font-size", "0" if re.match(r"0(?:px)?[/\s]", value) else "1rem"
        declarations[name] = value
        if important:
            important_names.add(name)
    return declarations, frozenset(important_names)


def _unescaped(body: str) -> str:
    """The declarations with comments removed and CSS escapes decoded."""
    if "\\" not in body and "/*" not in body:
        return body
    return _COMMENT_OR_ESCAPE.sub(
        lambda match: chr(min(int(match[1], 16), 0x10FFFF)) if match[1] else match[2] or "", body
    )


def _split_rules(css: str, order: int, *, sure: bool) -> Iterator[RawRule]:
    groups: list[bool | None] = []
    """For each open group, such as `@media`, whether it applies; None if that is not known."""
    for match in _RULE.finditer(css):
        if match[2] is not None:
            if False not in groups:
                selectors = match[1].rpartition(";")[2].strip()
                if not selectors.startswith("@"):
                    order += 1
                    yield RawRule(selectors, match[2], order, sure and None not in groups)
        elif match[3] is not None:
            groups.append(_group_applies(match[3]))
            if len(groups) > _MAX_NESTING:
                return
        elif groups and match[0] == "}":
            groups.pop()


def _group_applies(prelude: str) -> bool | None:
    """Whether a group's rules apply; None if unknown, as for nested rules."""
    condition = prelude.rpartition(";")[2].strip().lower()
    if not condition.startswith("@"):
        return None
    if not _CONDITIONAL_GROUP.match(condition):
        return None if condition.startswith("@container") else False
    if condition.startswith("@media"):
        return media_matches(condition[6:])
    return None if " not" in condition else True


def _specificity(parts: Iterable[tuple[str, frozenset[str]]]) -> tuple[int, int, int]:
    tags, named = zip(*parts, strict=True)
    ids = sum(name.startswith("#") for names in named for name in names)
    return ids, sum(map(len, named)) - ids, sum(map(bool, tags))


def _parse_selector(
    selector: str,
) -> tuple[str, frozenset[str], tuple[CompoundSelector, ...] | None] | None:
    """The tag and names of a selector's last compound, and what it requires of ancestors.

    The last is None where the selector has other conditions as well.
    """
    if _PSEUDO_ELEMENT.search(selector):
        return None
    plain = _PSEUDO_CLASS.sub("", _ATTRIBUTE.sub("", selector))
    *earlier, last = _COMBINATOR.split(plain)
    compound = _parse_compound(last)
    if compound is None or last in ("", "*"):
        return None
    ancestors = _ancestor_compounds(selector, earlier) if plain == selector else None
    return *compound, ancestors


def _ancestor_compounds(selector: str, earlier: list[str]) -> tuple[CompoundSelector, ...] | None:
    """The compounds before the last, nearest first; None if siblings or unknown parts occur."""
    combinators = _COMBINATOR.findall(selector)
    compounds = [_parse_compound(part) for part in earlier]
    if any(part is None for part in compounds) or any(
        combinator.strip() in ("+", "~") for combinator in combinators
    ):
        return None
    parts = zip(reversed(compounds), reversed(combinators), strict=False)
    return tuple(
        CompoundSelector(*part, combinator.strip() == ">") for part, combinator in parts if part
    )


def _parse_compound(part: str) -> tuple[str, frozenset[str]] | None:
    compound = _COMPOUND.fullmatch(part)
    if compound is None:
        return None
    names = frozenset(_ESCAPED.sub(r"\1", name) for name in _NAMES.findall(compound[2]))
    return (compound[1] or "").lower().removeprefix("*"), names
