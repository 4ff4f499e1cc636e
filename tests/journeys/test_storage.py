"""State at rest: what is lost, damaged or replaced is said wherever somebody depends on it."""

import json
import shutil
import sqlite3

import pytest

ON = {"MEMORY_ENABLED": "true", "STDIO_USER_ID": "ada", "WORKSPACES_ENABLED": "true"}
STEP = ("--searchStep", "read", "--stepNumber", "1", "--nextStepNeeded", "true")
STATE = "state/sourcewright/sandbox"


@pytest.fixture
def used(cli, tmp_path):
    """The folder of an installation with a session, a memory and an API key, all closed."""
    begun = json.loads(cli("tool", "sequential_search", *STEP, "--json", **ON).stdout)
    cli("memory", "save", "Silt fills the harbour", **ON)
    cli("keys", "create", "--tenant=north", "--user=ada", **ON)
    return begun["sessionId"], tmp_path / STATE


def zeroed(path):
    """The head is whole, and pages after it are not."""
    body = path.read_bytes()
    path.write_bytes(body[:4096] + bytes(len(body) - 4096))


DAMAGES = {
    "removed": lambda path: path.unlink(),
    "emptied": lambda path: path.write_bytes(b""),
    "no database": lambda path: path.write_bytes(b"no database" * 500),
    "a third zeroed": zeroed,
    "cut": lambda path: path.write_bytes(path.read_bytes()[:4096]),
}


def grades(cli, **changes):
    found = json.loads(cli("doctor", "--json", **ON, **changes).stdout)["findings"]
    return {one["subject"]: one for one in found}


def states(cli, *, code):
    done = cli("storage", "check", "--json", **ON)
    assert done.returncode == code, done.stdout
    rows = json.loads(done.stdout)
    assert rows["ok"] is (code == 0)
    return {one["name"]: one for one in rows["stores"]}


@pytest.mark.usefixtures("used")
def test_a_sound_installation_is_called_sound(cli):
    found = states(cli, code=0)

    whole = ("sessions", "memory", "credentials", "key", "inventory", "audit-log")
    assert {found[name]["state"] for name in whole} == {"whole"}
    assert found["retractions"]["state"] == "absent"
    assert "0 problems" in cli("storage", "check", **ON).stdout
    doctor = grades(cli)
    assert doctor["stores"]["grade"] == "ok"
    assert "sealing.key" in doctor["key of sessions and memory"]["detail"]


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize(
    ("file", "title"), [("sessions", "research sessions"), ("teams", "memory and workspaces")]
)
def test_a_lost_or_damaged_store_is_said_before_and_after_it_begins_anew(
    cli, used, file, title, damage
):
    session, state = used
    name = {"sessions": "sessions", "teams": "memory"}[file]
    DAMAGES[damage](state / f"{file}.sqlite3")

    before = grades(cli)[title]
    checked = states(cli, code=1)[name]
    cli("tool", "sequential_search", *STEP, "--json", **ON)
    saved = json.loads(cli("memory", "save", "Sand too", "--json", **ON).stdout)
    recalled = json.loads(cli("memory", "recall", "--json", **ON).stdout)
    missing = cli("tool", "get_research_session", "--sessionId", session, "--json", **ON).stdout
    after = grades(cli)[title]

    assert (before["grade"], after["grade"]) == ("problem", "problem")
    assert checked["state"] in {"lost", "damaged"}
    assert f"storage accept {name}" in before["advice"]
    lost = json.loads(missing)["error"]["detail"] if file == "sessions" else saved["reason"]
    assert "what was in it cannot be read" in lost
    assert "what was in it cannot be read" in after["detail"]
    if file == "teams":
        assert "what was in it cannot be read" in recalled["reason"]
        assert [one["note"] for one in recalled["memories"]] == ["Sand too"]
    else:
        assert "reason" not in saved


def test_a_loss_is_said_until_the_operator_accepts_it(cli, used):
    _, state = used
    (state / "teams.sqlite3").unlink()
    cli("memory", "save", "Sand too", **ON)

    accepted = cli("storage", "accept", "memory", **ON)
    again = cli("storage", "accept", "memory", **ON)

    assert (accepted.returncode, "from now on" in accepted.stdout) == (0, True)
    assert "nothing of memory is lost" in again.stdout
    assert states(cli, code=0)["memory"]["state"] == "whole"
    assert "reason" not in json.loads(cli("memory", "save", "More", "--json", **ON).stdout)
    log = (state.parents[1] / "audit.jsonl").read_text("utf-8")
    assert log.count('"storage.accept"') == 1


