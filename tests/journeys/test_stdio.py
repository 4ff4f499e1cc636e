"""The real server over real pipes."""

import json
import signal
import subprocess
import sys
from contextlib import contextmanager
from functools import partial

import anyio
import jsonschema
import killable_server
import pytest
import warm_python
from anyio import to_thread
from mcp.shared.exceptions import MCPError

from sourcewright import manifest, tools
from sourcewright.settings import TABLE, TOOLSETS

pytestmark = pytest.mark.anyio

SPECS = tools.discover()
MODES = ["legacy", "auto"]
SERVE = [sys.executable, "-m", "sourcewright", "serve"]
GREETING = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}


UNCONFIGURED = [
    *(
        option["provider"]
        for option in manifest.load()["options"]
        if (option["required"] and not option["contact"])
        or (option["name"], option["default"]) == ("enabled", False)
    ),
    *(one.name for one in TABLE if one.lists_tools),
]
"""What needs more than the contact address, which the sandbox has: sources, and settings."""


def wire_form(tools):
    return [tool.model_dump(by_alias=True, mode="json", exclude_none=True) for tool in tools]


def says_the_same(spec, result):
    """Whether the text has the form that its family gives it, and the content that it can carry."""
    text = result.content[0].text
    if spec.text_form == "markdown":
        return text.startswith("# ")
    if spec.family == "research" and result.is_error:
        sentence, _, text = text.partition("\n\n")
        assert sentence
    return json.loads(text) == result.structured_content


@pytest.mark.parametrize("mode", MODES)
async def test_the_tools_stay_the_same_and_every_answer_meets_its_schema(connected, mode):
    async with connected(mode) as client:
        before = (await client.list_tools()).tools
        results = {tool.name: await client.call_tool(tool.name, {}) for tool in before}
        after = (await client.list_tools()).tools

    assert wire_form(before) == wire_form(after) == manifest.offered(TOOLSETS, UNCONFIGURED)
    for tool in before:
        result = results[tool.name]
        jsonschema.validate(result.structured_content, tool.output_schema)
        assert says_the_same(SPECS[tool.name], result)
        assert result.meta["sandbox"] is True


async def test_ill_typed_arguments_are_an_answer_and_not_a_protocol_error(connected):
    async with connected() as client:
        result = await client.call_tool("doiget_resolve_paper", {"ref": 7, "mood": "good"})

    assert result.structured_content["error"]["code"] == "INVALID_REF"
    assert not result.is_error


@pytest.mark.promise("wire.cancelling-stops-the-work")
async def test_giving_up_a_call_ends_its_request_upstream(connected, internet):
    internet.delays("api.crossref.org", seconds=60)

    async with connected() as client:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(client.call_tool, "doiget_resolve_paper", {"ref": "10.1234/slow"})
            requested = await happened(internet.waits_for_request)
            tasks.cancel_scope.cancel()
        left = await happened(internet.waits_for_hang_up)
        health = await client.call_tool("doiget_health", {})

    assert requested
    assert left
    assert health.structured_content["ok"] is True


async def happened(wait):
    return await to_thread.run_sync(partial(wait, "api.crossref.org", seconds=30))


