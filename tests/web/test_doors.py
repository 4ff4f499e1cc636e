"""Checks before a request reaches MCP: host, origin, size, time."""

import asyncio
import json
import signal
import sys
from subprocess import PIPE

import httpx2
import pytest
import warm_python
from loop_clock import movable_loop

from sourcewright.settings import Settings
from sourcewright.web.start import exposure_problem

pytestmark = pytest.mark.anyio

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
ACCEPT = {"accept": "application/json, text/event-stream"}


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:{port}",
        "127.0.0.1.evil.example",
        "localhost@evil.example",
        "localhost:{port}/path",
        "127.0.0.1:99999",
        "localhost.",
        "[::1",
        "",
    ],
)
@pytest.mark.parametrize("path", ["/mcp", "/health/live"])
async def test_a_request_for_another_host_is_refused(site, host, path):
    answer = await site.http.post(path, json=PING, headers={"host": host.format(port=site.port)})

    assert answer.status_code == 421


async def test_white_space_around_a_header_is_no_part_of_it(site):
    request = b"GET /health/live HTTP/1.1\r\nHost: \t localhost \t \r\nConnection: close \r\n\r\n"

    assert (await site.exchange(request)).startswith(b"HTTP/1.1 200 ")


@pytest.mark.parametrize("host", ["localhost", "localhost:80", "[::1]:8080", "LOCALHOST"])
async def test_every_name_of_this_machine_is_accepted(site, host):
    assert (await site.post("ping", host=host)).status_code == 200


async def test_the_names_that_the_operator_has_set_are_accepted(serve):
    site = await serve(
        SOURCEWRIGHT_PUBLIC_URL="https://research.example.org/base",
        SOURCEWRIGHT_ALLOWED_HOSTS="inner.example, 192.0.2.4",
    )

    for host in ("research.example.org", "inner.example:8080", "192.0.2.4"):
        assert (await site.post("ping", host=host)).status_code == 200


@pytest.mark.parametrize(
    "origin",
    ["https://evil.example", "null", "http://localhost.evil.example", "file://", "http://[::1"],
)
async def test_a_page_of_another_origin_is_refused(site, origin):
    assert (await site.post("ping", origin=origin)).status_code == 403


@pytest.mark.parametrize("origin", ["https://app.example", "http://localhost:6274"])
async def test_a_browser_client_can_send_and_read_every_header_of_mcp(site, origin):
    names = "authorization, content-type, mcp-protocol-version, mcp-method, mcp-name"
    names += ", mcp-session-id, last-event-id, mcp-param-region"
    headers = {"origin": origin, "access-control-request-method": "POST"}
    headers["access-control-request-headers"] = names

    before = await site.http.options("/mcp", headers=headers)
    answer = await site.post("ping", origin=origin)

    assert before.status_code == 200
    assert before.headers["access-control-allow-origin"] == origin
    assert before.headers["access-control-allow-headers"] == names
    assert "POST" in before.headers["access-control-allow-methods"]
    assert answer.headers["access-control-allow-origin"] == origin
    exposed = answer.headers["access-control-expose-headers"].lower()
    assert {"mcp-session-id", "www-authenticate", "retry-after"} <= set(exposed.split(", "))


async def test_an_answer_that_a_cache_might_keep_says_that_it_depends_on_the_origin(site):
    answer = await site.post("ping")
    health = await site.http.get("/health/live")

    assert answer.headers["cache-control"] in ("no-store", "no-cache, no-transform")
    assert "access-control-allow-origin" not in answer.headers
    assert health.headers["vary"] == "Origin"


async def test_a_body_beyond_the_limit_is_refused_whether_declared_or_not(serve):
    site = await serve(MAX_REQUEST_BODY_BYTES="2048")

    async def chunks():
        for _ in range(4):
            yield b"x" * 1024

    declared = await site.http.post("/mcp", content=b"x" * 4096, headers=ACCEPT)
    streamed = await site.http.post("/mcp", content=chunks(), headers=ACCEPT)

    assert (declared.status_code, streamed.status_code) == (413, 413)
    assert (await site.post("ping")).status_code == 200


