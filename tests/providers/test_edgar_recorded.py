"""SEC EDGAR, over every recorded answer, with values that were read by eye."""

import json

import pytest

from sourcewright.base.errors import BadAnswer
from sourcewright.base.formats.json_parts import parts_of
from sourcewright.domain.records.facts import headline_facts
from sourcewright.domain.records.filings import FilingQuery
from sourcewright.providers.edgar.companies import parse_feed, read_directory, read_matches
from sourcewright.providers.edgar.company_facts import read_concepts, read_facts
from sourcewright.providers.edgar.full_text import read_hits
from sourcewright.providers.edgar.submissions import read_archive, read_submissions, select

ANY = FilingQuery(limit=10_000)

# By CIK: name, ticker, former names, filings in the answer, archive files.
FILERS = {
    "0000749647": ("Imunon, Inc.", "IMNN", 3, 1000, 1),
    "0000789019": ("MICROSOFT CORP", "MSFT", 0, 1006, 2),
    "0000895419": ("WOLFSPEED, INC.", "WOLF", 3, 1001, 1),
    "0000940418": ("SIEMENS AG", None, 0, 31, 0),
    "0001009672": ("CARBO CERAMICS INC", None, 0, 1000, 1),
    "0001318605": ("Tesla, Inc.", "TSLA", 1, 1000, 1),
    "0001677077": ("Alzamend Neuro, Inc.", "ALZN", 0, 370, 0),
    "0001718179": ("Sievert Stephanie A", None, 1, 11, 0),
    "0001766140": ("Unicycive Therapeutics, Inc.", "UNCY", 0, 297, 0),
    "0001796129": ("Vincerx Pharma, Inc.", None, 2, 371, 0),
    "0001800903": ("&VEST Domestic Fund II LP", None, 0, 1, 0),
    "0001814722": ("TR Finance LLC", None, 0, 27, 0),
    "0001830056": ("Siemens Energy AG/ADR", "SMEGF", 0, 6, 0),
    "0001847577": ("Learn CW Investment Corp", None, 0, 124, 0),
    "0001881551": ("Solidion Technology Inc.", "STI", 1, 211, 0),
    "0001940261": ("NVC Holdings, LLC", None, 0, 5, 0),
}


def files_named(recorded, start, end=".json"):
    return [
        one
        for one in recorded("sec_edgar")
        if one.name.startswith(start) and one.name.endswith(end)
    ]


def filer_file(recorded, cik):
    [file] = files_named(recorded, f"submissions-cik{cik}-json")
    return json.loads(file.read_bytes())


def test_every_recorded_filer_is_read_to_its_last_filing(recorded):
    read = {}
    for file in files_named(recorded, "submissions-cik", "-json.json"):
        if "submissions-00" in file.name:
            continue
        cik = file.name.removeprefix("submissions-cik")[:10]
        one = read_submissions(json.loads(file.read_bytes()), cik)
        filer = one.filer
        read[cik] = (
            filer.name,
            filer.ticker,
            len(filer.former_names),
            len(one.filings),
            len(one.archives),
        )

    assert read == FILERS


def test_an_older_recording_of_a_filer_is_read_too(recorded):
    [file] = files_named(recorded, "company-submission")

    tesla = read_submissions(json.loads(file.read_bytes()), "0001318605")

    assert (tesla.filer.name, tesla.filer.former_names) == ("Tesla, Inc.", ("TESLA MOTORS INC",))
    assert len(tesla.filings) == 1001


@pytest.mark.parametrize(
    ("cik", "filed", "period", "url"),
    [
        (
            "0000789019",
            "2025-07-30",
            "2025-06-30",
            "https://www.sec.gov/Archives/edgar/data/789019/000095017025100235/msft-20250630.htm",
        ),
        (
            "0001318605",
            "2026-01-29",
            "2025-12-31",
            "https://www.sec.gov/Archives/edgar/data/1318605/000162828026003952/tsla-20251231.htm",
        ),
    ],
)
def test_the_latest_annual_report_of_a_real_company_is_the_one_that_it_filed(
    recorded, cik, filed, period, url
):
    one = read_submissions(filer_file(recorded, cik), cik)

    report = select(one.filings, FilingQuery(limit=1, form="10-K"))[0]

    assert (report.filed, report.period, report.url) == (filed, period, url)


def test_recorded_archive_files_are_read(recorded):
    imunon = read_submissions(filer_file(recorded, "0000749647"), "0000749647")
    [older, ceramics] = [
        json.loads(file.read_bytes())
        for file in files_named(recorded, "submissions-cik")
        if "submissions-001" in file.name
    ]

    filings = read_archive(older, imunon.filer)
    amended = select(read_archive(ceramics, imunon.filer), FilingQuery(limit=9, form="10-K/A"))

    assert imunon.archives[0].name == "CIK0000749647-submissions-001.json"
    assert (imunon.archives[0].first, imunon.archives[0].last) == ("1996-08-07", "2010-07-24")
    assert (len(filings), filings[0].accession, filings[0].filed, filings[0].items) == (
        395,
        "0000749647-10-000032",
        "2010-07-09",
        ("3.01", "9.01"),
    )
    assert (amended[0].accession, amended[0].period, amended[0].is_amendment) == (
        "0000950134-03-005879",
        "2002-12-31",
        True,
    )


