"""Use case of `audit_bibliography`: checks every entry of a reference list in one pass."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

from sourcewright.base.authors import author_from_parts
from sourcewright.base.concurrency import run_concurrently
from sourcewright.base.errors import InvalidInput
from sourcewright.base.identifiers import parse_doi
from sourcewright.base.links import LinkCheck
from sourcewright.base.works import Notice
from sourcewright.domain.web.claims import ClaimOutcome
from sourcewright.references.identifiers_in_text import IdentifierField, identifier_of_url
from sourcewright.references.model import ReadReference, Reference, UnreadableReference
from sourcewright.references.reader import ReferenceFormat, detect_format, read_references
from sourcewright.references.styles.issued_dates import issued_year
from sourcewright.services.pages.web_citation import byline_authors
from sourcewright.services.sessions.selection import SourceSelection, select_sources
from sourcewright.services.trust.cases import CitationCase
from sourcewright.services.trust.cited_sources import CitedSource
from sourcewright.services.trust.notice_outcome import notice_of, title_without_weight
from sourcewright.services.trust.source_urls import source_urls

if TYPE_CHECKING:
    # An audit without a network needs none of these.
    from sourcewright.services.pages.link_check import LinkChecker
    from sourcewright.services.sessions.research_session import ResearchSessions
    from sourcewright.services.trust.claim_check import ClaimChecker
    from sourcewright.services.trust.earlier_answers import EarlierAnswers

MAX_ENTRIES = 200
_CLAIMS_AT_ONCE = 8
_UNREGISTERED = LinkCheck(state="dead", http_status=404, problem="the DOI is not registered")

Flag = Literal["retracted", "dead_link", "not_found", "unchecked", "mischaracterized", "mismatch"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditedEntry:
    """One entry, and the results of its check."""

    index: int
    entry: ReadReference
    flags: tuple[Flag, ...]
    reason: str
    case: CitationCase | None = None
    """None for an entry that could not be read."""
    link: LinkCheck | None = None
    claim: ClaimOutcome | None = None
    notice: Notice | None = None
    """The most serious notice about the work."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """The checked entries, in order."""

    source: str
    entries: tuple[AuditedEntry, ...]
    checked_at: str
    skipped: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedEntry:
    """An entry of a reference list, and the claim that it is cited for."""

    entry: ReadReference
    claim: str | None = None


class LooksUpReferences(Protocol):
    """Collects what is known about references."""

    async def collect(self, references: Sequence[Reference]) -> list[CitationCase]:
        """Return one case per reference, in order."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class OnlineParts:
    """What an audit needs besides the lookup if it may use the network."""

    links: "LinkChecker"
    claims: "ClaimChecker"
    sessions: "ResearchSessions"
    earlier: "EarlierAnswers"


class BibliographyAuditor:
    """Checks reference lists; without `online`, links and claims are not checked."""

    def __init__(
        self,
        *,
        lookup: LooksUpReferences,
        now: Callable[[], str],
        online: OnlineParts | None = None,
    ) -> None:
        self._lookup = lookup
        self._online = online
        self._now = now

    async def session_sources(self, session_id: str) -> SourceSelection:
        """The sources of a session to be checked; raises SessionNotFound if there is none."""
        if self._online is None:
            raise InvalidInput("sessionId: an audit without a network reads no sessions")
        return select_sources((await self._online.sessions.read(session_id)).sources)

    async def audit(
        self, listed: Sequence[ListedEntry], *, source: str, first: int = 0, keep: bool = False
    ) -> Audit:
        """Check the first `MAX_ENTRIES` entries; their numbers begin with `first`.

        With `keep`, what was found is stored for audits without a network.
        """
        taken = listed[:MAX_ENTRIES]
        readable = [one.entry for one in taken if isinstance(one.entry, Reference)]
        checked = await self._lookup.collect(readable)
        cases = iter(checked)
        pairs = [
            (one, None if isinstance(one.entry, UnreadableReference) else next(cases))
            for one in taken
        ]
        links: Mapping[str, LinkCheck] = {}
        claims: Mapping[int, ClaimOutcome] = {}
        if self._online is not None:
            links = await _check_links(self._online.links, checked)
            claims = await _check_claims(self._online.claims, pairs, links)
            if keep:
                await self._online.earlier.keep(checked)
        for case in checked:
            case.forget_candidates()
        entries = tuple(
            _audited(first + index, one.entry, case, links, claims.get(index))
            for index, (one, case) in enumerate(pairs)
        )
        return Audit(
            source=source,
            entries=entries,
            checked_at=self._now(),
            skipped=len(listed) - len(taken),
        )


async def _check_links(
    checker: "LinkChecker", cases: Sequence[CitationCase]
) -> Mapping[str, LinkCheck]:
    """Check all links at once; one to a DOI that the DOI system denied needs no request."""
    urls = {case.reference.url: case for case in cases if case.reference.url}
    denied = {url: _UNREGISTERED for url, case in urls.items() if url and _is_denied(url, case)}
    allowed = [url for url in urls if url and url not in denied]
    return {**denied, **(await checker.check(allowed) if allowed else {})}


def _is_denied(url: str, case: CitationCase) -> bool:
    identifier = identifier_of_url(url)
    return identifier is not None and identifier[1].lower() in case.denied


