"""The endpoints of the operator: what each does, and its errors for a bad request."""

import json

import identity
import pytest
from identity import SIGN_IN, token
from redis_process import redis_url, start_redis, stop_redis

pytestmark = pytest.mark.anyio

KEY = "a-current-admin-key"
ON = {
    "ADMIN_API_KEY": KEY,
    "SOURCEWRIGHT_API_KEYS": "true",
    "MEMORY_ENABLED": "true",
    "WORKSPACES_ENABLED": "true",
    "USER_ANALYTICS_ENABLED": "true",
}
ANN = {"tenant_id": "north", "user_id": "ann"}
BOB = {"tenant_id": "south", "user_id": "bob"}
PURPOSES = ("memory", "analytics", "workspace")


@pytest.fixture
def redis_server(tmp_path):
    """A Redis of the test's own; returns its URL."""
    process = start_redis(tmp_path)
    yield redis_url(tmp_path)
    stop_redis(process)


@pytest.fixture(scope="module")
async def admin(start_site, one_world, tmp_path_factory):
    """One server for tests that use users of their own."""
    async with start_site(one_world, tmp_path_factory.mktemp("admin"), **ON) as started:
        yield started


async def ask(site, method, path, body=None, **query):
    """Ask an endpoint as the operator; return the status and the answer."""
    sent = {} if body is None else {"json": body}
    answer = await site.http.request(
        method, f"/admin{path}", params=query, headers={"x-admin-key": KEY}, **sent
    )
    return answer.status_code, answer.json()


async def done(site, method, path, body=None, **query):
    status, answer = await ask(site, method, path, body, **query)
    assert status == 200, answer
    return answer


async def key_of(site, who):
    return (await done(site, "POST", "/keys", who))["key"]


async def call(site, key, tool, **arguments):
    params = {"name": tool, "arguments": arguments}
    answer = await site.post("tools/call", params, authorization=f"Bearer {key}")
    return json.loads(answer.text.partition("data: ")[2])["result"]["structuredContent"]


async def use_everything(site, who):
    key = await key_of(site, who)
    for purpose in PURPOSES:
        await done(site, "POST", "/consent", {**who, "purpose": purpose, "granted": True})
    await done(site, "POST", "/workspace/members", {**who, "workspace_id": "tides"})
    name = who["user_id"]
    await call(site, key, "memory_save", note=f"a note of {name}")
    await call(site, key, "workspace_contribute", workspace_id="tides", note=f"by {name}")
    step = {"searchStep": f"goal of {name}", "stepNumber": 1, "nextStepNeeded": True}
    await call(site, key, "sequential_search", **step)
    return key


def counts(answer):
    return {one["kind"]: one["count"] for one in answer["kinds"] if one["action"] != "kept"}


def events(site, kind):
    text = site.application.services.parts.settings.audit_output_path.read_text("utf-8")
    found = [json.loads(line) for line in text.splitlines()]
    return [one for one in found if one["event_type"] == kind]


async def test_consent_is_recorded_read_back_and_obeyed(admin):
    who = {"tenant_id": "east", "user_id": "cy"}
    key = await key_of(admin, who)
    assert (await call(admin, key, "memory_save", note="x"))["status"] == "no_consent"
    granted = {**who, "purpose": "memory", "granted": True, "terms_version": "2026-01"}

    first = await done(admin, "POST", "/consent", granted)
    again = await done(admin, "POST", "/consent", granted)
    saved = await call(admin, key, "memory_save", note="x")
    await done(admin, "POST", "/consent", {**who, "purpose": "memory", "granted": False})
    shown = await done(admin, "GET", "/consent", **who)

    assert (first["changed"], again["changed"], saved["status"]) == (True, False, "ok")
    assert (await call(admin, key, "memory_save", note="x"))["status"] == "no_consent"
    assert shown["granted"] == {"memory": False, "analytics": False, "workspace": False}
    assert [one["granted"] for one in shown["history"]] == [True, False]
    assert {one["decided_from"] for one in shown["history"]} == {"admin endpoint"}
    assert events(admin, "consent.grant")[-1]["user_id"] == "cy"


