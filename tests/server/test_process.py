"""The stdio server as a process: pipes, signals, limits and the end of input."""

import os
import re
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

PATIENCE = 300.0
LARGE = b'{"name":"echo","arguments":{"word":"%s"}}' % (b"x" * 50_000)
HEAVY = ("mcp", "mcp_types", "pydantic", "asyncio", "anyio", "httpx2", "click", "logging", "ssl")


@pytest.mark.promise("house.start-stays-light")
@pytest.mark.parametrize("module", ["stdio.front", "start"])
def test_the_front_imports_nothing_heavy(module):
    code = f"import sourcewright.server.{module}, sys; print(*sys.modules)"

    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()

    assert not [name for name in HEAVY if name in loaded]


def test_a_ping_is_answered_before_anything_else(start):
    talk = start()

    talk.send({"id": 1, "method": "ping"})

    assert talk.receive() == {"jsonrpc": "2.0", "id": 1, "result": {}}


def test_a_server_that_cannot_load_still_lists_its_tools_and_then_says_so(start, tmp_path):
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    talk = start("--fail", "--gate", str(gate))

    talk.greet()
    talk.call(1, "echo")
    talk.send({"id": 2, "method": "ping"})
    assert talk.receive()["id"] == 2
    gate.write_bytes(b"go on")
    code, rest, errors = talk.finish()

    assert [(answer["id"], answer["error"]["code"]) for answer in rest] == [(1, -32603)]
    assert "nothing to load" in errors
    assert code == 1


def test_what_was_asked_while_loading_is_answered_in_order(start, tmp_path):
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    talk = start("--gate", str(gate))
    talk.greet()
    talk.call(1, "echo")
    talk.call(2, "nonesuch")
    talk.send({"id": 3, "method": "ping"})
    talk.call(4, "echo")

    first = talk.receive()["id"]
    gate.write_bytes(b"go on")

    assert [first, *(talk.receive()["id"] for _ in range(3))] == [3, 1, 2, 4]


def test_a_result_carries_both_forms_and_its_meta(loaded):
    loaded.call(1, "echo", "fail")

    result = loaded.receive()["result"]

    assert result["structuredContent"] == {"word": "fail", "none": None, "cancelled": []}
    assert result["content"][0]["type"] == "text"
    assert result["isError"] is True
    assert result["_meta"] == {"sandbox": True}


def test_an_unknown_tool_is_invalid_params(loaded):
    loaded.call(1, "nonesuch")

    assert loaded.receive()["error"]["code"] == -32602


def test_progress_reaches_the_client_under_its_token(loaded):
    loaded.call(1, "steps", "x", _meta={"progressToken": "token"})

    reports = [loaded.receive()["params"] for _ in range(3)]

    assert reports == [
        {"progressToken": "token", "progress": step, "message": word}
        for step, word in enumerate(("first", "second", "third"), start=1)
    ]
    assert loaded.receive()["id"] == 1


def test_progress_only_grows_and_has_its_total_once_that_is_known(loaded):
    loaded.call(1, "parts", "x", _meta={"progressToken": "token"})

    reports = []
    while "params" in (message := loaded.receive()):
        reports.append(message["params"])

    values = [one["progress"] for one in reports]
    assert values == sorted(set(values))
    assert [one.get("total") for one in reports] == [None, *[3.0] * (len(reports) - 1)]
    assert (reports[-1]["progress"], reports[-1]["message"]) == (3.0, "two")


@pytest.mark.promise("wire.cancelling-stops-the-work")
def test_a_cancelled_call_is_stopped_and_never_answered(loaded):
    loaded.call(1, "hold", "gone", _meta={"progressToken": 1})
    assert loaded.receive()["params"]["message"] == "holding"

    loaded.send({"method": "notifications/cancelled", "params": {"requestId": 1}})
    loaded.call(2, "echo")

    answer = loaded.receive()
    assert answer["id"] == 2
    assert answer["result"]["structuredContent"]["cancelled"] == ["gone"]


def test_a_call_cancelled_while_loading_is_never_answered(talk):
    talk.call(1, "hold", "gone")
    talk.send({"method": "notifications/cancelled", "params": {"requestId": 1}})
    talk.call(2, "echo")

    assert talk.receive()["id"] == 2
    assert talk.finish()[:2] == (0, [])


@pytest.mark.promise("wire.stdout-is-frames-only")
def test_whatever_prints_the_output_carries_frames_only(talk):
    talk.call(1, "noise", "x")

    code, replies, errors = talk.finish()

    assert [answer["result"]["structuredContent"] for answer in replies] == [{"word": "x"}]
    assert {"printed", "written", "child "} <= set(errors.splitlines())
    assert code == 0


