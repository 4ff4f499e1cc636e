"""`sourcewright download`: download papers as files with readable names."""

import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import click

from sourcewright.base.identifiers import page_url_without_identifier
from sourcewright.cli import options, render, tool_calls
from sourcewright.cli.exit_codes import DONE, FAILED, INTERRUPTED
from sourcewright.cli.reference_files import entries_in
from sourcewright.cli.shell.progress_bar import progress_bar
from sourcewright.references.bibliography import EntryProblem, IdentifiedEntry
from sourcewright.services.papers.batches import run_sequentially
from sourcewright.tools._answers.downloads import NO_NOTICE


@dataclass(frozen=True, slots=True, kw_only=True)
class DownloadJob:
    """What to download, where to, and how to print the results."""

    identifiers: Sequence[str]
    where: Mapping[str, str]
    is_one: bool
    """Whether a single paper was given as an argument: then its full result is printed."""
    as_json: bool
    verbose: bool


@dataclass(slots=True)
class DownloadTally:
    """Counts of papers saved, already there and failed so far."""

    saved: int = 0
    there: int = 0
    failed: int = 0

    def __str__(self) -> str:
        return f"{self.saved} saved, {self.there} already present, {self.failed} failed"

    @property
    def done(self) -> int:
        return self.saved + self.there + self.failed


@click.command("download")
@click.argument("identifiers", nargs=-1, metavar="[IDENTIFIER]...")
@click.option(
    "--from",
    "--from-file",
    "file",
    type=click.File("rb"),
    help="Read the papers from a file, or from standard input with `-`: a bibliography, or one identifier per line.",
)
@click.option(
    "-o",
    "--output-dir",
    metavar="DIR",
    help="The output folder (default: ./downloads), inside the working directory, your home folder, or a folder of PAPER_ALLOWED_DIRS.",
)
@options.verbose
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Print one JSON object per paper as soon as it is done.",
)
def command(
    identifiers: tuple[str, ...],
    file: BinaryIO | None,
    output_dir: str | None,
    verbose: bool,
    as_json: bool,
) -> int:
    """Download papers by DOI or URL, each as "[YYYY] - Title.pdf".

    Papers are downloaded one at a time, two seconds apart. No file is overwritten, and a
    paper that is already present is not downloaded again. The exit code of a single paper
    is that of its outcome; for several it is 0 if all were obtained, otherwise 1.

    \b
    Example:
      sourcewright download 10.1371/journal.pone.0033693
      sourcewright download --from references.bib -o thesis
      echo 10.1371/journal.pone.0033693 | sourcewright download --from -
    """
    if not identifiers and file is None:
        raise click.UsageError("name a paper, or a file of papers with --from")
    entries = entries_in(file) if file else ()
    problems = [one for one in entries if isinstance(one, EntryProblem) and not _is_page(one)]
    for problem in problems:
        _report_problem(problem, as_json=as_json)
    order = DownloadJob(
        identifiers=(*identifiers, *_identifiers_in(entries)),
        where={"output_dir": output_dir} if output_dir is not None else {},
        is_one=file is None and len(identifiers) == 1,
        as_json=as_json,
        verbose=verbose,
    )
    return _run(order, unreadable=len(problems))


def _is_page(problem: EntryProblem) -> bool:
    """Whether an entry without an id is the URL of a page, and was not truncated."""
    return page_url_without_identifier(problem.entry) is not None and not problem.entry.endswith(
        "…"
    )


def _identifiers_in(entries: Iterable[IdentifiedEntry | EntryProblem]) -> Iterator[str]:
    for entry in entries:
        if isinstance(entry, IdentifiedEntry):
            yield entry.written or str(entry.reference)
        elif _is_page(entry):
            yield entry.entry


def _run(order: DownloadJob, *, unreadable: int) -> int:
    tally, started = DownloadTally(), time.monotonic()
    try:
        codes = tool_calls.run_with_application(
            lambda application: _download(application, order, tally)
        )
    except KeyboardInterrupt:
        render.status(f"stopped after {tally.done} of {len(order.identifiers)}: {tally}")
        render.status(
            "run the same command again to continue: saved papers are not downloaded again"
        )
        return INTERRUPTED
    if order.is_one:
        return codes[0]
    unread = f", {unreadable} unreadable" if unreadable else ""
    render.status(f"{tally}{unread}, in {time.monotonic() - started:.1f} s")
    return FAILED if tally.failed or unreadable else DONE


