"""The DOI that a scholarly page presents as its own: evidence, not proof."""

import re

from sourcewright.base.doi_prefix import DOI_PREFIX
from sourcewright.base.errors import InvalidInput
from sourcewright.base.identifiers import Doi, Reference, parse_reference
from sourcewright.domain.sources.classification import is_journal_host, kind_of_host, source_type
from sourcewright.reading.readings import EmbeddedMetadata, Reading

_FRONT_MATTER_LENGTH = 4096
_SPACES = r"[^\S\n]*+"
_ITEM = rf"[0-9IVX]{{0,4}}[.)]?{_SPACES}"
_OTHER_WORKS = re.compile(
    rf"^{_SPACES}(?:#{{1,6}}[^\S\n]++|\*\*|__)?{_ITEM}(?:(?:notes and |cited )?references?(?: and notes| cited| list)?"
    r"|bibliography|works cited|literature(?: cited)?|literatur(?:verzeichnis)?|citations?"
    r"|r\u00e9f\u00e9rences|referencias|bibliograf\u00eda|cited by|citing articles"
    r"|(?:related|similar|recommended) (?:articles?|content|papers?|reading))"
    rf"{_SPACES}(?:\([0-9]{{1,9}}\))?{_SPACES}:?(?:\*\*|__)?{_SPACES}$",
    re.IGNORECASE | re.MULTILINE,
)
"""A heading after which a page lists other works."""

# Old DOIs contain a part in angle brackets; `](` ends the text of a Markdown link.
_DOI = re.compile(
    r"\b" + DOI_PREFIX + r"/(?:<[0-9]+:[^\s<>]{1,40}>|(?!\]\()[^\s<>\"|*`])+",
    re.IGNORECASE,
)


def detected_doi(url: str, reading: Reading) -> str | None:
    """The DOI in the page's metadata, its URL or its first lines; None without one.

    Only for scholarly pages: elsewhere a DOI is usually that of another work.
    """
    is_scholarly = (
        source_type(url, reading.embedded) == "peer_reviewed"
        or kind_of_host(url) == "preprints"
        or is_journal_host(url)
    )
    if not is_scholarly:
        return None
    tags = (reading.embedded or EmbeddedMetadata()).citation
    citation_doi = next(
        (value for name, value in tags.items() if name.lower() == "citation_doi"), ""
    )
    return _parse_doi(citation_doi) or _parse_doi(url) or _doi_in_text(reading.content)


def _doi_in_text(text: str) -> str | None:
    front = text[:_FRONT_MATTER_LENGTH]
    others = _OTHER_WORKS.search(front)
    own = front[: others.start()] if others else front
    match = _DOI.search(own)
    # A DOI that is truncated by the end of the excerpt would be another one.
    if match is None or (match.end() == len(front) < len(text)):
        return None
    return _parse_doi(match[0])


def reference_in(text: str) -> Reference | None:
    """The paper that a text or URL names; None for anything else."""
    try:
        return parse_reference(text) if text else None
    except InvalidInput:
        return None


def _parse_doi(text: str) -> str | None:
    reference = reference_in(text)
    return reference.value if isinstance(reference, Doi) else None
