"""Sign-in: which tokens and API keys are accepted, and that no forged one is."""

import asyncio
import hashlib
import hmac
import json
import time

import identity
import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from identity import AUDIENCE, HOST, ISSUER, SIGN_IN, claims, part, private_key, public_jwk, token
from loop_clock import movable_loop
from mcp.client.client import Client

from sourcewright.base.errors import Unavailable
from sourcewright.domain.users.sessions import Owner
from sourcewright.web.signin.key_set import KeySet

pytestmark = pytest.mark.anyio
CALL = {"name": "doiget_health", "arguments": {}}


@pytest.fixture(autouse=True)
def provider(internet):
    return identity.IdentityProvider(internet)


async def ask(site, credential=None, **headers):
    given = {} if credential is None else {"authorization": f"Bearer {credential}"}
    return await site.post("tools/call", CALL, **given, **headers)


@pytest.mark.parametrize("kind", ["RS256 a", "ES256 a", "EdDSA a"])
async def test_a_token_of_the_identity_provider_is_accepted(serve, kind, tmp_path):
    site = await serve(**SIGN_IN)

    answer = await ask(site, token(kind))

    event = json.loads((tmp_path / "state" / "audit.jsonl").read_text("utf-8").splitlines()[0])
    assert answer.status_code == 200
    assert (event["tenant_id"], event["user_id"]) == ("north", "ada")


@pytest.mark.parametrize("changes", [{"aud": ["other", AUDIENCE]}, {"nbf": ...}, {"jti": ...}])
async def test_what_a_token_may_leave_out_or_add_does_no_harm(serve, changes):
    site = await serve(**SIGN_IN)

    assert (await ask(site, token(**changes))).status_code == 200


@pytest.mark.parametrize(
    ("header", "changes"),
    [
        ({}, {"scope": "openid email"}),
        ({}, {"scp": ["research"]}),
        ({}, {"scope": ""}),
        ({"typ": "at+jwt"}, {}),
        ({"typ": "application/AT+JWT"}, {"nonce": "n"}),
        ({}, {"typ": "Bearer", "nonce": "n"}),
        ({}, {"token_use": "access"}),
        ({"typ": None}, {"scope": "research"}),
    ],
)
async def test_access_tokens_of_many_providers_are_accepted(serve, header, changes):
    site = await serve(**SIGN_IN)

    answer = await ask(site, token(headers=header, client_id=..., **changes))

    assert answer.status_code == 200


def hmac_with_public_key(form, encoding):
    """The classic confusion: the public key as the secret of an HMAC."""
    public = private_key("RS256 a").public_key().public_bytes(encoding, form)
    head = {"alg": "HS256", "typ": "JWT", "kid": "RS256 a"}
    text = f"{part(head)}.{part(claims())}"
    return f"{text}.{part(hmac.new(public, text.encode(), hashlib.sha256).digest())}"


def unsigned(algorithm, signature=b""):
    head = {"alg": algorithm, "typ": "JWT", "kid": "RS256 a"}
    return f"{part(head)}.{part(claims())}.{part(signature)}"


def signed(body):
    """Signed by the provider, whatever it says."""
    return jwt.api_jws.encode(body, private_key("RS256 a"), "RS256", {"kid": "RS256 a"})


def tampered(change):
    head, body, signature = token().split(".")
    return ".".join(change(head, body, signature))


def id_token(**changes):
    """What a client gets beside the access token, and says who signed in."""
    about = {"nonce": "n-0S6_WzA2Mj", "at_hash": "77QmUPtjPfzWtF2AnpK9RQ", "email": "ada@uni.edu"}
    return token(**{"client_id": ..., "azp": "reader", "auth_time": NOW, **about, **changes})


def embedded(**header):
    """Signed with a key of the attacker, which the header offers for the check."""
    return jwt.encode(claims(), private_key("RS256 evil"), "RS256", {"kid": "RS256 a", **header})


