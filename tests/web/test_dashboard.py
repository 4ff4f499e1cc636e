"""The dashboard over HTTP: who gets in, what the browser may do there, and that figures are true."""

import asyncio
import base64
import hashlib
import json
import re
from dataclasses import replace

import httpx2
import pytest
from starlette.requests import Request
from starlette.responses import Response

from sourcewright.stores.credentials.database import CredentialDatabase
from sourcewright.web.admin.key import AdminKeys
from sourcewright.web.dashboard.session import COOKIE, DashboardSessions

pytestmark = pytest.mark.anyio

KEY, PREVIOUS = "a-current-admin-key", "the-previous-admin-key"
ADMIN = {"ADMIN_API_KEY": KEY, "ADMIN_API_KEY_PREV": PREVIOUS}
PUBLIC = "https://research.example.org"
STEP = {
    "searchStep": "begin",
    "stepNumber": 1,
    "totalStepsEstimate": 2,
    "nextStepNeeded": True,
    "researchGoal": "corals",
}


@pytest.fixture(scope="module")
async def admin(start_site, one_world, tmp_path_factory):
    """One server with an admin key, for tests that do not sign in."""
    async with start_site(one_world, tmp_path_factory.mktemp("admin"), **ADMIN) as started:
        yield started


@pytest.fixture
async def visitor(admin):
    """A browser that has no cookie yet."""
    base = f"http://127.0.0.1:{admin.port}"
    async with httpx2.AsyncClient(base_url=base, timeout=300) as http:
        yield replace(admin, http=http)


@pytest.fixture
async def site(serve):
    return await serve(**ADMIN)


async def sign_in(site, key=KEY, **headers):
    return await site.http.post("/dashboard/sign-in", data={"key": key}, headers=headers)


async def figures(site):
    """The figures after everything that has happened so far."""
    await sign_in(site)
    begun = (await read(site))["generatedAt"]
    async with asyncio.timeout(300):
        while (found := await read(site))["generatedAt"] == begun:
            await asyncio.to_thread(lambda: None)
    return found


async def read(site):
    answer = await site.http.get("/dashboard/data")
    assert answer.status_code == 200, answer.text
    return answer.json()


def events(site):
    log = site.application.services.parts.settings.audit_output_path
    return [json.loads(line) for line in log.read_text("utf-8").splitlines()]


async def test_without_an_admin_key_the_page_says_that_it_is_off(serve):
    site = await serve()

    answer = await site.http.get("/dashboard")

    assert (answer.status_code, "ADMIN_API_KEY" in answer.text) == (404, True)
    for path in ("/dashboard/data", "/dashboard/sign-in", "/dashboard/script.js"):
        assert (await site.http.get(path, headers={"x-admin-key": KEY})).status_code == 404


@pytest.mark.parametrize("path", ["/dashboard", "/dashboard/"])
async def test_without_the_key_there_is_a_form_and_nothing_else(admin, path):
    answer = await admin.http.get(path)

    assert (answer.status_code, answer.text.count("<form")) == (401, 1)
    for word in ("<script", "<table", "web_search", "/dashboard/data", "0.1.0"):
        assert word not in answer.text


@pytest.mark.parametrize("name", ["page.html", "style.css", "script.js", "routes.py", "sign_in"])
async def test_no_file_of_the_dashboard_can_be_fetched(admin, name):
    for headers in ({}, {"x-admin-key": KEY}):
        assert (await admin.http.get(f"/dashboard/{name}", headers=headers)).status_code == 404


async def test_figures_need_the_key(admin):
    for headers in ({}, {"x-admin-key": "another-admin-key"}, {"authorization": f"Bearer {KEY}"}):
        answer = await admin.http.get("/dashboard/data", headers=headers)
        assert (answer.status_code, answer.json()) == (401, {"error": "unauthorized"})
    assert (await admin.http.post("/dashboard/data")).status_code == 405


async def test_the_right_key_begins_a_session_that_scripts_cannot_read(visitor):
    answer = await sign_in(visitor)

    cookie = answer.headers["set-cookie"].lower()
    assert (answer.status_code, answer.headers["location"]) == (303, "/dashboard")
    for word in ("httponly", "samesite=strict", "path=/dashboard", "max-age=28800"):
        assert word in cookie
    assert KEY not in cookie
    assert (await visitor.http.get("/dashboard")).status_code == 200
    assert (await visitor.http.get("/dashboard/data")).status_code == 200