HEAD = b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"


@pytest.mark.parametrize("begun", [b"", b"POST /mcp HTTP/1.1\r\nHost: loc"])
async def test_a_connection_without_a_whole_head_is_closed(serve, begun):
    site = await serve(HTTP_READ_HEADER_TIMEOUT="1s")

    assert await site.exchange(begun) == b""


async def test_a_body_that_does_not_come_is_given_up(serve):
    site = await serve(HTTP_READ_TIMEOUT="1s")

    answer = await site.exchange(HEAD + b"Content-Length: 100\r\n\r\n{")

    assert answer.startswith(b"HTTP/1.1 408 ")


LINE = b"POST /mcp HTTP/1.1\r\nHost: localhost\r\n"
OVERSIZED = {
    "a long value": HEAD + b"X-Long: " + b"x" * 100_000 + b"\r\n\r\n",
    "a long name": HEAD + b"X" * 100_000 + b": x\r\n\r\n",
    "a long query": b"GET /mcp?" + b"x" * 100_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "a long path": b"POST /" + b"x" * 100_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "a long method": b"P" * 100_000 + LINE + b"\r\n",
    "a long token": HEAD + b"Authorization: Bearer " + b"x" * 100_000 + b"\r\n\r\n",
    "many headers": HEAD + b"X-A: b\r\n" * 10_000 + b"\r\n",
    "headers just beyond the limit": HEAD + b"X-A: " + b"x" * 4096 + b"\r\n\r\n",
    "a head without an end": HEAD + b"X-A: b\r\n" * 10_000,
    "a long extension of a chunk": HEAD + b"Transfer-Encoding: chunked\r\n\r\n2;" + b"x" * 100_000,
    "a long trailer": HEAD
    + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nX-A: "
    + b"x" * 100_000,
}


@pytest.mark.parametrize("trick", OVERSIZED)
async def test_headers_beyond_the_limit_are_refused(narrow, trick):
    answer = await narrow.exchange(OVERSIZED[trick])

    assert answer.startswith((b"HTTP/1.1 400 ", b"HTTP/1.1 431 "))
    assert (await narrow.post("ping")).status_code == 200


SMUGGLED = {
    "both lengths": b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /x HTTP/1.1\r\n",
    "two lengths": b"Content-Length: 4\r\nContent-Length: 9\r\n\r\n{}  GET /x",
    "a negative length": b"Content-Length: -1\r\n\r\n{}",
    "a length with a sign": b"Content-Length: +2\r\n\r\n{}",
    "an unknown encoding": b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
    "a folded header": b"X-A: b\r\n c: d\r\nContent-Length: 2\r\n\r\n{}",
    "a space before the colon": b"Content-Length : 2\r\n\r\n{}",
    "a bare line feed in a chunk": b"Transfer-Encoding: chunked\r\n\r\nzz\n{}\n0\n\n",
    "two hosts": b"Host: evil.example\r\nContent-Length: 2\r\n\r\n{}",
    "a null in a length": b"Content-Length: 2\x00\r\n\r\n{}",
    "a length in hexadecimal": b"Content-Length: 0x2\r\n\r\n{}",
    "a list of lengths": b"Content-Length: 2, 2\r\n\r\n{}",
    "an encoding twice": b"Transfer-Encoding: chunked, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
    "an encoding behind a tab": b"Transfer-Encoding:\tchunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n",
    "chunked before another encoding": b"Transfer-Encoding: chunked, gzip\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
    "a chunk of negative size": b"Transfer-Encoding: chunked\r\n\r\n-2\r\n{}\r\n0\r\n\r\n",
    "a chunk that is longer than it says": b"Transfer-Encoding: chunked\r\n\r\n1\r\n{}\r\n0\r\n\r\n",
    "a carriage return alone": b"X-A: b\rContent-Length: 2\r\n\r\n{}",
    "a header without a colon": b"Content-Length 2\r\n\r\n{}",
    "a header without a name": b": x\r\nContent-Length: 2\r\n\r\n{}",
    "a null in a header": b"X-A: \x00\r\nContent-Length: 2\r\n\r\n{}",
}


