"""The pipeline around every call: audit events, masking of secrets, progress, errors."""

import asyncio
import dataclasses
import json
from functools import partial
from typing import Literal

import pytest
from anyio import to_thread

from sourcewright.base.errors import Unavailable
from sourcewright.tools._base import Answer, Ask

pytestmark = pytest.mark.anyio


def events(tmp_path):
    text = (tmp_path / "state" / "audit.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


async def test_every_call_leaves_an_audit_event_without_what_was_asked(application, tmp_path):
    app = await application()

    await app.call("doiget_resolve_paper", {"ref": "10.5555/never-registered-2019"})
    await app.call("doiget_health", {})
    await app.aclose()

    resolve, health = events(tmp_path)
    assert (resolve["tool_name"], resolve["success"], resolve["error_code"]) == (
        "doiget_resolve_paper",
        False,
        "NOT_FOUND",
    )
    assert resolve["metadata"]["query_length"] > 0
    assert "never-registered" not in json.dumps(resolve)
    assert (health["tool_name"], health["success"]) == ("doiget_health", True)
    assert resolve["request_id"] != health["request_id"]


async def test_what_was_asked_is_kept_only_when_the_operator_says_so(application, tmp_path):
    app = await application(AUDIT_INCLUDE_REQUEST_BODY="true")

    await app.call("doiget_resolve_paper", {"ref": "10.5555/fine-paper"})
    await app.aclose()

    assert "10.5555/fine-paper" in json.dumps(events(tmp_path))


@pytest.mark.promise("evidence.invention-is-marked")
async def test_every_result_from_a_sandbox_says_so(application):
    app = await application()

    result = await app.call("doiget_health", {})

    assert result.meta == {"sandbox": True}
    assert json.loads(result.text) == result.structured


async def test_a_defect_of_ours_is_an_error_that_names_the_tool_and_hides_the_rest(application):
    async def broken(_ask, _research):
        raise KeyError("a private detail")

    pipeline = (await application())._pipeline
    spec = dataclasses.replace(pipeline.specs["doiget_health"], run=broken)
    pipeline = dataclasses.replace(pipeline, specs={spec.name: spec})

    result = (await pipeline.call("doiget_health", {})).structured

    assert result["error"]["code"] == "INTERNAL_ERROR"
    assert "doiget_health" in result["error"]["message"]
    assert "private detail" not in json.dumps(result)


LOGIN = {"SEARXNG_URL": "https://searx.example", "SEARXNG_BASIC_AUTH": "reader:open-sesame"}
KEYS = {"BRAVE_API_KEY": "word", "SEARXNG_HEADERS": "X-Team: blue-whale, X-Key: 7/seven"}
SECRETS = "reader:open-sesame open-sesame cmVhZGVyOm9wZW4tc2VzYW1l blue-whale 7/seven 7%2Fseven word 10.1"


def with_tool(pipeline, name, run):
    spec = dataclasses.replace(pipeline.specs[name], run=run)
    return dataclasses.replace(pipeline, specs={name: spec})


@pytest.mark.parametrize("name", ["web_search", "doiget_health", "paper_metadata"])
async def test_what_is_told_of_a_failure_holds_no_secret_of_ours(application, name):
    async def fail(_ask, _research):
        raise Unavailable("searxng", SECRETS)

    pipeline = with_tool((await application(**LOGIN, **KEYS))._pipeline, name, fail)
    arguments = {"web_search": {"query": "a word"}, "paper_metadata": {"identifier": "10.1/x"}}

    result = await pipeline.call(name, arguments.get(name, {}))

    assert "*** *** *** *** *** *** *** 10.1" in result.text
    assert "*** *** *** *** *** *** *** 10.1" in json.dumps(result.structured)


async def test_what_sources_found_is_told_as_it_is_but_not_what_they_failed_with(application):
    class Record(Answer):
        title: str
        attempts: list[dict[str, str]]

    async def find(_ask, _research):
        attempt = {"source": "searxng", "detail": "no open-sesame"}
        return Record(title="A word on open-sesame", attempts=[attempt])

    pipeline = with_tool((await application(**LOGIN, **KEYS))._pipeline, "doiget_health", find)

    result = await pipeline.call("doiget_health", {})

    assert result.structured["title"] == "A word on open-sesame"
    assert result.structured["attempts"] == [{"source": "searxng", "detail": "no ***"}]
    assert "no open-sesame" not in result.text


@pytest.mark.promise("wire.secrets-never-show")
async def test_a_key_that_a_source_sends_back_is_masked_in_a_successful_answer(application):
    key = "BSAk3yThatIsLong0123"

    class Record(Answer):
        title: str
        items: list[dict[str, str]]

    async def find(_ask, _research):
        return Record(title=f"you sent {key}", items=[{"url": f"https://a.example/?k={key}"}])

    app = await application(BRAVE_API_KEY=key)
    result = await with_tool(app._pipeline, "web_search", find).call("web_search", {"query": key})

    assert key not in result.text + json.dumps(result.structured)
    assert result.structured["title"] == "you sent ***"


@pytest.mark.promise("wire.secrets-never-show")
async def test_a_key_that_is_given_as_a_reference_is_in_no_log(application, tmp_path):
    key = "BSAk3yThatIsLong0123"
    app = await application(BRAVE_API_KEY=key, AUDIT_INCLUDE_REQUEST_BODY="1")

    result = await app.call("doiget_resolve_paper", {"ref": f"10.5555/{key}"})
    await app.aclose()

    kept = b"".join(path.read_bytes() for path in (tmp_path / "state").rglob("*.jsonl"))
    assert b"10.5555/***" in kept
    assert key.lower().encode() not in kept.lower()
    assert key.lower() not in (result.text + json.dumps(result.structured)).lower()


async def test_what_is_accepted_is_told_as_it_is_spelled(application):
    class Coded(Ask):
        code: Literal["US", "GB"]

    pipeline = (await application())._pipeline
    spec = dataclasses.replace(pipeline.specs["web_search"], ask=Coded)
    pipeline = dataclasses.replace(pipeline, specs={spec.name: spec})

    result = (await pipeline.call("web_search", {"code": "us"})).structured

    assert result["error"]["detail"].startswith("code: input should be 'US' or 'GB'")


async def test_what_a_defect_quotes_cannot_act_on_a_terminal(application, capsys):
    async def broken(_ask, _research):
        raise ValueError("a title: \x1b]0;owned\x07")

    pipeline = (await application())._pipeline
    spec = dataclasses.replace(pipeline.specs["doiget_health"], run=broken)

    await dataclasses.replace(pipeline, specs={spec.name: spec}).call("doiget_health", {})

    errors = capsys.readouterr().err
    assert r"\x1b]0;owned\x07" in errors
    assert "\x1b" not in errors


async def test_waiting_is_told_to_the_caller(application):
    messages = []

    async def listen(message, **_count):
        messages.append(message)

    app = await application()
    await app.call("doiget_resolve_paper", {"ref": "10.5555/fine-paper"}, progress=listen)

    assert any("crossref" in message for message in messages)


async def test_each_source_that_was_asked_leaves_a_row(application, tmp_path):
    app = await application()

    await app.call("doiget_resolve_paper", {"ref": "10.5555/never-registered-2019"})

    text = (tmp_path / "state" / "provenance.jsonl").read_text(encoding="utf-8")
    rows = [json.loads(line) for line in text.splitlines()]
    assert [row["event"] for row in rows][:: len(rows) - 1] == ["session_start", "session_end"]
    assert {row["source"] for row in rows[1:-1]} == {
        "crossref",
        "unpaywall",
        "datacite",
        "doi_org",
    }
    assert {row["error_code"] for row in rows[1:]} == {"NOT_FOUND"}
    assert all(row["sandbox"] is True for row in rows)
    assert len({row["session_id"] for row in rows}) == 1


@pytest.mark.promise("kept.no-answer-without-record")
async def test_without_a_log_there_is_no_answer(call, internet, tmp_path):
    (tmp_path / "file").write_text("in the way", encoding="utf-8")

    result = await call(
        "doiget_resolve_paper",
        {"ref": "10.5555/fine-paper"},
        DOIGET_LOG_PATH=str(tmp_path / "file" / "log.jsonl"),
    )

    assert (result["ok"], result["error"]["code"]) == (False, "LOG_ERROR")
    assert internet.seen == []


UNRECORDED = {
    "web_search": {"query": "tides"},
    "scrape_page": {"url": "https://example.org/"},
    "doiget_search_local": {"query": "tides"},
    "paper_metadata": {"identifier": "10.5555/fine-paper"},
}


@pytest.mark.promise("kept.no-answer-without-record")
@pytest.mark.parametrize("tool", UNRECORDED)
async def test_a_call_whose_event_cannot_be_kept_has_no_answer(tool, application, tmp_path):
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    app = await application(AUDIT_OUTPUT_PATH=str(tmp_path / "file" / "audit.jsonl"))

    result = await app.call(tool, UNRECORDED[tool])

    assert "could not be recorded" in result.text
    assert "error" in result.structured


async def test_while_events_cannot_be_kept_nobody_is_asked(application, internet, tmp_path):
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    app = await application(AUDIT_OUTPUT_PATH=str(tmp_path / "file" / "audit.jsonl"))
    await app.call("doiget_search_local", {"query": "tides"})
    requests = len(internet.seen)

    refused = await app.call("web_search", {"query": "tides"})
    (tmp_path / "file").unlink()
    answered = await app.call("web_search", {"query": "tides"})

    assert requests == 0
    assert "could not be recorded" in refused.text
    assert "error" not in answered.structured
    await app.aclose()
    text = (tmp_path / "file" / "audit.jsonl").read_text(encoding="utf-8")
    kept = [json.loads(line) for line in text.splitlines()]
    assert [event["event_type"] for event in kept] == ["audit.lost", "tool_call"]
    assert kept[0]["metadata"] == {"count": 2}


async def test_the_tool_that_finds_such_things_out_answers_all_the_same(call, tmp_path):
    (tmp_path / "file").write_text("in the way", encoding="utf-8")

    result = await call(
        "doiget_health", {}, AUDIT_OUTPUT_PATH=str(tmp_path / "file" / "audit.jsonl")
    )

    assert (result["ok"], result["audit_ok"], result["log_writable"]) == (True, False, True)


async def test_a_call_that_is_given_up_leaves_its_event_and_its_rows(
    application, internet, tmp_path
):
    internet.delays("api.crossref.org", seconds=60)
    app = await application()
    calling = asyncio.create_task(app.call("doiget_resolve_paper", {"ref": "10.5555/fine-paper"}))
    requested = await to_thread.run_sync(partial(internet.waits_for_request, "api.crossref.org"))

    calling.cancel()
    with pytest.raises(asyncio.CancelledError):
        await calling
    await app.aclose()

    text = (tmp_path / "state" / "provenance.jsonl").read_text(encoding="utf-8")
    rows = [json.loads(line) for line in text.splitlines()]
    ended = [(row["event"], row["source"], row["result"], row["error_code"]) for row in rows]
    assert requested
    assert ("resolve", "crossref", "err", None) in ended
    assert ended[-1] == ("session_end", None, "err", None)
    (event,) = events(tmp_path)
    assert (event["success"], event["error_code"]) == (False, "CANCELLED")


@pytest.mark.parametrize("name", ["web_search", "doiget_resolve_paper", "scrape_page"])
async def test_a_tool_that_is_announced_as_using_no_network_gets_none(application, internet, name):
    pipeline = (await application())._pipeline
    spec = pipeline.specs[name]
    closed = dataclasses.replace(spec, open_world=False)

    await dataclasses.replace(pipeline, specs={name: closed}).call(name, spec.example)

    assert internet.seen == []
