"""Decides whether a PDF is the requested paper, with evidence sentences for and against it."""

import re
from collections.abc import Iterator

from sourcewright.base.identifiers import ArxivId, Doi
from sourcewright.base.text.phrases import count_phrase, shortened
from sourcewright.base.works import Work
from sourcewright.domain.papers.first_pages import UNCONFIRMED, FileCheck, FileStatus
from sourcewright.reading.excerpts import Excerpt
from sourcewright.services.papers.file_check.identifiers import (
    FoundIdentifier,
    IdentifierProminence,
    expected_identifiers,
)
from sourcewright.services.papers.file_check.pages import PageText, prepare_pages
from sourcewright.services.papers.file_check.signs import (
    MIN_TEXT_LETTERS,
    FileFeatures,
    collect_features,
)
from sourcewright.services.papers.file_check.titles import TitleMatch

_PLACEHOLDER_TITLE = re.compile(
    r"microsoft word|untitled|\.(?:docx?|tex|dvi|indd|pdf|qxd|rtf)\b|^\W*$", re.IGNORECASE
)
_TITLE_MESSAGES = {
    "same": "the title is on {page}",
    "alike": "the title is on {page} ({alike})",
    "longer": "a longer title that begins with this title is on {page}",
    "shorter": "the title without its subtitle is on {page}",
    "begins": "another title that begins with this title is on {page}",
    "inside": "the title is mentioned on {page}",
    "derived": "the heading on {page} is that of a document about the work: {heading}",
}
_MAX_SHOWN = 200
_CITATION_LINES = 5


def evidence_sentences(features: FileFeatures, excerpt: Excerpt) -> Iterator[str]:
    """Yield one short evidence sentence for each feature of the file."""
    if excerpt.problem:
        yield excerpt.problem
    elif features.amount < MIN_TEXT_LETTERS:
        subject = "the first pages are images and" if features.is_scan else "the first pages"
        yield f"{subject} contain {features.amount or 'no'} letters of text"
    yield from _objections(features, excerpt)
    yield from _id_evidence(features)
    yield from _title_evidence(features)
    if features.author:
        yield f"the first author's name {features.author[0]} is on page {features.author[1]}"
    elif features.coauthor:
        yield f"the author's name {features.coauthor[0]} is on page {features.coauthor[1]}"
    elif features.authors.byline:
        yield f"none of the authors is named: {_printable(features.authors.byline)}"
    if features.year:
        yield f"the year {features.year[0]} is on page {features.year[1]}"
    if features.venue:
        yield f"the journal or publisher is named on page {features.venue}"


def _objections(features: FileFeatures, excerpt: Excerpt) -> Iterator[str]:
    if features.barrier:
        yield f"the text is that of an interstitial page, not of a paper: {_printable(features.barrier)!r}"
    if features.label:
        kind, words = features.label
        yield f"the file is headed as another kind of document, a {kind}: {_printable(words)}"
    if features.form:
        yield f"the pages have the format of {features.form}"
    if features.lacks_label:
        yield "nothing on the first page says that the file is the notice"
    if features.is_scan and features.other_title:
        yield f"the PDF metadata has another title: {_printable(features.other_title)}"
    yield from _length_objections(features, excerpt)


def _length_objections(features: FileFeatures, excerpt: Excerpt) -> Iterator[str]:
    size = count_phrase(excerpt.page_count, "page")
    if features.is_first_page:
        yield "the file has one page, but the record lists several"
    elif features.is_part:
        yield "the file has far less text than the pages that the record lists"
    elif features.is_too_long:
        yield f"the file has {size}, many more than the record lists"
    elif features.is_scan and features.other_length:
        yield f"the file has {size}, but the record lists another number"
    if features.is_fragment:
        yield "the file is one page with less text than any paper"
    if features.is_beginning:
        yield "the file ends after the beginning of an article"


