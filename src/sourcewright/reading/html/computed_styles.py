"""Computed styles: the cascade for elements that may be hidden, and which parts stay hidden."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import chain, islice

from sourcewright.reading.css.selectors import Matcher, names_of, required_names, selector_of
from sourcewright.reading.css.stylesheets import (
    WORD,
    Declarations,
    RawRule,
    StyleRule,
    split_selectors,
    substitute,
)
from sourcewright.reading.css.values import CssColour
from sourcewright.reading.html.document import Node
from sourcewright.reading.html.visibility import (
    background_colour,
    hides_descendants,
    hides_element,
    hides_image,
    inline_style,
    shows_again,
)

_CHARACTERS_PER_STEP, _NESTED_CHARACTERS_PER_STEP = 100, 2
"""Characters that are parsed for one step of the limit; nested rules are parsed completely."""
MAX_ANCESTORS = 60
_MAX_DESCENDANTS = 300
_SCROLL_ANIMATED = re.compile(
    r"anim|fade|reveal|appear|scroll|slide|lazy|load|wow|aos", re.IGNORECASE
)
"""Class names of elements that are transparent until they are scrolled into view."""
_EXPANDABLE = re.compile(r"accordion|answer|collaps|expand|faq|tabs?-?pane", re.IGNORECASE)
"""Class names of elements that a reader expands."""
_SCREEN_READER_ONLY = re.compile(r"\bsr-|visually|screen-?reader|a11y", re.IGNORECASE)
_MAX_CELL_DISTANCE, _MAX_ICON_TEXT = 4, 40
_SHOWN_CONDITIONALLY = re.compile(
    r"(?:^|\s)(?:\S{1,40}:|d-\w{2,3}-)(?:block|inline|flex|grid|table|contents|visible)"
    r"|(?:^|\s)(?:sm|md|lg|2?xl):not-sr-only|(?:^|\s)(?:visible|show)-"
)
"""Class names that show an element again on some screen size, or in some state."""
_COLOUR_ATTRIBUTE = re.compile(r"#?\w{1,30}")
_HEX = re.compile(r"[0-9a-fA-F]{6}")

CANVAS = "#fff"
"""The background of a page that states none, in every browser's light colours."""

Names = frozenset[str]
Source = object
"""What hides an element: a rule, or the element itself by its attributes."""


class Rule:
    """A style rule with its selector."""

    def __init__(self, rule: StyleRule) -> None:
        self.selector = selector_of(rule.selector)
        self.declarations = rule.declarations
        self._order = rule.order
        self._applies = rule.is_certain

    @property
    def is_certain(self) -> bool:
        return self._applies and self.selector.is_certain

    @property
    def precedence(self) -> tuple[tuple[int, int, int], int]:
        """Specificity and order: rules with a higher precedence win."""
        return self.selector.specificity, self._order


class RuleIndex:
    """Rules by the id, class, tag or attribute that a matching element has."""

    def __init__(self, rules: Iterable[StyleRule]) -> None:
        self.by_key: dict[str, list[Rule]] = defaultdict(list)
        for rule in map(Rule, rules):
            for key in rule.selector.keys:
                self.by_key[key].append(rule)

    def rules_for(self, node: Node, matcher: Matcher) -> list[Rule]:
        """Rules that may match the element, those with the lowest precedence first."""
        names = names_of(node)
        keys = (node.tag, "*", *names, *(f"[{name}" for name in node.attrib))
        groups = [self.by_key[key] for key in keys if key in self.by_key]
        matcher.spend(sum(map(len, groups)))
        rules = dict.fromkeys(
            rule
            for rule in chain.from_iterable(groups)
            if rule.selector.last_names <= names and rule.selector.parsed is not None
        )
        return sorted(rules, key=lambda rule: rule.precedence)


def parsing_steps(rule: RawRule) -> int:
    """The steps that parsing a rule counts for."""
    nested = len(rule.plain_body) // _NESTED_CHARACTERS_PER_STEP if "{" in rule.body else 0
    return 5 + nested + (len(rule.selectors) + len(rule.plain_body)) // _CHARACTERS_PER_STEP


def own_style(node: Node) -> str:
    """The `style` attribute, preceded by what the attributes for colours state."""
    style = node.get("style") or ""
    colour = node.get("color") if node.tag == "font" else None
    for name, value in (("color", colour), ("background-color", node.get("bgcolor"))):
        if value and _COLOUR_ATTRIBUTE.fullmatch(value):
            style = f"{name}:{'#' if _HEX.fullmatch(value) else ''}{value};{style}"
    return style


