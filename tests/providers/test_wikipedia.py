"""Wikipedia, against the simulated editions and with unusual answers."""

from urllib.parse import parse_qsl

import pytest

from sourcewright.base.errors import BadAnswer, RateLimited, Refused, Unavailable
from sourcewright.domain.web.queries import Query
from sourcewright.providers.commons import Commons
from sourcewright.providers.wikipedia import (
    Wikipedia,
    article_url,
    host_for,
    params_of,
    unsupported_filters,
)

pytestmark = pytest.mark.anyio

HOST = "en.wikipedia.org"


def query(text="sea otter", limit=5, **filters):
    return Query(kind="web", text=text, limit=limit, **filters)


def listing(*found):
    return {"batchcomplete": True, "query": {"searchinfo": {}, "search": list(found)}}


async def test_articles_come_with_their_pages_and_plain_words(provide):
    found = await (await provide("wikipedia")).search_web(query("sea otter"))

    assert found.ignored == ()
    assert len(found.hits) == 5
    assert all(hit.title.startswith("Sea otter (web ") for hit in found.hits)
    assert [hit.url for hit in found.hits] == [
        f"https://{HOST}/wiki/{hit.title.replace(' ', '_')}" for hit in found.hits
    ]
    assert found.hits[0].snippet.startswith("Sea otters keep kelp forests")
    assert found.hits[0].snippet.endswith("Salt & water.")
    assert found.hits[0].published is None


async def test_the_question_goes_out_once_in_the_wikis_own_terms(provide, internet):
    outcome = query(
        limit=3, exact_terms='kelp "forests"', exclude_terms="rye bread", sort_by="date"
    )

    await (await provide("wikipedia")).search_web(outcome)

    [seen] = internet.requests_to(HOST)
    assert seen.path == "/w/api.php"
    assert dict(parse_qsl(seen.query)) == {
        "action": "query",
        "format": "json",
        "formatversion": "2",
        "list": "search",
        "srsearch": 'sea otter "kelp forests" -rye -bread',
        "srlimit": "3",
        "srnamespace": "0",
        "srprop": "snippet",
        "srsort": "create_timestamp_desc",
    }


async def test_a_phrase_and_an_exclusion_hold(provide):
    wikipedia = await provide("wikipedia")

    phrase = await wikipedia.search_web(query("otter bees lantern", exact_terms="kelp forests"))
    without = await wikipedia.search_web(query("otter lighthouse", exclude_terms="kelp"))

    assert phrase.hits
    assert all("kelp forests" in hit.snippet for hit in phrase.hits)
    assert without.hits
    assert not any("kelp" in hit.snippet for hit in without.hits)


@pytest.mark.parametrize(
    ("filters", "host"),
    [
        ({}, HOST),
        ({"language": "de"}, "de.wikipedia.org"),
        ({"language": "nb"}, "no.wikipedia.org"),
        ({"sites": ("nature.com", "fr.wikipedia.org/wiki")}, "fr.wikipedia.org"),
        ({"sites": ("de.m.wikipedia.org",)}, "de.wikipedia.org"),
        ({"language": "ja", "sites": ("fr.wikipedia.org",)}, "ja.wikipedia.org"),
        ({"language": "x.evil.example/"}, HOST),
        ({"sites": ("evil.example/fr.wikipedia.org",)}, HOST),
    ],
)
def test_the_language_or_a_site_chooses_the_edition(filters, host):
    assert host_for(query(**filters)) == host


async def test_another_edition_is_asked_at_its_own_host(provide, internet):
    found = await (await provide("wikipedia")).search_web(query("glacier storms", language="de"))

    assert {hit.url.split("/wiki/")[0] for hit in found.hits} == {"https://de.wikipedia.org"}
    assert not internet.requests_to(HOST)
    assert len(internet.requests_to("de.wikipedia.org")) == 1