def test_a_thousand_calls_in_flight_delay_nobody(talk):
    for number in range(1000):
        talk.call(number, "hold", str(number))
    talk.call("quick", "echo")

    assert talk.receive()["id"] == "quick"
    talk.call("open", "release", "for good")
    assert {talk.receive()["id"] for _ in range(1001)} == {"open", *range(1000)}


def test_a_call_that_waits_for_its_turn_can_be_cancelled(talk):
    for number in range(1000):
        talk.call(number, "hold", str(number))
    talk.send({"method": "notifications/cancelled", "params": {"requestId": 999}})
    talk.call("open", "release", "for good")

    assert {talk.receive()["id"] for _ in range(1000)} == {"open", *range(999)}
    assert talk.finish()[:2] == (0, [])


def test_at_the_end_of_input_calls_in_flight_are_answered(talk):
    talk.call(1, "hold", "x")
    talk.call(2, "release")

    code, replies, errors = talk.finish()

    assert [answer["id"] for answer in replies] == [2, 1]
    assert code == 0
    assert errors == "closed\n"


def test_at_the_end_of_input_a_call_that_takes_too_long_is_cancelled(start):
    talk = start("--hasty")
    talk.greet()
    talk.call(1, "hold", "x")
    talk.call(2, "echo")

    code, replies, errors = talk.finish()

    assert [answer["id"] for answer in replies] == [2, 1]
    assert replies[1]["result"]["structuredContent"] == {"interrupted": "hold"}
    assert errors == "cancelled x\nclosed\n"
    assert code == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_ends_the_server_after_the_calls_in_flight_were_cancelled(talk, number):
    talk.load()
    talk.call(1, "hold", "x", _meta={"progressToken": 1})
    assert talk.receive()["params"]["message"] == "holding"

    talk.process.send_signal(number)
    talk.process.send_signal(number)
    code, replies, errors = talk.finish()

    assert code == 0
    assert errors == "cancelled x\nclosed\n"
    contents = [answer["result"]["structuredContent"] for answer in replies]
    assert contents == [{"interrupted": "hold"}]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_while_loading_ends_the_server(start, number):
    talk = start()
    talk.greet()

    talk.process.send_signal(number)

    assert talk.finish()[:2] == (0, [])


