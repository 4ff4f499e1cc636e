"""`sourcewright resolve`: look a paper up."""

from collections.abc import Mapping
from typing import Any

import click

from sourcewright.cli import calling, render
from sourcewright.cli.options import verbose

_STANDING = {
    "retracted": ("RETRACTED", "red"),
    "removed": ("REMOVED", "red"),
    "withdrawn": ("WITHDRAWN", "red"),
    "partially_retracted": ("PARTIALLY RETRACTED", "red"),
    "expression_of_concern": ("EXPRESSION OF CONCERN", "yellow"),
    "corrected": ("corrected", "yellow"),
    "no_notice_found": ("no retraction or correction found", None),
    "unchecked": ("could not be checked for retractions", "yellow"),
}


@click.command("resolve")
@click.argument("ref")
@verbose
@click.option("--json", "as_json", is_flag=True, help="Print the structured result.")
def command(ref: str, verbose: bool, as_json: bool) -> int:
    """Look a paper up by DOI or arXiv id, and say who confirmed it.

    \b
    Example:
      sourcewright resolve 10.1371/journal.pone.0033693
      sourcewright resolve arXiv:2401.12345 --json
    """
    result = calling.call("doiget_resolve_paper", {"ref": ref}).structured
    if as_json:
        render.data(result)
        return render.exit_code(result)
    if not result["ok"]:
        return render.failure(result, verbose=verbose)
    show(result, verbose=verbose)
    return 0


def show(result: Mapping[str, Any], *, verbose: bool = False) -> None:
    """A resolved paper, for a person."""
    work = result["work"]
    year = f" ({work['year']})" if work["year"] else ""
    render.item(f"{work['title'] or '(no title on record)'}{year}", bold=True)
    words, colour = _STANDING[result["integrity"]["status"]]
    render.fields(
        [
            ("authors", _authors(work["authors"])),
            ("in", work["venue"] or work["publisher"] or ""),
            ("id", result["id"]),
            ("record", f"{result['source']}, licence {result['license'] or 'not stated'}"),
            ("open copy", result["oa_url"] or ""),
        ]
    )
    render.line(f"  {words}", bold=colour is not None, colour=colour)
    for notice in result["integrity"]["notices"]:
        render.item(_notice(notice), indent=" " * 4)
    if result["notice_for"]:
        render.line(f"  this record is itself a notice about {', '.join(result['notice_for'])}")
    render.account(result["attempts"], verbose=verbose)


def _authors(names: list[str]) -> str:
    return ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")


def _notice(notice: Mapping[str, Any]) -> str:
    parts = (notice["label"] or notice["kind"].replace("_", " "), notice["doi"], notice["date"])
    by = (
        f"{notice['asserted_by']}, in {notice['source']}"
        if notice["asserted_by"]
        else notice["source"]
    )
    return f"{', '.join(part for part in parts if part)} (according to {by})"
