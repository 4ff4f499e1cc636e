"""`sourcewright research`: search the web, read the pages found and rank them."""

import sys
from contextlib import redirect_stdout
from typing import Any

import click

from sourcewright.cli import options, render, tool_calls
from sourcewright.cli.ranked_sources import omitted_sources, scores_of, show_sources
from sourcewright.cli.search_results import SearchOutput, show_footer

_ARGUMENTS = {
    "number": "num_results",
    "claim": "claim",
    "lens": "lens",
    "site": "site",
    "time_range": "time_range",
    "language": "language",
    "country": "country",
    "provider": "provider",
    "max_length": "max_length_per_source",
    "total_length": "total_max_length",
}
_RANGES = ("day", "week", "month", "year")


@click.command("research")
@click.argument("words", nargs=-1, required=True, metavar="QUERY...")
@click.option("-n", "--number", type=int, help="How many pages to read (default 3).")
@click.option("--claim", help="Show what each source says about this claim.")
@click.option("--lens", help="Only the sites of this lens; `sourcewright lenses` lists them.")
@click.option("--site", help="Only pages on this host; ignored if --lens is set.")
@click.option(
    "--time-range", type=click.Choice(_RANGES), help="Only pages published within this period."
)
@click.option("--language", metavar="CODE", help="Language of the pages, such as de.")
@click.option("--country", metavar="CODE", help="Country of the pages, such as gb.")
@click.option("--provider", help="Use only this search engine.")
@click.option(
    "--max-length", type=click.IntRange(1), metavar="N", help="Maximum bytes of text per source."
)
@click.option(
    "--total-length",
    type=click.IntRange(1),
    metavar="N",
    help="Maximum bytes of text in total, with --text.",
)
@click.option(
    "--filter/--all",
    "by_query",
    default=False,
    help="Whether to leave out pages that are not about the query.",
)
@click.option(
    "--text", "as_text", is_flag=True, help="Print the text of the sources as one document."
)
@options.as_json
def command(words: tuple[str, ...], as_text: bool, as_json: bool, **options: Any) -> int:
    """Search the web, read the pages found, and rank them.

    The best sources come first, scored by relevance, freshness, authority and content.
    With --claim, the sentences closest to the claim are shown for each source. They are
    evidence, not a verdict.
    Pages that could not be read are listed with the reason, and with --filter also those that
    are not about the query.
    No results is a valid outcome with exit code 0; it does not prove that nothing exists.
    The exit code is 1 if no engine answered or no page could be read, 2 for an invalid
    request, and 3 if a key is missing or an engine refused.

    \b
    Example:
      sourcewright research tidal energy storage
      sourcewright research sea otter kelp -n 8 --claim "Otters eat urchins"
      sourcewright research tidal energy --lens science --text | less
    """
    arguments = {
        _ARGUMENTS[name]: options[name] for name in _ARGUMENTS if options[name] is not None
    }
    arguments["filter_by_query"] = options["by_query"]
    arguments["query"] = " ".join(words)
    result = tool_calls.run_with_application(
        lambda application: tool_calls.call_tool(
            application, "search_and_scrape", arguments, progress=_show_progress
        ),
        links=False,
    )
    answer = result.structured
    names = {argument: f"--{option.replace('_', '-')}" for option, argument in _ARGUMENTS.items()}
    output = SearchOutput(answer=answer, meta=result.meta, names=names)
    if as_json:
        render.data(answer)
    elif result.is_error:
        return render.failure(answer)
    elif as_text:
        _show_text(output)
    else:
        show_sources(output)
    return 1 if answer.get("status") == "failed" else render.exit_code(answer)


async def _show_progress(
    message: str, *, done: int | None = None, total: int | None = None
) -> None:
    counted = f"{message} ({done} of {total})" if done and total else message
    await tool_calls.show_progress(counted)


def _show_text(output: SearchOutput) -> None:
    """Print only the text to stdout; sources, notes and why there is none go to stderr."""
    answer = output.answer
    for source in answer["sources"]:
        render.status(f"{source['url']}: {scores_of(source)}")
    if answer["sizeMetadata"]["truncated"]:
        render.status("the text was truncated at a size limit; raise it with --total-length")
    for loss in omitted_sources(answer):
        render.status(loss)
    with redirect_stdout(sys.stderr):
        show_footer(output)
    if answer["sources"]:
        render.page_text(answer["combinedContent"])
