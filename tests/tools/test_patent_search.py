"""patent_search, through the tool, in the simulated world."""

from urllib.parse import urlencode

import pytest

pytestmark = pytest.mark.anyio

HOSTS = {
    "searchapi": "www.searchapi.io",
    "epo": "ops.epo.org",
    "lens": "api.lens.org",
    "uspto": "api.uspto.gov",
}
PAGES, BRAVE = "patents.google.com", "api.search.brave.com"
KEYS = {
    "searchapi": {"SEARCHAPI_API_KEY": "an-invented-key"},
    "epo": {"EPO_OPS_CONSUMER_KEY": "a-key", "EPO_OPS_CONSUMER_SECRET": "an-invented-secret"},
    "lens": {"LENS_API_TOKEN": "an-invented-token"},
    "uspto": {"USPTO_API_KEY": "an-invented-key"},
}
ALL = {name: value for keys in KEYS.values() for name, value in keys.items()}
WEB = {"SEARCH_PROVIDER": "brave", "BRAVE_API_KEY": "an-invented-key"}


@pytest.fixture
def patents(answer):
    async def ask(settings=ALL, **arguments):
        return await answer("patent_search", arguments, **settings)

    return ask


@pytest.fixture
def web(internet):
    """Lets a web search find pages of these publications."""

    def finds(*numbers):
        pages = [
            {
                "title": f"{number} - Some title - Google Patents",
                "url": f"https://patents.google.com/patent/{number}/en",
                "description": f"About {number}.",
            }
            for number in numbers
        ]
        listing = {"type": "search", "query": {"original": "x"}, "web": {"results": pages}}
        internet.says(BRAVE, listing)

    return finds


def error_of(result):
    assert result.is_error
    return result.structured["error"]


@pytest.mark.parametrize("provider", HOSTS)
async def test_a_provider_is_asked_alone_and_its_answer_kept_for_a_day(
    patents, internet, provider
):
    first = await patents(query="tidal turbine", provider=provider)
    requests = len(internet.seen)
    again = await patents(query="tidal turbine", provider=provider)

    answer = first.structured
    assert (answer["source"], answer["searchType"]) == (provider, "prior_art")
    assert answer["resultCount"] == len(answer["patents"]) > 0
    assert {seen.host for seen in internet.seen} == {HOSTS[provider]}
    assert again.structured == answer
    assert len(internet.seen) == requests
    assert "cached" not in first.meta
    assert (again.meta["cached"], again.meta["maxAgeSeconds"]) == (True, 86400)
    assert answer["trust"] == "untrusted-external-content"
    assert answer["searchUrl"] == "https://patents.google.com/?q=tidal+turbine"


@pytest.mark.parametrize("provider", HOSTS)
async def test_dates_are_never_confused(patents, provider):
    answer = (await patents(query="tidal turbine", provider=provider, num_results=10)).structured

    by_number = {one["number"]: one for one in answer["patents"]}
    grant = by_number.get("US10165245B2") or by_number["US10165245"]
    assert (grant["filed"], grant["granted"]) == ("2014-11-20", "2018-12-25")
    if "EP3020964A1" in by_number:
        application = by_number["EP3020964A1"]
        assert (application["filed"], application["published"]) == ("2015-11-19", "2016-05-18")
        assert "granted" not in application


@pytest.mark.parametrize(
    ("filters", "numbers"),
    [
        ({"patent_office": "EP"}, {"EP3020964A1", "EP2400812B1"}),
        ({"assignee": "Driftwood Moorings GmbH"}, {"EP2400812B1"}),
        ({"inventor": "Bela Anker"}, {"EP2400812B1"}),
        ({"cpc_code": "b63b"}, {"EP2400812B1"}),
        ({"year_from": 2015}, {"EP3020964A1"}),
        ({"year_to": 2012}, {"EP2400812B1"}),
    ],
)
@pytest.mark.parametrize("provider", ["searchapi", "epo", "lens"])
async def test_every_filter_holds_and_is_part_of_the_cache_key(
    patents, provider, filters, numbers
):
    everything = await patents(query="tidal turbine", provider=provider, num_results=10)
    answer = (
        await patents(query="tidal turbine", provider=provider, num_results=10, **filters)
    ).structured

    assert {one["number"] for one in answer["patents"]} == numbers
    assert len(everything.structured["patents"]) == 4