def test_a_hang_up_that_our_parent_told_us_to_ignore_is_ignored(start):
    talk = start(preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    talk.greet()
    talk.load()

    talk.process.send_signal(signal.SIGHUP)
    talk.call(1, "echo")

    assert talk.receive()["id"] == 1
    assert talk.finish()[0] == 0


def test_a_signal_while_loading_lets_what_was_asked_be_answered(start, tmp_path):
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    talk = start("--gate", str(gate))
    talk.greet()
    talk.call(1, "echo")
    talk.send({"id": 2, "method": "ping"})
    assert talk.receive()["id"] == 2

    talk.process.send_signal(signal.SIGTERM)
    gate.write_bytes(b"go on")
    code, replies, errors = talk.finish()

    assert [answer["id"] for answer in replies] == [1]
    assert (code, errors) == (0, "closed\n")


def test_a_client_that_leaves_at_once_keeps_nobody(start):
    code, replies, errors = start().finish()

    assert (code, replies) == (0, [])
    # Where loading had begun, what was loaded is closed.
    assert errors in {"", "closed\n"}


def test_a_call_that_will_not_be_cancelled_does_not_keep_the_process(talk):
    talk.load()
    talk.call(1, "deaf", "x")
    talk.call(2, "echo")
    assert talk.receive()["id"] == 2

    talk.process.send_signal(signal.SIGTERM)
    talk.process.send_signal(signal.SIGTERM)

    assert talk.finish()[0] == 0


def test_a_broken_output_ends_the_server_quietly(start):
    read_end, write_end = os.pipe()
    talk = start(stdout=write_end)
    os.close(write_end)
    os.close(read_end)

    talk.send({"id": 1, "method": "ping"})

    assert talk.process.wait(timeout=300) == 0
    # The stub says that it is closed, if it was loaded before the server saw the broken output.
    assert talk.process.stderr.read() in (b"", b"closed\n")


def test_an_output_that_breaks_later_ends_the_server_quietly(talk):
    talk.load()
    talk.call(1, "hold", "x")
    talk.process.stdout.close()

    talk.call(2, "echo")

    assert talk.process.wait(timeout=300) == 0
    assert talk.process.stderr.read() == b"cancelled x\nclosed\n"


def test_what_the_client_had_not_read_when_the_sdk_took_over_is_not_lost(start):
    talk = start("--announce")
    talk.greet()
    talk.send(*({"id": number, "method": "tools/list"} for number in range(200)))
    talk.call(200, "echo")
    assert talk.process.stderr.readline() == b"loaded\n"

    # In any order: the SDK answers requests that it takes over side by side.
    assert sorted(talk.receive()["id"] for _ in range(201)) == list(range(201))


@pytest.mark.parametrize("closed", [0, 1])
def test_a_missing_descriptor_is_no_crash(start, closed):
    talk = start(preexec_fn=lambda: os.close(closed))

    code, replies, errors = talk.finish()

    assert (code, replies, errors) == (0, [], "")


def test_a_failure_to_record_is_an_error_and_not_the_end(loaded):
    loaded.call(1, "unrecorded")
    loaded.call(2, "echo")

    failed, answered = loaded.receive(), loaded.receive()

    assert failed["error"] == {"code": -32603, "message": "the log is full"}
    assert answered["id"] == 2


def test_a_client_that_does_not_read_is_waited_for(loaded):
    words = dict.fromkeys(range(40), "x" * 50_000)
    for number, word in words.items():
        loaded.call(number, "echo", word)

    answers = [loaded.receive() for _ in words]

    assert {answer["id"] for answer in answers} == set(words)
    assert all(answer["result"]["structuredContent"]["word"] == words[0] for answer in answers)


needs_proc = pytest.mark.skipif(
    not Path("/proc/self/status").is_file(), reason="no /proc to look at a process in"
)


def sent_until_the_server_reads_no_more(talk, most):
    """Send calls with large answers until the server stops reading; return their number."""
    pipe = talk.process.stdin.fileno()
    os.set_blocking(pipe, False)
    for number in range(most):
        line = b'{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":%s}\n' % (number, LARGE)
        while line:
            if not takes_more(talk.process):
                return number
            line = line[os.write(pipe, line) :]
    return most


def takes_more(process):
    """Whether a process reads on; it does not once it has slept through a while."""
    used = -1.0
    while not select.select([], [process.stdin], [], 0.3)[1]:
        states = [stat.read_text("ascii").rpartition(") ")[2] for stat in stats_of(process)]
        ticks = sum(int(tick) for state in states for tick in state.split()[11:13])
        if ticks == used and all(state[0] == "S" for state in states):
            return False
        used = ticks
    return True


def stats_of(process):
    """The state of each thread, from the operating system."""
    return [task / "stat" for task in Path(f"/proc/{process.pid}/task").iterdir()]


def memory(process):
    """The peak memory of a process, in bytes."""
    status = Path(f"/proc/{process.pid}/status").read_text(encoding="ascii")
    return int(re.search(r"VmHWM:\s+(\d+) kB", status)[1]) * 1024


@needs_proc
@pytest.mark.parametrize("when", ["while loading", "when loaded"])
def test_a_client_that_reads_nothing_is_read_no_further_and_loses_nothing(talk, when):
    if when == "when loaded":
        talk.load()
    before = memory(talk.process)

    taken = sent_until_the_server_reads_no_more(talk, 5000)
    grown = memory(talk.process) - before
    os.set_blocking(talk.process.stdin.fileno(), True)
    talk.process.stdin.close()
    answered = set()
    while len(answered - {None}) < taken:
        # What was cut off is answered too, under no id: it is no message.
        answered.add(talk.receive()["id"])

    assert taken < 1000
    assert grown < 150_000_000
    assert answered - {None} == set(range(taken))


@needs_proc
def test_a_client_that_lists_and_reads_nothing_is_read_no_further(start):
    talk = start()
    talk.greet()
    before = memory(talk.process)
    line = b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n'
    requests, pipe = line * 100_000, talk.process.stdin.fileno()
    os.set_blocking(pipe, False)

    while requests and takes_more(talk.process):
        requests = requests[os.write(pipe, requests) :]

    assert len(requests) > 50_000 * len(line)
    assert memory(talk.process) - before < 150_000_000


@needs_proc
def test_a_client_that_never_reads_is_left_without_a_word_of_complaint(start):
    talk = start("--hasty")
    talk.greet()
    talk.load()
    talk.call("last", "hold")
    sent_until_the_server_reads_no_more(talk, 1000)

    talk.process.stdin.close()
    code = talk.process.wait(timeout=PATIENCE)

    assert code == 0
    assert talk.process.stderr.read() == b"cancelled \nclosed\n"


def test_a_plain_file_can_be_the_input(start, tmp_path):
    script = tmp_path / "requests"
    script.write_text(
        '{"jsonrpc":"2.0","id":1,"method":"ping"}\n{"jsonrpc":"2.0","id":2,"method":"nonesuch"}'
    )
    with script.open("rb") as source:
        talk = start(stdin=source)

    code, replies, _ = talk.finish()

    assert [answer["id"] for answer in replies] == [1, 2]
    assert code == 0
