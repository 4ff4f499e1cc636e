"""The admin key: who gets in under /admin, and that nobody else does."""

import ast
import inspect
import json

import pytest

from sourcewright.stores.quotas.ledger import SqliteQuotas
from sourcewright.web.admin import key
from sourcewright.web.admin.attempts import FailedAttempts
from sourcewright.web.admin.key import AdminKeys

pytestmark = pytest.mark.anyio

KEY, PREVIOUS = "a-current-admin-key", "the-previous-admin-key"
ADMIN = {"ADMIN_API_KEY": KEY, "ADMIN_API_KEY_PREV": PREVIOUS}
ANN = "/admin/consent?user_id=ann"
TRICKS = [
    "/admin/consent/",
    "/admin//consent",
    "//admin/consent",
    "/admin/./consent",
    "/admin/../admin/consent",
    "/health/../admin/consent",
    "/mcp/../admin/consent",
    "/admin/%2e%2e/admin/consent",
    "/%61dmin/consent",
    "/admin%2fconsent",
    "/admin/consent%00",
    "/admin/consent%20",
    "/admin/consent%2f",
    "/admin/consent;a=b",
    "/admin\\consent",
    "/Admin/consent",
    "/ADMIN/consent",
    "/admin/CONSENT",
    "/admin/consent/..",
    "/admin",
    "/admin/",
    "/admin/none",
]


@pytest.fixture(scope="module")
async def admin(start_site, one_world, tmp_path_factory):
    """One server with an admin key, for tests that fail to guess it only now and then."""
    async with start_site(one_world, tmp_path_factory.mktemp("admin"), **ADMIN) as started:
        yield started


def keyed(text=KEY, **headers):
    return {"x-admin-key": text, **headers}


def events(site):
    log = site.application.services.parts.settings.audit_output_path
    lines = log.read_text("utf-8").splitlines() if log.exists() else []
    return [json.loads(line) for line in lines]


async def raw(site, target, *lines):
    """Send a request line that no client would send; return the status and the body."""
    head = [f"GET {target} HTTP/1.1", "Host: localhost", "Connection: close", *lines]
    answer = await site.exchange("\r\n".join([*head, "", ""]).encode("latin-1"))
    return int(answer.split(b" ", 2)[1]), answer.partition(b"\r\n\r\n")[2]


async def test_without_a_key_there_is_no_administration(site):
    for path in ("/admin", "/admin/", ANN, "/admin/cache"):
        assert (await site.http.get(path, headers=keyed())).status_code == 404


async def test_the_operator_gets_in_and_every_use_is_recorded(serve):
    site = await serve(**ADMIN)

    answer = await site.http.get(ANN, headers=keyed(**{"x-request-id": "r-1"}))

    [event] = events(site)
    assert (answer.status_code, answer.json()["user_id"]) == (200, "ann")
    assert (event["event_type"], event["request_id"]) == ("admin.request", "r-1")
    assert event["metadata"] == {"method": "GET", "path": "/admin/consent"}
    assert event["source_ip"] == "127.0.0.1"


async def test_the_previous_key_is_accepted_and_each_use_of_it_is_recorded(serve):
    site = await serve(**ADMIN)

    assert (await site.http.get(ANN, headers=keyed(PREVIOUS))).status_code == 200

    kinds = [one["event_type"] for one in events(site)]
    assert kinds == ["auth.admin_key_prev_used", "admin.request"]


async def test_a_use_that_cannot_be_recorded_is_refused(serve, tmp_path):
    site = await serve(**ADMIN, AUDIT_OUTPUT_PATH=str(tmp_path / "a-folder"))
    (tmp_path / "a-folder").mkdir()
    body = {"user_id": "ann", "purpose": "memory", "granted": True}

    for text in (KEY, PREVIOUS):
        refused = await site.http.post("/admin/consent", json=body, headers=keyed(text))
        assert (refused.status_code, refused.json()["error"]) == (503, "audit_unavailable")

    history = await site.application.services.teams.data_subjects.erase(
        site.application.services.parts.owner(), dry_run=True
    )
    assert not any(one.count for one in history)


@pytest.mark.parametrize(
    "given",
    [
        [],
        [""],
        [KEY[:-1]],
        [KEY + "x"],
        [KEY.upper()],
        [f"{KEY} {KEY}"],
        [KEY, KEY],
        ["wrong", KEY],
        ["é" * 16],
        ["0" * 5000],
    ],
)
async def test_whoever_has_not_the_key_is_refused_and_learns_nothing(serve, given):
    site = await serve(**ADMIN)
    headers = [(b"x-admin-key", one.encode()) for one in given]

    bodies = [
        (answer.status_code, answer.json())
        for path in (ANN, "/admin/consent", "/admin/none", "/admin")
        for answer in [await site.http.get(path, headers=headers)]
    ]

    assert bodies == [(401, {"error": "unauthorized"})] * 4
    assert [one["event_type"] for one in events(site)] == (["auth.failure"] if any(given) else [])


async def test_a_key_that_no_header_may_contain_is_refused(admin):
    for given in ("\x7f" * 16, "\x00" * 16, f"{KEY}\x00", f"\x01{KEY}"):
        assert (await raw(admin, ANN, f"X-Admin-Key: {given}"))[0] == 400


async def test_the_key_is_not_taken_from_anywhere_but_its_header(admin):
    for path, headers in (
        (f"{ANN}&key={KEY}", {}),
        (f"{ANN}&x-admin-key={KEY}", {}),
        (ANN, {"authorization": f"Bearer {KEY}"}),
        (ANN, {"cookie": f"x-admin-key={KEY}"}),
        (ANN, {"x-api-key": KEY}),
    ):
        assert (await admin.http.get(path, headers=headers)).status_code == 401


