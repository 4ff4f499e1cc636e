"""`sourcewright log`: the provenance log, shown and verified."""

from pathlib import Path
from typing import Any

import click

from sourcewright.cli import render
from sourcewright.settings import Settings
from sourcewright.stores import provenance


@click.group("log")
def command() -> None:
    """Show or verify the provenance log.

    \b
    Example:
      sourcewright log verify
      sourcewright log show --source crossref --limit 20
    """


@command.command("verify")
@click.option("--path", type=click.Path(path_type=Path), help="Another log than the configured one.")
@click.option("--json", "as_json", is_flag=True, help="Print the structured result.")
def verify(path: Path | None, as_json: bool) -> int:  # noqa: FBT001 -- click passes options by name
    """Check every hash and every link of the chain, rotated segments included.

    \b
    Example:
      sourcewright log verify
    """
    settings = Settings.from_environment()
    target = path or settings.log_path
    report = provenance.verify(target, store_root=settings.store_root)
    return 0
