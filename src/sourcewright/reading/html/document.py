"""Parses untrusted HTML into a tree, bounded in size and depth; indexes it by attribute."""

import re
from collections.abc import Callable, Iterable
from functools import cached_property
from itertools import dropwhile, islice
from operator import itemgetter
from typing import Any
from urllib.parse import urljoin

from lxml import etree, html

Node = Any
"""An lxml element; lxml ships no type hints."""

MAX_CHARACTERS = 5_000_000
_CONTROL_CHARACTERS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufdd0-\ufdef\ufffe\uffff]")
_CONTROL_BYTES = bytes((*range(9), 11, 12, *range(14, 32), 127))
_NONCHARACTER_STARTS = (b"\xef\xb7", b"\xef\xbf")
"""The first bytes of characters among which those without a meaning are."""
# By default lxml calls Python to look up the class of each element; one class is enough here.
_ELEMENT_CLASS = etree.ElementDefaultClassLookup(element=html.HtmlElement)
_EMPTY_PAGE = "<html><body></body></html>"
# The parser would record an error for each angle bracket that does not open a tag.
_STRAY_BRACKETS = re.compile(r"<(?=[<\s\d])")
# The parser compares each attribute of a tag with all earlier ones: quadratic time.
_LONG_TAG_SIZE = 2000
_LONG_TAG = re.compile(rf"<[a-zA-Z][^<>]{{{_LONG_TAG_SIZE},}}")
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")
_MAX_ATTRIBUTES = 200
# A pattern that ignores case from its first character on cannot look for that character alone.
_FRAMESET = re.compile(r"<(?i:frameset)\b")
_FRAME_TAGS = re.compile(r"</?(?i:frameset|frame|noframes)\b[^<>]*>")
"""Frame tags; without them the parser reads the page's `noframes` text."""
_END_OF_PAGE = re.compile(r"</(?i:html)\b[^<>]*>")
"""A browser goes on behind it; the parser does not, and templates close a page too early."""
_HEAD_TAGS = frozenset(
    ("base", "link", "meta", "noscript", "script", "style", "template", "title")
)
_SECTION_TAGS = frozenset(
    (
        *("article", "aside", "details", "dialog", "figure", "footer", "header", "hgroup"),
        *("main", "nav", "search", "section"),
    )
)

_CONDITIONAL_TAGS = frozenset(("noscript", "template"))
"""Elements whose content counts in some cases only."""


def parse_html(text: str) -> Node:
    """Return the root of the page; of an empty page if the text cannot be parsed."""
    clean = _STRAY_BRACKETS.sub("&lt;", _without_controls(text[:MAX_CHARACTERS]))
    if _FRAMESET.search(clean):
        clean = _FRAME_TAGS.sub("", clean)
    clean = _END_OF_PAGE.sub("", clean)
    if _has_long_tag(clean):
        clean = _LONG_TAG.sub(_limit_attributes, clean)
    data = clean.encode("utf-8", "replace")
    parser = html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True)
    parser.set_element_class_lookup(_ELEMENT_CLASS)
    try:
        root = html.document_fromstring(data, parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError):
        root = html.document_fromstring(_EMPTY_PAGE)
    for node in [*root.iter("source", "track")]:
        # The parser does not know these void elements and would nest what follows in them.
        node.drop_tag()
    root = _move_content_to_body(root)
    _move_style_sheets(root)
    return root


def _without_controls(text: str) -> str:
    data = text.encode("utf-8", "replace")
    # Bytes are searched far more quickly than characters, and nearly all pages have no controls.
    is_clean = len(data.translate(None, _CONTROL_BYTES)) == len(data) and not any(
        start in data for start in _NONCHARACTER_STARTS
    )
    return text if is_clean else _CONTROL_CHARACTERS.sub(" ", text)


def _has_long_tag(text: str) -> bool:
    long_parts = [part for part in text.split("<") if len(part) > _LONG_TAG_SIZE]
    return any(part.find(">", 0, _LONG_TAG_SIZE) < 0 for part in long_parts)


