"""Options that several commands share."""

import click

as_json = click.option("--json", "as_json", is_flag=True, help="Print the structured result.")
verbose = click.option(
    "-v", "--verbose", is_flag=True, help="Show the response of each source separately."
)
tags = click.option(
    "--tag",
    "tags",
    multiple=True,
    metavar="TAG",
    help="Only papers with this tag; can be repeated.",
)
collections = click.option(
    "--collection",
    "collections",
    multiple=True,
    metavar="NAME",
    help="Only papers in this collection; can be repeated.",
)
