"""CSS cascade: which elements a page's own style sheets hide.

A rule hides an element if it certainly applies on a screen. The element is kept all the same if
another rule may show it again: in another state, under another ancestor, without scripts.

Hidden blocks are left out of the result only, so that the classifier still measures the whole
page.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice

from lxml import etree

from sourcewright.reading.css.selectors import Matcher, StepLimitError, classes_in, required_names
from sourcewright.reading.css.stylesheets import (
    RawRule,
    StyleRule,
    background_colours,
    hiding_variables,
    may_hide,
    split_style_sheets,
    substitute,
    text_colours,
)
from sourcewright.reading.css.values import CssColour
from sourcewright.reading.html.blocks import Block, Container
from sourcewright.reading.html.computed_styles import (
    CANVAS,
    MAX_ANCESTORS,
    ComputedStyles,
    RuleIndex,
    Source,
    has_white_canvas,
    may_be_revealed,
    own_style,
    parsing_steps,
)
from sourcewright.reading.html.document import AttributeIndex, Node
from sourcewright.reading.html.inline import IMAGE_TAGS, INLINE_TAGS
from sourcewright.reading.html.visibility import (
    NEVER_HIDDEN,
    controlled_ids_in,
    hides_descendants,
    hides_element,
    inline_style,
    is_panel,
)

MAX_STEPS = 250_000
"""Limit on parsing and matching for the whole page: keeps the time bounded."""
_MAX_CONTROL_ELEMENTS = 8
_MAX_HIDDEN_SHARE = 0.5
"""A page that hides a larger share of its text than this reveals it by scripts."""
_OWN_TEXT = etree.XPath("./text()", smart_strings=False)
_TEXT_NODES = etree.XPath(".//text()", smart_strings=False)
_INHERITED_PROPERTY = re.compile(r"color|background|visib|font", re.IGNORECASE)
_LOADS_STYLE_SHEET = etree.XPath("boolean(//link[contains(@rel, 'tylesheet')])")
_ATTRIBUTE_NAME = re.compile(r"[a-z][\w-]*")
_FRAMEWORK_RULES = """
.hidden, .hide, .is-hidden, .u-hidden, .d-none, .display-none, .element-hidden { display: none }
.invisible { visibility: hidden }
.sr-only, .visually-hidden, .visuallyhidden, .screen-reader-text, .screen-reader-only,
.screenreader-text, .element-invisible, .a11y-hidden, .offscreen { clip: rect(0, 0, 0, 0) }
"""
"""Rules of common CSS frameworks, whose style sheets are separate files and not fetched."""
_MAX_COLOURS, _STEPS_PER_COLOUR = 300, 10
_CONTENT_WITHOUT_TEXT = (*IMAGE_TAGS, "input", "q", "rt")


def hidden_by_style_sheets(root: Node, marks: AttributeIndex, matcher: Matcher) -> frozenset[Node]:
    """The outermost elements that styles hide from every reader of the page.

    Removes the hidden text around elements that are visible within a hidden one.
    """
    rules = split_style_sheets(_style_sheets(root))
    candidates = _Search(root, marks, rules, matcher).hiding()
    if not candidates:
        return frozenset()
    controlled_ids = controlled_ids_in(root)
    candidates = {
        node: source
        for node, source in candidates.items()
        if node.tag not in NEVER_HIDDEN
        and _has_content(node)
        and not is_panel(node, controlled_ids)
        and not _follows_control(node)
        and not may_be_revealed(node)
    }
    hidden: dict[Node, Source] = {}
    emptied: dict[Node, Source] = {}
    try:
        styles = ComputedStyles(matcher, rules, candidates, loads=bool(_LOADS_STYLE_SHEET(root)))
        for node, source in candidates.items():
            parts, around = styles.hidden_parts(node)
            hidden |= dict.fromkeys(parts, source)
            emptied |= dict.fromkeys(around, source)
    except StepLimitError:
        pass  # the elements that were not examined are kept
    accepted = _within_hidden_share(root, hidden, emptied)
    for node in accepted.intersection(emptied):
        _remove_text(node)
    return accepted.difference(emptied)


def _style_sheets(root: Node) -> Iterator[tuple[str, str, bool]]:
    yield _FRAMEWORK_RULES, "", True
    for sheet in root.iter("style"):
        without_scripts = any(ancestor.tag == "noscript" for ancestor in sheet.iterancestors())
        yield sheet.text or "", sheet.get("media") or "", not without_scripts


def _remove_text(node: Node) -> None:
    node.text = None
    for child in node:
        child.tail = None


class _Search:
    """Finds the elements of a page that a rule or their own attributes may hide."""

    def __init__(
        self, root: Node, marks: AttributeIndex, rules: list[RawRule], matcher: Matcher
    ) -> None:
        self._root = root
        self._marks = marks
        self._rules = rules
        self._matcher = matcher
        ids = frozenset(f"#{value}" for value in marks.values("id"))
        self._names = ids.union(*map(classes_in, marks.values("class")))
        self._loads_style_sheets = _LOADS_STYLE_SHEET(root)

    def hiding(self) -> dict[Node, Source]:
        """The elements, each with what hides it."""
        variables = hiding_variables(raw.body for raw in self._rules if "--" in raw.body)
        rules = self._parsed(raw for raw in self._rules if raw.may_hide(variables))
        hiding = (rule for rule in rules if _may_hide_element(rule.declarations.values, variables))
        sources: dict[Node, Source] = {}
        try:
            for node, rule in chain(self._matching(hiding), self._of_background_colour()):
                sources.setdefault(node, rule)
        except StepLimitError:
            pass
        return sources

    def _parsed(self, rules: Iterable[RawRule]) -> Iterator[StyleRule]:
        """The rules that certainly apply to names that occur on the page."""
        for raw in rules:
            self._matcher.spend(parsing_steps(raw))
            for rule in raw.rules(lambda selector: required_names(selector) <= self._names):
                if rule.is_certain:
                    yield rule

    def _matching(self, rules: Iterable[StyleRule]) -> Iterator[tuple[Node, Source]]:
        index = RuleIndex(rules)
        for key, node in self._candidates(index.by_key):
            for rule in index.by_key[key]:
                if rule.is_certain and self._matcher.matches(node, rule.selector):
                    yield node, rule
                    break

    def _candidates(self, keys: Iterable[str]) -> Iterator[tuple[str, Node]]:
        """Elements with one of these tags, classes, ids or attributes, and which they have."""
        tags = [key for key in keys if key[0] not in ".#["]
        names = frozenset(key for key in keys if key[0] in ".#")
        for tag in tags:
            yield from ((tag, node) for node in self._root.iter(tag))
        for _, node in self._marks.where(
            "class", lambda value: not names.isdisjoint(classes_in(value))
        ):
            yield from ((name, node) for name in names & classes_in(node.get("class")))
        for _, node in self._marks.where("id", lambda value: f"#{value}" in names):
            yield f"#{node.get('id')}", node
        for key in keys:
            if key[0] == "[" and _ATTRIBUTE_NAME.fullmatch(key[1:]):
                yield from ((key, node) for node in self._root.xpath(f"//*[@{key[1:]}]"))

    def _of_background_colour(self) -> Iterator[tuple[Node, Source]]:
        """Elements whose text has the colour of some background, or that only hide own text."""
        styled: dict[str, list[Node]] = defaultdict(list)
        for _, node in (
            *self._marks.where("style", _INHERITED_PROPERTY.search),
            *self._marks.where("bgcolor", bool),
            *self._marks.where("color", bool),
        ):
            styled[own_style(node)].append(node)
        for style in filter(_hides_only_own_text, styled):
            yield from ((node, node) for node in styled[style])
        coloured = {
            style: judged
            for style, nodes in styled.items()
            if "color" in style and (judged := [node for node in nodes if self._is_judged(node)])
        }
        # Where other style sheets are loaded, they decide which background such text has.
        rules = [] if self._loads_style_sheets else self._rules
        bodies = [raw.plain_body for raw in rules if raw.is_certain and "color" in raw.plain_body]
        colours = _unique(map(text_colours, chain(coloured, bodies)))
        if not colours:
            return
        bodies = [raw.plain_body for raw in self._rules if "background" in raw.plain_body]
        backgrounds = _unique(map(background_colours, chain(styled, bodies)))
        if has_white_canvas(self._rules, loads=bool(self._loads_style_sheets)):
            backgrounds |= _unique([background_colours(f"background:{CANVAS}")])
        suspicious = {one for one in colours if any(map(one.looks_like, backgrounds))}
        for style, nodes in coloured.items():
            if not suspicious.isdisjoint(text_colours(style)):
                yield from ((node, node) for node in nodes)
        yield from self._matching(self._parsed(self._coloured(rules, suspicious)))

    def _coloured(self, rules: Iterable[RawRule], colours: set[CssColour]) -> Iterator[RawRule]:
        """The rules that give one of these colours to text."""
        for raw in rules if colours else ():
            if "color" in raw.plain_body:
                self._matcher.spend(_STEPS_PER_COLOUR)
                if not colours.isdisjoint(text_colours(raw.plain_body)):
                    yield raw

    def _is_judged(self, node: Node) -> bool:
        """Whether the background behind an element cannot come from a style sheet elsewhere."""
        if not self._loads_style_sheets:
            return True
        for element in islice(chain((node,), node.iterancestors()), MAX_ANCESTORS):
            if "background" in own_style(element):
                return True
            if element.get("class") or element.get("id"):
                return False
        return True


def _unique(colours: Iterable[Iterable[CssColour]]) -> set[CssColour]:
    unique: set[CssColour] = set()
    for several in colours:
        unique.update(several)
        if len(unique) >= _MAX_COLOURS:
            break
    return unique


def _hides_only_own_text(style: str) -> bool:
    """Whether the style hides text, but not what is visible again inside the element."""
    if not may_hide(style):
        return False
    values = inline_style(style)
    return hides_element(values) and not hides_descendants(values)


def _may_hide_element(values: Mapping[str, str], variables: Mapping[str, str]) -> bool:
    """Whether the declarations hide an element if variables have a value that does."""
    if {"color", "background-color"} <= values.keys() and "var(" in values["color"]:
        return True
    return hides_element(
        {
            name: substitute(value, lambda variable: variables.get(variable, ""))
            for name, value in values.items()
        }
    )


def _has_content(node: Node) -> bool:
    """Whether anything is lost if the element is hidden; a third of those that may be are empty."""
    return next(node.itertext(), None) is not None or any(
        True for _ in node.iter(*_CONTENT_WITHOUT_TEXT)
    )


def _follows_control(node: Node) -> bool:
    """Whether a button, which may expand it, comes right before the element."""
    previous = node.getprevious()
    if previous is None or not isinstance(previous.tag, str):
        return False
    return any(
        element.tag in ("button", "summary") or "aria-expanded" in element.attrib
        for element in islice(previous.iter(), _MAX_CONTROL_ELEMENTS)
    )


def _within_hidden_share(
    root: Node, hidden: Mapping[Node, Source], emptied: Mapping[Node, Source]
) -> frozenset[Node]:
    """Elements to leave out, unless a rule, or all together, would hide most of the page."""
    outer = {
        node: source
        for node, source in hidden.items()
        if not any(ancestor in hidden for ancestor in node.iterancestors())
    }
    if not outer and not emptied:
        return frozenset()
    sizes = {node: _text_length(node) for node in outer}
    sizes |= {node: sum(map(len, _OWN_TEXT(node))) for node in emptied}
    outer |= emptied
    hidden_by_source: dict[Source, int] = defaultdict(int)
    for node, source in outer.items():
        hidden_by_source[source] += sizes[node]
    limit = _text_length(root) * _MAX_HIDDEN_SHARE
    accepted = [node for node, source in outer.items() if hidden_by_source[source] <= limit]
    return frozenset(accepted if sum(sizes[node] for node in accepted) <= limit else ())


def _text_length(node: Node) -> int:
    scripts = (script.text or "" for script in node.iter("script", "style"))
    return sum(map(len, map(str.strip, _TEXT_NODES(node)))) - sum(
        len(text.strip()) for text in scripts
    )


_WITHIN_BLOCKS = INLINE_TAGS | {"tr", "td", "th"}
"""Elements within a block; they are left out when the block is read."""


class HiddenByStyles:
    """The hidden elements of one page. Created before the page is split into blocks."""

    def __init__(
        self, root: Node, marks: AttributeIndex, inline: frozenset[Node] = frozenset()
    ) -> None:
        matcher = Matcher(MAX_STEPS)
        hidden = hidden_by_style_sheets(root, marks, matcher)
        matcher.release_elements()
        blocks = hidden - inline
        self._nodes = frozenset(node for node in blocks if node.tag not in _WITHIN_BLOCKS)
        for node in hidden - self._nodes:
            node.set("style", "display:none")

    def holds(self, block: Block) -> bool:
        place: Container | None = block.place if self._nodes else None
        while place is not None:
            if place.node in self._nodes:
                return True
            place = place.parent
        return False
