"""SEC EDGAR: answers of another shape are errors with a name, and hostile ones lead nowhere."""

import pytest

from sourcewright.base.errors import BadAnswer, NotFound
from sourcewright.domain.records.filings import FilingQuery

pytestmark = pytest.mark.anyio

DATA, WWW, TEXT = "data.sec.gov", "www.sec.gov", "efts.sec.gov"
CIK = "0000000042"
COLUMNS = {
    "accessionNumber": ["0000000042-24-000001"],
    "filingDate": ["2024-01-02"],
    "reportDate": [""],
    "form": ["10-K"],
    "items": [""],
    "primaryDocument": ["a b?.htm"],
    "primaryDocDescription": [""],
}
FILER = {"cik": "42", "name": "Answer Inc", "tickers": [], "formerNames": []}
VALUE = {
    "start": "2023-01-01",
    "end": "2023-12-31",
    "val": 1,
    "accn": "0000000042-24-000001",
    "fy": 2023,
    "fp": "FY",
    "form": "10-K",
    "filed": "2024-01-02",
}


def submissions(recent=COLUMNS, files=(), **other):
    return FILER | {"filings": {"recent": recent, "files": list(files)}} | other


def facts(*values, taxonomy="us-gaap", concept="Revenues", **other):
    inside = {concept: {"label": "x", "units": {"USD": list(values)}}}
    return {"cik": 42, "entityName": "Answer Inc", "facts": {taxonomy: inside}} | other


@pytest.fixture
async def edgar(provide):
    return await provide("edgar", EDGAR_CONTACT_EMAIL="me@uni.edu")


async def test_the_name_of_a_document_is_escaped_in_its_address(edgar, internet):
    internet.says(DATA, submissions())

    page = await edgar.list_filings(FilingQuery(cik=CIK, limit=5))

    assert page.filings[0].url.endswith("/data/42/000000004224000001/a%20b%3F.htm")


@pytest.mark.parametrize(
    "answer",
    [
        submissions(cik="43"),
        submissions(recent=COLUMNS | {"form": []}),
        submissions(recent=COLUMNS | {"form": ["10-K", "10-Q"]}),
        submissions(recent=COLUMNS | {"accessionNumber": ["../../secret"]}),
        submissions(recent=COLUMNS | {"filingDate": ["yesterday"]}),
        submissions(recent=None),
        submissions(
            files=[{"name": "../x.json", "filingFrom": "2000-01-01", "filingTo": "2001-01-01"}]
        ),
        FILER,
    ],
)
async def test_filings_of_another_shape_are_an_unreadable_answer(edgar, internet, answer):
    internet.says(DATA, answer)

    with pytest.raises(BadAnswer, match="unexpected structure"):
        await edgar.list_filings(FilingQuery(cik=CIK, limit=5))


@pytest.mark.parametrize(
    "answer",
    [
        facts(VALUE, cik=43),
        facts(VALUE | {"val": "1"}),
        facts(VALUE | {"val": None}),
        facts(VALUE | {"end": "2023-02-31"}),
        facts(VALUE | {"filed": 2024}),
        facts({"val": 1}),
        facts(VALUE, facts=[]),
        {"cik": 42, "entityName": "Answer Inc"},
        {"cik": 42, "entityName": "Answer Inc", "facts": {"us-gaap": {"Revenues": {}}}},
    ],
)
async def test_figures_of_another_shape_are_an_unreadable_answer(edgar, internet, answer):
    internet.says(DATA, answer)

    with pytest.raises(BadAnswer):
        await edgar.report_facts(CIK)


@pytest.mark.parametrize(
    "digits", ["0.1", "1.10", "100000000000000000000001", "-0", "1E+2", "0.30000000000000004"]
)
async def test_every_digit_of_a_figure_is_kept(edgar, internet, digits):
    body = str(facts(VALUE | {"val": 777})).replace("'", '"').replace("777", digits)
    internet.says(DATA, body.encode())

    found = await edgar.report_facts(CIK)

    assert found.facts[0].latest.value == digits


async def test_a_value_without_a_report_of_its_own_period_has_no_fiscal_period(edgar, internet):
    """The report says of which year it is itself; of values for comparison it says nothing."""
    comparison = VALUE | {"fy": 2024, "accn": "0000000042-25-000001", "filed": "2025-01-02"}
    own = comparison | {"start": "2024-01-01", "end": "2024-12-31", "val": 2}
    internet.says(DATA, facts(comparison, own))

    found = await edgar.report_facts(CIK)

    assert (found.facts[0].latest.value, found.facts[0].latest.fiscal_year) == ("2", 2024)


