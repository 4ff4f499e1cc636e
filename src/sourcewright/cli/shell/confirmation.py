"""Asks for confirmation at the terminal before something is deleted or repaired."""

import sys

import click


def confirm(question: str) -> bool:
    """Ask a question without control characters on stderr; stdout carries only the result.

    Raises:
        click.UsageError: Nobody can answer: the input is no terminal, and has no answer.
        click.Abort: The user pressed Ctrl-C.
    """
    try:
        return click.confirm(question, err=True)
    except click.Abort:
        if sys.stdin.isatty():
            raise
        click.echo(err=True)
        raise click.UsageError(
            "there is no terminal to ask for confirmation; use --yes to do it without"
        ) from None
