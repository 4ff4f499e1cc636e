"""Tool calls over HTTP are answered as the SDK's own transport would answer them."""

import json

import pytest

pytestmark = pytest.mark.anyio

ERAS = ["2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"]
META = "io.modelcontextprotocol/"
BOTH = "application/json, text/event-stream"
HEALTH = {"name": "doiget_health", "arguments": {}}
CALLS = {
    "an answer": HEALTH,
    "no arguments": {"name": "doiget_health"},
    "null arguments": {"name": "doiget_health", "arguments": None},
    "an error of the tool": {"name": "doiget_resolve_paper", "arguments": {"ref": "nonsense"}},
    "an unknown argument": {"name": "doiget_health", "arguments": {"x": 1}},
    "an unknown tool": {"name": "no_such_tool", "arguments": {}},
    "no name": {"arguments": {}},
    "a number as name": {"name": 7, "arguments": {}},
    "a list of arguments": {"name": "doiget_health", "arguments": []},
    "odd metadata": {**HEALTH, "_meta": {"progressToken": []}},
    "a further parameter": {**HEALTH, "more": 1},
}


@pytest.fixture(scope="module")
async def site(one_world, start_site, tmp_path_factory):
    """One server for all tests of this file, with room for all of their requests."""
    limits = {"RATE_LIMIT_PER_IP": "100000", "RATE_LIMIT_PER_TENANT": "100000"}
    async with start_site(one_world, tmp_path_factory.mktemp("calls"), **limits) as started:
        yield started


async def call(site, era, params, *, accept=BOTH, request_id=1, changes=None):
    """Call a tool; a client that accepts `*/*` is answered by the SDK's transport."""
    headers = {"accept": accept, "mcp-protocol-version": era}
    if era == ERAS[-1]:
        own = {f"{META}protocolVersion": era, f"{META}clientCapabilities": {}}
        params = {**params, "_meta": {**own, **params.get("_meta", {})}}
        headers |= {"mcp-method": "tools/call", "mcp-name": str(params.get("name", ""))}
    body = {"jsonrpc": "2.0", "id": request_id, "method": "tools/call", "params": params}
    answer = await site.http.post("/mcp", json={**body, **(changes or {})}, headers=headers)
    kind = answer.headers.get("content-type", "").partition(";")[0]
    events = [line for line in answer.text.splitlines() if line.startswith("data: ")]
    data = events[-1].removeprefix("data: ") if events else answer.text
    return answer.status_code, kind, _comparable(json.loads(data or "null"))


def _comparable(value):
    """Drop what differs from call to call, such as times and counts."""
    if isinstance(value, dict):
        named = {key: _comparable(one) for key, one in value.items() if key != "text"}
        return named if "structuredContent" not in named else {**named, "structuredContent": 0}
    return [_comparable(one) for one in value] if isinstance(value, list) else value


@pytest.mark.parametrize("era", ERAS)
async def test_every_call_is_answered_as_the_sdk_would_answer_it(site, era):
    for name, params in CALLS.items():
        ours = await call(site, era, params)
        assert ours == await call(site, era, params, accept="*/*"), name


@pytest.mark.parametrize("era", ERAS)
async def test_the_same_message_is_refused_as_the_sdk_would_refuse_it(site, era):
    for changes in (
        {"jsonrpc": "1.0"},
        {"id": None},
        {"id": True},
        {"id": [1]},
        {"params": []},
        {"method": "tools/none"},
        {"method": 7},
    ):
        ours = await call(site, era, HEALTH, changes=changes)
        assert ours == await call(site, era, HEALTH, accept="*/*", changes=changes), changes


@pytest.mark.parametrize("request_id", ["a", "7", 7, -1, 2**53])
@pytest.mark.parametrize("era", ERAS)
async def test_an_answer_has_the_id_of_its_request(site, era, request_id):
    _, _, message = await call(site, era, HEALTH, request_id=request_id)

    assert (message["id"], type(message["id"])) == (request_id, type(request_id))


async def test_headers_that_contradict_the_message_are_refused(site):
    era = ERAS[-1]
    meta = {f"{META}protocolVersion": era, f"{META}clientCapabilities": {}}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
    body["params"] = {**HEALTH, "_meta": meta}
    good = {"accept": BOTH, "mcp-protocol-version": era, "mcp-method": "tools/call"}

    async def status(changes):
        headers = list({**good, "mcp-name": "doiget_health"}.items()) + changes
        return (await site.http.post("/mcp", json=body, headers=headers)).status_code

    assert await status([]) == 200
    for change in ("mcp-name", "mcp-method", "mcp-protocol-version"):
        assert await status([(change, "web_search")]) == 400


async def test_a_call_that_reports_progress_is_a_stream_of_events(site):
    params = {"name": "doiget_resolve_paper", "arguments": {"ref": "10.5555/fine-paper"}}
    meta = {f"{META}protocolVersion": ERAS[-1], f"{META}clientCapabilities": {}}
    headers = {"accept": BOTH, "mcp-protocol-version": ERAS[-1]}
    headers |= {"mcp-method": "tools/call", "mcp-name": params["name"]}
    body = {"jsonrpc": "2.0", "id": 5, "method": "tools/call"}
    body["params"] = {**params, "_meta": {**meta, "progressToken": "p"}}

    answer = await site.http.post("/mcp", json=body, headers=headers)

    lines = [line for line in answer.text.splitlines() if line.startswith("data: ")]
    *notes, result = [json.loads(line.removeprefix("data: ")) for line in lines]
    assert answer.headers["content-type"] == "text/event-stream"
    assert {note["params"]["progressToken"] for note in notes} == {"p"}
    assert (result["id"], result["result"]["isError"]) == (5, False)


