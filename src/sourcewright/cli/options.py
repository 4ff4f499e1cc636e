"""Options that several commands share."""

import click

verbose = click.option(
    "-v", "--verbose", is_flag=True, help="Show what each source said, one by one."
)