PEM, DER = serialization.Encoding.PEM, serialization.Encoding.DER
SPKI, PKCS1 = serialization.PublicFormat.SubjectPublicKeyInfo, serialization.PublicFormat.PKCS1
NOW = int(time.time())
FORGED = {
    "no algorithm": lambda: unsigned("none"),
    "no algorithm, spelled otherwise": lambda: unsigned("None"),
    "no algorithm, in capitals": lambda: unsigned("NONE", b"x"),
    "no algorithm and no signature": lambda: unsigned("none").rstrip(".") + ".",
    "an empty algorithm": lambda: unsigned(""),
    "a list as algorithm": lambda: unsigned(["RS256"]),
    "RS256 without a signature": lambda: unsigned("RS256"),
    "RS256 with zeros": lambda: unsigned("RS256", bytes(256)),
    "ES256 with zeros": lambda: (
        f"{part({'alg': 'ES256', 'kid': 'ES256 a'})}.{part(claims())}.{part(bytes(64))}"
    ),
    "EdDSA with zeros": lambda: (
        f"{part({'alg': 'EdDSA', 'kid': 'EdDSA a'})}.{part(claims())}.{part(bytes(64))}"
    ),
    "the public key as secret, PEM": lambda: hmac_with_public_key(SPKI, PEM),
    "the public key as secret, DER": lambda: hmac_with_public_key(SPKI, DER),
    "the public key as secret, PKCS1": lambda: hmac_with_public_key(PKCS1, PEM),
    "a guessed secret": lambda: jwt.encode(claims(), "s" * 32, "HS256", {"kid": "RS256 a"}),
    "HS512": lambda: jwt.encode(claims(), "s" * 64, "HS512", {"kid": "RS256 a"}),
    "PS256 with the right key": lambda: jwt.encode(
        claims(), private_key("RS256 a"), "PS256", {"kid": "RS256 a"}
    ),
    "RS512 with the right key": lambda: jwt.encode(
        claims(), private_key("RS256 a"), "RS512", {"kid": "RS256 a"}
    ),
    "another key": embedded,
    "a key in the header": lambda: embedded(jwk=public_jwk("RS256 evil")),
    "the address of a key set": lambda: embedded(jku="https://evil.example/keys"),
    "the address of a certificate": lambda: embedded(x5u="https://evil.example/cert"),
    "a certificate in the header": lambda: embedded(x5c=["MIIB"]),
    "a key of another kind": lambda: token(headers={"kid": "ES256 a"}),
    "an unknown key": lambda: token("RS256 b"),
    "no key id": lambda: jwt.encode(claims(), private_key("RS256 a"), "RS256"),
    "an empty key id": lambda: token(headers={"kid": ""}),
    "a path as key id": lambda: token(headers={"kid": "../../etc/passwd"}),
    "a statement as key id": lambda: token(headers={"kid": "' OR 1=1 --"}),
    "a long key id": lambda: token(headers={"kid": "x" * 5000}),
    "a critical extension": lambda: token(headers={"crit": ["b64"], "b64": False}),
    "an unknown critical extension": lambda: token(headers={"crit": ["x"], "x": 1}),
    "an ID token": id_token,
    "an ID token without its nonce": lambda: id_token(nonce=..., at_hash=...),
    "an ID token of a client that asked for scopes": lambda: id_token(scope="openid email"),
    "an ID token that names its client": lambda: id_token(client_id="reader"),
    "an ID token with a scope that is none": lambda: id_token(nonce=..., at_hash=..., scope=None),
    "an ID token of Keycloak": lambda: token(typ="ID", scope="openid"),
    "a refresh token of Keycloak": lambda: token(typ="Refresh", scope="openid"),
    "an ID token of Cognito": lambda: token(token_use="id"),
    "an ID token in the type of an access token": lambda: token(
        headers={"typ": "at+jwt"}, typ="ID"
    ),
    "no type at all": lambda: id_token(headers={"typ": None}, nonce=..., at_hash=...),
    "another type": lambda: token(headers={"typ": "logout+jwt"}),
    "another issuer": lambda: token(iss="https://evil.example"),
    "an issuer with a slash more": lambda: token(iss=ISSUER + "/"),
    "an issuer with a longer path": lambda: token(iss=ISSUER + "2"),
    "an issuer in capitals": lambda: token(iss=ISSUER.upper()),
    "no issuer": lambda: token(iss=...),
    "another audience": lambda: token(aud="https://other.example"),
    "a part of the audience": lambda: token(aud=AUDIENCE[:-1]),
    "no audience": lambda: token(aud=...),
    "an empty list of audiences": lambda: token(aud=[]),
    "an audience that is an object": lambda: token(aud={AUDIENCE: 1}),
    "expired": lambda: token(exp=NOW - 3600),
    "expired a moment ago": lambda: token(exp=int(time.time()) - 1),
    "no expiry": lambda: token(exp=...),
    "an expiry as text": lambda: token(exp=str(NOW + 600)),
    "an expiry that is true": lambda: token(exp=True),
    "an expiry without end": lambda: tampered(
        lambda head, _body, sign: (head, part(b'{"exp":Infinity}'), sign)
    ),
    "not yet valid": lambda: token(nbf=NOW + 36_000),
    "issued in the future": lambda: token(iat=NOW + 36_000),
    "a not-before that is a text": lambda: token(nbf="now"),
    "no subject": lambda: token(sub=...),
    "an empty subject": lambda: token(sub=""),
    "a subject that is a number": lambda: token(sub=7),
    "a subject with a line break": lambda: token(sub="ada\nroot"),
    "a tenant that is a list": lambda: token(tenant_id=["north", "south"]),
    "an empty tenant": lambda: token(tenant_id=""),
    "a tenant with a null": lambda: token(tenant_id="north\x00"),
    "a tenant beyond all bounds": lambda: token(tenant_id="n" * 300),
    "an id that is an object": lambda: token(jti={"a": 1}),
    "a changed body": lambda: tampered(
        lambda head, _body, sign: (head, part(claims(tenant_id="south")), sign)
    ),
    "a changed header": lambda: tampered(
        lambda _head, body, sign: (part({"alg": "RS256", "kid": "RS256 a", "x": 1}), body, sign)
    ),
    "a cut signature": lambda: tampered(lambda head, body, sign: (head, body, sign[:-4])),
    "a longer signature": lambda: tampered(lambda head, body, sign: (head, body, sign + "AAAA")),
    "two parts": lambda: token().rpartition(".")[0],
    "four parts": lambda: token() + ".AAAA",
    "padding": lambda: token() + "==",
    "a space within": lambda: token().replace(".", ". ", 1),
    "not a token": lambda: "letmein",
    "too long": lambda: token(padding="x" * 20_000),
    "a header that is a list": lambda: f"{part([])}.{part(claims())}.AAAA",
    "a header that is nested deeply": lambda: f"{part(b'[' * 9000)}.{part(claims())}.AAAA",
    "a header that is not JSON": lambda: f"{part(b'x')}.{part(claims())}.AAAA",
    "a body that is a list": lambda: signed(b"[1]"),
    "a signed expiry without end": lambda: signed(json.dumps(claims(exp=float("inf"))).encode()),
    "an id that cannot be written down": lambda: token(jti="\ud800"),
    "a key for encryption": lambda: token("RS256 enc"),
    "a key that is too short": lambda: token("weak key"),
    "a key whose id occurs twice": lambda: token("RS256 twice"),
}
PUBLISHED = [
    *(public_jwk(kind) for kind in ("RS256 a", "ES256 a", "EdDSA a", "weak key", "RS256 twice")),
    public_jwk("RS256 enc", use="enc"),
    public_jwk("RS256 other", kid="RS256 twice"),
    {"kty": "oct", "k": part(b"s" * 32), "kid": "secret", "alg": "HS256"},
]