def has_white_canvas(rules: Iterable[RawRule], *, loads: bool) -> bool:
    """Whether a page without any stated background is white: not where it may be dark."""
    return not loads and not any("color-scheme" in rule.body for rule in rules)


class ComputedStyles:
    """Computed styles of hidden elements, and of those around and within them."""

    def __init__(
        self,
        matcher: Matcher,
        rules: list[RawRule],
        sources: Mapping[Node, Source],
        *,
        loads: bool,
    ) -> None:
        self._matcher = matcher
        self._rules = rules
        self._loads_style_sheets = loads
        elements = {element for node in sources for element in _examined(node, sources[node])}
        names = frozenset(name for element in elements for name in names_of(element))
        others = {name for element in elements for name in (element.tag, *element.attrib)}
        words = frozenset(word for name in (*names, *others) for word in WORD.findall(name))
        properties = _relevant_substrings(sources.values())
        self._index = RuleIndex(
            rule
            for raw in rules
            if raw.concerns(properties, words)
            for rule in self._parsed(raw, names)
        )
        self._has_white_canvas = has_white_canvas(rules, loads=loads)
        self._styles: dict[Node, dict[str, str]] = {}
        self._variables: dict[str, RuleIndex] = {}

    def _parsed(self, raw: RawRule, names: Names) -> Iterator[StyleRule]:
        self._matcher.spend(parsing_steps(raw))
        return raw.rules(lambda selector: required_names(selector, only_last=True) <= names)

    def hidden_parts(self, node: Node) -> tuple[list[Node], list[Node]]:
        """The hidden elements of this one, itself or some in it, and those with hidden text only."""
        style = self._hiding_style(node)
        if style is None or (node.tag == "img" and not hides_image(style)):
            return [], []
        if hides_descendants(style):
            return [node], []
        descendants = list(islice(node.iterdescendants(), _MAX_DESCENDANTS + 1))
        if len(descendants) > _MAX_DESCENDANTS:
            return [], []
        visible = {one for one in descendants if shows_again(self.style(one), style)}
        around = {ancestor for one in visible for ancestor in one.iterancestors()}
        hidden, emptied, remaining = [], [], [node]
        while remaining:
            one = remaining.pop()
            if one in around and one not in visible:
                emptied.append(one)
                remaining += one
            elif one not in visible:
                hidden.append(one)
        return hidden, emptied

    def _hiding_style(self, node: Node) -> Mapping[str, str] | None:
        """The style of an element that is hidden, whatever its reader or its scripts do."""
        style = dict(self.style(node))
        if _SCROLL_ANIMATED.search(node.get("class") or ""):
            style.pop("opacity", None)
        if style.get("transition", "none") != "none":
            return None  # an animated element is meant to be shown
        if not hides_element(style):
            style["background-color"] = self._background_behind(node)
        return style if hides_element(style) else None

    def _background_behind(self, node: Node) -> str:
        """The colour of the background behind an element; empty if that is not certain."""
        on_canvas = self._has_white_canvas
        for element in islice(chain((node,), node.iterancestors()), MAX_ANCESTORS):
            style = self.style(element)
            colour = background_colour(style)
            if colour is not None and not colour.is_transparent:
                return style["background-color"]
            if self._may_cover(element, style, colour):
                break
            # Text in an element that is moved may lie on a picture.
            on_canvas = on_canvas and style.get("position", "static") == "static"
            if element.tag == "html" and on_canvas:
                return CANVAS
        return ""

    def _may_cover(
        self, element: Node, style: Mapping[str, str], colour: CssColour | None
    ) -> bool:
        """Whether an element may have a background that is not known here, or lie on another."""
        is_unknown = colour is None and (
            "background-color" in style or "background-image" in style
        )
        is_placed = style.get("position", "static") in ("absolute", "fixed", "sticky")
        is_named = self._loads_style_sheets and (element.get("class") or element.get("id"))
        return bool(is_unknown or is_placed or is_named or element.get("background"))

    def style(self, node: Node) -> dict[str, str]:
        """The computed style; rules that may not apply count only if they show the element."""
        known = self._styles.get(node)
        if known is None:
            known = self._styles[node] = self._computed(node)
        return known

    def _computed(self, node: Node) -> dict[str, str]:
        style: dict[str, str] = {}
        important: dict[str, str] = {}
        others: list[Rule] = []
        for rule in self._index.rules_for(node, self._matcher):
            if rule.is_certain and self._matcher.matches(node, rule.selector):
                style |= rule.declarations.values
                important |= {
                    name: rule.declarations.values[name] for name in rule.declarations.important
                }
            else:
                others.append(rule)
        style = {**style, **inline_style(own_style(node)), **important}
        for name, value in style.items():
            if "var(" in value:
                style[name] = substitute(value, lambda variable: self._variable(node, variable))
        if hides_element(style):
            self._show(node, style, others)
        return style

    def _show(self, node: Node, style: dict[str, str], rules: Iterable[Rule]) -> None:
        """Let rules that may apply in another state show the element."""
        for rule in rules:
            values = rule.declarations.values
            if self._matcher.may_match(node, rule.selector):
                style |= {
                    name: value
                    for name, value in values.items()
                    if not hides_element({name: value})
                }

    def _variable(self, node: Node, name: str) -> str:
        """The value of a custom property, which elements inherit; empty if there is none."""
        declared = self._declared_variables.get(name, [])
        if len({value for _, value in declared}) <= 1:
            return declared[0][1] if declared else ""
        index = self._variables.get(name)
        if index is None:
            index = self._variables[name] = RuleIndex(
                StyleRule(selector, Declarations({name: value}, frozenset()), raw.order, True)
                for raw, value in declared
                for selector in split_selectors(raw.selectors)
            )
        for element in islice(chain((node,), node.iterancestors()), MAX_ANCESTORS):
            for rule in reversed(index.rules_for(element, self._matcher)):
                if rule.is_certain and self._matcher.matches(element, rule.selector):
                    return rule.declarations.values[name]
        return ""

    @cached_property
    def _declared_variables(self) -> dict[str, list[tuple[RawRule, str]]]:
        declared: dict[str, list[tuple[RawRule, str]]] = defaultdict(list)
        for raw in self._rules:
            if raw.is_certain and "--" in raw.body:
                for name, value in raw.variables():
                    declared[name].append((raw, value))
        return declared


