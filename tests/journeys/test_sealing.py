"""What is kept of users is sealed on disk, with a key that nobody had to set."""

import json
import re
import stat
import subprocess
from concurrent.futures import ThreadPoolExecutor

import pytest

from sourcewright.base.clocks import SystemClock
from sourcewright.domain.users.teams import Memory
from sourcewright.stores.keyvalue.records import RecordDatabase
from sourcewright.stores.keyvalue.sealed_records import SealedRecords
from sourcewright.stores.teams.dated_entries import DatedEntries
from sourcewright.stores.teams.records import StoredJson

ON = {"MEMORY_ENABLED": "true", "STDIO_USER_ID": "ada"}
STEP = ("--stepNumber", "1", "--nextStepNeeded", "true")
SECRETS = ("Silt fills the harbour", "the goal nobody knows", "tides-topic")
STATE = "state/sourcewright/sandbox"
OWN = {"CACHE_ENCRYPTION_KEY": "0f" * 32}


@pytest.fixture
def key_file(environment):
    return environment["SOURCEWRIGHT_KEY_FILE"]


@pytest.fixture
def keep(cli):
    """Keeps a memory and a session, as a user does; gives the id of the session."""

    def run(**changes):
        saved = cli("memory", "save", SECRETS[0], "--topic", SECRETS[2], **ON, **changes)
        words = ("--searchStep", SECRETS[1], "--researchGoal", SECRETS[1])
        begun = cli("tool", "sequential_search", *words, *STEP, "--json", **ON, **changes)
        assert (saved.returncode, begun.returncode) == (0, 0), saved.stderr + begun.stderr
        return json.loads(begun.stdout)["sessionId"]

    return run


def recalled(cli, **changes):
    return json.loads(cli("memory", "recall", "--json", **ON, **changes).stdout)


def in_plain(folder):
    """The files that have one of the secrets in them."""
    return {
        path.name
        for path in folder.rglob("*.sqlite3*")
        for secret in SECRETS
        if path.is_file() and secret.encode() in path.read_bytes()
    }


def test_what_is_kept_is_sealed_with_a_key_that_is_its_owners_alone(cli, keep, key_file, tmp_path):
    keep()

    path = tmp_path / key_file
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert re.fullmatch(r"[0-9a-f]{64}\n", path.read_text())
    assert in_plain(tmp_path / STATE) == set()
    assert recalled(cli)["memories"][0]["note"] == SECRETS[0]
    shown = cli("config", "show").stdout + cli("doctor", "--all").stdout
    assert path.read_text().strip() not in shown
    assert str(path) in shown


LOST = {
    "is gone": lambda path: path.unlink(),
    "is no key of 64 hexadecimal digits": lambda path: path.write_text("0f0f"),
    "has another key": lambda path: path.write_text("1e" * 32),
}


@pytest.mark.parametrize("what", LOST)
def test_without_its_key_nothing_reads_as_empty_and_nothing_is_called_saved(
    cli, keep, key_file, tmp_path, what
):
    session = keep()
    LOST[what](tmp_path / key_file)

    recall = cli("memory", "recall", "--json", **ON)
    save = cli("memory", "save", "More", **ON)
    recover = cli("tool", "get_research_session", "--sessionId", session, "--json", **ON)
    begun = cli("tool", "sequential_search", "--searchStep", "x", *STEP, **ON)
    doctor = cli("doctor", **ON)
    checked = cli("storage", "check", "--json", **ON)

    for done in (recall, save, recover, begun):
        text = done.stdout + done.stderr
        assert (done.returncode != 0, what in text, "saved" in text) == (True, True, False), text
        assert "sourcewright storage accept key" in text
    assert "Session not found" not in recover.stdout
    assert (doctor.returncode, what in " ".join(doctor.stdout.split())) == (1, True)
    assert checked.returncode == 1