async def test_the_first_that_finds_something_answers(patents, internet):
    internet.breaks(HOSTS["searchapi"], status=500)

    answer = (await patents(query="tidal turbine")).structured

    assert answer["source"] == "epo"
    assert answer["sourcesFailed"] == {"searchapi": "server_error"}
    assert not internet.requests_to(HOSTS["lens"])


async def test_the_us_office_is_not_asked_about_others(patents, internet):
    answer = (await patents(KEYS["uspto"] | WEB, query="tidal", patent_office="EP")).structured

    assert answer["source"] == "web_discovery"
    assert not internet.requests_to(HOSTS["uspto"])


@pytest.mark.parametrize(
    "number", ["US10165245B2", "US 10,165,245 B2", "10,165,245", "us10165245b2"]
)
async def test_one_publication_is_found_by_its_number_without_a_key(patents, internet, number):
    answer = (await patents({}, query=number, search_type="specific")).structured

    [patent] = answer["patents"]
    assert (patent["number"], answer["source"]) == ("US10165245B2", "web_discovery")
    assert (patent["filed"], patent["granted"]) == ("2014-11-20", "2018-12-25")
    assert {seen.host for seen in internet.seen} == {PAGES}


@pytest.mark.parametrize(
    ("provider", "number", "found"),
    [
        ("epo", "WO 2009/085664", "WO2009085664A2"),
        ("epo", "US 2016/0142694 A1", "US20160142694A1"),
        ("lens", "EP 3 020 964 A1", "EP3020964A1"),
        ("uspto", "US 10,165,245 B2", "US10165245"),
        ("searchapi", "JP2006-147056A", "JP2006147056A"),
    ],
)
async def test_a_number_is_asked_for_in_the_spelling_of_each_source(
    patents, internet, provider, number, found
):
    answer = (await patents(query=number, search_type="specific", provider=provider)).structured

    assert [one["number"] for one in answer["patents"]] == [found]
    assert {seen.host for seen in internet.seen} == {HOSTS[provider]}


async def test_another_publication_is_never_shown_for_a_number(patents):
    answer = (
        await patents(query="EP2400812A1", search_type="specific", provider="epo")
    ).structured

    assert answer["patents"] == []
    assert answer["hints"]["reason"] == "no_match"
    assert answer["hints"]["suggestedActions"][-1]["detail"].startswith("check the number")


@pytest.mark.parametrize("provider", ["epo", "lens"])
async def test_a_landscape_has_each_family_once_by_assignee(patents, provider):
    answer = (
        await patents(query="tidal", search_type="landscape", provider=provider, num_results=10)
    ).structured

    families = [one["familyId"] for one in answer["patents"]]
    assert len(families) == len(set(families)) == 3
    clusters = [(one["assignee"].upper(), one["count"]) for one in answer["assigneeClusters"]]
    assert clusters == [("MERIDIAN TIDAL POWER, INC.", 2), ("DRIFTWOOD MOORINGS GMBH", 1)]
    assert "Driftwood" in answer["patents"][-1]["assignee"].title()


async def test_without_a_key_pages_are_found_on_the_web_and_read(patents, web, internet):
    web("US10165245B2", "EP2400812B1", "US10165245B2", "XX")

    answer = (await patents(WEB, query="tidal turbine")).structured

    assert answer["source"] == "web_discovery"
    assert [one["number"] for one in answer["patents"]] == ["US10165245B2", "EP2400812B1"]
    assert answer["patents"][1]["granted"] == "2013-12-25"
    assert {seen.host for seen in internet.seen} == {BRAVE, PAGES}


