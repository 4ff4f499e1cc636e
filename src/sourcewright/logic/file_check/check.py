"""Decides whether a PDF is the requested paper, with evidence sentences for and against it."""

import re
from collections.abc import Iterator

from sourcewright.domain.files import UNCONFIRMED, Excerpt, FileCheck, FileStatus
from sourcewright.domain.identifiers import ArxivId, Doi
from sourcewright.domain.works import Work
from sourcewright.logic.file_check.identifiers import Standing, wanted_of
from sourcewright.logic.file_check.pages import Leaf, leaves_of
from sourcewright.logic.file_check.signs import ENOUGH_TEXT, Signs, signs_of
from sourcewright.logic.text.phrases import counted

_PLACEHOLDER_TITLE = re.compile(
    r"microsoft word|untitled|\.(?:docx?|tex|dvi|indd|pdf|qxd|rtf)\b|^\W*$", re.IGNORECASE
)
_TITLE_MESSAGES = {
    "same": "the title stands {page}",
    "alike": "the title stands {page} ({alike})",
    "longer": "the title stands {page} and goes on",
    "shorter": "the title without its subtitle stands {page}",
    "begins": "the title is the beginning of another one {page}",
    "inside": "the title is mentioned {page}",
    "derived": "the heading {page} is that of a document about the work: {heading}",
}
_MAX_SHOWN = 200


def evidence_of(signs: Signs, excerpt: Excerpt) -> Iterator[str]:
    """Yield one short evidence sentence for each feature of the file."""
    if excerpt.problem:
        yield excerpt.problem
    elif signs.amount < ENOUGH_TEXT:
        pages = "the first pages are pictures and" if signs.is_scan else "the first pages"
        yield f"{pages} hold {signs.amount or 'no'} letters of text"
    yield from _objections(signs, excerpt)
    yield from _id_evidence(signs)
    yield from _title_evidence(signs)
    if signs.author:
        yield f"the first author's name {signs.author[0]} is on page {signs.author[1]}"
    elif signs.coauthor:
        yield f"the author's name {signs.coauthor[0]} is on page {signs.coauthor[1]}"
    if signs.year:
        yield f"the year {signs.year[0]} is on page {signs.year[1]}"
    if signs.venue:
        yield f"the place of publication is named on page {signs.venue}"


def _objections(signs: Signs, excerpt: Excerpt) -> Iterator[str]:
    if signs.barrier:
        yield f"the text is that of a page in front of a paper: {_printable(signs.barrier)!r}"
    if signs.is_first_page:
        yield "the file has one page, and the record several"
    if signs.is_scan and signs.other_length and not signs.is_first_page:
        yield f"the file has {counted(excerpt.page_count, 'page')}, and the record another number"
    if signs.is_scan and signs.other_title:
        yield f"the PDF's own description has another title: {_printable(signs.other_title)}"


def _id_evidence(signs: Signs) -> Iterator[str]:
    own, rival = signs.claims.own, signs.claims.rival
    if own:
        verb = "stands" if own.standing else "is mentioned"
        yield f"the DOI {own.id} {verb} {own.where}"
    if rival:
        yield f"another DOI, {rival.id}, stands {rival.where}"
    for stamp in signs.claims.stamps[:1]:
        version = signs.wanted.version
        expected = f", not version {version}" if version and stamp.version != version else ""
        yield f"the arXiv stamp says {stamp}{expected}"


def _title_evidence(signs: Signs) -> Iterator[str]:
    sight = signs.sight
    if sight.grade in _TITLE_MESSAGES:
        facts = {"page": f"on page {sight.page}", "alike": f"{sight.alike:.0f} % alike"}
        yield _TITLE_MESSAGES[sight.grade].format(**facts, heading=_printable(sight.heading))
    elif signs.amount and signs.title.letters:
        yield "the title is not on the first pages"
    if signs.is_notice:
        yield "the text is that of a notice about an article"


def found_instead(signs: Signs, excerpt: Excerpt, leaves: tuple[Leaf, ...]) -> str | None:
    """Return the title or identifier that the file gives itself, made printable."""
    if signs.barrier:
        return f"a page that stands in front of a paper ({_printable(signs.barrier)!r})"
    if signs.sight.grade == "derived":
        return _printable(signs.sight.heading)
    stamps, rival = signs.claims.stamps, signs.claims.rival
    is_other = stamps and (not signs.stamped or _is_other_version(signs))
    name = f"arXiv:{stamps[0]}" if is_other else rival.id if rival else None
    heading = _heading(excerpt, leaves)
    return f"{heading} ({name})" if name and heading else name or heading


