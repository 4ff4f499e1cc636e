"""CSS selectors: compiled by cssselect2, matched against elements in a bounded number of steps.

A selector is certain if it depends only on the page as written. A selector that depends on a
state, such as `:hover`, `.no-js` or `[data-open]`, may match later; `may_match` leaves out such
conditions and those on other elements.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, lru_cache
from typing import Any

from cssselect2 import ElementWrapper, SelectorError
from cssselect2.compiler import CompiledSelector
from cssselect2.parser import (
    AttributeSelector,
    ClassSelector,
    CombinedSelector,
    CompoundSelector,
    FunctionalPseudoClassSelector,
    IDSelector,
    LocalNameSelector,
    MatchesAnySelector,
    NegationSelector,
    PseudoClassSelector,
    RelationalSelector,
    SpecificityAdjustmentSelector,
    parse,
)
from cssselect2.parser import Selector as ParsedSelector
from tinycss2 import parse_component_value_list

Node = Any
"""An lxml element; lxml ships no type hints."""

_MAX_LENGTH, _MAX_TOKENS, _MAX_DEPTH = 1000, 150, 6
"""Characters, tokens and nested parentheses of a selector; longer ones match nothing."""
_MAX_CLASSES, _MAX_CLASS_ATTRIBUTE = 200, 5000
_CHARACTERS_PER_STEP = 16
"""A longer selector costs more steps each time that it is matched."""
_STRUCTURAL = frozenset(
    (
        *("root", "first-child", "last-child", "only-child", "first-of-type", "last-of-type"),
        *("only-of-type", "link", "any-link", "nth-child", "nth-last-child", "nth-of-type"),
        *("nth-last-of-type", "lang"),
    )
)
"""Pseudo-classes that depend on the page as written."""
_STATE = re.compile(
    r"activ|anim|aos|aria|checked|clos|cloak|collaps|current|disabled|expand|focus|hid|hover|hydrat"
    r"|init|js\b|lazy|load|open|ready|reveal|select|show|state|toggle|visib",
    re.IGNORECASE,
)
"""Words in attributes, and in `:not()`, that a script changes."""
_NO_SCRIPT = re.compile(r"no-?(?:js|script)", re.IGNORECASE)
_PLAIN = (IDSelector, ClassSelector, LocalNameSelector)
_ALTERNATIVES = (MatchesAnySelector, SpecificityAdjustmentSelector)
_GROUPS = (*_ALTERNATIVES, NegationSelector, RelationalSelector)
_IN_BRACKETS = re.compile(r"\([^()]*+\)|\[[^\[\]]*+\]")
_COMBINATOR = re.compile(r"[\s>+~]+")
_NAME = re.compile(r"([.#])((?:[\w-]|[^\x00-\x7f]|\\.)++)")
_ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{1,6})\s?|(.))", re.DOTALL)

Test = Callable[["Element"], object]


@lru_cache(maxsize=4096)
def required_names(selector: str, *, only_last: bool = False) -> frozenset[str]:
    """Classes and ids without which a selector, or its last compound, matches nothing.

    Cheaper than compiling the selector.
    """
    for _ in range(_MAX_DEPTH if "(" in selector or "[" in selector else 0):
        selector = _IN_BRACKETS.sub("", selector)
    if only_last:
        selector = _COMBINATOR.split(selector.strip())[-1]
    return frozenset(
        kind + (_unescape(name) if "\\" in name else name)
        for kind, name in _NAME.findall(selector)
    )


def _unescape(name: str) -> str:
    return _ESCAPE.sub(
        lambda match: chr(min(int(match[1], 16), 0x10FFFF)) if match[1] else match[2], name
    )


class Selector:
    """One selector, parsed and compiled only if it is needed."""

    def __init__(self, text: str) -> None:
        self.length = len(text)
        self.last_names = required_names(text, only_last=True)
        """Classes and ids that a matching element has."""
        siblings = "+" in text or "~" in text
        self.names = self.last_names if siblings else required_names(text)
        """Classes and ids that a matching element or its ancestors have."""
        self._text = text

    @cached_property
    def parsed(self) -> Any:
        """The selector of cssselect2; None for a pseudo-element, invalid or too complex text."""
        if self.length > _MAX_LENGTH:
            return None
        tokens = parse_component_value_list(self._text, skip_comments=True)
        if _count_tokens(tokens, _MAX_DEPTH) > _MAX_TOKENS:
            return None
        try:
            parsed = list(parse(tokens))
        except (SelectorError, AttributeError):
            # An unfinished name such as `a|` is an AttributeError in cssselect2.
            return None
        return parsed[0] if len(parsed) == 1 and parsed[0].pseudo_element is None else None

    @cached_property
    def is_certain(self) -> bool:
        return self.parsed is not None and _is_certain(self.parsed.parsed_tree)

    @cached_property
    def keys(self) -> frozenset[str]:
        """Of these, every matching element has one: id, class, tag, `[attribute` or `*`."""
        if self.last_names:
            return frozenset({min(self.last_names)})
        return frozenset() if self.parsed is None else _keys(_last(self.parsed.parsed_tree))

    @cached_property
    def specificity(self) -> tuple[int, int, int]:
        a, b, c = self.parsed.specificity
        return a, b, c

    @cached_property
    def test(self) -> Test:
        return _never if self.parsed is None else _compile(self.parsed)

    @cached_property
    def loose_test(self) -> Test:
        """The test of the last compound, without what depends on a state."""
        if self.parsed is None:
            return _never
        simple = [part for part in _last(self.parsed.parsed_tree).simple_selectors if _fixed(part)]
        return _compile(ParsedSelector(CompoundSelector(simple))) if simple else _never


selector_of = lru_cache(maxsize=1024)(Selector)


def _count_tokens(tokens: Iterable[Any], depth: int) -> int:
    """The number of tokens, nested ones included; more than allowed if nested too deeply."""
    count = 0
    for token in tokens:
        inner = getattr(token, "arguments", None) or getattr(token, "content", None)
        count += 1
        if inner:
            count += _count_tokens(inner, depth - 1) if depth else _MAX_TOKENS
        if count > _MAX_TOKENS:
            break
    return count


def _compile(parsed: Any) -> Test:
    tree = parsed.parsed_tree
    if isinstance(tree, CompoundSelector) and all(
        isinstance(part, _PLAIN) for part in tree.simple_selectors
    ):
        return _plain_test(tree.simple_selectors)
    try:
        test: Test = CompiledSelector(parsed).test
    except (SelectorError, NotImplementedError, SyntaxError, RecursionError, AttributeError):
        # Unknown pseudo-classes, and a few empty arguments that cssselect2 cannot compile.
        return _never
    return test


def _plain_test(parts: Iterable[Any]) -> Test:
    """The test for classes, an id and a tag, which needs no compilation."""
    keys = frozenset(key for part in parts for key in _keys(CompoundSelector([part])))
    tag = next((key for key in keys if key[0] not in ".#"), None)
    names = keys - {tag}

    def test(element: "Element") -> bool:
        node = element.etree_element
        return tag in (None, node.tag) and names <= names_of(node)

    return test


def _never(_element: "Element") -> bool:
    return False


def _last(tree: Any) -> Any:
    """The last compound of a selector, which the element itself must match."""
    return tree.right if isinstance(tree, CombinedSelector) else tree


def _is_certain(tree: Any) -> bool:
    while isinstance(tree, CombinedSelector):
        if not all(map(_fixed, tree.right.simple_selectors)):
            return False
        tree = tree.left
    return all(map(_fixed, tree.simple_selectors))


def _fixed(part: Any) -> bool:
    """Whether a simple selector depends only on the page as written, not on a state."""
    if isinstance(part, ClassSelector):
        return not _NO_SCRIPT.fullmatch(part.class_name)
    if isinstance(part, AttributeSelector):
        return not _STATE.search(f"{part.name} {part.value or ''}")
    if isinstance(part, PseudoClassSelector | FunctionalPseudoClassSelector):
        return part.name in _STRUCTURAL
    if isinstance(part, _GROUPS):
        if isinstance(part, NegationSelector) and _STATE.search(repr(part)):
            return False
        inner = (getattr(one, "selector", one) for one in part.selector_list)
        return all(_is_certain(one.parsed_tree) for one in inner)
    return True


def _keys(compound: Any) -> frozenset[str]:
    by_kind: dict[type, frozenset[str]] = {}
    for part in compound.simple_selectors:
        if isinstance(part, IDSelector):
            return frozenset({f"#{part.ident}"})
        if isinstance(part, ClassSelector):
            by_kind[ClassSelector] = frozenset({f".{part.class_name}"})
        elif isinstance(part, LocalNameSelector):
            by_kind[LocalNameSelector] = frozenset({part.lower_local_name})
        elif isinstance(part, AttributeSelector):
            by_kind[AttributeSelector] = frozenset({f"[{part.lower_name}"})
        elif isinstance(part, _ALTERNATIVES):
            inner = (_keys(_last(one.parsed_tree)) for one in part.selector_list)
            by_kind[MatchesAnySelector] = frozenset().union(*inner)
    order = (ClassSelector, LocalNameSelector, MatchesAnySelector, AttributeSelector)
    return next((by_kind[kind] for kind in order if kind in by_kind), frozenset("*"))


def names_of(node: Node) -> frozenset[str]:
    """The id and the classes of an element, as selectors write them."""
    names = classes_in(node.get("class") or "")
    own_id = node.get("id")
    return names | {f"#{own_id}"} if own_id else names


@lru_cache(maxsize=4096)
def classes_in(attribute: str) -> frozenset[str]:
    return frozenset(
        f".{name}" for name in attribute[:_MAX_CLASS_ATTRIBUTE].split()[:_MAX_CLASSES]
    )


class StepLimitError(Exception):
    """Matching the page's selectors takes more steps than allowed."""