async def test_members_are_added_listed_and_removed_and_each_call_asks_anew(admin):
    who = {"tenant_id": "west", "user_id": "dee"}
    key, member = await key_of(admin, who), {**who, "workspace_id": "dunes"}
    await done(admin, "POST", "/consent", {**who, "purpose": "workspace", "granted": True})

    async def status():
        return (await call(admin, key, "workspace_read", workspace_id="dunes"))["status"]

    before = await status()
    added = [await done(admin, "POST", "/workspace/members", member) for _ in range(2)]
    listed = await done(admin, "GET", "/workspace/members", workspace_id="dunes")
    during = await status()
    removed = [await done(admin, "DELETE", "/workspace/members", member) for _ in range(2)]

    assert (before, during, await status()) == ("not_member", "ok", "not_member")
    assert [one["added"] for one in added] == [True, False]
    assert [(one["tenant_id"], one["user_id"]) for one in listed["members"]] == [("west", "dee")]
    assert [one["removed"] for one in removed] == [True, False]


async def test_workspaces_are_created_listed_and_deleted(admin):
    created = [await done(admin, "POST", "/workspaces", {"workspace_id": "w1"}) for _ in range(2)]
    listed = await done(admin, "GET", "/workspaces")
    await done(admin, "DELETE", "/workspaces", workspace_id="w1")

    assert [one["created"] for one in created] == [True, False]
    assert "w1" in [one["id"] for one in listed["workspaces"]]
    assert (await ask(admin, "DELETE", "/workspaces", workspace_id="w1"))[0] == 404
    assert (await ask(admin, "GET", "/workspace/members", workspace_id="w1"))[0] == 404


async def test_one_user_is_exported_and_erased_and_nobody_else(serve):
    site = await serve(**ON)
    await use_everything(site, ANN)
    bobs_key = await use_everything(site, BOB)

    exported = await done(site, "GET", "/data", **ANN)
    planned = await done(site, "DELETE", "/data", **ANN, dry_run="true")
    erased = await done(site, "DELETE", "/data", **ANN)

    text = json.dumps(exported)
    assert ("a note of ann" in text, "goal of ann" in text) == (True, True)
    assert "bob" not in text
    assert counts(planned)["sessions"] == counts(erased)["sessions"] == 1
    assert counts(erased)["memory"] == 1
    left = counts(await done(site, "GET", "/data", **ANN))
    assert {kind: n for kind, n in left.items() if n and kind != "audit_log"} == {}
    recalled = await call(site, bobs_key, "memory_recall")
    assert [one["note"] for one in recalled["memories"]] == ["a note of bob"]


async def test_no_event_of_an_administration_names_a_user_who_was_erased(serve):
    site = await serve(**ON)
    who = {"tenant_id": "north", "user_id": "ann.onymous@uni.example"}
    await use_everything(site, who)

    await done(site, "DELETE", "/data", **who)

    log = site.application.services.parts.settings.audit_output_path.read_text("utf-8")
    assert ("ann.onymous" in log, "data.erasure" in log) == (False, True)


async def test_what_cannot_be_read_or_erased_is_said_and_is_no_success(serve, tmp_path):
    (tmp_path / "a-file").touch()
    site = await serve(**ON, SESSION_DATA_DIR=str(tmp_path / "a-file" / "sessions"))

    responses = [await ask(site, method, "/data", **ANN) for method in ("GET", "DELETE")]

    assert [(status, answer["error"]) for status, answer in responses] == [(503, "incomplete")] * 2
    failed = [one["kind"] for one in responses[1][1]["kinds"] if one["action"] == "failed"]
    assert failed == ["sessions"]


async def test_a_key_is_made_shown_once_used_and_revoked(admin):
    body = {**ANN, "scopes": ["research"], "label": "laptop", "days": 30}
    made = await done(admin, "POST", "/keys", body)
    listed = await done(admin, "GET", "/keys")

    [row] = [one for one in listed["keys"] if one["key_id"] == made["key_id"]]
    secret = made["key"].rpartition("_")[2]
    assert (row["label"], row["scopes"], row["revoked_at"]) == ("laptop", ["research"], None)
    assert (listed["accepted"], secret in json.dumps(listed)) == (True, False)
    bearer = f"Bearer {made['key']}"
    assert (await admin.post("ping", authorization=bearer)).status_code == 200

    assert (await done(admin, "DELETE", "/keys", key_id=made["key_id"]))["revoked"] is True

    assert (await admin.post("ping", authorization=bearer)).status_code == 401
    assert (await ask(admin, "DELETE", "/keys", key_id="0" * 16))[0] == 404
    assert events(admin, "api_key.revoke")[-1]["metadata"]["key_id"] == made["key_id"]


@pytest.mark.parametrize("token_id", ["t-17", "t" * 2000], ids=["short", "long"])
async def test_a_token_is_revoked_before_it_expires(serve, internet, token_id):
    identity.IdentityProvider(internet)
    site = await serve(**ON | SIGN_IN)
    sent = {"authorization": f"Bearer {token(jti=token_id)}"}
    assert (await site.post("ping", **sent)).status_code == 200

    assert await done(site, "POST", "/tokens/revoke", {"token_id": token_id}) == {
        "token_id": token_id,
        "revoked": True,
    }

    assert (await site.post("ping", **sent)).status_code == 401


