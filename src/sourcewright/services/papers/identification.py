"""Identification: turns what a caller wrote (URL, PMID, title page) into a DOI or arXiv id.

Visit a page to learn which paper it is about.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from sourcewright.domain.capabilities import ConvertsPubmedIds
from sourcewright.domain.errors import InvalidInput, NotConfigured, NotFound, Unsupported
from sourcewright.domain.evidence import Attempt, Unanswered
from sourcewright.domain.identifiers import (
    ArxivId,
    Doi,
    Pmcid,
    Pmid,
    Reference,
    page_address,
    parse_reference,
)
from sourcewright.domain.pages import SOURCE, Page, PageAddress
from sourcewright.domain.ports import FetchesPages, Recorder
from sourcewright.domain.spellings import shown
from sourcewright.logic.pages.declared_paper import Introduction, introduction, is_pdf
from sourcewright.services.inquiry import Asked, Inquiry
from sourcewright.services.providers import Sources

__all__ = ["SOURCE", "visit"]

_AFTER_A_DOI = re.compile(r"[^a-z0-9]|v[0-9]+$")
_MOST_SHOWN = 3
_INSTEAD = "give the paper's DOI instead, such as 10.1234/abc"


async def visit(
    address: str, recorder: Recorder, pages: FetchesPages
) -> tuple[Reference, Attempt]:
    """The paper that the page at an address is about, and the account of the visit.

    Raises:
        Unanswered: The page names no paper, or several (decided by InvalidInput), or it
            could not be read, which says nothing about any paper.
        InvalidInput: There is no such address.
        LogError: The visit could not be recorded.
    """
    known_as = PageAddress.of(address)
    asked = await Inquiry(known_as, recorder, event="fetch").ask(SOURCE, _look(address, pages))
    told = asked.answer
    if told is None:
        raise _unread(known_as, asked)
    if len(told.papers) != 1:
        raise _undecided(known_as, told)
    paper = told.papers[0]
    return paper, replace(asked.attempt, detail=f"{known_as} is {paper}, said by {told.told_by}")


async def _look(address: str, pages: FetchesPages) -> Introduction:
    page = await pages.fetch_page(address)
    own = introduction(page.body)
    told = _on_the_way(page, own) or own
    if page.problem is not None and not told.papers:
        raise page.problem
    if is_pdf(page.body) and not told.papers:
        return replace(told, told_by="PDF")
    return told


def _on_the_way(page: Page, own: Introduction) -> Introduction | None:
    """The paper that the last address which carries one names."""
    for hop in reversed(page.hops):
        try:
            paper = parse_reference(hop)
        except InvalidInput:
            continue
        if any(_goes_on_after(said, paper) for said in own.papers):
            return None
        return Introduction(papers=(paper,), told_by="the address it leads to")
    return None


def _goes_on_after(said: Reference, carried: Reference) -> bool:
    """Whether an address writes more after the DOI than the page says belongs to it."""
    if not isinstance(said, Doi) or not isinstance(carried, Doi):
        return False
    before, said_here, rest = carried.value.partition(said.value)
    return bool(said_here) and not before and bool(_AFTER_A_DOI.match(rest))


def _unread(address: PageAddress, asked: Asked[Introduction]) -> Unanswered:
    attempt = replace(asked.attempt, detail=f"{address}: {asked.attempt.detail}")
    error = attempt.error or InvalidInput(f"{address} was not read")
    return Unanswered(
        f"page {shown(str(address))} could not be read, so which paper it is about is not "
        f"known: {error} (this does not mean that the paper does not exist); {_INSTEAD}",
        decisive=error,
        attempts=(attempt,),
    )


def _undecided(address: PageAddress, told: Introduction) -> Unanswered:
    if told.papers:
        some = ", ".join(shown(str(paper)) for paper in told.papers[:_MOST_SHOWN])
        why = (
            f"names {len(told.papers)} papers in its {told.told_by}, such as {some}, and which "
            "one is meant is not guessed"
        )
    elif told.told_by:
        why = "is a PDF file and not a page about one"
    else:
        why = "names no paper: its head carries no citation_doi and no other identifier"
    attempt = Attempt(source=SOURCE, outcome="consulted_no_record", detail=f"{address} {why}")
    message = f"page {shown(str(address))} {why}; {_INSTEAD}"
    return Unanswered(message, decisive=InvalidInput(message), attempts=(attempt,))


_EVENT = "fetch"

_CATALOGUES = {"pmid": "PubMed", "pmcid": "PubMed Central"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Identified:
    """The id that sources know a paper by, and who said so."""

    reference: Doi | ArxivId
    attempts: tuple[Attempt, ...] = ()


async def identify_text(
    text: str, recorder: Recorder, sources: Sources, pages: FetchesPages
) -> Identified:
    """The DOI or arXiv id that a text means; an address that carries none is visited.

    Raises:
        InvalidInput: The text names nothing; the message says what to give instead.
        Unanswered: The page names no paper (decided by InvalidInput) or could not be read,
            or there is no such record in PubMed, or it could not be checked.
        Unsupported: The record in PubMed names no DOI.
        NotConfigured: No source that could say is on.
        LogError: What was asked could not be recorded.
    """
    attempts: tuple[Attempt, ...] = ()
    try:
        reference = parse_reference(text)
    except InvalidInput:
        address = page_address(text)
        if address is None:
            raise
        reference, visited = await visit(address, recorder, pages)
        attempts = (visited,)
    try:
        found = await identify(reference, Inquiry(reference, recorder, event=_EVENT), sources)
    except Unanswered as error:
        raise error.after(attempts) from error
    return replace(found, attempts=(*attempts, *found.attempts))


async def identify(reference: Reference, inquiry: Inquiry, sources: Sources) -> Identified:
    """The DOI or arXiv id of a reference; only PubMed's numbers need anybody to be asked.

    Raises:
        Unanswered: There is no such record, or it could not be checked.
        Unsupported: The record names no DOI.
        NotConfigured: No source that could say is on.
        LogError: What was asked could not be recorded.
    """
    if isinstance(reference, Doi | ArxivId):
        return Identified(reference=reference)
    able = sources.able(ConvertsPubmedIds)
    if not able:
        raise NotConfigured(f"{reference}: no source that turns such ids into DOIs is on")
    asked: list[Asked[str | None]] = []
    for name, source in able.items():
        asked.append(await inquiry.ask(name, source.doi_of(reference)))
        if doi := asked[-1].answer:
            return _found(reference, doi, asked)
    raise _nothing(reference, asked)


def _found(reference: Pmid | Pmcid, doi: str, asked: Sequence[Asked[str | None]]) -> Identified:
    *earlier, last = (one.attempt for one in asked)
    told = replace(last, detail=f"{reference} is {doi}")
    return Identified(reference=Doi(doi), attempts=(*earlier, told))


def _nothing(
    reference: Pmid | Pmcid, asked: Sequence[Asked[str | None]]
) -> Unanswered | Unsupported:
    catalogue = _CATALOGUES[reference.kind]
    attempts = tuple(one.attempt for one in asked)
    if any(one.attempt.outcome == "consulted_resolved" for one in asked):
        return Unsupported(
            f"{reference}: the record in {catalogue} names no DOI, and papers are known here by "
            "their DOI or arXiv id"
        )
    failures = [one.error for one in attempts if one.error and not isinstance(one.error, NotFound)]
    if failures:
        return Unanswered(
            f"{reference} could not be checked: {'; '.join(map(str, failures))}"
            " (this does not mean that it does not exist)",
            decisive=failures[0],
            attempts=attempts,
        )
    names = " and ".join(one.source for one in attempts)
    return Unanswered(
        f"{reference} does not exist: {catalogue} has no such record, said by {names}",
        decisive=NotFound(names, f"no record of {reference}"),
        attempts=attempts,
    )
