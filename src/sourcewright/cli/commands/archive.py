"""`sourcewright archive`: create snapshots of pages in the Wayback Machine."""

from typing import Any

import click

from sourcewright.cli import exit_codes, render, tool_calls

_COLOURS = {"archived": "green", "existing": "yellow", "pending": "yellow", "unavailable": "red"}


@click.command("archive")
@click.argument("urls", metavar="URL...", nargs=-1, required=True)
@click.option(
    "--json", "as_json", is_flag=True, help="Print the structured results, one per line."
)
def command(urls: tuple[str, ...], as_json: bool) -> int:
    """Create snapshots of pages in the Wayback Machine.

    Each takes up to 25 seconds. If no new snapshot can be created, the latest one is shown.

    The exit code is 0 if every page has a snapshot now, else 1.

    \b
    Example:
      sourcewright archive https://www.example.org/report
    """
    results = tool_calls.run_with_application(lambda application: _archive_all(application, urls))
    for url, structured in zip(urls, results, strict=True):
        if as_json:
            render.json_line(structured)
        elif render.is_failure(structured):
            render.failure(structured)
        else:
            _show(url, structured)
    return exit_codes.DONE if all("snapshotUrl" in one for one in results) else exit_codes.FAILED


async def _archive_all(application: Any, urls: tuple[str, ...]) -> list[dict[str, Any]]:
    """One at a time: the archive limits how many snapshots a user may request at once."""
    results = []
    for url in urls:
        result = await tool_calls.call_tool(
            application, "archive_source", {"url": url}, progress=tool_calls.show_progress
        )
        results.append(dict(result.structured))
    return results


def _show(url: str, structured: dict[str, Any]) -> None:
    status = structured["status"]
    render.labelled_line(status, _COLOURS[status], url)
    for name in ("snapshotUrl", "pollUrl", "reason"):
        if name in structured:
            render.item(structured[name], indent="  ")
