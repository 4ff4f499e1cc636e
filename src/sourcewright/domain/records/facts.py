"""Figures of financial reports (XBRL): headline concepts, periods, restated values."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from sourcewright.domain.records.filings import Fact, FiledValue, HeadlineFact, PeriodType

HEADLINES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "revenue": {
        "us-gaap": (
            "Revenues",
            "RevenueFromContractWithCustomerExcludingAssessedTax",
            "RevenueFromContractWithCustomerIncludingAssessedTax",
            "SalesRevenueNet",
            "RevenuesNetOfInterestExpense",
            "SalesRevenueGoodsNet",
        ),
        "ifrs-full": ("Revenue", "RevenueFromContractsWithCustomers"),
    },
    "net income": {
        "us-gaap": ("NetIncomeLoss", "ProfitLoss"),
        "ifrs-full": ("ProfitLossAttributableToOwnersOfParent", "ProfitLoss"),
    },
    "diluted earnings per share": {
        "us-gaap": ("EarningsPerShareDiluted", "EarningsPerShareBasicAndDiluted"),
        "ifrs-full": ("DilutedEarningsLossPerShare",),
    },
    "total assets": {"us-gaap": ("Assets",), "ifrs-full": ("Assets",)},
    "equity": {
        "us-gaap": (
            "StockholdersEquity",
            "StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest",
        ),
        "ifrs-full": ("EquityAttributableToOwnersOfParent", "Equity"),
    },
    "operating income": {
        "us-gaap": ("OperatingIncomeLoss",),
        "ifrs-full": ("ProfitLossFromOperatingActivities",),
    },
    "operating cash flow": {
        "us-gaap": (
            "NetCashProvidedByUsedInOperatingActivities",
            "NetCashProvidedByUsedInOperatingActivitiesContinuingOperations",
        ),
        "ifrs-full": ("CashFlowsFromUsedInOperatingActivities",),
    },
    "total liabilities": {"us-gaap": ("Liabilities",), "ifrs-full": ("Liabilities",)},
    "cash": {
        "us-gaap": (
            "CashAndCashEquivalentsAtCarryingValue",
            "CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalents",
            "Cash",
        ),
        "ifrs-full": ("CashAndCashEquivalents",),
    },
    "basic earnings per share": {
        "us-gaap": ("EarningsPerShareBasic",),
        "ifrs-full": ("BasicEarningsLossPerShare",),
    },
}
"""Headline figures, the most important first, each with its concepts in the order of preference."""

_ON_A_DAY = ("total assets", "equity", "total liabilities", "cash")
INSTANTS = frozenset(
    name for headline in _ON_A_DAY for names in HEADLINES[headline].values() for name in names
)
"""Concepts that are measured at a point in time."""
_ANNUAL = ("10-K", "20-F", "40-F", "10-KT")
_QUARTERLY = ("10-Q", "10-QT")
_PERIODIC = (*_ANNUAL, *_QUARTERLY, "6-K", "8-K")
_QUARTER, _HALF, _YEAR = range(70, 116), range(116, 300), range(330, 400)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedValue:
    """One value of a concept in one report."""

    value: str
    unit: str
    start: str | None
    end: str
    fiscal_year: int | None
    fiscal_period: str | None
    """Of the report, which need not be the period of the value."""
    form: str
    filed: str
    accession: str | None
    frame: str | None

    @property
    def period(self) -> tuple[str, str | None, str]:
        return self.unit, self.start, self.end


@dataclass(frozen=True, slots=True, kw_only=True)
class Concept:
    """All values of one concept."""

    taxonomy: str
    name: str
    label: str | None
    values: tuple[ReportedValue, ...]
    is_instant: bool = False
    """Whether it is measured at a point in time, not over a period."""


def headline_concepts() -> dict[str, frozenset[str]]:
    """The concepts of every headline, by taxonomy."""
    concepts: dict[str, set[str]] = defaultdict(set)
    for by_taxonomy in HEADLINES.values():
        for taxonomy, names in by_taxonomy.items():
            concepts[taxonomy].update(names)
    return {taxonomy: frozenset(names) for taxonomy, names in concepts.items()}


def headline_facts(concepts: Iterable[Concept]) -> tuple[HeadlineFact, ...]:
    """Each headline, from the concept that the company uses now: the one with the latest value."""
    plausible = (replace(one, values=_in_the_past(one.values)) for one in concepts)
    by_name = {(one.taxonomy, one.name): one for one in plausible if one.values}
    facts = []
    for headline, by_taxonomy in HEADLINES.items():
        candidates = [
            by_name[taxonomy, name]
            for taxonomy, names in by_taxonomy.items()
            for name in names
            if (taxonomy, name) in by_name
        ]
        if candidates:
            # The first of several with equally late values: the preferred one.
            facts.append(_headline(headline, max(candidates, key=_last_end)))
    return tuple(facts)


def _in_the_past(values: Sequence[ReportedValue]) -> tuple[ReportedValue, ...]:
    """The values without those of periods that had not ended when they were filed: wrong dates."""
    return tuple(value for value in values if value.end <= value.filed)


def _last_end(concept: Concept) -> str:
    return max(value.end for value in concept.values)


def _headline(headline: str, concept: Concept) -> HeadlineFact:
    periods = _by_period(_in_main_unit(concept.values))
    # A month or the time since an acquisition is not what a headline is about.
    usual = [one for one in periods if period_type(one[0]) != "other"]
    latest = max(usual or periods, key=_recency)
    years = [] if concept.is_instant else [one for one in periods if _is_business_year(one)]
    annual = max(years, key=_recency) if years else None
    is_other = annual is not None and annual is not latest
    return HeadlineFact(
        headline=headline,
        latest=_fact(concept, latest),
        annual=_fact(concept, annual) if annual is not None and is_other else None,
    )


def _in_main_unit(values: Sequence[ReportedValue]) -> list[ReportedValue]:
    """The values in the unit of the latest ones; a company may report in two currencies."""
    end = max(value.end for value in values)
    counts: dict[str, int] = defaultdict(int)
    for value in values:
        counts[value.unit] += 1
    unit = max((value.unit for value in values if value.end == end), key=lambda one: counts[one])
    return [value for value in values if value.unit == unit]


def _by_period(values: Iterable[ReportedValue]) -> list[list[ReportedValue]]:
    """The values of each period, in the order in which they were filed."""
    periods: dict[tuple[str, str | None, str], list[ReportedValue]] = defaultdict(list)
    for value in sorted(values, key=lambda one: one.filed):
        periods[value.period].append(value)
    return list(periods.values())


def _is_business_year(values: Sequence[ReportedValue]) -> bool:
    """Whether a period is a year of an annual report, not twelve months up to some quarter."""
    return period_type(values[0]) == "year" and any(
        one.fiscal_period == "FY" or _form(one) in _ANNUAL for one in values
    )


def _form(value: ReportedValue) -> str:
    """The form without the suffix of an amendment."""
    return value.form.removesuffix("/A")


def _recency(values: Sequence[ReportedValue]) -> tuple[str, int]:
    """The later period; of those that end together the quarter, then the year."""
    order = ("other", "year_to_date", "year", "quarter", "instant")
    return values[0].end, order.index(period_type(values[0]))


def period_type(value: ReportedValue) -> PeriodType:
    if value.start is None:
        return _type_without_start(value)
    days = (date.fromisoformat(value.end) - date.fromisoformat(value.start)).days + 1
    if days in _QUARTER:
        return "quarter"
    if days in _YEAR:
        return "year"
    return "year_to_date" if days in _HALF else "other"


def _type_without_start(value: ReportedValue) -> PeriodType:
    """What the frame (`CY2024`, `CY2024Q3`, `CY2024Q3I`) says, else the period of the report."""
    if value.frame is not None:
        if value.frame.endswith("I"):
            return "instant"
        return "quarter" if "Q" in value.frame else "year"
    return "year" if value.fiscal_period == "FY" else "instant"


def _fact(concept: Concept, values: Sequence[ReportedValue]) -> Fact:
    """The latest value of a period, with the earlier values."""
    periodic = [one for one in values if _form(one) in _PERIODIC] or values
    current = periodic[-1].value
    # The first report with the value that is still current.
    first = next(one for one in periodic if one.value == current)
    kind: PeriodType = "instant" if concept.is_instant else period_type(first)
    fiscal_year, fiscal_period = _fiscal(concept, periodic[0], kind)
    return Fact(
        taxonomy=concept.taxonomy,
        concept=concept.name,
        label=concept.label,
        unit=first.unit,
        value=current,
        period_type=kind,
        start=first.start,
        end=first.end,
        fiscal_year=fiscal_year,
        fiscal_period=fiscal_period,
        form=first.form,
        filed=first.filed,
        accession=first.accession,
        superseded=_superseded(periodic, current),
    )


def _fiscal(
    concept: Concept, original: ReportedValue, kind: PeriodType
) -> tuple[int | None, str | None]:
    """The fiscal period of the first report on a period, unless that was a prior-period comparison."""
    own = [one.end for one in concept.values if one.accession == original.accession]
    if max(own) != original.end:
        return None, None
    period = original.fiscal_period
    return original.fiscal_year, period if _fits(period, kind, _form(original)) else None


def _fits(fiscal_period: str | None, kind: PeriodType, form: str) -> bool:
    """Whether a fiscal period can be right: some quarterly reports are tagged FY."""
    if fiscal_period == "FY":
        return kind not in ("quarter", "year_to_date") and form not in _QUARTERLY
    return kind != "year" and form not in _ANNUAL


def _superseded(values: Sequence[ReportedValue], current: str) -> tuple[FiledValue, ...]:
    earlier: dict[str, FiledValue] = {}
    for one in values:
        if one.value != current:
            earlier[one.value] = FiledValue(
                value=one.value, form=one.form, filed=one.filed, accession=one.accession
            )
    return tuple(reversed(earlier.values()))
