"""Turn whatever a caller calls a paper into the id that sources know it by."""

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
from sourcewright.domain.ports import FetchesPages, Recorder
from sourcewright.services.recording import Asked, Inquiry
from sourcewright.services.sources import Sources
from sourcewright.services.visiting import visit

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