@pytest.fixture(scope="module")
async def guarded(one_world, tmp_path_factory, start_site):
    """One server that all forged tokens are tried on."""
    one_world.mends()
    identity.IdentityProvider(one_world).publish(*PUBLISHED)
    async with start_site(one_world, tmp_path_factory.mktemp("guarded"), **SIGN_IN) as started:
        assert (await ask(started, token())).status_code == 200
        yield started
    one_world.mends()


@pytest.mark.parametrize("trick", FORGED)
async def test_a_forged_token_is_refused_and_learns_nothing(guarded, trick):
    answer = await ask(guarded, FORGED[trick]())

    assert answer.status_code == 401
    assert answer.json() == {"error": "invalid_token"}
    assert 'error="invalid_token"' in answer.headers["www-authenticate"]


SCHEMES = {
    "no header": {},
    "an empty header": {"authorization": ""},
    "Basic": {"authorization": "Basic YWRhOnNlY3JldA=="},
    "no token": {"authorization": "Bearer"},
    "an API key although there are none": {"authorization": "Bearer sw_0000_secret"},
    "a token in the wrong header": {"x_token": "x"},
}


@pytest.mark.parametrize("scheme", SCHEMES)
async def test_without_a_token_nobody_gets_in(guarded, scheme):
    for method in ("initialize", "tools/list", "tools/call", "resources/list", "ping"):
        answer = await guarded.post(method, **SCHEMES[scheme])

        assert answer.status_code == 401