async def test_a_wrong_key_begins_nothing(site):
    for key in ("", "another-admin-key", KEY[:-1], f"{KEY} ", "x" * 5000, "ü"):
        answer = await sign_in(site, key)
        assert (answer.status_code, "set-cookie" in answer.headers) == (401, False)
        assert "This is not the admin key." in answer.text
        assert (await site.http.get("/dashboard")).status_code == 401


async def test_whoever_guesses_has_to_wait_and_the_operator_at_the_same_address_has_not(site):
    answers = [await sign_in(site, f"another-admin-key-{number}") for number in range(12)]

    last = answers[-1]
    assert last.status_code == 429
    assert f"Try again in {last.headers['retry-after']} seconds." in last.text
    assert (await sign_in(site)).status_code == 303
    assert (await site.http.get("/dashboard")).status_code == 200


async def test_signing_in_is_recorded_and_watching_is_not(site):
    await sign_in(site, "another-admin-key")
    await sign_in(site)
    for _ in range(3):
        await site.http.get("/dashboard/data")
    await sign_in(site, PREVIOUS)

    kinds = [event["event_type"] for event in events(site)]
    assert kinds == ["auth.failure", "admin.sign_in", "auth.admin_key_prev_used", "admin.sign_in"]
    log = site.application.services.parts.settings.audit_output_path.read_text("utf-8")
    assert (KEY in log, PREVIOUS in log, "another-admin-key" in log) == (False, False, False)


async def test_signing_out_ends_the_session_of_the_browser(visitor):
    await sign_in(visitor)

    answer = await visitor.http.post("/dashboard/sign-out")

    assert (answer.status_code, answer.headers["location"]) == (303, "/dashboard")
    assert (await visitor.http.get("/dashboard")).status_code == 401


async def test_a_copied_cookie_is_worth_nothing_after_signing_out(start_site, one_world, tmp_path):
    """At any server of the machine, and also after it has started again."""
    async with start_site(one_world, tmp_path, **ADMIN) as first:
        await sign_in(first)
        [other] = first.http.cookies.items()
        first.http.cookies.clear()
        await sign_in(first)
        copied = dict(first.http.cookies)

        await first.http.post("/dashboard/sign-out")

        first.http.cookies.clear()
        assert await statuses_with(first, copied) == (401, 401)
    async with start_site(one_world, tmp_path, **ADMIN) as second:
        assert await statuses_with(second, copied) == (401, 401)
        assert await statuses_with(second, dict([other])) == (200, 200), "another session"


async def statuses_with(site, cookies):
    pairs = "; ".join(f"{name}={value}" for name, value in cookies.items())
    paths = ("/dashboard", "/dashboard/data")
    answers = [await site.http.get(path, headers={"cookie": pairs}) for path in paths]
    return tuple(answer.status_code for answer in answers)


async def test_an_end_that_cannot_be_stored_is_not_called_one(site):
    await sign_in(site)
    path = site.application.services.parts.settings.credentials_path
    path.unlink(missing_ok=True)
    path.write_bytes(b"this is not a database" * 500)

    watched = await site.http.get("/dashboard")
    out = await site.http.post("/dashboard/sign-out")

    assert (watched.status_code, "cannot be checked" in watched.text) == (503, True)
    assert (out.status_code, "cannot be stored" in out.text) == (503, True)
    assert (await site.http.get("/dashboard")).status_code == 401, "the browser has signed out"
    assert (await site.http.get("/dashboard/data", headers={"x-admin-key": KEY})).is_success


class FixedClock:
    """A clock that stands still."""

    def __init__(self, time):
        self.time = time

    def now(self):
        return self.time


@pytest.fixture
async def sessions(tmp_path):
    """The sessions of a server with these keys at this time."""
    credentials = CredentialDatabase(tmp_path / "credentials.sqlite3")

    def build(key=KEY, previous=None, *, now=1_800_000_000.0):
        return DashboardSessions(
            keys=AdminKeys(key, previous),
            clock=FixedClock(now),
            credentials=credentials,
            secure=True,
        )

    yield build
    await credentials.aclose()


def cookie_of(some):
    response = Response()
    some.begin(response)
    return re.search(rf"{COOKIE}=([^;]+)", response.headers["set-cookie"])[1]


def request_with(cookie):
    headers = [(b"cookie", f"{COOKIE}={cookie}".encode("latin-1"))]
    return Request({"type": "http", "method": "GET", "path": "/", "headers": headers})