@pytest.mark.parametrize("trick", SMUGGLED)
async def test_a_request_that_two_servers_could_read_differently_is_refused(hasty, trick):
    site = hasty

    answer = await site.exchange(HEAD + SMUGGLED[trick])

    statuses = [line.split()[1] for line in answer.split(b"\r\n") if line.startswith(b"HTTP/1.1")]
    assert len(statuses) == 1
    assert statuses[0] in {b"400", b"406", b"408", b"413", b"421", b"501"}


CALL = {"name": "doiget_health", "arguments": {}}


async def test_a_trailer_is_no_header(serve, tmp_path):
    site = await serve(TRUST_PROXY="true")
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": CALL}).encode()
    head = HEAD + b"Accept: application/json, text/event-stream\r\nX-Forwarded-For: 192.0.2.1\r\n"
    head += b"Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
    trailers = b"0\r\nX-Forwarded-For: 203.0.113.9\r\nX-Request-Id: forged\r\n\r\n"

    answer = await site.exchange(head + b"%x\r\n" % len(body) + body + b"\r\n" + trailers)

    event = json.loads((tmp_path / "state" / "audit.jsonl").read_text("utf-8").splitlines()[0])
    assert b'"result"' in answer
    assert (event["source_ip"], event["request_id"] == "forged") == ("192.0.2.1", False)


@pytest.mark.parametrize("upgrade", ["websocket", "h2c", "TLS/1.0", "x"])
async def test_nothing_is_read_after_a_request_to_upgrade(site, upgrade):
    head = f"GET /health/live HTTP/1.1\r\nHost: localhost\r\nUpgrade: {upgrade}\r\n"
    second = "GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n"

    answer = await site.exchange(f"{head}Connection: Upgrade\r\n\r\n{second}".encode())

    assert answer.count(b"HTTP/1.1 ") == 1


