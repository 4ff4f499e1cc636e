"""`sourcewright fetch`: store a paper's record and an open copy of its PDF, if any."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from sourcewright.cli import notices, options, render, tool_calls
from sourcewright.cli.exit_codes import DONE, EXIT_CODES


@click.command("fetch")
@click.argument("ref")
@click.option("--dry-run", is_flag=True, help="Print what would be done without doing it.")
@click.option(
    "--refetch",
    "--force",
    is_flag=True,
    help="Query the sources again, even if the paper is already in the library.",
)
@options.verbose
@options.as_json
def command(ref: str, dry_run: bool, refetch: bool, verbose: bool, as_json: bool) -> int:
    """Fetch a paper's record and its open PDF into the library.

    With --dry-run the plan is printed as JSON; with --json too, byte for byte as the tool doiget_fetch_paper returns it.

    \b
    Example:
      sourcewright fetch 10.1371/journal.pone.0033693
      sourcewright fetch arXiv:2401.12345 --dry-run
    """
    arguments = {"ref": ref} | (
        {"dry_run": True} if dry_run else {"force": True} if refetch else {}
    )
    result = tool_calls.call("doiget_fetch_paper", arguments)
    if dry_run and as_json:
        render.json_text(result.structured_json)
    elif as_json or (dry_run and result.structured["ok"]):
        render.data(result.structured)
    elif result.structured["ok"]:
        show(result.structured, verbose=verbose)
    else:
        return render.failure(result.structured, verbose=verbose)
    return exit_code(result.structured)


def show(result: Mapping[str, Any], *, verbose: bool = False) -> None:
    """Print a fetched paper."""
    pdf, file = result["pdf"], Path(result["path"])
    year = f" ({result['year']})" if result["year"] else ""
    render.item(f"{result['title']}{year}", bold=True)
    render.fields(
        [
            ("id", result["id"]),
            ("file", file),
            # PDFs are directly in the library, records in a subfolder.
            ("library", file.parent if file.suffix == ".pdf" else file.parents[1]),
            ("pdf", f"{pdf['status'].replace('_', ' ')}: {pdf['reason']}"),
            *(("remedy", _remedy(one)) for one in pdf.get("remediation") or ()),
            ("file check", _file_check_text(pdf)),
            ("licence", result["license"]),
            ("source", result["source"]),
        ]
    )
    notices.show(result["integrity"])
    render.source_remarks(result, verbose=verbose, message=pdf["reason"])


def exit_code(result: Mapping[str, Any]) -> int:
    """The exit code; a PDF that could not be fetched is a failure even if the record was stored."""
    if not result["ok"]:
        return render.exit_code(result)
    if "plan" in result:
        return DONE
    pdf = result["pdf"]
    return EXIT_CODES[pdf["code"]] if pdf["code"] else DONE


def is_unconfirmed(pdf: Mapping[str, Any]) -> bool:
    return pdf.get("file_check") == "unconfirmed"


def _remedy(remedy: Mapping[str, Any]) -> str:
    value, note = remedy["value"], remedy["note"]
    is_host = remedy["kind"] == "additional_host"
    return f"{'SOURCEWRIGHT_ADDITIONAL_HOSTS=' if is_host else ''}{value} ({note})"


def _file_check_text(pdf: Mapping[str, Any]) -> str:
    if not pdf.get("file_check"):
        return ""
    return f"{pdf['file_check']}: {'; '.join(pdf['evidence'])}"
