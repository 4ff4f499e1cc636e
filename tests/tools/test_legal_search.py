"""`legal_search`: court cases by citation, by name and by words, through the whole pipeline."""

import pytest

from sourcewright.net.rate_ledger import RateBucket
from sourcewright.stores.pacing import SqliteLedger

pytestmark = pytest.mark.anyio

HOST = "www.courtlistener.com"
NAMED = "Kelpworth v. Harbour Authority"


async def test_a_case_has_everything_that_a_citation_needs(call):
    answer = await call("legal_search", {"query": NAMED, "num_results": 1})

    assert answer["cases"] == [
        {
            "caseName": NAMED,
            "citation": "984 U.S. 436",
            "bluebookCitation": f"{NAMED}, 984 U.S. 436 (1966)",
            "parallelCitations": ["86 S. Ct. 9602", "16 L. Ed. 2d 9694", "1966 U.S. LEXIS 92817"],
            "court": "Supreme Court of the United States",
            "courtId": "scotus",
            "dateFiled": "1966-06-13",
            "docketNumber": "759",
            "citationCount": 60125,
            "status": "Published",
            "snippet": "The right to be told of the tide before questioning.",
            "url": "https://www.courtlistener.com/opinion/9000001/kelpworth-v-harbour-authority/",
            "source": "courtlistener",
        }
    ]
    assert (answer["query"], answer["provider"], answer["resultCount"]) == (
        NAMED,
        "courtlistener",
        1,
    )
    assert answer["trust"] == "untrusted-external-content"


@pytest.mark.parametrize(
    "query",
    [
        "984 U.S. 436",
        "984 US 436",
        f"{NAMED}, 984 U.S. 436 (1966)",
        "kelpworth vs. harbour authority",
        "Kelpworth v Harbour Authority",
        f"{NAMED} (1966)",
    ],
)
async def test_the_case_that_is_cited_or_named_comes_first(call, query):
    answer = await call("legal_search", {"query": query})

    assert answer["cases"][0]["caseName"] == NAMED


async def test_an_appeals_court_and_a_case_without_a_reporter_are_cited_as_they_should_be(call):
    appeals = await call("legal_search", {"query": "812 F.3d 9120"})
    state = await call("legal_search", {"query": "In re Driftwood"})
    trial = await call("legal_search", {"query": "United States v. Lantern"})

    assert appeals["cases"][0]["bluebookCitation"] == (
        "Kelpworth v. Harbour Authority Pension Fund, 812 F.3d 9120 (9th Cir. 2016)"
    )
    assert state["cases"][0]["bluebookCitation"] == "In Re Driftwood, 982 P.3d 513 (Cal. 2008)"
    assert not trial["cases"][0].keys() & {"citation", "bluebookCitation", "parallelCitations"}
    assert (trial["cases"][0]["citationCount"], trial["cases"][0]["status"]) == (0, "Unpublished")


async def test_words_that_only_look_like_a_name_are_searched_as_words(call, internet):
    answer = await call("legal_search", {"query": "driftwood v. evidence"})

    assert [case["caseName"] for case in answer["cases"]] == ["United States v. Lantern"]
    first, second = internet.requests_to(HOST)
    assert "case_name=driftwood+v.+evidence" in first.query
    assert "q=driftwood+v.+evidence" in second.query


@pytest.mark.parametrize(
    ("narrowed", "numbers"),
    [
        ({"jurisdiction": "scotus"}, 0),
        ({"jurisdiction": "CA9"}, 20),
        ({"jurisdiction": "ca9, med"}, 20),
        ({"date_from": "1990-01-01"}, 10),
        ({"date_to": "1975-12-31"}, 5),
        ({"date_from": "1990-01-01", "date_to": "1991-12-31"}, 2),
    ],
)
async def test_every_filter_narrows_the_search(call, narrowed, numbers):
    answer = await call("legal_search", {"query": "barnacle hull", "num_results": 20, **narrowed})

    assert answer["resultCount"] == numbers


async def test_a_court_that_nobody_has_never_yields_cases_of_other_courts(call):
    answer = await call("legal_search", {"query": "barnacle hull", "jurisdiction": "atlantis"})

    assert answer["cases"] == []
    assert answer["hints"]["filtersApplied"] == {"jurisdiction": "atlantis"}


