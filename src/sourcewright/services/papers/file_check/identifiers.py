"""Finds identifiers (DOI, arXiv) in a PDF, and separates the file's own from cited ones."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

from sourcewright.base.errors import InvalidInput
from sourcewright.base.identifiers import ArxivId, Doi, parse_arxiv, parse_doi
from sourcewright.base.text.unicode import fold_text
from sourcewright.base.works import Work
from sourcewright.reading.excerpts import Excerpt
from sourcewright.services.papers.file_check.pages import PageText, dois_in

_DOI_LABEL = re.compile(
    r"(?:https?://)?(?:www\.|dx\.)?doi\.org/|\b(?:article|digital object identifier|doi|hdl)\b|[\W_]",
    re.IGNORECASE,
)
# Suffixes of DOIs of an article's parts: figures, tables, and numbered versions.
_PART_SUFFIX = re.compile(r"[./]?v[0-9]{1,3}(?:\.full(?:\.pdf)?)?|\.[gte]?[0-9]{3}")
_CLOSING_PUNCTUATION = re.compile(r"[./_()\[\];:,-]{0,9}")
_STAMP = re.compile(
    r"arxiv:\s?((?:[0-9]{4}\.[0-9]{4,5}|[a-z-]{2,20}(?:\.[a-z-]{2,20})?/[0-9]{7}))(v[0-9]{1,3})"
    r"(?:\s?\[[a-z.-]{2,30}\])?(?:\s*[0-9]{1,2}\s[a-z]{3,9}\s[0-9]{4})?",
    re.IGNORECASE,
)
_TOP_LINES, _BOTTOM_LINES = 25, 15
"""Lines at the top and bottom of a page where papers print their own DOI."""
_EDGE_LINES = 3
_MOST_OTHER_WORDS = 3
_IMPRINT_WORD = re.compile(
    r"[0-9]+|doi|https?|www|org|vol(?:ume)?|no|nr|issue|pp?|pages?|e?issn|copyright|the|of|and|by|in|"
    r"published|publish|publishing|publisher|press|online|available|received|accepted|revised|"
    r"authors?|journal|open|access|article|research|cite|cited|citation|this|as|how|to|et|al|id|"
    r"january|february|march|april|may|june|july|august|september|october|november|december|"
    r"jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|all|rights|reserved|elsevier|springer|nature|"
    r"wiley|taylor|francis|sage|ltd|inc|gmbh|bv|society|permanent|link|digital|object|identifier"
)
"""Words beside a paper's own DOI in running heads, imprints and footers."""
_IMPRINT = re.compile(r"\u00a9|\bcopyright\b|\be?-?ISSN\b|rights reserved", re.IGNORECASE)
_VOLUME_AND_PAGES = re.compile(r"[0-9]\s?[:(,]\s?[0-9]{1,5}\s?[\u2013-]\s?[0-9]|\([12][0-9]{3}\)")
_AFFILIATION = re.compile(
    r"\b(?:dep(?:artmen)?t|universit\w*|institut\w*|facult\w*|school|college|laborator\w*|centre|"
    r"center|hospital|academy|division|ministry|agency|company|museum)\b"
)
_LIST_ENTRY = re.compile(r"\s*(?:\[[0-9]{1,3}\]|\([0-9]{1,3}\)|[0-9]{1,3}[.)]?\s)")
_ABOUT_ANOTHER = re.compile(
    r"\b(?:correct(?:ion|s|ed)|errat(?:um|a)|corrigend(?:um|a)|comments? (?:on|to)|reply to|"
    r"response to|original (?:article|paper|version|publication)|supplement(?:ary)? to|retract\w*|"
    r"(?:earlier|previous|prior|first|german|english) (?:versions?|editions?)|translat\w+ (?:from|of)|"
    r"see also|companion|related (?:article|paper)|refers? to|concerning)\b"
)
_ABOUT_RELATED_MATERIAL = re.compile(
    r"\b(?:published version|version of record|preprint|data(?:set)?s?|code|software|repository|"
    r"zenodo|figshare|dryad|supplement\w*|supporting|available|materials?|protocol|"
    r"registration|license|licence|funder|cites?|in response)\b"
)


class IdentifierProminence(IntEnum):
    """How clearly an identifier is the file's own, by where it was found; higher is clearer.

    Mentioned in text, on a line with other words, alone on its line, or in the PDF metadata.
    """

    MENTIONED = 0
    LABELLED = 1
    ALONE = 2
    STATED = 3


@dataclass(frozen=True, slots=True)
class FoundIdentifier:
    """An identifier in a file, and its position."""

    id: str
    prominence: IdentifierProminence
    page: int = 0
    """0 means the PDF metadata."""
    line: int = 0
    is_in_place: bool = False
    """Whether it is where a paper prints its own identifier, and not part of a citation."""

    @property
    def place(self) -> tuple[int, int]:
        return self.page, self.line

    @property
    def where(self) -> str:
        return f"on page {self.page}" if self.page else "in the PDF metadata"


