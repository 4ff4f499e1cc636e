"""`sourcewright log`: show, verify and repair the provenance log and the audit log."""

from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from sourcewright.base.clocks import SystemClock
from sourcewright.base.text.phrases import count_phrase
from sourcewright.base.text.redaction import Masker
from sourcewright.cli import options, render, tool_calls
from sourcewright.cli.shell.confirmation import confirm
from sourcewright.settings import Settings
from sourcewright.stores.logs import audit, provenance
from sourcewright.stores.logs import repair as repairing
from sourcewright.stores.logs.journal import LogSpec
from sourcewright.stores.logs.kept_files import FileReport
from sourcewright.stores.logs.verification import VerificationReport
from sourcewright.stores.ulids import new_ulid

_FILES_DIFFER = 5
_COLUMNS = ("ts", "event", "source", "result", "error_code", "ref")


@click.group("log")
def command() -> None:
    """Show, verify or repair the provenance log, or the audit log.

    \b
    Example:
      sourcewright log verify
      sourcewright log show --source crossref --limit 20
    """


@command.command("verify")
@click.option(
    "--audit", "of_audit", is_flag=True, help="Use the audit log instead of the provenance log."
)
@click.option(
    "--path", type=click.Path(path_type=Path), help="Use the log in this file instead of your own."
)
@click.option("--files/--no-files", default=True, help="Whether to check the stored files too.")
@options.as_json
def verify(of_audit: bool, path: Path | None, files: bool, as_json: bool) -> int:
    """Check the hash chain of a log, and the stored files that it names.

    All hashes and links are recomputed over all rotated segments. Rows and segments that
    were changed, removed, reordered or duplicated are listed. Stored files are compared
    with the hashes in the log.

    The exit code is 0 if the chain and the files are intact, 1 if the chain is broken, 5 if
    only files are missing or changed, and 4 if the log cannot be read.

    \b
    Example:
      sourcewright log verify
      sourcewright log verify --audit
    """
    settings = Settings.from_environment()
    target = path or (settings.audit_output_path if of_audit else settings.log_path)
    if of_audit:
        report = audit.verify(target)
    else:
        report = provenance.verify(target, store_root=settings.store_root if files else None)
    if path and not path.exists() and not report.segments:
        raise click.ClickException(f"{path} does not exist")
    if as_json:
        verdict = {"ok": report.ok, "chain_ok": report.chain_ok}
        render.data({"path": str(target), **verdict, **asdict(report)})
    else:
        _show_chain(target, report)
        _show_files(report.files)
    if not report.chain_ok:
        return 1
    return 0 if report.ok else _FILES_DIFFER


@command.command("repair")
@click.option(
    "--audit", "of_audit", is_flag=True, help="Use the audit log instead of the provenance log."
)
@click.option(
    "--path", type=click.Path(path_type=Path), help="Use the log in this file instead of your own."
)
@click.option(
    "--dry-run", is_flag=True, help="Print what would be done without changing anything."
)
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
def repair(of_audit: bool, path: Path | None, dry_run: bool, yes: bool) -> int:
    """Quarantine the damaged part of a log, so that the log can be written again.

    Nothing is deleted: a damaged tail or segment is moved to a file beside the log, and a
    `log_repaired` row records its hash. Missing rows are acknowledged by such a row too;
    `log verify` continues to count them.

    The exit code is 0 if the log is now intact, 1 if it is damaged and was not changed, and
    4 if it cannot be read or written.

    \b
    Example:
      sourcewright log repair --dry-run
      sourcewright log repair --yes
    """
    settings = Settings.from_environment()
    target = path or (settings.audit_output_path if of_audit else settings.log_path)
    clock, plan = SystemClock(), _plan(settings, target, of_audit=of_audit)
    steps = list(repairing.diagnose(target, plan, clock).steps())
    if not steps:
        render.line(f"{target}: the hash chain is intact; nothing to repair", colour="green")
        return 0
    for step in steps:
        render.item(step, lead="would " if dry_run else "")
    if dry_run or not (yes or confirm("Repair the log? Nothing is deleted.")):
        return 1
    repairing.repair(target, plan, clock)
    render.line(f"{target}: repaired; the removed parts are in files beside it", colour="green")
    return 0