def _move_content_to_body(root: Node) -> Node:
    """Move content that the parser left in the head to the body.

    A page may omit its `body` tag. The parser then leaves elements that it does not know, such
    as those of HTML5, in the head.
    """
    head, body = root.find("head"), root.find("body")
    if head is None:
        return root
    starts_content = (
        _SECTION_TAGS.__contains__ if body is not None else lambda tag: tag not in _HEAD_TAGS
    )
    strays = [*dropwhile(lambda node: not starts_content(node.tag), head)]
    if strays:
        body = etree.SubElement(root, "body") if body is None else body
        body[:0] = strays
    return root


def _move_style_sheets(root: Node) -> None:
    """Move style sheets from the text to the head, in their order.

    Servers that render components write the style of each before it, also within headings.
    """
    head, body = root.find("head"), root.find("body")
    if head is None or body is None:
        return
    for sheet in [*body.iter("style")]:
        if not any(outer.tag in _CONDITIONAL_TAGS for outer in sheet.iterancestors()):
            sheet.drop_tree()
            sheet.tail = None
            head.append(sheet)


def base_url_of(root: Node, url: str) -> str:
    """The URL that relative URLs are resolved against."""
    base = root.find(".//base[@href]")
    try:
        return url if base is None else urljoin(url, base.get("href"))
    except ValueError:
        return url


def body_of(root: Node) -> Node:
    body = root.find("body")
    return root if body is None else body


def _limit_attributes(tag: re.Match[str]) -> str:
    """The tag, without its attributes if there are more than any real page has."""
    names = _QUOTED.sub("", tag[0]).split()
    return tag[0] if len(names) <= _MAX_ATTRIBUTES else names[0]


LATE_ATTRIBUTES = (
    *("hx-get", "up-defer", "wire:init", "x-intersect", "ng-include", "data-ng-include"),
    *("ng-bind-html", "data-ng-bind-html", "v-html", "data-big-pipe-placeholder-id"),
)
"""Attributes of htmx, Unpoly, Livewire, Angular, Vue and Drupal for what is filled in later."""
_INDEXED_ATTRIBUTES = (
    *("class", "id", "itemprop", "property", "rel", "style", "bgcolor", "color"),
    *("aria-busy", "hx-trigger", "src"),
    *LATE_ATTRIBUTES,
)


class AttributeIndex:
    """Index of a page's elements by the values of the attributes that describe their purpose or style."""

    def __init__(self, root: Node) -> None:
        self._by_value: dict[str, dict[str, list[tuple[int, Node]]]] = {
            name: {} for name in _INDEXED_ATTRIBUTES
        }
        by_value = self._by_value
        for at, node in enumerate(root.iter("*")):
            for name, value in node.items():
                if name in by_value:
                    by_value[name].setdefault(value, []).append((at, node))

    @cached_property
    def _values_by_class(self) -> dict[str, list[str]]:
        """For each class name, the values of class attributes that contain it."""
        values: dict[str, list[str]] = {}
        for value in self._by_value["class"]:
            for name in dict.fromkeys(value.split()):
                values.setdefault(name, []).append(value)
        return values

    def with_class(self, names: Iterable[str]) -> list[tuple[int, Node]]:
        """Elements that have one of these class names, in page order, with their positions."""
        values = {value for name in names for value in self._values_by_class.get(name, ())}
        entries = [entry for value in values for entry in self._by_value["class"][value]]
        return sorted(entries, key=itemgetter(0))

    def values(self, name: str) -> Iterable[str]:
        """All values that the attribute has on the page."""
        return self._by_value[name].keys()

    def where(self, name: str, holds: Callable[[str], object]) -> list[tuple[int, Node]]:
        """Elements whose attribute value satisfies the test, with their positions on the page."""
        groups = [nodes for value, nodes in self._by_value[name].items() if holds(value)]
        return [entry for nodes in groups for entry in nodes]


def first_elements(entries: Iterable[tuple[int, Node]], most: int) -> list[Node]:
    """The first elements in page order, without duplicates."""
    return list(islice(dict(sorted(entries, key=lambda entry: entry[0])).values(), most))