@pytest.mark.parametrize("path", TRICKS)
async def test_no_other_spelling_of_a_path_reaches_an_endpoint(admin, path):
    assert (await raw(admin, path))[0] in {401, 404}
    status, body = await raw(admin, path + "?user_id=ann", f"X-Admin-Key: {KEY}")
    assert (status, b"history" in body) == (404, False)


async def test_a_target_with_a_host_is_no_path(admin):
    target = f"http://localhost{ANN}"
    assert (await raw(admin, target, f"X-Admin-Key: {KEY}"))[0] == 404


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "QUERY"])
async def test_another_method_is_refused_with_those_that_there_are(admin, method):
    assert (await admin.http.request(method, ANN)).status_code == 401

    answer = await admin.http.request(method, ANN, headers=keyed())

    assert (answer.status_code, answer.headers["allow"]) == (405, "GET, POST")


async def test_no_header_changes_the_method(admin):
    body = {"user_id": "ann", "purpose": "memory", "granted": True}
    answer = await admin.http.put(
        "/admin/consent", json=body, headers=keyed(**{"x-http-method-override": "POST"})
    )
    assert answer.status_code == 405


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "http://localhost:1"},
        {"origin": "https://app.example"},
        {"origin": "http://127.0.0.1"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
async def test_a_page_of_another_origin_changes_nothing_even_with_the_key(admin, headers):
    body = {"user_id": "eve", "purpose": "memory", "granted": True}

    answer = await admin.http.post("/admin/consent", json=body, headers=keyed(**headers))

    kept = await admin.http.get("/admin/consent?user_id=eve", headers=keyed())
    assert (answer.status_code, kept.json()["history"]) == (403, [])


async def test_a_page_of_the_server_itself_may_use_the_key(admin):
    own = {"origin": f"http://127.0.0.1:{admin.port}", "sec-fetch-site": "same-origin"}
    assert (await admin.http.get(ANN, headers=keyed(**own))).status_code == 200


@pytest.mark.parametrize("media_type", ["text/plain", "application/x-www-form-urlencoded", ""])
async def test_a_form_of_a_browser_is_not_taken_for_json(admin, media_type):
    body = json.dumps({"user_id": "fay", "purpose": "memory", "granted": True})

    answer = await admin.http.post(
        "/admin/consent", content=body, headers=keyed(**{"content-type": media_type})
    )

    assert (answer.status_code, "Content-Type" in answer.json()["message"]) == (400, True)


async def test_after_ten_wrong_keys_guesses_are_refused_and_the_right_key_is_not(serve):
    site = await serve(**ADMIN, TRUST_PROXY="true")

    def sent(text, address="192.0.2.7"):
        return site.http.get(ANN, headers=keyed(text, **{"x-forwarded-for": address}))

    answers = [await sent(f"guess number {n}") for n in range(14)]
    right = await sent(KEY)

    assert [one.status_code for one in answers] == [401] * 10 + [429] * 4
    assert 1 <= int(answers[-1].headers["retry-after"]) <= 6
    assert right.status_code == 200
    assert (await sent(PREVIOUS)).status_code == 200
    assert (await sent("guess number 15")).status_code == 429
    assert (await sent("a wrong key there", "192.0.2.8")).status_code == 401


class Clock:
    """A clock that the test sets."""

    def __init__(self):
        self.seconds = 1000.0

    def now(self):
        return self.seconds


async def test_an_address_may_try_again_when_its_time_is_over(tmp_path):
    clock = Clock()
    ledger = SqliteQuotas(tmp_path / "limits.sqlite3")
    failed = FailedAttempts(ledger=ledger, clock=clock, key="admin")
    waits = [await failed.count("2001:db8::1") for _ in range(1000)]

    assert [wait > 0 for wait in waits] == [False] * 10 + [True] * 990
    assert await failed.wait("2001:db8::2") > 0, "the same network"
    assert await failed.wait("2001:db8:0:1::1") == 0
    clock.seconds += await failed.wait("2001:db8::1")
    assert await failed.wait("2001:db8::1") == 0
    assert await failed.count("2001:db8::1") > 0
    await ledger.aclose()


async def test_without_a_count_of_wrong_keys_nobody_is_let_in(serve):
    site = await serve(**ADMIN)
    site.application.services.parts.settings.quotas_path.mkdir(parents=True)

    answer = await site.http.get(ANN, headers=keyed())

    assert (answer.status_code, answer.json()) == (503, {"error": "temporarily_unavailable"})


def test_each_key_matches_itself_alone():
    keys = AdminKeys(KEY, PREVIOUS)
    assert (keys.match(KEY), keys.match(PREVIOUS), keys.match("")) == ("current", "previous", None)
    assert AdminKeys(KEY).match("") is None


def test_keys_are_compared_only_as_digests_and_in_constant_time():
    """By construction: `match` decides by nothing but two calls of `compare_digest`."""
    [match] = [
        node
        for node in ast.walk(ast.parse(inspect.getsource(key)))
        if isinstance(node, ast.FunctionDef) and node.name == "match"
    ]
    called = [ast.unparse(node) for node in ast.walk(match) if isinstance(node, ast.Call)]
    branches = [ast.unparse(node.test) for node in ast.walk(match) if isinstance(node, ast.IfExp)]

    assert sorted(called) == [
        "_digest(given)",
        "hmac.compare_digest(digest, self._current)",
        "hmac.compare_digest(digest, self._previous)",
    ]
    assert branches == ["is_current", "is_previous"]
    assert not [node for node in ast.walk(match) if isinstance(node, ast.Compare | ast.If)]
    assert {len(key._digest(text)) for text in ("", KEY, "x" * 10_000)} == {32}
