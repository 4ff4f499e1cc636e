"""The front and the SDK's server give the same answers, for every version and method."""

import json
from typing import Any

import anyio
import pytest
from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS

from sourcewright import manifest
from sourcewright.server import identity, mcp
from sourcewright.server.backend import Offer
from sourcewright.server.frames import RpcRequest
from sourcewright.server.opening import FrontHandshake
from sourcewright.settings import TOOLSETS

pytestmark = pytest.mark.anyio

TOOL = {
    "name": "echo",
    "title": "Echo",
    "description": "Says it again.",
    "inputSchema": {
        "type": "object",
        "properties": {"word": {"type": ["string", "null"], "default": None}},
        "additionalProperties": False,
        "$defs": {"nothing": {"const": None}},
    },
    "outputSchema": {"type": "object", "anyOf": [{"type": "object"}]},
    "annotations": {"title": "Echo", "readOnlyHint": True, "openWorldHint": False},
}
TOOLS = [TOOL, *manifest.offered(TOOLSETS)]
PROMPTS = manifest.prompts(TOOLSETS)

PREFIX = "io.modelcontextprotocol/"
CLIENT = {"name": "test", "version": "1"}


class Listed:
    """A backend that can only be listed."""

    def __init__(self, *, output_schemas=True):
        self.output_schemas = output_schemas

    def names(self):
        return [tool["name"] for tool in TOOLS]

    def listing(self):
        return TOOLS

    def prompts(self):
        return ListedPrompts()


class ListedPrompts:
    """Prompts that can only be listed."""

    def listing(self):
        return PROMPTS


def request(method: str, number: int, params: dict[str, Any] | None = None) -> RpcRequest:
    return RpcRequest(number, method, params)


def greeting(version: object = "2025-11-25", **changes: Any) -> dict[str, Any]:
    return {"protocolVersion": version, "capabilities": {}, "clientInfo": CLIENT, **changes}


def envelope(version: object = "2026-07-28", **changes: Any) -> dict[str, Any]:
    meta = {f"{PREFIX}protocolVersion": version, f"{PREFIX}clientCapabilities": {}}
    return {"_meta": {**meta, **changes}}


async def asked_of_the_sdk(
    script: list[RpcRequest], backend: Listed | None = None
) -> dict[Any, dict[str, Any]]:
    """What the SDK's own server answers to all of it, by id."""
    server = mcp.build(backend or Listed(), identity.instructions(TOOLS), mcp.Calls())
    to_server, inbox = anyio.create_memory_object_stream[Any](len(script))
    outbox, from_server = anyio.create_memory_object_stream[Any](len(script) + 1)
    answers = {}
    with anyio.fail_after(300):
        async with anyio.create_task_group() as tasks, to_server, from_server:
            tasks.start_soon(server.run, inbox, outbox, server.create_initialization_options())
            for asked in script:
                body = {key: value for key, value in asked._asdict().items() if value is not None}
                message = jsonrpc_message_adapter.validate_python({"jsonrpc": "2.0", **body})
                await to_server.send(SessionMessage(message))
                answer = (await from_server.receive()).message
                answers[asked.id] = json.loads(
                    answer.model_dump_json(by_alias=True, exclude_unset=True)
                )
    return answers


def asked_of_the_front(
    script: list[RpcRequest], offer: Offer | None = None
) -> tuple[dict[Any, Any], list[RpcRequest], str]:
    """What the front answers, by id, what it leaves to the SDK, and under which id it replays."""
    opening = FrontHandshake(offer or Offer(TOOLS, PROMPTS))
    answers, left = {}, []
    for asked in script:
        answer, unheard = opening.consider(asked)
        if answer is not None:
            answers[asked.id] = json.loads(answer)
        if unheard is not None:
            left.append(unheard)
    return answers, left, opening.replay_id


async def test_without_output_schemas_everything_else_is_the_same():
    script = [request("initialize", 1, greeting()), request("tools/list", 2)]

    full = await asked_of_the_sdk(script)
    short = await asked_of_the_sdk(script, Listed(output_schemas=False))
    of_the_front, *_ = asked_of_the_front(script, Offer(TOOLS, PROMPTS, output_schemas=False))

    for tool in full[2]["result"]["tools"]:
        del tool["outputSchema"]
    assert short == of_the_front == full


SURE = {
    **{
        f"greeted with {version}": [
            request("ping", 1),
            request("initialize", 2, greeting(version)),
            request("ping", 3, {}),
            request("tools/list", 4),
            request("tools/list", 5, {"_meta": {"progressToken": 1, "other": None}}),
            request("prompts/list", 6),
        ]
        for version in (*HANDSHAKE_PROTOCOL_VERSIONS, *MODERN_PROTOCOL_VERSIONS, "1999-01-01", "")
    },
    "greeted by a client with everything": [
        request(
            "initialize",
            1,
            greeting(
                capabilities={
                    "roots": {"listChanged": True},
                    "sampling": {"context": {}, "tools": {}},
                    "elicitation": {"form": {"a": 1}, "url": {}},
                    "experimental": {"x": {"y": 1}},
                    "tasks": {"requests": {"sampling": {"createMessage": {}}}, "list": {}},
                    "extensions": {"a/b": {"c": []}},
                },
                clientInfo={
                    **CLIENT,
                    "title": "T",
                    "description": "D",
                    "websiteUrl": "https://example.org",
                    "icons": [{"src": "data:,", "mimeType": "image/png", "sizes": ["1x1"]}],
                },
            ),
        )
    ],
    "modern": [
        request("server/discover", 1, envelope()),
        request("tools/list", 2, envelope(**{f"{PREFIX}clientInfo": CLIENT})),
        request("server/discover", 3, envelope(progressToken="a")),
        request("server/discover", 4, envelope("2099-01-01")),
        request("prompts/list", 5, envelope()),
    ],
    "modern without a question": [request("tools/list", 1, envelope())],
    "of a time to come": [
        request("server/discover", 1, envelope("2099-01-01")),
        request("server/discover", 2, envelope()),
    ],
}


