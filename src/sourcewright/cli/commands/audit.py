"""`sourcewright audit`: check every reference of a bibliography or document."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sourcewright.base.errors import StoreError
from sourcewright.cli import options, render, tool_calls
from sourcewright.cli.exit_codes import FAILED, UNCHECKED
from sourcewright.cli.reports.audit_table import (
    entry_name,
    offline_line,
    problems_of,
    show_entries,
)
from sourcewright.references.limits import MAX_DOCUMENT_BYTES

if TYPE_CHECKING:
    from sourcewright.cli.reports.fix_report import Fix
    from sourcewright.services.trust.audit_bibliography import Flag

FLAGS: tuple["Flag", ...] = ("retracted", "not_found", "mismatch", "dead_link", "unchecked")
_PATH = click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path)
_STDIN = Path("-")
_MOST_NAMED = 5
"""Entries that the message about checks that could not run names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditOptions:
    """What to check, and how to report it."""

    file: tuple[Path, ...]
    as_json: bool
    as_sarif: bool
    as_html: bool
    fail_on: tuple["Flag", ...]
    strict: bool
    fix: bool
    offline: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FileAudit:
    """The structured result of one file, and its corrected copy if requested."""

    name: str
    answer: Mapping[str, Any]
    unrun: tuple["UnrunCheck", ...] = ()
    fix: "Fix | None" = None


@dataclass(frozen=True, slots=True, kw_only=True)
class UnrunCheck:
    """A flag in `--fail-on` for which an entry could not be checked."""

    flag: str
    entry: str
    reason: str


def _flags(_context: click.Context, _option: click.Parameter, value: str) -> tuple["Flag", ...]:
    names = {name.strip() for name in value.split(",") if name.strip()}
    unknown = sorted(names.difference(FLAGS))
    if unknown:
        raise click.BadParameter(f"{unknown[0]!r} is not one of {', '.join(FLAGS)}")
    return tuple(flag for flag in FLAGS if flag in names)


@click.command("audit")
@click.argument("file", nargs=-1, required=True, type=_PATH)
@options.as_json
@click.option("--sarif", "as_sarif", is_flag=True, help="Print a SARIF report, for code hosts.")
@click.option("--html", "as_html", is_flag=True, help="Print a report as one HTML page.")
@click.option(
    "--fail-on",
    default="",
    metavar="FLAGS",
    callback=_flags,
    help="Exit with 1 if an entry has one of these, separated by commas: retracted, not_found, "
    "mismatch, dead_link, unchecked; with 6 if none has, but one could not be checked for them.",
)
@click.option(
    "--strict",
    is_flag=True,
    help="Exit with 1 if an entry has any problem, as `sourcewright verify` does.",
)
@click.option(
    "--fix",
    is_flag=True,
    help="Write a corrected copy beside the file, such as references.fixed.bib, and print a diff.",
)
@click.option(
    "--offline",
    is_flag=True,
    help="Send no requests: use the local retraction list and the results of earlier audits.",
)
def command(**values: Any) -> int:
    """Audit the references of a bibliography or a document.

    Files can be BibTeX, RIS, CSL-JSON, EndNote, NBIB, MODS, Markdown, LaTeX, Word, PDF, JATS XML or
    a notebook; `-` is standard input.

    \b
    Example:
      sourcewright audit references.bib
      sourcewright audit references.bib --strict
      sourcewright audit paper.tex --fail-on retracted,not_found,mismatch
      sourcewright audit references.bib --fix
      sourcewright audit references.bib --offline
    """
    options = AuditOptions(**values)
    if options.fix and _STDIN in options.file:
        raise click.UsageError("--fix writes a copy beside a file; standard input has no place")
    if options.fix:
        _refuse_to_overwrite(options.file)
    audits = [_audited(path, options) for path in options.file]
    _show(audits, options)
    unrun = [check for one in audits for check in one.unrun]
    for flag in options.fail_on:
        _show_unrun(flag, [check for check in unrun if check.flag == flag])
    flags = {flag for one in audits for entry in one.answer["entries"] for flag in entry["flags"]}
    bad = sum(any(problems_of(entry)) for one in audits for entry in one.answer["entries"])
    if flags.intersection(options.fail_on) or (options.strict and bad):
        return FAILED
    if unrun:
        return UNCHECKED
    if bad and not options.fail_on:
        _say_that_nothing_fails(bad, options)
    return 0


def _say_that_nothing_fails(bad: int, options: AuditOptions) -> None:
    """Say why the exit code is 0 although there are problems, as `verify` would end with 1."""
    has = "1 entry has" if bad == 1 else f"{bad} entries have"
    text = f"the exit code is 0, although {has} a problem: with --strict or --fail-on it is 1"
    if options.as_json or options.as_sarif or options.as_html:
        render.status(text)
    else:
        render.item(text)


