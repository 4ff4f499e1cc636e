"""GDELT, against the simulated site and with unusual answers."""

import re
from urllib.parse import parse_qsl

import pytest

from sourcewright.base.errors import BadAnswer, RateLimited
from sourcewright.domain.web.queries import Query
from sourcewright.providers.gdelt import params_of, quoted_words, unsupported_filters

pytestmark = pytest.mark.anyio

HOST = "api.gdeltproject.org"
EVERYTHING = "tidal otter glacier lantern lighthouse bees railway"


def query(text="sea otter", limit=5, **filters):
    return Query(kind="news", text=text, limit=limit, **filters)


def query_text(**filters):
    return params_of(query(**filters))["query"]


async def test_an_article_comes_with_its_source_and_when_it_was_seen(provide):
    found = await (await provide("gdelt")).search_news(query("tidal energy", limit=1))

    [hit] = found.hits
    assert hit.title.startswith("Tidal energy (news ")
    assert f"/{hit.source}" in hit.url.replace("www.", "")
    assert hit.snippet == ""
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", hit.published)
    assert found.ignored == ()


async def test_the_question_goes_out_once_in_its_own_terms(provide, internet):
    everything = query(
        "sea otter",
        limit=3,
        time_range="week",
        language="de",
        country="gb",
        sites=("www.reuters.com", "bbc.co.uk"),
        exact_terms="kelp forests",
        exclude_terms="rye bread",
        sort_by="date",
    )

    found = await (await provide("gdelt")).search_news(everything)

    [seen] = internet.requests_to(HOST)
    assert seen.path == "/api/v2/doc/doc"
    assert dict(parse_qsl(seen.query)) == {
        "query": 'sea otter "kelp forests" -rye -bread (domain:reuters.com OR domain:bbc.co.uk) '
        "sourcelang:deu sourcecountry:uk",
        "mode": "artlist",
        "format": "json",
        "maxrecords": "3",
        "timespan": "1w",
        "sort": "datedesc",
    }
    assert found.ignored == ()


@pytest.mark.parametrize(
    ("filters", "fits"),
    [
        ({"sites": ("reuters.com",)}, lambda hit: hit.source == "reuters.com"),
        ({"sites": ("arxiv.org", "nature.com")}, lambda hit: hit.source in "arxiv.org nature.com"),
        ({"exclude_terms": "otter"}, lambda hit: "otter" not in hit.title),
        ({"exact_terms": "sea otter"}, lambda hit: "Sea otter" in hit.title),
        ({"language": "de"}, lambda hit: hit.title[:5] in {"Glaci", "Quant"}),
        ({"country": "gb"}, lambda hit: hit.title[:5] in {"Sea o", "Light", "Rye b"}),
    ],
)
async def test_its_filters_hold(provide, filters, fits):
    found = await (await provide("gdelt")).search_news(query(EVERYTHING, limit=50, **filters))

    assert found.hits
    assert all(map(fits, found.hits))


async def test_a_time_range_leaves_old_articles_out(provide):
    gdelt = await provide("gdelt")

    counts = [
        len((await gdelt.search_news(query(EVERYTHING, limit=250, time_range=time))).hits)
        for time in ("hour", "day", "week", "month", "year")
    ]

    assert counts == sorted(counts)
    assert len(set(counts)) >= 4


async def test_the_newest_stands_first_when_that_is_asked_for(provide):
    found = await (await provide("gdelt")).search_news(query(EVERYTHING, 50, sort_by="date"))

    dates = [hit.published for hit in found.hits]
    assert dates == sorted(dates, reverse=True)
    assert len(set(dates)) > 2


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("what happened in Berlin?", "what happened in Berlin"),
        ('the "White House" lawn', 'the "White House" lawn'),
        ('"Iran" deal', "Iran deal"),
        ("covid-19 D-Wave's (new) chip.", '"covid-19" "D-Wave\'s" new chip'),
        ("AT&T \u2013 merger", '"AT&T" merger'),
        ('un"closed', "un closed"),
        (" ( ) ", ""),
        ("Zürich 東京", "Zürich 東京"),
    ],
)
def test_words_are_written_as_it_takes_them(text, words):
    assert " ".join(quoted_words(text)) == words


