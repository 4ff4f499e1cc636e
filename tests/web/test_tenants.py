"""Tenants: nothing of one is ever seen by another, whatever is called and read."""

import asyncio
import json
from functools import cached_property

import identity
import pytest
from identity import SIGN_IN, token

from sourcewright.wiring.parts import SharedParts
from sourcewright.wiring.tenancy import TenantParts

pytestmark = pytest.mark.anyio

ADA = {"tenant_id": "north", "sub": "ada"}
BEN = {"tenant_id": "north", "sub": "ben"}
CLEO = {"tenant_id": "south", "sub": "ada"}
DORA = {"tenant_id": ..., "sub": "dora"}
CALLERS = {"ada": ADA, "ben": BEN, "cleo": CLEO, "dora": DORA}
MARK = "zebrafish-mark"
"""A word that only one caller uses; nobody else may ever read it."""
STEP = {
    "searchStep": f"begin with {MARK}",
    "stepNumber": 1,
    "totalStepsEstimate": 2,
    "nextStepNeeded": True,
    "researchGoal": MARK,
}
PAPER = "10.5555/fine-paper"


@pytest.fixture
async def site(serve, internet):
    identity.IdentityProvider(internet)
    return await serve(**SIGN_IN)


async def call(site, who, tool, **arguments):
    """Call a tool as one of the callers; give the structured answer."""
    params = {"name": tool, "arguments": arguments}
    return (await request(site, who, "tools/call", params))["result"]["structuredContent"]


async def request(site, who, method, params):
    answer = await site.post(method, params, authorization=f"Bearer {token(**CALLERS[who])}")
    assert answer.status_code == 200, answer.text
    return json.loads(answer.text.partition("data: ")[2])


async def read(site, who, uri):
    """The text of a resource, or that of the error."""
    return json.dumps(await request(site, who, "resources/read", {"uri": uri}))


@pytest.mark.promise("guard.tenants-stay-apart")
async def test_a_session_belongs_to_the_user_who_began_it(site):
    begun = (await call(site, "ada", "sequential_search", **STEP))["sessionId"]

    for who in ("ben", "cleo", "dora"):
        found = await call(site, who, "get_research_session", sessionId=begun)
        more = await call(
            site, who, "sequential_search", **STEP | {"stepNumber": 2}, sessionId=begun
        )
        sent = await call(site, who, "research_export", sessionId=begun)
        assert [MARK in json.dumps(one) for one in (found, sent)] == [False, False]
        assert "error" in found
        assert "error" in more
        assert "error" in sent
    own = await call(site, "ada", "get_research_session", sessionId=begun)
    assert (own["sessionId"], own["currentStep"]) == (begun, 1)


@pytest.mark.promise("guard.tenants-stay-apart")
async def test_a_paper_is_in_the_library_of_its_tenant_only(site):
    fetched = await call(site, "ada", "doiget_fetch_paper", ref=PAPER)

    shelves = {who: (await call(site, who, "doiget_list_recent"))["entries"] for who in CALLERS}
    found = {
        who: (await call(site, who, "doiget_search_local", query="paper"))["results"]
        for who in CALLERS
    }

    assert fetched["ok"] is True
    assert {who: len(some) for who, some in shelves.items()} == {
        "ada": 1,
        "ben": 1,
        "cleo": 0,
        "dora": 0,
    }
    assert {who: bool(some) for who, some in found.items()} == {
        "ada": True,
        "ben": True,
        "cleo": False,
        "dora": False,
    }


async def test_nobody_names_a_folder_outside_the_tenant_s(site, tmp_path):
    secret = tmp_path / "private"
    places = ["..", "../..", str(secret), "/tmp", "~root", "downloads/../../..", "~/../x", "/"]

    answers = [
        await call(site, "cleo", "paper_download", identifier=PAPER, output_dir=place)
        for place in places
    ]

    assert not secret.exists()
    assert [bool(answer.get("path")) for answer in answers] == [False] * len(places)


