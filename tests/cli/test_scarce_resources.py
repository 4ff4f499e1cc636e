"""A command to which the system gives too little ends with a sentence, and never waits for ever."""

import resource
import subprocess
import sys

import pytest

FINE = "10.5555/fine-paper"


@pytest.fixture
def fetched(environment, tmp_path):
    """Fetches a paper in a process with a limit; its exit code and output."""

    def run(kind: int, most: int) -> tuple[int, str]:
        # The limit is set by the process itself, before it imports anything of ours.
        program = (
            f"import resource, runpy, sys; resource.setrlimit({kind}, ({most}, {most}));"
            f"sys.argv = ['sourcewright', 'fetch', '{FINE}'];"
            "runpy.run_module('sourcewright', run_name='__main__')"
        )
        done = subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            cwd=tmp_path,
            env=environment,
            text=True,
            timeout=300,
            check=False,
        )
        return done.returncode, done.stdout + done.stderr

    return run


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not limit address space")
@pytest.mark.parametrize("mebibytes", [380, 240])
def test_a_paper_is_fetched_where_memory_is_limited(fetched, mebibytes):
    code, output = fetched(resource.RLIMIT_AS, mebibytes * 2**20)

    assert (code, "confirmed" in output) == (0, True), output


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not limit address space")
@pytest.mark.parametrize("mebibytes", [120, 100])
def test_too_little_memory_is_told_in_a_sentence(fetched, mebibytes):
    code, output = fetched(resource.RLIMIT_AS, mebibytes * 2**20)

    assert code != 0
    assert "memory" in output
    assert "Traceback" not in output


@pytest.mark.parametrize("files", [18, 16, 12])
def test_too_few_open_files_are_told_in_a_sentence(fetched, files):
    code, output = fetched(resource.RLIMIT_NOFILE, files)

    assert code != 0
    assert "open file" in output
    assert "Traceback" not in output
