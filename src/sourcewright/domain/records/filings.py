"""Company filings: filers, filings, full-text searches, and the figures of financial reports."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Filer:
    """A company or person that files."""

    cik: str
    """Ten digits."""
    name: str
    ticker: str | None = None
    former_names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FilerDirectory:
    """All filers with a ticker."""

    filers: tuple[Filer, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FilerMatches:
    """The filers whose present or former name begins with some words."""

    filers: tuple[Filer, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FilingQuery:
    """A request for filings: of one filer, or of all filers by text."""

    limit: int
    cik: str | None = None
    text: str | None = None
    form: str | None = None
    """The form type as filed, such as 10-K; 10-K/A is another."""
    date_from: str | None = None
    date_to: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Filing:
    """One filing. None means that there is no value."""

    company: str
    cik: str
    form: str
    filed: str
    period: str | None
    """The last day of the period that it reports on."""
    accession: str
    url: str
    description: str | None
    items: tuple[str, ...] = ()
    """Numbers of the reported items of an 8-K."""

    @property
    def is_amendment(self) -> bool:
        return self.form.endswith("/A")


@dataclass(frozen=True, slots=True, kw_only=True)
class FilingPage:
    """Filings, the latest first or, in a full-text search, the best first."""

    filings: tuple[Filing, ...]
    filer: Filer | None = None
    total: int | None = None
    searched_from: str | None = None
    """If older filings were not searched: the date of the oldest one that was."""


PeriodType = Literal["instant", "quarter", "year", "year_to_date", "other"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FiledValue:
    """A value in one report."""

    value: str
    """The number as filed, digit by digit."""
    form: str
    filed: str
    accession: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """The value of one concept in one period."""

    taxonomy: str
    concept: str
    label: str | None
    unit: str
    value: str
    """The number as filed, digit by digit, from the latest report on this period."""
    period_type: PeriodType
    start: str | None
    end: str
    fiscal_year: int | None
    fiscal_period: str | None
    """FY, or Q1 to Q3; None if no report on exactly this period is known."""
    form: str
    filed: str
    accession: str | None
    superseded: tuple[FiledValue, ...] = ()
    """Other values that earlier reports had for the same period, the latest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadlineFact:
    """One headline figure: its latest value, and that of the latest year if that is another."""

    headline: str
    """Its name in plain words, such as `revenue`."""
    latest: Fact
    annual: Fact | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CompanyFacts:
    """The headline figures of a company."""

    filer: Filer
    facts: tuple[HeadlineFact, ...]
