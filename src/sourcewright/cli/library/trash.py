"""`sourcewright library remove`, `restore` and `trash`."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import click

from sourcewright.base.errors import StoreError
from sourcewright.base.text.phrases import count_phrase
from sourcewright.cli import options, render, tool_calls
from sourcewright.cli.shell.confirmation import confirm
from sourcewright.domain.papers.library import TrashedPaper
from sourcewright.references.entries import Entry

_DAY_SECONDS = 86_400


@click.command("remove")
@click.argument("names", nargs=-1, required=True, metavar="REF|KEY...")
@click.option("--dry-run", is_flag=True, help="Print what would be removed without removing it.")
@options.as_json
def remove(names: tuple[str, ...], dry_run: bool, as_json: bool) -> int:
    """Remove papers from the library: record, PDF, tags and note.

    They are moved to the trash of the library, from which `restore` brings them back, and the
    provenance log has a row for each file. If one of the papers is not in the library, none is
    removed.

    \b
    Example:
      sourcewright library remove 10.1371/journal.pone.0033693
      sourcewright library remove doi_10.1371_journal.pone.0033693 --dry-run
    """

    async def work(application: Any) -> list[tuple[Entry, TrashedPaper | None, Entry | None]]:
        library = application.services.library
        entries = {name: await library.catalogue.named(name) for name in names}
        missing = [name for name, entry in entries.items() if entry is None]
        if missing:
            raise StoreError(f"{', '.join(missing)}: not in the library")
        papers = {entry.key: entry for entry in entries.values()}.values()
        return [
            (
                entry,
                None if dry_run else await library.remover.remove(entry),
                None if dry_run else await _stored_again(library.catalogue, entry),
            )
            for entry in papers
        ]

    done = tool_calls.run_with_application(work)
    if as_json:
        removed = [
            {
                **_entry_fields(entry),
                "item": paper.item if paper else None,
                "also_stored_as": other.key if other else None,
            }
            for entry, paper, other in done
        ]
        render.data({"ok": True, "dry_run": dry_run, "removed": removed})
        return 0
    for entry, _, other in done:
        render.item(entry.title, bold=True, lead="would remove " if dry_run else "removed ")
        files = ", ".join(filter(None, (f".metadata/{entry.key}.toml", entry.pdf_path)))
        undo = "" if dry_run else f"sourcewright library restore {entry.key}"
        remark = f"the library also has it as {other.key}" if other else ""
        render.fields([("files", files), ("undo", undo), ("note", remark)])
    return 0


@click.command("restore")
@click.argument("name", metavar="REF|KEY|ITEM")
@options.as_json
def restore(name: str, as_json: bool) -> int:
    """Bring a removed paper back from the trash, with its PDF, tags and note.

    If it was removed several times, the last one is restored; `library trash` lists all of them
    by the name of the ITEM.

    \b
    Example:
      sourcewright library restore 10.1371/journal.pone.0033693
    """

    async def work(application: Any) -> Entry:
        remover = application.services.library.remover
        entry: Entry = await remover.restore(await remover.trashed(name))
        return entry

    entry = tool_calls.run_with_application(work)
    if as_json:
        render.data({"ok": True, **_entry_fields(entry)})
    else:
        render.item(entry.title, bold=True, lead="restored ")
    return 0


@click.command("trash")
@click.option("--empty", is_flag=True, help="Delete what is in the trash for good.")
@click.option(
    "--older-than",
    "days",
    type=click.IntRange(min=0),
    default=0,
    metavar="DAYS",
    help="Only what was removed at least this many days ago.",
)
@click.option("--dry-run", is_flag=True, help="Only list what --empty would delete.")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@options.as_json
def trash(empty: bool, days: int, dry_run: bool, yes: bool, as_json: bool) -> int:
    """List the papers in the trash, or delete them for good.

    A PDF that had changed since it was stored is here too, from the time that fetching the paper
    again replaced it.

    \b
    Example:
      sourcewright library trash
      sourcewright library trash --empty --older-than 30
    """

    async def listed(application: Any) -> list[TrashedPaper]:
        papers: list[TrashedPaper] = await application.services.library.catalogue.trash()
        until = application.services.parts.clock.now() - days * _DAY_SECONDS
        return [paper for paper in papers if paper.removed_at <= until]

    papers = tool_calls.run_with_application(listed)
    erases = empty and not dry_run and bool(papers)
    if erases and not yes and not confirm(f"Delete {_count(papers)} for good?"):
        return 1

    async def erase(application: Any) -> None:
        for paper in papers:
            await application.services.library.remover.erase(paper)

    if erases:
        tool_calls.run_with_application(erase)
    if as_json:
        state = {"dry_run": dry_run, "erased": erases}
        render.data({"ok": True, **state, "papers": [_item_fields(paper) for paper in papers]})
    else:
        _show(papers)
        render.status(f"deleted {_count(papers)} for good" if erases else _count(papers))
    return 0


def _show(papers: Sequence[TrashedPaper]) -> None:
    rows = [(_day(one), one.item, one.entry.title if one.entry else "") for one in papers]
    render.table(("removed", "item", "title"), rows)
    if not rows:
        render.item("no such paper is in the trash")


async def _stored_again(library: Any, entry: Entry) -> Entry | None:
    """Another entry of a removed paper, such as one under the name that another program gave it."""
    identifier = entry.doi or entry.arxiv_id
    return await library.named(identifier) if identifier else None


def _entry_fields(entry: Entry) -> dict[str, Any]:
    return {
        "safekey": entry.key,
        "title": entry.title,
        "doi": entry.doi,
        "pdf_path": entry.pdf_path,
    }


def _item_fields(paper: TrashedPaper) -> dict[str, Any]:
    return {
        "item": paper.item,
        "safekey": paper.key,
        "removed_at": _day(paper),
        "title": paper.entry.title if paper.entry else None,
        "doi": paper.entry.doi if paper.entry else None,
        "pdf_bytes": paper.pdf_size,
        "problem": paper.problem,
    }


def _day(paper: TrashedPaper) -> str:
    return datetime.fromtimestamp(paper.removed_at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _count(papers: Sequence[TrashedPaper]) -> str:
    return count_phrase(len(papers), "paper")
