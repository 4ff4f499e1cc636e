"""Helpers for elements of JATS and HTML: text in one line, children by name, a DOI as a link."""

from html import escape
from xml.etree.ElementTree import Element

from sourcewright.reading.formats._archive import child, local_name


def words(node: Element | None, *, without: str = "") -> str:
    """The text of an element in one line, without the child elements of a name."""
    if node is None:
        return ""
    pieces = [node.text or ""]
    for one in node:
        if local_name(one.tag) != without:
            pieces += one.itertext()
        pieces.append(one.tail or "")
    return " ".join("".join(pieces).split())


def children(parent: Element | None, name: str) -> list[Element]:
    """The child elements of a name."""
    return [] if parent is None else [one for one in parent if local_name(one.tag) == name]


def element(tag: str, content: str, attributes: str = "") -> str:
    """An HTML element; nothing if it has no content."""
    return f"<{tag}{attributes}>{content}</{tag}>" if content.strip() else ""


def doi_link(doi: str) -> str:
    """A DOI as a link."""
    return f'<a href="https://doi.org/{escape(doi)}">{escape(doi)}</a>' if doi else ""


def name_of(person: Element) -> str:
    """A name with the given names first, unless it is written the other way in its language."""
    given, family = words(child(person, "given-names")), words(child(person, "surname"))
    parts = [family, given] if person.get("name-style") == "eastern" else [given, family]
    return " ".join(filter(None, [*parts, words(child(person, "suffix"))]))
