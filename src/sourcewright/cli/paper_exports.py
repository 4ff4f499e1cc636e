"""Shared by the `bib`, `csl` and `ris` commands: selects papers and reports missing ones."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

import click

from sourcewright.base.errors import InvalidInput
from sourcewright.base.event_loop import run_event_loop
from sourcewright.cli import options, render
from sourcewright.cli.exit_codes import EXIT_CODES
from sourcewright.cli.reference_files import entries_in
from sourcewright.domain.codes import Code, code_of
from sourcewright.domain.papers.library import Labels
from sourcewright.references.bibliography import EntryProblem, IdentifiedEntry
from sourcewright.references.entries import Entry
from sourcewright.services.library.export import Exporter, LibraryLookup, format_entries
from sourcewright.settings import Settings

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Which papers of the library to export, and the template of their citation keys."""

    refs: tuple[str, ...]
    everything: bool
    file: BinaryIO | None
    tags: tuple[str, ...]
    collections: tuple[str, ...]
    template: str | None

    @property
    def labels(self) -> Labels:
        return Labels(self.tags, self.collections)


def selection_options(command: Callable[[Selection], int]) -> Callable[..., int]:
    """Decorator that adds the arguments and options for selecting papers to a command."""

    @wraps(command)
    def select(**values: Any) -> int:
        return command(Selection(**values))

    decorated: Callable[..., int] = select
    parameters = (
        click.argument("refs", nargs=-1, metavar="[REF]..."),
        click.option(
            "--all", "everything", is_flag=True, help="Export every paper of the library."
        ),
        click.option(
            "--from-file",
            "file",
            type=click.File("rb"),
            help="Export the papers listed in a file: a bibliography, or one identifier per line.",
        ),
        options.tags,
        options.collections,
        click.option(
            "--key-template",
            "template",
            metavar="TEMPLATE",
            help="Template for citation keys, with {author}, {year}, {title_word} and {safekey}.",
        ),
    )
    for option in reversed(parameters):
        decorated = option(decorated)
    return decorated


def export(
    selection: Selection,
    write: Callable[[Entry, str, Path | None], T],
    show: Callable[[list[T]], None],
) -> int:
    """Print the papers found, then report those missing; returns the exit code."""
    labels = any(selection.labels)
    ways = (bool(selection.refs), selection.everything, selection.file is not None, labels)
    if sum(ways) != 1:
        raise click.UsageError(
            "give references, --all or --from-file, or --tag and --collection, and only one of these"
        )
    listed = entries_in(selection.file) if selection.file else ()
    refs = (
        *selection.refs,
        *(str(one.reference) for one in listed if isinstance(one, IdentifiedEntry)),
    )
    results = _look_up(refs, selection)
    for one in results:
        if one.pdf_problem:
            render.status(f"warning: {one.pdf_problem}")
    show(list(format_entries(results, write, selection.template).values()))
    codes = [
        *(_report_problem(selection.file, one) for one in listed if isinstance(one, EntryProblem)),
        *(_report_missing(one) for one in results if one.entry is None),
    ]
    return EXIT_CODES[codes[0]] if codes else 0


def _look_up(refs: tuple[str, ...], selection: Selection) -> list[LibraryLookup]:
    from sourcewright.wiring import build

    async def look_up(exporter: Exporter) -> list[LibraryLookup]:
        if any(selection.labels):
            return await exporter.labelled(selection.labels)
        return await (exporter.everything() if selection.everything else exporter.look_up(refs))

    async def run() -> list[LibraryLookup]:
        async with build(Settings.from_environment()) as application:
            return await look_up(application.services.library.exporter)

    return run_event_loop(run())


def _report_problem(file: BinaryIO | None, problem: EntryProblem) -> Code:
    name = Path(file.name).name if file else ""
    where = name if problem.line is None else f"{name}, line {problem.line}"
    code = code_of(InvalidInput(problem.reason))
    render.problem(code, f"{where}: {problem.entry}: {problem.reason}")
    return code


def _report_missing(lookup: LibraryLookup) -> Code:
    if lookup.error:
        code = code_of(lookup.error)
        render.problem(code, str(lookup.error))
        return code
    render.problem(
        "NOT_FOUND",
        f"{lookup.ref} is not in the library",
        [("help", f"add it with `sourcewright fetch {lookup.ref}`")],
    )
    return "NOT_FOUND"
