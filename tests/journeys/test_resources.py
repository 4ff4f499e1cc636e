"""Resources and completions, read by the SDK's own client from the real server."""

import json
from pathlib import Path

import pytest
from mcp.shared.exceptions import MCPError
from mcp_types import PromptReference, ResourceTemplateReference

pytestmark = pytest.mark.anyio

MODES = ["legacy", "auto"]
BRAVE = "api.search.brave.com"
KEYS = {"BRAVE_API_KEY": "an-invented-key-of-brave", "SERPER_API_KEY": "an-invented-key-of-serper"}
ADDRESSES = [
    "stats://tools",
    "stats://sessions",
    "stats://rate-limits",
    "stats://providers",
    "lenses://catalog",
    "diagnostics://errors/recent",
    "diagnostics://health",
]


GUIDE = Path(__file__).parents[2] / "docs" / "guides" / "search-the-web.md"


async def shown(client, uri):
    [content] = (await client.read_resource(uri)).contents
    assert (str(content.uri), content.mime_type) == (uri, "application/json")
    assert content.meta == {"size": len(content.text.encode())}
    return json.loads(content.text)


@pytest.fixture
def lenses(tmp_path):
    """A folder with a lens of the operator's."""
    folder = tmp_path / "lenses"
    folder.mkdir()
    lens = {"name": "harbours", "description": "Harbours", "domains": ["a.example", "b.example"]}
    (folder / "mine.json").write_text(json.dumps(lens), encoding="utf-8")
    return str(folder)


@pytest.mark.parametrize("mode", MODES)
async def test_every_resource_is_listed_and_can_be_read(connected, mode, lenses):
    async with connected(mode, CUSTOM_LENSES_PATH=lenses, **KEYS) as client:
        listed = (await client.list_resources()).resources
        templates = (await client.list_resource_templates()).resource_templates
        message = {str(one.uri): await shown(client, str(one.uri)) for one in listed}

    assert list(message) == ADDRESSES
    assert all(f"`{uri}`" in GUIDE.read_text(encoding="utf-8") for uri in message)
    assert [one.uri_template for one in templates] == [
        "research://artifact/{id}",
        "paper://{key}/text",
        "paper://{key}/pdf{?part}",
    ]
    assert all(one.name and one.description for one in listed)
    lens = {"name": "harbours", "description": "Harbours", "domainCount": 2, "hasCX": False}
    assert lens in message["lenses://catalog"]["lenses"]
    engines = {one["name"]: one for one in message["stats://providers"]["providers"]}
    assert engines["brave"]["capabilities"] == ["web", "images", "news", "records"]
    assert "google" not in engines
    assert {"academic", "citations"} <= set(engines["openalex"]["capabilities"])
    assert engines["opencitations"]["capabilities"] == ["citations", "references"]
    assert message["stats://tools"] == {"tools": []}
    assert message["diagnostics://health"] == {"providers": [], "status": "healthy"}
    assert message["diagnostics://errors/recent"] == {"errors": []}
    assert (message["stats://sessions"]["count"], message["stats://sessions"]["maxSessions"]) == (
        0,
        50,
    )
    limits = {one["name"]: one for one in message["stats://rate-limits"]["limits"]}
    assert {"brave", "crossref", "dblp", "papers"} <= limits.keys()
    assert (limits["papers"]["starts"], limits["papers"]["atOnce"]) == (5, 5)


@pytest.mark.parametrize("mode", MODES)
async def test_an_unknown_resource_is_refused_by_its_name(connected, internet, mode):
    code = {"legacy": -32002, "auto": -32602}[mode]
    async with connected(mode) as client:
        for uri in ("stats://nothing", "file:///etc/passwd", "https://example.org/"):
            with pytest.raises(MCPError, match=f"no resource {uri}") as refused:
                await client.read_resource(uri)

            assert (refused.value.code, refused.value.error.data) == (code, {"uri": uri})

    assert internet.seen == []


