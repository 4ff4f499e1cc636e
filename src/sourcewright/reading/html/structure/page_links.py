"""Links of manuals that are no text: to the previous and next page, and tables of contents."""

import re
from collections.abc import Iterator
from itertools import islice, takewhile

from sourcewright.reading.html.document import Node

_PAGER_KEYS = frozenset("pnuh")
"""Access keys that DocBook gives the links to the previous, next, upper and first page."""
_PAGER_RELATIONS = frozenset(("prev", "previous", "next", "up", "home", "start"))
_PAGER_NAMES = frozenset(("prev", "previous", "next"))
_MAX_NAMES = 200
_MAX_PAGER, _MIN_PAGER_LINKS, _MAX_STEPS = 400, 2, 5
_TEXT_TAGS = ("h1", "h2", "h3", "h4", "h5", "h6", "p", "pre", "main", "article", "blockquote")
_MAX_TEXTS = 50
_LISTS = frozenset(("ul", "ol", "dl"))
_NAME_WORD = re.compile(r"[a-z]+")
_MIN_ENTRIES, _MIN_LINKED_SHARE = 3, 0.9
_MAX_CONTENTS_SHARE, _MAX_LABEL = 0.3, 40
_MAX_LINKS = 20_000


def page_links(body: Node, url: str) -> frozenset[Node]:
    """The pagers of a page, and the lists of links to its parts.

    They are part of the page when its blocks are classified, as they were on labelled pages.
    """
    return frozenset([*_pagers(body), *_contents(body, url)])


def _size(node: Node) -> int:
    return sum(len(text.strip()) for text in node.itertext())


def _pagers(body: Node) -> Iterator[Node]:
    """The largest elements with several links to neighbouring pages, and little else."""
    counts: dict[Node, int] = {}
    for link in islice(body.iter("a"), _MAX_LINKS):
        for outer in islice(link.iterancestors(), _MAX_STEPS) if _is_pager_link(link) else ():
            counts[outer] = counts.get(outer, 0) + 1
    several = [node for node, count in counts.items() if count >= _MIN_PAGER_LINKS]
    small = {
        node
        for node in several
        if node is not body and _is_small(node) and not _has_text_beside_links(node)
    }
    yield from (node for node in small if node.getparent() not in small)


def _is_small(node: Node) -> bool:
    """Whether there is little text in an element, however large the page is."""
    size = 0
    for text in node.itertext():
        size += len(text.strip())
        if size > _MAX_PAGER:
            return False
    return True


def _has_text_beside_links(node: Node) -> bool:
    """Whether a heading, a paragraph or code is in an element, as on a page with little text."""
    texts = islice(node.iter(*_TEXT_TAGS), _MAX_TEXTS)
    return any(_size(text) and not any(map(_is_pager_link, _links_at(text))) for text in texts)


def _links_at(text: Node) -> Iterator[Node]:
    """The links in an element, and the one around it."""
    yield from text.iter("a")
    yield from islice(text.iterancestors("a"), 1)


def _is_pager_link(link: Node) -> bool:
    relations = (link.get("rel") or "").lower().split()
    if link.get("accesskey") in _PAGER_KEYS or not _PAGER_RELATIONS.isdisjoint(relations):
        return True
    names = f"{link.get('class') or ''} {link.get('id') or ''}"[:_MAX_NAMES].lower()
    return not _PAGER_NAMES.isdisjoint(_NAME_WORD.findall(names))


def _contents(body: Node, url: str) -> Iterator[Node]:
    """Lists of links to parts of this page, with the label above, unless they are most of it."""
    own = {"", url.partition("#")[0], url.partition("#")[0].rpartition("/")[2]}
    linked: dict[Node, list[int]] = {}
    for link in islice(body.iter("a"), _MAX_LINKS):
        page, mark, _ = (link.get("href") or "").partition("#")
        if mark and page in own:
            size = _size(link)
            for outer in _lists_around(link):
                linked.setdefault(outer, []).append(size)
    several = [one for one, sizes in linked.items() if len(sizes) >= _MIN_ENTRIES]
    most = _MAX_CONTENTS_SHARE * _size(body) if several else 0
    for one in several:
        size = _size(one)
        if _MIN_LINKED_SHARE * size <= sum(linked[one]) <= most:
            yield _with_label(one, size)


def _lists_around(link: Node) -> Iterator[Node]:
    """The lists that a link is in, the innermost first, up to a table."""
    outer = takewhile(lambda one: one.tag != "table", link.iterancestors())
    return islice((one for one in outer if one.tag in _LISTS), _MAX_STEPS)


def _with_label(one: Node, size: int) -> Node:
    """A list, or the element that has it and a short label alone."""
    parent = one.getparent()
    is_labelled = parent.tag != "body" and _size(parent) - size <= _MAX_LABEL
    return parent if is_labelled else one
