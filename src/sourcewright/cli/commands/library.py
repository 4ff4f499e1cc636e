"""`sourcewright library`: search, list, tag, annotate, remove, merge and reindex papers."""

import click

from sourcewright.base.text.phrases import count_phrase
from sourcewright.cli import options, render, tool_calls
from sourcewright.cli.library import additions, contents, lists, trash
from sourcewright.cli.library.changes import show_changed
from sourcewright.tools._answers.library import stored_reference


@click.group("library")
def command() -> None:
    """Search and organise the library.

    \b
    Example:
      sourcewright library search yeast genome
      sourcewright library tag 10.1371/journal.pone.0033693 --add thesis
    """


for _subcommand in (
    additions.add,
    *(lists.search, lists.recent, lists.list_papers, lists.tags),
    *(contents.text, contents.pdf, trash.remove, trash.restore, trash.trash),
):
    command.add_command(_subcommand)


@command.command("reindex")
@options.as_json
def reindex(as_json: bool) -> int:
    """Rebuild the search index from the metadata files.

    \b
    Example:
      sourcewright library reindex
    """
    index = tool_calls.run_with_application(
        lambda application: application.services.library.catalogue.reindex()
    )
    unreadable = [{"safekey": key, "problem": problem} for key, problem in index.unreadable]
    if as_json:
        render.data({"ok": True, "papers": index.papers, "unreadable": unreadable})
        return 0
    render.line(f"the index has {count_phrase(index.papers, 'paper')}")
    for row in unreadable:
        render.line(f"  not read: {row['safekey']}: {row['problem']}", colour="yellow")
    return 0


@command.command("merge")
@options.as_json
def merge(as_json: bool) -> int:
    """Merge entries that are one paper, stored under different ids.

    Tags, notes and notices of all are kept, and files are not deleted.

    \b
    Example:
      sourcewright library merge
    """
    merged = tool_calls.run_with_application(
        lambda application: application.services.library.duplicates.merge()
    )
    if as_json:
        papers = [{"safekey": one.entry.key, "absorbed": list(one.absorbed)} for one in merged]
        render.data({"ok": True, "merged": papers})
        return 0
    if not merged:
        render.line("no paper is in the library twice")
    for one in merged:
        show_changed(one.entry, [("merged", ", ".join(one.absorbed))])
    return 0


@command.command("tag")
@click.argument("ref")
@click.option("--add", multiple=True, help="Add this tag; can be repeated.")
@click.option("--remove", multiple=True, help="Remove this tag; can be repeated.")
@click.option(
    "--collection-add", multiple=True, help="Add the paper to this collection; can be repeated."
)
@click.option(
    "--collection-remove",
    multiple=True,
    help="Remove the paper from this collection; can be repeated.",
)
@options.as_json
def tag(ref: str, as_json: bool, **labels: tuple[str, ...]) -> int:
    """Add or remove the tags and collections of a paper.

    \b
    Example:
      sourcewright library tag 10.1371/journal.pone.0033693 --add thesis --remove todo
    """
    from sourcewright.services.library.curation import LabelChanges

    reference, changes = stored_reference(ref), LabelChanges(**labels)
    entry = tool_calls.run_with_application(
        lambda application: application.services.library.editor.label(reference, changes)
    )
    holding = entry.holding
    lists = {"tags": list(holding.tags), "collections": list(holding.collections)}
    if as_json:
        render.data({"ok": True, "ref": ref, **lists})
    else:
        show_changed(entry, [(name, ", ".join(texts)) for name, texts in lists.items()])
    return 0


@command.command("note")
@click.argument("ref")
@click.argument("text", required=False)
@click.option("--clear", is_flag=True, help="Remove the note.")
@options.as_json
def note(ref: str, text: str | None, clear: bool, as_json: bool) -> int:
    """Set or remove the note on a paper.

    \b
    Example:
      sourcewright library note 10.1371/journal.pone.0033693 'compare with chapter 2'
      sourcewright library note 10.1371/journal.pone.0033693 --clear
    """
    if (text is None) != clear:
        raise click.UsageError("give either a text or --clear")
    reference = stored_reference(ref)
    entry = tool_calls.run_with_application(
        lambda application: application.services.library.editor.annotate(reference, text)
    )
    if as_json:
        render.data({"ok": True, "ref": ref, "annotation": entry.holding.annotation})
    else:
        show_changed(entry, [("note", entry.holding.annotation or "(none)")])
    return 0