def _id_evidence(features: FileFeatures) -> Iterator[str]:
    own, rival = features.claims.own, features.claims.rival
    if own:
        verb = "is" if own.prominence else "is mentioned"
        yield f"the DOI {own.id} {verb} {own.where}"
    if rival:
        yield f"another DOI, {rival.id}, is {rival.where}"
    for stamp in features.claims.stamps[:1]:
        version = features.expected.version
        expected = f", not version {version}" if version and stamp.version != version else ""
        yield f"the arXiv stamp is {stamp}{expected}"


def _title_evidence(features: FileFeatures) -> Iterator[str]:
    match = features.title_match
    if match.grade in _TITLE_MESSAGES:
        facts = {"page": f"page {match.page}", "alike": f"{match.alike:.0f} % alike"}
        yield _TITLE_MESSAGES[match.grade].format(**facts, heading=_printable(match.heading))
    elif features.amount and features.title.letters:
        yield "the title is not on the first pages"
    if features.is_notice:
        yield "the text is that of a notice about an article"


def describe_other_document(
    features: FileFeatures, excerpt: Excerpt, pages: tuple[PageText, ...]
) -> str | None:
    """Return the title or identifier that the file gives itself, made printable."""
    if features.barrier:
        return f"an interstitial page ({_printable(features.barrier)!r})"
    if features.label:
        return f"{features.label[0]} ({_printable(features.label[1])})"
    if features.title_match.grade == "derived":
        return _printable(features.title_match.heading)
    stamps, rival = features.claims.stamps, features.claims.rival
    is_other = stamps and (not features.stamped or _is_other_version(features))
    name = f"arXiv:{stamps[0]}" if is_other else rival.id if rival else None
    heading = _heading(excerpt, pages)
    return f"{heading} ({name})" if name and heading else name or heading


def _heading(excerpt: Excerpt, pages: tuple[PageText, ...]) -> str | None:
    declared_title = excerpt.title or ""
    if len(declared_title.split()) > 1 and not _PLACEHOLDER_TITLE.search(declared_title):
        return _printable(declared_title)
    lines = (line for page in pages for line in page.lines[:12])
    return next((_printable(line) for line in lines if _is_heading(line)), None)


def _is_heading(line: str) -> bool:
    letters = sum(letter.isalpha() for letter in line)
    return letters >= 15 and letters > 0.6 * len(line) and "10." not in line and "://" not in line


def _printable(text: str) -> str:
    clean = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return shortened(clean, _MAX_SHOWN)


LONG_TITLE_LETTERS = 40
"""Letters. A heading this long that equals the title is probable evidence without the author."""


def check_file(work: Work, excerpt: Excerpt, *, reference: Doi | ArxivId) -> FileCheck:
    """Compare the first pages of a PDF with the requested work.

    `confirmed` needs the file's own identifier together with the title or the author, or the
    title, first author and year together. `probable` means good but incomplete evidence.
    `mismatch` means that the file is another document, or shows nothing of the work. `unusable`
    means that it is damaged or unreadable. `unconfirmed` means a scan without text that nothing
    contradicts: only its origin can then confirm it.
    """
    pages = prepare_pages(excerpt)
    features = collect_features(work, excerpt, pages, expected_identifiers(work, reference))
    status = _status(features, excerpt)
    other_document = (
        describe_other_document(features, excerpt, pages) if status == "mismatch" else None
    )
    return FileCheck(
        status=status,
        evidence=tuple(evidence_sentences(features, excerpt)),
        other_work=other_document,
        arxiv_version=features.claims.stamps[0].version if features.stamped else None,
    )


def _status(features: FileFeatures, excerpt: Excerpt) -> FileStatus:
    if excerpt.damaged or (excerpt.problem and not features.amount):
        return "unusable"
    is_short = (
        features.is_fragment or features.is_beginning or features.is_part
    ) and not features.is_scan
    if features.barrier or features.is_first_page or is_short or features.form:
        return "mismatch"
    status = _status_by_text(features) if features.amount else "mismatch"
    if status == "confirmed" and _is_doubtful(features):
        return "probable"
    return UNCONFIRMED if status == "mismatch" and _is_undisputed_scan(features) else status


def _is_doubtful(features: FileFeatures) -> bool:
    """Whether anything speaks against a file that is the work by its identifier or title."""
    rival = features.claims.rival
    return bool(features.authors.byline or features.is_too_long or (rival and rival.is_in_place))


