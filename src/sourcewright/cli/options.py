"""Options that several commands share."""

import click

as_json = click.option("--json", "as_json", is_flag=True, help="Print the structured result.")
verbose = click.option(
    "-v", "--verbose", is_flag=True, help="Show the response of each source separately."
)