def _heading(excerpt: Excerpt, leaves: tuple[Leaf, ...]) -> str | None:
    declared_title = excerpt.title or ""
    if len(declared_title.split()) > 1 and not _PLACEHOLDER_TITLE.search(declared_title):
        return _printable(declared_title)
    lines = (line for leaf in leaves for line in leaf.lines[:12])
    return next((_printable(line) for line in lines if _is_heading(line)), None)


def _is_heading(line: str) -> bool:
    letters = sum(letter.isalpha() for letter in line)
    return letters >= 15 and letters > 0.6 * len(line) and "10." not in line and "://" not in line


def _printable(text: str) -> str:
    clean = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return clean if len(clean) <= _MAX_SHOWN else f"{clean[: _MAX_SHOWN - 1]}…"


LONG_TITLE = 40
"""Letters. A heading this long that equals the title is probable evidence without the author."""


def check_file(work: Work, excerpt: Excerpt, *, reference: Doi | ArxivId) -> FileCheck:
    """Compare the first pages of a PDF with the requested work.

    `confirmed` needs the file's own identifier together with the title or the author, or the
    title, first author and year together. `probable` means good but incomplete evidence.
    `mismatch` means that the file is another document, or shows nothing of the work. `unusable`
    means that it is damaged or unreadable. `unconfirmed` means a scan without text that nothing
    contradicts: only its origin can then confirm it.
    """
    leaves = leaves_of(excerpt)
    signs = signs_of(work, excerpt, leaves, wanted_of(work, reference))
    status = _status(signs, excerpt)
    found = found_instead(signs, excerpt, leaves) if status == "mismatch" else None
    return FileCheck(
        status=status,
        evidence=tuple(evidence_of(signs, excerpt)),
        found=found,
        arxiv_version=signs.claims.stamps[0].version if signs.stamped else None,
    )


def _status(signs: Signs, excerpt: Excerpt) -> FileStatus:
    if excerpt.damaged or (excerpt.problem and not signs.amount):
        return "unusable"
    if signs.barrier or signs.is_first_page:
        return "mismatch"
    status = _status_by_text(signs) if signs.amount else "mismatch"
    return UNCONFIRMED if status == "mismatch" and _is_undisputed_scan(signs) else status


def _is_undisputed_scan(signs: Signs) -> bool:
    disputed = signs.claims.rival or signs.other_title or signs.other_length or signs.is_notice
    return signs.is_scan and not disputed


def _status_by_text(signs: Signs) -> FileStatus:
    claims, rival = signs.claims, signs.claims.rival
    if signs.sight.grade == "derived" or signs.is_notice:
        return "mismatch"
    if rival and rival.id in signs.wanted.opposed and rival.standing >= Standing.ALONE:
        return "mismatch"
    if claims.stamps and signs.wanted.arxiv:
        return _status_by_stamp(signs)
    return _status_by_doi(signs) if claims.own else _status_by_title(signs)


def _is_other_version(signs: Signs) -> bool:
    """Whether arXiv's stamp names a version other than the requested one."""
    version = signs.wanted.version
    return bool(version) and all(stamp.version != version for stamp in signs.claims.stamps)


def _status_by_stamp(signs: Signs) -> FileStatus:
    if not signs.stamped:
        return "mismatch"
    if _is_other_version(signs):
        return "mismatch"
    return "confirmed" if signs.named or signs.author else "probable"


def _status_by_doi(signs: Signs) -> FileStatus:
    own, rival = signs.claims.own, signs.claims.rival
    standing = own.standing if own else Standing.MENTIONED
    # A paper prints its own DOI first; DOIs of its data and of cited works come later.
    if rival and own and (rival.place < own.place or not standing):
        return _status_by_title(signs)
    if not standing:
        same = signs.sight.grade == "same" and signs.author and not signs.title.is_short
        return "confirmed" if same else _status_by_title(signs)
    certain = signs.named or (signs.author and standing >= Standing.ALONE and not rival)
    return "confirmed" if certain else "probable"


def _status_by_title(signs: Signs) -> FileStatus:
    same = signs.sight.grade == "same"
    if signs.claims.rival:
        return "probable" if same and signs.author and not signs.title.is_short else "mismatch"
    if same:
        return _status_by_same_title(signs)
    if not signs.title.letters:
        return "probable" if signs.full_name and signs.year and signs.venue else "mismatch"
    if signs.named or signs.sight.grade == "inside":
        return "probable" if signs.author and signs.heads else "mismatch"
    return "mismatch"


def _status_by_same_title(signs: Signs) -> FileStatus:
    if signs.author and signs.year:
        return "probable" if signs.title.is_short else "confirmed"
    if signs.author or signs.coauthor:
        return "probable"
    if signs.title.is_short:
        return "probable" if not signs.has_authors and signs.year and signs.venue else "mismatch"
    long = len(signs.title.letters) >= LONG_TITLE
    return "probable" if long or signs.year or not signs.is_described else "mismatch"
