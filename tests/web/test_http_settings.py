"""Every setting of the HTTP server changes what a client sees."""

import asyncio
import json

import identity
import pytest
from collector import collecting, facts
from identity import SIGN_IN, token

from sourcewright.domain.users.sessions import Owner
from sourcewright.settings import TABLE
from sourcewright.web.signin.setup import build_sign_in

pytestmark = pytest.mark.anyio

GROUPS = {"HTTP server", "Sign-in", "Request limits", "Administration", "Traces"}
NOT_ONLY_HTTP = {"MAX_CALLS_PER_DAY"}
"""Proved by `tests/settings/test_every_setting_has_an_effect.py`."""
PROOFS = {}
HEAD = b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"


def proves(name):
    """Put a proof into the table under the setting that it is about."""
    return lambda proof: PROOFS.update({name: proof})


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
    assert await site.exchange(b"POST") == b""


@proves("HTTP_READ_TIMEOUT")
async def read_timeout(serve, _cli):
    site = await serve(HTTP_READ_TIMEOUT="1s")
    answer = await site.exchange(HEAD + b"Content-Length: 100\r\n\r\n{")
    assert b" 408 " in answer


@proves("HTTP_WRITE_TIMEOUT")
async def write_timeout(serve, _cli, internet):
    internet.delays("api.crossref.org", seconds=60)
    site = await serve(HTTP_WRITE_TIMEOUT="1s")
    call = {"name": "doiget_resolve_paper", "arguments": {"ref": "10.1234/slow"}}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call})
    head = HEAD + b"Accept: application/json, text/event-stream\r\n"
    answer = await site.exchange(head + f"Content-Length: {len(body)}\r\n\r\n{body}".encode())
    assert b'"result"' not in answer


@proves("HTTP_IDLE_TIMEOUT")
async def idle_timeout(serve, _cli):
    site = await serve(HTTP_IDLE_TIMEOUT="1s")
    request = b"GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n"
    assert (await site.exchange(request)).endswith(b"ok")


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


CALL = {"name": "doiget_health", "arguments": {}}


async def answers(site, **claims):
    """The status that a token with these claims gets."""
    bearer = {"authorization": f"Bearer {token(**claims)}"}
    return (await site.post("tools/call", CALL, **bearer)).status_code


@proves("OAUTH_ISSUER_URL")
async def oauth_issuer_url(serve, _cli):
    site = await serve(**SIGN_IN)
    assert (await site.post("ping")).status_code == 401
    assert [await answers(site), await answers(site, iss="https://b.example")] == [200, 401]


@proves("OAUTH_AUDIENCE")
async def oauth_audience(serve, _cli):
    site = await serve(**SIGN_IN | {"OAUTH_AUDIENCE": "other"})
    assert [await answers(site), await answers(site, aud="other")] == [401, 200]


@proves("SOURCEWRIGHT_TENANT_CLAIM")
async def tenant_claim(serve, _cli):
    site = await serve(**SIGN_IN, SOURCEWRIGHT_TENANT_CLAIM="org")
    assert [await answers(site, org="south"), await answers(site, org=7)] == [200, 401]
    log = site.application.services.parts.settings.audit_output_path.read_text("utf-8")
    assert json.loads(log.splitlines()[0])["tenant_id"] == "south"


@proves("JWKS_REFRESH_INTERVAL")
async def jwks_refresh_interval(serve, cli):
    refused = cli("serve", "--http=0", **SIGN_IN, JWKS_REFRESH_INTERVAL="59s")
    assert "must be at least 1m" in refused.stderr
    # Waiting for a minute would prove it too; what the interval does is in test_signin.
    site = await serve(**SIGN_IN, JWKS_REFRESH_INTERVAL="90s")
    settings = site.application.services.parts.settings
    assert build_sign_in(settings, site.application, None).tokens.keys.refresh_seconds == 90


@proves("REQUIRED_SCOPES")
async def required_scopes(serve, _cli):
    site = await serve(**SIGN_IN, REQUIRED_SCOPES="team")
    assert [await answers(site), await answers(site, scope="team")] == [403, 200]


@proves("ENFORCE_SCOPES")
async def enforce_scopes(serve, _cli):
    site = await serve(**SIGN_IN, ENFORCE_SCOPES="true")
    bearer = {"authorization": f"Bearer {token(scope='tool:web_search')}"}
    assert "no scope for doiget_health" in (await site.post("tools/call", CALL, **bearer)).text


@proves("SOURCEWRIGHT_API_KEYS")
async def api_keys(serve, _cli):
    site = await serve(SOURCEWRIGHT_API_KEYS="true")
    owner = Owner(tenant="north", user="ada")
    _, key = await site.application.services.parts.api_keys.create(owner)
    assert [(await site.post("ping")).status_code] == [401]
    assert (await site.post("ping", x_api_key=key)).status_code == 200


@proves("SOURCEWRIGHT_TENANTS_DIR")
async def tenants_dir(serve, _cli, tmp_path):
    folder = tmp_path / "elsewhere"
    site = await serve(**SIGN_IN, SOURCEWRIGHT_TENANTS_DIR=str(folder))
    params = {"name": "doiget_fetch_paper", "arguments": {"ref": "10.5555/fine-paper"}}
    await site.post("tools/call", params, authorization=f"Bearer {token()}")
    assert [path.name for path in folder.rglob("*.pdf")] == ["doi_10.5555_fine-paper.pdf"]


