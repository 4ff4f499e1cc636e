"""RSS and Atom feeds as Markdown: each entry with its link, date, author and text."""

from collections.abc import Iterator
from itertools import islice
from xml.etree.ElementTree import Element, tostring

from sourcewright.base.text.plain import plain_text
from sourcewright.reading.formats._archive import attribute, child, local_name
from sourcewright.reading.html.blocks import blocks_of
from sourcewright.reading.html.document import body_of, parse_html
from sourcewright.reading.html.inline import absolute_url, escape_markdown
from sourcewright.reading.html.markdown import markdown_of
from sourcewright.reading.markdown.writer import escape_line_starts

_ROOTS = frozenset(("rss", "RDF", "feed"))
_ENTRIES = frozenset(("item", "entry"))
_TEXTS = ("encoded", "content", "description", "summary")
"""Elements with the text of an entry, the longest form first."""
_DATES = ("pubDate", "published", "date", "updated")
_AUTHORS = ("creator", "author")
_WRITTEN = frozenset(("title", "link", "guid", *_TEXTS, *_DATES, *_AUTHORS))
_VALUES = ("term", "url", "href")
"""Attributes that are the value of an element without text."""
_MAX_ENTRIES, _MAX_FACTS, _MAX_CHARACTERS = 1000, 50, 5_000_000


def feed_markdown(root: Element, url: str) -> tuple[str, str, bool] | None:
    """Text and title of a feed, and whether a limit cut it; None if it is another document."""
    if local_name(root.tag) not in _ROOTS:
        return None
    channel = child(root, "channel")
    channel = root if channel is None else channel
    # In RSS 1.0 the entries stand beside the channel.
    holders = (channel,) if channel is root else (channel, root)
    entries = [one for parent in holders for one in parent if local_name(one.tag) in _ENTRIES]
    if not entries or not all(_title(one) or _link(one) for one in entries[:_MAX_ENTRIES]):
        return None
    title = _title(channel)
    parts = [f"# {escape_markdown(title)}" if title else "", _body(channel, url, _TEXTS[2:])]
    size, is_cut = 0, len(entries) > _MAX_ENTRIES
    for one in islice(entries, _MAX_ENTRIES):
        text = "\n\n".join(filter(None, _entry(one, url)))
        size += len(text)
        if size > _MAX_CHARACTERS:
            is_cut = True
            break
        parts.append(text)
    return "\n\n".join(filter(None, parts)), title, is_cut


def _entry(entry: Element, url: str) -> Iterator[str]:
    link = absolute_url(_link(entry), url)
    name = escape_markdown(_title(entry)) or "Untitled"
    yield f"## [{name}]({link})" if link else f"## {name}"
    facts = (_first(entry, _DATES), _author(entry))
    yield escape_line_starts(escape_markdown(", ".join(filter(None, facts))))
    yield _body(entry, link or url, _TEXTS)
    others = (one for one in entry if local_name(one.tag) not in _WRITTEN)
    yield "\n".join(filter(None, map(_fact, islice(others, _MAX_FACTS))))


def _fact(element: Element) -> str:
    """Any other part of an entry, such as its category or a file, as a list item."""
    values = (attribute(element, name) for name in _VALUES)
    value = " ".join((_words(element) or next(filter(None, values), "")).split())
    return f"- {local_name(element.tag)}: {escape_markdown(value)}" if value else ""


def _words(element: Element | None) -> str:
    return "" if element is None else " ".join("".join(element.itertext()).split())


def _first(parent: Element, names: tuple[str, ...]) -> str:
    return next(filter(None, (_words(child(parent, name)) for name in names)), "")


def _title(parent: Element) -> str:
    """The title as plain text; that of a feed may be HTML, whether or not it says so."""
    return " ".join(plain_text(_words(child(parent, "title"))).split())


def _link(entry: Element) -> str:
    """The address of an entry: the text of its link, its main `href`, or its id."""
    links = [one for one in entry if local_name(one.tag) == "link"]
    targets = [
        attribute(one, "href") or (one.text or "").strip()
        for one in links
        if (attribute(one, "rel") or "alternate") == "alternate"
    ]
    guid = _words(child(entry, "guid"))
    return next(filter(None, targets), guid if guid.startswith("http") else "")


def _author(entry: Element) -> str:
    """The authors of an entry; where both forms are given, they name the same people."""
    for name in _AUTHORS:
        authors = [one for one in entry if local_name(one.tag) == name]
        names = [_words(child(one, "name")) or _words(one) for one in authors[:_MAX_FACTS]]
        if any(names):
            return ", ".join(filter(None, names))
    return ""


def _body(parent: Element, base: str, names: tuple[str, ...]) -> str:
    """The text of a feed or an entry as Markdown."""
    for name in names:
        element = child(parent, name)
        text = "" if element is None else _html(element)
        if element is not None and text.strip():
            blocks, _, _ = blocks_of(body_of(parse_html(text)))
            return markdown_of(blocks, base)
    return ""


def _html(element: Element) -> str:
    """The text of an element as HTML; that of XHTML is in elements of its own."""
    if not len(element):
        return element.text or ""
    for one in element.iter():
        one.tag = local_name(one.tag)
    return tostring(element, encoding="unicode")
