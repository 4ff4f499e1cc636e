"""Traces on stdio: spans of calls at a collector, in the trace of the client."""

import json
import sys
from subprocess import PIPE

import pytest
import warm_python
from collector import collecting

TRACE, PARENT = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
META = "io.modelcontextprotocol/"
OWN = {f"{META}protocolVersion": "2026-07-28", f"{META}clientCapabilities": {}}
GREETING = {"protocolVersion": "2025-11-25", "capabilities": {}}
GREETING["clientInfo"] = {"name": "test", "version": "1"}


def messages(era):
    meta = {"traceparent": f"00-{TRACE}-{PARENT}-01", **(OWN if era == "2026-07-28" else {})}
    params = {"name": "web_search", "arguments": {"query": "tides", "provider": "wikipedia"}}
    call = {"id": 2, "method": "tools/call", "params": {**params, "_meta": meta}}
    if era == "2026-07-28":
        return [call]
    return [
        {"id": 1, "method": "initialize", "params": GREETING},
        {"method": "notifications/initialized"},
        call,
    ]


@pytest.mark.parametrize("era", ["2025-11-25", "2026-07-28"])
def test_a_call_on_stdio_is_a_span_in_the_trace_of_its_client(environment, tmp_path, era):
    lines = [json.dumps({"jsonrpc": "2.0", **one}).encode() + b"\n" for one in messages(era)]
    words = [sys.executable, "-m", "sourcewright", "serve"]
    with collecting() as collector:
        traced = {**environment, "OTEL_EXPORTER_OTLP_ENDPOINT": collector.url}
        with warm_python.Popen(words, env=traced, cwd=tmp_path, stdin=PIPE, stdout=PIPE) as server:
            server.stdin.writelines(lines)
            server.stdin.flush()
            answers = [json.loads(server.stdout.readline()) for line in lines if b'"id"' in line]
            server.stdin.close()
            assert server.wait(60) == 0
        spans = collector.spans()

    [tool] = [span for span in spans if span["kind"] == 2]
    requests = [span for span in spans if span["kind"] == 3]
    assert answers[-1]["result"]["isError"] is False
    assert (tool["name"], tool["traceId"], tool["parentSpanId"]) == (
        "tools/call web_search",
        TRACE,
        PARENT,
    )
    assert {span["parentSpanId"] for span in requests} == {tool["spanId"]}
    assert "tides" not in json.dumps(spans)
