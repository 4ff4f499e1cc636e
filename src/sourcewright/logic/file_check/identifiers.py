"""Identifiers (DOI, arXiv) in a PDF: its own, told from those that it cites."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

from sourcewright.domain.errors import InvalidInput
from sourcewright.domain.files import Excerpt
from sourcewright.domain.identifiers import ArxivId, Doi, parse_arxiv, parse_doi
from sourcewright.domain.works import Work
from sourcewright.logic.file_check.pages import Leaf, dois_in
from sourcewright.logic.text.unicode import folded

_DOI_LABEL = re.compile(
    r"(?:https?://)?(?:www\.|dx\.)?doi\.org/|\b(?:article|digital object identifier|doi|hdl)\b|[\W_]",
    re.IGNORECASE,
)
# The parts of an article have DOIs of their own: its figures, tables, and numbered versions.
_PART = re.compile(r"[./]?v[0-9]{1,3}(?:\.full(?:\.pdf)?)?|\.[gte]?[0-9]{3}")
_CLOSING = re.compile(r"[./_()\[\];:,-]{0,9}")
_STAMP = re.compile(
    r"arxiv:\s?((?:[0-9]{4}\.[0-9]{4,5}|[a-z-]{2,20}(?:\.[a-z-]{2,20})?/[0-9]{7}))(v[0-9]{1,3})"
    r"(?:\s?\[[a-z.-]{2,30}\])?(?:\s*[0-9]{1,2}\s[a-z]{3,9}\s[0-9]{4})?",
    re.IGNORECASE,
)
_TOP, _BOTTOM = 25, 15
"""Lines of the first page in which papers carry their own DOI: head, first column, footer."""
_ENTRY = re.compile(r"\s*(?:\[[0-9]{1,3}\]|\([0-9]{1,3}\)|[0-9]{1,3}[.)]?\s)")
_ABOUT_ANOTHER = re.compile(
    r"\b(?:correct(?:ion|s|ed)|errat(?:um|a)|corrigend(?:um|a)|comments? (?:on|to)|reply to|"
    r"response to|original (?:article|paper|version|publication)|supplement(?:ary)? to|retract\w*|"
    r"see also|companion|related (?:article|paper)|refers? to|concerning)\b"
)
_BESIDE = re.compile(
    r"\b(?:published version|version of record|preprint|data(?:set)?s?|code|software|repository|"
    r"zenodo|figshare|dryad|supplement\w*|supporting|available|materials?|protocol|"
    r"registration|license|licence|funder|cites?|in response)\b"
)


class Standing(IntEnum):
    """How clearly an identifier is the file's own."""

    MENTIONED = 0
    LABELLED = 1
    ALONE = 2
    STATED = 3


@dataclass(frozen=True, slots=True)
class Claim:
    """An identifier in a file, and where."""

    id: str
    standing: Standing
    page: int = 0
    """0 stands for what the PDF says about itself."""
    line: int = 0

    @property
    def place(self) -> tuple[int, int]:
        return self.page, self.line

    @property
    def where(self) -> str:
        return f"on page {self.page}" if self.page else "in the PDF's own description"


@dataclass(frozen=True, slots=True)
class Wanted:
    """Every name under which the work is known, and those of notices that it is not."""

    dois: frozenset[str]
    arxiv: frozenset[str]
    version: int | None
    opposed: frozenset[str]


@dataclass(frozen=True, slots=True)
class Claims:
    """What a file says that it is."""

    own: Claim | None = None
    """A DOI of the work."""
    rival: Claim | None = None
    """The first DOI of something else that may be the file's own."""
    stamps: tuple[ArxivId, ...] = ()


def wanted_of(work: Work, reference: Doi | ArxivId) -> Wanted:
    dois = {text.lower() for text in (work.doi, *work.preprints, *work.published_as) if text}
    if isinstance(reference, Doi):
        dois.add(reference.value)
    arxiv = {found.value for found in map(_arxiv, (*dois, work.arxiv_id or "")) if found}
    version = None
    if isinstance(reference, ArxivId):
        arxiv.add(reference.value)
        version = reference.version
    notices = (*work.notice_for, *(notice.doi or "" for notice in work.notices or ()))
    opposed = {doi.lower() for doi in notices if doi} - dois
    return Wanted(frozenset(dois), frozenset(arxiv), version, frozenset(opposed))


def _arxiv(text: str) -> ArxivId | None:
    try:
        return parse_arxiv(text) if text else None
    except InvalidInput:
        return None


