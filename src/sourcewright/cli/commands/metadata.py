"""`sourcewright metadata`: show a paper's metadata, with the source of each field."""

from collections.abc import Iterator, Mapping
from typing import Any

import click

from sourcewright.cli import options, render, tool_calls

_FIELDS = (
    "title",
    "authors",
    "year",
    "journal",
    "volume",
    "issue",
    "pages",
    "publisher",
    "type",
)
_OPENNESS = {True: "yes", False: "no", None: "not known"}


@click.command("metadata")
@click.argument("identifier")
@options.verbose
@options.as_json
def command(identifier: str, verbose: bool, as_json: bool) -> int:
    """Print a paper's metadata, and the source of each field.

    \b
    Example:
      sourcewright metadata 10.1371/journal.pone.0033693
      sourcewright metadata https://arxiv.org/abs/1706.03762 --json
    """
    result = tool_calls.call("paper_metadata", {"identifier": identifier}).structured
    if as_json:
        render.data(result)
    elif render.is_failure(result):
        return render.failure(result, verbose=verbose)
    else:
        show(result, verbose=verbose)
    return render.exit_code(result)


def show(result: Mapping[str, Any], *, verbose: bool) -> None:
    """Print a paper's metadata."""
    render.table(("field", "value", "source"), [row for row in _rows(result) if row[1]])
    render.paper_sources(result["checked"], verbose=verbose)


def _rows(result: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    sources = result["field_sources"]
    yield "doi", result["doi"], sources.get("doi", "")
    for name in _FIELDS:
        yield name, _cell(result.get(name)), sources.get(name, "")
    yield "open access", _OPENNESS[result["is_oa"]], sources.get("is_oa", "")
    yield "available from", _cell(result["available_sources"]) or "no queried source", ""
    yield "integrity", _status_text(result["integrity"]), ""


def _status_text(status: str) -> str:
    if status == "unchecked":
        return "not checked for notices; use `sourcewright resolve`"
    return status.replace("_", " ")


def _cell(value: object) -> str:
    if isinstance(value, list):
        return "; ".join(map(str, value))
    return "" if value is None else str(value)
