"""`sourcewright resolve`: look a paper up by DOI or arXiv id."""

import json
from collections.abc import Mapping
from typing import Any

import click

from sourcewright.cli import notices, options, render, tool_calls


@click.command("resolve")
@click.argument("ref")
@options.verbose
@options.as_json
def command(ref: str, verbose: bool, as_json: bool) -> int:
    """Look up a paper, and show which sources confirm it.

    REF is a DOI, an arXiv id, a PubMed or PMC id, or a URL that contains one.

    \b
    Example:
      sourcewright resolve 10.1371/journal.pone.0033693
      sourcewright resolve arXiv:2401.12345 --json
    """
    result = tool_calls.run_with_application(lambda application: _resolve(application, ref))
    if as_json:
        render.data(result)
        return render.exit_code(result)
    if not result["ok"]:
        return render.failure(result, verbose=verbose)
    show(result, verbose=verbose)
    return 0


async def _resolve(application: Any, ref: str) -> dict[str, Any]:
    """The result with the whole record, as nobody follows a link at a terminal."""
    answer = await tool_calls.call_tool(
        application, "doiget_resolve_paper", {"ref": ref}, progress=tool_calls.show_progress
    )
    result = dict(answer.structured)
    result.pop("metadata_omitted", None)
    if link := result.pop("metadata_resource", None):
        result["metadata"] = json.loads((await application.views().read(link))[1])
    return result


def show(result: Mapping[str, Any], *, verbose: bool = False) -> None:
    """Print a resolved paper."""
    work = result["work"]
    year = f" ({work['year']})" if work["year"] else ""
    render.item(f"{work['title'] or '(no title on record)'}{year}", bold=True)
    render.fields(
        [
            ("authors", _authors(work["authors"])),
            ("in", work["venue"] or work["publisher"] or ""),
            ("id", result["id"]),
            ("record", f"{result['source']}, licence {result['license'] or 'not stated'}"),
            ("open copy", result["oa_url"] or ""),
        ]
    )
    notices.show(result["integrity"])
    if result["notice_for"]:
        render.line(f"  this record is itself a notice about {', '.join(result['notice_for'])}")
    render.source_remarks(result, verbose=verbose)


def _authors(names: list[str]) -> str:
    return ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