def claims_of(excerpt: Excerpt, leaves: tuple[Leaf, ...], wanted: Wanted) -> Claims:
    stated = [*_stated(excerpt)]
    own = [claim for claim in stated if _is_wanted(claim.id, wanted)]
    own += [claim for leaf in leaves for claim in _wanted_on(leaf, wanted)]
    rivals = [claim for claim in stated if not _is_wanted(claim.id, wanted)]
    rivals += [claim for leaf in leaves[:1] for claim in _others_on(leaf, wanted)]
    if own:
        # The beginning of a DOI that was broken by a line is no other DOI.
        rivals = [claim for claim in rivals if not _begins(claim.id, wanted)]
    return Claims(
        own=max(own, key=lambda claim: (claim.standing, -claim.page, -claim.line), default=None),
        rival=min(rivals, key=lambda claim: claim.place, default=None),
        stamps=tuple(stamp for leaf in leaves[:2] for stamp in _stamps_on(leaf)),
    )


def _stated(excerpt: Excerpt) -> Iterator[Claim]:
    """DOIs in what the PDF says about itself."""
    for text in (excerpt.subject, excerpt.title, excerpt.keywords):
        for found in dois_in(text or ""):
            doi = _doi(found)
            if doi:
                yield Claim(doi, Standing.STATED)


def _doi(text: str) -> str | None:
    try:
        return parse_doi(text).value
    except InvalidInput:
        return None


def _is_wanted(doi: str, wanted: Wanted) -> bool:
    return any(
        doi == one or (doi.startswith(one) and _PART.fullmatch(doi[len(one) :]))
        for one in wanted.dois
    )


def _wanted_on(leaf: Leaf, wanted: Wanted) -> Iterator[Claim]:
    """The work's own DOIs, also where a line break or a blank went through them."""
    for doi in wanted.dois:
        bare = "".join(doi.split())
        at = leaf.bare.text.find(bare)
        while at >= 0:
            end = at + len(bare)
            if _ends(leaf, end):
                line = leaf.bare.line_at(at)
                yield Claim(doi, _standing(leaf, line, rival=False), leaf.number, line)
            at = leaf.bare.text.find(bare, end)


def _ends(leaf: Leaf, end: int) -> bool:
    """Whether a DOI that was found is there in full, and not the beginning of a longer one."""
    rest = leaf.bare.text[end : end + 40]
    part = _PART.match(rest)
    return _stops(leaf, end) or (part is not None and _stops(leaf, end + part.end()))


def _stops(leaf: Leaf, end: int) -> bool:
    closing = _CLOSING.match(leaf.bare.text, end)
    stop = closing.end() if closing else end
    if any(at in leaf.gaps for at in range(end, stop + 1)):
        return True
    return not leaf.bare.text[stop : stop + 1].isalnum()


def _others_on(leaf: Leaf, wanted: Wanted) -> Iterator[Claim]:
    for line, found in leaf.dois:
        standing = _standing(leaf, line, rival=True)
        doi = _doi(found) if standing else None
        if doi and not _is_wanted(doi, wanted):
            yield Claim(doi, standing, leaf.number, line)


def _begins(doi: str, wanted: Wanted) -> bool:
    return any(one.startswith(doi) for one in wanted.dois)


def _standing(leaf: Leaf, line: int, *, rival: bool) -> Standing:
    if leaf.number > 2 or _TOP <= line < len(leaf.lines) - _BOTTOM:
        return Standing.MENTIONED
    near = _context(leaf, line)
    around = folded(_without_dois(" ".join(near[-2:])))
    if _ABOUT_ANOTHER.search(around) or (rival and _BESIDE.search(around)):
        return Standing.MENTIONED
    if any(map(_ENTRY.match, near)):
        return Standing.MENTIONED
    rest = _DOI_LABEL.sub("", _without_dois(leaf.lines[line]))
    return Standing.LABELLED if rest else Standing.ALONE


def _context(leaf: Leaf, line: int) -> list[str]:
    """The line and up to two above it, as far as they do not speak of another DOI."""
    taken = {at for at, _ in leaf.dois}
    first = line
    while first > max(0, line - 2) and first - 1 not in taken:
        first -= 1
    return list(leaf.lines[first : line + 1])


def _without_dois(line: str) -> str:
    for doi in dois_in(line):
        line = line.replace(doi, "")
    return line


def _stamps_on(leaf: Leaf) -> Iterator[ArxivId]:
    """What arXiv prints on the margin of a first page: a line of its own, with the version."""
    for line in leaf.lines:
        stamp = _STAMP.fullmatch(line)
        found = _arxiv(f"{stamp[1]}{stamp[2]}") if stamp else None
        if found:
            yield found
