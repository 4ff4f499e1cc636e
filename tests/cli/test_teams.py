"""Consent, memory, workspaces and analytics at the terminal, for people and for programs."""

import json

import pytest

ON = {
    "MEMORY_ENABLED": "true",
    "WORKSPACES_ENABLED": "true",
    "USER_ANALYTICS_ENABLED": "true",
    "STDIO_USER_ID": "ann",
}


@pytest.fixture
def ann(cli):
    """Runs a command as Ann, with everything turned on."""
    return lambda *words, **changes: cli(*words, **ON | changes)


def response(done):
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_finding_is_saved_recalled_by_words_and_forgotten(ann):
    saved = ann("memory", "save", "Neap tides are lowest", "--topic", "tides", "--tag", "sea")
    [_, id_] = saved.stdout.split()

    recalled = ann("memory", "recall", "tide")
    [kept] = response(ann("memory", "recall", "--topic", "Tides", "--json"))["memories"]

    assert recalled.stdout.splitlines()[0] == "Neap tides are lowest"
    assert "#sea" in recalled.stdout
    assert (kept["id"], kept["userId"], kept["tags"]) == (id_, "ann", ["sea"])
    assert ann("memory", "recall", "volcano").stdout == "nothing was found\n"
    assert ann("memory", "forget", id_).stdout == "removed 1 of 1\n"
    assert ann("memory", "forget", id_).returncode == 1
    assert response(ann("memory", "recall", "--json"))["count"] == 0


def test_what_is_off_or_without_a_user_says_what_to_set(ann):
    off = ann("memory", "recall", MEMORY_ENABLED="false")
    nobody = ann("memory", "recall", STDIO_USER_ID="")
    consent = ann("consent", "show", STDIO_USER_ID="")

    assert (off.returncode, "set MEMORY_ENABLED=true" in off.stderr) == (3, True)
    assert (nobody.returncode, "error[unavailable]" in nobody.stderr) == (3, True)
    assert (consent.returncode, "give --user" in consent.stderr) == (2, True)


def test_consent_is_granted_withdrawn_and_shown_with_its_history(ann):
    assert ann("consent", "grant", "memory", "--terms", "2026-01").stdout == (
        "granted for ann: memory\n"
    )
    assert "(as before)" in ann("consent", "grant", "memory").stdout
    assert response(ann("consent", "withdraw", "memory", "--json"))["changed"] is True

    refused = ann("memory", "save", "x")
    shown = response(ann("consent", "show", "--json"))

    assert (refused.returncode, "error[no_consent]" in refused.stderr) == (3, True)
    assert refusal_status(ann("memory", "save", "x", "--json")) == "no_consent"
    decisions = [one for one in shown["history"] if one["purpose"] == "memory"]
    assert (shown["granted"]["memory"], shown["granted"]["workspace"]) == (False, False)
    assert [one["granted"] for one in decisions] == [True, False]
    assert shown["history"][0]["terms_version"] == "2026-01"
    assert "withdrawn  memory" in ann("consent", "show").stdout
    assert response(ann("consent", "show", "--user", "bob", "--json"))["history"] == []


def refusal_status(done):
    assert done.returncode == 3
    return json.loads(done.stdout)["status"]


def test_only_purposes_and_people_that_exist_can_be_decided_on(ann):
    assert ann("consent", "grant", "everything").returncode == 2
    assert ann("consent", "grant", "memory", "--user", "anonymous").returncode == 2
    assert ann("consent", "grant", "memory", "--user", "a\tb").returncode == 2


def test_a_workspace_is_made_joined_used_and_left(ann):
    assert ann("workspace", "add", "tides", "ann").returncode == 1
    assert ann("workspace", "create", "tides").stdout == "created tides\n"
    assert ann("workspace", "create", "tides").stdout == "tides: nothing to do\n"
    assert ann("workspace", "add", "tides", "ann").stdout == "added tides ann\n"
    assert refusal_status(ann("workspace", "read", "tides", "--json")) == "no_consent"
    assert ann("consent", "grant", "workspace").returncode == 0

    shared = ann("workspace", "contribute", "tides", "Silt fills the harbour", "--tag", "silt")
    read = ann("workspace", "read", "tides", "harbours")

    assert shared.stdout.startswith("shared ")
    assert read.stdout.splitlines()[0] == "Silt fills the harbour"
    assert "default/ann" in read.stdout
    [listed] = response(ann("workspace", "list", "--json"))["workspaces"]
    assert (listed["id"], [one["user"] for one in listed["members"]]) == ("tides", ["ann"])
    assert "default/ann" in ann("workspace", "list").stdout
    assert response(ann("workspace", "remove", "tides", "ann", "--json"))["removed"] is True
    assert refusal_status(ann("workspace", "read", "tides", "--json")) == "not_member"
    assert response(ann("workspace", "delete", "tides", "--yes", "--json"))["contributions"] == 1
    assert "there are no workspaces" in ann("workspace", "list").stdout


def test_workspaces_are_listed_in_one_table(ann, terminal):
    ann("workspace", "create", "tides")
    ann("workspace", "create", "silt")

    shown = terminal("workspace", "list", **ON)

    assert ("tides" in shown, "silt" in shown) == (True, True)
    assert shown.count("members") - shown.count("no members") == 1


def test_the_terminal_is_counted_like_any_other_use(ann):
    assert ann("analytics").stdout == "no call was counted yet\n"

    shown = ann("analytics")
    counted = response(ann("analytics", "--json"))["analytics"]

    assert "get_my_analytics\t1" in shown.stdout
    assert counted["toolCounts"] == {"get_my_analytics": 2}
