"""Identification: turns what a caller wrote into a DOI or arXiv id.

A PubMed id is converted by a source; the page at a URL is read for the paper that it declares.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from sourcewright.base.errors import InvalidInput, NotConfigured, NotFound, Unsupported
from sourcewright.base.identifiers import (
    ArxivId,
    Doi,
    Pmcid,
    Pmid,
    Reference,
    page_url_without_identifier,
    parse_reference,
)
from sourcewright.base.pages import SOURCE, FetchedPage, RedactedUrl
from sourcewright.base.spellings import quoted_for_message
from sourcewright.domain.capabilities import ConvertsPubmedIds
from sourcewright.domain.document_ports import (
    FetchesPages,
)
from sourcewright.domain.evidence import NoSourceAnswered, SourceAttempt
from sourcewright.domain.papers.declared_paper import DeclaredPapers, declared_papers, is_pdf
from sourcewright.domain.ports import ProvenanceRecorder
from sourcewright.domain.reasons import joined_reasons
from sourcewright.services.inquiry import Inquiry, SourceResponse
from sourcewright.services.providers import Sources

__all__ = ["SOURCE", "visit"]

_DOI_SUFFIX = re.compile(r"[^a-z0-9]|v[0-9]+$")
_MAX_SHOWN = 3
_INSTEAD = "use the paper's DOI instead, such as 10.1234/abc"


async def visit(
    address: str, recorder: ProvenanceRecorder, pages: FetchesPages
) -> tuple[Reference, SourceAttempt]:
    """Return the paper that the page at a URL declares, and the attempt entry of the request.

    Raises:
        NoSourceAnswered: The page declares no paper or several (decisive: InvalidInput), or it
            could not be read, which says nothing about any paper.
        InvalidInput: The URL is invalid.
        LogError: The provenance row could not be written.
    """
    reported_name = RedactedUrl.of(address)
    inquiry = Inquiry(reported_name, recorder, event="fetch")
    response = await inquiry.ask(SOURCE, _read_declaration(address, pages))
    declaration = response.answer
    if declaration is None:
        raise _page_unread(reported_name, response)
    if len(declaration.papers) != 1:
        raise _undecided(reported_name, declaration)
    paper = declaration.papers[0]
    detail = f"{reported_name} is {paper}, according to {declaration.source}"
    return paper, replace(response.attempt, detail=detail)


async def _read_declaration(address: str, pages: FetchesPages) -> DeclaredPapers:
    page = await pages.fetch_page(address)
    own = declared_papers(page.body)
    declaration = _from_redirects(page, own) or own
    if page.problem is not None and not declaration.papers:
        raise page.problem
    if is_pdf(page.body) and not declaration.papers:
        return replace(declaration, source="PDF")
    return declaration


def _from_redirects(page: FetchedPage, own: DeclaredPapers) -> DeclaredPapers | None:
    """Return the paper in the last redirect URL that contains an identifier."""
    for hop in reversed(page.hops):
        try:
            paper = parse_reference(hop)
        except InvalidInput:
            continue
        if any(_has_suffix(declared, paper) for declared in own.papers):
            return None
        return DeclaredPapers(papers=(paper,), source="its redirect target")
    return None


def _has_suffix(declared: Reference, in_url: Reference) -> bool:
    """Whether the DOI in a URL is the declared DOI plus a suffix, such as a path or version."""
    if not isinstance(declared, Doi) or not isinstance(in_url, Doi):
        return False
    before, match, rest = in_url.value.partition(declared.value)
    return bool(match) and not before and bool(_DOI_SUFFIX.match(rest))


def _page_unread(
    address: RedactedUrl, response: SourceResponse[DeclaredPapers]
) -> NoSourceAnswered:
    attempt = replace(response.attempt, detail=f"{address}: {response.attempt.detail}")
    error = attempt.error or InvalidInput(f"{address} was not read")
    return NoSourceAnswered(
        f"page {quoted_for_message(str(address))} could not be read, so its paper is not known: {error} (this does not mean that the paper does not exist); {_INSTEAD}",
        decisive=error,
        attempts=(attempt,),
    )


def _undecided(address: RedactedUrl, declaration: DeclaredPapers) -> NoSourceAnswered:
    if declaration.papers:
        some = ", ".join(
            quoted_for_message(str(paper)) for paper in declaration.papers[:_MAX_SHOWN]
        )
        why = f"names {len(declaration.papers)} papers in its {declaration.source}, such as {some}, so the paper is ambiguous"
    elif declaration.source:
        why = "is a PDF file, not a page about a paper"
    else:
        why = "names no paper: it has no citation_doi and no other identifier in its metadata"
    attempt = SourceAttempt(
        source=SOURCE, outcome="consulted_no_record", detail=f"{address} {why}"
    )
    message = f"page {quoted_for_message(str(address))} {why}; {_INSTEAD}"
    return NoSourceAnswered(message, decisive=InvalidInput(message), attempts=(attempt,))


_EVENT = "fetch"

_CATALOGUES = {"pmid": "PubMed", "pmcid": "PubMed Central"}


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentifiedPaper:
    """The DOI or arXiv id of a paper, and the attempts that found it."""

    reference: Doi | ArxivId
    attempts: tuple[SourceAttempt, ...] = ()


async def identify_text(
    text: str, recorder: ProvenanceRecorder, sources: Sources, pages: FetchesPages
) -> IdentifiedPaper:
    """Return the DOI or arXiv id in a text; a URL without one is requested.

    Raises:
        InvalidInput: The text has no identifier; the message says what to give instead.
        NoSourceAnswered: The page declares no paper (decisive: InvalidInput) or could not be read,
            or PubMed has no such record, or it could not be checked.
        Unsupported: The record in PubMed has no DOI.
        NotConfigured: No source for the conversion is enabled.
        LogError: The provenance row could not be written.
    """
    attempts: tuple[SourceAttempt, ...] = ()
    try:
        reference = parse_reference(text)
    except InvalidInput:
        address = page_url_without_identifier(text)
        if address is None:
            raise
        reference, page_attempt = await visit(address, recorder, pages)
        attempts = (page_attempt,)
    try:
        identified = await identify(reference, Inquiry(reference, recorder, event=_EVENT), sources)
    except NoSourceAnswered as error:
        raise error.after(attempts) from error
    return replace(identified, attempts=(*attempts, *identified.attempts))


async def identify(reference: Reference, inquiry: Inquiry, sources: Sources) -> IdentifiedPaper:
    """Return the DOI or arXiv id of a reference; only PubMed ids need a request.

    Raises:
        NoSourceAnswered: There is no such record, or it could not be checked.
        Unsupported: The record has no DOI.
        NotConfigured: No source for the conversion is enabled.
        LogError: The provenance row could not be written.
    """
    if isinstance(reference, Doi | ArxivId):
        return IdentifiedPaper(reference=reference)
    usable = sources.having(ConvertsPubmedIds)
    if not usable:
        raise NotConfigured(f"{reference}: no source that converts such ids to DOIs is enabled")
    responses: list[SourceResponse[str | None]] = []
    for name, source in usable.items():
        responses.append(await inquiry.ask(name, source.doi_of(reference)))
        if doi := responses[-1].answer:
            return _converted(reference, doi, responses)
    raise _not_converted(reference, responses)


def _converted(
    reference: Pmid | Pmcid, doi: str, responses: Sequence[SourceResponse[str | None]]
) -> IdentifiedPaper:
    *earlier, last = (one.attempt for one in responses)
    converted = replace(last, detail=f"{reference} is {doi}")
    return IdentifiedPaper(reference=Doi(doi), attempts=(*earlier, converted))


def _not_converted(
    reference: Pmid | Pmcid, responses: Sequence[SourceResponse[str | None]]
) -> NoSourceAnswered | Unsupported:
    catalogue = _CATALOGUES[reference.kind]
    attempts = tuple(one.attempt for one in responses)
    if any(one.attempt.outcome == "consulted_resolved" for one in responses):
        return Unsupported(
            f"{reference}: the record in {catalogue} has no DOI, and only papers with a DOI or arXiv id are supported"
        )
    failures = [one.error for one in attempts if one.error and not isinstance(one.error, NotFound)]
    if failures:
        return NoSourceAnswered(
            f"{reference} could not be checked: {joined_reasons(failures)}"
            " (this does not mean that it does not exist)",
            decisive=failures[0],
            attempts=attempts,
        )
    names = " and ".join(one.source for one in attempts)
    return NoSourceAnswered(
        f"{reference} does not exist: {catalogue} has no such record, according to {names}",
        decisive=NotFound(names, f"no record of {reference}"),
        attempts=attempts,
    )
