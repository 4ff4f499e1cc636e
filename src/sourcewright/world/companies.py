"""Invented companies: what they filed, and the figures that they reported."""

from dataclasses import dataclass, field
from typing import Any

Entry = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """One filing."""

    accession: str
    form: str
    filed: str
    period: str = ""
    document: str = ""
    description: str = ""
    items: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Company:
    """One filer."""

    cik: int
    name: str
    tickers: tuple[str, ...] = ()
    former: tuple[str, ...] = ()
    recent: tuple[Paper, ...] = ()
    archives: tuple[tuple[Paper, ...], ...] = ()
    facts: dict[str, dict[str, dict[str, list[Entry]]]] = field(default_factory=dict)
    """Values by taxonomy, concept and unit."""


def _annual(year: int, form: str = "10-K", serial: int = 1, **more: str) -> Paper:
    return Paper(
        accession=f"0009000001-{(year + 1) % 100:02}-{serial:06}",
        form=form,
        filed=f"{year + 1}-02-15",
        period=f"{year}-12-31",
        document=f"mtp-{year}1231.htm",
        description=form,
        **more,
    )


def _year(year: int, value: Any, *, accession: str, form: str = "10-K", **more: Any) -> Entry:
    return {
        "start": f"{year}-01-01",
        "end": f"{year}-12-31",
        "val": value,
        "accn": accession,
        "fy": year,
        "fp": "FY",
        "form": form,
        "filed": f"{year + 1}-02-15",
    } | more


def _quarter(value: Any) -> Entry:
    return {
        "start": "2025-01-01",
        "end": "2025-03-31",
        "val": value,
        "accn": "0009000001-25-000009",
        "fy": 2025,
        "fp": "Q1",
        "form": "10-Q",
        "filed": "2025-05-02",
    }


def _day(end: str, value: Any, accession: str, form: str, report: tuple[int, str, str]) -> Entry:
    fy, fp, filed = report
    return {
        "end": end,
        "val": value,
        "accn": accession,
        "fy": fy,
        "fp": fp,
        "form": form,
        "filed": filed,
    }


_ANNUAL, _AMENDED = "0009000001-25-000001", "0009000001-25-000004"
_MERIDIAN_FACTS = {
    "us-gaap": {
        # The concept of earlier years, before the company changed to `Revenues`.
        "RevenueFromContractWithCustomerExcludingAssessedTax": {
            "USD": [_year(2022, 800000001, accession="0009000001-23-000001")]
        },
        "Revenues": {
            "USD": [
                _year(2023, 910000000, accession="0009000001-24-000001"),
                _year(2024, 1000000007, accession=_ANNUAL),
                _year(2024, 998000007, accession=_AMENDED, form="10-K/A", filed="2025-04-20"),
                _quarter(260000003),
            ]
        },
        "NetIncomeLoss": {
            "USD": [
                _year(2024, -5000000, accession=_ANNUAL),
                _year(
                    2024,
                    -5000000,
                    accession="0009000001-25-000007",
                    form="DEF 14A",
                    filed="2025-04-24",
                    fy=None,
                    fp=None,
                ),
            ]
        },
        "EarningsPerShareDiluted": {"USD/shares": [_year(2024, -0.05, accession=_ANNUAL)]},
        "Assets": {
            "USD": [
                _day("2024-12-31", 7000000000, _ANNUAL, "10-K", (2024, "FY", "2025-02-15")),
                _day(
                    "2024-12-31",
                    7000000000,
                    "0009000001-25-000009",
                    "10-Q",
                    (2025, "Q1", "2025-05-02"),
                ),
            ]
        },
        "SomethingElse": {"USD": [_year(2024, 1, accession=_ANNUAL)]},
    },
    "dei": {
        "EntityCommonStockSharesOutstanding": {
            "shares": [_day("2025-01-31", 5, _ANNUAL, "10-K", (2024, "FY", "2025-02-15"))]
        }
    },
}

MERIDIAN = Company(
    cik=9000001,
    name="MERIDIAN TIDAL POWER CORP /DE/",
    tickers=("MTPC", "MTPC-WT"),
    former=("Harbour Light & Gas Inc",),
    recent=(
        Paper(
            accession="0009000001-25-000009",
            form="10-Q",
            filed="2025-05-02",
            period="2025-03-31",
            document="mtp-20250331.htm",
            description="10-Q",
        ),
        Paper(
            accession=_AMENDED,
            form="10-K/A",
            filed="2025-04-20",
            period="2024-12-31",
            document="mtp-20241231a.htm",
            description="AMENDMENT NO. 1",
        ),
        _annual(2024, text="Our barrage depends on the tide and on driftwood risk."),
        Paper(
            accession="0009000001-24-000030",
            form="8-K",
            filed="2024-08-01",
            period="2024-07-30",
            document="form8-k.htm",
            description="8-K",
            items="2.02,9.01",
            text="Results of operations.",
        ),
        Paper(
            accession="0009000001-24-000020",
            form="4",
            filed="2024-06-01",
            document="xslF345X05/form4.xml",
        ),
        Paper(accession="0009000001-24-000011", form="CORRESP", filed="2024-03-03"),
        _annual(2023),
    ),
    archives=(
        tuple(_annual(year) for year in range(2022, 2014, -1)),
        tuple(_annual(year) for year in range(2014, 2004, -1)),
    ),
    facts=_MERIDIAN_FACTS,
)

FJORD = Company(
    cik=9000002,
    name="Fjord Kraft ASA",
    tickers=("FJKR",),
    recent=(
        Paper(
            accession="0009000002-25-000002",
            form="20-F",
            filed="2025-04-01",
            period="2024-12-31",
            document="fjord20f.htm",
            description="ANNUAL REPORT",
            text="Fjords and driftwood.",
        ),
    ),
    facts={
        "us-gaap": {
            "Revenues": {
                "NOK": [_year(2012, 5, accession="0009000002-13-000001", form="20-F")],
            }
        },
        "ifrs-full": {
            "Revenue": {
                "NOK": [
                    _year(
                        2024, 123456789012345678901, accession="0009000002-25-000002", form="20-F"
                    )
                ],
                "USD": [_year(2023, 9, accession="0009000002-24-000002", form="20-F")],
            },
            "ProfitLoss": {
                "NOK": [_year(2024, 1.10, accession="0009000002-25-000002", form="20-F")]
            },
        },
    },
)

COMPANIES = (
    MERIDIAN,
    FJORD,
    Company(cik=9000003, name="FIRST BANCORP /NC/", tickers=("FBNX",)),
    Company(cik=9000004, name="FIRST BANCORP /PR/", tickers=("FBPX",)),
    Company(cik=9000005, name="Kelp Foods Group, Inc.", tickers=("KELP",)),
    Company(cik=9000006, name="Kelp Foods International Ltd", former=("Seaweed Snacks Ltd",)),
    Company(cik=9000007, name="Lantern Capital LLC", former=("Old Lantern Fund LP",)),
)
