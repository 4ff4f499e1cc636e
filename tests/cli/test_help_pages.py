"""Help pages fit the terminal, and no word of them is broken."""

import re
import shlex
from collections.abc import Iterator

import click
import pytest

from sourcewright.cli.commands import SECTIONS
from sourcewright.cli.main import sourcewright
from sourcewright.cli.shell.help_pages import HelpContext

WIDE = 1_000


def commands(
    command: click.Command, path: str = "sourcewright"
) -> Iterator[tuple[str, click.Command]]:
    """Every command of the tree, by its path."""
    yield path, command
    if isinstance(command, click.Group):
        context = HelpContext(command)
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from commands(below, f"{path} {name}")


TREE = dict(commands(sourcewright))


def page(path: str, columns: int) -> str:
    """The help page of a command on a terminal of this width."""
    command = TREE[path]
    return command.get_help(HelpContext(command, info_name=path, terminal_width=columns - 2))


def words_of(text: str) -> list[str]:
    """The words, with choices joined and continued examples as one line."""
    joined = re.sub(r"\|\n +", "|", text)
    return [word for word in joined.split() if word != "\\"]


@pytest.mark.parametrize("columns", [80, 40])
@pytest.mark.parametrize("path", TREE)
def test_no_word_of_a_help_page_is_broken(path, columns):
    shown = page(path, columns)

    assert words_of(shown) == words_of(page(path, WIDE))
    # What is in quotes in an example cannot be broken either.
    pieces = [
        re.sub(r"""'.*'|".*\"""", "quoted", line)
        for line in shown.splitlines()
        if len(line) > columns
    ]
    assert [line for line in pieces if len(line.removesuffix(" \\").split()) > 1] == []


@pytest.mark.parametrize("path", TREE)
def test_an_example_that_is_continued_is_the_same_command(path):
    """Read as a shell reads it: a backslash before the end of a line joins it with the next."""

    def examples(columns: int) -> list[list[str]]:
        text = page(path, columns).partition("Example:\n")[2].partition("\n\n")[0]
        return [shlex.split(line) for line in text.replace("\\\n", " ").splitlines()]

    assert examples(40) == examples(WIDE)


@pytest.mark.parametrize("columns", [80, 40])
@pytest.mark.parametrize(
    "words",
    [("--help",), ("setup", "--help"), ("setup", "none"), ("serve", "--port")],
    ids=" ".join,
)
def test_a_real_terminal_shows_lines_of_its_width(terminal, words, columns):
    shown = terminal(*words, columns=columns, NO_COLOR="1")

    assert shown
    assert max(map(len, shown.splitlines())) <= columns


def test_every_command_is_listed_once_in_a_section_and_on_one_line():
    names = [name for section in SECTIONS.values() for name in section]

    assert sorted(names) == sourcewright.list_commands(HelpContext(sourcewright))
    lines = page("sourcewright", 80).splitlines()
    assert [line.split()[0] for line in lines if line.startswith("  ")][-len(names) :] == names


@pytest.mark.parametrize("columns", [80, 120])
def test_a_group_without_a_command_shows_its_help_page(terminal, columns):
    assert terminal("sessions", columns=columns) == terminal("sessions", "--help", columns=columns)