_ARXIV_DOI = "10.48550/arxiv."


@dataclass(frozen=True, slots=True)
class ExpectedIdentifiers:
    """All identifiers of the requested work, and DOIs of notices, which must not match it."""

    dois: frozenset[str]
    arxiv: frozenset[str]
    version: int | None
    opposed: frozenset[str]
    venue: str = ""
    """The folded name of the journal, which may be "Data" or "Materials"."""
    words: frozenset[str] = frozenset()
    """Words of the record: they stand beside the paper's own identifier, and not beside others."""


@dataclass(frozen=True, slots=True)
class FoundIdentifiers:
    """The identifiers that decide what a file is."""

    own: FoundIdentifier | None = None
    """The DOI of the requested work, where it is shown most clearly."""
    rival: FoundIdentifier | None = None
    """The first DOI of another work that may be the file's own."""
    stamps: tuple[ArxivId, ...] = ()


def expected_identifiers(work: Work, reference: Doi | ArxivId) -> ExpectedIdentifiers:
    own = (work.doi, *work.aliases, *work.preprints, *work.published_as)
    dois = {text.lower() for text in own if text}
    if isinstance(reference, Doi):
        dois.add(reference.value)
    arxiv = {
        arxiv_id.value for arxiv_id in map(_parsed_arxiv, (*dois, work.arxiv_id or "")) if arxiv_id
    }
    version = None
    if isinstance(reference, ArxivId):
        arxiv.add(reference.value)
        version = reference.version
    # arXiv registers a DOI for each of its papers, and prints it beside its own identifier.
    dois |= {f"{_ARXIV_DOI}{one.lower()}" for one in arxiv}
    notices = (*work.notice_for, *(notice.doi or "" for notice in work.notices or ()))
    opposed = {doi.lower() for doi in notices if doi} - dois
    record = (work.title, work.venue, work.publisher, *(author.name for author in work.authors))
    words = frozenset(fold_text(" ".join(filter(None, record))).split())
    venue = fold_text(work.venue or "")
    return ExpectedIdentifiers(
        frozenset(dois), frozenset(arxiv), version, frozenset(opposed), venue, words
    )


def _parsed_arxiv(text: str) -> ArxivId | None:
    try:
        return parse_arxiv(text) if text else None
    except InvalidInput:
        return None


def find_identifiers(
    excerpt: Excerpt,
    pages: tuple[PageText, ...],
    expected: ExpectedIdentifiers,
    title_place: tuple[int, int, int] | None = None,
) -> FoundIdentifiers:
    """Find the identifiers; `title_place` is the page of the title, its first and last line."""
    in_metadata = [*_dois_in_metadata(excerpt)]
    own = [identifier for identifier in in_metadata if _is_expected(identifier.id, expected)]
    own += [
        identifier
        for page in pages
        for identifier in _expected_dois_on(page, expected, _heading_end(page, title_place))
    ]
    rivals = [
        identifier for identifier in in_metadata if not _is_expected(identifier.id, expected)
    ]
    rivals += _rivals(pages, expected, title_place)
    if own:
        # A DOI cut by a line break leaves a prefix, which is not another DOI.
        rivals = [
            identifier for identifier in rivals if not _is_doi_prefix(identifier.id, expected)
        ]
    return FoundIdentifiers(
        own=max(
            own,
            key=lambda identifier: (identifier.prominence, -identifier.page, -identifier.line),
            default=None,
        ),
        rival=min(rivals, key=lambda identifier: identifier.place, default=None),
        stamps=tuple(stamp for page in pages[:2] for stamp in _stamps_on(page)),
    )


def _dois_in_metadata(excerpt: Excerpt) -> Iterator[FoundIdentifier]:
    """DOIs in the PDF metadata."""
    for text in (excerpt.subject, excerpt.title, excerpt.keywords):
        for match in dois_in(text or ""):
            doi = _parsed_doi(match)
            if doi:
                yield FoundIdentifier(doi, IdentifierProminence.STATED, is_in_place=True)


def _parsed_doi(text: str) -> str | None:
    try:
        return parse_doi(text).value
    except InvalidInput:
        return None


def _is_expected(doi: str, expected: ExpectedIdentifiers) -> bool:
    return any(
        doi == one or (doi.startswith(one) and _PART_SUFFIX.fullmatch(doi[len(one) :]))
        for one in expected.dois
    )


def _heading_end(page: PageText, title_place: tuple[int, int, int] | None) -> int:
    """Return the last line of the title on a page; above it, there are no notes and references."""
    return title_place[2] if title_place and title_place[0] == page.number else 0