async def _download(application: Any, order: DownloadJob, tally: DownloadTally) -> list[int]:
    """Download the papers one by one and print each result; returns their exit codes."""
    downloads = application.services.papers.downloads
    if not order.is_one:
        # Report once, not per paper, what would keep every paper from being saved.
        downloads.prepare(order.where.get("output_dir"))

    async def one(identifier: str) -> dict[str, Any]:
        arguments = {"identifier": identifier, **order.where}
        progress = tool_calls.show_progress if order.is_one else None
        result = await tool_calls.call_tool(
            application, "paper_download", arguments, progress=progress
        )
        return result.structured

    codes: list[int] = []
    has_bar = sys.stderr.isatty() and not order.is_one
    with progress_bar(len(order.identifiers), visible=has_bar) as step:
        async for identifier, answer in run_sequentially(order.identifiers, one, downloads.pause):
            _count(answer, tally)
            with step():
                codes.append(_show_result(identifier, answer, order))
    return codes


def _count(answer: Mapping[str, Any], tally: DownloadTally) -> None:
    if render.is_failure(answer):
        tally.failed += 1
    elif answer["reused"]:
        tally.there += 1
    else:
        tally.saved += 1


def _show_result(identifier: str, answer: Mapping[str, Any], order: DownloadJob) -> int:
    """Print the result of one paper; returns its exit code."""
    if order.as_json:
        render.json_line({"identifier": identifier, **answer})
    elif order.is_one and render.is_failure(answer):
        render.failure(answer, verbose=order.verbose)
    elif order.is_one:
        show(answer, verbose=order.verbose)
    else:
        _show_briefly(identifier, answer)
    return render.exit_code(answer)


def _show_briefly(identifier: str, answer: Mapping[str, Any]) -> None:
    if render.is_failure(answer):
        reason = answer["detail"].removeprefix(f"{identifier}: ")
        render.problem(answer["code"], f"{identifier}: {answer['error']}: {reason}")
        return
    mark = "there" if answer["reused"] else "saved"
    warning = "" if answer["file_check"] != "unconfirmed" else "unconfirmed: a scan without text"
    remarks = ", ".join(filter(None, (_preprint(answer), warning, _warning(answer))))
    note = f"  ({remarks})" if remarks else ""
    render.labelled_line(mark, "green", f"{identifier}  {answer['path']}{note}")


def show(answer: Mapping[str, Any], *, verbose: bool = False) -> None:
    """Print a downloaded paper."""
    year = f" ({answer['year']})" if answer["year"] else ""
    already = " (already present)" if answer["reused"] else ""
    render.item(f"{answer['title'] or '(no title on record)'}{year}", bold=True)
    render.fields(
        [
            ("doi", answer["doi"]),
            ("in", answer["journal"] or ""),
            ("file", Path(answer["path"])),
            ("size", f"{answer['size_kb']:.1f} KB, in {answer['seconds']:.1f} s{already}"),
            ("version", _preprint(answer)),
            ("source", answer["source"]),
            ("from", answer["location"]),
            ("file check", f"{answer['file_check']}: {'; '.join(answer['file_evidence'])}"),
        ]
    )
    if warning := _warning(answer):
        render.line(f"  {warning}", bold=True, colour="red")
    render.paper_sources(answer["checked"], verbose=verbose)


def _preprint(answer: Mapping[str, Any]) -> str:
    return f"its preprint {answer['preprint']}" if answer["preprint"] else ""


def _warning(answer: Mapping[str, Any]) -> str:
    """A warning about retractions and other notices; empty if none was found."""
    status = answer["integrity"]
    if status == "unchecked":
        return "not checked for retractions"
    return "" if status == NO_NOTICE else status.replace("_", " ").upper()


def _report_problem(problem: EntryProblem, *, as_json: bool) -> None:
    """Report an entry without a usable id; with `as_json` also as a failed result."""
    render.problem("INVALID_REF", f"{problem.entry}: {problem.reason}")
    if as_json:
        render.json_line(
            {
                "identifier": problem.entry,
                "error": "Invalid input",
                "detail": problem.reason,
                "code": "INVALID_REF",
            }
        )