def _show_unrun(flag: str, checks: Sequence[UnrunCheck]) -> None:
    """Report the entries that could not be checked for a flag; nothing if there are none."""
    if not checks:
        return
    names = [check.entry for check in checks[:_MOST_NAMED]]
    more = len(checks) - len(names)
    entries = ", ".join([*names, f"{more} more"] if more else names)
    reasons = "; ".join(dict.fromkeys(check.reason for check in checks[:_MOST_NAMED]))
    count = "1 entry" if len(checks) == 1 else f"{len(checks)} entries"
    render.problem("unchecked", f"{count} could not be checked for {flag} ({entries}): {reasons}")


def _show(audits: Sequence[FileAudit], options: AuditOptions) -> None:
    if options.as_html:
        from sourcewright.cli.reports.audit_page import audit_page

        render.document(audit_page([(one.name, one.answer) for one in audits]))
    elif options.as_sarif:
        from sourcewright.cli.reports.sarif import sarif_log

        render.data(sarif_log([(one.name, one.answer["entries"]) for one in audits]))
    elif options.as_json:
        answers = [_data(one) for one in audits]
        render.data(answers[0] if len(answers) == 1 else answers)
    else:
        for one in audits:
            _show_tables(one, options, with_name=len(audits) > 1)
        return
    for one in audits:
        if one.fix is not None:
            from sourcewright.cli.reports.fix_report import summary

            render.status(summary(one.fix))


def _data(audit: FileAudit) -> dict[str, Any]:
    answer = {"file": audit.name, **audit.answer}
    if audit.fix is None:
        return answer
    from sourcewright.cli.reports.fix_report import fix_data

    return {**answer, "fix": fix_data(audit.fix)}


def _show_tables(audit: FileAudit, options: AuditOptions, *, with_name: bool) -> None:
    if with_name:
        render.line(audit.name, bold=True)
    show_entries(audit.answer["entries"])
    if options.offline:
        render.item(offline_line(audit.answer["entries"]))
    if audit.fix is not None:
        from sourcewright.cli.reports.fix_report import show_fix

        render.line()
        show_fix(audit.fix)


def _refuse_to_overwrite(files: Sequence[Path]) -> None:
    """Raise StoreError before the first request, rather than after minutes of requests."""
    from sourcewright.cli.reports.fix_report import fixed_name

    for target in map(fixed_name, files):
        if target.exists() or target.is_symlink():
            raise StoreError(f"{target} already exists and is not overwritten; move it away first")


def _audited(path: Path, options: AuditOptions) -> FileAudit:
    from sourcewright.services.trust.file_audit import audit_file
    from sourcewright.tools._answers.citations import bibliography_audited

    async def work(application: Any) -> tuple[Any, Any]:
        trust = application.services.trust
        auditor = trust.offline_auditor if options.offline else trust.auditor
        # One byte over the limit, so that larger input is refused and not truncated.
        source = sys.stdin.buffer.read(MAX_DOCUMENT_BYTES + 1) if path == _STDIN else path
        return await audit_file(
            trust.reference_files,
            auditor,
            source,
            name="standard input",
            keep=not options.offline,
        )

    file, audit = tool_calls.run_with_application(work)
    answer = bibliography_audited(audit).result().structured
    fix = _fixed(path, file, audit) if options.fix else None
    unrun = _unrun_checks(audit, answer, options.fail_on)
    return FileAudit(name=str(path), answer=answer, unrun=unrun, fix=fix)


def _unrun_checks(
    audit: Any, answer: Mapping[str, Any], flags: Sequence["Flag"]
) -> tuple[UnrunCheck, ...]:
    from sourcewright.services.trust.unrun_checks import unrun_check

    return tuple(
        UnrunCheck(flag=flag, entry=entry_name(row), reason=reason)
        for entry, row in zip(audit.entries, answer["entries"], strict=True)
        for flag in flags
        if (reason := unrun_check(entry, flag)) is not None
    )


def _fixed(path: Path, file: Any, audit: Any) -> "Fix":
    from sourcewright.cli.reports.fix_report import Fix, fixed_name
    from sourcewright.services.trust.corrected_copy import correct_copy
    from sourcewright.stores.new_files import create_file

    copy = correct_copy(file.body, path.name, file.format, audit)
    if copy.body is None:
        return Fix(copy=copy, path=None)
    target = fixed_name(path)
    create_file(target, copy.body)
    return Fix(copy=copy, path=target)
