"""`sourcewright csl`: export papers of the library as CSL-JSON."""

import click

from sourcewright.cli import exporting, render
from sourcewright.logic.references.csl import csl_item


@click.command("csl")
@exporting.selection_options
def command(selection: exporting.Selection) -> int:
    """Export papers of the library as a CSL-JSON list.

    \b
    Example:
      sourcewright csl 10.1371/journal.pone.0033693
      sourcewright csl --all > library.json
      sourcewright csl --from-file refs.bib --key-template '{author}{year}'
    """
    return exporting.export(selection, csl_item, render.data)
