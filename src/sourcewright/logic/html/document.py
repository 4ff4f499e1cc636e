"""Parses untrusted HTML into a tree, bounded in size and depth.

Finds the elements of a page by what their attributes say.
"""

import re
from collections.abc import Callable, Iterable
from itertools import dropwhile, islice
from typing import Any
from urllib.parse import urljoin

from lxml import etree, html

Node = Any
"""An element of lxml, which carries no types."""

MAX_CHARACTERS = 5_000_000
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufdd0-\ufdef\ufffe\uffff]")
# The library asks in Python for the class of every element; we need but one.
_ONE_CLASS = etree.ElementDefaultClassLookup(element=html.HtmlElement)
_EMPTY = "<html><body></body></html>"
# Angle brackets that open nothing would make the parser report an error for each of them.
_IDLE_BRACKETS = re.compile(r"<(?=[<\s\d])")
# The parser compares every attribute of a tag with all before it.
_LONG_TAG = re.compile(r"<[a-zA-Z][^<>]{2000,}")
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")
_MANY_ATTRIBUTES = 200
_FRAMED = re.compile(r"<frameset\b", re.IGNORECASE)
_FRAMES = re.compile(r"</?(?:frameset|frame|noframes)\b[^<>]*>", re.IGNORECASE)
"""What keeps a page in frames from being read as what it says to whoever has none."""
_OF_HEAD = frozenset(("base", "link", "meta", "noscript", "script", "style", "template", "title"))
_SECTIONS = frozenset(
    (
        *("article", "aside", "details", "dialog", "figure", "footer", "header", "hgroup"),
        *("main", "nav", "search", "section"),
    )
)


def parsed(text: str) -> Node:
    """The root of the page; an empty page where there is nothing to parse."""
    clean = _IDLE_BRACKETS.sub("&lt;", _CONTROLS.sub(" ", text[:MAX_CHARACTERS]))
    if _FRAMED.search(clean):
        clean = _FRAMES.sub("", clean)
    data = _LONG_TAG.sub(_bounded, clean).encode("utf-8", "replace")
    parser = html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True)
    parser.set_element_class_lookup(_ONE_CLASS)
    try:
        root = html.document_fromstring(data, parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError):
        root = html.document_fromstring(_EMPTY)
    for node in [*root.iter("source", "track")]:
        # The parser does not know that these are empty, and puts what follows inside them.
        node.drop_tag()
    return _parted(root)


def _parted(root: Node) -> Node:
    """The page with its content in its body.

    Where a page leaves out its `body` tag, as it may, the parser takes what it does not know,
    the sections of today among it, for a part of the head.
    """
    head, body = root.find("head"), root.find("body")
    if head is None:
        return root
    begins = _SECTIONS.__contains__ if body is not None else lambda tag: tag not in _OF_HEAD
    strays = [*dropwhile(lambda node: not begins(node.tag), head)]
    if strays:
        body = etree.SubElement(root, "body") if body is None else body
        body[:0] = strays
    return root


def base_of(root: Node, url: str) -> str:
    """What relative addresses start from."""
    base = root.find(".//base[@href]")
    try:
        return url if base is None else urljoin(url, base.get("href"))
    except ValueError:
        return url


def body_of(root: Node) -> Node:
    found = root.find("body")
    return root if found is None else found


def _bounded(tag: re.Match[str]) -> str:
    """The tag, without its attributes where nobody would have written so many."""
    names = _QUOTED.sub("", tag[0]).split()
    return tag[0] if len(names) <= _MANY_ATTRIBUTES else names[0]


_KEPT = ("class", "id", "itemprop", "property", "rel")


class Marks:
    """The elements of a page by the values of the attributes that mark what they are for."""

    def __init__(self, root: Node) -> None:
        self._found: dict[str, dict[str, list[tuple[int, Node]]]] = {name: {} for name in _KEPT}
        found = self._found
        for at, node in enumerate(root.iter("*")):
            for name, value in node.items():
                if name in found:
                    found[name].setdefault(value, []).append((at, node))

    def values(self, name: str) -> Iterable[str]:
        """What the attribute says anywhere."""
        return self._found[name].keys()

    def where(self, name: str, holds: Callable[[str], object]) -> list[tuple[int, Node]]:
        """The elements whose attribute says such a thing, with their places in the page."""
        groups = [nodes for value, nodes in self._found[name].items() if holds(value)]
        return [one for nodes in groups for one in nodes]


def first(found: Iterable[tuple[int, Node]], most: int) -> list[Node]:
    """The first of them on the page, each once."""
    return list(islice(dict(sorted(found, key=lambda one: one[0])).values(), most))