async def _check_claims(
    checker: "ClaimChecker",
    pairs: Sequence[tuple[ListedEntry, CitationCase | None]],
    links: Mapping[str, LinkCheck],
) -> dict[int, ClaimOutcome]:
    slots = asyncio.Semaphore(_CLAIMS_AT_ONCE)

    async def one(claim: str, case: CitationCase) -> ClaimOutcome:
        url = case.reference.url
        urls = source_urls(url, links.get(url or ""), case.check.record)
        async with slots:
            title = title_without_weight(case.check, case.integrity)
            return await checker.check(claim, urls, without=title)

    due = [
        (index, listed.claim, case)
        for index, (listed, case) in enumerate(pairs)
        if listed.claim and case is not None
    ]
    outcomes = await run_concurrently([one(claim, case) for _, claim, case in due]) if due else []
    return {index: outcome for (index, _, _), outcome in zip(due, outcomes, strict=True)}


def read_bibliography(
    text: str, format_name: ReferenceFormat | None
) -> tuple[list[ListedEntry], ReferenceFormat]:
    """The entries of a document, and its format.

    Raises:
        InvalidInput: It has no entries, or is not in this format.
    """
    name = format_name or detect_format(text)
    entries = read_references(text, format=name)
    if not entries:
        raise InvalidInput(f"bibliography: no entries were found in it as {name}")
    return [ListedEntry(entry=one) for one in entries], name


def reference_of_source(source: CitedSource) -> Reference:
    """A source as a reference; its site is where it was read, not the journal."""
    authors = (
        author_from_parts(name=_reading_name(one))
        for one in byline_authors(source.author, source.organisations)
    )
    identifiers = _identifiers(source)
    return Reference(
        text=source.title or source.doi or source.url,
        kind="other" if identifiers or not source.url else "webpage",
        authors=tuple(one for one in authors if one),
        # A byline may name only some of the authors.
        authors_truncated=True,
        title=source.title or None,
        year=issued_year(source.date),
        url=source.url or None,
        doi=identifiers.get("doi"),
        arxiv_id=identifiers.get("arxiv_id"),
        pmid=identifiers.get("pmid"),
        pmcid=identifiers.get("pmcid"),
    )


def _identifiers(source: CitedSource) -> dict[IdentifierField, str]:
    """The DOI without prefix, as records have it; without one, the identifier in the URL."""
    if not source.doi:
        identifier = identifier_of_url(source.url)
        return dict([identifier]) if identifier else {}
    try:
        return {"doi": parse_doi(source.doi).value}
    except InvalidInput:
        return {"doi": source.doi}


def _reading_name(name: object) -> str:
    parts = (getattr(name, part, None) for part in ("given", "family", "suffix"))
    return getattr(name, "whole", None) or " ".join(filter(None, parts))


def _audited(
    index: int,
    entry: ReadReference,
    case: CitationCase | None,
    links: Mapping[str, LinkCheck],
    claim: ClaimOutcome | None,
) -> AuditedEntry:
    if isinstance(entry, UnreadableReference) or case is None:
        reason = entry.reason if isinstance(entry, UnreadableReference) else ""
        return AuditedEntry(
            index=index,
            entry=entry,
            flags=("unchecked",),
            reason=f"The entry could not be read: {reason}.",
        )
    link = links.get(entry.url or "")
    notice = notice_of(case.integrity)
    flags = _flags(case, link, claim, notice)
    return AuditedEntry(
        index=index,
        entry=entry,
        flags=flags,
        reason=_reason(case, link, claim),
        case=case,
        link=link,
        claim=claim,
        notice=notice,
    )


def _flags(
    case: CitationCase, link: LinkCheck | None, claim: ClaimOutcome | None, notice: Notice | None
) -> tuple[Flag, ...]:
    check = case.check
    is_dead = link is not None and link.state == "dead"
    is_live = link is not None and link.state in ("live", "refused")
    conditions: dict[Flag, bool] = {
        "retracted": is_retraction(notice),
        "dead_link": is_dead,
        "not_found": bool(case.denied),
        "unchecked": _is_unconfirmed(case, is_live=is_live) or case.lacks_notices,
        "mischaracterized": claim is not None and claim.support == "not_addressed",
        "mismatch": check.status == "mismatch",
    }
    return tuple(flag for flag, holds in conditions.items() if holds)


def _is_unconfirmed(case: CitationCase, *, is_live: bool) -> bool:
    check = case.check
    return check.status == "unconfirmed" and check.exists is not True and not is_live


def is_retraction(notice: Notice | None) -> bool:
    """Whether a notice withdraws the whole work."""
    return notice is not None and notice.kind in ("retraction", "withdrawal", "removal")


def _link_reason(link: LinkCheck) -> list[str]:
    archived = f"; archived at {link.snapshot.url}" if link.snapshot else ""
    if link.state == "dead":
        return [f"The link is dead ({link.http_status or link.problem}){archived}."]
    if link.change is not None:
        return [f"The link {link.problem}{archived}."]
    return []


def _reason(case: CitationCase, link: LinkCheck | None, claim: ClaimOutcome | None) -> str:
    parts: list[str] = []
    if case.outcome.status != "verified" or case.outcome is not case.check or case.doi_as_given:
        parts.append(case.outcome.reason)
    if link is not None:
        parts += _link_reason(link)
    if claim is not None and claim.support == "not_addressed":
        parts.append("The source was read and does not address the claim.")
    sentences = [f"{part.removesuffix('.')}." for part in parts[:-1] if part]
    return " ".join((*sentences, *parts[-1:]))