async def test_parts_of_a_year_are_told_from_quarters(edgar, internet):
    quarter = VALUE | {"start": "2024-04-01", "end": "2024-06-30", "val": 3, "filed": "2024-08-01"}
    half = quarter | {"start": "2024-01-01", "val": 7}
    internet.says(DATA, facts(VALUE, half, quarter))

    one = (await edgar.report_facts(CIK)).facts[0]

    assert (one.latest.value, one.latest.period_type) == ("3", "quarter")
    assert one.annual is not None
    assert (one.annual.value, one.annual.period_type) == ("1", "year")


async def test_a_half_year_alone_is_no_quarter(edgar, internet):
    half = VALUE | {"start": "2024-01-01", "end": "2024-06-30", "filed": "2024-08-01"}
    internet.says(DATA, facts(half))

    assert (await edgar.report_facts(CIK)).facts[0].latest.period_type == "year_to_date"


async def test_only_the_file_store_itself_may_say_that_there_is_no_such_filer(edgar, internet):
    with pytest.raises(NotFound):
        await edgar.report_facts("0099999999")
    internet.breaks(DATA, status=404)
    with pytest.raises(BadAnswer):
        await edgar.report_facts("0099999999")


async def test_a_company_search_that_names_nobody_is_an_unreadable_answer(edgar, internet):
    internet.says(WWW, b'<feed xmlns="http://www.w3.org/2005/Atom"><title>x</title></feed>')

    with pytest.raises(BadAnswer):
        await edgar.match_filers("anybody")


async def test_an_empty_list_of_tickers_is_an_unreadable_answer(edgar, internet):
    internet.says(WWW, {})

    with pytest.raises(BadAnswer, match="empty"):
        await edgar.list_filers()


async def test_a_company_with_a_hundred_archive_files_says_how_far_it_was_searched(
    edgar, internet
):
    files = [
        {
            "name": f"CIK{CIK}-submissions-{number:03}.json",
            "filingFrom": f"{2020 - number}-01-01",
            "filingTo": f"{2020 - number}-12-31",
        }
        for number in range(100)
    ]
    internet.says(DATA, submissions(files=files), path="*CIK0000000042.json")
    internet.says(DATA, COLUMNS, path="*submissions-*")

    page = await edgar.list_filings(FilingQuery(cik=CIK, limit=5, form="S-1"))

    assert page.filings == ()
    assert page.searched_from == "1995-12-31"
    assert len(internet.requests_to(DATA)) == 26


async def test_a_company_that_moved_to_ifrs_has_its_present_figures(edgar, internet):
    """Honda reported in US-GAAP until 2014, and in IFRS since; the figures are in yen."""

    def year(end, value):
        start = f"{int(end[:4]) - 1}-04-01"
        filed = f"{end[:4]}-06-20"
        return VALUE | {"start": start, "end": end, "val": value, "form": "20-F", "filed": filed}

    def yen(*values):
        return {"label": "x", "units": {"JPY": list(values)}}

    internet.says(
        DATA,
        facts(
            facts={
                "us-gaap": {
                    "Revenues": yen(year("2014-03-31", 11842451000000)),
                    "NetIncomeLoss": yen(year("2014-03-31", 574107000000)),
                },
                "ifrs-full": {
                    "Revenue": yen(year("2025-03-31", 21688767000000)),
                    "ProfitLossAttributableToOwnersOfParent": yen(
                        year("2025-03-31", 835837000000)
                    ),
                },
            }
        ),
    )

    found = await edgar.report_facts(CIK)

    assert [(one.latest.taxonomy, one.latest.value, one.latest.unit) for one in found.facts] == [
        ("ifrs-full", "21688767000000", "JPY"),
        ("ifrs-full", "835837000000", "JPY"),
    ]


async def test_a_currency_of_convenience_is_not_the_currency_of_the_reports(edgar, internet):
    earlier = VALUE | {"start": "2022-01-01", "end": "2022-12-31", "val": 1900}
    units = {"USD": [VALUE | {"val": 90}], "TWD": [earlier, VALUE | {"val": 2900}]}
    internet.says(DATA, facts(facts={"ifrs-full": {"Revenue": {"label": "x", "units": units}}}))

    one = (await edgar.report_facts(CIK)).facts[0]

    assert (one.latest.value, one.latest.unit) == ("2900", "TWD")


@pytest.mark.parametrize(
    ("total", "count"),
    [
        ({"value": 7, "relation": "eq"}, 7),
        ({"value": 7}, 7),
        ({"value": 10000, "relation": "gte"}, None),
    ],
)
async def test_a_number_of_hits_that_is_only_a_bound_is_not_shown_as_their_number(
    edgar, internet, total, count
):
    internet.says(TEXT, {"timed_out": False, "hits": {"total": total, "hits": []}})

    page = await edgar.search_filings(FilingQuery(text="tides", limit=5))

    assert (page.filings, page.total) == ((), count)