async def test_a_page_that_cannot_be_read_is_shown_as_the_engine_found_it(patents, web, internet):
    web("US10165245B2")
    internet.breaks(PAGES, status=503)

    [patent] = (await patents(WEB, query="tidal turbine")).structured["patents"]

    assert (patent["number"], patent["title"]) == ("US10165245B2", "Some title")
    assert patent["abstract"] == "About US10165245B2."
    assert "filed" not in patent


async def test_a_web_engine_as_provider_discovers_pages(patents, web, internet):
    web("EP2400812B1")

    answer = (await patents(ALL | WEB, query="mooring", provider="brave")).structured

    assert [one["number"] for one in answer["patents"]] == ["EP2400812B1"]
    assert not {seen.host for seen in internet.seen} & {*HOSTS.values()}


async def test_an_explicit_provider_without_results_is_empty_and_nobody_else_is_asked(
    patents, internet
):
    answer = (await patents(query="tidal", patent_office="JP", provider="uspto")).structured

    assert (answer["patents"], answer["source"]) == ([], "uspto")
    assert answer["hints"]["filtersApplied"] == {"patent_office": "JP"}
    assert not internet.seen


@pytest.mark.parametrize("provider", HOSTS)
@pytest.mark.parametrize("status", [401, 429, 500])
async def test_an_explicit_provider_that_fails_is_an_error_with_its_name(
    patents, internet, provider, status
):
    internet.breaks(HOSTS[provider], status=status)

    error = error_of(await patents(query="tidal", provider=provider))

    assert error["provider"] == provider
    assert (
        error["kind"]
        == {
            401: "auth_required",
            429: "rate_limited",
            500: "upstream_unavailable",
        }[status]
    )


@pytest.mark.parametrize("provider", HOSTS)
@pytest.mark.parametrize("changed", [{}, [], {"total": 3}, b"<html></html>", b"<x/>"])
async def test_a_changed_answer_is_an_error_and_never_an_empty_list(
    patents, internet, provider, changed
):
    internet.says(HOSTS[provider], changed)

    error = error_of(await patents(query="tidal", provider=provider))

    assert (error["provider"], error["kind"]) == (provider, "upstream_unavailable")


@pytest.mark.parametrize(
    ("provider", "variable"),
    [
        ("epo", "EPO_OPS_CONSUMER_KEY"),
        ("lens", "LENS_API_TOKEN"),
        ("uspto", "USPTO_API_KEY"),
        ("searchapi", "SEARCHAPI_API_KEY"),
    ],
)
async def test_an_unconfigured_provider_names_the_variable_to_set(
    patents, internet, provider, variable
):
    error = error_of(await patents({}, query="tidal", provider=provider))

    assert error["kind"] == "config"
    assert variable in error["detail"]
    assert not internet.seen


async def test_an_unknown_provider_lists_each_supported_one_once(patents, internet):
    error = error_of(await patents(query="tidal", provider="wipo"))

    names = error["detail"].partition("supported: ")[2].split(", ")
    assert names[:4] == ["searchapi", "epo", "lens", "uspto"]
    assert len(names) == len(set(names))
    assert "brave" in names
    assert not internet.seen


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "query is required unless assignee or inventor is provided"),
        ({"query": "x", "year_from": 2020, "year_to": 2010}, "year_from is later than year_to"),
        ({"query": "x", "patent_office": "XX"}, "patent_office"),
        ({"query": "x", "cpc_code": "G06F or x"}, "cpc_code"),
        ({"query": "x", "search_type": "all"}, "search_type"),
    ],
)
async def test_a_question_without_meaning_is_refused_before_anyone_is_asked(
    patents, internet, arguments, words
):
    error = error_of(await patents(**arguments))

    assert error["kind"] == "validation"
    assert words in error["detail"]
    assert not internet.seen


async def test_results_are_few_and_an_adjusted_number_is_echoed(patents):
    answer = (await patents(query="tidal", num_results=99)).structured

    assert answer["requestedNumResults"] == 99
    assert len(answer["patents"]) <= 10


