"""`sourcewright tool NAME`: one command per tool, made from its own schema."""

import json

import pytest

from sourcewright import manifest

NAMES = [tool["name"] for tool in manifest.load()["tools"]]


def test_every_tool_is_listed(cli):
    done = cli("tool", "--help")

    assert all(name in done.stdout for name in NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_every_tool_explains_itself_with_an_example(cli, name):
    done = cli("tool", name, "--help")

    assert done.returncode == 0
    assert "WHEN TO USE:" in done.stdout
    assert f"sourcewright tool {name}" in done.stdout


def test_health_is_readable_and_structured(cli):
    human = cli("tool", "doiget_health")
    machine = cli("tool", "doiget_health", "--json")

    assert "store_writable  yes" in human.stdout
    assert json.loads(machine.stdout)["sandbox"] is True


def test_a_missing_argument_is_a_usage_error(cli):
    done = cli("tool", "doiget_resolve_paper")

    assert done.returncode == 2
    assert "--ref" in done.stderr


def test_an_unknown_tool_is_a_usage_error(cli):
    done = cli("tool", "doiget_delete_paper")

    assert done.returncode == 2
    assert "doiget_delete_paper" in done.stderr


def test_records_with_different_fields_share_one_table(cli, terminal):
    """Only some hosts have a reputation, so only some results have that field."""
    words = ("tool", "web_search", "--query", "sea otter", "--provider", "duckduckgo")

    shown = terminal(*words, columns=200)
    piped = cli(*words).stdout

    assert "Traceback" not in shown
    assert "sourceReputation" in shown
    rows = [line for line in piped.splitlines() if "\t" in line]
    assert len(rows) == 6  # the head, and five results
    assert len({row.count("\t") for row in rows}) == 1


def test_a_list_is_given_by_repeating_the_option_or_as_one_array(cli):
    words = ("tool", "doiget_batch_fetch", "--dry-run", "true", "--json")

    repeated = cli(*words, "--refs", "10.5555/a", "--refs", "10.5555/b")
    array = cli(*words, "--refs", '["10.5555/a", "10.5555/b"]')

    assert len(json.loads(array.stdout)["plans"]) == 2
    assert array.stdout == repeated.stdout


def test_a_list_of_objects_is_given_as_one_array(cli):
    sources = '[{"url": "https://a.example/", "title": "A"}]'

    done = cli("tool", "format_bibliography", "--sources", sources, "--json")

    assert json.loads(done.stdout)["entryCount"] == 1


def test_a_name_that_is_no_tool_is_answered_with_the_nearest(cli):
    done = cli("tool", "search_web", "--query", "tides")

    assert done.returncode == 2
    assert "Did you mean" in done.stderr
    assert "web_search" in done.stderr
