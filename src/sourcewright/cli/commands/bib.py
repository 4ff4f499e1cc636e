"""`sourcewright bib`: export papers of the library as BibTeX."""

from pathlib import Path

import click

from sourcewright.cli import paper_exports, render
from sourcewright.references.bibtex_writer import write_bibtex
from sourcewright.references.entries import Entry


@click.command("bib")
@paper_exports.selection_options
def command(selection: paper_exports.Selection) -> int:
    """Export papers of the library as BibTeX.

    Each entry has the abstract, the keywords and tags, and the path of the PDF.

    \b
    Example:
      sourcewright bib 10.1371/journal.pone.0033693
      sourcewright bib --all --key-template '{author}{year}{title_word}' > library.bib
      sourcewright bib --from-file old.ris
      sourcewright bib --collection 'Chapter 2' > chapter2.bib
    """
    return paper_exports.export(selection, _write, _show)


def _write(entry: Entry, key: str, file: Path | None) -> str:
    return write_bibtex(entry, key, file=str(file) if file else None)


def _show(entries: list[str]) -> None:
    render.document("\n".join(entries))
