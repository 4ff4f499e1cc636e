"""The kind of work that a citation string is about."""

import re
from collections.abc import Mapping

from sourcewright.domain.references import ReferenceKind
from sourcewright.logic.references.preprint_servers import is_preprint_server

_THESIS = re.compile(
    r"(?i:\b(?:ph\.?\s?d\.?|master'?s?|doctoral|bachelor'?s?)\s(?:thesis|dissertation)\b|\bdissertation\b|\bthesis,)"
)
_KIND_MARKS: tuple[tuple[ReferenceKind, re.Pattern[str]], ...] = (
    ("software", re.compile(r"\[(?:computer )?software\]|\[(?:source )?code\]", re.IGNORECASE)),
    ("dataset", re.compile(r"\[data\s?set\]", re.IGNORECASE)),
    (
        "report",
        re.compile(
            r"\b(?:tech(?:nical)?\.?\s?rep(?:ort)?\b|working paper\b|white paper\b)", re.IGNORECASE
        ),
    ),
    (
        "law",
        re.compile(
            r"\bU\.\s?S\.\s?C\.|\bPub\.\s?L\.|\bStat\.\s\d|\bDirective\s\d{4}/|\bRegulation\s\((?:EU|EC)\)|\bC\.\s?F\.\s?R\.|\bAct\s(?:of\s)?(?:1[6-9]|20)\d\d\b"
        ),
    ),
    ("thesis", _THESIS),
)
_CONFERENCE = re.compile(
    r"\b(?:Proc|Conf|Symp|Workshop|Advances in|Meeting|Findings)", re.IGNORECASE
)


def kind_of_citation(
    plain: str, values: Mapping[str, str | None], *, is_chapter: bool
) -> ReferenceKind:
    """The kind, by the words of the text and the fields that it has."""
    if values.get("case_citation"):
        return "case"
    venue = values.get("venue") or ""
    if is_preprint_server(venue) or (values.get("arxiv_id") and not venue):
        return "preprint"
    for kind, pattern in _KIND_MARKS:
        if pattern.search(plain):
            return kind
    if is_chapter and values.get("publisher") and not _CONFERENCE.search(venue):
        return "chapter"
    if venue and any(map(values.get, ("volume", "pages", "doi"))):
        return "article"
    return _kind_of_rest(values)


def _kind_of_rest(values: Mapping[str, str | None]) -> ReferenceKind:
    if values.get("publisher") or values.get("isbn"):
        return "book"
    has_identifier = any(values.get(name) for name in ("doi", "arxiv_id", "pmid", "pmcid"))
    if values.get("url") and not has_identifier:
        return "webpage"
    return "article" if values.get("venue") else "other"
