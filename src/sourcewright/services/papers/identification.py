"""Identification: turns what a caller wrote into a DOI or arXiv id.

A PubMed id is converted by a source; the page at a URL is read for the paper that it declares.
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

_DOI_SUFFIX = re.compile(r"[^a-z0-9]|v[0-9]+$")
_MAX_SHOWN = 3
_INSTEAD = "give the paper's DOI instead, such as 10.1234/abc"


async def visit(
    address: str, recorder: Recorder, pages: FetchesPages
) -> tuple[Reference, Attempt]:
    """Return the paper that the page at a URL declares, and the attempt entry of the request.

    Raises:
        Unanswered: The page declares no paper or several (decisive: InvalidInput), or it
            could not be read, which says nothing about any paper.
        InvalidInput: The URL is invalid.
        LogError: The provenance row could not be written.
    """
    known_as = PageAddress.of(address)
    inquiry = Inquiry(known_as, recorder, event="fetch")
    response = await inquiry.ask(SOURCE, _read_declaration(address, pages))
    declaration = response.answer
    if declaration is None:
        raise _page_unread(known_as, response)
    if len(declaration.papers) != 1:
        raise _undecided(known_as, declaration)
    paper = declaration.papers[0]
    detail = f"{known_as} is {paper}, said by {declaration.told_by}"
    return paper, replace(response.attempt, detail=detail)


async def _read_declaration(address: str, pages: FetchesPages) -> Introduction:
    page = await pages.fetch_page(address)
    own = introduction(page.body)
    declaration = _from_redirects(page, own) or own
    if page.problem is not None and not declaration.papers:
        raise page.problem
    if is_pdf(page.body) and not declaration.papers:
        return replace(declaration, told_by="PDF")
    return declaration


def _from_redirects(page: Page, own: Introduction) -> Introduction | None:
    """Return the paper in the last redirect URL that contains an identifier."""
    for hop in reversed(page.hops):
        try:
            paper = parse_reference(hop)
        except InvalidInput:
            continue
        if any(_has_suffix(declared, paper) for declared in own.papers):
            return None
        return Introduction(papers=(paper,), told_by="the address it leads to")
    return None


def _has_suffix(declared: Reference, in_url: Reference) -> bool:
    """Whether the DOI in a URL is the declared DOI plus a suffix, such as a path or version."""
    if not isinstance(declared, Doi) or not isinstance(in_url, Doi):
        return False
    before, match, rest = in_url.value.partition(declared.value)
    return bool(match) and not before and bool(_DOI_SUFFIX.match(rest))


def _page_unread(address: PageAddress, response: Asked[Introduction]) -> Unanswered:
    attempt = replace(response.attempt, detail=f"{address}: {response.attempt.detail}")
    error = attempt.error or InvalidInput(f"{address} was not read")
    return Unanswered(
        f"page {shown(str(address))} could not be read, so which paper it is about is not "
        f"known: {error} (this does not mean that the paper does not exist); {_INSTEAD}",
        decisive=error,
        attempts=(attempt,),
    )


def _undecided(address: PageAddress, declaration: Introduction) -> Unanswered:
    if declaration.papers:
        some = ", ".join(shown(str(paper)) for paper in declaration.papers[:_MAX_SHOWN])
        why = (
            f"names {len(declaration.papers)} papers in its {declaration.told_by}, such as {some}, "
            "and which one is meant is not guessed"
        )
    elif declaration.told_by:
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
    """The DOI or arXiv id of a paper, and the attempts that found it."""

    reference: Doi | ArxivId
    attempts: tuple[Attempt, ...] = ()


async def identify_text(
    text: str, recorder: Recorder, sources: Sources, pages: FetchesPages
) -> Identified:
    """Return the DOI or arXiv id in a text; a URL without one is requested.

    Raises:
        InvalidInput: The text has no identifier; the message says what to give instead.
        Unanswered: The page declares no paper (decisive: InvalidInput) or could not be read,
            or PubMed has no such record, or it could not be checked.
        Unsupported: The record in PubMed has no DOI.
        NotConfigured: No source for the conversion is enabled.
        LogError: The provenance row could not be written.
    """
    attempts: tuple[Attempt, ...] = ()
    try:
        reference = parse_reference(text)
    except InvalidInput:
        address = page_address(text)
        if address is None:
            raise
        reference, page_attempt = await visit(address, recorder, pages)
        attempts = (page_attempt,)
    try:
        identified = await identify(reference, Inquiry(reference, recorder, event=_EVENT), sources)
    except Unanswered as error:
        raise error.after(attempts) from error
    return replace(identified, attempts=(*attempts, *identified.attempts))


async def identify(reference: Reference, inquiry: Inquiry, sources: Sources) -> Identified:
    """Return the DOI or arXiv id of a reference; only PubMed ids need a request.

    Raises:
        Unanswered: There is no such record, or it could not be checked.
        Unsupported: The record has no DOI.
        NotConfigured: No source for the conversion is enabled.
        LogError: The provenance row could not be written.
    """
    if isinstance(reference, Doi | ArxivId):
        return Identified(reference=reference)
    able = sources.able(ConvertsPubmedIds)
    if not able:
        raise NotConfigured(f"{reference}: no source that turns such ids into DOIs is on")
    responses: list[Asked[str | None]] = []
    for name, source in able.items():
        responses.append(await inquiry.ask(name, source.doi_of(reference)))
        if doi := responses[-1].answer:
            return _converted(reference, doi, responses)
    raise _not_converted(reference, responses)


def _converted(
    reference: Pmid | Pmcid, doi: str, responses: Sequence[Asked[str | None]]
) -> Identified:
    *earlier, last = (one.attempt for one in responses)
    converted = replace(last, detail=f"{reference} is {doi}")
    return Identified(reference=Doi(doi), attempts=(*earlier, converted))


def _not_converted(
    reference: Pmid | Pmcid, responses: Sequence[Asked[str | None]]
) -> Unanswered | Unsupported:
    catalogue = _CATALOGUES[reference.kind]
    attempts = tuple(one.attempt for one in responses)
    if any(one.attempt.outcome == "consulted_resolved" for one in responses):
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
