"""`sourcewright bib`: export papers of the library as BibTeX."""

import click

from sourcewright.cli import paper_exports, render
from sourcewright.references.bibtex_writer import write_bibtex


@click.command("bib")
@paper_exports.selection_options
def command(selection: paper_exports.Selection) -> int:
    """Export papers of the library as BibTeX.

    \b
    Example:
      sourcewright bib 10.1371/journal.pone.0033693
      sourcewright bib --all --key-template '{author}{year}{title_word}' > library.bib
      sourcewright bib --from-file old.ris
    """
    return paper_exports.export(selection, write_bibtex, _show)


def _show(entries: list[str]) -> None:
    render.document("\n".join(entries))