def test_a_thousand_slow_calls_do_not_delay_a_quick_one(environment, internet, tmp_path):
    internet.delays("*", seconds=60)
    slow = [("doiget_resolve_paper", {"ref": f"10.1234/{number}"}) for number in range(1000)]
    lines = [
        {"id": "greet", "method": "initialize", "params": GREETING},
        *(
            {"id": number, "method": "tools/call", "params": {"name": name, "arguments": given}}
            for number, (name, given) in enumerate([*slow, ("doiget_health", {})])
        ),
    ]

    with warm_python.Popen(
        SERVE,
        env={**environment, "SOURCEWRIGHT_SANDBOX_PACE": "1"},
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as server:
        for line in lines:
            server.stdin.write(json.dumps({"jsonrpc": "2.0", **line}).encode() + b"\n")
        server.stdin.flush()
        answers = [json.loads(server.stdout.readline()) for _ in range(2)]
        server.kill()

    assert [answer["id"] for answer in answers] == ["greet", 1000]


QUICK = [
    ("tools/call", {"name": "doiget_health", "arguments": {}}),
    ("tools/call", {"name": "doiget_capability_profile", "arguments": {}}),
    ("tools/call", {"name": "doiget_info", "arguments": {"ref": "10.1234/a"}}),
    ("tools/call", {"name": "doiget_list_recent", "arguments": {}}),
    ("resources/read", {"uri": "stats://tools"}),
    ("resources/list", {}),
    (
        "completion/complete",
        {
            "ref": {"type": "ref/resource", "uri": "lenses://catalog"},
            "argument": {"name": "lens", "value": ""},
        },
    ),
    ("tools/list", {}),
    ("ping", {}),
]


def test_a_flood_of_calls_that_work_hard_lets_quick_ones_pass(environment, tmp_path):
    flood = [
        ("tools/call", {"name": "doiget_resolve_paper", "arguments": {"ref": f"10.1234/{number}"}})
        for number in range(1000)
    ]

    with serving(environment, tmp_path) as server:
        say(server, "greet", "initialize", GREETING)
        for number, (method, params) in enumerate(flood):
            say(server, number, method, params)
        for number, (method, params) in enumerate(QUICK):
            say(server, f"quick {number}", method, params)
        order = []
        while sum(str(one).startswith("quick") for one in order) < len(QUICK):
            order.append(json.loads(server.stdout.readline())["id"])
        server.kill()

    overtaking = [one for one in order if isinstance(one, int)]
    assert len(overtaking) < 100


@contextmanager
def serving(environment, folder):
    with warm_python.Popen(
        SERVE, env=environment, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as server:
        yield server


def say(server, request_id, method, params):
    body = {"jsonrpc": "2.0", "id": request_id, "method": method, "params": params}
    server.stdin.write(json.dumps(body).encode() + b"\n")
    server.stdin.flush()


ENDLESS = {
    "doiget_resolve_paper": {"ref": "10.1234/slow"},
    "doiget_batch_fetch": {"refs": ["10.1234/slow"]},
    "paper_metadata": {"identifier": "10.1234/slow"},
    "paper_download": {"identifier": "10.1234/slow"},
    "scrape_page": {"url": "https://en.wikipedia.org/wiki/Estuary"},
}


def test_calls_that_the_end_of_input_cuts_off_are_answered_by_their_family(
    environment, internet, tmp_path
):
    internet.delays("*", seconds=60)

    with serving(environment, tmp_path) as server:
        say(server, "greet", "initialize", GREETING)
        for name, given in ENDLESS.items():
            say(server, name, "tools/call", {"name": name, "arguments": given})
        output, _ = server.communicate(timeout=300)

    answers = {one["id"]: one for one in map(json.loads, output.splitlines())}
    for name in ENDLESS:
        result = answers[name]["result"]
        jsonschema.validate(result["structuredContent"], SPECS[name].listing()["outputSchema"])
        assert "the call was stopped before it finished" in result["content"][0]["text"]
        assert result["isError"] is (SPECS[name].family != "doiget")
    failure = answers["doiget_resolve_paper"]["result"]["structuredContent"]
    assert (failure["ok"], failure["ref"]) == (False, "10.1234/slow")
    assert failure["error"]["disposition"] == "retry_after"
    events = [
        json.loads(line) for line in (tmp_path / "state" / "audit.jsonl").read_text().splitlines()
    ]
    assert {one["tool_name"] for one in events if one["error_code"] == "CANCELLED"} == set(ENDLESS)


async def test_a_toolset_that_is_not_wanted_is_neither_listed_nor_called(connected):
    async with connected(TOOLSETS="downloads") as client:
        before = (await client.list_tools()).tools
        with pytest.raises(MCPError, match="Unknown tool: doiget_health"):
            await client.call_tool("doiget_health", {})
        after = (await client.list_tools()).tools

    assert before == after
    assert {SPECS[tool.name].toolset for tool in after} == {"downloads"}


OFFERED = [toolset for toolset in TOOLSETS if manifest.names([toolset])]
EMPTY = [["--toolset", toolset] for toolset in TOOLSETS if toolset not in OFFERED]


@pytest.mark.parametrize("words", [["--toolset="], ["--toolset", " "], *EMPTY])
def test_a_server_that_would_offer_nothing_says_which_toolsets_there_are(
    environment, tmp_path, words
):
    done = warm_python.run(
        [*SERVE, *words],
        env=environment,
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith(f"{', '.join(OFFERED)}\n")


async def test_a_variable_that_names_no_toolset_is_as_good_as_none(connected):
    async with connected(TOOLSETS="") as client:
        listed = (await client.list_tools()).tools

    assert {tool.name for tool in listed} == set(manifest.names(TOOLSETS, UNCONFIGURED))


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("when", ["while it starts", "while it serves"])
def test_a_signal_leaves_no_folder_of_the_sandbox_behind(environment, tmp_path, number, when):
    folder = tmp_path / "temporary"
    folder.mkdir()
    with warm_python.Popen(
        [*SERVE, "--sandbox"],
        env={**environment, "TMPDIR": str(folder)},
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as server:
        assert b"the simulated internet is at" in server.stderr.readline()
        if when == "while it serves":
            server.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
            server.stdin.flush()
            assert json.loads(server.stdout.readline())["id"] == 1
        server.send_signal(number)
        code = server.wait(timeout=300)

    assert code == 0
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("arguments", [[], ["x"], "x", 7])
def test_arguments_that_are_no_object_are_the_familys_error(environment, tmp_path, arguments):
    with killable_server.serving(environment, tmp_path) as server:
        answers = {
            name: server.ask("tools/call", {"name": name, "arguments": arguments})
            for name in ("doiget_fetch_paper", "paper_download", "web_search")
        }

    for answer in answers.values():
        assert "arguments: must be an object" in answer["content"][0]["text"]
    assert answers["doiget_fetch_paper"]["structuredContent"]["error"]["code"] == "INVALID_REF"
    assert answers["web_search"]["structuredContent"]["error"]["kind"] == "validation"


async def test_a_name_that_is_no_tool_is_answered_with_the_nearest(connected):
    async with connected() as client:
        with pytest.raises(
            MCPError, match=r"Unknown tool: search_web\. Did you mean web_search"
        ) as no:
            await client.call_tool("search_web", {})

    assert no.value.error.data["suggestions"][0] == "web_search"


@pytest.mark.parametrize("mode", MODES)
async def test_typed_schemas_are_listed_where_they_are_asked_for(connected, mode):
    async with connected(mode, SOURCEWRIGHT_TYPED_SCHEMAS="true") as client:
        before = (await client.list_tools()).tools
        results = {tool.name: await client.call_tool(tool.name, {}) for tool in before}
        after = (await client.list_tools()).tools

    assert wire_form(before) == wire_form(after)
    assert wire_form(before) == manifest.offered(TOOLSETS, UNCONFIGURED, typed=True)
    for tool in before:
        jsonschema.validate(results[tool.name].structured_content, tool.output_schema)


def test_an_option_of_the_command_asks_for_typed_schemas(environment, tmp_path):
    process = warm_python.Popen(
        [*SERVE, "--typed-schemas", "--toolset", "trust"],
        env=environment,
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    with process:
        server = killable_server.Server(process)
        listed = server.ask("tools/list", {})["tools"]
        process.stdin.close()

    assert listed == manifest.offered(["trust"], typed=True)