def test_a_restored_key_opens_everything_again(cli, keep, key_file, tmp_path):
    keep()
    path = tmp_path / key_file
    key = path.read_text()
    path.unlink()
    assert cli("memory", "recall", **ON).returncode != 0

    path.write_text(key)
    path.chmod(0o644)

    assert recalled(cli)["total"] == 1
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_whoever_goes_on_without_the_key_keeps_the_sealed_files(cli, keep, key_file, tmp_path):
    keep()
    (tmp_path / key_file).unlink()

    accepted = cli("storage", "accept", "key", **ON)
    keep()

    state = tmp_path / STATE
    assert accepted.returncode == 0
    assert {"sessions.sqlite3.broken", "teams.sqlite3.broken"} <= {
        one.name for one in state.iterdir()
    }
    found = recalled(cli)
    assert found["total"] == 1
    assert "what was in it cannot be read" in found["reason"]
    assert (tmp_path / key_file).exists()


def test_the_key_of_the_operator_wins_and_what_the_file_sealed_is_sealed_again(
    cli, keep, key_file, tmp_path
):
    session = keep()

    assert recalled(cli, **OWN)["total"] == 1
    read = cli("tool", "get_research_session", "--sessionId", session, **ON, **OWN)
    cli("memory", "save", "More", **ON, **OWN)
    (tmp_path / key_file).unlink()

    assert read.returncode == 0
    assert recalled(cli, **OWN)["total"] == 2, "the file is not needed any more"
    assert cli("storage", "check", **ON, **OWN).returncode == 0
    without = cli("memory", "recall", "--json", **ON)
    assert without.returncode != 0


def test_with_a_key_of_the_operator_no_file_is_made(cli, keep, key_file, tmp_path):
    keep(**OWN)

    assert not (tmp_path / key_file).exists()
    assert in_plain(tmp_path / STATE) == set()
    missing = cli("memory", "recall", "--json", **ON)
    assert (missing.returncode != 0, "CACHE_ENCRYPTION_KEY" in missing.stdout) == (True, True)


@pytest.mark.anyio
async def test_what_an_earlier_version_kept_is_read_and_sealed_with_the_next_write(
    cli, environment, tmp_path
):
    """Also in the pages that became free, and in the log of the file."""
    path = tmp_path / STATE / "teams.sqlite3"
    records = RecordDatabase(path, clock=SystemClock())
    entries = DatedEntries(
        records=SealedRecords(records, None),
        subject="memory",
        form=StoredJson(Memory),
        clock=SystemClock(),
        scope=environment["SOURCEWRIGHT_SANDBOX_URL"],
        keep_seconds=3600.0,
        most=10,
    )
    for number in range(3):
        note = f"{SECRETS[0]} {number} {'and more ' * 500}"
        memory = Memory(
            id=f"m{number}",
            note=note,
            created_at="2026-01-01T00:00:00Z",
            topic=None,
            url=None,
            tags=(),
        )
        await entries.add(("default", "ada"), memory.id, memory, guards={})
    await records.aclose()
    assert in_plain(tmp_path / STATE) == {"teams.sqlite3"}

    read = recalled(cli)
    cli("memory", "save", "More", **ON)

    assert read["total"] == 3
    assert recalled(cli)["total"] == 4
    assert in_plain(tmp_path / STATE) == set()


def test_many_processes_that_begin_at_once_make_one_key(cli):
    cli("--version")  # the process that the others are forked from
    with ThreadPoolExecutor(6) as pool:
        saves = list(pool.map(lambda n: cli("memory", "save", f"note {n}", **ON), range(6)))

    assert [done.returncode for done in saves] == [0] * 6, [done.stderr for done in saves]
    assert recalled(cli)["total"] == 6


def test_a_key_that_cannot_be_written_is_said_and_nothing_is_kept_in_plain(cli, tmp_path):
    (tmp_path / "file").write_text("")
    where = {"SOURCEWRIGHT_KEY_FILE": str(tmp_path / "file" / "sealing.key")}

    done: subprocess.CompletedProcess[str] = cli("memory", "save", SECRETS[0], **ON, **where)

    assert (done.returncode != 0, "sealing.key" in done.stderr) == (True, True), done.stderr
    assert in_plain(tmp_path / STATE) == set()
