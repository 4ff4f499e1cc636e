"""The handshake that the stdio front answers: the same as the SDK's, for every version and method."""

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
from sourcewright.server.stdio.frames import RpcRequest
from sourcewright.server.stdio.handshake import FrontHandshake
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
    """A backend that lists its tools and prompts, and can call none."""

    continuing = None

    def __init__(self, *, output_schemas=True):
        self.output_schemas = output_schemas

    def names(self):
        return [tool["name"] for tool in TOOLS]

    def listing(self):
        return TOOLS

    def prompts(self):
        return ListedPrompts()


class ListedPrompts:
    """Prompts that can be listed, and not rendered."""

    def listing(self):
        return PROMPTS


def request(method: str, number: int, params: dict[str, Any] | None = None) -> RpcRequest:
    return RpcRequest(number, method, params)


def greeting(version: object = "2025-11-25", **changes: Any) -> dict[str, Any]:
    return {"protocolVersion": version, "capabilities": {}, "clientInfo": CLIENT, **changes}


def envelope(version: object = "2026-07-28", **changes: Any) -> dict[str, Any]:
    meta = {f"{PREFIX}protocolVersion": version, f"{PREFIX}clientCapabilities": {}}
    return {"_meta": {**meta, **changes}}


async def sdk_answers(
    script: list[RpcRequest], backend: Listed | None = None
) -> dict[Any, dict[str, Any]]:
    """The answers of the SDK's own server to the whole script, by id."""
    server = mcp.build(backend or Listed(), identity.instructions(TOOLS), mcp.Calls())
    to_server, inbox = anyio.create_memory_object_stream[Any](len(script))
    outbox, from_server = anyio.create_memory_object_stream[Any](len(script) + 1)
    answers = {}
    with anyio.fail_after(300):
        async with anyio.create_task_group() as tasks, to_server, from_server:
            tasks.start_soon(server.run, inbox, outbox, server.create_initialization_options())
            for rpc_request in script:
                body = {
                    key: value for key, value in rpc_request._asdict().items() if value is not None
                }
                message = jsonrpc_message_adapter.validate_python({"jsonrpc": "2.0", **body})
                await to_server.send(SessionMessage(message))
                answer = (await from_server.receive()).message
                answers[rpc_request.id] = json.loads(
                    answer.model_dump_json(by_alias=True, exclude_unset=True)
                )
    return answers


def front_answers(
    script: list[RpcRequest], offer: Offer | None = None
) -> tuple[dict[Any, Any], list[RpcRequest], str]:
    """The front's answers by id, the requests left to the SDK, and the id of the replay."""
    opening = FrontHandshake(offer or Offer(TOOLS, PROMPTS))
    answers, left = {}, []
    for rpc_request in script:
        answer, remainder = opening.consider(rpc_request)
        if answer is not None:
            answers[rpc_request.id] = json.loads(answer)
        if remainder is not None:
            left.append(remainder)
    return answers, left, opening.replay_id


async def test_without_output_schemas_everything_else_is_the_same():
    script = [request("initialize", 1, greeting()), request("tools/list", 2)]

    full = await sdk_answers(script)
    short = await sdk_answers(script, Listed(output_schemas=False))
    of_the_front, *_ = front_answers(script, Offer(TOOLS, PROMPTS, output_schemas=False))

    for tool in full[2]["result"]["tools"]:
        del tool["outputSchema"]
    assert short == of_the_front == full


VALID_OPENINGS = {
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


@pytest.mark.parametrize("kind", VALID_OPENINGS)
async def test_the_front_answers_valid_requests_as_the_sdk_does(kind):
    answers, _, _ = front_answers(VALID_OPENINGS[kind])

    assert answers == await sdk_answers(VALID_OPENINGS[kind])


AFTER = [
    request("tools/list", 100),
    request("ping", 101, envelope()),
    request("tools/list", 102, envelope()),
    request("initialize", 103, greeting("2024-11-05")),
    request("tools/call", 104, {"name": "nonesuch"}),
    request("prompts/list", 105),
]


@pytest.mark.parametrize("kind", VALID_OPENINGS)
async def test_after_the_hand_over_the_sdk_answers_as_if_it_had_read_every_request(kind):
    _, left, replay_id = front_answers(VALID_OPENINGS[kind])

    after = await sdk_answers([*left, *AFTER])
    straight = await sdk_answers([*VALID_OPENINGS[kind], *AFTER])

    assert {message.id for message in left} <= {replay_id}
    for message in AFTER:
        assert after[message.id] == straight[message.id]


MALFORMED_PARAMS = {
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


@pytest.mark.parametrize("kind", MALFORMED_PARAMS)
async def test_the_front_answers_malformed_requests_as_the_sdk_does(kind):
    answers, expected = {}, {}

    for method in METHODS:
        script = [
            request(method, 1, MALFORMED_PARAMS[kind]),
            request("initialize", 2, greeting("2025-03-26")),
            request(method, 3, MALFORMED_PARAMS[kind]),
            request("tools/list", 4),
            request("server/discover", 5, envelope()),
        ]
        early, left, replay_id = front_answers(script)
        replayed = await sdk_answers(left) if left else {}
        replayed.pop(replay_id, None)
        answers[method] = early | replayed
        expected[method] = await sdk_answers(script)

    assert answers == expected


def test_the_versions_are_the_sdk_s():
    assert identity.HANDSHAKE_VERSIONS == HANDSHAKE_PROTOCOL_VERSIONS
    assert identity.MODERN_VERSIONS == MODERN_PROTOCOL_VERSIONS
