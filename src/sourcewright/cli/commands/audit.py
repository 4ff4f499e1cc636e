"""`sourcewright audit`: every reference of a bibliography or document, checked at once."""

from pathlib import Path
from typing import Any

import click

from sourcewright.cli import calling, render
from sourcewright.cli.exit_codes import FAILED
from sourcewright.cli.reports.audit_table import show_entries

FLAGS = ("retracted", "not_found", "mismatch", "dead_link", "unchecked")


def _flags(_context: click.Context, _option: click.Parameter, value: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in value.split(",") if name.strip())
    unknown = [name for name in names if name not in FLAGS]
    if unknown:
        raise click.BadParameter(f"{unknown[0]!r} is none of {', '.join(FLAGS)}")
    return names


@click.command("audit")
@click.argument(
    "file", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path)
)
@click.option("--json", "as_json", is_flag=True, help="Print the structured result.")
@click.option("--sarif", "as_sarif", is_flag=True, help="Print a SARIF report, for code hosts.")
@click.option("--html", "as_html", is_flag=True, help="Print a report as one HTML page.")
@click.option(
    "--fail-on",
    default="",
    metavar="FLAGS",
    callback=_flags,
    help="Exit with 1 if an entry has one of these, separated by commas: "
    "retracted, not_found, mismatch, dead_link, unchecked.",
)
@click.option("--offline", is_flag=True, help="Only check against the local retraction list.")
def command(
    file: tuple[Path, ...],
    as_json: bool,
    as_sarif: bool,
    as_html: bool,
    fail_on: tuple[str, ...],
    offline: bool,
) -> int:
    """Audit the references of files: BibTeX, RIS, CSL-JSON, EndNote, Markdown, LaTeX, Word, PDF.

    \b
    Example:
      sourcewright audit references.bib
      sourcewright audit paper.tex --fail-on retracted,not_found,mismatch
      sourcewright audit references.bib --offline
    """
    audits = [(str(path), _audited(path, offline=offline)) for path in file]
    if as_html:
        from sourcewright.cli.reports.audit_page import audit_page

        render.document(audit_page(audits))
    elif as_sarif:
        from sourcewright.cli.reports.sarif import sarif_log

        render.data(sarif_log([(name, answer["entries"]) for name, answer in audits]))
    elif as_json:
        answers = [{"file": name, **answer} for name, answer in audits]
        render.data(answers[0] if len(answers) == 1 else answers)
    else:
        for name, answer in audits:
            if len(audits) > 1:
                render.line(name, bold=True)
            show_entries(answer["entries"])
    found = {flag for _, answer in audits for one in answer["entries"] for flag in one["flags"]}
    return FAILED if found.intersection(fail_on) else 0


def _audited(path: Path, *, offline: bool) -> dict[str, Any]:
    from sourcewright.services.trust.audit_bibliography import MAX_ENTRIES, Audit, Listed
    from sourcewright.tools._answers.citations import bibliography_audited

    async def work(application: Any) -> Audit:
        trust = application.services.trust
        entries = [Listed(entry=one) for one in await trust.reference_files.read_path(path)]
        audits = [
            await trust.auditor.audit(
                entries[at : at + MAX_ENTRIES], source="file", offline=offline, first=at
            )
            for at in range(0, len(entries), MAX_ENTRIES)
        ]
        checked = tuple(entry for audit in audits for entry in audit.entries)
        return Audit(source="file", entries=checked, checked_at=audits[-1].checked_at)

    audit = calling.run_with_application(work)
    return bibliography_audited(audit).result().structured