async def test_an_artifact_is_read_by_the_user_who_received_it(serve, internet):
    identity.IdentityProvider(internet)
    site = await serve(**SIGN_IN, SOURCEWRIGHT_LINK_BYTES="1024")
    long = STEP | {"searchStep": f"{MARK} and {'more ' * 300}"}
    begun = (await call(site, "ada", "sequential_search", **long))["sessionId"]
    uri = (await call(site, "ada", "research_export", sessionId=begun))["resource"]

    texts = {who: await read(site, who, uri) for who in CALLERS}

    assert [who for who, text in texts.items() if MARK in text] == ["ada"]


@pytest.mark.promise("guard.tenants-stay-apart")
async def test_every_resource_shows_a_tenant_its_own_and_nothing_else(site):
    await call(site, "ada", "sequential_search", **STEP)
    await call(site, "ada", "doiget_resolve_paper", ref=f"10.5555/{MARK}")
    listed = (await request(site, "cleo", "resources/list", {}))["result"]["resources"]

    texts = [await read(site, "cleo", one["uri"]) for one in listed]
    tools = json.loads(
        json.loads(await read(site, "cleo", "stats://tools"))["result"]["contents"][0]["text"]
    )
    sessions = json.loads(
        json.loads(await read(site, "cleo", "stats://sessions"))["result"]["contents"][0]["text"]
    )

    assert len(texts) >= 6
    assert not any(MARK in text for text in texts)
    assert tools["tools"] == []
    assert sessions["count"] == 0
    assert MARK in await read(site, "ada", "diagnostics://errors/recent")
    assert MARK not in await read(site, "cleo", "diagnostics://errors/recent")


ATTEMPTS = [
    {"tenant_id": "north"},
    {"tenantId": "north", "userId": "ada"},
    {"tenant": "north"},
    {"user_id": "ada"},
    {"_meta": {"tenant_id": "north"}},
]
HEADERS = [
    {"x_tenant_id": "north"},
    {"x_user_id": "ada"},
    {"x_forwarded_user": "ada"},
    {"x_forwarded_for": "127.0.0.1"},
    {"mcp_session_id": "session"},
    {"cookie": "tenant_id=north"},
    {"forwarded": "for=127.0.0.1"},
]
SPELLINGS = [
    lambda known: known,
    lambda known: f"north:ada:{known}",
    lambda known: f"../ada/{known}",
    lambda known: f"{known}\x00",
    lambda known: known.upper(),
    lambda known: f"{known}%00",
    lambda known: f" {known} ",
    lambda known: f'["session","internet","north","ada","{known}"]',
]


async def test_nothing_but_the_token_says_who_calls(site):
    begun = (await call(site, "ada", "sequential_search", **STEP))["sessionId"]
    responses = []
    for extra in ATTEMPTS:
        params = {"name": "get_research_session", "arguments": {"sessionId": begun, **extra}}
        responses.append(await request(site, "cleo", "tools/call", params))
        params = {"name": "get_research_session", "arguments": {"sessionId": begun}, **extra}
        responses.append(await request(site, "cleo", "tools/call", params))
    bearer = {"authorization": f"Bearer {token(**CLEO)}"}
    params = {"name": "get_research_session", "arguments": {"sessionId": begun}}
    responses += [(await site.post("tools/call", params, **bearer, **one)).text for one in HEADERS]
    responses += [
        await call(site, "cleo", tool, sessionId=spelling(begun))
        for spelling in SPELLINGS
        for tool in ("get_research_session", "research_export", "format_bibliography")
    ]

    assert len(responses) >= 40
    assert not any(MARK in json.dumps(one) for one in responses)


async def test_names_that_look_alike_are_different_tenants(site):
    names = [
        "north",
        "North",
        "north ",
        "n\N{CYRILLIC SMALL LETTER O}rth",
        "north/",
        "north:ada",
        "default ",
    ]
    begun = (await call(site, "ada", "sequential_search", **STEP))["sessionId"]
    params = {"name": "get_research_session", "arguments": {"sessionId": begun}}

    answers = [
        await site.post(
            "tools/call", params, authorization=f"Bearer {token(tenant_id=name, sub='ada')}"
        )
        for name in names
    ]

    assert [MARK in answer.text for answer in answers] == [True] + [False] * (len(names) - 1)


