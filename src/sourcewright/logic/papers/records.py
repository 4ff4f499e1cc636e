"""Picks the record that was asked for from search results, and its open locations.

Whether two records describe the same work, judged strictly: a wrong pair fetches a wrong paper.
One description out of several records of the same work, field by field.
Writes what is known of a paper as the page of its abstract would: names, dates, abstract.
"""

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlsplit

from sourcewright.domain.readings import Reading
from sourcewright.domain.works import Copy, Work
from sourcewright.logic.formats.json_values import same_doi
from sourcewright.logic.markdown.writer import facts, joined
from sourcewright.logic.papers.titles import is_completed
from sourcewright.logic.text.phrases import counted
from sourcewright.logic.text.plain import plain_text


def about_doi(works: Sequence[Work], doi: str, *, total: Any) -> tuple[Work, ...]:
    """The records about this DOI: a hit with another one is no answer about it.

    Raises:
        ValueError: The count is not one of these hits, or none is about the DOI in a list that
            was cut short, so that one may stand further down.
        TypeError: The count is no number.
    """
    if not isinstance(total, int) or isinstance(total, bool):
        raise TypeError(f"expected a count, got {type(total).__name__}")
    found = tuple(work for work in works if same_doi(work.doi or "", doi))
    if total < len(works) or (total > len(works) and not found):
        raise ValueError(f"{counted(total, 'hit')} announced, and {len(works)} sent")
    return found


def copies_in(works: Iterable[Work]) -> tuple[Copy, ...]:
    """Every copy of these records, each address once."""
    return once(copy for work in works for copy in work.copies)


def once(copies: Iterable[Copy]) -> tuple[Copy, ...]:
    found: dict[str, Copy] = {}
    for copy in copies:
        found.setdefault(copy.url, copy)
    return tuple(found.values())


def names_pdf(url: str) -> bool:
    """Whether an address says by its ending that a PDF is there."""
    try:
        return urlsplit(url).path.lower().endswith(".pdf")
    except ValueError:
        return False


SHORTEST_TITLE = 20
FEWEST_WORDS = 3
"""Shorter titles, such as "Editorial", belong to many works."""


def is_same_work(asked: Work, candidate: Work) -> bool:
    """The same title letter by letter, the first author's name, and no other published DOI."""
    title = _words(asked.title or "")
    if len("".join(title)) < SHORTEST_TITLE or len(title) < FEWEST_WORDS:
        return False
    if title != _words(candidate.title or "") or not asked.authors:
        return False
    first = asked.authors[0]
    family = _words(first.family or first.name.split()[-1] if first.name else "")
    names = {word for author in candidate.authors for word in _words(author.name)}
    conflicting = candidate.doi is not None and asked.doi not in (None, candidate.doi)
    return bool(family) and set(family) <= names and not conflicting


def _words(text: str) -> list[str]:
    """Letters and digits only, case and accents folded."""
    folded = unicodedata.normalize("NFKD", plain_text(text) or "").casefold()
    kept = "".join(char for char in folded if not unicodedata.combining(char))
    return "".join(char if char.isalnum() else " " for char in kept).split()


FIELDS = ("title", "year", "authors", "venue", "volume", "issue", "pages", "publisher", "type")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pooled:
    """What the records say together, and whose word each field is."""

    work: Work
    origins: dict[str, str]


def pooled(records: Iterable[Work]) -> Pooled:
    """Each field from the first record that has it; there must be one record at least."""
    records = tuple(records)
    found: dict[str, Any] = {}
    origins: dict[str, str] = {}
    for field in FIELDS:
        teller = _teller(records, field)
        if teller is not None:
            found[field] = getattr(teller, field)
            origins[field] = teller.source
    return Pooled(work=replace(records[0], **found), origins=origins)


def _teller(records: Sequence[Work], field: str) -> Work | None:
    """The first record that has the field; of authors, one that tells their names apart."""
    tellers = [record for record in records if getattr(record, field)]
    if field == "title" and tellers:
        return _longest_titled(tellers)
    apart = [record for record in tellers if all(author.family for author in record.authors)]
    return next(iter(apart if field == "authors" and apart else tellers), None)


def _longest_titled(tellers: Sequence[Work]) -> Work:
    """The first record, or a later one that gives the same title with its subtitle."""
    first = tellers[0]
    full = (one for one in tellers[1:] if is_completed(first.title or "", one.title or ""))
    return next(full, first)


def abstract_page(work: Work, *, kind: str, site: str, **more: object) -> Reading:
    """A paper's record as Markdown; `more` are facts of this source alone."""
    authors = "; ".join(author.name for author in work.authors)
    notices = "; ".join(
        " ".join(
            filter(None, (notice.kind.replace("_", " "), notice.date, notice.doi or notice.label))
        )
        for notice in work.notices or ()
    )
    about = facts(
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
    abstract = joined("## Abstract", work.abstract) if work.abstract else None
    return Reading(
        content=joined(f"# {work.title}", about, abstract),
        kind=kind,
        title=work.title,
        author=authors or None,
        site=site,
        published=work.published,
        modified=work.updated,
        canonical=work.url,
    )