async def search(site):
    """Search; return the number of requests to the source."""
    arguments = {"query": "tidal energy storage", "provider": "wikipedia"}
    params = {"name": "web_search", "arguments": arguments}
    before = site.application.services.parts.network.source_usage()
    answer = await site.post("tools/call", params)
    assert answer.status_code == 200
    after = site.application.services.parts.network.source_usage()
    return sum(one.calls for one in after.values()) - sum(one.calls for one in before.values())


@pytest.mark.parametrize("disk", ["0", "16"])
async def test_clearing_the_cache_makes_the_next_call_ask_again(serve, disk):
    site = await serve(ADMIN_API_KEY=KEY, SOURCEWRIGHT_CACHE_MAX_DISK_MB=disk)
    assert (await search(site), await search(site)) == (1, 0)
    layers = {one["layer"]: one for one in (await done(site, "GET", "/cache"))["layers"]}
    assert (layers["memory"]["hits"], layers["memory"]["misses"]) == (1, 1)

    cleared = await done(site, "DELETE", "/cache")

    assert cleared == {"cleared": True, "entries": 1}
    assert await search(site) == 1
    assert events(site, "cache.clear")[0]["metadata"] == {"count": 1}


async def test_a_cache_in_redis_is_cleared_with_that_of_the_server(serve, redis_server):
    shared = {"REDIS_URL": redis_server, "CACHE_ENCRYPTION_KEY": "ab" * 32}
    site = await serve(ADMIN_API_KEY=KEY, **shared)
    assert (await search(site), await search(site)) == (1, 0)

    assert (await done(site, "DELETE", "/cache"))["entries"] == 1

    assert await search(site) == 1


async def test_a_cache_that_may_not_be_empty_is_not_called_cleared(serve, tmp_path):
    shared = {"REDIS_URL": f"unix://{tmp_path}/no-socket", "CACHE_ENCRYPTION_KEY": "ab" * 32}
    site = await serve(ADMIN_API_KEY=KEY, **shared)

    status, answer = await ask(site, "DELETE", "/cache")

    assert (status, answer["error"], "Redis" in answer["message"]) == (503, "unavailable", True)


async def test_without_a_cache_there_is_nothing_to_clear(serve):
    site = await serve(ADMIN_API_KEY=KEY, SOURCEWRIGHT_CACHE="false")

    assert await done(site, "GET", "/cache") == {"enabled": False, "layers": []}
    status, answer = await ask(site, "DELETE", "/cache")
    assert (status, "SOURCEWRIGHT_CACHE" in answer["message"]) == (503, True)


async def test_the_sessions_of_one_user_or_of_everybody_are_erased(serve):
    site = await serve(**ON)
    keys = {who["user_id"]: await use_everything(site, who) for who in (ANN, BOB)}

    async def sessions():
        shown = [await done(site, "GET", "/data", **who) for who in (ANN, BOB)]
        return [counts(one)["sessions"] for one in shown]

    assert await sessions() == [1, 1]
    assert await done(site, "DELETE", "/sessions", **ANN) == {"erased": 1}
    assert await sessions() == [0, 1]
    for unclear in ({"tenant_id": "south"}, {"user_id": None}, dict.fromkeys(BOB)):
        refused, refusal = await ask(site, "DELETE", "/sessions", unclear)
        assert (refused, "user_id" in refusal["message"], await sessions()) == (400, True, [0, 1])
    assert await done(site, "DELETE", "/sessions") == {"erased": 1}
    assert await sessions() == [0, 0]
    recalled = await call(site, keys["bob"], "memory_recall")
    assert recalled["count"] == 1, "nothing but sessions is erased"


async def test_analytics_have_the_calls_of_each_tenant_and_of_no_other(serve):
    site = await serve(**ON)
    for who, times in ((ANN, 2), (BOB, 1)):
        key = await key_of(site, who)
        for _ in range(times):
            await call(site, key, "doiget_health")

    everybody = await done(site, "GET", "/analytics")
    north = await done(site, "GET", "/analytics", tenant_id="north")

    assert {one["tenant_id"]: one["calls"] for one in everybody["tenants"]} == {
        "north": 2,
        "south": 1,
    }
    [tenant] = north["tenants"]
    assert [(one["tool"], one["calls"]) for one in tenant["tools"]] == [("doiget_health", 2)]
    assert (await done(site, "GET", "/analytics", tenant_id="nobody"))["tenants"] == []