def test_another_file_in_the_place_of_a_store_is_not_taken_for_it(cli, used, tmp_path):
    _, state = used
    other = {"XDG_STATE_HOME": str(tmp_path / "elsewhere")}
    cli("memory", "save", "Somewhere else", **ON, **other)
    shutil.copy(tmp_path / "elsewhere/sourcewright/sandbox/teams.sqlite3", state)

    found = states(cli, code=1)["memory"]
    recalled = json.loads(cli("memory", "recall", "--json", **ON).stdout)

    assert found["state"] == "replaced"
    assert "replaced by another file" in recalled["reason"]


def test_a_store_that_is_restored_is_the_same_again(cli, used, tmp_path):
    _, state = used
    shutil.copy(state / "teams.sqlite3", tmp_path / "back-up")
    (state / "teams.sqlite3").unlink()
    assert states(cli, code=1)["memory"]["state"] == "lost"

    shutil.copy(tmp_path / "back-up", state / "teams.sqlite3")

    recalled = json.loads(cli("memory", "recall", "--json", **ON).stdout)
    assert recalled["memories"][0]["note"] == "Silt fills the harbour"
    assert "reason" not in recalled
    assert states(cli, code=0)["memory"]["state"] == "whole"


@pytest.mark.parametrize("damage", DAMAGES)
def test_lost_credentials_let_nobody_make_or_list_keys_and_the_way_out_is_said(cli, used, damage):
    _, state = used
    DAMAGES[damage](state / "credentials.sqlite3")

    listed = cli("keys", "list", **ON)
    found = states(cli, code=1)["credentials"]
    accepted = cli("storage", "accept", "credentials", **ON)
    after = cli("keys", "list", **ON)

    assert (listed.returncode, listed.stdout) == (4, "")
    assert found["state"] in {"lost", "damaged"}
    assert "storage accept credentials" in found["advice"]
    assert "valid again until they expire" in found["advice"]
    assert accepted.returncode == 0
    assert (after.returncode, "there are no API keys" in after.stdout) == (0, True)
    assert states(cli, code=0)["credentials"]["state"] == "whole"


def test_a_damaged_inventory_lets_nobody_forget_and_has_a_way_out(cli, used):
    _, state = used
    (state / "stores.json").write_text('{"half')
    (state / "credentials.sqlite3").unlink()

    refused = cli("keys", "list", **ON)
    accepted = cli("storage", "accept", "inventory", **ON)

    assert (refused.returncode, refused.stdout) == (4, "")
    assert "stores.json" in refused.stderr
    assert "begun anew" in accepted.stdout
    assert json.loads(cli("memory", "recall", "--json", **ON).stdout)["total"] == 1


def test_records_of_an_earlier_version_are_adopted_without_a_word(cli, used):
    """They have no id, and there is no inventory."""
    _, state = used
    (state / "stores.json").unlink()
    for name, statement in (
        ("teams", "DELETE FROM records WHERE owner = 0"),
        ("credentials", "DROP TABLE identity"),
    ):
        with sqlite3.connect(state / f"{name}.sqlite3") as db:
            db.execute(statement)
        db.close()

    recalled = json.loads(cli("memory", "recall", "--json", **ON).stdout)
    keys = cli("keys", "list", **ON)

    assert (recalled["total"], "reason" in recalled, keys.returncode) == (1, False, 0)
    assert "north" in keys.stdout
    assert states(cli, code=0)["memory"]["state"] == "whole"


def test_the_check_looks_at_papers_logs_and_the_list_too(cli, used, tmp_path):
    _, state = used
    cli("fetch", "10.5555/fine-paper", **ON)
    papers = tmp_path / "papers"
    assert states(cli, code=0)["papers"]["detail"] == "1 PDF, each as it was stored"
    [pdf] = papers.glob("*.pdf")
    body = bytearray(pdf.read_bytes())
    body[len(body) // 2] ^= 1
    pdf.write_bytes(body)
    [record] = (papers / ".metadata").glob("*.toml")
    (papers / ".metadata" / "doi_10.5555_other.toml").write_text("title = [", "utf-8")
    log = state.parents[1] / "provenance.jsonl"
    log.write_text(log.read_text("utf-8").replace("crossref", "crossreF", 1), "utf-8")
    (state / "retractions.sqlite").write_bytes(b"no list" * 1000)

    found = states(cli, code=1)

    bad = {name for name, one in found.items() if one["state"] not in {"whole", "absent"}}
    assert bad == {"papers", "records", "provenance-log", "retractions"}
    assert "has changed since it was stored" in found["papers"]["detail"]
    assert "doi_10.5555_other" in found["records"]["detail"]
    assert record.exists()


def test_a_file_that_may_not_be_read_is_neither_whole_nor_lost(cli, used):
    _, state = used
    path = state / "teams.sqlite3"
    path.unlink()
    path.mkdir()

    found = states(cli, code=4)["memory"]

    assert found["state"] == "unknown"
