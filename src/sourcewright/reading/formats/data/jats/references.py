"""Entries of a JATS reference list: as they are written, or composed from their fields."""

from collections.abc import Callable, Iterator
from html import escape
from itertools import pairwise
from xml.etree.ElementTree import Element

from sourcewright.reading.formats._archive import child, local_name
from sourcewright.reading.formats.data.jats.elements import children, doi_link, element, words

_FORMS = ("mixed-citation", "citation", "nlm-citation", "element-citation", "note", "p")
_ALTERNATIVES = "citation-alternatives"
_TITLES = ("article-title", "chapter-title", "data-title", "part-title")
_MARKS = {"pmid": "PMID ", "pmcid": "", "doi": ""}
"""What stands before an identifier; others are the publisher's own."""

_INLINE = frozenset(("italic", "bold", "sup", "sub", "sc", "monospace", "named-content"))

Inline = Callable[[Element | None], str]


def reference_html(reference: Element, inline: Inline) -> str:
    """One entry, with a link for its DOI."""
    holder = child(reference, _ALTERNATIVES)
    forms = (child(reference if holder is None else holder, name) for name in _FORMS)
    citation = next((one for one in forms if one is not None), None)
    if citation is None:
        return inline(reference)
    ids = [one for one in citation if local_name(one.tag) == "pub-id"]
    known = [*map(_identifier, ids)]
    if _is_punctuated(citation):
        _separate_fields(citation)
        written = inline(_with_plain_ids(citation, ids))
        missing = [one for one in known if one and one not in written]
        return " ".join(filter(None, (written, *missing)))
    return " ".join(filter(None, (*map(_sentence, _fields(citation, inline)), *known)))


def _sentence(field: str) -> str:
    return field if not field or field.endswith((".", "?", "!")) else f"{field}."


def _is_punctuated(citation: Element) -> bool:
    """Whether the text of the entry is written, and not only its fields."""
    own = [citation.text or "", *(one.tail or "" for one in citation)]
    return any(piece.strip() for piece in own)


def _separate_fields(citation: Element) -> None:
    """Put a space between fields with nothing between them, such as a surname and initials."""
    for parent in citation.iter():
        for one, following in pairwise(parent):
            names = {local_name(one.tag), local_name(following.tag)}
            if not one.tail and names.isdisjoint(_INLINE):
                one.tail = " "


def _with_plain_ids(citation: Element, ids: list[Element]) -> Element:
    """The entry with identifiers as text, without those of the publisher."""
    for one in ids:
        mark = _MARKS.get(one.get("pub-id-type") or "")
        one.tag, one.text = "named-content", "" if mark is None else f" {mark}{words(one)}"
    return citation


def _identifier(node: Element) -> str:
    kind, value = node.get("pub-id-type") or "", words(node)
    if kind == "doi":
        return doi_link(value)
    return f"{_MARKS[kind]}{escape(value)}" if kind in _MARKS else ""


def _fields(citation: Element, inline: Inline) -> Iterator[str]:
    """The fields of an entry in the usual order: people, year, title, source, numbers."""
    year = words(child(citation, "year"))
    people = _people(citation)
    yield " ".join(filter(None, (escape(people), f"({escape(year)})" if year else "")))
    for name in _TITLES:
        yield inline(child(citation, name)).rstrip(".")
    source = element("em", inline(child(citation, "source")).rstrip("."))
    edition = inline(child(citation, "edition"))
    yield ", ".join(filter(None, (source, edition, escape(_numbers(citation)))))
    editors = escape(_people(citation, "editor"))
    yield f"Edited by {editors}" if editors else ""
    publisher = (child(citation, "publisher-loc"), child(citation, "publisher-name"))
    yield escape(": ".join(filter(None, map(words, publisher))))
    yield inline(child(citation, "comment")).rstrip(".")
    for name in ("ext-link", "uri"):
        for one in children(citation, name):
            yield inline(one)


def _people(citation: Element, role: str = "author") -> str:
    groups = children(citation, "person-group")
    holders = [one for one in groups if one.get("person-group-type", "author") == role]
    names = [
        _name(one)
        for holder in [*([citation] if role == "author" else []), *holders]
        for one in holder
        if local_name(one.tag) in {"name", "string-name", "collab", "etal"}
    ]
    return ", ".join(filter(None, names))


def _name(node: Element) -> str:
    if local_name(node.tag) == "etal":
        return "et al"
    family, given = words(child(node, "surname")), words(child(node, "given-names"))
    return " ".join(filter(None, (family, given))) or words(node)


def _numbers(citation: Element) -> str:
    volume, issue = words(child(citation, "volume")), words(child(citation, "issue"))
    first, last = words(child(citation, "fpage")), words(child(citation, "lpage"))
    pages = f"{first}\u2013{last}" if last and last != first else first
    pages = pages or words(child(citation, "elocation-id"))
    volume = " ".join(filter(None, (volume, words(child(citation, "supplement")))))
    return ", ".join(filter(None, (f"{volume}({issue})" if issue else volume, pages)))
