"""A server that is killed right after an answer, and one whose disk is full."""

import json
import resource

import pytest
from killable_server import serving

from sourcewright.stores.logs.audit import verify

KILLS = 6


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
    def write_nothing():
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))

    with serving(environment, tmp_path, preexec_fn=write_nothing) as server:
        searched = server.call("web_search", query="tides")
        health = server.call("doiget_health")["structuredContent"]

    assert searched["isError"]
    assert "could not be recorded" in searched["content"][0]["text"]
    assert (health["store_writable"], health["log_writable"]) == (False, False)
    assert health["audit_ok"] is False