@pytest.mark.parametrize(
    ("filters", "names"),
    [
        ({"exact_terms": "a", "exclude_terms": "b", "sort_by": "date", "language": "de"}, ()),
        ({"time_range": "day", "safe": "off", "country": "us"}, ("time_range", "safe", "country")),
        ({"language": "?"}, ("language",)),
        ({"sites": ("nature.com",)}, ("sites",)),
        ({"sites": ("nature.com", "wikipedia.org")}, ()),
        ({"sites": ("en.wikipedia.org/wiki",)}, ()),
        ({"sites": ("en.wikipedia.org/help",)}, ("sites",)),
        ({"sites": ("fr.wikipedia.org",), "language": "de"}, ("sites",)),
        ({"file_type": "pdf"}, ("file_type",)),
    ],
)
def test_what_it_cannot_honour_is_named(filters, names):
    assert unsupported_filters(query(**filters)) == names


def test_a_search_that_is_too_long_is_not_sent():
    with pytest.raises(BadAnswer, match="at most 300 characters, but the query has 304"):
        params_of(query("x" * 300, exclude_terms="ab"))


def test_more_than_it_gives_is_not_asked_for():
    assert params_of(query(limit=900))["srlimit"] == "500"


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("ratelimited", RateLimited),
        ("maxlag", RateLimited),
        ("readapidenied", Refused),
        ("readonly", Unavailable),
        ("internal_api_error_DBQueryError", Unavailable),
        ("cirrussearch-backend-error", Unavailable),
        ("cirrussearch-too-busy-error", Unavailable),
        ("badinteger", BadAnswer),
        ("cirrussearch-query-too-long", BadAnswer),
    ],
)
async def test_an_error_with_the_status_of_a_success_is_a_failure(provide, internet, code, kind):
    internet.says(HOST, {"error": {"code": code, "info": "<b>why</b>"}, "servedby": "mw1"})

    with pytest.raises(kind, match=f"{code}: why") as caught:
        await (await provide("wikipedia")).search_web(query())

    assert type(caught.value) is kind
    assert caught.value.source == "wikipedia"


@pytest.mark.parametrize(
    "answer",
    [
        {"batchcomplete": True},
        {"batchcomplete": True, "query": {}},
        {"batchcomplete": True, "query": {"search": {}}},
        listing({"title": ["x"]}),
        listing({"snippet": "no title"}),
        listing({"title": ""}),
        {"error": {"info": "no code"}},
        {"error": []},
    ],
)
async def test_a_changed_shape_is_no_empty_answer(provide, internet, answer):
    internet.says(HOST, answer)

    with pytest.raises(BadAnswer):
        await (await provide("wikipedia")).search_web(query())


async def test_nothing_found_is_an_answer(provide, internet):
    internet.says(HOST, listing())

    found = await (await provide("wikipedia")).search_web(query())

    assert found.hits == ()


@pytest.mark.parametrize(
    ("title", "path"),
    [
        ("Tidal energy", "Tidal_energy"),
        ("AT&T?", "AT%26T%3F"),
        ("C#", "C%23"),
        ("Œuvre/§ 100%", "%C5%92uvre/%C2%A7_100%25"),
    ],
)
def test_a_title_becomes_an_address(title, path):
    assert article_url(title, HOST) == f"https://{HOST}/wiki/{path}"


async def test_the_wiki_is_told_whom_it_may_write_to(provide, internet):
    await (await provide("wikipedia", CONTACT_EMAIL="me@uni.edu")).search_web(query())

    [seen] = internet.requests_to(HOST)
    assert seen.headers["user-agent"].endswith(" (me@uni.edu)")


async def test_it_can_be_turned_off(provide):
    assert await provide("wikipedia", SOURCEWRIGHT_ENABLE_WIKIPEDIA="0") is None


@pytest.mark.parametrize("wiki", [Wikipedia, Commons])
@pytest.mark.parametrize(("options", "starts"), [({}, 10), ({"mailto": "me@uni.edu"}, 200)])
def test_a_wiki_allows_more_requests_a_minute_to_whom_it_may_write_to(wiki, options, starts):
    rate = wiki.rate(options) or wiki.info.rate

    assert (rate.starts, rate.per_seconds, rate.at_once) == (starts, 60.0, 1)
