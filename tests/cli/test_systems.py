"""Systems other than Linux: refused in one sentence, or described by the doctor."""

import subprocess
import sys

import pytest

from sourcewright.services.instance.system import examine_system


@pytest.mark.parametrize("platform", ["win32", "cygwin", sys.platform])
@pytest.mark.parametrize(
    "words", [["serve"], ["serve", "--http"], ["resolve", "10.5555/x"], ["--help"], []]
)
def test_a_python_without_file_locks_is_refused_in_one_sentence_that_names_wsl(
    words, platform, tmp_path
):
    """Without the modules that Windows does not have, whatever the system calls itself."""
    code = (
        "import sys\n"
        "for name in ('fcntl', 'resource', 'termios', 'pwd'):\n"
        "    sys.modules[name] = None\n"
        f"sys.platform = {platform!r}\n"
        "from sourcewright.__main__ import main\n"
        "sys.exit(main())\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", code, *words],
        cwd=tmp_path,
        env={"HOME": str(tmp_path)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )

    assert (done.returncode, done.stdout) == (1, "")
    [sentence] = done.stderr.splitlines()
    assert "WSL" in sentence
    assert sentence.count(". ") == 0


@pytest.mark.parametrize(
    ("platform", "grade", "named"),
    [("linux", "ok", "Linux"), ("darwin", "note", "memory"), ("freebsd14", "note", "never tried")],
)
def test_the_doctor_says_what_is_reduced_on_a_system(platform, grade, named):
    found = examine_system(platform)

    assert found.grade == grade
    assert named in found.detail