async def test_nothing_of_a_stranger_is_kept_in_memory(guarded):
    """The body of a request is not waited for before its sender is known."""
    answers = {}
    for path in ("/mcp", "/mcp/", "/admin/keys", "/elsewhere"):
        reader, writer = await asyncio.open_connection("127.0.0.1", guarded.port)
        writer.write(f"POST {path} HTTP/1.1\r\nHost: localhost\r\n".encode())
        writer.write(b"Content-Length: 9000000\r\n\r\n" + b"x" * 1000)
        answers[path] = (await reader.readline()).split()[1]
        writer.close()

    assert answers == {
        "/mcp": b"401",
        "/mcp/": b"401",
        "/admin/keys": b"413",
        "/elsewhere": b"413",
    }


async def test_a_token_in_the_address_is_not_looked_at(guarded):
    body = {"jsonrpc": "2.0", "id": 1, "method": "ping"}

    answer = await guarded.http.post(f"/mcp?access_token={token()}", json=body)

    assert answer.status_code == 401


async def test_two_tokens_are_one_too_many(guarded):
    headers = [("authorization", f"Bearer {token()}"), ("authorization", f"Bearer {token()}")]

    answer = await guarded.http.post("/mcp", json={}, headers=headers)

    assert answer.status_code == 401


async def test_a_client_is_led_to_the_identity_provider(guarded):
    refused = await guarded.post("ping")
    place = refused.headers["www-authenticate"].partition('resource_metadata="')[2].rstrip('"')

    metadata = (await guarded.http.get(place)).json()

    assert metadata["authorization_servers"] == [ISSUER]
    assert metadata["resource"] == guarded.url
    assert place == f"http://127.0.0.1:{guarded.port}/.well-known/oauth-protected-resource/mcp"
    assert (await guarded.http.get("/.well-known/oauth-protected-resource")).json() == metadata
    assert (await guarded.http.get("/.well-known/oauth-protected-resource/x")).status_code == 404


async def test_behind_a_proxy_the_metadata_names_the_public_address(serve):
    site = await serve(**SIGN_IN, SOURCEWRIGHT_PUBLIC_URL="https://research.example.org/base")
    place = "/.well-known/oauth-protected-resource/base/mcp"

    refused = await site.post("ping")
    metadata = (await site.http.get(place)).json()

    assert f"https://research.example.org{place}" in refused.headers["www-authenticate"]
    assert metadata["resource"] == "https://research.example.org/base/mcp"


async def test_the_sdk_s_client_signs_in_with_a_token(serve):
    from mcp.client.streamable_http import streamable_http_client
    from mcp.shared._httpx_utils import create_mcp_http_client

    site = await serve(**SIGN_IN)
    http = create_mcp_http_client(headers={"authorization": f"Bearer {token()}"})

    async with http, Client(streamable_http_client(site.url, http_client=http)) as client:
        health = await client.call_tool("doiget_health", {})

    assert health.structured_content["ok"] is True


class Clock:
    """A clock that a test sets."""

    def __init__(self):
        self.seconds = 0.0

    def now(self):
        return self.seconds

    monotonic = now

    async def sleep(self, seconds):
        raise NotImplementedError


async def test_a_new_key_is_found_and_an_invented_one_is_asked_for_once_a_minute():
    clock, published, fetches = Clock(), [public_jwk("RS256 a")], []

    async def fetch():
        fetches.append(clock.seconds)
        return published

    keys = KeySet(fetch, clock=clock, refresh_seconds=3600)
    assert await keys.find("RS256 a")
    published[:] = [public_jwk("RS256 b")]
    clock.seconds = 59
    assert [await keys.find(f"invented {n}") for n in range(50)] == [None] * 50
    assert await keys.find("RS256 b") is None
    clock.seconds = 61
    assert all(await asyncio.gather(*(keys.find("RS256 b") for _ in range(50))))
    assert await keys.find("RS256 a") is None
    clock.seconds = 3700
    assert await keys.find("RS256 b")

    assert fetches == [0, 61, 3700]