def _is_undisputed_scan(features: FileFeatures) -> bool:
    disputed = (
        features.claims.rival
        or features.other_title
        or features.other_length
        or features.is_notice
        or features.label
    )
    return features.is_scan and not disputed


def _status_by_text(features: FileFeatures) -> FileStatus:
    claims, rival = features.claims, features.claims.rival
    if features.title_match.grade == "derived" or features.is_notice or features.lacks_label:
        return "mismatch"
    if features.label and not features.stamped:
        return "mismatch"
    if (
        rival
        and rival.id in features.expected.opposed
        and rival.prominence >= IdentifierProminence.ALONE
    ):
        return "mismatch"
    if claims.stamps and features.expected.arxiv:
        return _status_by_stamp(features)
    is_own = claims.own is not None and claims.own.prominence > IdentifierProminence.MENTIONED
    if not is_own and (_is_of_others(features) or features.is_too_long):
        return "mismatch"
    return _status_by_doi(features) if claims.own else _status_by_title(features)


def _is_of_others(features: FileFeatures) -> bool:
    """Whether the file has its own DOI, or authors of its own."""
    rival = features.claims.rival
    return bool(features.authors.are_others or (rival and rival.is_in_place))


def _is_other_version(features: FileFeatures) -> bool:
    """Whether arXiv's stamp names a version other than the requested one."""
    version = features.expected.version
    return bool(version) and all(stamp.version != version for stamp in features.claims.stamps)


def _status_by_stamp(features: FileFeatures) -> FileStatus:
    if not features.stamped:
        return "mismatch"
    if _is_other_version(features):
        return "mismatch"
    return "confirmed" if features.named or features.author else "probable"


def _status_by_doi(features: FileFeatures) -> FileStatus:
    own, rival = features.claims.own, features.claims.rival
    prominence = own.prominence if own else IdentifierProminence.MENTIONED
    # A paper prints its own DOI first; DOIs of its data and of cited works come later.
    if rival and own and (rival.place < own.place or not prominence):
        return _status_by_title(features)
    if not prominence:
        same = features.title_match.grade == "same" and features.authors.is_most
        is_certain = same and features.author and not features.title.is_short
        return "confirmed" if is_certain else _status_by_title(features)
    is_shown = prominence >= IdentifierProminence.ALONE or (own and own.is_in_place)
    if features.title_match.grade == "none" and features.title.letters and not is_shown:
        return _status_by_title(features)
    if features.is_cited_only and own and _is_of_citation(own, features.title_match):
        return _status_by_title(features)
    certain = features.named or (
        features.author and prominence >= IdentifierProminence.ALONE and not rival
    )
    return "confirmed" if certain else "probable"


def _is_of_citation(own: FoundIdentifier, title: TitleMatch) -> bool:
    """Whether a DOI ends the citation in which the title is, perhaps on a line of its own."""
    is_below = own.page == title.page and 0 <= own.line - title.line <= _CITATION_LINES
    return own.prominence < IdentifierProminence.ALONE or is_below


def _status_by_title(features: FileFeatures) -> FileStatus:
    same = features.title_match.grade == "same"
    if features.claims.rival:
        return (
            "probable" if same and features.author and not features.title.is_short else "mismatch"
        )
    if same:
        return _status_by_same_title(features)
    if not features.title.letters:
        return (
            "probable" if features.full_name and features.year and features.venue else "mismatch"
        )
    if features.named or features.title_match.grade == "inside":
        return "probable" if features.author and features.heads else "mismatch"
    return "mismatch"


def _status_by_same_title(features: FileFeatures) -> FileStatus:
    if features.author and features.year:
        is_certain = features.authors.is_most and not features.title.is_short
        return "confirmed" if is_certain else "probable"
    if features.author or features.coauthor:
        return "probable"
    if features.title.is_short:
        return (
            "probable"
            if not features.has_authors and features.year and features.venue
            else "mismatch"
        )
    long = len(features.title.letters) >= LONG_TITLE_LETTERS
    return "probable" if long or features.year or not features.is_described else "mismatch"
