"""Messages of errors at a terminal: of tools, and of misused commands and options."""

import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import click

from sourcewright.base.text.suggestions import nearest_name
from sourcewright.settings.declared import EMAIL_NEEDED, MISSING_EMAIL

_ARGUMENT_LIST = re.compile(r" \(accepted arguments: [\w, ]*\)$")


def terminal_message(message: str) -> str:
    """The message without the tool's arguments, which are options of other names at a terminal."""
    return _ARGUMENT_LIST.sub("", message).replace(MISSING_EMAIL, EMAIL_NEEDED)


class UsageProblem(NamedTuple):
    """A misused command line, in the form of every other error."""

    code: str
    message: str
    notes: list[tuple[str, str]]


_DID_YOU_MEAN = re.compile(r" \(?Did you mean (?:one of: )?(.+)\?\)?$")
_NOT_ONE_OF = re.compile(r"'([^']*)' is not one of (.+)$")
_UNKNOWN_NAME = re.compile(
    r"(?:unknown \w+|not able to do this:) '(.*)'; (?:supported|available): (.+)", re.DOTALL
)
"""How tools refuse the name of a provider or a lens, and list those that they take."""


def usage_problem(error: click.ClickException) -> UsageProblem:
    """What is wrong with a command line, what may have been meant, and where it is explained."""
    text = " ".join(error.format_message().split()).rstrip(".")
    notes: list[tuple[str, str]] = []
    if hint := _DID_YOU_MEAN.search(text):
        text = text[: hint.start()].rstrip(".")
        notes = [("help", f"Did you mean {hint[1].replace(', ', ' or ')}?")]
    elif choice := _NOT_ONE_OF.search(text):
        notes = suggestion(choice[1], choice[2].replace("'", "").split(", "))
    if not isinstance(error, click.UsageError):
        return UsageProblem("FAILED", text, notes)
    if error.ctx is not None:
        usage = " ".join(error.ctx.get_usage().split()).removeprefix("Usage: ")
        notes.append(("usage", usage))
        notes.append(("help", f"`{error.ctx.command_path} --help` explains it"))
    return UsageProblem("USAGE", text, notes)


def suggestion(word: str, names: Iterable[str]) -> list[tuple[str, str]]:
    """The name that was probably meant, as a note; none if nothing is like it."""
    near = nearest_name(word, names)
    return [("help", f"Did you mean '{near}'?")] if near else []


def unknown_name(error: Mapping[str, Any]) -> list[tuple[str, str]] | None:
    """The notes on a name that a tool does not know; None for any other error of a tool."""
    match = _UNKNOWN_NAME.search(error["detail"])
    if match is None:
        return None
    names = match[2].split(", ")
    return suggestion(match[1], names) or [("help", f"use one of these {len(names)} names")]
