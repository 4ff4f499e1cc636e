"""`sourcewright places`: restaurants, shops and other physical places."""

from typing import Any

import click

from sourcewright.cli import options, render, tool_calls
from sourcewright.cli.search_results import SearchOutput, show_footer

_NAMES = {
    "near": "--near",
    "latitude": "--at",
    "longitude": "--at",
    "radius": "--radius",
    "country": "--country",
    "provider": "--provider",
}


@click.command("places")
@click.argument("query", nargs=-1, required=True)
@click.option("--near", help="City, neighbourhood or region.")
@click.option(
    "--at",
    nargs=2,
    type=click.FLOAT,
    metavar="LAT LON",
    help="Sort by distance from this position.",
)
@click.option("--radius", type=click.FLOAT, help="Metres around --at.")
@click.option("--country", help="Two-letter code of a country.")
@click.option("-n", "--num-results", type=click.INT, default=5, show_default=True)
@click.option("--provider", help="Use only this provider.")
@options.as_json
def command(
    query: tuple[str, ...], at: tuple[float, float] | None, as_json: bool, **options: Any
) -> int:
    """Find physical places.

    Needs BRAVE_API_KEY, or SOURCEWRIGHT_OSM=1 for OpenStreetMap without a key.

    \b
    Example:
      sourcewright places coffee --near "Port Meridian"
    """
    latitude, longitude = at or (None, None)
    arguments = {"query": " ".join(query), "latitude": latitude, "longitude": longitude, **options}
    filters = {name: value for name, value in arguments.items() if value is not None}
    called = tool_calls.call("local_search", filters)
    result = called.structured
    if as_json:
        render.data(result)
        return render.exit_code(result)
    if render.is_failure(result):
        return render.failure(result)
    for place in result["places"]:
        _show(place)
    show_footer(SearchOutput(answer=result, meta=called.meta, names=_NAMES))
    if missing := result.get("descriptionsMissing"):
        render.status(f"note: descriptions are missing: {missing}")
    if attribution := result.get("attribution"):
        render.status(attribution)
    return 0


def _show(place: dict[str, Any]) -> None:
    rating = f"{place['rating']} ({place.get('ratingCount', 0)})" if "rating" in place else ""
    render.line(place["name"], bold=True)
    rows = {
        "address": place.get("address", ""),
        "phone": place.get("phone", ""),
        "website": place.get("website", ""),
        "rating": rating,
        "hours": "; ".join(place["hours"]),
        "about": place.get("description", ""),
    }
    render.fields((name, value) for name, value in rows.items() if value)