async def test_a_fetch_that_fails_is_not_repeated_by_every_token():
    clock, fetches = Clock(), []

    async def fetch():
        fetches.append(clock.seconds)
        raise Unavailable("identity provider", "it does not answer")

    keys = KeySet(fetch, clock=clock, refresh_seconds=3600)
    for clock.seconds in (0, 1, 2, 10):
        with pytest.raises(Unavailable):
            await keys.find("RS256 a")

    assert fetches == [0, 10]


async def test_a_new_key_is_not_called_invented_while_the_provider_is_away():
    clock, published = Clock(), [public_jwk("RS256 a")]

    async def fetch():
        if not published:
            raise Unavailable("identity provider", "it does not answer")
        return published

    keys = KeySet(fetch, clock=clock, refresh_seconds=3600)
    assert await keys.find("RS256 a")
    del published[:]
    for clock.seconds in (61, 62):
        with pytest.raises(Unavailable):
            await keys.find("RS256 b")
        assert await keys.find("RS256 a")
    published += [public_jwk("RS256 a"), public_jwk("RS256 b")]
    clock.seconds = 70

    assert await keys.find("RS256 b")
    assert await keys.find("invented") is None


async def test_nobody_with_a_known_key_waits_for_a_provider_that_hangs():
    clock, answers, began = Clock(), asyncio.Event(), asyncio.Event()
    answers.set()

    async def fetch():
        began.set()
        await answers.wait()
        return [public_jwk("RS256 a")]

    keys = KeySet(fetch, clock=clock, refresh_seconds=3600)
    await keys.find("RS256 a")
    answers.clear()
    began.clear()
    clock.seconds = 61
    invented = asyncio.create_task(keys.find("invented"))
    await began.wait()
    known = asyncio.create_task(keys.find("RS256 a"))
    await asyncio.sleep(0)
    assert known.done()
    clock.seconds = 3700
    due = asyncio.create_task(keys.find("RS256 a"))
    await asyncio.sleep(0)
    movable_loop().move(10)

    assert known.result()
    assert await due
    assert not invented.done()
    answers.set()
    assert await invented is None


IRREGULAR = {
    "a curve that is a list": {"kty": "EC", "crv": ["P-256"], "kid": "x"},
    "a kind that is an object": {"kty": {}, "kid": "x"},
    "uses that are no list": {"key_ops": 5, "kid": "x"},
    "members that are null": {"key_ops": None, "crv": None, "use": None, "alg": None},
}


@pytest.mark.parametrize("irregular", IRREGULAR)
async def test_a_key_with_an_irregular_form_harms_no_other(serve, provider, irregular):
    published = public_jwk("RS256 b", **IRREGULAR[irregular])
    provider.publish(published, public_jwk("RS256 a"))
    site = await serve(**SIGN_IN)

    assert (await ask(site, token())).status_code == 200
    is_usable = published["kid"] == "RS256 b"
    assert (await ask(site, token("RS256 b"))).status_code == (200 if is_usable else 401)


async def test_keys_are_rotated_while_the_server_runs(serve, provider):
    first = await serve(**SIGN_IN)
    assert (await ask(first, token())).status_code == 200
    provider.publish(public_jwk("RS256 b"))
    second = await serve(**SIGN_IN)

    assert (await ask(second, token("RS256 b"))).status_code == 200
    assert (await ask(second, token("RS256 a"))).status_code == 401
    assert (await ask(first, token("RS256 a"))).status_code == 200
    assert provider.fetches == 2


async def test_keys_that_were_fetched_are_used_while_the_provider_is_away(serve, internet):
    site = await serve(**SIGN_IN)
    assert (await ask(site, token())).status_code == 200
    internet.mends(HOST)
    internet.unplugs(HOST)
    new = await serve(**SIGN_IN)

    assert (await ask(site, token())).status_code == 200
    answer = await ask(new, token())
    assert (answer.status_code, answer.json()) == (503, {"error": "temporarily_unavailable"})


