"""Figures of real companies, in answers of SEC EDGAR's shape: the value, period and report of each."""

import pytest

pytestmark = pytest.mark.anyio

DATA = "data.sec.gov"


@pytest.fixture
async def report(provide, internet):
    edgar = await provide("edgar", EDGAR_CONTACT_EMAIL="me@uni.edu")

    async def read(cik, name, taxonomy, **concepts):
        members = {
            concept: {"label": None, "units": {unit: list(values)}}
            for concept, (unit, *values) in concepts.items()
        }
        internet.says(DATA, {"cik": cik, "entityName": name, "facts": {taxonomy: members}})
        found = await edgar.report_facts(str(cik).zfill(10))
        return {one.headline: one for one in found.facts}

    return read


def value(val, end, form, filed, accn, fiscal, *, start=None):
    """One reported value; `fiscal` is the year and the period that the report is tagged with."""
    year, period = fiscal.split()
    entry = {"end": end, "val": val, "accn": accn, "form": form, "filed": filed}
    entry |= {"fy": int(year), "fp": period}
    return entry if start is None else entry | {"start": start}


# The annual reports of Logistic Properties of the Americas (IFRS, in US dollars).
FIRST = ("20-F", "2024-04-26", "0001493152-24-016772", "2023 FY")
SECOND = ("20-F", "2025-04-02", "0001997711-25-000030", "2024 FY")


def over(year, val, report):
    return value(val, f"{year}-12-31", *report, start=f"{year}-01-01")


def at(day, val, report):
    return value(val, day, *report)


async def test_the_figures_of_a_foreign_company_are_those_of_its_latest_annual_report(report):
    found = await report(
        "0001997711",
        "Logistic Properties of the Americas",
        "ifrs-full",
        Revenue=(
            "USD",
            over(2022, 31983567, FIRST),
            over(2023, 39436343, FIRST),
            over(2023, 39436343, SECOND),
            over(2024, 43862372, SECOND),
        ),
        RevenueFromContractsWithCustomers=("USD", over(2024, 5053779, SECOND)),
        ProfitLoss=("USD", over(2023, 7156005, FIRST), over(2024, -19426051, SECOND)),
        ProfitLossAttributableToOwnersOfParent=(
            "USD",
            over(2023, 3139333, FIRST),
            over(2024, -29285428, SECOND),
        ),
        ProfitLossFromOperatingActivities=("USD", over(2024, 36606814, SECOND)),
        EquityAttributableToOwnersOfParent=(
            "USD",
            at("2023-12-31", 222326402, SECOND),
            at("2024-12-31", 228964876, SECOND),
        ),
        CashAndCashEquivalents=(
            "USD",
            at("2023-12-31", 35242363, FIRST),
            at("2024-03-26", 1121150, SECOND),
            at("2024-12-31", 28827347, SECOND),
        ),
        BasicEarningsLossPerShare=("USD/shares", over(2024, -0.94, SECOND)),
    )

    assert {name: one.latest.value for name, one in found.items()} == {
        "revenue": "43862372",
        "net income": "-29285428",
        "equity": "228964876",
        "operating income": "36606814",
        "cash": "28827347",
        "basic earnings per share": "-0.94",
    }
    assert {one.latest.accession for one in found.values()} == {"0001997711-25-000030"}
    assert {one.latest.fiscal_period for one in found.values()} == {"FY"}
    assert {one.annual for one in found.values()} == {None}


async def test_earnings_per_share_that_a_merger_changed_are_restated(report):
    found = await report(
        1997711,
        "Logistic Properties of the Americas",
        "ifrs-full",
        BasicEarningsLossPerShare=(
            "USD/shares",
            over(2022, 0.048, FIRST),
            over(2022, 0.28, SECOND),
            over(2023, 0.019, FIRST),
            over(2023, 0.11, SECOND),
        ),
    )

    fact = found["basic earnings per share"].latest
    assert (fact.value, fact.end, fact.filed) == ("0.11", "2023-12-31", "2025-04-02")
    assert [(one.value, one.filed) for one in fact.superseded] == [("0.019", "2024-04-26")]
    assert (fact.fiscal_year, fact.fiscal_period) == (2023, "FY")


# Total assets of Snowflake, whose fiscal year ends in January.
SNOWFLAKE = (
    at("2022-01-31", 6649698000, ("10-K", "2022-03-30", "0001640147-22-000023", "2022 FY")),
    at("2022-01-31", 6649698000, ("10-Q", "2022-06-03", "0001640147-22-000044", "2023 FY")),
    at("2022-04-30", 7022699000, ("10-Q", "2022-06-03", "0001640147-22-000044", "2023 FY")),
    at("2022-07-31", 7064115000, ("10-Q", "2022-09-01", "0001640147-22-000084", "2023 Q2")),
    at("2023-01-31", 7722322000, ("10-K", "2023-03-29", "0001640147-23-000030", "2023 FY")),
    at("2025-01-31", 9033938000, ("10-K", "2025-03-21", "0001640147-25-000052", "2025 FY")),
    at("2025-01-31", 9033938000, ("10-Q", "2025-05-30", "0001640147-25-000110", "2026 Q1")),
    at("2025-04-30", 8157407000, ("10-Q", "2025-05-30", "0001640147-25-000110", "2026 Q1")),
)


