"""Shell completion: the script of each shell, where it is installed, and what it offers."""

import json
import shutil
import subprocess
import sys

import pytest
import warm_python

from sourcewright.cli.shell.completion import SHELLS

HEAVY = {"pydantic", "mcp", "httpx2", "anyio", "starlette", "lxml", "sqlite3"}


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_is_one_that_the_shell_can_read(shell, cli):
    done = cli("completion", shell)

    assert done.returncode == 0
    if shutil.which(shell) is None:
        pytest.skip(f"there is no {shell} here")
    checked = subprocess.run(
        [shell, "-n", "/dev/stdin"],
        input=done.stdout,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert (checked.returncode, checked.stderr) == (0, "")


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["re"], {"read", "redis", "research", "resolve", "retractions"}),
        (
            ["setup", "c"],
            {"claude-desktop", "claude-code", "cline", "codex", "continue", "cursor"},
        ),
        (["setup", "cursor", "--tool"], {"--toolset"}),
        (["setup", "cursor", "--toolset", "p"], {"papers"}),
        (["tool", "doiget_re"], {"doiget_resolve_paper"}),
        (["library", "rec"], {"recent"}),
        (["completion", ""], {"bash", "zsh", "fish"}),
    ],
)
def test_bash_is_offered_what_can_follow(words, offered, cli, tmp_path, environment):
    cli("completion", "bash", "--install")
    line = " ".join(f"'{word}'" for word in ("sourcewright", *words))
    code = f"""
        . "$HOME/.bashrc"
        COMP_WORDS=({line}) COMP_CWORD={len(words)}
        _sourcewright_completion sourcewright
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """

    done = subprocess.run(
        ["bash", "-c", code],
        env={**environment, "PATH": f"{warm_python.folder()}:{environment['PATH']}"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )

    assert set(done.stdout.split()) == offered


def test_completing_the_name_of_a_command_imports_no_command(tmp_path):
    code = (
        "import json, sys\nfrom sourcewright.cli.main import run\n"
        "try:\n    run([])\nexcept SystemExit:\n    pass\n"
        "sys.stderr.write(json.dumps(list(sys.modules)))"
    )

    done = subprocess.run(
        [sys.executable, "-c", code],
        env={
            "HOME": str(tmp_path),
            "_SOURCEWRIGHT_COMPLETE": "bash_complete",
            "COMP_WORDS": "sourcewright re",
            "COMP_CWORD": "1",
        },
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )

    loaded = set(json.loads(done.stderr))
    assert "plain,resolve" in done.stdout
    assert loaded & HEAVY == set()
    assert {name for name in loaded if name.startswith("sourcewright.cli.commands.")} == set()


@pytest.mark.parametrize("shell", SHELLS)
def test_installing_twice_changes_nothing_the_second_time(shell, cli, tmp_path):
    rc = tmp_path / (SHELLS[shell].start_file or ".unused")
    rc.write_text("alias ll='ls -l'", encoding="utf-8")

    first = cli("completion", shell, "--install")
    text = rc.read_text(encoding="utf-8")
    second = cli("completion", shell, "--install")

    assert "Start a new" in first.stdout
    assert "is installed already" in second.stdout
    assert rc.read_text(encoding="utf-8") == text
    assert text.startswith("alias ll='ls -l'")
    assert text.count("completion of sourcewright") == (SHELLS[shell].start_file is not None)


def test_a_start_file_that_cannot_be_written_is_named(cli, tmp_path):
    (tmp_path / ".bashrc").mkdir()

    done = cli("completion", "bash", "--install")

    assert done.returncode == 4
    assert ".bashrc" in done.stderr
    assert "Traceback" not in done.stderr