@command.command("acknowledge")
@click.argument("files", nargs=-1, metavar="[FILE]...")
@click.option("--dry-run", is_flag=True, help="Print what would be done without doing it.")
@options.as_json
def acknowledge(files: tuple[str, ...], dry_run: bool, as_json: bool) -> int:
    """Record that you removed stored files by hand, so that they no longer count as missing.

    FILE is a missing file as `log verify` names it; without one, all of them are acknowledged.
    A row of the provenance log records each, and the entry of a paper no longer claims such a
    PDF. A file that has changed is not missing: fetch the paper again, or keep the file with
    `sourcewright library add`.

    The exit code is 2 if a FILE is not missing, and 4 if the log or the library cannot be read
    or written.

    \b
    Example:
      sourcewright log acknowledge --dry-run
      sourcewright log acknowledge doi_10.1371_journal.pone.0033693.pdf
    """
    settings = Settings.from_environment()
    report = provenance.verify(settings.log_path, store_root=settings.store_root)
    missing = report.files.missing if report.files else ()
    unknown = [file for file in files if file not in missing]
    if unknown:
        raise click.UsageError(f"{', '.join(unknown)}: not a missing file")
    chosen = files or missing
    if not dry_run:

        async def work(application: Any) -> None:
            for path in chosen:
                await application.services.library.remover.acknowledge(path)

        tool_calls.run_with_application(work)
    if as_json:
        render.data({"ok": True, "dry_run": dry_run, "acknowledged": list(chosen)})
    for path in () if as_json else chosen:
        render.item(path, lead="would acknowledge " if dry_run else "acknowledged ")
    if not chosen and not as_json:
        render.line("no stored file is missing", colour="green")
    return 0


def _plan(settings: Settings, target: Path, *, of_audit: bool) -> LogSpec:
    clock = SystemClock()
    if of_audit:
        policy = audit.AuditPolicy(sandbox=settings.sandbox)
        return audit.AuditLog(target, clock=clock, mask=Masker(), policy=policy).plan
    session = new_ulid(clock.now())
    log = provenance.ProvenanceLog(
        target, clock=clock, session_id=session, sandbox=settings.sandbox
    )
    return log.plan


def _show_chain(target: Path, report: VerificationReport) -> None:
    rows = count_phrase(report.rows, "row")
    if report.chain_ok:
        render.line(f"{target}: {rows}, {count_phrase(report.segments, 'rotated segment')}")
        render.line(f"the hash chain is intact; its newest hash is {report.head}", colour="green")
    else:
        render.problem(
            "LOG_ERROR",
            f"{target}: {count_phrase(report.count, 'issue')} in {rows}",
            [
                (
                    "help",
                    "`sourcewright log repair` moves the damaged part to a separate file; it deletes nothing",
                )
            ],
        )
        issues = [(f"{i.file}:{i.line}", i.kind, i.detail) for i in report.issues]
        render.table(("where", "kind", "what"), issues)
    if report.unlinked:
        segments = count_phrase(report.unlinked, "segment")
        render.line(
            f"{segments} not linked to the one before (written by an earlier version): a missing segment before them cannot be detected",
            colour="yellow",
        )
    if report.expired:
        removed = count_phrase(report.expired, "segment")
        render.line(f"{removed} deleted by the retention setting, each recorded in the log")
    if report.repairs:
        render.line(f"{count_phrase(report.repairs, 'repair')} recorded (`log_repaired` rows)")


def _show_files(files: FileReport | None) -> None:
    if files is None:
        return
    if not files.ok:
        render.problem(
            "STORE_ERROR",
            f"{count_phrase(files.count, 'stored file')} different from the log",
            [("help", "`sourcewright log acknowledge` records that you removed files by hand")]
            if files.missing
            else [],
        )
    else:
        render.line(f"stored files: {files.checked} checked, all present and unchanged")
    if files.healed:
        render.line(f"{count_phrase(files.healed, 'write')} interrupted and completed later")
    if files.cut_off:
        render.line(
            f"{count_phrase(len(files.cut_off), 'write')} interrupted and not repeated: nothing was lost; fetch these papers again"
        )
    issues = (*files.problems, *files.cut_off)
    render.table(
        ("where", "kind", "what"), [(f"{i.file}:{i.line}", i.kind, i.detail) for i in issues]
    )


@command.command("show")
@click.option(
    "--since",
    type=click.DateTime(),
    metavar="TIME",
    help="Only rows from this time on (UTC), such as 2026-11-18 or 2026-11-18T09:30:00.",
)
@click.option("--source", help="Only rows about this source.")
@click.option("--session", help="Only rows of this session.")
@click.option("--ref", help="Only rows about this paper.")
@click.option("--limit", type=click.IntRange(min=1), default=50, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print the complete rows as JSON.")
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
        render.item(f"{path} has no matching rows")
    else:
        render.table(_COLUMNS, [[row[name] or "" for name in _COLUMNS] for row in rows])
