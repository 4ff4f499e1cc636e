"""`sourcewright patents`: search patents, look one up by number, or list who owns a field."""

from collections.abc import Mapping
from typing import Any, get_args

import click

from sourcewright.cli import options, render, tool_calls
from sourcewright.cli.search_results import (
    INDENT,
    SearchOutput,
    show_facts,
    show_footer,
    show_heading,
)
from sourcewright.domain.records.patents import Office

_NAMES = {
    "assignee": "--assignee",
    "inventor": "--inventor",
    "patent_office": "--office",
    "cpc_code": "--cpc",
    "year_from": "--from-year",
    "year_to": "--to-year",
    "provider": "--provider",
    "num_results": "-n",
}


@click.command("patents")
@click.argument("words", nargs=-1, metavar="[QUERY...|NUMBER]")
@click.option("--number", "specific", is_flag=True, help="The query is a publication number.")
@click.option("--landscape", is_flag=True, help="Each family once, grouped by assignee.")
@click.option("--assignee", help="Only patents of this company; Inc or Ltd is ignored.")
@click.option("--inventor", help="Only patents of this inventor.")
@click.option(
    "--office",
    "patent_office",
    type=click.Choice(get_args(Office), case_sensitive=False),
    help="Only publications of this office.",
)
@click.option("--cpc", "cpc_code", metavar="CODE", help="Only this classification, such as G06F.")
@click.option("--from-year", "year_from", type=int, help="Filed in or after this year.")
@click.option("--to-year", "year_to", type=int, help="Filed in or before this year.")
@click.option(
    "--provider", help="Use only this source: searchapi, epo, lens, uspto or a web search engine."
)
@click.option("-n", "num_results", type=int, help="Number of results, 1-10 (default 5).")
@options.as_json
def command(
    words: tuple[str, ...], specific: bool, landscape: bool, as_json: bool, **options: Any
) -> int:
    """Find patents by words, owner, inventor or number.

    Dates of filing, grant and publication are shown separately.
    Without a key, pages of Google Patents are found by a web search; keys of SearchApi, EPO, the
    Lens or the USPTO add these sources.

    \b
    Example:
      sourcewright patents tidal turbine --from-year 2015
      sourcewright patents --number US10165245B2
      sourcewright patents battery --landscape --office EP -n 10
    """
    if specific and landscape:
        raise click.UsageError("--number and --landscape cannot be combined")
    if not (words or options["assignee"] or options["inventor"]):
        raise click.UsageError("give words, a number, --assignee or --inventor")
    arguments = {name: value for name, value in options.items() if value is not None}
    kind = "specific" if specific else "landscape" if landscape else "prior_art"
    query = {"query": " ".join(words)} if words else {}
    result = tool_calls.call("patent_search", {**arguments, **query, "search_type": kind})
    answer = result.structured
    if as_json:
        render.data(answer)
        return render.exit_code(answer)
    if result.is_error:
        return render.failure(answer)
    _show(answer)
    show_footer(SearchOutput(answer=answer, meta=result.meta, names=_NAMES))
    return 0


def _show(answer: Mapping[str, Any]) -> None:
    if clusters := answer.get("assigneeClusters"):
        render.table(
            ["assignee", "families"], [[one["assignee"], one["count"]] for one in clusters]
        )
        render.line()
    for number, patent in enumerate(answer["patents"], 1):
        show_heading(number, patent["title"], patent["url"])
        dates = (
            f"{name} {patent[name]}"
            for name in ("filed", "published", "granted")
            if name in patent
        )
        show_facts((patent["number"], *dates, patent.get("status")))
        show_facts((patent.get("assignee"), patent.get("inventor")))
        if patent.get("abstract"):
            render.paragraph(patent["abstract"], indent=INDENT)
    for name, why in (answer.get("sourcesFailed") or {}).items():
        render.item(f"{name} did not answer: {why}", colour="yellow")
