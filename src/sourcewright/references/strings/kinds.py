"""The kind of work that a citation string is about."""

import re
from collections.abc import Mapping

from sourcewright.references.model import ReferenceKind
from sourcewright.references.preprint_servers import is_preprint_server
from sourcewright.references.strings.gbt7714 import kind_by_mark

_THESIS = re.compile(
    r"(?i:\b(?:ph\.?\s?d\.?|master'?s?|doctoral|bachelor'?s?)\s(?:thesis|dissertation)\b|\bdissertation\b|\bthesis,)"
)
_KIND_MARKS: tuple[tuple[ReferenceKind, re.Pattern[str]], ...] = (
    (
        "software",
        re.compile(
            r"\[(?:computer )?software\]|\[(?:source )?code\]|\bR package version\b",
            re.IGNORECASE,
        ),
    ),
    (
        "communication",
        re.compile(r"\bpersonal communication\b|\binterview(?:ed)? by\b", re.IGNORECASE),
    ),
    (
        "patent",
        re.compile(
            r"\bPatent\s(?:No\.?\s|Application\s|US\s?)?[A-Z]{0,2}\s?\d[\d,/]{5,14}", re.IGNORECASE
        ),
    ),
    (
        "media",
        re.compile(
            r"\[(?:motion picture|film|video|tv series|tv series episode|audio podcast|podcast"
            r"|song|album|audio|painting|photograph)(?: episode)?\]|\(Director\)",
            re.IGNORECASE,
        ),
    ),
    ("dataset", re.compile(r"\[data\s?set\]", re.IGNORECASE)),
    (
        "report",
        re.compile(
            r"\b(?:tech(?:nical)?\.?\s?rep(?:ort)?\b|working paper\b|white paper\b"
            r"|special publication\b|annual report\b"
            r"|(?:ISO|IEC|IEEE|ANSI|DIN|RFC)(?:/IEC)?\s(?:Std\.?\s)?\d{3,5}\b)",
            re.IGNORECASE,
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


_PLACE_AND_PUBLISHER = re.compile(
    r"[.,)]\s[^\W\d_a-z][^.:;,\d]{2,40}(?:,\s[A-Z]{2})?:\s[^\W\d_a-z][^.;:\d]{2,60}[,;]\s"
    r"(?:1[5-9]|20)\d\d\b"
)
_EDITED = re.compile(r"\b[Ii]n:?\s[^\d]{3,300}(?:[Ee]dited by|\([Ee]ds?\.\)|[Ee]ds?\.)")
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)[a-z]{0,6}\.?"
_DAY = re.compile(rf"\b\d{{1,2}}\s{_MONTH},?\s\d{{4}}\b|\b{_MONTH}\s\d{{1,2}},\s\d{{4}}\b")


def kind_of_citation(
    plain: str, values: Mapping[str, str | None], *, is_chapter: bool
) -> ReferenceKind:
    """The kind, by the words of the text and the fields that it has."""
    if values.get("case_citation"):
        return "case"
    venue = values.get("venue") or ""
    if is_preprint_server(venue) or (values.get("arxiv_id") and not venue):
        return "preprint"
    if (kind := kind_by_mark(plain)) is not None:
        return kind
    marked = next((kind for kind, pattern in _KIND_MARKS if pattern.search(plain)), None)
    return marked or _kind_by_form(plain, values, venue, is_chapter=is_chapter)


def _kind_by_form(
    plain: str, values: Mapping[str, str | None], venue: str, *, is_chapter: bool
) -> ReferenceKind:
    """The kind, by how publishers, dates and numbers are given."""
    if _PLACE_AND_PUBLISHER.search(plain) and not _is_in_journal(values, venue):
        return "chapter" if _EDITED.search(plain) else "book"
    if is_chapter and values.get("publisher") and not _CONFERENCE.search(venue):
        return "chapter"
    if venue and _DAY.search(plain) and not _has(values, "volume", "issue", "doi", "url", "pmid"):
        return "news"
    if venue and _has(values, "volume", "pages", "doi"):
        return "article"
    return _kind_of_rest(values)


def _is_in_journal(values: Mapping[str, str | None], venue: str) -> bool:
    return _has(values, "volume", "issue", "doi", "pmid") or bool(_CONFERENCE.search(venue))


def _has(values: Mapping[str, str | None], *names: str) -> bool:
    return any(values.get(name) for name in names)


def _kind_of_rest(values: Mapping[str, str | None]) -> ReferenceKind:
    if values.get("publisher") or values.get("isbn"):
        return "book"
    has_identifier = any(values.get(name) for name in ("doi", "arxiv_id", "pmid", "pmcid"))
    if values.get("url") and not has_identifier:
        return "webpage"
    return "article" if values.get("venue") else "other"
