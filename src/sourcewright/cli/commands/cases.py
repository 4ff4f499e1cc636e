"""`sourcewright cases`: opinions of US courts, by citation, name or words."""

from typing import Any

import click

from sourcewright.cli import options, record_lists

_NAMES = {
    "jurisdiction": "--court",
    "date_from": "--since",
    "date_to": "--until",
    "num_results": "--number",
    "provider": "--provider",
}


@click.command("cases")
@click.argument("words", nargs=-1, required=True, metavar="QUERY...")
@click.option("--court", "jurisdiction", help="Court id, such as scotus, ca9 or ny.")
@click.option("--since", "date_from", metavar="DATE", help="Decided on or after this date.")
@click.option("--until", "date_to", metavar="DATE", help="Decided on or before this date.")
@click.option(
    "-n", "--number", "num_results", type=int, help="Number of cases, 1 to 20 (default 10)."
)
@click.option("--provider", help="Only this source.")
@options.as_json
def command(words: tuple[str, ...], as_json: bool, **options: Any) -> int:
    """Search opinions of US courts by citation, case name or words.

    A case that is cited or named comes first. Without COURTLISTENER_API_TOKEN, 100 searches a
    day are possible, shared by all programs on this machine.

    \b
    Example:
      sourcewright cases 984 U.S. 436
      sourcewright cases Kelpworth v. Harbour Authority
      sourcewright cases driftwood beach --court cal --json
    """
    return record_lists.run(
        "legal_search",
        {"query": " ".join(words), **options},
        record_lists.show_cases,
        as_json=as_json,
        names=_NAMES,
    )