async def test_calls_and_failures_are_counted_and_the_latest_failure_comes_first(connected):
    async with connected(**KEYS) as client:
        await client.call_tool("doiget_health", {})
        await client.call_tool("web_search", {"query": "tidal", "provider": "brave"})
        await client.call_tool("web_search", {"query": "tidal", "lens": "monocle"})
        await client.call_tool("news_search", {"query": "tidal", "provider": "altavista"})
        tools = (await shown(client, "stats://tools"))["tools"]
        errors = (await shown(client, "diagnostics://errors/recent"))["errors"]

    counted = {one["tool"]: (one["calls"], one["errors"], one["errorRate"]) for one in tools}
    assert counted == {
        "doiget_health": (1, 0, 0.0),
        "news_search": (1, 1, 1.0),
        "web_search": (2, 1, 0.5),
    }
    assert all(0 < one["averageMs"] <= one["slowestMs"] for one in tools)
    assert [one["tool"] for one in errors] == ["news_search", "web_search"]
    assert "altavista" in errors[0]["message"]
    assert "monocle" in errors[1]["message"]
    assert all(one["at"].endswith("Z") for one in errors)


async def test_no_failure_that_is_kept_has_a_secret_in_it(connected):
    secrets = [KEYS["BRAVE_API_KEY"], "sk-aaaaaaaaaaaaaaaaaaaaaaaa"]

    async with connected(**KEYS) as client:
        for secret in secrets:
            await client.call_tool("web_search", {"query": "tidal", "lens": secret})
        errors = (await shown(client, "diagnostics://errors/recent"))["errors"]

    assert ["unknown lens '***'" in one["message"] for one in errors] == [True, True]
    assert not any(secret in json.dumps(errors) for secret in secrets)


async def test_health_tells_of_an_engine_that_is_left_alone(connected, internet):
    internet.breaks(BRAVE, status=429)

    async with connected(SEARCH_ROUTING="brave,serper", **KEYS) as client:
        before = await shown(client, "diagnostics://health")
        await client.call_tool("web_search", {"query": "tidal"})
        after = await shown(client, "diagnostics://health")

    assert before["status"] == "healthy"
    assert {one["breaker"] for one in before["providers"]} == {"closed"}
    assert after["status"] == "degraded"
    states = {one["name"]: (one["breaker"], one["available"]) for one in after["providers"]}
    assert states["brave"] == ("open", False)
    assert states["serper"] == ("closed", True)
    assert {one["name"]: one["type"] for one in after["providers"]}["pubmed"] == "academic"


async def test_what_is_left_of_a_rate_limit_is_told(connected):
    crossref = {"ref": "10.5555/none-such"}

    async with connected(SOURCEWRIGHT_SANDBOX_PACE="1") as client:
        before = await shown(client, "stats://rate-limits")
        await client.call_tool("doiget_resolve_paper", crossref)
        after = await shown(client, "stats://rate-limits")

    unused = {one["name"]: one for one in before["limits"]}
    used = {one["name"]: one for one in after["limits"]}
    assert all(one["remaining"] == one["starts"] for one in unused.values())
    assert all(one["enforced"] for one in unused.values())
    assert used.keys() == unused.keys()
    assert all(0 <= one["remaining"] <= one["starts"] for one in used.values())


@pytest.mark.parametrize("mode", MODES)
async def test_the_names_of_lenses_and_engines_are_completed(connected, mode, lenses):
    queries = [
        ("lenses://catalog", "lens", "harb"),
        ("lenses://catalog", "provider", "serp"),
        ("stats://providers", "provider", "SERP"),
        ("stats://providers", "provider", "zz"),
        ("stats://providers", "lens", "harb"),
        ("diagnostics://health", "provider", "serp"),
        ("stats://tools", "mood", ""),
        ("research://artifact/{id}", "id", ""),
    ]

    async with connected(mode, CUSTOM_LENSES_PATH=lenses) as client:
        result = [await completed(client, *one) for one in queries]
        every = await completed(client, "stats://providers", "provider", "")

    assert [one.values for one in result] == [
        ["harbours"],
        [],
        ["serper"],
        [],
        [],
        ["serper"],
        [],
        [],
    ]
    assert {"brave", "google", "openalex", "semanticscholar", "serper"} <= set(every.values)
    assert every.values == sorted(every.values)
    assert (every.total, every.has_more) == (len(every.values), False)


async def completed(client, uri, name, value):
    ref = ResourceTemplateReference(type="ref/resource", uri=uri)
    return (await client.complete(ref, {"name": name, "value": value})).completion


@pytest.mark.parametrize("mode", MODES)
async def test_nothing_is_completed_for_what_does_not_exist(connected, mode):
    refs = [
        PromptReference(type="ref/prompt", name="any"),
        ResourceTemplateReference(type="ref/resource", uri="lenses://nothing"),
    ]

    async with connected(mode) as client:
        for ref in refs:
            with pytest.raises(MCPError) as refused:
                await client.complete(ref, {"name": "lens", "value": ""})

            assert refused.value.code == -32602
