"""`sourcewright log`: the provenance log, shown and verified."""

from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

import click

from sourcewright.cli import render
from sourcewright.logic.text.phrases import counted
from sourcewright.settings import Settings
from sourcewright.stores.logs import provenance

_COLUMNS = ("ts", "event", "source", "result", "error_code", "ref")


@click.group("log")
def command() -> None:
    """Show or verify the provenance log.

    \b
    Example:
      sourcewright log verify
      sourcewright log show --source crossref --limit 20
    """


@command.command("verify")
@click.option("--path", type=click.Path(path_type=Path), help="Another log than your own.")
@click.option("--json", "as_json", is_flag=True, help="Print the structured result.")
def verify(path: Path | None, as_json: bool) -> int:
    """Check every hash and every link of the chain, rotated segments included.

    \b
    Example:
      sourcewright log verify
    """
    settings = Settings.from_environment()
    target = path or settings.log_path
    report = provenance.verify(target, store_root=settings.store_root)
    if path and not path.exists() and not report.segments:
        raise click.ClickException(f"{path} does not exist")
    rows = counted(report.rows, "row")
    if as_json:
        render.data({"path": str(target), "ok": report.ok, **asdict(report)})
    elif report.ok:
        render.line(f"{target}: {rows}, {counted(report.segments, 'rotated segment')}")
        render.line(f"the chain holds; its newest hash is {report.head}", colour="green")
    else:
        render.problem("LOG_ERROR", f"{target}: {counted(report.found, 'issue')} in {rows}")
        issues = [(f"{i.file}:{i.line}", i.kind, i.detail) for i in report.issues]
        render.table(("where", "kind", "what"), issues)
    return 0 if report.ok else 1


@command.command("show")
@click.option("--since", type=click.DateTime(), help="Only rows from this moment on (UTC).")
@click.option("--source", help="Only rows about this source.")
@click.option("--session", help="Only rows of this session.")
@click.option("--ref", help="Only rows about this paper.")
@click.option("--limit", type=click.IntRange(min=1), default=50, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print the rows whole.")
def show(
    since: datetime | None,
    source: str | None,
    session: str | None,
    ref: str | None,
    limit: int,
    as_json: bool,
) -> None:
    """Print the newest rows, oldest first.

    \b
    Example:
      sourcewright log show --source crossref --limit 20
    """
    moment = since.replace(tzinfo=UTC) if since else None
    path = Settings.from_environment().log_path
    rows = list(
        provenance.rows(path, since=moment, source=source, session=session, ref=ref, limit=limit)
    )
    if as_json:
        render.data(rows)
    elif not rows:
        render.line(f"{path} has no such rows")
    else:
        render.table(_COLUMNS, [[row[name] or "" for name in _COLUMNS] for row in rows])
