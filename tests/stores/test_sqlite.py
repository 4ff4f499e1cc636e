"""SQLite files: when a process notices that another one has recreated its file."""

import pytest

from sourcewright.stores.sqlite import SqliteFile, SqliteFormat

FORMAT = SqliteFormat(
    application_id=1, version=1, schema=("CREATE TABLE marks (name TEXT PRIMARY KEY)",)
)


def add(name):
    return lambda db: db.execute("INSERT INTO marks (name) VALUES (?)", (name,)).rowcount


def names(db):
    return [name for (name,) in db.execute("SELECT name FROM marks")]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "marks.sqlite3"


@pytest.mark.parametrize(
    ("unnoticed_seconds", "expected"), [(0.0, ["theirs"]), (3600.0, ["ours"])]
)
def test_a_recreated_file_is_noticed_when_it_has_to_be(path, unnoticed_seconds, expected):
    ours = SqliteFile(path, FORMAT, unnoticed_seconds=unnoticed_seconds)
    ours.run(add("ours"))
    ours.run(names)
    other = SqliteFile(path, FORMAT)
    other.discard()
    other.run(add("theirs"))

    assert ours.run(names) == expected

    ours.close()
    other.close()


def test_a_file_is_looked_at_again_after_the_time_has_passed(path):
    ours = SqliteFile(path, FORMAT, unnoticed_seconds=1e-9)
    ours.run(add("ours"))
    other = SqliteFile(path, FORMAT)
    other.discard()
    other.run(add("theirs"))

    assert ours.run(names) == ["theirs"]

    ours.close()
    other.close()
