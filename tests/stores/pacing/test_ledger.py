"""The rate limit ledger in a file: processes that end, and files that are broken or foreign."""

import os
import sqlite3
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from sourcewright.base.errors import SchemaTooNew, StoreError
from sourcewright.net.rate_ledger import RateBucket
from sourcewright.stores.pacing import SqliteLedger

NOON = 1_800_000_000.0
FIVE = RateBucket(name="five", starts=5, per_seconds=1.0)
SINGLE = RateBucket(name="single", starts=100, per_seconds=1.0, at_once=1)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "state" / "pacing.db"


@pytest.fixture
def ledger(path):
    ledger = SqliteLedger(path)
    yield ledger
    ledger.close()


@pytest.fixture
def other(path):
    """Another process's view of the same file."""
    ledger = SqliteLedger(path)
    yield ledger
    ledger.close()


@pytest.mark.parametrize("attempt", range(5))
def test_many_who_open_a_new_ledger_at_once_share_it(path, attempt):
    together = threading.Barrier(8)

    def book(number):
        ledger = SqliteLedger(path)
        together.wait(timeout=300)
        booked = ledger.ask(f"{attempt}-{number}", [FIVE], NOON).wait == 0
        ledger.close()
        return booked

    with ThreadPoolExecutor(8) as threads:
        booked = list(threads.map(book, range(8)))

    assert booked.count(True) == 5


def test_the_places_of_a_process_that_died_are_freed(ledger, path):
    script = (
        "import os, sys; from pathlib import Path; from sourcewright.net.rate_ledger import RateBucket;"
        "from sourcewright.stores.pacing import SqliteLedger;"
        "bucket = RateBucket(name='single', starts=100, per_seconds=1.0, at_once=1);"
        f"turn = SqliteLedger(Path(sys.argv[1])).ask('dead', [bucket], {NOON});"
        "os._exit(0 if turn.wait == 0 else 1)"
    )
    ledger.ask("mine", [FIVE], NOON)
    subprocess.run([sys.executable, "-c", script, path], check=True, timeout=300)

    assert ledger.ask("next", [SINGLE], NOON + 1.5).wait == 0


def test_the_place_of_a_living_process_is_kept(path):
    script = (
        "import sys; from pathlib import Path; from sourcewright.net.rate_ledger import RateBucket;"
        "from sourcewright.stores.pacing import SqliteLedger;"
        "bucket = RateBucket(name='single', starts=100, per_seconds=1.0, at_once=1);"
        f"SqliteLedger(Path(sys.argv[1])).ask('alive', [bucket], {NOON});"
        "print('booked', flush=True); sys.stdin.read()"
    )
    command = [sys.executable, "-c", script, path]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as living:
        living.stdout.readline()
        ledger = SqliteLedger(path)

        wait = ledger.ask("next", [SINGLE], NOON + 100).wait

        living.stdin.close()
        ledger.close()
    assert wait > 0


@pytest.mark.parametrize("rubbish", [b"not a database at all" * 100, b"SQLite format 3\0" * 300])
def test_a_broken_file_is_set_aside_and_begun_anew(ledger, path, rubbish):
    path.parent.mkdir()
    path.write_bytes(rubbish)

    assert ledger.ask("a", [SINGLE], NOON).wait == 0
    assert ledger.ask("b", [SINGLE], NOON).wait > 0
    assert path.with_name("pacing.db.broken").read_bytes() == rubbish


def test_a_file_that_breaks_in_use_is_begun_anew_by_everyone(ledger, other, path):
    ledger.ask("a", [SINGLE], NOON)
    other.ask("b", [FIVE], NOON)
    ledger.close()
    other.close()
    path.write_bytes(os.urandom(16_384))

    assert ledger.ask("c", [SINGLE], NOON).wait == 0
    assert other.ask("d", [SINGLE], NOON).wait > 0


def test_a_process_whose_file_was_deleted_meets_the_others_in_the_new_one(ledger, other, path):
    ledger.ask("a", [FIVE], NOON)
    for file in path.parent.iterdir():
        file.unlink()

    assert other.ask("newcomer", [SINGLE], NOON).wait == 0
    assert ledger.ask("b", [SINGLE], NOON).wait > 0


def test_a_database_of_another_program_is_refused_and_left_as_it_was(ledger, path):
    path.parent.mkdir()
    with sqlite3.connect(path) as theirs:
        theirs.execute("CREATE TABLE letters (body TEXT)")
    theirs.close()
    before = path.read_bytes()

    with pytest.raises(StoreError, match="another program"):
        ledger.ask("a", [FIVE], NOON)

    assert path.read_bytes() == before


def test_a_ledger_of_a_newer_version_is_refused(ledger, path):
    ledger.ask("a", [FIVE], NOON)
    ledger.close()
    with sqlite3.connect(path) as newer:
        newer.execute("PRAGMA user_version = 99")
    newer.close()

    with pytest.raises(SchemaTooNew):
        ledger.ask("b", [FIVE], NOON)


def test_a_file_that_cannot_be_opened_is_a_store_error(tmp_path):
    with pytest.raises(StoreError, match="rate limit ledger"):
        SqliteLedger(tmp_path).ask("a", [FIVE], NOON)


def test_a_folder_that_cannot_be_made_is_a_store_error(tmp_path):
    (tmp_path / "file").write_text("in the way")

    with pytest.raises(StoreError, match="rate limit ledger"):
        SqliteLedger(tmp_path / "file" / "pacing.db").ask("a", [FIVE], NOON)


def test_the_ledger_forgets_what_is_over(ledger, path):
    for number in range(50):
        ledger.ask(f"t{number}", [FIVE], NOON + number)
        ledger.started(f"t{number}", NOON + number)
        ledger.leave(f"t{number}")
    ledger.block("five", 1.0, NOON)

    ledger.ask("last", [FIVE], NOON + 3600)

    with sqlite3.connect(path) as db:
        rows = {
            t: db.execute(f"SELECT count(*) FROM {t}").fetchone()[0]
            for t in ("starts", "places", "queue", "holds")
        }
    db.close()
    assert rows == {"starts": 1, "places": 0, "queue": 0, "holds": 0}