@pytest.mark.parametrize(
    ("method", "path", "body", "words"),
    [
        ("POST", "/consent", {}, "user_id: field required"),
        ("POST", "/consent", {**ANN, "purpose": "all", "granted": True}, "purpose:"),
        ("POST", "/consent", {**ANN, "purpose": "memory", "granted": "yes"}, "granted:"),
        ("POST", "/consent", {**ANN, "purpose": "memory", "granted": 1}, "granted:"),
        ("POST", "/consent", {**ANN, "user_id": "a\nb"}, "user_id"),
        ("POST", "/consent", {**ANN, "user_id": 7}, "user_id:"),
        ("POST", "/workspace/members", {"workspace_id": "a", "user_id": "a\u200b"}, "printable"),
        ("POST", "/consent", {**ANN, "user_id": "x" * 257}, "user_id:"),
        (
            "POST",
            "/consent",
            {"user_id": "anonymous", "purpose": "memory", "granted": True},
            "nobody in particular",
        ),
        ("POST", "/consent", [], "must be a JSON object"),
        ("POST", "/workspaces", {"workspace_id": "../../etc"}, "workspace_id:"),
        ("POST", "/workspaces", {"workspace_id": "a", "is_public": True}, "is_public:"),
        ("POST", "/workspace/members", {**ANN, "workspace_id": ""}, "workspace_id:"),
        ("POST", "/keys", {**ANN, "scopes": ["a b"]}, "scopes.0:"),
        ("POST", "/keys", {**ANN, "scopes": "research"}, "scopes:"),
        ("POST", "/keys", {**ANN, "days": 0}, "days:"),
        ("POST", "/tokens/revoke", {"token_id": ""}, "token_id:"),
        ("DELETE", "/keys", {"key_id": "' OR 1=1 --"}, "key_id:"),
        ("DELETE", "/data", {"tenant_id": "north"}, "user_id: field required"),
        ("GET", "/data", None, "user_id: field required"),
    ],
)
async def test_a_bad_request_is_named_and_changes_nothing(admin, method, path, body, words):
    status, answer = await ask(admin, method, path, body)

    assert (status, answer["error"]) == (400, "invalid_request")
    assert words in answer["message"]


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"\xff\xfe",
        b'{"user_id": "a", "user_id": "b"}',
        b"[" * 60_000,
        b'{"a":' * 10_000,
        b"1e999",
        b"null",
    ],
)
async def test_a_body_that_is_not_one_json_object_is_refused(admin, body):
    headers = {"x-admin-key": KEY, "content-type": "application/json"}
    answer = await admin.http.post("/admin/consent", content=body, headers=headers)

    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_request")


@pytest.mark.parametrize("query", ["user_id=a&user_id=b", "user_id", "user_id=%ff", "a=1&" * 30])
async def test_a_query_that_is_not_clear_is_refused(admin, query):
    answer = await admin.http.get(f"/admin/consent?{query}", headers={"x-admin-key": KEY})

    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_request")


async def test_every_parameter_can_be_in_the_query(admin):
    who = {"tenant_id": "north", "user_id": "quinn"}

    decided = await done(admin, "POST", "/consent", **who, purpose="memory", granted="true")
    withdrawn = await done(admin, "POST", "/consent", **who, purpose="memory", granted="false")
    made = await done(admin, "POST", "/keys", **who, scopes="research tool:x", label="q", days="3")
    status, answer = await ask(admin, "POST", "/consent", **who, purpose="memory", granted="1")

    assert (decided["granted"], withdrawn["granted"]) == (True, False)
    assert (made["scopes"], made["label"]) == (["research", "tool:x"], "q")
    assert (status, answer["message"].partition(":")[0]) == (400, "granted")


async def test_a_parameter_in_the_query_and_in_the_body_is_refused(admin):
    body = {**ANN, "purpose": "memory", "granted": True}
    status, answer = await ask(admin, "POST", "/consent", body, user_id="bob")

    assert (status, "given twice" in answer["message"]) == (400, True)


async def test_a_large_body_is_refused(admin):
    status, answer = await ask(admin, "POST", "/consent", {**ANN, "purpose": "x" * 70_000})
    assert (status, answer["error"]) == (413, "too_large")


async def test_a_token_or_an_api_key_of_a_user_opens_nothing(admin):
    key = await key_of(admin, {"tenant_id": "default", "user_id": "eve"})
    for headers in ({"authorization": f"Bearer {key}"}, {"x-admin-key": key}):
        answer = await admin.http.get("/admin/keys", headers=headers)
        assert answer.status_code == 401
