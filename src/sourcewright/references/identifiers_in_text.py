"""Finds the identifiers in a citation string: DOI, arXiv id, PMID, PMCID, ISBN, URL, law reports.

Only unambiguous text counts as an identifier: a DOI by its prefix, everything else by its label, its
URL, or the name of a law report. Values are as written, without label and resolver.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal
from urllib.parse import unquote

from sourcewright.base.doi_prefix import DOI_PREFIX
from sourcewright.base.errors import InvalidInput
from sourcewright.base.identifiers import parse_reference
from sourcewright.base.spellings import strip_trailing_punctuation
from sourcewright.references.model import Span

IdentifierField = Literal["doi", "arxiv_id", "pmid", "pmcid", "isbn", "url", "case_citation"]

MAX_IDENTIFIER = 2048
MAX_FOUND = 50
"""Identifiers that are taken from one text; a reference has a handful."""

_ARXIV_ID = r"(?:\d{4}\.\d{4,5}|[a-z]{2,10}(?:-[a-z]{2,5})?(?:\.[A-Z]{2})?/\d{7})(?:v\d{1,3})?"
_US_REPORTS = (
    r"U\.\s?S\.|S\.\s?Ct\.|L\.\s?Ed\.(?:\s?2d)?|F\.(?:\s?(?:2d|3d|4th))?|F\.\s?Supp\.(?:\s?[23]d)?"
    r"|F\.\s?App['\u2019]x|A\.(?:\s?[23]d)?|P\.(?:\s?[23]d)|N\.\s?E\.(?:\s?[23]d)|N\.\s?W\.(?:\s?2d)"
    r"|S\.\s?E\.(?:\s?2d)|S\.\s?W\.(?:\s?[23]d)|So\.(?:\s?[23]d)|Cal\.(?:\s?App\.)?(?:\s?(?:2d|3d|4th|5th))"
    r"|Cal\.\s?Rptr\.(?:\s?[23]d)?|N\.\s?Y\.(?:\s?S\.)?(?:\s?[23]d)|WL|U\.S\.\s?LEXIS|B\.\s?R\.|Fed\.\s?Cl\."
)
_COMMON_LAW_REPORTS = (
    r"UKSC|UKHL|UKPC|EWCA\s(?:Civ|Crim)|EWHC|UKUT|NICA|CSIH|HCA|FCA|FCAFC|NSWCA|NSWSC|VSC|NZSC|NZCA"
    r"|NZHC|SCC|ONCA|ONSC|BCCA|BCSC|ZACC|ZASCA|IESC|IEHC|SGCA|SGHC|HKCFA|A\.?C\.?|Q\.?B\.?|K\.?B\.?|Ch\.?"
    r"|W\.?L\.?R\.?|All\sE\.?R\.?|S\.?C\.?R\.?"
)
_PATTERNS: Mapping[IdentifierField, re.Pattern[str]] = MappingProxyType(
    {
        "doi": re.compile(
            r"(?:https?://)?(?:(?:dx\.|www\.)?doi\.org/|(?<![\w.])doi(?:[:=]\s{0,2}|\s{1,2}))?+"
            r"(?:https?://(?:dx\.)?doi\.org/)?(?<![\w.])(?P<value>"
            + DOI_PREFIX
            + r"/[^\s\"<>\u201c\u201d]{1,400}"
            r"(?:<[^\s>]{1,60}>[^\s\"<>]{1,60})?)",
            re.IGNORECASE,
        ),
        "arxiv_id": re.compile(
            rf"(?:(?:https?://)?(?:www\.|export\.)?arxiv\.org/(?:abs|pdf|html|format)/|arxiv\s?(?:preprint|e-prints?)?[,:]?\s{{0,2}}(?:arxiv[:\s]\s?)?|\babs/)(?P<value>{_ARXIV_ID})(?:\.pdf)?",
            re.IGNORECASE,
        ),
        "pmid": re.compile(
            r"(?:\bPMID\s{0,2}[:=]?\s{0,2}|(?:https?://)?(?:www\.)?ncbi\.nlm\.nih\.gov/(?:m?/)?pubmed/|"
            r"(?:https?://)?pubmed\.ncbi\.nlm\.nih\.gov/|\bPubMed:\s{0,2})(?P<value>\d{1,9})\b/?",
            re.IGNORECASE,
        ),
        "pmcid": re.compile(
            r"(?P<label>(?:https?://)?(?:www\.|pmc\.)?ncbi\.nlm\.nih\.gov/(?:pmc/)?articles/|\bPMCID\s{0,2}[:=]?\s{0,2})?"
            r"(?<![A-Za-z0-9])(?P<value>PMC\s?(?(label)\d{1,9}|\d{3,9}))\b/?",
            re.IGNORECASE,
        ),
        "isbn": re.compile(
            r"\bISBN(?:-?1[03])?\s{0,2}[:=]?\s{0,2}(?P<value>\d[\d\u2010-\u2015 -]{7,15}[\dXx])(?![\d-])",
            re.IGNORECASE,
        ),
        "url": re.compile(
            r"(?<![\w.])(?P<value>(?:(?:https?|ftp)://|www\.(?=[\w-]{1,63}\.))[^\s<>\"\u201c\u201d]{3,2000})",
            re.IGNORECASE,
        ),
        "case_citation": re.compile(
            rf"(?<![\w.])(?P<value>\d{{1,4}}\s(?:{_US_REPORTS})\s\d{{1,7}}"
            rf"|[\[(](?:1[6-9]|20)\d\d[\])]\s(?:\d{{1,2}}\s)?(?:{_COMMON_LAW_REPORTS})\s\d{{1,5}}(?:\s\((?:Admin|Ch|Comm|Pat|QB|KB|Fam|TCC)\))?"
            r"|ECLI:[A-Z]{2}:[A-Z0-9]{1,7}:\d{4}:[A-Z0-9.]{1,25})(?![\w])"
        ),
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentifierInText:
    """An identifier and its position: with its label, and of the value alone."""

    field: IdentifierField
    value: str
    span: Span
    """Of the value."""
    outer: Span
    """Of the value with its label or resolver."""


def identifiers_in(text: str) -> tuple[IdentifierInText, ...]:
    """The identifiers in a text, in order; a URL that contains another identifier counts as both."""
    return tuple(sorted(_all(text), key=lambda hit: hit.span))


def _all(text: str) -> Iterator[IdentifierInText]:
    for name, pattern in _PATTERNS.items():
        for count, match in enumerate(pattern.finditer(text)):
            if count == MAX_FOUND:
                break
            start = match.start("value")
            value = _trimmed(name, match["value"])
            end = start + len(value)
            yield IdentifierInText(
                field=name,
                value=_bare(name, value, text[match.start() : start]),
                span=(start, end),
                outer=(match.start(), max(end, match.end() - len(match["value"]) + len(value))),
            )


def _trimmed(name: IdentifierField, value: str) -> str:
    """The value without the punctuation of the sentence around it."""
    if name not in ("doi", "url"):
        return value
    return strip_trailing_punctuation(value).rstrip("/") if name == "doi" else _trimmed_url(value)


def _trimmed_url(value: str) -> str:
    bare = strip_trailing_punctuation(value)
    return bare if len(bare) > 3 else value


def _bare(name: IdentifierField, value: str, label: str) -> str:
    if name == "doi" and "/" in label and "%" in value:
        return unquote(value)
    if name == "pmcid":
        return "PMC" + value[3:].strip()
    if name == "isbn":
        return re.sub(r"[^\dXx]", "", value).upper()
    return " ".join(value.split()) if name == "case_citation" else value


def identifier_of_url(url: str) -> tuple[IdentifierField, str] | None:
    """The identifier that a URL names, by its publisher or archive; None if it names none."""
    if len(url) > MAX_IDENTIFIER:
        return None
    try:
        reference = parse_reference(url)
    except InvalidInput:
        return None
    if reference.kind == "arxiv":
        return "arxiv_id", str(reference)
    return reference.kind, reference.value