def test_the_recorded_full_text_search_is_read_each_filing_once(recorded):
    [file] = files_named(recorded, "edgarmcp-efts")
    answer = json.loads(file.read_bytes())

    page = read_hits(answer, ANY)

    first = page.filings[0]
    assert page.total == 1104
    assert len(page.filings) == len({hit["_source"]["adsh"] for hit in answer["hits"]["hits"]})
    assert (first.company, first.cik, first.form, first.filed, first.period) == (
        "VSEE HEALTH, INC.",
        "0001864531",
        "8-K",
        "2024-10-01",
        "2024-09-30",
    )
    assert first.url == (
        "https://www.sec.gov/Archives/edgar/data/1864531/000110465924104479/tm2425260d1_ex10-5.htm"
    )
    assert first.items == ("1.01", "3.02", "9.01")


def test_the_recorded_list_of_tickers_is_read(recorded):
    [file] = files_named(recorded, "edgarmcp-company-tickers")

    filers = read_directory(json.loads(file.read_bytes())).filers

    assert [(one.ticker, one.cik) for one in filers[:3]] == [
        ("NVDA", "0001045810"),
        ("GOOGL", "0001652044"),
        ("AAPL", "0000320193"),
    ]
    assert len(filers) == 7


def test_the_figures_of_alphabet_are_those_that_it_filed(recorded):
    [file] = files_named(recorded, "companyfacts-1652044")

    found = read_facts(parts_of(file.read_bytes()), "0001652044")

    latest = {
        one.headline: (
            one.latest.concept,
            one.latest.value,
            one.latest.period_type,
            one.latest.end,
        )
        for one in found.facts
    }
    annual = {
        one.headline: (one.annual.value, one.annual.fiscal_year, one.annual.accession)
        for one in found.facts
        if one.annual
    }
    assert found.filer.name == "ALPHABET INC."
    assert latest == {
        "revenue": ("Revenues", "109896000000", "quarter", "2026-03-31"),
        "net income": ("NetIncomeLoss", "62578000000", "quarter", "2026-03-31"),
        "diluted earnings per share": ("EarningsPerShareDiluted", "5.11", "quarter", "2026-03-31"),
        "total assets": ("Assets", "703919000000", "instant", "2026-03-31"),
        "equity": ("StockholdersEquity", "478746000000", "instant", "2026-03-31"),
        "operating income": ("OperatingIncomeLoss", "39696000000", "quarter", "2026-03-31"),
        "total liabilities": ("Liabilities", "225173000000", "instant", "2026-03-31"),
        "cash": ("CashAndCashEquivalentsAtCarryingValue", "38063000000", "instant", "2026-03-31"),
        "basic earnings per share": ("EarningsPerShareBasic", "5.17", "quarter", "2026-03-31"),
    }
    report = "0001652044-26-000018"
    assert annual == {
        "revenue": ("402836000000", 2025, report),
        "net income": ("132170000000", 2025, report),
        "diluted earnings per share": ("10.81", 2025, report),
        "operating income": ("129039000000", 2025, report),
        "basic earnings per share": ("10.91", 2025, report),
    }


def test_a_restated_value_of_alphabet_keeps_what_was_filed_before(recorded):
    """Operating income of 2018 was restated in the report of 2019."""
    [file] = files_named(recorded, "companyfacts-1652044")
    concepts = read_concepts(parts_of(file.read_bytes()))
    [income] = [one for one in concepts if one.name == "OperatingIncomeLoss"]
    until = [one for one in income.values if one.filed < "2020-03-01"]

    [result] = headline_facts(
        [
            type(income)(
                taxonomy=income.taxonomy,
                name=income.name,
                label=None,
                values=tuple(one for one in until if one.end <= "2018-12-31"),
            )
        ]
    )

    assert (result.annual or result.latest).value == "27524000000"
    [earlier] = (result.annual or result.latest).superseded
    assert (earlier.value, earlier.filed, earlier.accession) == (
        "26321000000",
        "2019-02-05",
        "0001652044-19-000004",
    )


def test_the_figures_of_apple_are_those_that_it_filed(recorded):
    [file] = files_named(recorded, "edgarmcp-xbrl-companyfacts-320193")

    found = read_facts(parts_of(file.read_bytes()), "0000320193")

    assert [
        (one.headline, one.latest.value, one.latest.period_type, one.latest.end)
        for one in found.facts
    ] == [
        ("revenue", "391035000000", "year", "2024-09-28"),
        ("net income", "93736000000", "year", "2024-09-28"),
        ("total assets", "364980000000", "instant", "2024-09-28"),
    ]
    assert {one.latest.fiscal_year for one in found.facts} == {2024}


def test_recorded_pages_of_other_kinds_name_no_company(recorded):
    """Feeds of current filings, and the page of an outage, are no lists of companies."""
    others = [
        *files_named(recorded, "cgi-bin-browse-edgar", ".xml"),
        *files_named(recorded, "botfeeder", "atom-sample.xml"),
        *files_named(recorded, "err503", ".html"),
    ]

    assert len(others) == 11
    for file in others:
        with pytest.raises(ValueError, match=r"no company|well-formed|document type"):
            read_matches(parse_feed(file.read_bytes()))


@pytest.mark.anyio
async def test_the_recorded_page_of_an_outage_is_never_an_answer(provide, internet, recorded):
    [file] = files_named(recorded, "err503", ".html")
    edgar = await provide("edgar", EDGAR_CONTACT_EMAIL="me@uni.edu")

    internet.says("www.sec.gov", file.read_bytes(), content_type="text/html")

    with pytest.raises(BadAnswer):
        await edgar.match_filers("Alphabet")
    with pytest.raises(BadAnswer):
        await edgar.list_filers()
