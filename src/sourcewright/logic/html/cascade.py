"""CSS cascade: which elements a page's own style sheets hide.

Only rules with a simple selector that apply on a screen hide an element. An element is kept if
any rule may show it again: in another state, under another ancestor, without scripts.

Hidden blocks are left out of the result only, so that the classifier still measures the whole
page.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice

from lxml import etree

from sourcewright.logic.html.blocks import Block, Container
from sourcewright.logic.html.document import AttributeIndex, Node
from sourcewright.logic.html.inline import INLINE_TAGS
from sourcewright.logic.html.stylesheets import (
    WORD,
    CompoundSelector,
    Rule,
    parse_declarations,
    split_style_sheets,
)
from sourcewright.logic.html.visibility import (
    INHERITED,
    controlled_ids_in,
    hides_element,
    is_panel,
    shows_again,
)

_MAX_MATCHES = 300_000
"""Limit on matching a rule against an element, for the whole page: keeps the time bounded."""
_MAX_DESCENDANTS = 300
_MAX_CLASSES, _MAX_CLASS_ATTRIBUTE = 40, 2000
_MAX_CONTROL_ELEMENTS = 8
_MAX_HIDDEN_SHARE = 0.5
"""A page that hides a larger share of its text than this reveals it by scripts."""
_TEXT_NODES = etree.XPath(".//text()", smart_strings=False)
_SCROLL_ANIMATED = re.compile(
    r"anim|fade|reveal|appear|scroll|slide|lazy|load|wow|aos", re.IGNORECASE
)
"""Class names of elements that are transparent until they are scrolled into view."""
_EXPANDABLE = re.compile(r"accordion|answer|collaps|expand|faq|tab-?pane", re.IGNORECASE)
"""Class names of elements that a reader expands."""
_FRAMEWORK_RULES = """
.hidden, .hide, .is-hidden, .u-hidden, .d-none, .display-none, .element-hidden { display: none }
.invisible { visibility: hidden }
.sr-only, .visually-hidden, .visuallyhidden, .screen-reader-text, .screen-reader-only,
.screenreader-text, .element-invisible, .a11y-hidden, .offscreen { clip: rect(0, 0, 0, 0) }
"""
"""Rules of common CSS frameworks, whose style sheets are separate files and not fetched."""
_SCREEN_READER_ONLY = re.compile(r"\bsr-|visually|screen-?reader|a11y", re.IGNORECASE)
_MAX_CELL_DISTANCE, _MAX_ANCESTORS, _MAX_ICON_TEXT = 4, 60, 40
_SHOWN_CONDITIONALLY = re.compile(
    r"(?:^|\s)(?:\S{1,40}:|d-\w{2,3}-)(?:block|inline|flex|grid|table|contents|visible)"
    r"|(?:^|\s)(?:sm|md|lg|2?xl):not-sr-only|(?:^|\s)(?:visible|show)-"
)
"""Class names that show an element again on some screen size, or in some state."""

Names = frozenset[str]


@dataclass(slots=True)
class _RuleIndex:
    """Rules by the tag, class or id that an element must have, and a count of match attempts."""

    by_key: dict[str, list[Rule]] = field(default_factory=lambda: defaultdict(list))
    steps: int = 0

    def matching(self, tag: str, names: Names) -> Iterator[Rule]:
        for key in (tag, *names):
            for rule in self.by_key.get(key, ()):
                self.steps += 1
                if self.steps > _MAX_MATCHES:
                    return
                if rule.meets(tag, names):
                    yield rule

    def ancestors_match(self, node: Node, rule: Rule) -> bool:
        """Whether the element's ancestors match the rest of the rule's selector."""
        current = node
        for compound in rule.above:
            ancestors = islice(
                current.iterancestors(), 1 if compound.right_above else _MAX_ANCESTORS
            )
            current = next(
                (ancestor for ancestor in ancestors if self._matches(ancestor, compound)), None
            )
            if current is None:
                return False
        return True

    def _matches(self, node: Node, compound: CompoundSelector) -> bool:
        self.steps += 1
        if self.steps > _MAX_MATCHES or compound.tag not in ("", node.tag):
            return False
        return compound.names <= _names(node)


def hidden_by_style_sheets(root: Node, marks: AttributeIndex) -> frozenset[Node]:
    """The outermost elements that style sheets hide from every reader of the page."""
    raw_rules = split_style_sheets(_style_sheets(root))
    candidates = (rule for raw in raw_rules if raw.may_hide for rule in raw.rules())
    names_on_page = _names_on_page(marks)
    hiding = _index_rules(
        rule
        for rule in candidates
        if rule.sure and rule.named <= names_on_page and hides_element(rule.declared)
    )
    matched = (
        dict(_matched(_candidates(root, marks, hiding.by_key), hiding)) if hiding.by_key else {}
    )
    if not matched:
        return frozenset()
    substrings = _relevant_substrings(rule for rules in matched.values() for rule in rules)
    words = _name_words(matched)
    relevant = (raw for raw in raw_rules if raw.concerns(substrings, words))
    all_rules = _index_rules(rule for raw in relevant for rule in raw.rules())
    controlled_ids = controlled_ids_in(root)
    hidden = {
        node: rules[0]
        for node, rules in matched.items()
        if not is_panel(node, controlled_ids)
        and not _follows_control(node)
        and _stays_hidden(node, all_rules)
    }
    return frozenset(_within_hidden_share(root, hidden))


def _style_sheets(root: Node) -> Iterator[tuple[str, str, bool]]:
    yield _FRAMEWORK_RULES, "", True
    for sheet in root.iter("style"):
        without_scripts = any(ancestor.tag == "noscript" for ancestor in sheet.iterancestors())
        yield sheet.text or "", sheet.get("media") or "", not without_scripts


def _index_rules(rules: Iterable[Rule]) -> _RuleIndex:
    index = _RuleIndex()
    for rule in rules:
        index.by_key[rule.key].append(rule)
    return index


def _relevant_substrings(rules: Iterable[Rule]) -> frozenset[str]:
    """Substrings of which a rule must contain one to affect the hiding properties."""
    hiding = {name for rule in set(rules) for name in _hiding_properties(rule.declared)}
    return frozenset({name.partition("-")[0] for name in hiding} | {"trans", "anim"})


def _hiding_properties(declared: Mapping[str, str]) -> Iterable[str]:
    """Properties that hide on their own; all of them if only their combination hides."""
    sufficient = [name for name, value in declared.items() if hides_element({name: value})]
    return sufficient or declared.keys()


def _name_words(nodes: Iterable[Node]) -> frozenset[str]:
    """The words in tags, classes and ids of these elements and their descendants."""
    elements = {element for node in nodes for element in islice(node.iter("*"), _MAX_DESCENDANTS)}
    names = {name for element in elements for name in (element.tag, *_names(element))}
    return frozenset(word for name in names for word in WORD.findall(name))


def _matched(nodes: Iterable[Node], hiding: _RuleIndex) -> Iterator[tuple[Node, list[Rule]]]:
    """Elements that some hiding rule matches, each with these rules."""
    for node in nodes:
        candidates = hiding.matching(node.tag, _names(node))
        rules = [rule for rule in candidates if hiding.ancestors_match(node, rule)]
        if rules:
            yield node, rules


def _names_on_page(marks: AttributeIndex) -> Names:
    """All classes and ids of the page, as selectors write them."""
    ids = frozenset(f"#{value.strip()}" for value in marks.values("id"))
    return ids.union(*map(_classes, marks.values("class")))


def _candidates(root: Node, marks: AttributeIndex, keys: Iterable[str]) -> Iterator[Node]:
    """Elements with one of these tags, classes or ids."""
    tags = [key for key in keys if key[0] not in ".#"]
    names = frozenset(keys).difference(tags)
    if tags:
        yield from root.iter(*tags)
    for _, node in marks.where("class", lambda value: not names.isdisjoint(_classes(value))):
        yield node
    for _, node in marks.where("id", lambda value: f"#{value.strip()}" in names):
        yield node


def _names(node: Node) -> Names:
    names = _classes(node.get("class") or "")
    own_id = node.get("id")
    return names | {f"#{own_id.strip()}"} if own_id else names


@lru_cache(maxsize=4096)
def _classes(attribute: str) -> Names:
    return frozenset(
        f".{name}" for name in attribute[:_MAX_CLASS_ATTRIBUTE].split()[:_MAX_CLASSES]
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


def _stays_hidden(node: Node, index: _RuleIndex) -> bool:
    names = node.get("class") or ""
    if (
        _EXPANDABLE.search(names)
        or _SHOWN_CONDITIONALLY.search(names)
        or _is_text_alternative(node, names)
    ):
        return False
    style = _computed_style(node, index)
    if _SCROLL_ANIMATED.search(names):
        style.pop("opacity", None)
    if style.get("transition", "none") != "none":
        return False  # an animated element is meant to be shown
    if not hides_element(style):
        return False
    not_inherited = {name: value for name, value in style.items() if name not in INHERITED}
    return hides_element(not_inherited) or not _has_visible_descendant(node, index)


def _is_text_alternative(node: Node, names: str) -> bool:
    """Whether it is the only text of a table cell, as the text alternative of an icon is."""
    if not _SCREEN_READER_ONLY.search(names):
        return False
    ancestors = islice(node.iterancestors(), _MAX_CELL_DISTANCE)
    cell = next((ancestor for ancestor in ancestors if ancestor.tag in ("td", "th")), None)
    text = "" if cell is None else cell.text_content().strip()
    return 0 < len(text) <= _MAX_ICON_TEXT and text == node.text_content().strip()


def _computed_style(node: Node, index: _RuleIndex) -> dict[str, str]:
    """The computed style of an element; rules that may not apply count only if they show it."""
    matching = sorted(
        index.matching(node.tag, _names(node)), key=lambda rule: (rule.weight, rule.order)
    )
    checked = [(rule, rule.sure and index.ancestors_match(node, rule)) for rule in matching]
    style: dict[str, str] = {}
    important: dict[str, str] = {}
    for rule, sure in checked:
        if sure:
            style |= rule.declared
            important |= {name: rule.declared[name] for name in rule.pressing}
    style |= parse_declarations(node.get("style") or "")[0] | important
    for rule, sure in checked:
        if not sure:
            style |= {
                name: value
                for name, value in rule.declared.items()
                if not hides_element({name: value})
            }
    return style


def _has_visible_descendant(node: Node, index: _RuleIndex) -> bool:
    """Whether a descendant overrides the inherited hiding; assumed if there are too many."""
    descendants = list(islice(node.iterdescendants(), _MAX_DESCENDANTS + 1))
    return len(descendants) > _MAX_DESCENDANTS or any(
        shows_again(_computed_style(descendant, index))
        for descendant in descendants
        if isinstance(descendant.tag, str)
    )


def _within_hidden_share(root: Node, hidden: Mapping[Node, Rule]) -> list[Node]:
    """Elements to leave out, unless a rule, or all together, would hide most of the page."""
    outer = {
        node: rule
        for node, rule in hidden.items()
        if not any(ancestor in hidden for ancestor in node.iterancestors())
    }
    sizes = {node: _text_length(node) for node in outer}
    hidden_by_rule: dict[Rule, int] = defaultdict(int)
    for node, rule in outer.items():
        hidden_by_rule[rule] += sizes[node]
    limit = _text_length(root) * _MAX_HIDDEN_SHARE
    accepted = [node for node, rule in outer.items() if hidden_by_rule[rule] <= limit]
    return accepted if sum(sizes[node] for node in accepted) <= limit else []


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
        hidden = hidden_by_style_sheets(root, marks)
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
