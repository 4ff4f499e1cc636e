"""Serper, against the simulated site."""

import json

import pytest

from sourcewright.base.errors import BadAnswer, Unavailable

pytestmark = pytest.mark.anyio

HOST = "google.serper.dev"
PATHS = {"web": "/search", "images": "/images", "news": "/news"}
ALWAYS = {"q": "sea otter", "num": 5, "safe": "active"}


@pytest.fixture
async def serper(provide):
    return await provide("serper", SERPER_API_KEY="s3cret")


@pytest.fixture
def sent(internet):
    """The path and the body of the one request that was sent."""

    def request():
        [seen] = internet.requests_to(HOST)
        assert seen.method == "POST"
        assert seen.headers["x-api-key"] == "s3cret"
        return seen.path, json.loads(seen.body)

    return request


@pytest.mark.parametrize(
    ("kind", "filters", "body"),
    [
        ("web", {"time_range": "hour"}, {"tbs": "qdr:h"}),
        ("web", {"time_range": "year"}, {"tbs": "qdr:y"}),
        ("web", {"safe": "off"}, {"safe": "off"}),
        ("web", {"safe": "high"}, {"safe": "active"}),
        ("web", {"language": "de", "country": "gb"}, {"hl": "de", "gl": "uk"}),
        ("web", {"language": "pt", "language_variant": "br"}, {"hl": "pt-br"}),
        ("web", {"sites": ("a.example",)}, {"q": "sea otter site:a.example"}),
        ("web", {"exact_terms": "kelp forests"}, {"q": 'sea otter "kelp forests"'}),
        ("web", {"exclude_terms": "kelp ice"}, {"q": "sea otter -kelp -ice"}),
        ("web", {"limit": 150}, {"num": 100}),
        ("news", {"sort_by": "date"}, {"tbs": "sbd:1"}),
        ("news", {"sort_by": "date", "time_range": "week"}, {"tbs": "qdr:w,sbd:1"}),
        ("images", {"size": "large", "type": "photo"}, {"tbs": "isz:l,itp:photo"}),
        ("images", {"dominant_color": "red"}, {"tbs": "ic:specific,isc:red"}),
        ("images", {"color_type": "trans", "file_type": "png"}, {"tbs": "ic:trans,ift:png"}),
    ],
)
async def test_a_filter_is_asked_for_in_googles_terms(serper, query, sent, kind, filters, body):
    findings = await getattr(serper, f"search_{kind}")(query(kind, **filters))

    assert sent() == (PATHS[kind], ALWAYS | body)
    assert findings.ignored == ()


@pytest.mark.parametrize(
    ("kind", "filters", "body", "ignored"),
    [
        ("web", {"sort_by": "date"}, {}, ("sort_by",)),
        ("web", {"size": "large", "file_type": "pdf"}, {}, ("size", "file_type")),
        ("images", {"size": "huge"}, {"tbs": "isz:l"}, ("size",)),
        ("images", {"size": "small"}, {}, ("size",)),
        ("images", {"type": "stock"}, {}, ("type",)),
        ("images", {"color_type": "mono"}, {"tbs": "ic:gray"}, ("color_type",)),
        (
            "images",
            {"color_type": "gray", "dominant_color": "red"},
            {"tbs": "ic:specific,isc:red"},
            ("color_type",),
        ),
    ],
)
async def test_a_filter_that_it_lacks_is_named(
    serper, query, sent, *, kind, filters, body, ignored
):
    findings = await getattr(serper, f"search_{kind}")(query(kind, **filters))

    assert sent() == (PATHS[kind], ALWAYS | body)
    assert findings.ignored == ignored


async def test_what_may_be_billed_is_never_sent_twice(serper, query, internet):
    internet.cuts(HOST, times=1)

    with pytest.raises(Unavailable):
        await serper.search_web(query())

    assert len(internet.requests_to(HOST)) == 1


@pytest.mark.parametrize(
    "answer",
    [
        {"searchParameters": {"q": "x"}},
        {"searchParameters": {"q": "x"}, "organic": None},
        {"searchParameters": {"q": "x"}, "organic": {}},
        {"organic": [{"title": "T", "href": "https://a.example"}]},
        {"organic": [{"title": "T", "link": "/url?q=x"}]},
        {"message": "Something is wrong", "statusCode": 500},
    ],
)
async def test_results_that_are_missing_are_a_changed_shape(serper, query, internet, answer):
    internet.says(HOST, answer)

    with pytest.raises(BadAnswer):
        await serper.search_web(query())
