"""Selects and merges records of one work from several sources, and its open copies.

Records are matched strictly: a wrong match would fetch a wrong paper. Also writes a record as a
page with its metadata and abstract.
"""

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlsplit

from sourcewright.base.formats.json_values import same_doi
from sourcewright.base.text.phrases import count_phrase
from sourcewright.base.text.plain import plain_text
from sourcewright.base.works import Copy, Work
from sourcewright.domain.papers.titles import is_title_with_subtitle
from sourcewright.reading.markdown.writer import fact_list, join_blocks
from sourcewright.reading.readings import Reading


def records_about_doi(works: Sequence[Work], doi: str, *, total: Any) -> tuple[Work, ...]:
    """The records about this DOI; a hit with another DOI is not an answer.

    Raises:
        ValueError: The announced total does not fit the hits, or none is about the DOI in a
            truncated list, so that it may be further down.
        TypeError: The total is not a number.
    """
    if not isinstance(total, int) or isinstance(total, bool):
        raise TypeError(f"expected a count, got {type(total).__name__}")
    matches = tuple(work for work in works if same_doi(work.doi or "", doi))
    if total < len(works) or (total > len(works) and not matches):
        raise ValueError(f"{count_phrase(total, 'hit')} announced, but {len(works)} sent")
    return matches


def copies_in(works: Iterable[Work]) -> tuple[Copy, ...]:
    """All copies in these records, without duplicate URLs."""
    return unique_copies(copy for work in works for copy in work.copies)


def unique_copies(copies: Iterable[Copy]) -> tuple[Copy, ...]:
    by_url: dict[str, Copy] = {}
    for copy in copies:
        by_url.setdefault(copy.url, copy)
    return tuple(by_url.values())


def is_pdf_url(url: str) -> bool:
    """Whether a URL has the extension of a PDF."""
    try:
        return urlsplit(url).path.lower().endswith(".pdf")
    except ValueError:
        return False


SHORTEST_TITLE = 20
FEWEST_WORDS = 3
"""Shorter titles, such as "Editorial", are shared by many works."""


def is_same_work(requested: Work, candidate: Work) -> bool:
    """Whether title and first author are the same, and published DOIs do not conflict."""
    title = _words(requested.title or "")
    if len("".join(title)) < SHORTEST_TITLE or len(title) < FEWEST_WORDS:
        return False
    if title != _words(candidate.title or "") or not requested.authors:
        return False
    first = requested.authors[0]
    family = _words(first.family or first.name.split()[-1] if first.name else "")
    names = {word for author in candidate.authors for word in _words(author.name)}
    conflicting = candidate.doi is not None and requested.doi not in (None, candidate.doi)
    return bool(family) and set(family) <= names and not conflicting


def _words(text: str) -> list[str]:
    """The words of a text, letters and digits only, without case and accents."""
    folded = unicodedata.normalize("NFKD", plain_text(text) or "").casefold()
    letters = "".join(char for char in folded if not unicodedata.combining(char))
    return "".join(char if char.isalnum() else " " for char in letters).split()


FIELDS = ("title", "year", "authors", "venue", "volume", "issue", "pages", "publisher", "type")


@dataclass(frozen=True, slots=True, kw_only=True)
class MergedRecord:
    """The merged record, and the source of each field."""

    work: Work
    origins: dict[str, str]


def merge_records(records: Iterable[Work]) -> MergedRecord:
    """Each field from the first record that has it; at least one record is required."""
    records = tuple(records)
    fields: dict[str, Any] = {}
    origins: dict[str, str] = {}
    for field in FIELDS:
        record = _record_with(records, field)
        if record is not None:
            fields[field] = getattr(record, field)
            origins[field] = record.source
    return MergedRecord(work=replace(records[0], **fields), origins=origins)


def _record_with(records: Sequence[Work], field: str) -> Work | None:
    """The first record that has the field; for authors, one with family names if possible."""
    candidates = [record for record in records if getattr(record, field)]
    if field == "title" and candidates:
        return _with_longest_title(candidates)
    with_family_names = [
        record for record in candidates if all(author.family for author in record.authors)
    ]
    return next(
        iter(with_family_names if field == "authors" and with_family_names else candidates), None
    )


def _with_longest_title(candidates: Sequence[Work]) -> Work:
    """The first record, or a later one that has the same title with a subtitle."""
    first = candidates[0]
    completed = (
        candidate
        for candidate in candidates[1:]
        if is_title_with_subtitle(first.title or "", candidate.title or "")
    )
    return next(completed, first)


def abstract_page(work: Work, *, kind: str, site: str, **more: object) -> Reading:
    """A paper's record as Markdown; `more` are additional facts of this source."""
    authors = "; ".join(author.name for author in work.authors)
    notices = "; ".join(
        " ".join(
            filter(None, (notice.kind.replace("_", " "), notice.date, notice.doi or notice.label))
        )
        for notice in work.notices or ()
    )
    metadata = fact_list(
        Authors=authors,
        Journal=work.journal_ref or work.venue,
        Published=work.published,
        Updated=work.updated,
        arXiv=work.arxiv_id and f"{work.arxiv_id}{work.version or ''}",
        DOI=work.doi,
        Categories=", ".join(work.categories),
        Comment=work.comment,
        Notices=notices,
        **more,
    )
    abstract = join_blocks("## Abstract", work.abstract) if work.abstract else None
    return Reading(
        content=join_blocks(f"# {work.title}", metadata, abstract),
        kind=kind,
        title=work.title,
        author=authors or None,
        site=site,
        published=work.published,
        modified=work.updated,
        canonical=work.url,
    )