@pytest.mark.parametrize("kind", SURE)
async def test_the_front_says_what_the_sdk_would_say(kind):
    said, _, _ = asked_of_the_front(SURE[kind])

    assert said == await asked_of_the_sdk(SURE[kind])


AFTER = [
    request("tools/list", 100),
    request("ping", 101, envelope()),
    request("tools/list", 102, envelope()),
    request("initialize", 103, greeting("2024-11-05")),
    request("tools/call", 104, {"name": "nonesuch"}),
    request("prompts/list", 105),
]


@pytest.mark.parametrize("kind", SURE)
async def test_after_the_hand_over_the_sdk_is_where_it_would_have_been(kind):
    _, left, replay_id = asked_of_the_front(SURE[kind])

    after = await asked_of_the_sdk([*left, *AFTER])
    straight = await asked_of_the_sdk([*SURE[kind], *AFTER])

    assert {asked.id for asked in left} <= {replay_id}
    for asked in AFTER:
        assert after[asked.id] == straight[asked.id]


ODD = {
    "nothing": None,
    "no object": {"_meta": 1},
    "no version": {"capabilities": {}, "clientInfo": CLIENT},
    "a number as version": greeting(7),
    "null as version": greeting(None),
    "no capabilities": greeting(capabilities=None),
    "odd roots": greeting(capabilities={"roots": {"listChanged": "perhaps"}}),
    "a list as roots": greeting(capabilities={"roots": []}),
    "null roots": greeting(capabilities={"roots": None}),
    "odd sampling": greeting(capabilities={"sampling": {"tools": 1}}),
    "odd experiments": greeting(capabilities={"experimental": {"a": 1}}),
    "odd tasks": greeting(capabilities={"tasks": {"requests": {"sampling": 1}}}),
    "an unknown capability": greeting(capabilities={"telepathy": 1}),
    "a nameless client": greeting(clientInfo={"version": "1"}),
    "a client without version": greeting(clientInfo={"name": "a"}),
    "a number as name": greeting(clientInfo={"name": 1, "version": "1"}),
    "odd icons": greeting(clientInfo={**CLIENT, "icons": [{"src": 1}]}),
    "icons in a string": greeting(clientInfo={**CLIENT, "icons": "a"}),
    "a dark icon": greeting(clientInfo={**CLIENT, "icons": [{"src": "a", "theme": "dark"}]}),
    "an unknown detail": greeting(clientInfo={**CLIENT, "mood": 1}),
    "an unknown field": greeting(mood=1),
    "odd metadata": greeting(_meta=[]),
    "odd token": greeting(_meta={"progressToken": 1.5}),
    "a truth as token": greeting(_meta={"progressToken": True}),
    "an envelope on the greeting": {**greeting(), **envelope()},
    "a bare envelope": envelope(),
    "an envelope without capabilities": {"_meta": {f"{PREFIX}protocolVersion": "2026-07-28"}},
    "an envelope of odd capabilities": envelope(**{f"{PREFIX}clientCapabilities": {"roots": 1}}),
    "an envelope of an odd client": envelope(**{f"{PREFIX}clientInfo": {"name": "a"}}),
    "an envelope with no client": envelope(**{f"{PREFIX}clientInfo": None}),
    "an envelope of an odd level": envelope(**{f"{PREFIX}logLevel": "shout"}),
    "an envelope of an odd version": envelope(7),
    "a cursor": {"cursor": "a"},
    "a null cursor": {"cursor": None},
    "an envelope and a cursor": {**envelope(), "cursor": "a"},
    "an envelope and an unknown field": {**envelope(), "mood": 1},
}
METHODS = (
    "initialize",
    "ping",
    "tools/list",
    "prompts/list",
    "server/discover",
    "tools/call",
    "nonesuch",
)


@pytest.mark.parametrize("kind", ODD)
async def test_what_the_front_does_say_to_odd_words_is_what_the_sdk_would_say(kind):
    answers, expected = {}, {}

    for method in METHODS:
        script = [
            request(method, 1, ODD[kind]),
            request("initialize", 2, greeting("2025-03-26")),
            request(method, 3, ODD[kind]),
            request("tools/list", 4),
            request("server/discover", 5, envelope()),
        ]
        early, left, replay_id = asked_of_the_front(script)
        replayed = await asked_of_the_sdk(left) if left else {}
        replayed.pop(replay_id, None)
        answers[method] = early | replayed
        expected[method] = await asked_of_the_sdk(script)

    assert answers == expected


def test_the_versions_are_the_sdk_s():
    assert identity.HANDSHAKE_VERSIONS == HANDSHAKE_PROTOCOL_VERSIONS
    assert identity.MODERN_VERSIONS == MODERN_PROTOCOL_VERSIONS
