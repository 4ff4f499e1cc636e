"""Merges the records of several indexes: one work, once, with the source of each field."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sourcewright.base.notices import most_serious_notice
from sourcewright.base.works import Copy, Notice, WorkRecord
from sourcewright.domain.papers.records import unique_copies
from sourcewright.references.comparison.match import (
    Fingerprint,
    are_apart,
    are_years_apart,
    describes_preprint,
    identifiers,
    is_preprint_doi,
    is_same_work,
    shares_identifier,
)

_FIRST_VALUE = (
    "venue",
    "type",
    "volume",
    "issue",
    "pages",
    "publisher",
    "abstract",
    "url",
    "tldr",
    "is_influential",
    "pmid",
    "pmcid",
    "arxiv_id",
    "published",
)
_MOST_PLACES = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkVersion:
    """A version of a work: where it appeared, and which indexes list it."""

    is_preprint: bool
    venue: str | None
    year: int | None
    doi: str | None
    arxiv_id: str | None
    url: str | None
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MergedWork:
    """One work: its merged record, the source of each field, and the records of each index."""

    record: WorkRecord
    origins: Mapping[str, str]
    """The index of each field that is set, by field."""
    records: tuple[WorkRecord, ...]
    places: tuple[WorkVersion, ...] = ()
    ranks: Mapping[str, int] = field(default_factory=dict)
    """The best rank of the work in each index that found it, from 1."""

    @property
    def sources(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(record.source for record in self.records))


def merge_lists(lists: Mapping[str, Sequence[WorkRecord]]) -> list[MergedWork]:
    """The works in the ranked lists of several indexes, each once, in order of first occurrence."""
    records = [record for ranked in lists.values() for record in ranked]
    ranks = [rank for ranked in lists.values() for rank in range(1, len(ranked) + 1)]
    works = []
    for group in group_records(records):
        best: dict[str, int] = {}
        for at in group:
            source = records[at].source
            best[source] = min(ranks[at], best.get(source, ranks[at]))
        works.append(replace(merge_group([records[at] for at in group]), ranks=best))
    return works


def group_records(records: Sequence[WorkRecord]) -> list[list[int]]:
    """Groups the records of the same work; each group lists positions in ascending order.

    A record joins a group only if no member excludes it, so that one wrong identifier never
    chains two works together. Only records that share a key are compared.
    """
    groups = _Groups(records)
    for at in range(len(records)):
        groups.add(at)
    return sorted(groups.members())


class _Groups:
    """The groups so far, and the keys by which a further record finds its candidates."""

    def __init__(self, records: Sequence[WorkRecord]) -> None:
        self._prints = [Fingerprint(record) for record in records]
        self._group_of: dict[int, list[int]] = {}
        self._by_key: dict[str, list[int]] = {}

    def add(self, at: int) -> None:
        keys = _keys(self._prints[at])
        own = self._group_of[at] = [at]
        candidates = dict.fromkeys(other for key in keys for other in self._by_key.get(key, ()))
        for other in candidates:
            theirs = self._group_of[other]
            if theirs is not own and self._belong_together(at, other, own, theirs):
                own = self._join(theirs, own)
        for key in keys:
            self._by_key.setdefault(key, []).append(at)

    def members(self) -> Iterator[list[int]]:
        for at, group in self._group_of.items():
            if group[0] == at:
                yield group

    def _belong_together(self, at: int, other: int, own: list[int], theirs: list[int]) -> bool:
        prints = self._prints
        if not is_same_work(prints[at], prints[other]):
            return False
        linked = shares_identifier(prints[at].record, prints[other].record)
        return not any(
            are_apart(prints[one], prints[two])
            or (not linked and are_years_apart(prints[one], prints[two]))
            for one in own
            for two in theirs
            if (one, two) != (at, other)
        )

    def _join(self, first: list[int], second: list[int]) -> list[int]:
        joined = sorted((*first, *second))
        for at in joined:
            self._group_of[at] = joined
        return joined


def _keys(side: Fingerprint) -> list[str]:
    """Keys that two records of one work share: an identifier, or the letters of the title."""
    names = [*identifiers(side.record)]
    if side.letters:
        names += [f"title:{letters}" for letters in (side.letters, *side.heads)]
    return names


def merge_group(records: Sequence[WorkRecord]) -> MergedWork:
    """The record of one work: each field from the record that is best for it."""
    preprints = [record for record in records if describes_preprint(record)]
    published = [record for record in records if record not in preprints] if preprints else records
    ordered = [*published, *preprints]
    values: dict[str, Any] = {}
    origins: dict[str, str] = {}

    def take(name: str, record: WorkRecord | None) -> None:
        if record is not None and getattr(record, name) not in (None, ()):
            values[name] = getattr(record, name)
            origins[name] = record.source

    for name in _FIRST_VALUE:
        take(name, _first_with(ordered, name))
    take("title", _with_best_title(ordered))
    take("authors", _with_most_authors(ordered))
    take("doi", _with_published_doi(ordered))
    take("year", _with_usual_year(published) or _with_usual_year(preprints))
    take("citation_count", _first_with(records, "citation_count"))
    take("open_access", _first(ordered, lambda record: record.open_access is True))
    if "open_access" not in values:
        take("open_access", _first_with(ordered, "open_access"))
    copies, notices = copies_of(ordered), notices_of(ordered)
    merged = WorkRecord(source=records[0].source, **values)
    merged = replace(
        merged,
        copies=copies,
        notices=notices,
        notice_for=tuple(dict.fromkeys(doi for record in ordered for doi in record.notice_for)),
        authors_truncated=all(record.authors_truncated for record in ordered if record.authors),
    )
    if copies:
        origins["copies"] = copies[0].source
        merged = replace(merged, open_access=True)
    return MergedWork(
        record=merged,
        origins=origins,
        records=tuple(records),
        places=_places(published, preprints),
    )


def with_descriptions(work: MergedWork, described: Iterable[WorkRecord]) -> MergedWork:
    """Add notices, copies and missing fields from further records to the work."""
    extra = tuple(described)
    if not extra:
        return work
    both = merge_group((*work.records, *extra))
    # Existing fields do not change; only missing ones are added.
    values = {
        name: getattr(work.record, name)
        for name in ("title", "authors", "year", "venue", "url", "citation_count", "abstract")
        if getattr(work.record, name) not in (None, ())
    }
    origins = {
        **both.origins,
        **{name: work.origins[name] for name in values if name in work.origins},
    }
    return MergedWork(
        record=replace(both.record, **values),
        origins=origins,
        records=work.records,
        places=both.places,
        ranks=work.ranks,
    )


def copies_of(records: Iterable[WorkRecord]) -> tuple[Copy, ...]:
    """The open copies in these records, PDFs first, without duplicate URLs."""
    copies = unique_copies(copy for record in records for copy in record.copies)
    return tuple(sorted(copies, key=lambda copy: not copy.is_pdf))


def notices_of(records: Iterable[WorkRecord]) -> tuple[Notice, ...] | None:
    """The notices in these records, the most serious first; None if no index knows of notices."""
    known = [record.notices for record in records if record.notices is not None]
    if not known:
        return None
    notices = list(dict.fromkeys(notice for some in known for notice in some))
    worst = most_serious_notice(notices)
    return tuple(sorted(notices, key=lambda notice: notice is not worst))


def _first(records: Sequence[WorkRecord], fits: Callable[[WorkRecord], bool]) -> WorkRecord | None:
    return next(filter(fits, records), None)


def _first_with(records: Sequence[WorkRecord], name: str) -> WorkRecord | None:
    return _first(records, lambda record: getattr(record, name) is not None)


def _with_best_title(records: Sequence[WorkRecord]) -> WorkRecord | None:
    """The record with the complete title, in mixed case if one has it."""
    titled = [record for record in records if record.title]
    if not titled:
        return None
    longest = max(len(record.title or "") for record in titled)
    return min(
        titled,
        key=lambda record: (
            (record.title or "").isupper(),
            len(record.title or "") < 0.9 * longest,
        ),
    )


def _with_most_authors(records: Sequence[WorkRecord]) -> WorkRecord | None:
    """The record with the complete list, with full given names if one has them."""
    listed = [record for record in records if record.authors]
    if not listed:
        return None
    return max(listed, key=lambda record: (len(record.authors), _letters_of_names(record) > 0))


def _letters_of_names(record: WorkRecord) -> int:
    """How many given names are written out."""
    return sum(
        len(word.rstrip(".")) > 1 for author in record.authors for word in author.name.split()[:-1]
    )


def _with_published_doi(records: Sequence[WorkRecord]) -> WorkRecord | None:
    with_doi = [record for record in records if record.doi]
    return next(
        (record for record in with_doi if not is_preprint_doi(record.doi or "")),
        with_doi[0] if with_doi else None,
    )


def _with_usual_year(records: Sequence[WorkRecord]) -> WorkRecord | None:
    """The record with the most frequent year; the first one on a tie."""
    dated = [record for record in records if record.year is not None]
    years = [record.year for record in dated]
    return max(dated, key=lambda record: years.count(record.year), default=None)


def _places(
    published: Sequence[WorkRecord], preprints: Sequence[WorkRecord]
) -> tuple[WorkVersion, ...]:
    """The versions of the work: the publication, and known preprints."""
    places = [_place(published, is_preprint=False)] if published else []
    servers: dict[str, list[WorkRecord]] = {}
    for record in preprints:
        servers.setdefault(record.arxiv_id or record.doi or "", []).append(record)
    unnamed = servers.pop("", []) if len(servers) > 1 else []
    places += [_place([*group, *unnamed], is_preprint=True) for group in servers.values()]
    return tuple(places[:_MOST_PLACES])


def _place(records: Sequence[WorkRecord], *, is_preprint: bool) -> WorkVersion:
    def first(name: str) -> Any:
        return next((getattr(one, name) for one in records if getattr(one, name)), None)

    return WorkVersion(
        is_preprint=is_preprint,
        venue=first("venue"),
        year=first("year"),
        doi=first("doi"),
        arxiv_id=first("arxiv_id") if is_preprint else None,
        url=first("url"),
        sources=tuple(dict.fromkeys(record.source for record in records)),
    )