async def test_a_session_lasts_for_hours_and_not_longer(sessions):
    request = request_with(cookie_of(sessions()))

    held = [await sessions(now=1_800_000_000.0 + age).holds(request) for age in (0, 28_799)]
    ended = await sessions(now=1_800_000_000.0 + 28_800).holds(request)
    assert (held, ended) == ([True, True], False)


async def test_a_session_outlives_one_change_of_the_key_and_no_second_one(sessions):
    request = request_with(cookie_of(sessions("first-admin-key-1")))

    assert await sessions("second-admin-key", "first-admin-key-1").holds(request)
    assert not await sessions("third-admin-key-3", "second-admin-key").holds(request)


def forgeries(sessions):
    cookie = cookie_of(sessions())
    until, nonce, signature = cookie.split(".")
    yield from ("", ".", "..", "1.2.3", "none", "x" * 5000, cookie.upper(), f"{cookie}x", "é")
    yield f"{int(until) + 1}.{nonce}.{signature}"
    yield f"{until}.{nonce[:-1]}0{'' if nonce[-1] != '0' else '1'}.{signature}"
    yield f"{until}.{nonce}.{'0' * 64}"
    yield f"{until}.{nonce}."
    yield f"{until}.{nonce}.{signature}.{signature}"
    yield f"{until}.{nonce}\r\n.{signature}"
    yield cookie_of(sessions("another-admin-key"))
    for key in (b"", KEY.encode(), hashlib.sha256(b"").digest()):
        made = hashlib.sha256(key + f"dashboard {until}.{nonce}".encode()).hexdigest()
        yield f"{until}.{nonce}.{made}"


async def test_a_forged_session_is_none(sessions):
    taken = [one for one in forgeries(sessions) if await sessions().holds(request_with(one))]

    assert taken == []


async def test_the_policy_allows_the_script_and_the_style_of_the_page_and_nothing_else(visitor):
    await sign_in(visitor)
    answer = await visitor.http.get("/dashboard")

    policy = dict(
        part.strip().partition(" ")[::2]
        for part in answer.headers["content-security-policy"].split(";")
    )
    [script] = re.findall(r"<script>(.*?)</script>", answer.text, re.DOTALL)
    [style] = re.findall(r"<style>(.*?)</style>", answer.text, re.DOTALL)
    assert policy == {
        "default-src": "'none'",
        "script-src": f"'{sha256(script)}'",
        "style-src": f"'{sha256(style)}'",
        "img-src": "data:",
        "connect-src": "'self'",
        "form-action": "'self'",
        "base-uri": "'none'",
        "frame-ancestors": "'none'",
        "require-trusted-types-for": "'script'",
        "trusted-types": "'none'",
    }
    assert answer.headers["cache-control"] == "no-store"


def sha256(text):
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


async def test_the_sign_in_page_runs_no_script_at_all(admin):
    policy = (await admin.http.get("/dashboard")).headers["content-security-policy"]

    assert "script-src" not in policy
    assert policy.startswith("default-src 'none'; style-src 'sha256-")


async def test_the_page_is_small_and_names_no_other_place(visitor):
    await sign_in(visitor)
    text = (await visitor.http.get("/dashboard")).text

    assert len(text.encode()) < 40_000
    places = re.findall(r"""(?:href|src|action)=["']?([^"' >]+)""", text)
    assert {one for one in places if not one.startswith("#")} == {
        "data:image/svg+xml,%3Csvg",
        "/dashboard/sign-out",
    }
    without_names = text.replace("http://www.w3.org/2000/svg", "")
    assert (
        re.findall(r"https?:|//[a-z]|innerHTML|insertAdjacent|document\.write", without_names)
        == []
    )


FOREIGN = [
    {"origin": "https://evil.example"},
    {"origin": "null"},
    {"origin": "http://localhost:1"},
    {"origin": "https://app.example"},
    {"sec-fetch-site": "cross-site"},
    {"sec-fetch-site": "same-site"},
]


@pytest.mark.parametrize("headers", FOREIGN, ids=str)
async def test_a_page_of_another_origin_can_neither_sign_in_nor_out_nor_read(visitor, headers):
    refused = await sign_in(visitor, **headers)
    await sign_in(visitor)

    out = await visitor.http.post("/dashboard/sign-out", headers=headers)
    data = await visitor.http.get("/dashboard/data", headers=headers)

    assert (refused.status_code, out.status_code, data.status_code) == (403, 403, 403)
    assert "set-cookie" not in refused.headers
    assert "access-control-allow-credentials" not in data.headers
    assert (await visitor.http.get("/dashboard")).status_code == 200


