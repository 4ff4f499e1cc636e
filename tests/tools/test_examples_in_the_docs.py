"""The page with an example of every tool is what the tools answer today."""

import json

import pytest
import warm_python
from release_scripts import release_script

from sourcewright import tools

pytestmark = pytest.mark.anyio

LONG = {
    "text": "x" * 1_000,
    "list": [{"at": at, "name": "y" * 60} for at in range(9)],
    "deep": {"a": {"b": {"c": {"d": {"e": "z" * 90}}}}},
}


@pytest.fixture(scope="module")
def script():
    with release_script("tool_examples") as module:
        yield module


def is_failure(answer):
    if isinstance(answer, str):
        return not answer.startswith(("# Paper downloaded", "# Batch download"))
    refused = answer.get("status") in ("no_consent", "not_member", "unavailable")
    return refused or answer.get("ok") is False or "error" in answer


async def test_the_page_shows_every_tool_with_what_it_answers_today(script, internet, tmp_path):
    text = script.PAGE.read_text(encoding="utf-8")

    made = await script.examples(internet, str(tmp_path), warm_python.python())

    assert [example.tool for example in made] == sorted(tools.discover())
    assert [example.tool for example in made if is_failure(example.answer)] == []
    assert script.page(made) == text, "run `make examples`"


def test_what_is_left_out_of_an_example_is_said(script):
    short = script.shortened(LONG)

    assert short["text"] == f"{'x' * 160} \u2026 840 more characters"
    assert short["list"][2:] == ["\u2026 7 more"]
    assert json.dumps(short["deep"], ensure_ascii=False).endswith('"\u2026 1 field"}}}')
    assert len(script.pretty(short)) < 1_000
