"""`sourcewright ris`: export papers of the library as RIS."""

from pathlib import Path

import click

from sourcewright.cli import paper_exports, render
from sourcewright.references.csl import csl_item
from sourcewright.references.entries import Entry
from sourcewright.references.item_export import ris


@click.command("ris")
@paper_exports.selection_options
def command(selection: paper_exports.Selection) -> int:
    """Export papers of the library as RIS.

    Each record has the abstract, the keywords and tags, and the path of the PDF.

    \b
    Example:
      sourcewright ris 10.1371/journal.pone.0033693
      sourcewright ris --all > library.ris
      sourcewright ris --tag thesis > thesis.ris
    """
    return paper_exports.export(selection, _write, _show)


def _write(entry: Entry, key: str, file: Path | None) -> str:
    return ris(csl_item(entry, key), key, file=str(file) if file else None)


def _show(records: list[str]) -> None:
    render.document("".join(f"{record}\n" for record in records))
