"""Google Programmable Search, against the simulated site."""

from urllib.parse import parse_qsl

import pytest

from sourcewright.base.errors import BadAnswer

pytestmark = pytest.mark.anyio

HOST = "www.googleapis.com"
KEYS = {"GOOGLE_CUSTOM_SEARCH_API_KEY": "s3cret", "GOOGLE_CUSTOM_SEARCH_ID": "an-engine"}
ALWAYS = {"cx": "an-engine", "q": "sea otter", "num": "5", "safe": "active"}
PICTURES = ALWAYS | {"searchType": "image"}


@pytest.fixture
async def google(provide):
    return await provide("google", **KEYS)


@pytest.fixture
def sent(internet):
    """The parameters of the one request that was sent."""

    def params():
        [seen] = internet.requests_to(HOST)
        return dict(parse_qsl(seen.query))

    return params


@pytest.mark.parametrize(
    ("filters", "params"),
    [
        ({}, {}),
        ({"time_range": "day"}, {"dateRestrict": "d1"}),
        ({"time_range": "week"}, {"dateRestrict": "w1"}),
        ({"time_range": "month"}, {"dateRestrict": "m1"}),
        ({"time_range": "year"}, {"dateRestrict": "y1"}),
        ({"safe": "off"}, {"safe": "off"}),
        ({"safe": "high"}, {"safe": "active"}),
        ({"language": "de"}, {"lr": "lang_de"}),
        ({"country": "de"}, {"cr": "countryDE"}),
        ({"country": "gb"}, {"cr": "countryUK"}),
        ({"sites": ("a.example/b",)}, {"siteSearch": "a.example/b", "siteSearchFilter": "i"}),
        (
            {"sites": ("a.example", "b.example")},
            {"q": "sea otter (site:a.example OR site:b.example)"},
        ),
        ({"exact_terms": "kelp forests"}, {"exactTerms": "kelp forests"}),
        ({"exclude_terms": "kelp"}, {"excludeTerms": "kelp"}),
        ({"exclude_terms": "kelp ice"}, {"q": "sea otter -kelp -ice"}),
        ({"sort_by": "date"}, {"sort": "date"}),
        ({"file_type": "pdf"}, {"fileType": "pdf"}),
        ({"engine": "another"}, {"cx": "another"}),
        ({"limit": 25}, {"num": "10"}),
    ],
)
@pytest.mark.parametrize("kind", ["web", "news"])
async def test_a_filter_is_asked_for_in_googles_terms(google, query, sent, kind, filters, params):
    search = {"web": google.search_web, "news": google.search_news}[kind]

    findings = await search(query(kind, **filters))

    assert sent() == ALWAYS | params
    assert findings.ignored == ()


@pytest.mark.parametrize(
    ("filters", "params"),
    [
        ({"size": "xxlarge"}, {"imgSize": "XXLARGE"}),
        ({"type": "lineart"}, {"imgType": "lineart"}),
        ({"color_type": "mono"}, {"imgColorType": "mono"}),
        ({"dominant_color": "teal"}, {"imgDominantColor": "teal"}),
        ({"file_type": "png"}, {"fileType": "png"}),
        ({"language": "ja", "country": "jp"}, {"lr": "lang_ja", "cr": "countryJP"}),
    ],
)
async def test_a_filter_of_pictures_is_asked_for_in_googles_terms(
    google, query, sent, filters, params
):
    findings = await google.search_images(query("images", **filters))

    assert sent() == PICTURES | params
    assert findings.ignored == ()


@pytest.mark.parametrize(
    ("filters", "params", "ignored"),
    [
        ({"time_range": "hour"}, {"dateRestrict": "d1"}, ("time_range",)),
        ({"language": "xx"}, {}, ("language",)),
        ({"size": "large", "type": "face"}, {}, ("size", "type")),
    ],
)
async def test_a_filter_that_google_lacks_is_named(google, query, sent, filters, params, ignored):
    findings = await google.search_web(query(**filters))

    assert sent() == ALWAYS | params
    assert findings.ignored == ignored


@pytest.mark.parametrize(
    "answer",
    [
        {"kind": "customsearch#search", "searchInformation": {"totalResults": "7"}},
        {"kind": "customsearch#search", "searchInformation": {}},
        {"kind": "customsearch#other", "searchInformation": {"totalResults": "0"}},
        {
            "kind": "customsearch#search",
            "searchInformation": {"totalResults": "1"},
            "items": [{"title": "T", "url": "https://a.example"}],
        },
    ],
)
async def test_results_that_are_missing_are_a_changed_shape(google, query, internet, answer):
    internet.says(HOST, answer)

    with pytest.raises(BadAnswer):
        await google.search_web(query())


async def test_a_page_without_a_title_costs_no_other(google, query, internet):
    places = ["https://a.example/", "https://b.example/"]
    items = [{"link": places[0], "snippet": "x"}, {"link": places[1], "title": "B"}]
    count = {"totalResults": "2"}
    answer = {"kind": "customsearch#search", "searchInformation": count, "items": items}
    internet.says(HOST, answer)

    found = await google.search_web(query())

    assert [(hit.url, hit.title) for hit in found.hits] == [
        (places[0], places[0]),
        (places[1], "B"),
    ]