HOSTILE = {
    "another issuer": {"issuer": "https://evil.example"},
    "keys at a private address": {"jwks_uri": "https://127.0.0.1/keys"},
    "keys without encryption": {"jwks_uri": f"http://{HOST}/keys"},
    "keys at a metadata service": {"jwks_uri": "https://169.254.169.254/keys"},
    "keys in a file": {"jwks_uri": "file:///etc/passwd"},
    "no keys": {"jwks_uri": None},
}


@pytest.mark.parametrize("answer", HOSTILE)
async def test_a_discovery_document_leads_nowhere_else(serve, provider, answer):
    provider.publish(public_jwk("RS256 a"), **HOSTILE[answer])
    site = await serve(**SIGN_IN)

    assert (await ask(site, token())).status_code == 503


async def test_a_revoked_token_is_refused_at_once(serve, cli):
    site = await serve(**SIGN_IN)
    assert (await ask(site, token(jti="lost"))).status_code == 200

    done = await asyncio.to_thread(cli, "keys", "revoke-token", "lost")

    assert done.returncode == 0
    assert (await ask(site, token(jti="lost"))).status_code == 401
    assert (await ask(site, token(jti="kept"))).status_code == 200


@pytest.mark.parametrize("token_id", ["", "a\nb"])
async def test_an_id_that_no_token_has_is_not_revoked(serve, cli, token_id):
    site = await serve(**SIGN_IN)

    done = await asyncio.to_thread(cli, "keys", "revoke-token", token_id)

    assert done.returncode == 2
    assert "printable" in done.stderr
    assert (await ask(site, token(jti=...))).status_code == 200


async def test_tokens_without_an_id_are_accepted_whatever_was_revoked(serve):
    site = await serve(**SIGN_IN)
    credentials = site.application.services.parts.credentials
    await credentials.revoke_token("", forget_at=time.time() + 3600)

    assert (await ask(site, token(jti=...))).status_code == 200


async def test_required_scopes_are_required(serve):
    site = await serve(**SIGN_IN, REQUIRED_SCOPES="research, team")

    refused = await ask(site, token(scope="research"))

    assert (refused.status_code, refused.json()) == (403, {"error": "insufficient_scope"})
    assert 'scope="research team"' in refused.headers["www-authenticate"]
    assert (await ask(site, token(scope="research team"))).status_code == 200
    assert (await ask(site, token(scp=["team", "research"]))).status_code == 200


SCOPES = {
    "": False,
    "tool:web_search": False,
    "tool:doiget_health": True,
    "tool:*": True,
    "research": True,
    "tool:doiget_health2 tool:": False,
}


async def test_a_tool_needs_a_scope_for_it(serve):
    site = await serve(**SIGN_IN, ENFORCE_SCOPES="true")

    for scope, allowed in SCOPES.items():
        answer = (await ask(site, token(scope=scope))).text
        assert ('"isError":false' in answer and '"ok":true' in answer) is allowed, scope
        assert ("your token has no scope for doiget_health" in answer) is not allowed, scope


async def test_a_failed_sign_in_is_recorded_without_the_token(serve, tmp_path):
    site = await serve(**SIGN_IN)
    forged = token(iss="https://evil.example")

    await ask(site, forged, x_request_id="r-7")

    log = (tmp_path / "state" / "audit.jsonl").read_text("utf-8")
    event = json.loads(log)
    assert (event["event_type"], event["request_id"]) == ("auth.failure", "r-7")
    assert event["source_ip"] == "127.0.0.1"
    assert forged.rpartition(".")[2] not in log


async def test_an_api_key_opens_its_tenant_until_it_is_revoked(serve, cli, tmp_path):
    site = await serve(SOURCEWRIGHT_API_KEYS="true")
    made = await asyncio.to_thread(
        cli, "keys", "create", "--tenant=north", "--user=ada", "--label=bot"
    )
    key = made.stdout.strip()

    first, other = await ask(site, key), await site.post("tools/call", CALL, x_api_key=key)
    listed = json.loads((await asyncio.to_thread(cli, "keys", "list", "--json")).stdout)["keys"]
    await asyncio.to_thread(cli, "keys", "revoke", listed[0]["id"])
    after = await ask(site, key)

    log = (tmp_path / "state" / "audit.jsonl").read_text("utf-8").splitlines()
    events = [json.loads(line) for line in log]
    kinds = ["api_key.create", "tool_call", "tool_call", "api_key.revoke", "auth.failure"]
    assert (first.status_code, other.status_code, after.status_code) == (200, 200, 401)
    assert [event["event_type"] for event in events] == kinds
    assert {(event["tenant_id"], event["user_id"]) for event in events[:4]} == {("north", "ada")}
    assert (listed[0]["tenant"], listed[0]["label"]) == ("north", "bot")
    settings = site.application.services.parts.settings
    assert key.split("_", 2)[2].encode() not in settings.credentials_path.read_bytes()
    assert "resource_metadata" not in after.headers["www-authenticate"]


