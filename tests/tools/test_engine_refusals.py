"""Why a search engine refuses: its own words reach the caller, bounded, plain and without keys."""

import pytest

pytestmark = pytest.mark.anyio

KEY = "k3y-of-the-tests-0123456789"
KEYS = {
    "GOOGLE_CUSTOM_SEARCH_API_KEY": KEY,
    "GOOGLE_CUSTOM_SEARCH_ID": "an-engine",
    "BRAVE_API_KEY": KEY,
    "SERPER_API_KEY": KEY,
    "SEARCHAPI_API_KEY": KEY,
    "TAVILY_API_KEY": KEY,
    "EXA_API_KEY": KEY,
}
HOSTS = {
    "google": "www.googleapis.com",
    "brave": "api.search.brave.com",
    "serper": "google.serper.dev",
    "searchapi": "www.searchapi.io",
    "tavily": "api.tavily.com",
    "exa": "api.exa.ai",
}
REFUSALS = [
    (
        "google",
        400,
        {"error": {"code": 400, "message": "Request contains an invalid argument.", "errors": []}},
        "Request contains an invalid argument.",
    ),
    (
        "brave",
        422,
        {"error": {"code": "VALIDATION", "detail": "Unable to validate request parameter(s)"}},
        "Unable to validate request parameter(s)",
    ),
    (
        "brave",
        422,
        {
            "error": {
                "code": "VALIDATION",
                "detail": "Unable to validate request parameter(s)",
                "meta": {"errors": [{"loc": ["query", "country"], "msg": "Input should be 'AR'"}]},
            }
        },
        "Unable to validate request parameter(s): query.country: Input should be 'AR'",
    ),
    (
        "brave",
        429,
        {"error": {"code": "RATE_LIMITED", "detail": "Request rate limit exceeded for plan."}},
        "Request rate limit exceeded for plan.",
    ),
    ("serper", 400, {"message": "Missing query parameter", "statusCode": 400}, "Missing query"),
    ("searchapi", 400, {"error": "Unsupported `gl` parameter."}, "Unsupported `gl` parameter."),
    ("tavily", 400, {"detail": {"error": "Invalid topic."}}, "Invalid topic."),
    (
        "tavily",
        422,
        {"detail": [{"loc": ["body"], "msg": "field required", "type": "missing"}]},
        '("body: field required")',
    ),
    (
        "exa",
        400,
        {"requestId": "1", "error": "Invalid category", "tag": "OTHER"},
        "Invalid category",
    ),
]


@pytest.fixture
async def refused(application, internet):
    app = await application(**KEYS)

    async def ask(name, status, body, **says):
        internet.mends()
        internet.says(HOSTS[name], body, status=status, **says)
        arguments = {"query": f"kelp {status} {len(str(body))}", "provider": name}
        result = await app.call("web_search", arguments)
        assert result.is_error
        return result.structured["error"]["detail"]

    return ask


async def test_the_engine_s_own_reason_is_part_of_the_error(refused):
    for name, status, body, reason in REFUSALS:
        message = await refused(name, status, body)

        assert f"{name}: HTTP {status}" in message
        assert reason in message


@pytest.mark.parametrize(
    ("body", "content_type", "absent"),
    [
        ({"error": f"The key {KEY} is unknown here"}, "application/json", KEY),
        ({"error": "password=another-secret-1234 is wrong"}, "application/json", "another-secret"),
        ({"error": "a\x1b[31m\u202eb<b>c</b>"}, "application/json", "\x1b"),
        ({"error": "word " * 5_000}, "application/json", "word " * 100),
        ({"error": f"{'x' * 298} {KEY}"}, "application/json", KEY[:4]),
        ({"fault": {"deep": {"deeper": {"message": "too deep"}}}}, "application/json", "too deep"),
        (b"<html><body>Please sign in</body></html>", "text/html", "sign in"),
        (b"\x00\x01\x02 not text", "application/octet-stream", "not text"),
    ],
    ids=["key", "secret", "control", "long", "cut key", "deep", "page", "binary"],
)
async def test_what_is_not_for_the_caller_is_left_out(refused, body, content_type, absent):
    message = await refused("searchapi", 422, body, content_type=content_type)

    assert "searchapi: HTTP 422" in message
    assert absent not in message
    assert len(message) < 700


async def test_a_rate_limit_without_a_wait_is_not_tried_again_and_opens_the_breaker(
    application, internet
):
    app = await application(BRAVE_API_KEY=KEY)
    internet.breaks(HOSTS["brave"], status=429)

    for words in ("kelp", "rye bread"):
        result = await app.call("web_search", {"query": words, "provider": "brave"})

        assert result.structured["error"]["kind"] == "rate_limited"
    assert len(internet.requests_to(HOSTS["brave"])) == 1


@pytest.mark.parametrize(
    ("host", "status", "body", "settings", "advice"),
    [
        (
            "api.exa.ai",
            402,
            {"error": "You have exceeded your credits limit.", "tag": "NO_MORE_CREDITS"},
            {"EXA_API_KEY": KEY},
            "add credits or raise the budget of the key at https://dashboard.exa.ai",
        ),
        (
            "api.exa.ai",
            402,
            {"error": "Payment required"},
            {"EXA_API_KEY": KEY},
            "add credits or raise the budget of the key at https://dashboard.exa.ai",
        ),
        (
            "searxng.harbour.example",
            403,
            b"<!DOCTYPE html><title>403 Forbidden</title><h1>Forbidden</h1>",
            {"SEARXNG_URL": "https://searxng.harbour.example"},
            "add json to search.formats in the settings.yml of the instance",
        ),
    ],
)
async def test_a_refusal_that_the_documentation_explains_says_what_to_do(
    answer, internet, *, host, status, body, settings, advice
):
    kind = "text/html" if isinstance(body, bytes) else "application/json"
    internet.says(host, body, status=status, content_type=kind)
    provider = "exa" if "EXA_API_KEY" in settings else "searxng"

    result = await answer("web_search", {"query": "x", "provider": provider}, **settings)

    assert result.is_error
    assert advice in result.structured["error"]["detail"]
    assert advice in result.text
