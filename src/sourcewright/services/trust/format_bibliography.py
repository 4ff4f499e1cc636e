"""Use case of `format_bibliography`: formats sources in a citation style or exchange format."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from sourcewright.base.errors import InvalidInput, ResearchError
from sourcewright.base.identifiers import ArxivId, Doi, parse_doi, parse_reference
from sourcewright.base.notices import Status
from sourcewright.references.item_export import (
    bibtex,
    csl_json,
    item_keys,
    ris,
    with_literal_names,
)
from sourcewright.references.source_items import Item, filled_item, work_item
from sourcewright.references.styles.processor import format_reference
from sourcewright.references.styles.year_suffixes import year_suffixes
from sourcewright.services.papers.batches import Batch
from sourcewright.services.papers.resolution import Resolver
from sourcewright.services.sessions.research_session import ResearchSessions
from sourcewright.services.sessions.selection import SourceSelection, select_sources
from sourcewright.services.trust.cited_sources import CitedSource, source_item

BibliographyStyle = Literal["apa", "mla", "bibtex", "ris", "csl-json"]

_DOI_LINKS = ("https://doi.org/", "http://doi.org/", "https://dx.doi.org/", "http://dx.doi.org/")


@dataclass(frozen=True, slots=True, kw_only=True)
class UnresolvedSource:
    """A source whose record could not be read, or whose DOI is none.

    It is cited as it was given; a DOI that is none is left out, and without a URL so is the source.
    """

    number: int
    doi: str
    error: ResearchError


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceStatus:
    """The notices about a source whose record was read."""

    number: int
    doi: str
    status: Status


@dataclass(frozen=True, slots=True, kw_only=True)
class Bibliography:
    """The text, the number of its entries, and what could not be resolved."""

    text: str
    entry_count: int
    unresolved: tuple[UnresolvedSource, ...] = ()
    notices: tuple[SourceStatus, ...] = ()
    """Sources that were retracted or corrected, or could not be checked for that."""
    skipped: tuple[int, ...] = ()
    """The numbers of the sources that have neither a URL nor a usable DOI."""


@dataclass(frozen=True, slots=True)
class _ListedSource:
    number: int
    source: CitedSource
    item: Item
    status: Status | None = None
    """None for a source that is only cited as given."""


class BibliographyFormatter:
    """Formats sources; looks up their records only on request."""

    def __init__(
        self, *, resolver: Resolver, sessions: ResearchSessions, now: Callable[[], str]
    ) -> None:
        self._resolver = resolver
        self._sessions = sessions
        self._now = now

    async def session_sources(self, session_id: str) -> SourceSelection:
        """The sources of a session to be cited; raises SessionNotFound if there is none."""
        return select_sources((await self._sessions.read(session_id)).sources)

    async def format(
        self,
        sources: Sequence[CitedSource],
        style: BibliographyStyle,
        *,
        resolve: bool = False,
        markdown: bool = False,
    ) -> Bibliography:
        """Format the sources, each URL once; one whose DOI is invalid does not stop the others.

        Raises:
            InvalidInput: The DOI of every source is invalid.
        """
        listed, skipped, invalid = _listed(sources)
        if invalid and len(invalid) == len(sources):
            first = invalid[0]
            raise InvalidInput(f"sources: number {first.number}: {first.error}") from first.error
        unresolved: tuple[UnresolvedSource, ...] = ()
        if resolve:
            listed, unresolved = await self._with_records(listed)
        return Bibliography(
            # In a thread, because works of thousands of authors must not block other calls.
            text=await asyncio.to_thread(
                _written, listed, style, today=self._now()[:10], markdown=markdown
            ),
            entry_count=len(listed),
            unresolved=tuple(sorted((*invalid, *unresolved), key=lambda one: one.number)),
            notices=tuple(
                SourceStatus(number=one.number, doi=one.source.doi, status=one.status)
                for one in listed
                if one.status and one.status != "no_notice_found"
            ),
            skipped=skipped,
        )

    async def _with_records(
        self, listed: Sequence[_ListedSource]
    ) -> tuple[list[_ListedSource], tuple[UnresolvedSource, ...]]:
        async def record(doi: str) -> tuple[Item, Status]:
            paper = await self._resolver.resolve(parse_doi(doi))
            return work_item(paper.work, paper.integrity.notices), paper.integrity.status

        identified = [one for one in listed if one.source.doi]
        batch = Batch(record, key=str)
        answers = await batch.run([one.source.doi for one in identified])
        results = {one.ref: one for one in answers}
        unresolved = tuple(
            UnresolvedSource(number=one.number, doi=one.source.doi, error=error)
            for one in identified
            if (error := results[one.source.doi].error)
        )
        filled = [
            replace(one, item=filled_item(one.item, answer.result[0]), status=answer.result[1])
            if (answer := results.get(one.source.doi)) and answer.result
            else one
            for one in listed
        ]
        return filled, unresolved


def _listed(
    sources: Sequence[CitedSource],
) -> tuple[list[_ListedSource], tuple[int, ...], list[UnresolvedSource]]:
    """Each source once, the numbers of those without URL and DOI, and those with an invalid DOI."""
    by_address: dict[str, _ListedSource] = {}
    skipped: list[int] = []
    invalid: list[UnresolvedSource] = []
    for number, source in enumerate(sources, 1):
        try:
            doi = _doi(source)
        except InvalidInput as error:
            invalid.append(UnresolvedSource(number=number, doi=source.doi, error=error))
            doi = ""
        address = source.url or (Doi(doi).url if doi else "")
        if not address:
            skipped.append(number)
        elif address not in by_address:
            cited = replace(source, doi=doi)
            by_address[address] = _ListedSource(number, cited, source_item(cited))
    return list(by_address.values()), tuple(skipped), invalid


def _doi(source: CitedSource) -> str:
    """The bare DOI: the given one, or that of a link to doi.org.

    Raises:
        InvalidInput: What was given is no DOI.
    """
    if source.doi:
        return _doi_in(source.doi)
    if source.url.lower().startswith(_DOI_LINKS):
        try:
            return parse_doi(source.url).value
        except InvalidInput:
            # A link to doi.org that names no DOI is a web page.
            return ""
    return ""


def _doi_in(text: str) -> str:
    """A DOI in any spelling, or the DOI that arXiv registers for its papers."""
    reference = parse_reference(text)
    if isinstance(reference, ArxivId):
        return f"10.48550/arxiv.{reference.value}"
    if not isinstance(reference, Doi):
        raise InvalidInput(f"{text!r} is not a DOI")
    return reference.value


def _written(
    listed: Sequence[_ListedSource], style: BibliographyStyle, *, today: str, markdown: bool
) -> str:
    if style in ("apa", "mla"):
        items = [_readable(one.item, today) for one in listed]
        entries = [format_reference(item, style, markdown=markdown) for item in items]
        suffixes = year_suffixes(items, entries)
        entries = [
            format_reference({**item, "year-suffix": suffix}, style, markdown=markdown)
            if suffix
            else entry
            for item, suffix, entry in zip(items, suffixes, entries, strict=True)
        ]
        return "\n\n".join(sorted(entries, key=lambda entry: (entry.casefold(), entry)))
    keys = item_keys([one.item for one in listed])
    ordered = sorted(zip(listed, keys, strict=True), key=lambda pair: pair[1])
    if style == "csl-json":
        return csl_json(
            [
                (one.item if one.status else with_literal_names(one.item), key)
                for one, key in ordered
            ]
        )
    write = bibtex if style == "bibtex" else ris
    return "\n\n".join(write(one.item, key) for one, key in ordered)


def _readable(item: Item, today: str) -> Item:
    """The item with a title, and for a page the date of access."""
    is_page = item["type"] == "webpage"
    title = item.get("title") or ("[Untitled page]" if is_page else "[Untitled work]")
    accessed = {"date-parts": [[int(part) for part in today.split("-")]]}
    return {**item, "title": title} | ({"accessed": accessed} if is_page else {})
