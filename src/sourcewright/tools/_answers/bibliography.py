"""Response model of `format_bibliography`."""

from pydantic import BaseModel, Field

from sourcewright.services.trust.format_bibliography import (
    Bibliography,
    BibliographyStyle,
    SourceStatus,
)
from sourcewright.tools._base import Answer
from sourcewright.tools._failures.research import ResearchProblem, problem_of
from sourcewright.tools._results import CAMEL, UNTRUSTED, OmittedIfNone, Trust


class Unresolved(BaseModel):
    """A source whose record could not be read; it is cited as given."""

    number: int = Field(description="Position in the list of sources, from 1.")
    doi: str
    error: ResearchProblem


class BibliographyAnswer(Answer):
    """The bibliography."""

    model_config = CAMEL

    style: BibliographyStyle
    entry_count: int
    bibliography: str
    session_id: OmittedIfNone[str] = None
    unresolved: OmittedIfNone[list[Unresolved]] = None
    notices: OmittedIfNone[list[SourceStatus]] = Field(
        None, description="With resolve: retracted, corrected or unchecked papers."
    )
    skipped: OmittedIfNone[list[int]] = Field(
        None, description="The numbers of sources that have neither URL nor DOI."
    )
    trust: Trust = UNTRUSTED


def bibliography_answer(
    done: Bibliography, style: BibliographyStyle, *, session_id: str | None
) -> BibliographyAnswer:
    """Convert a bibliography to the response; lists are left out if empty."""
    unresolved = [
        Unresolved(number=one.number, doi=one.doi, error=problem_of(one.error))
        for one in done.unresolved
    ]
    return BibliographyAnswer(
        style=style,
        entry_count=done.entry_count,
        bibliography=done.text,
        session_id=session_id,
        unresolved=unresolved or None,
        notices=list(done.notices) or None,
        skipped=list(done.skipped) or None,
    )
