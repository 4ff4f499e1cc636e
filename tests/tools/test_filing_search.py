"""`filing_search`: filings, full text and reported figures, through the whole pipeline."""

import pytest

pytestmark = pytest.mark.anyio

DATA, WWW, TEXT = "data.sec.gov", "www.sec.gov", "efts.sec.gov"
NAME = "MERIDIAN TIDAL POWER CORP /DE/"
FOLDER = "https://www.sec.gov/Archives/edgar/data/9000001"


async def test_a_filing_has_everything_that_a_reference_needs(call):
    answer = await call("filing_search", {"ticker": "MTPC", "form_type": "10-K", "num_results": 1})

    assert answer["filings"] == [
        {
            "company": NAME,
            "cik": "0009000001",
            "formType": "10-K",
            "filingDate": "2025-02-15",
            "periodOfReport": "2024-12-31",
            "accession": "0009000001-25-000001",
            "url": f"{FOLDER}/000900000125000001/mtp-20241231.htm",
            "description": "10-K",
            "source": "edgar",
        }
    ]
    assert answer["company"] == {
        "cik": "0009000001",
        "name": NAME,
        "ticker": "MTPC",
        "formerNames": ["Harbour Light & Gas Inc"],
    }
    assert (answer["query"], answer["provider"], answer["resultCount"]) == ("", "edgar", 1)
    assert answer["trust"] == "untrusted-external-content"


@pytest.mark.parametrize(
    "query",
    [
        "MTPC",
        "mtpc",
        "mtpc.wt",
        "9000001",
        "CIK0009000001",
        "CIK 9000001",
        "Meridian Tidal Power",
        "meridian tidal power corporation",
        "Meridian Tidal Power Corp /DE/",
        "Meridian",
        "Harbour Light & Gas",
    ],
)
async def test_a_company_is_found_by_each_of_its_names_and_numbers(call, query):
    answer = await call("filing_search", {"query": query})

    assert {filing["cik"] for filing in answer["filings"]} == {"0009000001"}
    assert answer["company"]["name"] == NAME


async def test_several_companies_of_one_name_are_listed_and_none_is_guessed(call, internet):
    answer = await call("filing_search", {"query": "First Bancorp"})

    assert answer["filings"] == []
    assert [(one["cik"], one["name"]) for one in answer["candidates"]] == [
        ("0009000003", "FIRST BANCORP /NC/"),
        ("0009000004", "FIRST BANCORP /PR/"),
    ]
    assert "0009000003" in answer["hints"]["suggestedActions"][0]["detail"]
    assert internet.requests_to(TEXT) == []


async def test_several_companies_have_no_figures_until_one_is_chosen(call):
    answer = await call("filing_search", {"query": "First Bancorp", "facts": True})

    assert answer["filings"] == []
    assert len(answer["candidates"]) == 2


async def test_a_company_without_a_ticker_is_found_by_its_former_name(call):
    answer = await call("filing_search", {"query": "Seaweed Snacks"})

    assert answer["company"]["name"] == "Kelp Foods International Ltd"


async def test_names_that_only_begin_so_are_candidates_beside_the_full_text(call):
    answer = await call("filing_search", {"query": "kelp foods"})
    words = await call("filing_search", {"query": "driftwood risk"})

    assert answer["company"]["name"] == "Kelp Foods Group, Inc."
    assert [filing["accession"] for filing in words["filings"]] == ["0009000001-25-000001"]
    assert "company" not in words


async def test_words_are_searched_in_the_text_of_all_filers_each_filing_once(call):
    answer = await call("filing_search", {"query": "driftwood"})

    assert [(one["company"], one["formType"], one["url"]) for one in answer["filings"]] == [
        (NAME, "10-K", f"{FOLDER}/000900000125000001/mtp-20241231.htm"),
        (
            "Fjord Kraft ASA",
            "20-F",
            "https://www.sec.gov/Archives/edgar/data/9000002/000900000225000002/fjord20f.htm",
        ),
    ]
    assert answer["totalResults"] == 2


async def test_one_end_of_the_dates_of_a_full_text_search_is_filled_in(call, internet):
    await call("filing_search", {"query": "driftwood risk", "date_from": "2025-01-01"})

    [seen] = internet.requests_to(TEXT)
    assert "dateRange=custom" in seen.query
    assert "startdt=2025-01-01" in seen.query
    assert "enddt=20" in seen.query


