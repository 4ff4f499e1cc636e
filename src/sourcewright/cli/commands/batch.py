"""`sourcewright batch`: fetch many papers from a bibliography or a list."""

import asyncio
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO

import click

from sourcewright.base.event_loop import run_event_loop
from sourcewright.cli import notices, options, render
from sourcewright.cli.commands.fetch import exit_code, is_unconfirmed
from sourcewright.cli.exit_codes import DONE, FAILED, INTERRUPTED
from sourcewright.cli.reference_files import entries_in
from sourcewright.cli.shell.progress_bar import progress_bar
from sourcewright.references.bibliography import EntryProblem, IdentifiedEntry
from sourcewright.services.papers.batches import MAX_CONCURRENT
from sourcewright.settings import Settings

Papers = Mapping[str, Sequence[str]]
"""Papers by normalised id, each with the ids used for it in the file."""
Rows = Sequence[dict[str, Any]]


@dataclass(slots=True)
class BatchTally:
    """Counts of papers done and failed so far."""

    total: int
    done: int = 0
    failed: int = 0

    def __str__(self) -> str:
        return f"{self.done} done, {self.failed} failed"


@click.command("batch")
@click.argument("file", type=click.File("rb"))
@click.option("--dry-run", is_flag=True, help="Print what would be done without doing it.")
@click.option(
    "--refetch",
    "--force",
    is_flag=True,
    help="Query the sources again, even if the paper is already in the library.",
)
@options.verbose
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Print one JSON object per paper as soon as it is done.",
)
def command(file: BinaryIO, dry_run: bool, refetch: bool, verbose: bool, as_json: bool) -> int:
    """Fetch the papers of a bibliography or a list of identifiers.

    FILE can be BibTeX, RIS, CSL-JSON, EndNote, NBIB or MODS, or have one identifier per line; `-`
    is standard input. Papers that are already in the library are not
    fetched again, so an interrupted batch can be continued. The exit code is 0 if every
    paper was obtained, and 1 if one was not or an entry cannot be parsed.

    \b
    Example:
      sourcewright batch references.bib
      sourcewright batch ids.txt --json > results.jsonl
      echo 10.1371/journal.pone.0033693 | sourcewright batch -
    """
    as_json = as_json or dry_run
    entries = entries_in(file)
    papers = _papers(entry for entry in entries if isinstance(entry, IdentifiedEntry))
    problems = [entry for entry in entries if isinstance(entry, EntryProblem)]
    for problem in problems:
        _report_problem(problem, as_json=as_json)
    extra = {"dry_run": True} if dry_run else {"force": True} if refetch else {}
    tally = BatchTally(total=len(papers))
    try:
        run_event_loop(_run(papers, extra, tally, _Printer(as_json=as_json, verbose=verbose)))
    except KeyboardInterrupt:
        _report_interrupted(tally)
        return INTERRUPTED
    render.status(f"{tally}, {len(problems)} unreadable")
    return FAILED if tally.failed or problems else DONE


def _report_interrupted(tally: BatchTally) -> None:
    left = tally.total - tally.done - tally.failed
    render.status(f"stopped: {tally}, {left} not finished")
    render.status(
        "run the same command again to continue: finished papers are kept and not fetched again"
    )


def _papers(entries: Iterable[IdentifiedEntry]) -> Papers:
    """Every paper once, in order, with each of the ids that the file uses for it."""
    papers: dict[str, list[str]] = {}
    for entry in entries:
        names = papers.setdefault(str(entry.reference), [])
        name = entry.written or str(entry.reference)
        if name not in names:
            names.append(name)
    return papers


async def _run(papers: Papers, extra: dict[str, Any], tally: BatchTally, show: "_Printer") -> None:
    from sourcewright.wiring import build

    gate = asyncio.Semaphore(MAX_CONCURRENT)
    async with build(Settings.from_environment()) as application:

        async def one(ref: str) -> Rows:
            async with gate:
                result = await application.call("doiget_fetch_paper", {"ref": ref, **extra})
            return _rows(result.structured, papers[ref])

        tasks = [asyncio.create_task(one(ref)) for ref in papers]
        try:
            with progress_bar(len(papers), visible=sys.stderr.isatty()) as step:
                for finished in asyncio.as_completed(tasks):
                    rows = await finished
                    _count(rows, tally)
                    with step():
                        show(rows)
        finally:
            # No request may still be running when the application closes.
            await _cancel(tasks)


async def _cancel(tasks: Iterable[asyncio.Task[Rows]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def _rows(result: dict[str, Any], names: Sequence[str]) -> Rows:
    """The result of a paper, once for each of its ids; a dry run has one plan."""
    return [result] if "plan" in result else [{**result, "ref": name} for name in names]


def _report_problem(problem: EntryProblem, *, as_json: bool) -> None:
    """Report an entry without a usable id; with `as_json` also as a failed result."""
    message = f"{problem.entry}: {problem.reason}"
    render.problem("INVALID_REF", message)
    if as_json:
        error = {"code": "INVALID_REF", "message": message, "disposition": "terminal"}
        render.json_line({"ok": False, "ref": problem.entry, "error": error})


def _count(rows: Rows, tally: BatchTally) -> None:
    if any(map(exit_code, rows)):
        tally.failed += 1
    else:
        tally.done += 1


@dataclass(frozen=True, slots=True, kw_only=True)
class _Printer:
    """Prints the result of one paper."""

    as_json: bool
    verbose: bool

    def __call__(self, rows: Rows) -> None:
        for row in rows:
            if self.as_json:
                render.json_line(row)
            elif row["ok"]:
                status = f"{row['pdf']['status'].replace('_', ' '):<13}  "
                note = " (unconfirmed: a scan without text)" if is_unconfirmed(row["pdf"]) else ""
                end = row["pdf"]["reason"] if exit_code(row) else f"{row['path']}{note}"
                parts = filter(None, (row["ref"], end, notices.status_label(row["integrity"])))
                render.item("  ".join(parts), indent=" " * len(status), lead=status)
            else:
                render.failure(row, verbose=self.verbose)