KEY = f"sw_0123456789abcdef_{'x' * 43}"


@pytest.mark.parametrize("settings", [{}, SIGN_IN], ids=["no sign-in", "tokens"])
@pytest.mark.parametrize(
    "headers",
    [
        {"authorization": f"Bearer {KEY}"},
        {"authorization": f"bearer  {KEY}"},
        {"authorization": KEY},
        {"x-api-key": KEY},
    ],
)
async def test_a_key_that_is_not_checked_is_refused_by_name(serve, settings, headers, tmp_path):
    """Ignored, it would let the call into the operator's own library."""
    site = await serve(**settings)

    answer = await site.post("tools/call", CALL, **headers)

    assert (answer.status_code, answer.json()["error"]) == (401, "invalid_token")
    if "Bearer" in str(headers) or not settings:
        assert "set SOURCEWRIGHT_API_KEYS=true on it" in answer.json()["message"]
    [event] = (tmp_path / "state" / "audit.jsonl").read_text("utf-8").splitlines()
    assert (json.loads(event)["event_type"], KEY in event) == ("auth.failure", False)


@pytest.mark.parametrize("settings", [{}, {"SOURCEWRIGHT_API_KEYS": "true"}])
async def test_a_token_that_is_not_checked_is_refused_by_name(serve, settings):
    site = await serve(**settings)

    answer = await ask(site, token())

    assert (answer.status_code, answer.json()["error"]) == (401, "invalid_token")
    assert "set OAUTH_ISSUER_URL on it" in answer.json()["message"]


async def test_without_sign_in_any_key_is_refused_and_a_password_of_a_proxy_is_not(serve):
    site = await serve()

    assert (await site.post("tools/call", CALL, x_api_key="something else")).status_code == 401
    assert (await site.post("tools/call", CALL, x_api_key="")).status_code == 401
    basic = {"authorization": "Basic YWRhOnNlY3JldA=="}
    assert (await site.post("tools/call", CALL, **basic)).status_code == 200
    assert (await ask(site)).status_code == 200


def test_whoever_makes_a_key_learns_what_accepts_it(cli):
    words = ("keys", "create", "--tenant=north", "--user=ada")

    off, on = cli(*words), cli(*words, SOURCEWRIGHT_API_KEYS="true")

    assert "SOURCEWRIGHT_API_KEYS=true" in off.stderr
    assert (off.stdout.count("\n"), off.stdout[:3], on.stderr) == (1, "sw_", "")


async def test_a_wrong_api_key_is_refused(serve):
    site = await serve(SOURCEWRIGHT_API_KEYS="true")
    keys = site.application.services.parts.api_keys
    owner = Owner(tenant="north", user="ada")
    key, text = await keys.create(owner)
    old, expired = await keys.create(owner, days=-1)
    wrong = [text[:-1], text + "x", f"sw_{key.id}_", f"sw_{key.id}", "sw__", "sw_", expired]
    wrong += [text.upper(), f"sw_{old.id}_{text.rpartition('_')[2]}", "sw_%_%", text[3:]]

    assert [(await ask(site, one)).status_code for one in wrong] == [401] * len(wrong)
    assert (await ask(site, text)).status_code == 200


def test_the_command_says_what_is_wrong_with_a_key(cli):
    assert cli("keys", "revoke", "nonesuch").returncode == 1
    assert cli("keys", "create", "--tenant", " ", "--user", "ada").returncode != 0
    assert "there are no API keys" in cli("keys", "list").stdout


def test_an_issuer_needs_an_audience(cli):
    refused = cli("serve", "--http=0", OAUTH_ISSUER_URL=ISSUER)

    assert (refused.returncode, "OAUTH_AUDIENCE" in refused.stderr) == (2, True)
