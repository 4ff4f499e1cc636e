"""The paper that a page declares in its meta tags (`citation_doi`, Dublin Core)."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sourcewright.domain.errors import InvalidInput
from sourcewright.domain.identifiers import Doi, Reference, parse_arxiv, parse_reference
from sourcewright.logic.html.linked_data import kinds_of, nodes_in, several
from sourcewright.logic.html.tags import Tag, head_tags

_LINKED_DATA = "JSON-LD"
_ADDRESS = "canonical address"
ARTICLES = frozenset({"scholarlyarticle", "medicalscholarlyarticle"})
"""What linked data calls papers."""
_UNREADABLE = "\N{REPLACEMENT CHARACTER}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Introduction:
    """The papers that a page's most authoritative statement names."""

    papers: tuple[Reference, ...] = ()
    """None: the page names no paper. One: this is it. More: it contradicts itself."""
    told_by: str | None = None
    """The tag that says so."""


def introduction(page: bytes) -> Introduction:
    """What a page says that it is about; nothing at all for a page that is none."""
    if is_pdf(page):
        return Introduction()
    statements = _statements(page)
    for told_by, read in _AUTHORITIES.items():
        read_values = (_read(read, value) for value in dict.fromkeys(statements[told_by]))
        papers = dict.fromkeys(paper for paper in read_values if paper)
        if papers:
            return Introduction(papers=tuple(papers), told_by=told_by)
    return Introduction()


def is_pdf(body: bytes) -> bool:
    """Whether this is no page but a PDF."""
    return body[:1024].lstrip().startswith(b"%PDF-")


def _statements(page: bytes) -> Mapping[str, Sequence[str]]:
    """What the head states, by the kind of statement."""
    found: dict[str, list[str]] = defaultdict(list)
    for tag in head_tags(page):
        kind = _kind(tag)
        if kind == _LINKED_DATA:
            found[kind] += _linked_names(tag.text)
        elif kind:
            found[kind].append(tag.attributes.get("content") or tag.attributes.get("href", ""))
    return found


def _kind(tag: Tag) -> str | None:
    attributes = tag.attributes
    if tag.name == "meta":
        name = attributes.get("name") or attributes.get("property", "")
        return _NAMES.get(name.lower().replace(":", "."))
    if tag.name == "link" and "canonical" in attributes.get("rel", "").lower().split():
        return _ADDRESS
    if tag.name == "script" and attributes.get("type", "").lower() == "application/ld+json":
        return _LINKED_DATA
    return None


def _read(read: Callable[[str], Reference | None], value: str) -> Reference | None:
    """The paper that a statement names, if it names one in a way that can be read."""
    try:
        return None if _UNREADABLE in value else read(value)
    except InvalidInput:
        return None


def _doi(value: str) -> Doi | None:
    reference = parse_reference(value)
    return reference if isinstance(reference, Doi) else None


def _pubmed(value: str) -> Reference | None:
    return parse_reference(f"pmid:{value}") if value.isdecimal() else None


def _carried(value: str) -> Reference | None:
    """What an address carries; a text that is no address is no statement of where the page is."""
    is_address = value[:8].lower().startswith(("http://", "https://"))
    return parse_reference(value) if is_address else None


_AUTHORITIES: Mapping[str, Callable[[str], Reference | None]] = {
    "citation_doi": _doi,
    "bepress_citation_doi": _doi,
    "prism.doi": _doi,
    "dc.identifier": _doi,
    "citation_arxiv_id": parse_arxiv,
    "citation_pmid": _pubmed,
    _ADDRESS: _carried,
    _LINKED_DATA: _doi,
}
"""What a page can say, the most authoritative first, and how to read it."""

_NAMES: Mapping[str, str] = {
    **{name: name for name in _AUTHORITIES},
    "dc.identifier.doi": "dc.identifier",
    "dcterms.identifier": "dc.identifier",
    "og.url": _ADDRESS,
}


def _linked_names(script: str) -> Iterator[str]:
    """The names of the scholarly articles that linked data is about."""
    for node in nodes_in(script):
        if kinds_of(node) & ARTICLES:
            yield from _names_of(node)


def _names_of(node: Mapping[str, Any]) -> Iterator[str]:
    for key in ("identifier", "sameAs", "@id"):
        for value in several(node.get(key)):
            name = value.get("value") if isinstance(value, dict) else value
            if isinstance(name, str):
                yield name
