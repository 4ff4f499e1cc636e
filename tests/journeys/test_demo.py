"""`sourcewright demo` on a machine without any configuration."""

import signal
import subprocess
import sys

import pytest
import warm_python


def test_the_demo_ends_in_the_words_of_the_promise(cli):
    done = cli("demo")

    endings = [line for line in done.stdout.splitlines() if line.startswith("=> ")]
    assert done.returncode == 0, done.stderr
    assert endings == [
        "=> 10.5555/fine-paper exists",
        "=> 10.5555/retracted-paper retracted",
        "=> 10.5555/never-registered-2019 does not exist",
        "=> 10.5555/never-registered-2019 could not be checked",
        "=> 10.5555/fine-paper was fetched, and the file is this paper",
        "=> 10.5555/wrong-file was not kept, because the file is another paper",
        endings[-1],
    ]
    assert endings[-1].endswith("rows; the hash chain is intact")


def test_the_demo_plays_the_same_whatever_its_spectator_has_set(cli, tmp_path):
    config = tmp_path / ".config" / "sourcewright" / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text("this is no TOML", encoding="utf-8")

    done = cli("demo", TOOLSETS="web")

    assert done.returncode == 0, done.stderr
    assert done.stdout.count("=> ") == 7


def test_a_demo_whose_server_cannot_start_says_so(cli):
    done = cli("demo", SOURCEWRIGHT_BOGUS="1")

    assert done.returncode == 1
    assert "SOURCEWRIGHT_BOGUS" in done.stderr
    assert "the server ended early" in done.stderr


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_demo_that_is_ended_leaves_nothing_behind(environment, tmp_path, ending):
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    demo = warm_python.Popen(
        [sys.executable, "-m", "sourcewright", "demo"],
        env={**environment, "TMPDIR": str(temporary)},
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    first = demo.stdout.readline()
    begun = list(temporary.iterdir())

    demo.send_signal(ending)
    _, errors = demo.communicate(timeout=300)

    assert "simulated internet" in first
    assert begun
    assert list(temporary.iterdir()) == []
    assert (demo.returncode, "stopped" in errors, "Traceback" in errors) == (130, True, False)
