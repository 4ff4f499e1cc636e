"""Every setting of the HTTP server changes what a client sees."""

import asyncio
import json

import pytest

from sourcewright.settings import TABLE

pytestmark = pytest.mark.anyio

GROUPS = {"HTTP server"}
PROOFS = {}
HEAD = b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"


def proves(name):
    """Put a proof into the table under the setting that it is about."""
    return lambda proof: PROOFS.update({name: proof})


async def exchange(port, data):
    """Send these bytes on a new connection, and return all that comes back until it is closed."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(data)
    try:
        return await asyncio.wait_for(reader.read(), 60)
    finally:
        writer.close()


@proves("PORT")
async def port(_serve, cli):
    refused = cli("serve", PORT="8931", SOURCEWRIGHT_HTTP_HOST="0.0.0.0")
    assert "no sign-in" in refused.stderr


@proves("SOURCEWRIGHT_HTTP_HOST")
async def http_host(serve, _cli):
    site = await serve(SOURCEWRIGHT_HTTP_HOST="research.example.org")
    assert (await site.post("ping", host="research.example.org")).status_code == 200


@proves("SOURCEWRIGHT_HTTP_ANONYMOUS")
async def http_anonymous(_serve, cli):
    given = {"SOURCEWRIGHT_HTTP_HOST": "192.0.2.1", "SOURCEWRIGHT_HTTP_ANONYMOUS": "true"}
    assert "cannot listen on 192.0.2.1" in cli("serve", "--http=1", **given).stderr


@proves("SOURCEWRIGHT_PUBLIC_URL")
async def public_url(serve, _cli):
    site = await serve(SOURCEWRIGHT_PUBLIC_URL="https://research.example.org")
    assert (await site.post("ping", host="research.example.org")).status_code == 200


@proves("SOURCEWRIGHT_ALLOWED_HOSTS")
async def allowed_hosts(serve, _cli):
    site = await serve(SOURCEWRIGHT_ALLOWED_HOSTS="a.example,b.example")
    hosts = ("a.example", "b.example", "c.example")
    assert [(await site.post("ping", host=host)).status_code for host in hosts] == [200, 200, 421]


@proves("ALLOWED_ORIGINS")
async def allowed_origins(serve, _cli):
    site = await serve(ALLOWED_ORIGINS="https://a.example")
    assert (await site.post("ping", origin="https://a.example")).status_code == 200
    assert (await site.post("ping", origin="https://b.example")).status_code == 403


@proves("CORS_STRICT")
async def cors_strict(serve, _cli):
    site = await serve(CORS_STRICT="false")
    answer = await site.post("ping", origin="https://b.example")
    assert (answer.status_code, answer.headers["access-control-allow-origin"]) == (200, "*")


@proves("TRUST_PROXY")
async def trust_proxy(serve, _cli):
    site = await serve(TRUST_PROXY="true")
    call = {"name": "doiget_health", "arguments": {}}
    await site.post("tools/call", call, x_forwarded_for="9.9.9.9, 192.0.2.1")
    log = site.application.services.parts.settings.audit_output_path.read_text("utf-8")
    assert json.loads(log)["source_ip"] == "192.0.2.1"


@proves("HTTP_READ_HEADER_TIMEOUT")
async def read_header_timeout(serve, _cli):
    site = await serve(HTTP_READ_HEADER_TIMEOUT="1s")
    assert await exchange(site.port, b"POST") == b""


@proves("HTTP_READ_TIMEOUT")
async def read_timeout(serve, _cli):
    site = await serve(HTTP_READ_TIMEOUT="1s")
    answer = await exchange(site.port, HEAD + b"Content-Length: 100\r\n\r\n{")
    assert b" 408 " in answer


@proves("HTTP_WRITE_TIMEOUT")
async def write_timeout(serve, _cli, internet):
    internet.delays("api.crossref.org", seconds=60)
    site = await serve(HTTP_WRITE_TIMEOUT="1s")
    call = {"name": "doiget_resolve_paper", "arguments": {"ref": "10.1234/slow"}}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call})
    head = HEAD + b"Accept: application/json, text/event-stream\r\n"
    answer = await exchange(
        site.port, head + f"Content-Length: {len(body)}\r\n\r\n{body}".encode()
    )
    assert b'"result"' not in answer


@proves("HTTP_IDLE_TIMEOUT")
async def idle_timeout(serve, _cli):
    site = await serve(HTTP_IDLE_TIMEOUT="1s")
    asked = b"GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n"
    assert (await exchange(site.port, asked)).endswith(b"ok")


@proves("HTTP_SHUTDOWN_TIMEOUT")
async def shutdown_timeout(serve, _cli, internet):
    internet.delays("api.crossref.org", seconds=60)
    site = await serve(HTTP_SHUTDOWN_TIMEOUT="1s")
    params = {"name": "doiget_resolve_paper", "arguments": {"ref": "10.1234/slow"}}
    call = asyncio.create_task(site.post("tools/call", params))
    await asyncio.to_thread(internet.waits_for_request, "api.crossref.org", seconds=60)
    site.server.stop()
    assert "the call was stopped before it finished" in (await call).text


@proves("HTTP_MAX_HEADER_BYTES")
async def max_header_bytes(serve, _cli):
    site = await serve(HTTP_MAX_HEADER_BYTES="2048")
    assert (await site.post("ping", x_long="x" * 3000)).status_code == 431


@proves("MAX_REQUEST_BODY_BYTES")
async def max_request_body_bytes(serve, _cli):
    site = await serve(MAX_REQUEST_BODY_BYTES="2048")
    assert (await site.post("ping", {"x": "x" * 3000})).status_code == 413


async def shows_header(serve, setting, header):
    site = await serve(**{setting: "proof-of-effect"})
    assert (await site.http.get("/health/live")).headers[header] == "proof-of-effect"


@proves("HTTP_CSP")
async def csp(serve, _cli):
    await shows_header(serve, "HTTP_CSP", "content-security-policy")


@proves("HTTP_REFERRER_POLICY")
async def referrer_policy(serve, _cli):
    await shows_header(serve, "HTTP_REFERRER_POLICY", "referrer-policy")


@proves("HTTP_PERMISSIONS_POLICY")
async def permissions_policy(serve, _cli):
    await shows_header(serve, "HTTP_PERMISSIONS_POLICY", "permissions-policy")


SLOW = {"HTTP_WRITE_TIMEOUT", "HTTP_SHUTDOWN_TIMEOUT"}
"""Settings whose proof needs a source that takes its time."""


@pytest.mark.parametrize("name", [one.name for one in TABLE if one.group in GROUPS])
async def test_a_setting_changes_what_a_client_sees(serve, cli, internet, name):
    assert name in PROOFS, "this setting has no proof that it does anything"

    await PROOFS[name](serve, cli, *[internet] * (name in SLOW))
