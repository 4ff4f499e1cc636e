"""Options that several commands share."""

import click

verbose = click.option(
    "-v", "--verbose", is_flag=True, help="Show the response of each source separately."
)
