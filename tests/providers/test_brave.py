"""Brave Search, against the simulated site."""

from urllib.parse import parse_qsl

import pytest

from sourcewright.base.errors import BadAnswer

pytestmark = pytest.mark.anyio

HOST = "api.search.brave.com"
ALWAYS = {"q": "sea otter", "count": "5", "safesearch": "moderate"}
PAGES = ALWAYS | {"result_filter": "web"}
PICTURES = ALWAYS | {"safesearch": "strict"}


@pytest.fixture
async def brave(provide):
    return await provide("brave", BRAVE_API_KEY="s3cret")


@pytest.fixture
def sent(internet):
    """The path and the parameters of the one request that was sent."""

    def request():
        [seen] = internet.requests_to(HOST)
        return seen.path, dict(parse_qsl(seen.query))

    return request


@pytest.mark.parametrize(
    ("filters", "params"),
    [
        ({}, {}),
        ({"time_range": "day"}, {"freshness": "pd"}),
        ({"time_range": "week"}, {"freshness": "pw"}),
        ({"time_range": "month"}, {"freshness": "pm"}),
        ({"time_range": "year"}, {"freshness": "py"}),
        ({"safe": "off"}, {"safesearch": "off"}),
        ({"safe": "high"}, {"safesearch": "strict"}),
        ({"language": "de"}, {"search_lang": "de"}),
        ({"language": "ja"}, {"search_lang": "jp"}),
        ({"language": "pt"}, {"search_lang": "pt-pt"}),
        ({"language": "zh"}, {"search_lang": "zh-hans"}),
        ({"language": "zh", "language_variant": "hant"}, {"search_lang": "zh-hant"}),
        ({"language": "pt", "language_variant": "br"}, {"search_lang": "pt-br"}),
        ({"country": "gb"}, {"country": "GB"}),
        ({"sites": ("a.example",)}, {"q": "sea otter site:a.example"}),
        (
            {"sites": ("a.example", "b.example")},
            {"q": "sea otter (site:a.example OR site:b.example)"},
        ),
        ({"exact_terms": "kelp forests"}, {"q": 'sea otter "kelp forests"'}),
        ({"exclude_terms": "kelp ice"}, {"q": "sea otter -kelp -ice"}),
    ],
)
@pytest.mark.parametrize("kind", ["web", "news"])
async def test_a_filter_is_asked_for_in_braves_terms(brave, query, sent, kind, filters, params):
    search = {"web": brave.search_web, "news": brave.search_news}[kind]

    findings = await search(query(kind, **filters))

    always = PAGES if kind == "web" else ALWAYS
    assert sent() == (f"/res/v1/{kind}/search", always | params)
    assert findings.ignored == ()


@pytest.mark.parametrize(
    ("filters", "params", "ignored"),
    [
        ({"safe": "off"}, {"safesearch": "off"}, ()),
        ({"safe": "high"}, {}, ()),
        ({"language": "fr", "country": "fr"}, {"search_lang": "fr", "country": "FR"}, ()),
        ({"sites": ("arxiv.org",)}, {"q": "sea otter site:arxiv.org"}, ()),
        ({"time_range": "day"}, {}, ("time_range",)),
        (
            {"exact_terms": "kelp", "exclude_terms": "ice"},
            {},
            ("exact_terms", "exclude_terms"),
        ),
        (
            {"size": "large", "type": "face", "color_type": "gray", "dominant_color": "red"},
            {},
            ("size", "type", "color_type", "dominant_color"),
        ),
        ({"file_type": "png"}, {}, ("file_type",)),
    ],
)
async def test_pictures_know_fewer_filters_and_say_so(
    brave, query, sent, filters, params, ignored
):
    findings = await brave.search_images(query("images", **filters))

    assert sent() == ("/res/v1/images/search", PICTURES | params)
    assert findings.ignored == ignored


@pytest.mark.parametrize(
    ("filters", "params", "ignored"),
    [
        ({"time_range": "hour"}, {"freshness": "pd"}, ("time_range",)),
        ({"language": "xx"}, {}, ("language",)),
        (
            {"language": "sr", "language_variant": "latn"},
            {"search_lang": "sr"},
            ("language_variant",),
        ),
        ({"country": "ly"}, {"country": "ALL"}, ("country",)),
        ({"sort_by": "date"}, {}, ("sort_by",)),
    ],
)
async def test_a_filter_that_brave_lacks_is_named(brave, query, sent, filters, params, ignored):
    findings = await brave.search_news(query("news", **filters))

    assert sent()[1] == ALWAYS | params
    assert findings.ignored == ignored


@pytest.mark.parametrize(("kind", "count"), [("web", "20"), ("images", "150"), ("news", "50")])
async def test_no_more_is_asked_for_than_an_answer_holds(brave, query, sent, kind, count):
    await getattr(brave, f"search_{kind}")(query(kind, limit=150))

    assert sent()[1]["count"] == count


async def test_more_excerpts_come_where_they_are_wanted(provide, query, sent):
    brave = await provide("brave", BRAVE_API_KEY="s3cret", BRAVE_EXTRA_SNIPPETS="1")

    hits = (await brave.search_web(query())).hits

    assert sent()[1] == PAGES | {"extra_snippets": "true"}
    assert hits[0].snippet.endswith(f" More of {hits[0].title}.")


async def test_a_question_that_brave_does_not_take_is_not_an_empty_answer(brave, query):
    with pytest.raises(BadAnswer) as caught:
        await brave.search_web(query(exact_terms="word " * 60))

    assert caught.value.status == 422


@pytest.mark.parametrize(
    "long",
    [
        {"text": "word " * 60},
        {"text": "longwords " * 60},
        {"text": "word " * 45, "sites": tuple(f"site{n}.example" for n in range(10))},
        {"text": "word " * 70, "sites": tuple(f"{'a' * 50}{n}.example" for n in range(10))},
    ],
)
async def test_a_query_is_shortened_to_what_brave_accepts(brave, query, sent, long):
    found = await brave.search_web(query(**long))

    text = sent()[1]["q"]
    assert len(text) <= 400
    assert 20 <= len(text.split()) <= 50
    assert ("site:" in text) == ("sites" in long and "sites" not in found.ignored)


@pytest.mark.parametrize(
    "answer",
    [
        {"type": "search"},
        {
            "type": "search",
            "query": {"original": "x"},
            "web": {},
            "mixed": {"main": [{"type": "web"}]},
        },
        {"type": "search", "query": {"original": "x"}, "mixed": {"main": [{"type": "web"}]}},
        {"type": "search", "query": {"original": "x"}, "web": {"results": {}}},
        {"type": "search", "query": {"original": "x"}, "web": {"results": [{"title": "T"}]}},
        {"type": "other", "query": {"original": "x"}},
        {"type": "ErrorResponse", "error": {"code": "INTERNAL"}},
    ],
)
async def test_results_that_are_missing_are_a_changed_shape(brave, query, internet, answer):
    internet.says(HOST, answer)

    with pytest.raises(BadAnswer):
        await brave.search_web(query())
