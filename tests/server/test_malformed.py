"""Malformed messages get the protocol's errors, before and after the SDK takes over."""

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sourcewright.server.stdio import frames
from sourcewright.server.stdio.frames import (
    ClientResponse,
    InvalidMessage,
    Notification,
    RpcRequest,
)

FAULTS = {
    "not UTF-8 encoded JSON": (b"hello", None, -32700),
    "cut off": (b'{"jsonrpc":"2.0","id":1', None, -32700),
    "invalid UTF-8": (b'{"jsonrpc":"2.0","id":1,"method":"\xff"}', None, -32700),
    "UTF-16": ('{"jsonrpc":"2.0","id":1,"method":"ping"}'.encode("utf-16"), None, -32700),
    "lone surrogate": (b'{"jsonrpc":"2.0","id":"\\ud800","method":"ping"}', None, -32700),
    "lone surrogate inside": (b'{"jsonrpc":"2.0","id":7,"method":"\\ud83d"}', 7, -32700),
    "not a number": (b'{"jsonrpc":"2.0","id":NaN,"method":"ping"}', None, -32700),
    "deep nesting": (b"[" * 100_000, None, -32700),
    "nesting that would still be parsed": (
        b'{"jsonrpc":"2.0","id":1,"method":"ping","params":' + b'{"a":' * 300 + b"1" + b"}" * 301,
        None,
        -32700,
    ),
    "three quarters of a million keys": (
        b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":1'
        + b"".join(b',"%x":1' % at for at in range(750_000))
        + b"}}",
        None,
        -32600,
    ),
    "an id beyond all numbers": (b'{"jsonrpc":"2.0","id":1e999,"method":"ping"}', None, -32600),
    "a list as id": (b'{"jsonrpc":"2.0","id":[],"method":"ping"}', None, -32600),
    "a number of many digits": (b"1" * 5000, None, -32700),
    "an empty batch": (b"[]", None, -32600),
    "a string": (b'"ping"', None, -32600),
    "null": (b"null", None, -32600),
    "an empty object": (b"{}", None, -32600),
    "no jsonrpc": (b'{"id":1,"method":"ping"}', 1, -32600),
    "an old jsonrpc": (b'{"jsonrpc":"1.0","id":"a","method":"ping"}', "a", -32600),
    "method is missing": (b'{"jsonrpc":"2.0","id":1}', 1, -32600),
    "a number as method": (b'{"jsonrpc":"2.0","id":1,"method":7}', 1, -32600),
    "an id of null": (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', None, -32600),
    "an id with a fraction": (b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}', None, -32600),
    "a truth as id": (b'{"jsonrpc":"2.0","id":true,"method":"ping"}', None, -32600),
    "an object as id": (b'{"jsonrpc":"2.0","id":{},"method":"ping"}', None, -32600),
    "params in a list": (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', 1, -32602),
    "params in a string": (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":"a"}', 1, -32602),
}

JSON = st.dictionaries(
    st.sampled_from(["jsonrpc", "id", "method", "params", "result", "error"]),
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.sampled_from(["2.0", "ping"])
    | st.lists(st.none(), max_size=1)
    | st.dictionaries(st.text(), st.text(), max_size=1),
)
BATCH = (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', None, -32600)


@pytest.mark.parametrize("kind", FAULTS)
def test_a_line_that_is_no_message_is_refused_with_its_code(kind):
    line, request_id, code = FAULTS[kind]

    fault = frames.read(line)

    assert isinstance(fault, InvalidMessage)
    assert (fault.id, fault.code) == (request_id, code)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b'{"jsonrpc":"2.0","id":1,"method":"m"}\r', RpcRequest(1, "m", None)),
        (b'{"jsonrpc":"2.0","id":"","method":"m","params":null}', RpcRequest("", "m", None)),
        (
            b'{"jsonrpc":"2.0","id":-7,"method":"m","params":{"a":1}}',
            RpcRequest(-7, "m", {"a": 1}),
        ),
        (
            b'{"jsonrpc":"2.0","id":"\\ud83d\\ude00","method":"m"}',
            RpcRequest("\U0001f600", "m", None),
        ),
        (b'{"jsonrpc":"2.0","method":"m"}', Notification("m", None)),
        (b'{"jsonrpc":"2.0","method":"m","params":[1]}', None),
        (b"", None),
        (b" \t\r", None),
    ],
)
def test_a_message_is_read_as_what_it_is(line, message):
    assert frames.read(line) == message


def test_commas_and_brackets_in_texts_are_no_values():
    text = 'a, [b], {c}, \\"d\\", \\\\ ' * 100_000
    line = b'{"jsonrpc":"2.0","id":1,"method":"m","params":{"text":"%b"}}' % text.encode()

    message = frames.read(line)

    assert isinstance(message, RpcRequest)
    assert message.params is not None
    assert message.params["text"].count('"d"') == 100_000


@given(st.binary() | JSON.map(lambda value: json.dumps(value).encode()))
def test_any_line_is_something_and_a_request_with_an_id_is_never_dropped(line):
    message = frames.read(line)

    if isinstance(message, RpcRequest | InvalidMessage) and message.id is not None:
        assert json.loads(line)["id"] == message.id
    if message is None:
        assert not line.strip() or "id" not in json.loads(line)


def test_every_request_is_answered_once_whatever_it_asks(loaded):
    dice = random.Random(7)
    values = [None, 0, -1.5, True, "", "echo", [], [{}], {}, {"name": "echo"}, {"_meta": 1}]
    keys = ["name", "arguments", "_meta", "cursor", "protocolVersion", "uri", "ref", "level"]
    methods = ["initialize", "ping", "tools/list", "tools/call", "prompts/get", "logging/setLevel"]
    methods += [
        "server/discover",
        "resources/read",
        "prompts/list",
        "completion/complete",
        "",
        "\0",
    ]
    queries = [
        {
            "id": number,
            "method": dice.choice(methods),
            "params": {key: dice.choice(values) for key in dice.sample(keys, dice.randint(0, 3))},
        }
        for number in range(400)
    ]

    loaded.send(*queries)

    assert sorted(loaded.receive()["id"] for _ in queries) == list(range(400))


def test_an_answer_of_the_client_is_told_from_a_request():
    assert isinstance(frames.read(b'{"jsonrpc":"2.0","id":1,"result":{}}'), ClientResponse)


@pytest.mark.parametrize("phase", ["talk", "loaded"])
def test_the_server_answers_each_of_them_and_goes_on(request, phase):
    talk = request.getfixturevalue(phase)

    faults = [*FAULTS.values(), BATCH]

    for line, _, _ in faults:
        talk.write(line.replace(b"\n", b"") + b"\n")
    talk.send({"id": "end", "method": "ping"})

    answers = [talk.receive() for _ in faults]
    assert [(answer["id"], answer["error"]["code"]) for answer in answers] == [
        (request_id, code) for _, request_id, code in faults
    ]
    assert talk.receive() == {"jsonrpc": "2.0", "id": "end", "result": {}}


@pytest.mark.parametrize("phase", ["talk", "loaded"])
def test_a_huge_line_is_refused_and_the_next_is_read(request, phase):
    talk = request.getfixturevalue(phase)
    word = "x" * (frames.MAX_LINE + 1)

    talk.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": word}).encode() + b"\n")
    talk.send({"id": 2, "method": "ping"})

    refused, answered = talk.receive(), talk.receive()
    assert (refused["id"], refused["error"]["code"]) == (None, -32600)
    assert answered["id"] == 2


def test_requests_that_nobody_serves_and_notices_that_nobody_knows_change_nothing(talk):
    talk.send(
        {"id": 1, "method": "nonesuch"},
        {"method": "notifications/nonesuch"},
        {"method": "notifications/cancelled", "params": {"requestId": 99}},
        {"method": "notifications/cancelled", "params": {}},
        {"id": 5, "result": {}},
        {"id": 2, "method": "tools/list", "params": {"cursor": "more"}},
        {"id": 3, "method": "tools/call", "params": {}},
        {"id": 4, "method": "tools/call", "params": {"name": 7, "arguments": {}}},
        {"id": 6, "method": "resources/subscribe", "params": {"uri": "stub://one"}},
    )

    answers = [talk.receive() for _ in range(5)]

    assert [(answer["id"], answer["error"]["code"]) for answer in answers] == [
        (1, -32601),
        (2, -32602),
        (3, -32602),
        (4, -32602),
        (6, -32601),
    ]


def test_two_requests_with_one_id_are_both_answered(loaded):
    loaded.call(1, "echo", "a")
    loaded.call(1, "echo", "b")

    words = {loaded.receive()["result"]["structuredContent"]["word"] for _ in range(2)}

    assert words == {"a", "b"}


def test_an_id_is_given_back_as_it_came(loaded):
    ids = [0, -1, 2**70, 10**400, "", "1", "\u2028", "x" * 100_000, "greet"]

    loaded.send(*({"id": request_id, "method": "nonesuch"} for request_id in ids))

    assert [loaded.receive()["id"] for _ in ids] == ids