@pytest.mark.parametrize(
    ("until", "expected"),
    [
        ("2022-05-01", ("6649698000", "2022-01-31", 2022, "FY", "10-K")),
        # This quarterly report is tagged as an annual one.
        ("2022-06-30", ("7022699000", "2022-04-30", 2023, None, "10-Q")),
        ("2022-10-01", ("7064115000", "2022-07-31", 2023, "Q2", "10-Q")),
        ("2023-04-01", ("7722322000", "2023-01-31", 2023, "FY", "10-K")),
        ("2025-04-01", ("9033938000", "2025-01-31", 2025, "FY", "10-K")),
        ("2026-01-01", ("8157407000", "2025-04-30", 2026, "Q1", "10-Q")),
    ],
)
async def test_a_fiscal_year_that_ends_in_january_is_that_of_the_report(report, until, expected):
    known = [one for one in SNOWFLAKE if one["filed"] < until]

    found = await report(1640147, "SNOWFLAKE INC.", "us-gaap", Assets=("USD", *known))

    fact = found["total assets"].latest
    assert (fact.value, fact.end, fact.fiscal_year, fact.fiscal_period, fact.form) == expected


YEAR = over(2023, 876961, ("10-K", "2024-02-20", "0000000042-24-000001", "2023 FY"))
LATER = ("10-K", "2025-02-20", "0000000042-25-000001", "2024 FY")


# A rounded value cannot be told from a restated one: 1,050 million may become 1,000 million.
@pytest.mark.parametrize(
    ("later", "earlier"),
    [(876961, []), (877000, ["876961"]), (880000, ["876961"]), (0, ["876961"])],
)
async def test_the_value_of_the_latest_report_stands_and_names_the_earlier_one(
    report, later, earlier
):
    found = await report(
        42, "Answer Inc", "us-gaap", Revenues=("USD", YEAR, over(2023, later, LATER))
    )

    fact = found["revenue"].latest
    assert (fact.value, [one.value for one in fact.superseded]) == (str(later), earlier)


async def test_a_value_of_a_period_that_had_not_ended_is_not_a_figure(report):
    wrong = over(2032, 5, LATER)

    found = await report(
        42, "Answer Inc", "us-gaap", Revenues=("USD", YEAR, wrong), Assets=("USD", wrong)
    )

    assert list(found) == ["revenue"]
    assert (found["revenue"].latest.value, found["revenue"].latest.end) == (
        "876961",
        "2023-12-31",
    )


async def test_a_month_after_the_year_is_not_the_latest_figure(report):
    form, filed, accession, fiscal = LATER
    month = value(3, "2024-12-31", form, filed, accession, fiscal, start="2024-12-01")
    year = over(2024, 40, LATER) | {"start": "2023-12-01", "end": "2024-11-30"}

    found = await report(42, "Answer Inc", "us-gaap", Revenues=("USD", year, month))

    assert (found["revenue"].latest.value, found["revenue"].latest.period_type) == ("40", "year")


async def test_twelve_months_up_to_a_quarter_are_not_the_year_of_a_company(report):
    quarterly = ("10-Q", "2024-05-01", "0000000042-24-000002", "2024 Q1")
    quarter = value(10, "2024-03-31", *quarterly, start="2024-01-01")
    months = value(41, "2024-03-31", *quarterly, start="2023-04-01")

    found = await report(42, "Answer Inc", "us-gaap", Revenues=("USD", YEAR, months, quarter))

    one = found["revenue"]
    assert (one.latest.value, one.latest.fiscal_period) == ("10", "Q1")
    assert one.annual is not None
    assert (one.annual.value, one.annual.end) == ("876961", "2023-12-31")


async def test_the_last_quarter_in_an_annual_report_is_not_the_fiscal_year(report):
    annual = ("10-K", "2024-02-20", "0000000042-24-000001", "2023 FY")
    quarter = value(9, "2023-12-31", *annual, start="2023-10-01")

    found = await report(42, "Answer Inc", "us-gaap", Revenues=("USD", YEAR, quarter))

    latest = found["revenue"].latest
    assert (latest.value, latest.period_type, latest.fiscal_year) == ("9", "quarter", 2023)
    assert latest.fiscal_period is None
