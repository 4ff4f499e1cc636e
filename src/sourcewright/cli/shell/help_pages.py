"""Help pages of commands: lines of the terminal's width, never broken inside a word."""

import re
import shutil
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import click

_WIDEST, _NARROWEST = 80, 30
_TWO_COLUMNS = 60
"""From this width on, options and their help stand side by side."""
_HELP_INDENT = 4
_QUOTED = re.compile(r"""'[^']*'|"[^"]*\"""")
_JOINED = "\0"
_VERBATIM = "\b"
"""Begins a paragraph of the docstring whose lines are kept, as click defines it."""


class HelpFormatter(click.HelpFormatter):
    """Writes a help page; a long line of an example continues after a backslash."""

    def __init__(
        self, indent_increment: int = 2, width: int | None = None, max_width: int | None = None
    ) -> None:
        columns = min(shutil.get_terminal_size().columns, max_width or _WIDEST)
        super().__init__(indent_increment, width or max(columns - 2, _NARROWEST), max_width)

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        lead = f"{prefix or 'Usage: '}{prog} "
        indent = " " * min(len(lead), self.width // 3)
        self._write_lines(wrap_words(f"{lead}{args}", self.width, then=indent))

    def write_text(self, text: str) -> None:
        indent = " " * self.current_indent
        for at, paragraph in enumerate(text.split("\n\n")):
            if at:
                self.write("\n")
            if paragraph.startswith(_VERBATIM):
                self._write_lines(self._kept_lines(paragraph.splitlines()[1:], indent))
            else:
                words = " ".join(paragraph.split())
                self._write_lines(wrap_words(words, self.width, first=indent, then=indent))

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2
    ) -> None:
        rows = list(rows)
        indent = " " * self.current_indent
        names = [len(name) for name, _ in rows if len(name) <= col_max]
        column = max(names, default=0) + col_spacing + self.current_indent
        if self.width < _TWO_COLUMNS and column > self.width // 2:
            column = self.current_indent + _HELP_INDENT
        for name, help_text in rows:
            heading = wrap_words(name, self.width, first=indent, then=f"{indent}  ")
            beside = len(heading) == 1 and len(heading[0]) + col_spacing <= column
            first = heading.pop().ljust(column) if beside else " " * column
            self._write_lines(heading)
            if beside or help_text:
                words = " ".join(help_text.split())
                self._write_lines(wrap_words(words, self.width, first=first, then=" " * column))

    def _kept_lines(self, lines: Sequence[str], indent: str) -> Iterator[str]:
        """The lines of a paragraph that keeps them; those that are too long are continued."""
        of_commands = bool(lines) and lines[0].startswith("Example")
        for line in lines:
            lead = indent + line[: len(line) - len(line.lstrip())]
            tail = " \\" if of_commands else ""
            # What is in quotes stays on one line: a backslash would be part of it.
            text = _QUOTED.sub(lambda quoted: quoted[0].replace(" ", _JOINED), line.strip())
            parts = wrap_words(text, self.width, first=lead, then=f"{lead}  ", reserve=len(tail))
            unbroken = [part.replace(_JOINED, " ") for part in parts]
            yield from (f"{part}{tail}" for part in unbroken[:-1])
            yield unbroken[-1]

    def _write_lines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(f"{line.rstrip()}\n")


class HelpContext(click.Context):
    """A click context whose help pages are written by `HelpFormatter`."""

    formatter_class = HelpFormatter


def wrap_words(
    text: str, width: int, *, first: str = "", then: str = "", reserve: int = 0
) -> list[str]:
    """Lines of whole words; a list of choices such as `[a|b]` may also break after a bar.

    `reserve` is left free at the end of each line but the last.
    """
    whole = textwrap.TextWrapper(
        width=max(width, len(first) + 1),
        initial_indent=first,
        subsequent_indent=then,
        break_long_words=False,
        break_on_hyphens=False,
    )
    lines = whole.wrap(text)
    if len(lines) > 1 and reserve:
        whole.width -= reserve
        lines = whole.wrap(text)
    return [part for line in lines for part in _at_bars(line, width, then)] or [first]


def _at_bars(line: str, width: int, then: str) -> Iterator[str]:
    """The line, continued after bars where it is too long."""
    while len(line) > width and (at := line.rfind("|", 0, width)) > len(then):
        yield line[: at + 1]
        line = f"{then}{line[at + 1 :]}"
    yield line


def use_help_pages(command: click.Command) -> click.Command:
    """Let a command and all commands below it write their help pages this way."""
    command.context_class = HelpContext
    # In the list of its group, a command is described in full: click would shorten the text.
    command.short_help = command.short_help or (command.help or "").partition("\n")[0]
    below: dict[str, Any] = getattr(command, "commands", {})
    for one in below.values():
        use_help_pages(one)
    return command
