"""File locks: the one that stays open excludes others, and notices that its file was replaced."""

import pytest

from sourcewright.base.clocks import SystemClock
from sourcewright.base.errors import LockTimeout
from sourcewright.stores.locks import OpenLock, locked


@pytest.fixture
def path(tmp_path):
    return tmp_path / "log.lock"


def is_free(path):
    try:
        with locked(path, clock=SystemClock(), limit_seconds=0.0):
            return True
    except LockTimeout:
        return False


@pytest.fixture
def lock(path):
    lock = OpenLock(path)
    yield lock
    lock.close()


def test_an_open_lock_excludes_others_only_while_it_is_held(lock, path):
    for _ in range(3):
        with lock:
            assert not is_free(path)
        assert is_free(path)


def test_an_open_lock_that_another_holds_is_refused_and_free_again_later(lock, path):
    with lock:
        pass
    with locked(path, clock=SystemClock()), pytest.raises(OSError, match="unavailable"):
        lock.__enter__()

    with lock:
        assert not is_free(path)


@pytest.mark.parametrize("replaced", [True, False])
def test_an_open_lock_on_a_deleted_file_is_never_held(lock, path, replaced):
    with lock:
        pass
    path.unlink()
    if replaced:
        path.touch()

    with pytest.raises((LockTimeout, FileNotFoundError)):
        lock.__enter__()

    with lock:
        assert not is_free(path)


def test_an_error_inside_releases_an_open_lock(lock, path):
    with pytest.raises(ZeroDivisionError), lock:
        raise ZeroDivisionError

    assert is_free(path)
