"""Sources that a caller lists, to be cited or audited; the response of `format_bibliography`."""

import re
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from sourcewright.base.errors import InvalidInput
from sourcewright.base.formats.json_schemas import folded_name
from sourcewright.base.identifiers import parse_doi
from sourcewright.base.urls.parts import url_parts_of
from sourcewright.services.sessions.selection import Basis, SourceSelection
from sourcewright.services.trust.format_bibliography import (
    Bibliography,
    BibliographyStyle,
    SourceStatus,
)
from sourcewright.tools._base import Answer, digits
from sourcewright.tools._failures.research import ResearchProblem, problem_of
from sourcewright.tools._results import CAMEL, UNTRUSTED, OmittedIfNone, Trust

_OTHER_NAMES = {
    "authors": "author",
    "journal": "site",
    "year": "date",
    "publishedAt": "date",
    "publishedDate": "date",
}
"""What results of searches call a field of a source."""

_LIKE_A_DOI = re.compile(r"(?:doi:?\s*)?10[./]", re.IGNORECASE)
Line = Annotated[str, StringConstraints(strip_whitespace=True, max_length=5_000)]


class GivenItem(BaseModel):
    """An item of a list of objects. Names are accepted in any case; unknown ones are ignored."""

    model_config = ConfigDict(frozen=True, strict=True)

    @model_validator(mode="before")
    @classmethod
    def by_known_names(cls, value: Any) -> Any:
        if not isinstance(value, Mapping):
            return value
        names = [field.alias or name for name, field in cls.model_fields.items()]
        known = {folded_name(name): name for name in names}
        renamed = {known.get(folded_name(str(name)), name): one for name, one in value.items()}
        return renamed | {name: one for name, one in value.items() if name in names}


class GivenSource(GivenItem):
    """One source; a text that is a URL or a DOI is accepted too. Unknown fields are ignored."""

    url: Line | None = None
    title: Line | None = None
    author: Line | None = Field(None, description="Names separated by ';' or 'and'.")
    site: Line | None = None
    date: Line | None = None
    doi: Line | None = None

    @model_validator(mode="before")
    @classmethod
    def by_other_names(cls, value: Any) -> Any:
        """Take the fields of a search result, without which it would be cited as undated."""
        if isinstance(value, str):
            return _identified(value.strip())
        if not isinstance(value, Mapping):
            return value
        other = {
            _OTHER_NAMES[name]: _as_text(one)
            for name, one in value.items()
            if name in _OTHER_NAMES and one
        }
        own = {name: one for name, one in value.items() if one is not None}
        return other | {
            name: _as_text(one) if name in ("author", "date") else one for name, one in own.items()
        }


def _identified(text: str) -> Any:
    """The source that a text identifies; the text itself if it is like neither a URL nor a DOI."""
    try:
        return {"doi": parse_doi(text).value}
    except InvalidInput:
        if url_parts_of(text):
            return {"url": text}
        # A mistyped DOI is named, and does not refuse the sources beside it.
        return {"doi": text} if _LIKE_A_DOI.match(text) else text


def _as_text(value: Any) -> Any:
    """Write a list of names as one text, and a year in digits; leave the rest to pydantic."""
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return "; ".join(value)
    return digits(value)


class Unresolved(BaseModel):
    """A source whose record could not be read, or whose DOI is none."""

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
    source_selection: OmittedIfNone[Basis] = Field(
        None, description="Which sources of the session are cited."
    )
    sources_left_out: OmittedIfNone[int] = None
    unresolved: OmittedIfNone[list[Unresolved]] = None
    notices: OmittedIfNone[list[SourceStatus]] = Field(
        None, description="With resolve: retracted, corrected or unchecked papers."
    )
    skipped: OmittedIfNone[list[int]] = Field(
        None, description="The numbers of sources that have neither URL nor usable DOI."
    )
    trust: Trust = UNTRUSTED


def bibliography_answer(
    done: Bibliography,
    style: BibliographyStyle,
    *,
    session_id: str | None,
    selection: SourceSelection | None,
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
        source_selection=selection.basis if selection else None,
        sources_left_out=len(selection.others) if selection else None,
        unresolved=unresolved or None,
        notices=list(done.notices) or None,
        skipped=list(done.skipped) or None,
    )
