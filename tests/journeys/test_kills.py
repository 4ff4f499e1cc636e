"""A server that is killed right after an answer, and one whose disk is full."""

import json
import resource
import subprocess
import sys
from contextlib import contextmanager

import pytest
import warm_python

from sourcewright.stores.logs.audit import verify

KILLS = 6
HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "killer", "version": "1"},
}


class Server:
    """A server process that is sent one line at a time."""

    def __init__(self, process):
        self.process = process
        self._number = 0

    def ask(self, method, params):
        self._number += 1
        self._write({"id": self._number, "method": method, "params": params})
        while True:
            answer = json.loads(self.process.stdout.readline())
            if answer.get("id") == self._number:
                return answer["result"]

    def greet(self):
        self.ask("initialize", HELLO)
        self._write({"method": "notifications/initialized"})

    def call(self, name, **arguments):
        return self.ask("tools/call", {"name": name, "arguments": arguments})

    def _write(self, body):
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **body}).encode() + b"\n")
        self.process.stdin.flush()


@contextmanager
def serving(environment, folder, most_bytes=None):
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes))

    process = warm_python.Popen(
        [sys.executable, "-m", "sourcewright", "serve"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
        cwd=folder,
        preexec_fn=None if most_bytes is None else limit,
    )
    with process:
        try:
            server = Server(process)
            server.greet()
            yield server
        finally:
            process.kill()


def events(folder):
    text = (folder / "state" / "audit.jsonl").read_text(encoding="utf-8")
    return [json.loads(line)["tool_name"] for line in text.splitlines()]


@pytest.mark.promise("kept.every-answer-has-its-event")
def test_a_server_that_is_killed_right_after_an_answer_has_kept_its_event(environment, tmp_path):
    for number in range(1, KILLS + 1):
        with serving(environment, tmp_path) as server:
            answered = server.call("doiget_search_local", query="tides")
            server.process.kill()

        assert not answered["isError"]
        assert len(events(tmp_path)) == number
    assert verify(tmp_path / "state" / "audit.jsonl").ok


@pytest.mark.promise("kept.no-answer-without-record")
def test_a_server_that_cannot_write_gives_no_answer_and_health_says_why(environment, tmp_path):
    with serving(environment, tmp_path, most_bytes=0) as server:
        searched = server.call("web_search", query="tides")
        health = server.call("doiget_health")["structuredContent"]

    assert searched["isError"]
    assert "could not be recorded" in searched["content"][0]["text"]
    assert (health["store_writable"], health["log_writable"]) == (False, False)
    assert health["audit_ok"] is False