@pytest.mark.parametrize(
    ("filters", "part"),
    [
        ({"exact_terms": "Iran"}, "sea otter Iran"),
        ({"exact_terms": 'a "b" c'}, 'sea otter "a b c"'),
        ({"exclude_terms": "covid-19 sport"}, 'sea otter -"covid-19" -sport'),
        ({"sites": ("www.nature.com/articles",)}, "sea otter domain:nature.com"),
        ({"text": "(otter OR seal) kelp"}, "(otter OR seal) kelp"),
        ({"country": "de"}, "sea otter sourcecountry:gm"),
        ({"language": "xx", "country": "ps"}, "sea otter"),
    ],
)
def test_filters_become_operators(filters, part):
    assert query_text(**filters) == part


@pytest.mark.parametrize(
    ("filters", "names"),
    [
        ({"time_range": "hour"}, ()),
        ({"time_range": "year"}, ("time_range",)),
        ({"safe": "off"}, ("safe",)),
        ({"language": "xx", "country": "ps"}, ("language", "country")),
        ({"sites": ("nature.com/", "bbc.co.uk")}, ()),
        ({"sites": ("nature.com/articles",)}, ("sites",)),
        ({"file_type": "pdf"}, ("file_type",)),
    ],
)
def test_what_it_cannot_honour_is_named(filters, names):
    assert unsupported_filters(query(**filters)) == names


def test_more_than_it_gives_is_not_asked_for():
    assert params_of(query(limit=900))["maxrecords"] == "250"


@pytest.mark.promise("absence.failure-is-no-absence")
@pytest.mark.parametrize("ending", [b"", b"\n", b" or contact a person for larger queries.\n"])
async def test_a_request_to_slow_down_is_no_empty_answer(provide, internet, ending):
    words = b"Please limit requests to one every 5 seconds" + ending
    internet.says(HOST, words, content_type="text/html; charset=utf-8")

    with pytest.raises(RateLimited) as caught:
        await (await provide("gdelt")).search_news(query())

    assert (caught.value.source, caught.value.retry_after) == ("gdelt", 5.0)


@pytest.mark.promise("absence.failure-is-no-absence")
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('"a b" c', "The specified phrase is too short"),
        ("an otter OR a seal", "must be surrounded by"),
        ("ab", "Your query was too short or too long"),
    ],
)
async def test_a_refusal_in_words_is_a_failure_with_those_words(provide, text, words):
    with pytest.raises(BadAnswer, match=words) as caught:
        await (await provide("gdelt")).search_news(query(text))

    assert caught.value.source == "gdelt"


async def test_an_endless_refusal_is_cut(provide, internet):
    internet.says(HOST, b"Your query " + b"x" * 10_000)

    with pytest.raises(BadAnswer) as caught:
        await (await provide("gdelt")).search_news(query())

    assert len(str(caught.value)) < 250


@pytest.mark.parametrize("answer", [{}, {"articles": []}])
async def test_nothing_found_is_an_answer(provide, internet, answer):
    internet.says(HOST, answer)

    found = await (await provide("gdelt")).search_news(query())

    assert found.hits == ()


async def test_what_is_wrong_in_its_json_is_mended(provide, internet):
    title = rb"Tides\_rise \"here\" \u00e9 C:\x" + b"\x0b\ttab"
    internet.says(
        HOST, b'{"articles": [{"url": "https:\\/\\/a.example/1", "title": "' + title + b'"}]}'
    )

    [hit] = (await (await provide("gdelt")).search_news(query())).hits

    assert hit.url == "https://a.example/1"
    assert hit.title == 'Tides _rise "here" é C: x tab'
    assert (hit.source, hit.published) == ("a.example", None)


@pytest.mark.parametrize(
    "answer",
    [
        {"timeline": []},
        {"articles": None},
        {"articles": {"url": "https://a.example"}},
        {"articles": [{"title": "no address"}]},
        {"articles": [{"url": "javascript:x", "title": "x"}]},
        {"articles": [{"url": "https://a.example", "title": {}}]},
    ],
)
async def test_a_changed_shape_is_no_empty_answer(provide, internet, answer):
    internet.says(HOST, answer)

    with pytest.raises(BadAnswer):
        await (await provide("gdelt")).search_news(query())


async def test_an_answer_without_an_end_is_not_mended(provide, internet):
    internet.says(HOST, b'{"articles": [' + b'"\\ ' * 1_400_000)

    with pytest.raises(BadAnswer, match="returned too much data"):
        await (await provide("gdelt")).search_news(query())


async def test_it_can_be_turned_off(provide):
    assert await provide("gdelt", SOURCEWRIGHT_ENABLE_GDELT="0") is None
