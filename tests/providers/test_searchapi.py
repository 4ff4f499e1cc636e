"""SearchApi, against the simulated site."""

from urllib.parse import parse_qsl

import pytest

from sourcewright.base.errors import BadAnswer, Refused
from sourcewright.domain.web.hits import EngineResults

pytestmark = pytest.mark.anyio

HOST = "www.searchapi.io"
ALWAYS = {
    "web": {"engine": "google", "q": "sea otter", "num": "5", "safe": "active"},
    "images": {"engine": "google_images", "q": "sea otter", "safe": "active"},
    "news": {"engine": "google_news", "q": "sea otter", "num": "5"},
}
DONE = {"search_metadata": {"status": "Success"}}


@pytest.fixture
async def searchapi(provide):
    return await provide("searchapi", SEARCHAPI_API_KEY="s3cret")


@pytest.fixture
def sent(internet):
    """The parameters of the one request that was sent."""

    def params():
        [seen] = internet.requests_to(HOST)
        assert seen.headers["authorization"] == "Bearer s3cret"
        return dict(parse_qsl(seen.query))

    return params


@pytest.mark.parametrize(
    ("kind", "filters", "params"),
    [
        ("web", {}, {}),
        ("web", {"time_range": "hour"}, {"time_period": "last_hour"}),
        ("web", {"time_range": "year"}, {"time_period": "last_year"}),
        ("web", {"safe": "off"}, {"safe": "off"}),
        ("web", {"safe": "high"}, {"safe": "active"}),
        ("web", {"language": "de"}, {"hl": "de", "lr": "lang_de"}),
        ("web", {"language": "xx"}, {"hl": "xx"}),
        ("web", {"country": "gb"}, {"gl": "uk"}),
        ("web", {"sites": ("a.example",)}, {"q": "sea otter site:a.example"}),
        ("web", {"exact_terms": "kelp forests"}, {"q": 'sea otter "kelp forests"'}),
        ("web", {"exclude_terms": "kelp ice"}, {"q": "sea otter -kelp -ice"}),
        ("web", {"limit": 25}, {"num": "10"}),
        ("news", {"sort_by": "date"}, {"sort_by": "most_recent"}),
        ("news", {"time_range": "week"}, {"time_period": "last_week"}),
        ("images", {"size": "medium", "type": "photo"}, {"tbs": "isz:m,itp:photo"}),
        ("images", {"dominant_color": "red"}, {"tbs": "ic:specific,isc:red"}),
        ("images", {"time_range": "week", "file_type": "png"}, {"tbs": "qdr:w,ift:png"}),
    ],
)
async def test_a_filter_is_asked_for_in_its_terms(searchapi, query, sent, kind, filters, params):
    findings = await getattr(searchapi, f"search_{kind}")(query(kind, **filters))

    assert sent() == ALWAYS[kind] | params
    assert findings.ignored == ()


@pytest.mark.parametrize(
    ("kind", "filters", "params", "ignored"),
    [
        ("web", {"sort_by": "date", "file_type": "pdf"}, {}, ("sort_by", "file_type")),
        ("news", {"safe": "off"}, {}, ("safe",)),
        ("images", {"size": "xlarge"}, {"tbs": "isz:l"}, ("size",)),
        ("images", {"type": "stock"}, {}, ("type",)),
    ],
)
async def test_a_filter_that_it_lacks_is_named(
    searchapi, query, sent, *, kind, filters, params, ignored
):
    findings = await getattr(searchapi, f"search_{kind}")(query(kind, **filters))

    assert sent() == ALWAYS[kind] | params
    assert findings.ignored == ignored


@pytest.mark.parametrize("name", ["Google", "Google Images", "Google News"])
async def test_its_own_words_for_nothing_found_are_an_empty_answer(
    searchapi, query, internet, name
):
    internet.says(HOST, DONE | {"error": f"{name} didn't return any results."})

    assert await searchapi.search_news(query("news")) == EngineResults(hits=())


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (DONE | {"error": "Search failed, please retry."}, BadAnswer),
        (DONE | {"error": "Invalid API key."}, Refused),
        (DONE | {"error": {"code": 1}}, BadAnswer),
        (DONE, BadAnswer),
        (DONE | {"organic_results": None}, BadAnswer),
        (DONE | {"organic_results": [{"title": "T", "url": "https://a.example"}]}, BadAnswer),
        ({"search_metadata": {"status": "Error"}, "organic_results": []}, BadAnswer),
        ({"organic_results": []}, BadAnswer),
    ],
)
async def test_an_error_under_a_good_status_is_still_one(searchapi, query, internet, answer, kind):
    internet.says(HOST, answer)

    with pytest.raises(kind):
        await searchapi.search_web(query())