class Matcher:
    """Matches selectors against the elements of one page, and counts the steps."""

    def __init__(self, max_steps: int) -> None:
        self.steps = 0
        self._max_steps = max_steps
        self._elements: dict[Node, Element] = {}
        self._names: dict[Node, frozenset[str]] = {}
        self._positions: dict[Node, dict[Node, int]] = {}

    def matches(self, node: Node, selector: Selector) -> bool:
        if selector.names <= self._names_above(node):
            return self._passes(node, selector, selector.test)
        self.spend(1)
        return False

    def _names_above(self, node: Node) -> frozenset[str]:
        """The classes and ids of an element and its ancestors."""
        names = self._names.get(node)
        if names is None:
            parent = node.getparent()
            above = frozenset() if parent is None else self._names_above(parent)
            own = names_of(node)
            names = self._names[node] = above if own <= above else above | own
        return names

    def may_match(self, node: Node, selector: Selector) -> bool:
        """Whether it may match in another state, or under another ancestor."""
        return self._passes(node, selector, selector.loose_test)

    def _passes(self, node: Node, selector: Selector, test: Test) -> bool:
        self.spend(1 + selector.length // _CHARACTERS_PER_STEP)
        try:
            return bool(test(self.element(node)))
        except RecursionError:
            return False

    def spend(self, steps: int) -> None:
        self.steps += steps
        if self.steps > self._max_steps:
            raise StepLimitError

    def element(self, node: Node) -> "Element":
        element = self._elements.get(node)
        if element is None:
            element = self._elements[node] = Element(node, self)
        return element

    def release_elements(self) -> None:
        """End the cycles of references that keep the page in memory until they are collected."""
        self._elements.clear()

    def position(self, node: Node) -> int:
        """The index of an element among its siblings."""
        parent = node.getparent()
        if parent is None:
            return 0
        positions = self._positions.get(parent)
        if positions is None:
            self.spend(len(parent))
            positions = {child: at for at, child in enumerate(parent)}
            self._positions[parent] = positions
        return positions[node]


class Element(ElementWrapper):  # type: ignore[misc]  # cssselect2 has no type hints
    """An element as cssselect2 sees it.

    Its own wrapper has to be created from the root, and keeps a tuple of all earlier siblings
    for each element.
    """

    in_html_document = True
    transport_content_language = None

    def __init__(self, node: Node, matcher: Matcher) -> None:
        self.etree_element = node
        self._matcher = matcher

    @cached_property
    def parent(self) -> "Element | None":
        node = self.etree_element.getparent()
        return None if node is None else self._matcher.element(node)

    @cached_property
    def previous(self) -> "Element | None":
        node = self.etree_element.getprevious()
        return None if node is None else self._matcher.element(node)

    @property
    def ancestors(self) -> Iterator["Element"]:
        element = self.parent
        while element is not None:
            self._matcher.spend(1)
            yield element
            element = element.parent

    @property
    def previous_siblings(self) -> Iterator["Element"]:
        element = self.previous
        while element is not None:
            self._matcher.spend(1)
            yield element
            element = element.previous

    @property
    def index(self) -> int:
        return self._matcher.position(self.etree_element)

    @property
    def etree_siblings(self) -> list[Node]:
        if self.parent is None:
            return [self.etree_element]
        siblings: list[Node] = self.parent.etree_children
        self._matcher.spend(len(siblings))
        return siblings

    def iter_children(self) -> Iterator["Element"]:
        for child in self.etree_children:
            self._matcher.spend(1)
            yield self._matcher.element(child)