@pytest.mark.parametrize("form", ["20f", "20-f", " 20 F"])
async def test_a_form_of_a_full_text_search_is_sent_as_edgar_writes_it(call, internet, form):
    answer = await call("filing_search", {"query": "driftwood", "form_type": form})

    assert {one["formType"] for one in answer["filings"]} == {"20-F"}
    assert "forms=20-F" in internet.requests_to(TEXT)[0].query


async def test_several_forms_are_taken_with_commas(call, internet):
    listed = await call("filing_search", {"ticker": "$MTPC", "form_type": "10-K, 8K"})
    found = await call("filing_search", {"query": "driftwood", "form_type": "20f,10-K"})

    assert {one["formType"] for one in listed["filings"]} == {"10-K", "8-K"}
    assert {one["formType"] for one in found["filings"]} == {"20-F", "10-K"}
    assert "forms=20-F%2C10-K" in internet.requests_to(TEXT)[0].query


@pytest.mark.parametrize(
    ("since", "until"),
    [
        ("2007-01-01", "2009-12-31"),
        ("2007", "2009"),
        (2007, 2009),
        ("2007-01", "2009-12"),
        ("2007/01/01", "2009-12-31T23:59:59Z"),
    ],
)
async def test_a_month_or_a_year_is_taken_from_its_first_to_its_last_day(call, since, until):
    dates = {"date_from": since, "date_to": until}
    days = {"date_from": "2007-01-01", "date_to": "2009-12-31"}

    answer = await call("filing_search", {"ticker": "MTPC", **dates})

    assert (
        answer["filings"] == (await call("filing_search", {"ticker": "MTPC", **days}))["filings"]
    )
    assert answer["filings"]


async def test_an_amendment_is_told_apart(call):
    answer = await call("filing_search", {"ticker": "MTPC", "num_results": 3})
    amended = await call("filing_search", {"ticker": "MTPC", "form_type": "10-k/a"})
    original = await call("filing_search", {"ticker": "MTPC", "form_type": "10K"})

    assert [(one["formType"], one.get("amendment")) for one in answer["filings"]] == [
        ("10-Q", None),
        ("10-K/A", True),
        ("10-K", None),
    ]
    assert [one["accession"] for one in amended["filings"]] == ["0009000001-25-000004"]
    assert {one["formType"] for one in original["filings"]} == {"10-K"}


async def test_older_filings_are_read_from_the_archive_files(call, internet):
    answer = await call(
        "filing_search",
        {"ticker": "MTPC", "form_type": "10-K", "num_results": 10, "date_to": "2017-12-31"},
    )

    assert [one["periodOfReport"][:4] for one in answer["filings"]] == [
        str(year) for year in range(2016, 2006, -1)
    ]
    files = [seen.path for seen in internet.requests_to(DATA)]
    assert files == [
        "/submissions/CIK0009000001.json",
        "/submissions/CIK0009000001-submissions-001.json",
        "/submissions/CIK0009000001-submissions-002.json",
    ]


async def test_archive_files_outside_the_dates_are_not_read(call, internet):
    await call(
        "filing_search",
        {"ticker": "MTPC", "date_from": "2007-01-01", "date_to": "2009-12-31"},
    )

    assert [seen.path[-8:] for seen in internet.requests_to(DATA)] == ["001.json", "002.json"]


@pytest.mark.parametrize("status", [503, 404])
async def test_an_archive_file_that_fails_is_an_error_and_never_fewer_filings(
    call, internet, status
):
    internet.breaks(DATA, status=status, path="*submissions-001*")

    answer = await call(
        "filing_search", {"ticker": "MTPC", "form_type": "10-K", "num_results": 10}
    )

    assert answer["error"]["provider"] == "edgar"


async def test_a_filing_without_a_document_leads_to_its_index(call):
    answer = await call("filing_search", {"ticker": "MTPC", "form_type": "CORRESP"})

    assert answer["filings"][0]["url"] == (
        f"{FOLDER}/000900000124000011/0009000001-24-000011-index.htm"
    )


async def test_the_items_of_a_current_report_are_listed(call):
    answer = await call("filing_search", {"ticker": "MTPC", "form_type": "8-K"})

    assert answer["filings"][0]["items"] == ["2.02", "9.01"]