def _examined(node: Node, source: Source) -> Iterable[Node]:
    """The elements whose styles decide whether this one is hidden."""
    if isinstance(source, Rule) and hides_descendants(source.declarations.values):
        return (node,)
    above = MAX_ANCESTORS if _is_about_colours(source) else 0
    return chain(islice(node.iter("*"), _MAX_DESCENDANTS), islice(node.iterancestors(), above))


def _is_about_colours(source: Source) -> bool:
    """Whether it is not a rule that hides an element on its own."""
    if not isinstance(source, Rule):
        return True
    values = source.declarations.values
    return "color" in values and not hides_element(values)


def _relevant_substrings(sources: Iterable[Source]) -> Names:
    """Substrings of which a rule must contain one to affect the hiding properties."""
    rules = {source for source in sources if isinstance(source, Rule)}
    hiding = {name for rule in rules for name in _hiding_properties(rule.declarations.values)}
    substrings = {name.partition("-")[0] for name in hiding} | {"trans", "anim"}
    if any(map(_is_about_colours, sources)):
        substrings |= {"color", "background", "position", "font", "visib"}
    return frozenset(substrings)


def _hiding_properties(values: Mapping[str, str]) -> Iterable[str]:
    """Properties that hide on their own; all of them if only their combination hides."""
    sufficient = [
        name for name, value in values.items() if "var(" in value or hides_element({name: value})
    ]
    return sufficient or values.keys()


def may_be_revealed(node: Node) -> bool:
    """Whether its class names say that it is shown in some case."""
    names = node.get("class") or ""
    return bool(
        _EXPANDABLE.search(names)
        or _SHOWN_CONDITIONALLY.search(names)
        or _is_text_alternative(node, names)
    )


def _is_text_alternative(node: Node, names: str) -> bool:
    """Whether it is the only text of a table cell, as the text alternative of an icon is."""
    if not _SCREEN_READER_ONLY.search(names):
        return False
    ancestors = islice(node.iterancestors(), _MAX_CELL_DISTANCE)
    cell = next((ancestor for ancestor in ancestors if ancestor.tag in ("td", "th")), None)
    text = "" if cell is None else cell.text_content().strip()
    return 0 < len(text) <= _MAX_ICON_TEXT and text == node.text_content().strip()
