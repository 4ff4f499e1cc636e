"""`fetch`, as the connectors of ChatGPT call it, in its documented shape.

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


def test_a_page_is_fetched_as_it_reads(call):
    document = call("fetch", id=PAGE)

    assert (document["id"], document["url"]) == (PAGE, PAGE)
    assert document["title"] == "Estuary"
    assert "where a river meets the sea" in document["text"]
    assert document["metadata"]["kind"] == "page"
    assert all(isinstance(one, str) for one in document["metadata"].values())
    assert document["trust"] == "untrusted-external-content"


def test_a_paper_is_its_record_until_the_library_has_its_text(call):
    before = call("fetch", id=f"doi:{PAPER}")
    assert call("doiget_fetch_paper", ref=PAPER)["ok"]
    after = call("fetch", id=f"https://doi.org/{PAPER}")

    assert before["title"] == after["title"] == TITLE
    assert before["url"] == f"https://doi.org/{PAPER}"
    assert before["metadata"]["text"] == "record and abstract only"
    assert "Open copies, each to be fetched with its URL as id" in before["text"]
    assert after["metadata"]["text"] == "full text in the library"
    assert "<!-- page 1 -->" in after["text"] or len(after["text"]) > len(before["text"])


def test_a_retracted_paper_says_so(call):
    document = call("fetch", id="10.5555/retracted-paper")

    assert document["metadata"]["integrity"] == "retracted"


@pytest.mark.parametrize("wrong", ["nonsense", "doi:", "http://127.0.0.1/admin", ""])
def test_an_id_that_is_none_is_refused(call, internet, wrong):
    internet.forget()

    answer = call("fetch", id=wrong)

    assert answer["error"]["kind"] == "validation"
    assert internet.seen == []


def test_a_paper_that_is_not_registered_is_not_found(call):
    answer = call("fetch", id="doi:10.5555/never-registered-2019")

    assert answer["error"]["kind"] == "not_found"