@pytest.mark.parametrize("era", ERAS)
async def test_the_structured_content_is_that_of_the_text_in_every_script(site, era):
    query = 'Łódź "quoted" \\ 東京 \N{GRINNING FACE} \u2028 \u2029 end'
    params = {"name": "web_search", "arguments": {"query": query}}
    headers = {"accept": BOTH, "mcp-protocol-version": era}
    if era == ERAS[-1]:
        params["_meta"] = {f"{META}protocolVersion": era, f"{META}clientCapabilities": {}}
        headers |= {"mcp-method": "tools/call", "mcp-name": "web_search"}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}

    answer = await site.http.post("/mcp", json=body, headers=headers)

    # Some clients split events at every line separator that Unicode knows.
    lines = answer.text.splitlines() if era != ERAS[-1] else [answer.text]
    [data] = [line.removeprefix("data: ") for line in lines if "jsonrpc" in line]
    result = json.loads(data)["result"]
    assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
    assert result["structuredContent"]["query"] == query


FAMILIES = {
    "doiget_resolve_paper": lambda result: result["structuredContent"]["error"]["code"],
    "paper_metadata": lambda result: result["structuredContent"]["code"],
    "web_search": lambda result: result["structuredContent"]["error"]["kind"],
}
"""What went wrong, in the words of each family."""


@pytest.mark.parametrize("arguments", [[], ["10.5555/fine-paper"], "10.5555/fine-paper", 7, True])
@pytest.mark.parametrize("era", ERAS)
async def test_arguments_that_are_no_object_are_the_familys_error(site, era, arguments):
    headers = {"accept": BOTH, "mcp-protocol-version": era}
    own = {f"{META}protocolVersion": era, f"{META}clientCapabilities": {}}
    for name, error in FAMILIES.items():
        params = {"name": name, "arguments": arguments}
        if era == ERAS[-1]:
            params["_meta"] = own
            headers |= {"mcp-method": "tools/call", "mcp-name": name}
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        answer = await site.http.post("/mcp", json=body, headers=headers)

        line = answer.text.partition("data: ")[2] or answer.text
        result = json.loads(line)["result"]
        assert error(result) in ("INVALID_REF", "validation")
        assert "arguments: must be an object" in result["content"][0]["text"]


async def test_a_name_that_is_no_tool_is_answered_with_the_nearest(site):
    nearest = {
        "search_web": "web_search",
        "websearch": "web_search",
        "scrape": "scrape_page",
        "fetch-paper": "doiget_fetch_paper",
        "VERIFY_CITATIONS": "verify_citation",
    }
    for name, expected in nearest.items():
        _, _, answer = await call(site, ERAS[2], {"name": name, "arguments": {}})

        assert answer["error"]["data"]["suggestions"][0] == expected
        assert answer["error"]["message"].startswith(
            f"Unknown tool: {name}. Did you mean {expected}"
        )
    for name in ("zzzz", "x" * 100_000):
        _, _, answer = await call(site, ERAS[2], {"name": name, "arguments": {}})

        assert "data" not in answer["error"]
        assert len(answer["error"]["message"]) < 200


ODD_IDS = ["1e999", "-1e999", "NaN", "Infinity", "1.5", "true", "null", "{}", "[]"]


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("method", ["tools/call", "ping"])
async def test_an_id_that_is_none_is_refused_and_not_taken_for_a_notification(site, era, method):
    headers = {"accept": BOTH, "content-type": "application/json", "mcp-protocol-version": era}
    params = json.dumps(HEALTH if method == "tools/call" else {})

    for request_id in ODD_IDS:
        body = f'{{"jsonrpc":"2.0","id":{request_id},"method":"{method}","params":{params}}}'
        answer = await site.http.post("/mcp", content=body, headers=headers)

        assert answer.status_code == 400
        assert answer.json()["id"] is None
        assert answer.json()["error"]["code"] in (-32600, -32700)


@pytest.mark.parametrize("request_id", ["", 0, -7, 2**64, "x" * 100_000])
async def test_every_other_id_comes_back(site, request_id):
    _, _, answer = await call(site, ERAS[0], HEALTH, request_id=request_id)

    assert answer["id"] == request_id


@pytest.mark.parametrize("era", ERAS)
async def test_a_message_of_too_many_values_is_refused_before_it_is_parsed(site, era):
    keys = ",".join(f'"k{at}":1' for at in range(750_000))
    body = f'{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"arguments":{{{keys}}}}}'
    headers = {"accept": BOTH, "content-type": "application/json", "mcp-protocol-version": era}

    # It is no JSON, as its last bracket is missing: that would be found by parsing it.
    refused = await site.http.post("/mcp", content=body, headers=headers)
    deep = await site.http.post("/mcp", content=b"[" * 300 + b"]" * 300, headers=headers)

    assert (refused.status_code, refused.json()["error"]["code"]) == (400, -32600)
    assert "more than 250000 values" in refused.json()["error"]["message"]
    assert (deep.status_code, deep.json()["error"]["code"]) == (400, -32700)
