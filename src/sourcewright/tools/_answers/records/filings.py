"""Filings, figures and filers as the answers show them."""

import math
from decimal import Decimal
from typing import Any

from pydantic import BaseModel, Field

from sourcewright.domain.records.filers import index_url
from sourcewright.domain.records.filings import (
    CompanyFacts,
    Fact,
    FiledValue,
    Filer,
    Filing,
    FilingPage,
    HeadlineFact,
    PeriodType,
)
from sourcewright.services.records.filers import ResolvedFiler
from sourcewright.services.records.filing_search import FilingOutcome
from sourcewright.tools._answers.records import RecordReply
from sourcewright.tools._results import CAMEL, OmittedIfNone

_MAX_EXACT = 2**53
Number = int | float | str


class FilerFound(BaseModel):
    """A company."""

    # Unlike `Filer`, its names are in camel case, and an empty list is omitted.
    model_config = CAMEL

    cik: str
    name: str
    ticker: OmittedIfNone[str] = None
    former_names: OmittedIfNone[list[str]] = None


class EarlierValue(BaseModel):
    """A value that an earlier report had for the same period."""

    # Unlike in `FiledValue`, the value is a number wherever JSON has it digit by digit.
    model_config = CAMEL

    value: Number
    form: str
    filed: str
    accession: OmittedIfNone[str] = None


class FactValue(BaseModel):
    """A value, and the period and the report that it is from."""

    model_config = CAMEL

    value: Number = Field(
        description="As filed, never rounded; a string where a JSON number would lose digits."
    )
    period_type: PeriodType
    period_start: OmittedIfNone[str] = None
    period_end: str
    fiscal_year: OmittedIfNone[int] = None
    fiscal_period: OmittedIfNone[str] = Field(None, description="FY, Q1, Q2 or Q3.")
    form_type: str
    filing_date: str
    accession: OmittedIfNone[str] = None
    restated: OmittedIfNone[list[EarlierValue]] = Field(
        None, description="Other values that earlier reports had for this period."
    )


class FactFound(FactValue):
    """The latest value of one concept of a company's reports."""

    headline: str = Field(description="The figure in plain words, such as revenue.")
    company: str
    cik: str
    taxonomy: str
    concept: str
    label: OmittedIfNone[str] = None
    unit: str
    annual: OmittedIfNone[FactValue] = Field(
        None, description="The value of the latest year, if that is not the latest value."
    )
    url: OmittedIfNone[str] = Field(None, description="The report, as filed.")
    source: str


class FilingFound(BaseModel):
    """One filing."""

    model_config = CAMEL

    company: str
    cik: str
    form_type: str
    amendment: OmittedIfNone[bool] = Field(None, description="True for an amendment.")
    filing_date: str
    period_of_report: OmittedIfNone[str] = None
    accession: str
    url: str
    description: OmittedIfNone[str] = None
    items: OmittedIfNone[list[str]] = Field(None, description="Reported items of an 8-K.")
    source: str


class FilingSearchAnswer(RecordReply):
    """The filings, the latest first, or the company's figures."""

    filings: list[FilingFound] | list[FactFound]
    company: OmittedIfNone[FilerFound] = Field(
        None, description="The company that the query was resolved to."
    )
    candidates: OmittedIfNone[list[FilerFound]] = Field(
        None, description="Companies that the query may refer to; give the CIK of one."
    )
    total_results: OmittedIfNone[int] = None
    searched_from: OmittedIfNone[str] = Field(
        None, description="Filings older than this date were not searched."
    )
    warning: OmittedIfNone[str] = None


def filing_fields(outcome: FilingOutcome[FilingPage]) -> dict[str, Any]:
    """Return the fields of an answer with filings."""
    page, source = outcome.outcome.answer.value, outcome.outcome.provider
    return {
        "filings": [filing_found(filing, source) for filing in page.filings],
        "result_count": len(page.filings),
        "total_results": page.total,
        "searched_from": page.searched_from,
        **_filer_fields(outcome.resolved),
    }


def fact_fields(outcome: FilingOutcome[CompanyFacts], limit: int) -> dict[str, Any]:
    """Return the fields of an answer with figures."""
    company = outcome.resolved.filer
    facts = outcome.outcome.answer.value.facts[:limit] if company else ()
    source = outcome.outcome.provider
    figures = [_fact_found(one, company, source) for one in facts if company]
    return {
        "filings": figures,
        "result_count": len(figures),
        **_filer_fields(outcome.resolved),
    }


def filing_found(filing: Filing, source: str) -> FilingFound:
    return FilingFound(
        company=filing.company,
        cik=filing.cik,
        form_type=filing.form,
        amendment=filing.is_amendment or None,
        filing_date=filing.filed,
        period_of_report=filing.period,
        accession=filing.accession,
        url=filing.url,
        description=filing.description,
        items=list(filing.items) or None,
        source=source,
    )


def _fact_found(one: HeadlineFact, company: Filer, source: str) -> FactFound:
    fact = one.latest
    return FactFound(
        headline=one.headline,
        company=company.name,
        cik=company.cik,
        taxonomy=fact.taxonomy,
        concept=fact.concept,
        label=fact.label,
        unit=fact.unit,
        annual=FactValue(**_value_fields(one.annual)) if one.annual else None,
        url=index_url(company.cik, fact.accession) if fact.accession else None,
        source=source,
        **_value_fields(fact),
    )


def _value_fields(fact: Fact) -> dict[str, Any]:
    return {
        "value": as_number(fact.value),
        "period_type": fact.period_type,
        "period_start": fact.start,
        "period_end": fact.end,
        "fiscal_year": fact.fiscal_year,
        "fiscal_period": fact.fiscal_period,
        "form_type": fact.form,
        "filing_date": fact.filed,
        "accession": fact.accession,
        "restated": [_earlier(one) for one in fact.superseded] or None,
    }


def _earlier(report: FiledValue) -> EarlierValue:
    return EarlierValue(
        value=as_number(report.value),
        form=report.form,
        filed=report.filed,
        accession=report.accession,
    )


def as_number(text: str) -> Number:
    """The number, if every reader of JSON has it digit by digit; else the text as filed."""
    exact = Decimal(text)
    if exact == exact.to_integral_value() and "." not in text and "e" not in text.lower():
        return int(text) if abs(int(text)) <= _MAX_EXACT else text
    number = float(text)
    return number if math.isfinite(number) and Decimal(repr(number)) == exact else text


def filer_found(filer: Filer) -> FilerFound:
    return FilerFound(
        cik=filer.cik,
        name=filer.name,
        ticker=filer.ticker,
        former_names=list(filer.former_names) or None,
    )


def _filer_fields(resolved: ResolvedFiler) -> dict[str, Any]:
    """Return the fields about the company that the query was resolved to."""
    return {
        "company": filer_found(resolved.filer) if resolved.filer else None,
        "candidates": [filer_found(one) for one in resolved.candidates] or None,
        "warning": resolved.warning,
    }