@proves("CACHE_ISOLATION")
async def cache_isolation(serve, _cli, internet):
    requests = {}
    for isolation in ("shared", "tenant"):
        site = await serve(**SIGN_IN, CACHE_ISOLATION=isolation)
        internet.forget()
        query = {"query": f"tidal energy {isolation}", "provider": "wikipedia"}
        for tenant in ("north", "south"):
            bearer = {"authorization": f"Bearer {token(tenant_id=tenant)}"}
            params = {"name": "web_search", "arguments": query}
            await site.post("tools/call", params, **bearer)
        requests[isolation] = len(internet.requests_to("en.wikipedia.org"))
    assert requests["tenant"] == 2 * requests["shared"] > 0


async def is_limited(serve, **limit):
    site = await serve(**limit)
    return {(await site.post("ping")).status_code for _ in range(3)} == {200, 429}


@proves("RATE_LIMIT_PER_TENANT")
async def rate_limit_per_tenant(serve, _cli):
    assert await is_limited(serve, RATE_LIMIT_PER_TENANT="1")


@proves("RATE_LIMIT_PER_IP")
async def rate_limit_per_ip(serve, _cli):
    assert await is_limited(serve, RATE_LIMIT_PER_IP="1")


@proves("DAILY_QUOTA_PER_TENANT")
async def daily_quota_per_tenant(serve, _cli):
    assert await is_limited(serve, DAILY_QUOTA_PER_TENANT="1")


@proves("RATE_LIMIT_GLOBAL")
async def rate_limit_global(serve, _cli):
    site = await serve(RATE_LIMIT_GLOBAL="1")
    responses = await asyncio.gather(*(site.post("ping") for _ in range(10)))
    assert {answer.status_code for answer in responses} == {200, 429}


async def opens_admin(site, key):
    return (
        await site.http.get("/admin/consent?user_id=a", headers={"x-admin-key": key})
    ).is_success


@proves("ADMIN_API_KEY")
async def admin_api_key(serve, cli):
    assert await opens_admin(await serve(ADMIN_API_KEY="k" * 16), "k" * 16)
    assert await opens_admin(await serve(CACHE_ADMIN_KEY="c" * 16), "c" * 16)
    refused = cli("serve", "--http=1", ADMIN_API_KEY="k" * 15)
    assert (refused.returncode, "at least 16 characters" in refused.stderr) == (2, True)


@proves("ADMIN_API_KEY_PREV")
async def admin_api_key_prev(serve, cli):
    assert await opens_admin(
        await serve(ADMIN_API_KEY="k" * 16, ADMIN_API_KEY_PREV="p" * 16), "p" * 16
    )
    refused = cli("serve", "--http=1", ADMIN_API_KEY_PREV="p" * 16)
    assert (refused.returncode, "together with ADMIN_API_KEY" in refused.stderr) == (2, True)


@proves("METRICS_ENABLED")
async def metrics_enabled(serve, _cli):
    for value, status in (("true", 200), ("false", 404)):
        site = await serve(METRICS_ENABLED=value)
        assert (await site.http.get("/metrics")).status_code == status


@proves("SOURCEWRIGHT_METRICS_KEY")
async def metrics_key(serve, _cli):
    site = await serve(SOURCEWRIGHT_METRICS_KEY="m" * 16)
    sent = {"authorization": "Bearer " + "m" * 16}
    responses = [await site.http.get("/metrics", headers=one) for one in ({}, sent)]
    assert [answer.status_code for answer in responses] == [401, 200]


async def traces(start_site, internet, folder, collector, **changes):
    """Call a tool of a server that sends traces; return what has arrived when it has stopped."""
    settings = {"OTEL_EXPORTER_OTLP_ENDPOINT": collector.url, **changes}
    async with start_site(internet, folder, **settings) as site:
        await site.post("tools/call", {"name": "doiget_health", "arguments": {}})
    return collector.received


@proves("OTEL_EXPORTER_OTLP_ENDPOINT")
async def otel_endpoint(*fixtures):
    [(path, _, _)] = await traces(*fixtures)
    assert path == "/v1/traces"


@proves("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
async def otel_traces_endpoint(*fixtures):
    own = {"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": f"{fixtures[-1].url}/other"}
    [(path, _, _)] = await traces(*fixtures, **own)
    assert path == "/other"


@proves("OTEL_EXPORTER_OTLP_HEADERS")
async def otel_headers(*fixtures):
    [(_, headers, _)] = await traces(*fixtures, OTEL_EXPORTER_OTLP_HEADERS="team=blue")
    assert headers["team"] == "blue"


@proves("OTEL_SERVICE_NAME")
async def otel_service_name(*fixtures):
    [(_, _, body)] = await traces(*fixtures, OTEL_SERVICE_NAME="research")
    about = facts(body["resourceSpans"][0]["resource"]["attributes"])
    assert about["service.name"] == "research"


@proves("OTEL_SDK_DISABLED")
async def otel_sdk_disabled(*fixtures):
    assert await traces(*fixtures, OTEL_SDK_DISABLED="true") == []


FURTHER = {
    "HTTP_WRITE_TIMEOUT": ["internet"],
    "HTTP_SHUTDOWN_TIMEOUT": ["internet"],
    "CACHE_ISOLATION": ["internet"],
    "SOURCEWRIGHT_TENANTS_DIR": ["tmp_path"],
}
"""Further fixtures of some proofs."""


@pytest.mark.parametrize(
    "name", [one.name for one in TABLE if one.group in GROUPS and one.name not in NOT_ONLY_HTTP]
)
async def test_a_setting_changes_what_a_client_sees(serve, cli, internet, request, name):
    identity.IdentityProvider(internet)
    assert name in PROOFS, "this setting has no proof that it does anything"

    further = map(request.getfixturevalue, FURTHER.get(name, []))
    if not name.startswith("OTEL_"):
        await PROOFS[name](serve, cli, *further)
        return
    start_site, folder = (request.getfixturevalue(one) for one in ("start_site", "tmp_path"))
    with collecting() as collector:
        await PROOFS[name](start_site, internet, folder, collector)