async def test_routing_sets_the_order_and_is_told_in_the_metadata(patents):
    settings = ALL | {"SEARCH_ROUTING": '{"patents": "lens,epo"}'}
    result = await patents(settings, query="tidal turbine")

    assert result.structured["source"] == "lens"
    assert result.meta["routing"]["provider_used"] == "lens"
    assert "routing" not in result.text


async def test_no_secret_and_no_token_is_in_an_answer_or_a_log(patents, internet, tmp_path):
    await patents(query="tidal turbine", provider="epo")
    internet.breaks(HOSTS["epo"], status=500)
    result = await patents(query="other words", provider="epo")

    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    for secret in ("an-invented-secret", "an-invented-token"):
        assert secret not in result.text
        assert not any(secret.encode() in path.read_bytes() for path in files)


async def test_what_was_found_is_recorded_in_the_session(application):
    app = await application(**ALL)
    started = await app.call(
        "sequential_search", {"searchStep": "patents", "stepNumber": 1, "nextStepNeeded": True}
    )
    session = started.structured["sessionId"]

    await app.call("patent_search", {"query": "kelp", "provider": "epo", "sessionId": session})

    kept = (await app.call("get_research_session", {"sessionId": session})).structured
    assert [one["url"] for one in kept["sources"]] == [
        "https://patents.google.com/patent/WO2009085664A2/en"
    ]


async def test_a_symbol_is_taken_as_the_scheme_writes_it(call, internet):
    await call("patent_search", {"query": "turbine", "cpc_code": "f03b 13/26"})

    assert "F03B13%2F26" in internet.seen[0].query


@pytest.mark.parametrize("symbol", ["9x", "Z01", "G06F 16", "g06f;"])
async def test_a_symbol_that_no_classification_has_is_explained(call, symbol):
    answer = await call("patent_search", {"query": "turbine", "cpc_code": symbol})

    assert answer["error"]["kind"] == "validation"
    assert "must be a symbol of the CPC such as G06F" in str(answer)


async def test_arguments_without_effect_beside_a_number_are_named(call):
    arguments = {"query": "US10165245B2", "search_type": "specific", "cpc_code": "G06F"}

    answer = await call("patent_search", arguments | {"assignee": "Somebody Else"})

    assert [one["number"] for one in answer["patents"]] == ["US10165245B2"]
    assert answer["filtersIgnored"] == ["assignee", "cpc_code"]


async def test_no_hint_names_a_source_that_has_no_patents_of_the_office(patents):
    hints = (await patents(query="tidal turbine", patent_office="JP")).structured["hints"]

    assert "uspto" not in hints["providersAttempted"]
    assert "uspto" not in {one.get("value") for one in hints["suggestedActions"]}
    assert "uspto" not in hints["epistemicWarning"]


@pytest.mark.parametrize(
    ("number", "provider"),
    [
        ("US10165245B2", None),
        ("10,165,245", None),
        ("https://patents.google.com/patent/US10165245B2/en", None),
        *(("US 10,165,245 B2", provider) for provider in (None, *HOSTS)),
    ],
)
async def test_a_number_is_looked_up_without_being_announced(patents, number, provider):
    chosen = {"provider": provider} if provider else {}

    answer = (await patents(query=number, **chosen)).structured

    (patent,) = answer["patents"]
    assert patent["number"].removesuffix("B2") == "US10165245"
    assert answer["searchType"] == "prior_art"


@pytest.mark.parametrize("words", ["EN 60601-1-2", "AI 2020", "BS 7671:2018", "US 2020"])
async def test_what_only_resembles_a_number_is_searched_as_words(patents, words):
    answer = (await patents(query=words, provider="searchapi")).structured

    assert answer["searchUrl"] == f"https://patents.google.com/?{urlencode({'q': words})}"


@pytest.mark.parametrize("provider", HOSTS)
async def test_an_inverted_name_finds_the_same_inventor(patents, provider):
    inverted = (await patents(inventor="Harbour, Ada", provider=provider)).structured
    plain = (await patents(inventor="Ada Harbour", provider=provider)).structured

    assert inverted["patents"] == plain["patents"] != []