async def test_line_breaks_before_a_request_do_not_keep_a_connection_open(hasty):
    reader, writer = await asyncio.open_connection("127.0.0.1", hasty.port)
    writer.write(b"GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert b"ok" in await reader.readuntil(b"ok")
    writer.write(b"\r\n")

    assert await asyncio.wait_for(reader.read(), 300) == b""
    writer.close()


@pytest.mark.parametrize(
    "path",
    [
        *("/", "/mcp/x", "/mcp/../admin", "//mcp", "/MCP", "/.env", "/health", "/metrics/x"),
        *("/%6dcp", "/mcp%2F", "/mcp//", "/%68ealth/live", "/%64ashboard", "/metrics/"),
    ],
)
async def test_other_paths_do_not_exist(site, path):
    answer = await site.exchange(
        f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode()
    )

    assert answer.startswith(b"HTTP/1.1 404 ")


async def test_an_idle_connection_is_closed(serve):
    site = await serve(HTTP_IDLE_TIMEOUT="1s")

    answer = await site.exchange(b"GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n")

    assert answer.endswith(b"ok")


async def test_every_response_has_the_security_headers_and_an_id(serve):
    site = await serve(SOURCEWRIGHT_PUBLIC_URL="https://research.example.org")

    own = await site.http.get("/health/live", headers={"x-request-id": "my-id"})
    traced = await site.http.get(
        "/nowhere", headers={"traceparent": f"00-{'ab' * 16}-{'cd' * 8}-01"}
    )
    odd = await site.http.get("/health/live", headers={"x-request-id": "x" * 201})

    assert own.headers["x-request-id"] == "my-id"
    assert traced.headers["x-request-id"] == "ab" * 16
    assert len(odd.headers["x-request-id"]) == 36
    for answer in (own, traced):
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["content-security-policy"].startswith("default-src 'none'")
        assert answer.headers["cache-control"] == "no-store"
        assert "max-age" in answer.headers["strict-transport-security"]
        assert "server" not in answer.headers


async def test_the_log_has_the_address_and_the_request_id(serve, tmp_path):
    site = await serve(TRUST_PROXY="true")
    call = {"name": "doiget_health", "arguments": {}}
    await site.post("tools/call", call, x_request_id="r1", x_forwarded_for="9.9.9.9, 192.0.2.1")

    event = json.loads((tmp_path / "state" / "audit.jsonl").read_text("utf-8").splitlines()[0])

    assert (event["source_ip"], event["request_id"]) == ("192.0.2.1", "r1")


async def test_the_address_that_a_client_names_itself_is_not_believed(serve, tmp_path):
    site = await serve()
    call = {"name": "doiget_health", "arguments": {}}
    await site.post("tools/call", call, x_forwarded_for="192.0.2.1")

    event = json.loads((tmp_path / "state" / "audit.jsonl").read_text("utf-8").splitlines()[0])

    assert event["source_ip"] == "127.0.0.1"


async def test_the_server_is_not_ready_while_no_call_can_be_recorded(serve, tmp_path):
    site = await serve()
    assert (await site.http.get("/health/ready")).json() == {"status": "ready"}
    other = await serve(AUDIT_OUTPUT_PATH=str(tmp_path))

    answer = await other.http.get("/health/ready")

    assert (answer.status_code, answer.json()["status"]) == (503, "not ready")
    assert (await other.http.get("/health/live")).text == "ok"


@pytest.mark.parametrize("path", ["quotas_path", "credentials_path"])
async def test_the_server_is_not_ready_while_every_request_is_refused(serve, path):
    site = await serve(SOURCEWRIGHT_API_KEYS="true")
    getattr(site.application.services.parts.settings, path).mkdir(parents=True)

    refused = await site.post("ping", authorization="Bearer sw_0123456789abcdef_x")
    answer = await site.http.get("/health/ready")

    assert (refused.status_code, answer.status_code) == (503, 503)
    assert any("cannot be" in problem for problem in answer.json()["problems"])


@pytest.mark.parametrize("host", ["0.0.0.0", "192.0.2.1", "::", "research.example.org"])
async def test_a_public_address_without_sign_in_is_refused(environment, host):
    settings = Settings.load({**environment, "SOURCEWRIGHT_HTTP_HOST": host})
    allowed = {**environment, "SOURCEWRIGHT_HTTP_HOST": host, "SOURCEWRIGHT_HTTP_ANONYMOUS": "1"}

    assert "no sign-in" in exposure_problem(settings)
    assert exposure_problem(Settings.load(allowed)) is None


def test_the_command_says_why_it_does_not_serve(cli):
    public = cli("serve", "--http", "0.0.0.0:0")
    unknown = cli("serve", "--http", "eighty")
    missing = cli("serve", "--http")

    assert (public.returncode, "no sign-in" in public.stderr) == (2, True)
    assert (unknown.returncode, "PORT" in unknown.stderr) == (2, True)
    assert missing.returncode == 2


async def test_a_signal_lets_the_calls_in_flight_finish(environment, internet, tmp_path):
    internet.delays("api.crossref.org", seconds=1, times=1)
    words = [sys.executable, "-m", "sourcewright", "serve", "--http=127.0.0.1:0"]
    params = {"name": "doiget_resolve_paper", "arguments": {"ref": "10.5555/fine-paper"}}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}

    with warm_python.Popen(words, env=environment, cwd=tmp_path, stderr=PIPE) as server:
        line = await asyncio.to_thread(server.stderr.readline)
        async with httpx2.AsyncClient(timeout=300) as http:
            call = asyncio.create_task(
                http.post(line.decode().split()[-1], json=body, headers=ACCEPT)
            )
            await asyncio.to_thread(internet.waits_for_request, "api.crossref.org", seconds=60)
            server.send_signal(signal.SIGTERM)
            answer = await call
        code = await asyncio.to_thread(server.wait, 300)

    assert '"ok":true' in answer.text
    assert code == 0


BAD_SETTINGS = {
    "HTTP_CSP": ("default-src \u2603", "plain ASCII"),
    "HTTP_REFERRER_POLICY": ("\u00e9", "plain ASCII"),
    "REQUIRED_SCOPES": ('team "x"', "quotation marks"),
}


