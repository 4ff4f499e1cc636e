"""Traces: spans of calls and of their requests at a collector, without any query text."""

import json
import subprocess
import sys

import pytest
from collector import collecting, facts

pytestmark = pytest.mark.anyio

SECRET_QUERY = "tidal energy storage"
SEARCH = {"query": SECRET_QUERY, "provider": "wikipedia"}
TRACE, PARENT = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
TRACEPARENT = f"00-{TRACE}-{PARENT}-01"


@pytest.fixture
def collector():
    with collecting() as started:
        yield started


@pytest.fixture
def traced(start_site, one_world, tmp_path, collector):
    """Starts a server that sends traces; they have arrived when it has stopped."""

    def start(**changes):
        settings = {"OTEL_EXPORTER_OTLP_ENDPOINT": collector.url, **changes}
        return start_site(one_world, tmp_path, SOURCEWRIGHT_CACHE="false", **settings)

    return start


async def call(site, tool, arguments, meta=None, **headers):
    params = {"name": tool, "arguments": arguments, **({"_meta": meta} if meta else {})}
    answer = await site.post("tools/call", params, **headers)
    assert answer.status_code == 200


async def test_a_call_is_a_span_and_its_requests_are_inside(traced, collector):
    async with traced(OTEL_SERVICE_NAME="research") as site:
        await call(site, "web_search", SEARCH)

    [tool] = [span for span in collector.spans() if span["kind"] == 2]
    requests = [span for span in collector.spans() if span["kind"] == 3]
    path, _, body = collector.received[0]
    assert path == "/v1/traces"
    resource = facts(body["resourceSpans"][0]["resource"]["attributes"])
    assert resource["service.name"] == "research"
    assert tool["name"] == "tools/call web_search"
    assert (tool["attributes"]["gen_ai.tool.name"], tool["status"]["code"]) == ("web_search", 0)
    assert requests
    assert {span["parentSpanId"] for span in requests} == {tool["spanId"]}
    assert {span["traceId"] for span in requests} == {tool["traceId"]}
    for span in requests:
        assert span["attributes"]["sourcewright.source"] == "wikipedia"
        assert span["attributes"]["http.response.status_code"] == "200"
        assert int(span["startTimeUnixNano"]) >= int(tool["startTimeUnixNano"])
        assert int(span["endTimeUnixNano"]) <= int(tool["endTimeUnixNano"])


async def test_no_span_has_a_query_a_path_or_a_secret(traced, collector):
    key = "brave-secret-0123456789"
    async with traced(BRAVE_API_KEY=key, ADMIN_API_KEY="a-current-admin-key") as site:
        await call(site, "web_search", SEARCH)
        await call(site, "web_search", SEARCH | {"provider": "brave"})
        await call(site, "scrape_page", {"url": "https://pages.example/private?token=xyzzy"})
        await call(site, "doiget_resolve_paper", {"ref": "a private reference"})

    text = json.dumps([body for _, _, body in collector.received])
    assert len(collector.spans()) >= 5
    for word in ("tidal", "private", "token", "xyzzy", key, "a-current-admin-key", "/w/api.php"):
        assert word not in text


async def test_a_call_and_a_request_that_fail_say_so(traced, collector, one_world):
    one_world.breaks("en.wikipedia.org", status=404)
    try:
        async with traced() as site:
            await call(site, "web_search", SEARCH)
            await call(site, "doiget_resolve_paper", {"ref": "no identifier"})
    finally:
        one_world.mends("en.wikipedia.org")

    failed = {span["name"]: span for span in collector.spans() if span["status"]["code"] == 2}
    assert failed["GET wikipedia"]["attributes"]["http.response.status_code"] == "404"
    assert failed["tools/call doiget_resolve_paper"]["attributes"]["error.type"].isupper()


@pytest.mark.parametrize("place", ["meta", "header"])
async def test_a_call_continues_the_trace_of_its_client(traced, collector, place):
    sent = {"traceparent": TRACEPARENT}
    async with traced() as site:
        if place == "meta":
            await call(site, "doiget_health", {}, meta=sent)
        else:
            await call(site, "doiget_health", {}, **sent)

    [span] = collector.spans()
    assert (span["traceId"], span["parentSpanId"]) == (TRACE, PARENT)


@pytest.mark.parametrize("sent", ["nonsense", "x" * 5000, 17, {"a": 1}])
async def test_a_trace_that_cannot_be_read_is_left_out(traced, collector, sent):
    async with traced() as site:
        await call(site, "doiget_health", {}, meta={"traceparent": sent})

    [span] = collector.spans()
    assert "parentSpanId" not in span


async def test_headers_for_the_collector_are_sent_to_it_alone(traced, collector, one_world):
    headers = "api-key=collector-secret-1,team=blue%20sky"
    async with traced(OTEL_EXPORTER_OTLP_HEADERS=headers) as site:
        await call(site, "web_search", SEARCH)

    _, given, _ = collector.received[0]
    lower = {name.lower(): value for name, value in given.items()}
    assert (lower["api-key"], lower["team"]) == ("collector-secret-1", "blue sky")
    assert "collector-secret-1" not in str([seen.headers for seen in one_world.seen])
    assert "traceparent" not in str([seen.headers for seen in one_world.seen])


async def test_a_url_of_their_own_or_none_is_obeyed(traced, collector):
    own = {"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": f"{collector.url}/other"}
    async with traced(**own) as site:
        await call(site, "doiget_health", {})
    assert {path for path, _, _ in collector.received} == {"/other"}

    collector.received.clear()
    for changes in ({"OTEL_SDK_DISABLED": "true"}, {"OTEL_EXPORTER_OTLP_ENDPOINT": "localhost:1"}):
        async with traced(**changes) as site:
            await call(site, "doiget_health", {})
    assert collector.received == []


@pytest.mark.parametrize("trouble", ["refused", "503"])
async def test_a_collector_in_trouble_costs_no_call(start_site, one_world, tmp_path, trouble):
    with collecting(503) as collector:
        url = collector.url if trouble == "503" else "http://127.0.0.1:1"
        async with start_site(one_world, tmp_path, OTEL_EXPORTER_OTLP_ENDPOINT=url) as site:
            for _ in range(3):
                await call(site, "doiget_health", {})


def fresh(code, folder):
    """Run this in an interpreter of its own."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"HOME": str(folder)},
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done


BUILD = """
import sys
sys.modules.update({blocked})
from pathlib import Path
from sourcewright.settings import Settings
from sourcewright.web.start import http_server
from sourcewright.wiring import build
settings = Settings.load({environment}, cwd=Path.cwd())
http_server(settings, build(settings))
names = {{"opentelemetry.sdk", "prometheus_client", "sourcewright.net.traces"}}
print(sorted(names & set(sys.modules)))
"""


def test_without_a_collector_nothing_of_it_is_imported(tmp_path):
    environment = {"HOME": str(tmp_path), "METRICS_ENABLED": "false"}

    done = fresh(BUILD.format(blocked={}, environment=environment), tmp_path)

    assert done.stdout.strip() == "[]"


def test_without_the_library_the_server_says_what_to_install(tmp_path):
    blocked = {"opentelemetry.sdk": None}
    endpoint = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4318"}
    environment = {"HOME": str(tmp_path), "METRICS_ENABLED": "false", **endpoint}

    done = fresh(BUILD.format(blocked=blocked, environment=environment), tmp_path)

    assert "pip install 'sourcewright[traces]'" in done.stderr