async def test_figures_have_their_own_period_and_the_report_that_first_had_them(call):
    answer = await call("filing_search", {"ticker": "MTPC", "facts": True, "num_results": 10})

    revenue, income, earnings, assets = answer["filings"]
    assert revenue == {
        "headline": "revenue",
        "company": NAME,
        "cik": "0009000001",
        "taxonomy": "us-gaap",
        "concept": "Revenues",
        "label": "Revenues",
        "unit": "USD",
        "value": 260000003,
        "periodType": "quarter",
        "periodStart": "2025-01-01",
        "periodEnd": "2025-03-31",
        "fiscalYear": 2025,
        "fiscalPeriod": "Q1",
        "formType": "10-Q",
        "filingDate": "2025-05-02",
        "accession": "0009000001-25-000009",
        "annual": {
            "value": 998000007,
            "periodType": "year",
            "periodStart": "2024-01-01",
            "periodEnd": "2024-12-31",
            "fiscalYear": 2024,
            "fiscalPeriod": "FY",
            "formType": "10-K/A",
            "filingDate": "2025-04-20",
            "accession": "0009000001-25-000004",
            "restated": [
                {
                    "value": 1000000007,
                    "form": "10-K",
                    "filed": "2025-02-15",
                    "accession": "0009000001-25-000001",
                }
            ],
        },
        "url": f"{FOLDER}/000900000125000009/0009000001-25-000009-index.htm",
        "source": "edgar",
    }
    assert (income["value"], income["formType"]) == (-5000000, "10-K")
    assert (earnings["value"], earnings["unit"]) == (-0.05, "USD/shares")
    # The quarterly report repeats the value of the year's end, which stays one of that year.
    assert (assets["periodType"], assets["periodEnd"], assets["accession"]) == (
        "instant",
        "2024-12-31",
        "0009000001-25-000001",
    )
    assert (assets["fiscalYear"], assets["fiscalPeriod"]) == (2024, "FY")


async def test_figures_come_from_the_taxonomy_that_the_company_uses_now_digit_by_digit(call):
    answer = await call("filing_search", {"query": "Fjord Kraft", "facts": True})

    revenue, profit = answer["filings"]
    assert (revenue["taxonomy"], revenue["concept"]) == ("ifrs-full", "Revenue")
    assert (revenue["value"], revenue["unit"]) == ("123456789012345678901", "NOK")
    assert (profit["concept"], profit["value"]) == ("ProfitLoss", 1.1)


async def test_a_company_without_figures_has_none_and_hints(call):
    answer = await call("filing_search", {"query": "Kelp Foods Group", "facts": True})

    assert answer["filings"] == []
    assert answer["company"]["cik"] == "0009000005"
    assert answer["hints"]["reason"] == "no_match"


@pytest.mark.parametrize("arguments", [{"ticker": "NOPE"}, {"query": "9999999"}])
async def test_an_unknown_ticker_or_number_has_no_filings_and_hints(call, internet, arguments):
    answer = await call("filing_search", arguments)

    assert answer["filings"] == []
    assert "hints" in answer
    assert internet.requests_to(TEXT) == []


async def test_an_unknown_ticker_is_not_suggested_to_be_removed(call):
    answer = await call("filing_search", {"ticker": "NOPE", "form_type": "10-K"})

    [action] = answer["hints"]["suggestedActions"]
    assert action["action"] == "rephrase_query"
    assert "name or CIK" in action["detail"]


@pytest.mark.parametrize(
    ("arguments", "warning"),
    [
        ({"ticker": "NOPE"}, "no company with the ticker NOPE is listed"),
        ({"ticker": "NOPE", "facts": True}, "no company with the ticker NOPE is listed"),
        ({"query": "320193"}, "there are no filings of CIK 0000320193"),
        ({"query": "320193", "facts": True}, "there are no figures in XBRL of CIK 0000320193"),
    ],
)
async def test_an_unknown_ticker_or_number_is_said_to_be_so(call, arguments, warning):
    answer = await call("filing_search", arguments)

    assert (answer["filings"], answer["warning"]) == ([], warning)
    assert "company" not in answer


async def test_a_list_of_tickers_that_failed_is_fetched_again_and_then_kept(application, internet):
    app = await application()
    internet.breaks(WWW, status=403)
    failed = await app.call("filing_search", {"ticker": "MTPC"})
    internet.mends()

    for ticker in ("MTPC", "FJKR"):
        answer = await app.call("filing_search", {"ticker": ticker})

    assert failed.structured["error"]["kind"] == "blocked"
    assert answer.structured["resultCount"] == 1
    requests = [seen for seen in internet.requests_to(WWW) if "tickers" in seen.path]
    assert len(requests) == 2


async def test_a_list_of_tickers_is_fetched_again_after_a_day(asking, internet, clock):
    ask = await asking(clock)
    await ask("filing_search", ticker="MTPC")
    clock.later = 25 * 3600.0
    internet.forget()

    await ask("filing_search", ticker="MTPC")

    assert [seen for seen in internet.requests_to(WWW) if "tickers" in seen.path]