async def test_more_tenants_than_are_kept_open_may_call_at_once(site):
    async def find(number):
        own = token(tenant_id=f"tenant-{number}", sub="ada")
        params = {"name": "doiget_search_local", "arguments": {"query": MARK}}
        return await site.post("tools/call", params, authorization=f"Bearer {own}")

    for first in range(0, 160, 40):
        answers = await asyncio.gather(*(find(first + number) for number in range(40)))
        assert {one.status_code for one in answers} == {200}
        assert all('"ok":true' in one.text for one in answers)


@pytest.mark.promise("guard.tenants-stay-apart")
async def test_calls_of_many_tenants_at_once_stay_apart(site):
    async def begin(number):
        who = token(tenant_id=f"tenant-{number % 7}", sub=f"user-{number}")
        params = {
            "name": "sequential_search",
            "arguments": {**STEP, "searchStep": f"mark-{number}-end", "researchGoal": "g"},
        }
        answer = await site.post("tools/call", params, authorization=f"Bearer {who}")
        return who, json.loads(answer.text.partition("data: ")[2])["result"]["structuredContent"]

    begun = await asyncio.gather(*map(begin, range(28)))

    async def look(number, viewer):
        params = {
            "name": "get_research_session",
            "arguments": {"sessionId": begun[number][1]["sessionId"]},
        }
        answer = await site.post("tools/call", params, authorization=f"Bearer {begun[viewer][0]}")
        return f"mark-{number}-end" in answer.text

    seen = await asyncio.gather(*(look(n, v) for n in range(28) for v in (n, (n + 7) % 28)))
    assert seen == [True, False] * 28


@pytest.mark.parametrize(("isolation", "searches"), [("tenant", 2), ("shared", 1)])
async def test_tenants_share_cached_responses_only_if_the_operator_says_so(
    serve, internet, isolation, searches
):
    identity.IdentityProvider(internet)
    site = await serve(**SIGN_IN, CACHE_ISOLATION=isolation)
    question = {"query": "tidal energy storage", "provider": "wikipedia"}

    for who in ("ada", "ben", "cleo"):
        assert (await call(site, who, "web_search", **question))["resultCount"]

    requests = internet.requests_to("en.wikipedia.org")
    one_search = len(requests) // searches
    assert (len(requests) % searches, one_search > 0) == (0, True)
    assert len({one.query for one in requests}) == one_search


@pytest.mark.promise("guard.tenants-stay-apart")
async def test_every_tool_answers_two_tenants_without_a_word_of_the_other(site):
    """Each tool is called with the mark by one tenant, then without it by the other."""
    tools = (await request(site, "ada", "tools/list", {}))["result"]["tools"]
    responses = []
    for tool in tools:
        texts = {
            name: MARK
            for name, schema in tool["inputSchema"].get("properties", {}).items()
            if schema.get("type") == "string" and "enum" not in schema
        }
        await request(site, "ada", "tools/call", {"name": tool["name"], "arguments": texts})
        params = {"name": tool["name"], "arguments": {}}
        responses.append(json.dumps(await request(site, "cleo", "tools/call", params)))

    assert len(responses) == len(tools) > 20
    assert not any(MARK in text for text in responses)


def test_every_shared_part_is_one_for_all_tenants():
    """A part that is added later must say whether tenants share it."""
    shared = {
        name for name, part in vars(SharedParts).items() if isinstance(part, cached_property)
    }

    assert shared - set(vars(TenantParts)) == {*("api_keys", "inventory", "key_file", "quotas")}


@pytest.mark.promise("guard.tenants-stay-apart")
async def test_the_content_of_a_paper_is_read_by_its_tenant_only(site):
    fetched = await call(site, "ada", "doiget_fetch_paper", ref=PAPER)
    key = fetched["path"].rpartition("/")[2].removesuffix(".pdf")

    texts = {who: await call(site, who, "read_paper", ref=PAPER) for who in CALLERS}
    pdfs = {who: await read(site, who, f"paper://{key}/pdf") for who in CALLERS}

    assert {who for who, text in texts.items() if "content" in text} == {"ada", "ben"}
    assert {who for who, pdf in pdfs.items() if '"blob"' in pdf} == {"ada", "ben"}
