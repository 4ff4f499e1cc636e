"""CSS cascade: which elements a page's own style sheets hide.

A rule hides by a plain selector that holds on a screen. Whatever may show the element again
keeps it: another state, another ancestor, a page without scripts.

Leaves out what a page's style sheets hide, and still lets the page be measured with it.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice

from lxml import etree

from sourcewright.logic.html.blocks import Block, Place
from sourcewright.logic.html.document import Marks, Node
from sourcewright.logic.html.inline import INLINE
from sourcewright.logic.html.stylesheets import WORD, Compound, Rule, declared_in, passages_in
from sourcewright.logic.html.visibility import INHERITED, hides, is_panel, opened_in, shows_again

_MOST_STEPS = 300_000
"""How often a rule is held against an element, over the whole page."""
_MOST_INSIDE = 300
_MOST_NAMES, _LONGEST = 40, 2000
_MOST_OF_CONTROL = 8
_SHARE = 0.5
"""A page that hides more of its text than this shows it when its scripts have run."""
_TEXTS = etree.XPath(".//text()", smart_strings=False)
_COMING = re.compile(r"anim|fade|reveal|appear|scroll|slide|lazy|load|wow|aos", re.IGNORECASE)
"""Names of what is transparent until it comes into sight."""
_UNFOLDING = re.compile(r"accordion|answer|collaps|expand|faq|tab-?pane", re.IGNORECASE)
"""Names of what a reader opens."""
_USUAL = """
.hidden, .hide, .is-hidden, .u-hidden, .d-none, .display-none, .element-hidden { display: none }
.invisible { visibility: hidden }
.sr-only, .visually-hidden, .visuallyhidden, .screen-reader-text, .screen-reader-only,
.screenreader-text, .element-invisible, .a11y-hidden, .offscreen { clip: rect(0, 0, 0, 0) }
"""
"""What the sheets of frameworks say, which stand in files of their own."""
_READ_OUT = re.compile(r"\bsr-|visually|screen-?reader|a11y", re.IGNORECASE)
_NEAR, _FAR, _SHORT = 4, 60, 40
_ELSEWHERE = re.compile(
    r"(?:^|\s)(?:\S{1,40}:|d-\w{2,3}-)(?:block|inline|flex|grid|table|contents|visible)"
    r"|(?:^|\s)(?:sm|md|lg|2?xl):not-sr-only|(?:^|\s)(?:visible|show)-"
)
"""Names that show an element again on a screen of some size, or in some state."""

Names = frozenset[str]


@dataclass(slots=True)
class _Sheets:
    """The rules by what every element has that they meet, and how often they were tried."""

    by_key: dict[str, list[Rule]] = field(default_factory=lambda: defaultdict(list))
    steps: int = 0

    def meeting(self, tag: str, names: Names) -> Iterator[Rule]:
        for key in (tag, *names):
            for rule in self.by_key.get(key, ()):
                self.steps += 1
                if self.steps > _MOST_STEPS:
                    return
                if rule.meets(tag, names):
                    yield rule

    def stands(self, node: Node, rule: Rule) -> bool:
        """Whether above the element is what a rule wants there."""
        here = node
        for wanted in rule.above:
            above = islice(here.iterancestors(), 1 if wanted.right_above else _FAR)
            here = next((one for one in above if self._is_met(one, wanted)), None)
            if here is None:
                return False
        return True

    def _is_met(self, node: Node, wanted: Compound) -> bool:
        self.steps += 1
        if self.steps > _MOST_STEPS or wanted.tag not in ("", node.tag):
            return False
        return wanted.names <= _names(node)


def hidden_by_sheets(root: Node, marks: Marks) -> frozenset[Node]:
    """The elements that no reader of the page sees, the outermost ones."""
    passages = passages_in(_sheets(root))
    suspects = (rule for one in passages if one.may_hide for rule in one.rules())
    present = _present(marks)
    hiding = _indexed(
        rule for rule in suspects if rule.sure and rule.named <= present and hides(rule.declared)
    )
    met = dict(_met(_candidates(root, marks, hiding.by_key), hiding)) if hiding.by_key else {}
    if not met:
        return frozenset()
    words, named = _words(rule for rules in met.values() for rule in rules), _named(met)
    telling = (one for one in passages if one.concerns(words, named))
    every = _indexed(rule for one in telling for rule in one.rules())
    opened = opened_in(root)
    hidden = {
        node: rules[0]
        for node, rules in met.items()
        if not is_panel(node, opened) and not _follows_control(node) and _stays_hidden(node, every)
    }
    return frozenset(_bearable(root, hidden))


def _sheets(root: Node) -> Iterator[tuple[str, str, bool]]:
    yield _USUAL, "", True
    for sheet in root.iter("style"):
        without_scripts = any(one.tag == "noscript" for one in sheet.iterancestors())
        yield sheet.text or "", sheet.get("media") or "", not without_scripts


def _indexed(rules: Iterable[Rule]) -> _Sheets:
    sheets = _Sheets()
    for rule in rules:
        sheets.by_key[rule.key].append(rule)
    return sheets


def _words(rules: Iterable[Rule]) -> frozenset[str]:
    """What a rule must speak of to change what these do."""
    hiding = {name for rule in set(rules) for name in _hiding_names(rule.declared)}
    return frozenset({name.partition("-")[0] for name in hiding} | {"trans", "anim"})


def _hiding_names(declared: Mapping[str, str]) -> Iterable[str]:
    """What hides by itself; all, where it is several things together."""
    alone = [name for name, value in declared.items() if hides({name: value})]
    return alone or declared.keys()


def _named(nodes: Iterable[Node]) -> frozenset[str]:
    """The words in the names of elements, and of what is inside them."""
    inside = {one for node in nodes for one in islice(node.iter("*"), _MOST_INSIDE)}
    names = {name for one in inside for name in (one.tag, *_names(one))}
    return frozenset(word for name in names for word in WORD.findall(name))


def _met(nodes: Iterable[Node], hiding: _Sheets) -> Iterator[tuple[Node, list[Rule]]]:
    """Elements that hiding rules meet, each with those."""
    for node in nodes:
        met = hiding.meeting(node.tag, _names(node))
        rules = [rule for rule in met if hiding.stands(node, rule)]
        if rules:
            yield node, rules


def _present(marks: Marks) -> Names:
    """Every name that some element has."""
    ids = frozenset(f"#{value.strip()}" for value in marks.values("id"))
    return ids.union(*map(_classes, marks.values("class")))


def _candidates(root: Node, marks: Marks, keys: Iterable[str]) -> Iterator[Node]:
    """Elements that have one of the keys."""
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
    own = node.get("id")
    return names | {f"#{own.strip()}"} if own else names


@lru_cache(maxsize=4096)
def _classes(said: str) -> Names:
    return frozenset(f".{name}" for name in said[:_LONGEST].split()[:_MOST_NAMES])


def _follows_control(node: Node) -> bool:
    """Whether something that can be pressed stands before it, which may open it."""
    before = node.getprevious()
    if before is None or not isinstance(before.tag, str):
        return False
    return any(
        one.tag in ("button", "summary") or "aria-expanded" in one.attrib
        for one in islice(before.iter(), _MOST_OF_CONTROL)
    )


def _stays_hidden(node: Node, sheets: _Sheets) -> bool:
    names = node.get("class") or ""
    if _UNFOLDING.search(names) or _ELSEWHERE.search(names) or _is_read_out(node, names):
        return False
    style = _style(node, sheets)
    if _COMING.search(names):
        style.pop("opacity", None)
    if style.get("transition", "none") != "none":
        return False  # what unfolds is there to be read
    if not hides(style):
        return False
    lasting = {name: value for name, value in style.items() if name not in INHERITED}
    return hides(lasting) or not _shows_inside(node, sheets)


def _is_read_out(node: Node, names: str) -> bool:
    """Whether it is read to whoever does not see the sign that is alone in a cell of a table."""
    if not _READ_OUT.search(names):
        return False
    above = islice(node.iterancestors(), _NEAR)
    cell = next((one for one in above if one.tag in ("td", "th")), None)
    said = "" if cell is None else cell.text_content().strip()
    return 0 < len(said) <= _SHORT and said == node.text_content().strip()


def _style(node: Node, sheets: _Sheets) -> dict[str, str]:
    """What holds of an element in the end; what may hold counts where it shows."""
    met = sorted(
        sheets.meeting(node.tag, _names(node)), key=lambda rule: (rule.weight, rule.order)
    )
    told = [(rule, rule.sure and sheets.stands(node, rule)) for rule in met]
    style: dict[str, str] = {}
    pressing: dict[str, str] = {}
    for rule, sure in told:
        if sure:
            style |= rule.declared
            pressing |= {name: rule.declared[name] for name in rule.pressing}
    style |= declared_in(node.get("style") or "")[0] | pressing
    for rule, sure in told:
        if not sure:
            style |= {
                name: value for name, value in rule.declared.items() if not hides({name: value})
            }
    return style


def _shows_inside(node: Node, sheets: _Sheets) -> bool:
    """Whether something inside takes back what it would inherit; of very much that is assumed."""
    inside = list(islice(node.iterdescendants(), _MOST_INSIDE + 1))
    return len(inside) > _MOST_INSIDE or any(
        shows_again(_style(one, sheets)) for one in inside if isinstance(one.tag, str)
    )


def _bearable(root: Node, hidden: Mapping[Node, Rule]) -> list[Node]:
    """Those whose loss leaves a page: no rule may hide most of it, nor all of them together."""
    outer = {
        node: rule
        for node, rule in hidden.items()
        if not any(one in hidden for one in node.iterancestors())
    }
    sizes = {node: _size(node) for node in outer}
    held: dict[Rule, int] = defaultdict(int)
    for node, rule in outer.items():
        held[rule] += sizes[node]
    most = _size(root) * _SHARE
    kept = [node for node, rule in outer.items() if held[rule] <= most]
    return kept if sum(sizes[node] for node in kept) <= most else []


def _size(node: Node) -> int:
    unread = (one.text or "" for one in node.iter("script", "style"))
    return sum(map(len, map(str.strip, _TEXTS(node)))) - sum(len(text.strip()) for text in unread)


_INSIDE = INLINE | {"tr", "td", "th"}
"""What stands within a block, and is left out when the block is read."""


class Unseen:
    """What is hidden on one page. Made before the page is cut into blocks."""

    def __init__(self, root: Node, marks: Marks, inline: frozenset[Node] = frozenset()) -> None:
        hidden = hidden_by_sheets(root, marks)
        blocks = hidden - inline
        self._nodes = frozenset(node for node in blocks if node.tag not in _INSIDE)
        for node in hidden - self._nodes:
            node.set("style", "display:none")

    def holds(self, block: Block) -> bool:
        place: Place | None = block.place if self._nodes else None
        while place is not None:
            if place.node in self._nodes:
                return True
            place = place.parent
        return False