async def test_the_name_of_a_court_finds_nothing_and_the_hint_asks_for_its_id(call):
    period = {"date_from": "1900-01-01", "date_to": "2020-01-01"}

    answer = await call("legal_search", {"query": NAMED, "jurisdiction": "Supreme Court"} | period)

    assert answer["cases"] == []
    actions = answer["hints"]["suggestedActions"]
    detail = next(one["detail"] for one in actions if one.get("parameter") == "jurisdiction")
    assert "ids of courts, not their names: scotus" in detail


@pytest.mark.parametrize(
    "arguments",
    [
        {"query": "x", "jurisdiction": "court of atlantis!"},
        {"query": "x", "date_from": "90"},
        {"query": "x", "date_from": "03/04/1990"},
        {"query": "x", "date_from": "1990-02-30"},
        {"query": "x", "date_from": "1991-01-01", "date_to": "1990-01-01"},
    ],
)
async def test_senseless_filters_ask_nobody(call, internet, arguments):
    answer = await call("legal_search", arguments)

    assert answer["error"]["kind"] == "validation"
    assert internet.seen == []


async def test_an_answer_is_kept_for_a_day_and_an_empty_one_is_not(application, internet):
    app = await application()

    for _ in range(2):
        kept = await app.call("legal_search", {"query": NAMED})
        await app.call("legal_search", {"query": "xyzzy plugh"})

    assert (kept.meta["cached"], kept.meta["maxAgeSeconds"]) == (True, 86400)
    assert len(internet.requests_to(HOST)) == 3


@pytest.mark.parametrize(
    ("query", "advice"),
    [("384 U.S. 9436", "check the citation"), ("xyzzy plugh", "use fewer, more common")],
)
async def test_a_citation_that_nobody_has_is_to_be_checked(call, query, advice):
    answer = await call("legal_search", {"query": query})

    assert answer["cases"] == []
    assert answer["hints"]["suggestedActions"][-1]["detail"].startswith(advice)


async def test_a_bad_request_shows_the_sources_own_words(call):
    answer = await call("legal_search", {"query": 'an odd " quote'})

    assert "The query contains unbalanced quotes." in answer["error"]["detail"]
    assert answer["error"]["retryable"] is False


async def test_the_token_is_sent_and_never_shown(application, internet):
    app = await application(COURTLISTENER_API_TOKEN="s3cret-token")

    answer = await app.call("legal_search", {"query": NAMED})

    [seen] = internet.requests_to(HOST)
    assert seen.headers["authorization"] == "Token s3cret-token"
    assert "s3cret-token" not in answer.text


async def test_only_the_given_provider_is_asked_and_an_unknown_one_refused(call, internet):
    answer = await call("legal_search", {"query": NAMED, "provider": "westlaw"})

    assert answer["error"]["detail"] == "unknown provider 'westlaw'; supported: courtlistener"
    assert internet.seen == []


async def test_without_a_token_the_hundred_requests_of_a_day_are_shared_and_then_refused(
    application, internet
):
    """Another process has used them up: all share one ledger."""
    app = await application(SOURCEWRIGHT_SANDBOX_PACE="1")
    settings = app.services.parts.settings
    day = RateBucket(
        name=f"{internet.url} courtlistener", starts=100, per_seconds=86400.0, gap_seconds=0.2
    )
    ledger = SqliteLedger(settings.pacing_path)
    an_hour_ago = app.services.parts.clock.now() - 3600
    for count in range(100):
        assert ledger.ask(f"t{count}", (day,), an_hour_ago + count).wait == 0.0
        ledger.started(f"t{count}", an_hour_ago + count)
    ledger.close()

    answer = await app.call("legal_search", {"query": NAMED})

    error = answer.structured["error"]
    assert (error["kind"], error["provider"]) == ("rate_limited", "courtlistener")
    assert 82_000 < error["retryAfterSeconds"] < 83_000
    assert internet.requests_to(HOST) == []


async def test_a_citation_check_finds_the_case_or_nothing_and_tells_failure_apart(
    application, internet
):
    service = (await application()).services.records.legal_search

    [found] = await service.with_citation("984 U. S. 436")
    none = await service.with_citation("985 U.S. 1")

    assert (found.name, none) == (NAMED, ())
    internet.breaks(HOST, status=503)
    with pytest.raises(Exception, match="courtlistener: HTTP 503"):
        await service.with_citation("986 U.S. 1")
