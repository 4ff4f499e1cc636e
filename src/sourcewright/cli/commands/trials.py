"""`sourcewright trials`: clinical studies that are registered at ClinicalTrials.gov."""

from typing import Any

import click

from sourcewright.cli import options, record_lists

_NAMES = {
    "condition": "--condition",
    "intervention": "--treatment",
    "sponsor": "--sponsor",
    "status": "--status",
    "phase": "--phase",
    "num_results": "--number",
    "provider": "--provider",
}


@click.command("trials")
@click.argument("words", nargs=-1, metavar="[QUERY]...")
@click.option("--condition", help="Disease or condition.")
@click.option("--treatment", "intervention", help="Drug, device or other treatment.")
@click.option("--sponsor", help="Lead sponsor or funder.")
@click.option("--status", help="Recruitment status, such as recruiting or completed.")
@click.option("--phase", help="Phase, such as 3; several separated by commas.")
@click.option(
    "-n", "--number", "num_results", type=int, help="Number of studies, 1 to 100 (default 10)."
)
@click.option("--page", "page_token", metavar="TOKEN", help="Next page of the same search.")
@click.option("--provider", help="Only this source.")
@options.as_json
def command(words: tuple[str, ...], as_json: bool, **options: Any) -> int:
    """Search registered clinical studies; not medical advice.

    All given conditions must match.

    \b
    Example:
      sourcewright trials tidal asthma --phase 3
      sourcewright trials --condition "fog fever" --status terminated
      sourcewright trials --sponsor "Meridian University Hospital" --json
    """
    if not (words or options["condition"] or options["intervention"] or options["sponsor"]):
        raise click.UsageError("give words, --condition, --treatment or --sponsor")
    return record_lists.run(
        "clinical_search",
        {"query": " ".join(words), **options},
        record_lists.show_trials,
        as_json=as_json,
        names=_NAMES,
    )
