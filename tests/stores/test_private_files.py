"""Files of the server are readable by their owner only, whatever the umask is."""

import stat
import sys

import pytest
import warm_python

FINE = "10.5555/fine-paper"


def shared(*roots):
    """Everything below a folder that other users may access."""
    found = [path for root in roots for path in (root, *root.rglob("*"))]
    return {str(path): oct(mode) for path in found if (mode := _mode(path)) & 0o077}


def _mode(path):
    return stat.S_IMODE(path.lstat().st_mode)


@pytest.fixture
def run(environment, tmp_path):
    """Runs a command under a umask, with all folders of the server in their usual places."""
    homes = {f"XDG_{kind}_HOME": str(tmp_path / "xdg" / kind) for kind in ("STATE", "CACHE")}
    ours = ("DOIGET_LOG_PATH", "AUDIT_OUTPUT_PATH")
    chosen = {name: value for name, value in environment.items() if name not in ours}

    def start(mask, *words):
        warm_python.run(
            [sys.executable, "-m", "sourcewright", *words],
            env={**chosen, **homes},
            cwd=tmp_path,
            check=True,
            capture_output=True,
            umask=mask,
        )
        return tmp_path / "xdg"

    return start


@pytest.mark.promise("kept.only-its-owner-reads-it")
@pytest.mark.parametrize("mask", [0o000, 0o022, 0o077])
def test_nobody_else_may_read_what_is_kept(run, mask):
    for words in (("fetch", FINE), ("search", "tides"), ("library", "recent")):
        folder = run(mask, *words)

    kept = [path.name for path in folder.rglob("*") if path.is_file()]
    assert len(kept) > 5
    assert shared(*folder.glob("*/sourcewright")) == {}


@pytest.mark.promise("kept.only-its-owner-reads-it")
def test_what_an_earlier_version_let_others_read_is_closed_to_them(run):
    folder = run(0o022, "fetch", FINE)
    run(0o022, "library", "recent")
    ours = list(folder.glob("*/sourcewright"))
    for path in (*ours, *(file for one in ours for file in one.rglob("*") if file.is_file())):
        path.chmod(0o755 if path.is_dir() else 0o644)

    for words in (("resolve", FINE), ("search", "tides"), ("library", "recent")):
        run(0o022, *words)

    left = {path for path in shared(*ours) if not path.endswith(".lock")}
    assert left == set()
