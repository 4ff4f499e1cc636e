"""Metrics for Prometheus: every one moves with what it measures, and strangers see none."""

import asyncio

import pytest
from prometheus_client.parser import text_string_to_metric_families

pytestmark = pytest.mark.anyio

KEY, READER = "a-current-admin-key", "a-key-for-prometheus"
PUBLIC = {"SOURCEWRIGHT_PUBLIC_URL": "https://research.example.org"}
SEARCH = {"query": "tidal energy storage", "provider": "wikipedia"}


class Numbers(dict):
    """Samples by name and labels; one that is not there is 0."""

    def __missing__(self, _key):
        return 0.0


async def read(site, **headers):
    """Read the metrics; the request for them is counted after they are read."""
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    answer = await site.http.get("/metrics", headers=given)
    assert answer.status_code == 200
    return Numbers(
        ((sample.name, *sorted(sample.labels.items())), sample.value)
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    )


def name(metric, **labels):
    return metric, *sorted(labels.items())


async def call(site, tool, **arguments):
    answer = await site.post("tools/call", {"name": tool, "arguments": arguments})
    assert answer.status_code == 200


async def test_calls_their_latency_and_their_errors_are_counted_by_tool(serve):
    site = await serve()
    for _ in range(3):
        await call(site, "doiget_health")
    await call(site, "doiget_resolve_paper", ref="no identifier at all")

    now = await read(site)

    assert now[name("mcp_tool_calls_total", tool="doiget_health")] == 3
    assert now[name("mcp_tool_calls_total", tool="doiget_resolve_paper")] == 1
    assert now[name("mcp_tool_latency_seconds_count", tool="doiget_health")] == 3
    assert now[name("mcp_tool_latency_seconds_bucket", tool="doiget_health", le="+Inf")] == 3
    assert now[name("mcp_tool_latency_seconds_sum", tool="doiget_health")] > 0
    errors = {key[1:]: value for key, value in now.items() if key[0] == "mcp_tool_errors_total"}
    [labels] = errors
    assert (dict(labels)["tool"], errors[labels]) == ("doiget_resolve_paper", 1)
    assert dict(labels)["error_code"].isupper()


@pytest.mark.parametrize(("disk", "layer"), [("0", "memory"), ("16", "disk")])
async def test_hits_and_misses_of_each_layer_of_the_cache_are_counted(serve, disk, layer):
    changes = {"SOURCEWRIGHT_CACHE_MAX_DISK_MB": disk}
    if layer == "disk":
        changes["CACHE_MAX_MEMORY_MB"] = "0"
    site = await serve(**changes)
    await call(site, "web_search", **SEARCH)
    first = await read(site)
    await call(site, "web_search", **SEARCH)
    second = await read(site)

    hits, misses = (name(f"mcp_cache_{one}_total", layer=layer) for one in ("hits", "misses"))
    assert (first[hits], first[misses]) == (0, 1)
    assert (second[hits], second[misses]) == (1, 1)


async def test_requests_to_a_source_its_failures_and_its_breaker_are_shown(serve, internet):
    site = await serve(CIRCUIT_FAILURE_THRESHOLD="1", SOURCEWRIGHT_CACHE="false")
    await call(site, "web_search", **SEARCH)
    before = await read(site)
    internet.breaks("en.wikipedia.org", status=503)
    await call(site, "web_search", **SEARCH)
    after = await read(site)

    def of(now):
        metrics = ("mcp_source_requests_total", "mcp_source_failures_total")
        numbers = [now[name(one, source="wikipedia")] for one in metrics]
        return [*numbers, now[name("mcp_source_breaker_state", source="wikipedia")]]

    assert of(before) == [1, 0, 0]
    assert of(after) == [2, 1, 2]


async def test_refusals_and_limits_are_counted_by_their_status(serve):
    site = await serve(SOURCEWRIGHT_API_KEYS="true", RATE_LIMIT_PER_IP="4")
    for _ in range(6):
        await site.post("ping", authorization="Bearer sw_0_forged")
    await site.http.get("/mcp/none")
    await site.http.post("/mcp", headers={"host": "evil.example"})

    now = await read(site)

    def of(status, method="POST"):
        labels = {"route": "/mcp", "method": method, "status": status}
        return now[name("mcp_http_requests_total", **labels)]

    assert (of("401"), of("429"), of("421"), of("404", "GET")) == (4, 2, 1, 1)


