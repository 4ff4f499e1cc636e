"""The paper that a page declares in its meta tags (`citation_doi`, Dublin Core)."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sourcewright.base.errors import InvalidInput
from sourcewright.base.identifiers import Doi, Reference, parse_arxiv, parse_reference
from sourcewright.reading.html.linked_data import as_sequence, main_objects, type_names
from sourcewright.reading.html.tags import Tag, head_tags

_JSON_LD = "JSON-LD"
_CANONICAL_URL = "canonical address"
PAPER_TYPES = frozenset({"scholarlyarticle", "medicalscholarlyarticle"})
"""JSON-LD types of papers."""
_REPLACEMENT_CHARACTER = "\N{REPLACEMENT CHARACTER}"


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclaredPapers:
    """The papers that the most authoritative declaration of a page names."""

    papers: tuple[Reference, ...] = ()
    """Empty: the page declares no paper. One: the paper. More: the page contradicts itself."""
    source: str | None = None
    """The tag that declares them."""


def declared_papers(page: bytes) -> DeclaredPapers:
    """The papers that a page declares; none for a PDF."""
    if is_pdf(page):
        return DeclaredPapers()
    declarations = _declarations(page)
    for kind, parse in _PARSERS.items():
        parsed = (_parsed(parse, value) for value in dict.fromkeys(declarations[kind]))
        papers = dict.fromkeys(paper for paper in parsed if paper)
        if papers:
            return DeclaredPapers(papers=tuple(papers), source=kind)
    return DeclaredPapers()


def is_pdf(body: bytes) -> bool:
    return body[:1024].lstrip().startswith(b"%PDF-")


def _declarations(page: bytes) -> Mapping[str, Sequence[str]]:
    """The declarations in the page's head, by kind."""
    declarations: dict[str, list[str]] = defaultdict(list)
    for tag in head_tags(page):
        kind = _kind(tag)
        if kind == _JSON_LD:
            declarations[kind] += _json_ld_identifiers(tag.text)
        elif kind:
            declarations[kind].append(
                tag.attributes.get("content") or tag.attributes.get("href", "")
            )
    return declarations


def _kind(tag: Tag) -> str | None:
    attributes = tag.attributes
    if tag.name == "meta":
        name = attributes.get("name") or attributes.get("property", "")
        return _KIND_BY_NAME.get(name.lower().replace(":", "."))
    if tag.name == "link" and "canonical" in attributes.get("rel", "").lower().split():
        return _CANONICAL_URL
    if tag.name == "script" and attributes.get("type", "").lower() == "application/ld+json":
        return _JSON_LD
    return None


def _parsed(parse: Callable[[str], Reference | None], value: str) -> Reference | None:
    """The paper that a declaration names; None if its value cannot be parsed."""
    try:
        return None if _REPLACEMENT_CHARACTER in value else parse(value)
    except InvalidInput:
        return None


def _doi(value: str) -> Doi | None:
    reference = parse_reference(value)
    return reference if isinstance(reference, Doi) else None


def _pubmed(value: str) -> Reference | None:
    return parse_reference(f"pmid:{value}") if value.isdecimal() else None


def _identifier_in_url(value: str) -> Reference | None:
    """The identifier in a canonical URL; None if the value is not an absolute URL."""
    is_url = value[:8].lower().startswith(("http://", "https://"))
    return parse_reference(value) if is_url else None


_PARSERS: Mapping[str, Callable[[str], Reference | None]] = {
    "citation_doi": _doi,
    "bepress_citation_doi": _doi,
    "prism.doi": _doi,
    "dc.identifier": _doi,
    "citation_arxiv_id": parse_arxiv,
    "citation_pmid": _pubmed,
    _CANONICAL_URL: _identifier_in_url,
    _JSON_LD: _doi,
}
"""Kinds of declarations, the most authoritative first, and their parsers."""

_KIND_BY_NAME: Mapping[str, str] = {
    **{name: name for name in _PARSERS},
    "dc.identifier.doi": "dc.identifier",
    "dcterms.identifier": "dc.identifier",
    "og.url": _CANONICAL_URL,
}


def _json_ld_identifiers(script: str) -> Iterator[str]:
    """The identifiers of the scholarly articles that JSON-LD is about."""
    for node in main_objects(script):
        if type_names(node) & PAPER_TYPES:
            yield from _identifiers_of(node)


def _identifiers_of(node: Mapping[str, Any]) -> Iterator[str]:
    for key in ("identifier", "sameAs", "@id"):
        for value in as_sequence(node.get(key)):
            identifier = value.get("value") if isinstance(value, dict) else value
            if isinstance(identifier, str):
                yield identifier
