"""Court cases: the query, one decided case, and the results of a search."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseQuery:
    """One search for cases. At most one of `name` and `citation` is set, besides the text."""

    text: str
    limit: int
    name: str | None = None
    """The names of the parties, if the text is a case name such as `Miranda v. Arizona`."""
    citation: str | None = None
    """The reporter citation in the text, as in `384 U.S. 436`."""
    courts: tuple[str, ...] = ()
    """Court ids, such as scotus or ca9; empty for any court."""
    date_from: str | None = None
    date_to: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One decided case. None means that the source has no value."""

    name: str
    citations: tuple[str, ...]
    """Parallel citations, the preferred one first."""
    court: str | None
    court_id: str | None
    court_abbreviation: str | None
    """As in citations: `9th Cir.`; None if there is none."""
    date_filed: str | None
    docket_number: str | None
    cite_count: int | None
    """How often other opinions cite it."""
    status: str | None
    """Whether it is a precedent, as the source says: Published, Unpublished."""
    judge: str | None
    url: str
    snippet: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseResults:
    """The cases that a search found."""

    cases: tuple[Case, ...]
    total: int | None
    """All matches in the source."""
