"""`sourcewright library add`: add PDFs that the user has, identified by what is in them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from sourcewright.base.errors import InvalidInput, ResearchError
from sourcewright.base.identifiers import ArxivId, Doi
from sourcewright.cli import options, render, tool_calls
from sourcewright.cli.exit_codes import DONE, EXIT_CODES, FAILED
from sourcewright.cli.library.changes import show_changed
from sourcewright.domain.codes import code_of
from sourcewright.references.entries import Entry
from sourcewright.services.library.additions import Addition
from sourcewright.tools._answers.library import stored_fields, stored_reference


@dataclass(frozen=True, slots=True, kw_only=True)
class _Outcome:
    """What happened to one file."""

    file: Path
    fields: dict[str, Any]
    text: str
    error: ResearchError | None = None


@click.command("add")
@click.argument("places", nargs=-1, required=True, metavar="[REF] FILE|FOLDER...")
@click.option(
    "--force",
    is_flag=True,
    help="Replace a PDF that is already stored, and with REF accept a file that seems to be another paper.",
)
@click.option(
    "--dry-run", is_flag=True, help="Print what would be looked up, without a request or a change."
)
@options.as_json
def add(places: tuple[str, ...], force: bool, dry_run: bool, as_json: bool) -> int:
    """Add PDF files that you have to the library.

    With REF, the file is stored as that paper. Without it, the paper is identified by the DOI or
    arXiv id on the first pages, in the metadata or in the name of the file, else by its title;
    the file is then compared with the record of that paper, and stored only if it agrees. From a
    folder, the PDFs in it and in its subfolders are added, each on its own.

    The exit code for several files is 1 if one of them was not added.

    \b
    Example:
      sourcewright library add 10.1371/journal.pone.0033693 ~/Downloads/article.pdf
      sourcewright library add ~/Downloads/article.pdf
      sourcewright library add ~/papers --dry-run
    """
    reference = _leading_reference(places)
    if reference is not None:
        if dry_run:
            raise click.UsageError("--dry-run is for files without REF")
        return _add_as(places[0], reference, Path(places[1]), force=force, as_json=as_json)
    files = list(dict.fromkeys(file for place in places for file in _pdf_files(Path(place))))
    outcomes: list[_Outcome] = []

    async def work(application: Any) -> None:
        for file in files:
            outcome = await _outcome(application, file, force=force, dry_run=dry_run)
            outcomes.append(outcome)
            if not as_json:
                _show(outcome)

    tool_calls.run_with_application(work)
    failed = [outcome.error for outcome in outcomes if outcome.error]
    if as_json:
        rows = [{"file": str(one.file), **one.fields} for one in outcomes]
        render.data({"ok": not failed, "dry_run": dry_run, "files": rows})
    elif len(outcomes) != 1:
        render.status(f"{len(outcomes) - len(failed)} of {len(outcomes)} files")
    if failed and len(outcomes) == 1:
        return EXIT_CODES[code_of(failed[0])]
    return FAILED if failed else DONE


def _leading_reference(places: Sequence[str]) -> Doi | ArxivId | None:
    """The paper, if the first of two places is no file but a reference."""
    first = places[0]
    if len(places) != 2 or Path(first).exists():
        return None
    try:
        return stored_reference(first)
    except InvalidInput:
        if Path(first).suffix.lower() == ".pdf":
            return None
        raise


def _pdf_files(place: Path) -> Iterator[Path]:
    """The file, or the PDFs in a folder and its subfolders, without hidden ones."""
    if not place.is_dir():
        yield place
        return
    for path in sorted(place.rglob("*")):
        parts = path.relative_to(place).parts
        is_hidden = any(part.startswith(".") for part in parts)
        if not is_hidden and path.suffix.lower() == ".pdf" and path.is_file():
            yield path


async def _outcome(application: Any, file: Path, *, force: bool, dry_run: bool) -> _Outcome:
    importer = application.services.scholar.importer
    try:
        if dry_run:
            ids, titles = await importer.candidates(file)
            names = [f"{one.reference} {one.where}" for one in ids]
            fields = {"ok": True, "ids": [str(one.reference) for one in ids], "titles": titles}
            looked_up = ", ".join(names or titles) or "nothing, because it has no id and no title"
            return _Outcome(file=file, fields=fields, text=f"would look up {looked_up}")
        added: Addition = await importer.add(file, force=force)
    except ResearchError as error:
        problem = {"code": code_of(error), "message": str(error)}
        fields = {"ok": False, "error": problem}
        return _Outcome(file=file, fields=fields, text=str(error), error=error)
    entry = added.entry
    fields = {
        "ok": True,
        "status": added.status.replace(" ", "_"),
        "safekey": entry.key,
        "title": entry.title,
        "doi": entry.doi,
        "arxiv_id": entry.arxiv_id,
        "identified_by": added.by,
        "file_check": entry.holding.file_check,
    }
    check = f", {entry.holding.file_check}" if entry.holding.file_check else ""
    text = f"{added.status}: {entry.title} ({entry.key}; by {added.by}{check})"
    return _Outcome(file=file, fields=fields, text=text)


def _show(outcome: _Outcome) -> None:
    if outcome.error:
        render.problem(code_of(outcome.error), outcome.text)
    else:
        render.item(f"{outcome.file}: {outcome.text}")


def _add_as(ref: str, reference: Doi | ArxivId, file: Path, *, force: bool, as_json: bool) -> int:
    entry: Entry = tool_calls.run_with_application(
        lambda application: application.services.library.editor.add(reference, file, force=force)
    )
    if as_json:
        render.data(
            {"ok": True, "ref": ref, "safekey": entry.key, "metadata": stored_fields(entry)}
        )
    else:
        show_changed(entry, [("pdf", f"{entry.pdf_path} ({entry.holding.size_bytes} bytes)")])
    return DONE
