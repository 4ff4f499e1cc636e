"""`sourcewright batch`: many papers, from a bibliography or a list."""

import asyncio
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from sourcewright.cli import render
from sourcewright.cli.commands.fetch import exit_code
from sourcewright.cli.listing import entries_in
from sourcewright.logic.references.entry_identifiers import Found, Problem
from sourcewright.services.papers.batches import AT_ONCE
from sourcewright.settings import Settings

MOST_FAILURES = 255

Papers = Mapping[str, Sequence[str]]
"""Papers by their normalised ids, each with what the file calls it."""
Rows = Sequence[dict[str, Any]]


@click.command("batch")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--dry-run", is_flag=True, help="Say what would be done, and do none of it.")
@click.option("--refetch", is_flag=True, help="Ask again, whatever was found before.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per paper, as it is done.")
def command(file: Path, dry_run: bool, refetch: bool, as_json: bool) -> int:
    """Fetch every paper of a BibTeX, CSL-JSON or RIS file, or of a list with one id per line.

    What the library already has is not asked for again, so that an interrupted
    batch goes on where it stopped. The exit code is the number of failures, at most 255.

    \b
    Example:
      sourcewright batch references.bib
      sourcewright batch ids.txt --json > results.jsonl
    """
    with file.open("rb") as stream:
        entries = entries_in(stream)
    papers = _papers(entry for entry in entries if isinstance(entry, Found))
    problems = [entry for entry in entries if isinstance(entry, Problem)]
    for problem in problems:
        _complain(problem, as_json=as_json or dry_run)
    extra = {"dry_run": True} if dry_run else {"force": True} if refetch else {}
    failed = asyncio.run(_run(papers, extra, as_json=as_json or dry_run))
    render.status(f"{len(papers) - failed} done, {failed} failed, {len(problems)} unreadable")
    return min(failed + len(problems), MOST_FAILURES)


def _papers(entries: Iterable[Found]) -> Papers:
    """Every paper once, in order, with each of the ways in which the file names it."""
    papers: dict[str, list[str]] = {}
    for entry in entries:
        names = papers.setdefault(str(entry.reference), [])
        name = entry.written or str(entry.reference)
        if name not in names:
            names.append(name)
    return papers


async def _run(papers: Papers, extra: dict[str, Any], *, as_json: bool) -> int:
    from sourcewright.wiring import build

    gate = asyncio.Semaphore(AT_ONCE)
    async with build(Settings.from_environment()) as application:

        async def one(ref: str) -> Rows:
            async with gate:
                result = await application.call("doiget_fetch_paper", {"ref": ref, **extra})
            return _rows(result.structured, papers[ref])

        failed = 0
        # The group ends with what it began: nobody still asks when the application closes.
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(one(ref)) for ref in papers]
            with render.progress(len(papers), shown=sys.stderr.isatty()) as step:
                for finished in asyncio.as_completed(tasks):
                    rows = await finished
                    with step():
                        failed += _tell(rows, as_json=as_json)
        return failed


def _rows(result: dict[str, Any], names: Sequence[str]) -> Rows:
    """What came of a paper, once for each of its names; the plan of a dry run has its own."""
    return [result] if "plan" in result else [{**result, "ref": name} for name in names]


def _complain(problem: Problem, *, as_json: bool) -> None:
    """Show an entry that names no paper, to a program as a failure like any other."""
    message = f"{problem.entry}: {problem.reason}"
    render.problem("INVALID_REF", message)
    if as_json:
        error = {"code": "INVALID_REF", "message": message, "disposition": "terminal"}
        render.json_line({"ok": False, "ref": problem.entry, "error": error})


def _tell(rows: Rows, *, as_json: bool) -> bool:
    """Show what came of one paper; says whether it failed."""
    for row in rows:
        if as_json:
            render.json_line(row)
        elif row["ok"]:
            render.line(f"{row['pdf']['status']:<12}  {row['ref']}  {row['path']}")
        else:
            render.failure(row)
    return any("plan" not in row and exit_code(row) for row in rows)