async def test_behind_a_proxy_its_own_pages_can_sign_in_and_the_cookie_needs_tls(serve):
    site = await serve(**ADMIN, SOURCEWRIGHT_PUBLIC_URL=PUBLIC, TRUST_PROXY="true")
    own = {"host": "research.example.org", "origin": PUBLIC, "sec-fetch-site": "same-origin"}

    answer = await sign_in(site, **own)

    assert answer.status_code == 303
    assert "; secure" in answer.headers["set-cookie"].lower()


async def test_a_proxy_may_replace_the_host_of_its_own_pages(serve):
    site = await serve(**ADMIN, SOURCEWRIGHT_PUBLIC_URL=PUBLIC)

    own = await sign_in(site, origin=PUBLIC)
    other = await sign_in(site, origin=f"{PUBLIC}:8443")

    assert (own.status_code, other.status_code) == (303, 403)


async def test_figures_follow_calls_failures_sources_caches_and_sessions(serve, internet):
    site = await serve(**ADMIN, CIRCUIT_FAILURE_THRESHOLD="1")
    before = await figures(site)
    call = site.application.call
    for _ in range(2):
        await call("web_search", {"query": "tidal power"})
    await call("sequential_search", STEP)
    await call("web_search", {"query": ""})
    internet.breaks("*duckduckgo.com", status=503)
    await call("web_search", {"query": "urban trees"})

    after = await figures(site)

    assert (before["tools"], before["recentErrors"], before["tenants"]) == ([], [], [])
    tools = {one["tool"]: one for one in after["tools"]}
    search = tools["web_search"]
    assert (search["calls"], search["errors"], search["recentFailed"]) == (4, 2, [2, 3])
    assert min(search["recentMs"]) <= search["medianMs"] <= search["p95Ms"] <= search["slowestMs"]
    assert after["recentErrors"][0].items() >= {"tool": "web_search", "tenant": "default"}.items()
    assert [sum(column) for column in zip(*after["minutes"], strict=True)] == [5, 2]
    assert (before["activeSessions"], after["activeSessions"]) == (0, 1)
    assert after["sessions"]["usedLately"] == 1
    memory = after["caches"][0]
    assert (memory["layer"], memory["hits"] > 0, memory["bytes"] > 0) == ("memory", True, True)
    sources = {one["name"]: one for one in after["sources"]}
    assert sources["wikipedia"]["calls"] == 1
    duck = sources["duckduckgo"]
    assert (duck["breaker"], duck["failedCalls"], 0 < duck["openSeconds"] <= 72) == (
        "open",
        1,
        True,
    )
    [tenant] = after["tenants"]
    assert (tenant["tenant"], tenant["calls"], tenant["errors"]) == ("default", 5, 2)
    assert after["problems"] == []


async def test_what_is_left_of_a_rate_limit_is_shown(serve):
    site = await serve(**ADMIN, SOURCEWRIGHT_SANDBOX_PACE="1")
    await site.application.call("econ_search", {"query": "GDP", "provider": "oecd"})
    await site.application.call("legal_search", {"query": "privacy"})

    sources = {one["name"]: one for one in (await figures(site))["sources"]}

    [budget] = sources["courtlistener"]["budgets"]
    assert budget["enforced"]
    assert budget["remaining"] == budget["starts"] - sources["courtlistener"]["calls"]


async def test_figures_have_what_other_tools_expect(admin):
    found = (await admin.http.get("/dashboard/data", headers={"x-admin-key": KEY})).json()

    assert found.keys() >= {
        "generatedAt", "version", "tools", "activeSessions", "rateLimit", "health", "recentErrors"
    }  # fmt: skip
    assert found["health"] == {"providers": [], "status": "healthy"}


async def test_a_figure_that_cannot_be_read_is_no_zero(site):
    path = site.application.services.parts.settings.sessions_path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.mkdir()

    found = await figures(site)

    assert found["activeSessions"] is None
    assert found["sessions"].keys() == {"problem"}


async def test_any_number_of_watchers_costs_one_reading_a_second(visitor):
    await sign_in(visitor)

    answers = await asyncio.gather(*(visitor.http.get("/dashboard/data") for _ in range(40)))

    assert len({answer.content for answer in answers}) <= 3