async def test_connections_and_requests_in_flight_go_up_and_down(serve):
    site = await serve()
    held = [await asyncio.open_connection("127.0.0.1", site.port) for _ in range(3)]
    await site.post("ping")
    with_them = await read(site)
    for _, writer in held:
        writer.close()
        await writer.wait_closed()
    open_ones, in_flight = name("mcp_active_connections"), name("mcp_http_requests_in_flight")
    while (without := await read(site))[open_ones] > 1 or without[in_flight] > 1:
        continue

    assert with_them[open_ones] == 4
    assert (without[open_ones], without[in_flight]) == (1, 1), "those of this request"
    assert without[name("mcp_tool_calls_in_flight")] == 0


async def test_events_of_the_audit_log_are_counted_written_or_lost(serve, tmp_path):
    good, bad = tmp_path / "audit.jsonl", tmp_path / "a-folder" / "audit.jsonl"
    site = await serve(AUDIT_OUTPUT_PATH=str(good))
    await call(site, "doiget_health")
    assert (await read(site))[name("mcp_audit_events_written_total")] == 1

    bad.mkdir(parents=True)
    site = await serve(AUDIT_OUTPUT_PATH=str(bad))
    await call(site, "doiget_health")
    assert (await read(site))[name("mcp_audit_events_dropped_total")] == 1

    site = await serve(AUDIT_ENABLED="false")
    assert name("mcp_audit_events_written_total") not in await read(site)


async def test_files_that_the_audit_log_has_filled_are_counted(serve):
    site = await serve(AUDIT_MAX_BYTES="1000")

    for _ in range(5):
        await call(site, "doiget_health")

    assert (await read(site))[name("mcp_audit_log_rotations_total")] > 0


async def test_the_process_is_measured(site):
    now = await read(site)

    assert not [key for key in now if key[0].endswith("_created")]

    assert now[name("process_resident_memory_bytes")] > 1e6
    assert now[name("process_open_fds")] > 3


async def test_nothing_that_a_client_chooses_becomes_a_label(serve, internet):
    site = await serve()
    await read(site)
    before = set(await read(site))
    internet.says("pages.example", b"<p>text</p>", path="/x")

    for number in range(30):
        await site.http.get(f"/path{number}/x")
        await site.http.get(f"/mcp/{number}")
        await site.http.request(f"VERB{number}", "/mcp")
        await site.post("tools/call", {"name": f"tool{number}", "arguments": {}})
    await call(site, "scrape_page", url="https://pages.example/x")

    text = "\n".join(map(str, set(await read(site)) - before))
    for part in ("path1", "VERB1", "tool1", "pages.example"):
        assert part not in text


@pytest.mark.parametrize(
    "changes",
    [
        {"METRICS_ENABLED": "false"},
        {"SOURCEWRIGHT_HTTP_HOST": "0.0.0.0"},
        {"TRUST_PROXY": "true"},
        PUBLIC,
    ],
)
async def test_there_are_no_metrics_where_strangers_could_read_them(serve, changes):
    site = await serve(**changes)
    assert (await site.http.get("/metrics")).status_code == 404


async def test_a_key_protects_them_and_prometheus_sends_it_as_a_token(serve):
    site = await serve(**PUBLIC, SOURCEWRIGHT_METRICS_KEY=READER, ADMIN_API_KEY=KEY)

    for headers in ({}, {"authorization": f"Bearer {READER}x"}, {"authorization": READER}):
        assert (await site.http.get("/metrics", headers=headers)).status_code == 401
    assert (await site.http.get("/metrics", headers={"x-admin-key": KEY})).status_code == 401
    assert await read(site, authorization=f"Bearer {READER}")
    assert (await site.http.get("/admin/keys", headers={"x-admin-key": READER})).status_code == 401


async def test_without_a_key_of_their_own_the_admin_key_opens_them(serve):
    site = await serve(ADMIN_API_KEY=KEY)

    assert (await site.http.get("/metrics")).status_code == 401
    assert await read(site, x_admin_key=KEY)
    assert await read(site, authorization=f"Bearer {KEY}")


async def test_another_method_or_spelling_of_the_path_gets_nothing(site):
    assert (await site.http.post("/metrics")).status_code == 405
    for path in ("/metrics/", "/%6detrics", "//metrics", "/Metrics"):
        assert (await site.http.get(path)).status_code in {307, 404}


async def test_the_format_is_the_one_that_is_asked_for(site):
    plain = await site.http.get("/metrics")
    accept = {"accept": "application/openmetrics-text; version=1.0.0"}
    open_metrics = await site.http.get("/metrics", headers=accept)

    assert plain.headers["content-type"].startswith("text/plain; version=")
    assert open_metrics.headers["content-type"].startswith("application/openmetrics-text")
    assert open_metrics.text.endswith("# EOF\n")
