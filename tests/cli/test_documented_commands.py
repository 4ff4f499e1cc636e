"""Every command in a code block of the README, the first steps and the guides can be pasted."""

import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from sourcewright.cli.main import sourcewright

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / "README.md",
    *sorted((ROOT / "docs" / "start").glob("*.md")),
    *sorted((ROOT / "docs" / "guides").glob("*.md")),
    *sorted((ROOT / "docs" / "explain").glob("*.md")),
]
BLOCK = re.compile(r"^```\w*\n(.*?)^```", re.MULTILINE | re.DOTALL)
LINE = re.compile(r"^\s*(?:\$ )?((?:[A-Z_]+=\S+ )*sourcewright .*)", re.MULTILINE)


def commands_in(page: Path) -> Iterator[str]:
    for block in BLOCK.findall(page.read_text("utf-8")):
        yield from LINE.findall(block.replace("\\\n", " "))


COMMANDS = {command: None for page in PAGES for command in commands_in(page)}


def parse(
    command: click.Command, name: str, words: list[str], parent: click.Context | None = None
) -> None:
    """Parse a command line as the program does, without running anything."""
    try:
        context = command.make_context(name, list(words), parent)
    except click.exceptions.Exit:  # such as --help
        return
    except click.MissingParameter:
        raise
    except click.BadParameter:  # a file of the reader, or a placeholder such as CLIENT
        return
    if isinstance(command, click.Group):
        rest = [*context._protected_args, *context.args]
        below, found, others = command.resolve_command(context, rest)
        assert found is not None
        parse(found, below or "", others, context)


def own_words(command: str) -> list[str]:
    """The words after `sourcewright`, without comments, redirections and further commands."""
    lexer = shlex.shlex(command, posix=True, punctuation_chars=True)
    lexer.wordchars += "$…:=,@"
    lexer.commenters = "#"
    words = list(lexer)
    words = words[words.index("sourcewright") + 1 :]
    ends = [place for place, word in enumerate(words) if set(word) <= set("|&;<>()")]
    return words[: ends[0]] if ends else words


def test_there_are_commands_to_check():
    assert len(COMMANDS) > 50


@pytest.mark.parametrize("command", COMMANDS)
def test_a_documented_command_is_one_that_the_program_takes(command):
    shell = subprocess.run(["sh", "-n", "-c", command], capture_output=True, check=False)

    assert shell.returncode == 0, shell.stderr
    parse(sourcewright, "sourcewright", own_words(command))