def _expected_dois_on(
    page: PageText, expected: ExpectedIdentifiers, heading_end: int
) -> Iterator[FoundIdentifier]:
    """The work's own DOIs on a page, also where white space or a line break splits them."""
    for doi in expected.dois:
        bare = "".join(doi.split())
        at = page.bare.text.find(bare)
        while at >= 0:
            end = at + len(bare)
            if _is_complete(page, end):
                line = page.bare.line_at(at)
                standing = _standing(page, line, heading_end, expected.venue, rival=False)
                in_place = not _is_in_citation(page, line, expected)
                yield FoundIdentifier(doi, standing, page.number, line, in_place)
            at = page.bare.text.find(bare, end)


def _is_complete(page: PageText, end: int) -> bool:
    """Whether a DOI ends at this position, rather than being the prefix of a longer one."""
    rest = page.bare.text[end : end + 40]
    part = _PART_SUFFIX.match(rest)
    return _is_boundary(page, end) or (part is not None and _is_boundary(page, end + part.end()))


def _is_boundary(page: PageText, end: int) -> bool:
    closing = _CLOSING_PUNCTUATION.match(page.bare.text, end)
    stop = closing.end() if closing else end
    if any(at in page.gaps for at in range(end, stop + 1)):
        return True
    return not page.bare.text[stop : stop + 1].isalnum()


def _rivals(
    pages: tuple[PageText, ...],
    expected: ExpectedIdentifiers,
    title_place: tuple[int, int, int] | None,
) -> Iterator[FoundIdentifier]:
    """Other DOIs on the first page that may be the file's own."""
    edges = {
        doi
        for page in pages[1:]
        for line, doi in page.dois
        if not _EDGE_LINES <= line < len(page.lines) - _EDGE_LINES
    }
    for page in pages[:1]:
        for line, match in page.dois:
            heading_end = _heading_end(page, title_place)
            prominence = _standing(page, line, heading_end, expected.venue, rival=True)
            doi = _parsed_doi(match) if prominence else None
            if doi and not _is_expected(doi, expected):
                in_place = (
                    line < heading_end
                    or match in edges
                    or not _is_in_citation(page, line, expected)
                )
                yield FoundIdentifier(doi, prominence, page.number, line, in_place)


def _is_in_citation(page: PageText, line: int, expected: ExpectedIdentifiers) -> bool:
    """Whether the words beside a DOI, or on the line before one alone, are of another work."""
    if _IMPRINT.search(page.lines[line]):
        return False
    words = fold_text(_DOI_LABEL.sub(" ", _without_dois(page.lines[line]))).split()
    if not words and line:
        above = page.lines[line - 1]
        words = fold_text(above).split() if _VOLUME_AND_PAGES.search(above) else []
    other = [
        word
        for word in words
        if len(word) > 1 and not (word in expected.words or _IMPRINT_WORD.fullmatch(word))
    ]
    return len(other) > _MOST_OTHER_WORDS


def _is_doi_prefix(doi: str, expected: ExpectedIdentifiers) -> bool:
    return any(one.startswith(doi) for one in expected.dois)


def _standing(
    page: PageText, line: int, heading_end: int, venue: str, *, rival: bool
) -> IdentifierProminence:
    if page.number > 2 or _TOP_LINES <= line < len(page.lines) - _BOTTOM_LINES:
        return IdentifierProminence.MENTIONED
    near = _context(page, line)
    around = fold_text(_without_dois(" ".join(near[-2:])))
    around = around.replace(venue, " ") if venue else around
    if _ABOUT_ANOTHER.search(around) or (
        rival and not _IMPRINT.search(page.lines[line]) and _ABOUT_RELATED_MATERIAL.search(around)
    ):
        return IdentifierProminence.MENTIONED
    # A title may begin a line with "19. ", and affiliations are numbered too.
    start = line + 1 - len(near)
    if any(
        _LIST_ENTRY.match(one)
        and start + at > heading_end
        and not _AFFILIATION.search(fold_text(one))
        for at, one in enumerate(near)
    ):
        return IdentifierProminence.MENTIONED
    rest = _DOI_LABEL.sub("", _without_dois(page.lines[line]))
    return IdentifierProminence.LABELLED if rest else IdentifierProminence.ALONE


def _context(page: PageText, line: int) -> list[str]:
    """The line and up to two above it, stopping at a line with another DOI."""
    lines_with_doi = {at for at, _ in page.dois}
    first = line
    while first > max(0, line - 2) and first - 1 not in lines_with_doi:
        first -= 1
    return list(page.lines[first : line + 1])


def _without_dois(line: str) -> str:
    for doi in dois_in(line):
        line = line.replace(doi, "")
    return line


def _stamps_on(page: PageText) -> Iterator[ArxivId]:
    """Yield arXiv's stamp from the margin of a page: the id and version, alone on a line."""
    for line in page.lines:
        stamp = _STAMP.fullmatch(line)
        arxiv_id = _parsed_arxiv(f"{stamp[1]}{stamp[2]}") if stamp else None
        if arxiv_id:
            yield arxiv_id
