"""Recording of sources and outcomes in a research session, once per canonical URL and DOI."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from sourcewright.base.errors import InvalidInput
from sourcewright.base.identifiers import parse_doi
from sourcewright.base.urls.canonical import canonical_url, dedup_key, is_on_site
from sourcewright.domain.users.sessions import (
    Head,
    Limits,
    Outcome,
    SessionChange,
    SessionReader,
    SessionSource,
    SourceUse,
    StoredSource,
)
from sourcewright.services.sessions.summaries import one_line

_MAX_URL = 8192
_MAX_TITLE = 300
_MAX_FIELD = 200
_MAX_NAMES = 20
_USES: tuple[SourceUse, ...] = ("found", "read", "used", "rejected")
"""What is later in this list remains, until the caller says something else."""


def record(
    session: SessionReader,
    sources: Sequence[SessionSource],
    outcomes: Sequence[Outcome],
    *,
    limits: Limits,
    now: str,
    by_caller: bool = False,
) -> SessionChange:
    """The change that records the sources and outcomes of a tool call at the current step.

    `by_caller` is for what the caller says about sources.
    """
    head = session.head
    step = head.step_count or None
    bounded = [_bounded(one, step) for one in sources if _is_web_url(one.url)]
    keys = [key for one in bounded for key in keys_of(one)]
    books = _SourceChanges(
        head=head, limits=limits, by_key=dict(session.sources(keys)), by_caller=by_caller
    )
    for source in bounded:
        books.add(source)
    newest = outcomes[-limits.outcomes :]
    slots = {
        (head.outcome_count + number) % limits.outcomes: replace(one, step=step, at=now)
        for number, one in enumerate(newest)
    }
    return SessionChange(
        head=replace(books.head, outcome_count=head.outcome_count + len(newest)),
        sources=tuple(books.changed.values()),
        source_keys=books.keys,
        removed_sources=tuple(books.removed),
        outcomes=slots,
    )


def sources_named(texts: Sequence[str], argument: str, use: SourceUse) -> list[SessionSource]:
    """The sources that a caller names by their URLs or DOIs.

    Raises:
        InvalidInput: A text is neither.
    """
    return [_named(text, argument, use) for text in texts]


def _named(text: str, argument: str, use: SourceUse) -> SessionSource:
    try:
        doi = parse_doi(text)
    except InvalidInput:
        if not _is_web_url(text):
            raise InvalidInput(f"{argument}: {text!r} is neither a URL nor a DOI") from None
        return SessionSource(url=text, use=use)
    return SessionSource(url=doi.url, doi=doi.value, use=use)


def keys_of(source: SessionSource) -> list[str]:
    """The keys under which a source is found again."""
    by_url = f"url {dedup_key(source.url)}"
    return [by_url, f"doi {source.doi}"] if source.doi else [by_url]


@dataclass(slots=True)
class _SourceChanges:
    """The sources of a session while new ones are added."""

    head: Head
    limits: Limits
    by_key: dict[str, StoredSource]
    by_caller: bool
    changed: dict[int, StoredSource] = field(default_factory=dict)
    keys: dict[str, int] = field(default_factory=dict)
    removed: list[int] = field(default_factory=list)

    def add(self, source: SessionSource) -> None:
        same = {one.position: one for key in keys_of(source) if (one := self.by_key.get(key))}
        if same:
            self._merge(source, [same[position] for position in sorted(same)])
        elif source.use == "rejected":
            # What was never found needs no rejection.
            return
        elif self.head.source_count >= self.limits.sources:
            self.head = replace(self.head, omitted_sources=self.head.omitted_sources + 1)
        else:
            stored = StoredSource(position=self.head.next_source, source=source)
            self.head = replace(
                self.head,
                source_count=self.head.source_count + 1,
                next_source=self.head.next_source + 1,
            )
            self._keep(stored)

    def _merge(self, source: SessionSource, same: Sequence[StoredSource]) -> None:
        """Merge into the first of the matching sources; the others are removed."""
        first, *others = same
        merged = first.source
        for other in others:
            merged = _merged(merged, other.source)
            self.changed.pop(other.position, None)
            self.removed.append(other.position)
            self.head = replace(self.head, source_count=self.head.source_count - 1)
        merged = _merged(merged, source)
        if self.by_caller:
            merged = replace(merged, use=source.use)
        also_found = [key for one in (*others, first) for key in keys_of(one.source)]
        is_new_key = any(key not in self.by_key for key in keys_of(source))
        if merged != first.source or others or is_new_key:
            self._keep(replace(first, source=merged), [*also_found, *keys_of(source)])

    def _keep(self, stored: StoredSource, keys: Sequence[str] = ()) -> None:
        self.changed[stored.position] = stored
        for key in (*keys, *keys_of(stored.source)):
            self.by_key[key] = stored
            self.keys[key] = stored.position


def _merged(old: SessionSource, new: SessionSource) -> SessionSource:
    """Add the new source's fields to the old one; it keeps the step where it was found first."""
    return replace(
        old,
        title=old.title or new.title,
        tag="scraped" if "scraped" in (old.tag, new.tag) else old.tag or new.tag,
        author=old.author or new.author,
        organisations=old.organisations or new.organisations,
        date=old.date or new.date,
        doi=old.doi or new.doi,
        language=old.language or new.language,
        source_type=new.source_type if new.tag == "scraped" else old.source_type,
        notice=new.notice or old.notice,
        use=max(old.use, new.use, key=_USES.index),
    )


def _bounded(source: SessionSource, step: int | None) -> SessionSource:
    """The source with texts of bounded length, because they come from outside."""
    return replace(
        source,
        url=canonical_url(source.url),
        title=one_line(source.title, _MAX_TITLE),
        author=one_line(source.author, _MAX_FIELD) if source.author else None,
        organisations=tuple(
            one_line(one, _MAX_FIELD) for one in source.organisations[:_MAX_NAMES]
        ),
        date=one_line(source.date, _MAX_FIELD) if source.date else None,
        doi=_doi(source),
        language=one_line(source.language, _MAX_FIELD) if source.language else None,
        found_in=step,
    )


def _doi(source: SessionSource) -> str | None:
    """The DOI in its canonical form: the given one, or that of a link to doi.org."""
    text = source.doi or (source.url if is_on_site(source.url, ["doi.org"]) else "")
    try:
        return str(parse_doi(text)) if text else None
    except InvalidInput:
        return None


def _is_web_url(url: str) -> bool:
    return len(url) <= _MAX_URL and url.lower().startswith(("http://", "https://"))