async def test_names_that_could_not_be_checked_are_said_to_be_so(call, internet):
    internet.breaks(WWW, status=503, path="*browse-edgar*")

    answer = await call("filing_search", {"query": "driftwood risk"})

    assert answer["resultCount"] == 1
    assert "former names were not checked (edgar: HTTP 503)" in answer["warning"]


@pytest.mark.parametrize("host", [DATA, TEXT])
@pytest.mark.parametrize("facts", [True, False])
async def test_a_source_that_fails_is_an_error_and_never_no_filings(call, internet, host, facts):
    internet.breaks(host, status=503)
    query = "driftwood risk" if host == TEXT else "MTPC"

    answer = await call("filing_search", {"query": query, "facts": facts})

    if host == TEXT and facts:
        assert answer["resultCount"] == 0
    else:
        assert answer["error"]["kind"] == "upstream_unavailable"


async def test_a_search_that_timed_out_over_there_is_not_an_empty_one(call, internet):
    internet.says(TEXT, {"timed_out": True, "hits": {"total": {"value": 0}, "hits": []}})

    answer = await call("filing_search", {"query": "driftwood risk"})

    assert "the search was not completed" in answer["error"]["detail"]


async def test_every_request_says_who_asks_and_none_is_made_without_an_address(
    application, internet
):
    app = await application(EDGAR_CONTACT_EMAIL="me@uni.edu")
    await app.call("filing_search", {"query": "driftwood risk"})
    seen = {one.headers["user-agent"] for one in internet.seen}
    internet.forget()

    without = await application(CONTACT_EMAIL="")

    assert seen == {"Sourcewright me@uni.edu"}
    assert "filing_search" not in without.names()
    assert without.not_listed()["filing_search"] == (
        "set EDGAR_CONTACT_EMAIL or OPENALEX_EMAIL or CONTACT_EMAIL"
    )
    assert internet.seen == []


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"form_type": "10-K"},
        {"query": "x", "date_from": "last year"},
        {"query": "x", "date_from": "2025-01-01", "date_to": "2024-01-01"},
    ],
)
async def test_senseless_arguments_ask_nobody(call, internet, arguments):
    answer = await call("filing_search", arguments)

    assert answer["error"]["kind"] == "validation"
    assert internet.seen == []


async def test_an_answer_is_kept_for_a_day(application, internet):
    app = await application()
    for item in ({"ticker": "MTPC"}, {"ticker": "MTPC", "facts": True}, {"query": "driftwood"}):
        await app.call("filing_search", item)
        internet.forget()

        again = await app.call("filing_search", item)

        assert (again.meta["cached"], again.meta["maxAgeSeconds"]) == (True, 86400)
        assert internet.seen == []


async def test_only_the_given_provider_is_asked_and_an_unknown_one_refused(call, internet):
    answer = await call("filing_search", {"ticker": "MTPC", "provider": "sedar"})

    assert answer["error"]["detail"] == "unknown provider 'sedar'; supported: edgar"
    assert internet.seen == []


@pytest.mark.parametrize("query", ["MTPC 10-K", "Meridian Tidal Power 10-k", "10-K MTPC"])
async def test_a_form_beside_the_company_restricts_the_filings(call, query):
    answer = await call("filing_search", {"query": query})

    assert answer["company"]["cik"] == "0009000001"
    assert {one["formType"] for one in answer["filings"]} == {"10-K"}


async def test_filings_cases_and_figures_are_sources_of_the_session(application):
    app = await application()
    step = {"searchStep": "What was filed?", "stepNumber": 1, "nextStepNeeded": True}
    session = (await app.call("sequential_search", step)).structured["sessionId"]

    await app.call("filing_search", {"ticker": "MTPC", "num_results": 1, "sessionId": session})
    await app.call("filing_search", {"ticker": "MTPC", "facts": True, "sessionId": session})
    await app.call("legal_search", {"query": "984 U.S. 436", "sessionId": session})
    answer = await app.call("get_research_session", {"sessionId": session})

    for address in (
        f"{FOLDER}/000900000125000009/mtp-20250331.htm",
        "https://www.sec.gov/edgar/browse/?CIK=9000001",
        "https://www.courtlistener.com/opinion/9000001/kelpworth-v-harbour-authority/",
    ):
        assert address in answer.text


async def test_filters_without_effect_on_figures_are_named(call):
    arguments = {"ticker": "MTPC", "facts": True, "form_type": "10-K", "date_from": "2020-01-01"}

    answer = await call("filing_search", arguments)

    assert answer["filtersIgnored"] == ["form_type", "date_from"]
