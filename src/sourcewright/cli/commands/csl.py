"""`sourcewright csl`: export papers of the library as CSL-JSON."""

import click

from sourcewright.cli import paper_exports, render
from sourcewright.references.csl import csl_item


@click.command("csl")
@paper_exports.selection_options
def command(selection: paper_exports.Selection) -> int:
    """Export papers of the library as a CSL-JSON list.

    \b
    Example:
      sourcewright csl 10.1371/journal.pone.0033693
      sourcewright csl --all > library.json
      sourcewright csl --tag thesis > thesis.json
      sourcewright csl --from-file refs.bib --key-template '{author}{year}'
    """
    return paper_exports.export(selection, lambda entry, key, _: csl_item(entry, key), render.data)
