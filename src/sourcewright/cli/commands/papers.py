"""`sourcewright papers`: search scholarly indexes for papers."""

from typing import Any, get_args

import click

from sourcewright.cli import paper_lists, render, tool_calls
from sourcewright.cli.search_results import SearchOutput, remarks_on, show_footer
from sourcewright.domain.papers.scholar import Publisher
from sourcewright.domain.web.queries import SortOrder

_NAMES = {
    "num_results": "--number",
    "year_from": "--from-year",
    "year_to": "--to-year",
    "source": "--publisher",
    "open_access": "--open-access",
    "sort_by": "--sort",
    "provider": "--provider",
    "lens": "--lens",
}


@click.command("papers")
@click.argument("words", nargs=-1, required=True, metavar="QUERY...")
@click.option(
    "-n", "--number", "num_results", type=int, help="Number of papers, 1 to 50 (default 5)."
)
@click.option("--from-year", "year_from", type=int, help="First year of publication.")
@click.option("--to-year", "year_to", type=int, help="Last year of publication.")
@click.option(
    "--publisher",
    "source",
    type=click.Choice(get_args(Publisher)),
    help="Only papers from this source.",
)
@click.option("--open-access", is_flag=True, help="Only papers that are free to read.")
@click.option("--pdf-only", is_flag=True, help="Only papers with a link to a PDF.")
@click.option(
    "--sort", "sort_by", type=click.Choice(get_args(SortOrder)), help="Order of the results."
)
@click.option("--provider", help="Use only this index or search engine.")
@click.option("--lens", help="Search the web for pages on the sites of this lens instead.")
@click.option(
    "--source", "sources", multiple=True, help="Query these indexes concurrently, or `all`."
)
@click.option("--json", "form", flag_value="json", help="Print the structured result.")
@click.option("--bibtex", "form", flag_value="bibtex", help="Print BibTeX.")
@click.option("--csv", "form", flag_value="csv", help="Print CSV.")
def command(words: tuple[str, ...], form: str | None, **options: Any) -> int:
    """Search scholarly indexes for papers, each listed once.

    Retractions and corrections are shown with the papers, as is an open copy where one is known.
    Indexes that did not answer are listed. No results is a valid outcome with exit code 0.
    The exit code is 1 if no index gave a usable response, 2 for an invalid request, and 3 if a
    key is missing or an index refused.

    \b
    Example:
      sourcewright papers tidal energy storage
      sourcewright papers tidal mixing --source all --from-year 2015
      sourcewright papers tidal mixing --bibtex > tides.bib
    """
    result = tool_calls.call("academic_search", {"query": " ".join(words), **_arguments(options)})
    answer = result.structured
    if form == "json":
        render.data(answer)
        return render.exit_code(answer)
    if result.is_error:
        return render.failure(answer)
    if form in ("bibtex", "csv"):
        for remark in remarks_on(answer):
            render.status(remark)
    if form == "bibtex":
        render.document(paper_lists.as_bibtex(answer["papers"]))
    elif form == "csv":
        render.document(paper_lists.as_csv(answer["papers"]))
    else:
        paper_lists.show_papers(answer["papers"])
        show_footer(SearchOutput(answer=answer, meta=result.meta, names=_NAMES))
        paper_lists.show_failures(answer)
    return 0


def _arguments(options: dict[str, Any]) -> dict[str, Any]:
    """The tool's arguments; options that were not given are left to the tool."""
    arguments = {name: value for name, value in options.items() if value not in (None, False, ())}
    sources = arguments.pop("sources", ())
    if sources:
        arguments["sources"] = "all" if "all" in sources else list(sources)
    return arguments
