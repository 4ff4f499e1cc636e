"""`search`, as the connectors of ChatGPT call it, in its documented shape.

https://platform.openai.com/docs/mcp (2026): one text with JSON, the same as structured content.
"""

import json

import pytest
from jsonschema import Draft202012Validator
from killable_server import serving

ON = {"SOURCEWRIGHT_CONNECTOR_TOOLS": "true"}
PAPER = "10.5555/fine-paper"
TITLE = "Tidal mixing and the memory of estuaries"
PAGE = "https://en.wikipedia.org/wiki/Estuary"
WEB = ("html.duckduckgo.com", "en.wikipedia.org", "hn.algolia.com")


@pytest.fixture
def call(environment, tmp_path):
    """Calls a tool of a server over a pipe; its answer is held to the schema that it lists."""
    with serving({**environment, **ON}, tmp_path) as server:
        listed = {tool["name"]: tool for tool in server.ask("tools/list", {})["tools"]}

        def run(name, **arguments):
            answer = server.call(name, **arguments)
            Draft202012Validator(listed[name]["outputSchema"]).validate(
                answer["structuredContent"]
            )
            assert len(answer["content"]) == 1
            if not answer["isError"]:
                assert json.loads(answer["content"][0]["text"]) == answer["structuredContent"]
            return answer["structuredContent"]

        run.listed = listed
        yield run


def test_they_are_listed_on_request_only(environment, tmp_path, call):
    with serving(environment, tmp_path) as server:
        usual = {tool["name"] for tool in server.ask("tools/list", {})["tools"]}
        refused = server.send("tools/call", {"name": "fetch", "arguments": {"id": PAGE}})
        while (message := json.loads(server.process.stdout.readline())).get("id") != refused:
            pass

    assert "Unknown tool: fetch" in message["error"]["message"]
    assert call.listed.keys() - usual == {"search", "fetch"}
    for name, argument in (("search", "query"), ("fetch", "id")):
        schema = call.listed[name]["inputSchema"]
        assert (schema["required"], list(schema["properties"])) == ([argument], [argument])
        assert schema["properties"][argument]["type"] == "string"
        assert call.listed[name]["annotations"]["readOnlyHint"] is True


def test_a_search_has_pages_and_papers_that_can_be_fetched(call):
    found = call("search", query=TITLE)

    ids = [one["id"] for one in found["results"]]
    assert all(set(one) == {"id", "title", "url"} for one in found["results"])
    assert f"doi:{PAPER}" in ids
    assert any(one.startswith("http") for one in ids)
    assert len(set(ids)) == len(ids)
    assert all(one["url"].startswith("http") and one["title"] for one in found["results"])
    for one in [f"doi:{PAPER}", PAGE]:
        document = call("fetch", id=one)
        assert set(document) == {"id", "title", "text", "url", "metadata", "trust"}


def test_a_kind_that_could_not_be_searched_is_named(call, internet):
    for host in WEB:
        internet.breaks(host, status=503)

    found = call("search", query=TITLE)

    assert found["results"][0]["id"] == f"doi:{PAPER}"
    assert "web" in found["sourcesFailed"]


def test_nothing_found_by_one_and_a_failure_of_the_other_is_that_failure(call, internet):
    for host in WEB:
        internet.breaks(host, status=503)

    found = call("search", query="qzxv wkjh plmn")

    assert found["error"]["kind"] in ("upstream_unavailable", "rate_limited", "network")
