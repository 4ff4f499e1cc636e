"""`sourcewright economy`: find economic series, and print, chart or export their figures."""

import csv
import io
import shutil
import sys
from collections.abc import Mapping
from typing import Any

import click

from sourcewright.cli import options, render, tool_calls
from sourcewright.cli.search_results import SearchOutput, show_facts, show_footer, show_heading
from sourcewright.domain.records.chart import chart_lines

_NAMES = {
    "country": "--country",
    "date_from": "--from",
    "date_to": "--to",
    "frequency": "--frequency",
    "units": "--units",
    "dimensions": "--dimension",
    "provider": "--provider",
}
_COLUMNS = ("date", "value", "title", "units", "notes")


@click.command("economy")
@click.argument("words", nargs=-1, metavar="[QUERY...]")
@click.option("-s", "--series", "series_id", help="Print the observations of this series.")
@click.option("--country", metavar="CODE", help="Country, such as DE or USA; WLD for the world.")
@click.option("--from", "date_from", metavar="DATE", help="From this date or year on.")
@click.option("--to", "date_to", metavar="DATE", help="Up to this date or year.")
@click.option(
    "--dimension",
    "dimensions",
    multiple=True,
    metavar="NAME=CODE",
    help="Filter a dimension by code (OECD, Eurostat), such as sex=F.",
)
@click.option("--frequency", help="FRED: resample to d, w, m, q or a.")
@click.option("--units", help="FRED: transform, such as pch (percent change).")
@click.option("--provider", help="Query only this source: fred, worldbank, oecd or eurostat.")
@click.option("-n", "--number", "num_results", type=int, help="Number of results.")
@click.option("--csv", "as_csv", is_flag=True, help="Print the observations as CSV.")
@options.as_json
def command(
    words: tuple[str, ...],
    dimensions: tuple[str, ...],
    as_csv: bool,
    as_json: bool,
    **options: Any,
) -> int:
    """Find economic series, or print the observations of one.

    Figures are printed as the office publishes them; a missing figure stays empty.
    World Bank, OECD and Eurostat need no key; FRED_API_KEY enables FRED.
    A single series is also drawn as a small chart.

    \b
    Example:
      sourcewright economy GDP growth --provider worldbank
      sourcewright economy -s NY.GDP.MKTP.CD --provider worldbank --country DE -n 30
      sourcewright economy -s une_rt_m --provider eurostat --country DE --dimension sex=F
      sourcewright economy -s GDP --provider fred -n 40 --csv > gdp.csv
    """
    if as_csv and not options["series_id"]:
        raise click.UsageError("--csv needs --series")
    result = tool_calls.call("econ_search", _arguments(words, dimensions, options))
    answer = result.structured
    if as_json:
        render.data(answer)
        return render.exit_code(answer)
    if result.is_error:
        return render.failure(answer)
    if as_csv:
        render.document(_csv(answer))
        return 0
    show = _show_series if answer["mode"] == "series" else _show_observations
    show(answer)
    show_footer(SearchOutput(answer=answer, meta=result.meta, names=_NAMES))
    return 0


def _arguments(
    words: tuple[str, ...], dimensions: tuple[str, ...], options: dict[str, Any]
) -> dict[str, Any]:
    if not words and not options["series_id"]:
        raise click.UsageError("give words to search for, or a series with --series")
    arguments = {name: value for name, value in options.items() if value is not None}
    if words:
        arguments["query"] = " ".join(words)
    if dimensions:
        arguments["dimensions"] = _codes(dimensions)
    return arguments


def _codes(dimensions: tuple[str, ...]) -> dict[str, str]:
    pairs = [one.partition("=") for one in dimensions]
    if any(not name or not code for name, _, code in pairs):
        raise click.UsageError("--dimension takes NAME=CODE, such as sex=F")
    return {name: code for name, _, code in pairs}


def _show_series(answer: Mapping[str, Any]) -> None:
    for number, series in enumerate(answer["results"], 1):
        show_heading(number, series["title"], series["seriesId"])
        span = "-".join(filter(None, (series.get("dataFrom"), series.get("dataTo"))))
        show_facts((series.get("units"), series.get("frequency"), span, _updated(series)))


def _updated(series: Mapping[str, Any]) -> str | None:
    return f"updated {series['lastUpdated']}" if "lastUpdated" in series else None


def _show_observations(answer: Mapping[str, Any]) -> None:
    facts = answer.get("series") or {}
    if facts:
        area = f" ({answer['country']})" if "country" in answer else ""
        render.item(f"{facts['title']}{area}", bold=True)
        show_facts(
            (facts.get("units"), facts.get("frequency"), _updated(facts)),
            indent="",
        )
    rows = answer["results"]
    for line in _chart(rows):
        render.exact_line(line)
    used = [name for name in _COLUMNS if name in ("date", "value") or any(name in r for r in rows)]
    if rows:
        render.table(used, [[_cell(row, name, facts) for name in used] for row in rows])
    if warning := answer.get("truncationWarning"):
        render.item(warning, colour="yellow")


def _cell(row: Mapping[str, Any], name: str, facts: Mapping[str, Any]) -> str:
    if name == "value":
        return _figure(row) or ""
    text = str(row.get(name, ""))
    # The name of the data set is in the heading.
    return text.removeprefix(f"{facts.get('title')} — ") if name == "title" else text


def _figure(row: Mapping[str, Any]) -> str | None:
    """The digits as published."""
    figure = row.get("valueText", row.get("value"))
    return None if figure is None else str(figure)


def _chart(rows: list[Mapping[str, Any]]) -> list[str]:
    """A chart of the rows if they are one series."""
    if len({str(row.get("dimensions")) for row in rows}) != 1 or not sys.stdout.isatty():
        return []
    points = [(row["date"], _figure(row)) for row in rows if "date" in row]
    if points and points[0][0] > points[-1][0]:
        points.reverse()
    width, ascii_only = shutil.get_terminal_size().columns, not _encodes("█")
    return chart_lines(points, width=min(width, 100), ascii_only=ascii_only)


def _encodes(text: str) -> bool:
    try:
        text.encode(sys.stdout.encoding)
    except (UnicodeError, LookupError):
        return False
    return True


def _csv(answer: Mapping[str, Any]) -> str:
    rows = answer["results"]
    dimensions = dict.fromkeys(name for row in rows for name in row.get("dimensions", {}))
    head = ["series_id", "date", "value", *dimensions, "units", "notes"]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    for row in rows:
        codes = [row.get("dimensions", {}).get(name, "") for name in dimensions]
        units = row.get("units") or (answer.get("series") or {}).get("units", "")
        cells = (row["seriesId"], row.get("date", ""), _figure(row) or "", *codes, units)
        writer.writerow([render.plain(cell) for cell in (*cells, row.get("notes", ""))])
    return text.getvalue()