@pytest.mark.parametrize("name", BAD_SETTINGS)
def test_text_that_no_header_can_have_is_refused_before_the_server_listens(cli, name):
    value, reason = BAD_SETTINGS[name]

    done = cli("serve", "--http=127.0.0.1:0", **{name: value})

    assert done.returncode == 2
    assert name in done.stderr
    assert reason in done.stderr


SIGNAL_THAT_A_LIBRARY_SWALLOWS = """
import os, signal, sys
from sourcewright.server.stdio.self_pipe import leave_on_signals
leave_on_signals()
try:
    os.kill(os.getpid(), signal.SIGTERM)
except SystemExit:
    pass
os.kill(os.getpid(), signal.SIGTERM)
sys.argv = ["sourcewright", "serve", *sys.argv[1:]]
from sourcewright.__main__ import main
sys.exit(main())
"""


@pytest.mark.parametrize("transport", [[], ["--http=127.0.0.1:0"]])
def test_a_signal_during_the_start_is_never_lost(environment, tmp_path, transport):
    words = [sys.executable, "-c", SIGNAL_THAT_A_LIBRARY_SWALLOWS, *transport]

    with warm_python.Popen(
        words, env=environment, cwd=tmp_path, stdin=PIPE, stdout=PIPE, stderr=PIPE
    ) as server:
        assert server.wait(300) == 0


async def test_a_response_that_takes_too_long_is_ended_without_a_traceback(
    serve, internet, capsys
):
    internet.delays("api.crossref.org", seconds=60)
    site = await serve(HTTP_WRITE_TIMEOUT="1s")
    call = {"name": "doiget_resolve_paper", "arguments": {"ref": "10.1234/slow"}}

    with pytest.raises(httpx2.RemoteProtocolError):
        await site.post("tools/call", call)

    log = capsys.readouterr().err
    assert "longer than HTTP_WRITE_TIMEOUT" in log
    assert "Traceback" not in log


@pytest.mark.parametrize("name", ["Upgrade", "upgrade", "UPGRADE"])
@pytest.mark.parametrize("is_chunked", [False, True])
async def test_a_request_that_offers_another_protocol_is_answered(site, name, is_chunked):
    body = json.dumps(PING).encode()
    length, sent = b"Content-Length: %d" % len(body), body
    if is_chunked:
        length, sent = b"Transfer-Encoding: chunked", b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body)
    head = HEAD + b"Accept: application/json, text/event-stream\r\n" + name.encode() + b": h2c\r\n"
    head += b"HTTP2-Settings: AAMAAABkAAQAAP__\r\nConnection: Upgrade, HTTP2-Settings\r\n"

    answer = await site.exchange(head + length + b"\r\n\r\n" + sent + head)

    assert answer.startswith(b"HTTP/1.1 200 ")
    assert answer.count(b"HTTP/1.1 ") == 1
    assert b'"result":{}' in answer
    assert answer.lower().count(b"\r\nconnection: ") == 1, "it closes, and says nothing else"


async def test_the_time_a_client_takes_to_send_its_body_is_not_that_of_the_response(serve):
    site = await serve(HTTP_WRITE_TIMEOUT="300s", HTTP_READ_TIMEOUT="1000s")
    body = b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}'
    head = (
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        "Accept: application/json, text/event-stream\r\nConnection: close\r\n"
        f"Expect: 100-continue\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    reader, writer = await asyncio.open_connection("127.0.0.1", site.port)
    async with asyncio.timeout(3000):
        writer.write(head.encode())
        assert b"100 Continue" in await reader.readuntil(b"\r\n\r\n")
        movable_loop().move(400)
        writer.write(body)
        answer = await reader.read()
    writer.close()

    assert answer.startswith(b"HTTP/1.1 200 ")
    assert b'"result":{}' in answer


async def test_bad_requests_do_not_fill_the_log(serve, capsys):
    site = await serve()
    for _ in range(30):
        assert (await site.exchange(b"nonsense\r\n\r\n")).startswith(b"HTTP/1.1 400 ")

    assert capsys.readouterr().err.count("Invalid HTTP request") == 10
