"""`sourcewright cites`: list or draw who cites a paper, and what it cites."""

from pathlib import Path
from typing import Any, get_args

import click

from sourcewright.base.text.phrases import count_phrase
from sourcewright.cli import options, paper_lists, render, tool_calls
from sourcewright.cli.search_results import remarks_on
from sourcewright.cli.shell.output_files import write_file
from sourcewright.references.graph.dot import write_dot
from sourcewright.references.graph.neighbourhood import neighbourhood_of
from sourcewright.references.graph.page import write_page
from sourcewright.services.scholar.citation_graph import Direction


@click.command("cites")
@click.argument("words", nargs=-1, required=True, metavar="DOI|TITLE...")
@click.option(
    "--direction",
    type=click.Choice(get_args(Direction)),
    help="Direction of the citations (default both).",
)
@click.option(
    "-n",
    "--number",
    "num_results",
    type=int,
    help="Maximum works in each direction, 1-25 (default 10).",
)
@click.option(
    "--influential", "influential_only", is_flag=True, help="Only influential citations."
)
@click.option("--provider", help="Use only this index: semanticscholar or openalex.")
@click.option("--cursor", help="Cursor of the next page, as printed by the previous call.")
@click.option("--dot", is_flag=True, help="Print the graph in the DOT format of Graphviz.")
@click.option(
    "--html",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    help="Write an HTML page with a drawing of the graph to this file.",
)
@options.as_json
def command(
    words: tuple[str, ...], dot: bool, html: Path | None, as_json: bool, **options: Any
) -> int:
    """Show who cites a paper, and what it cites.

    Retracted works are marked. The page of --html needs no network and no script. A title must be exact; if several papers
    have it, they are listed.

    \b
    Example:
      sourcewright cites 10.1371/journal.pone.0033693
      sourcewright cites 10.1371/journal.pone.0033693 -n 25 --html citations.html
      sourcewright cites 10.1371/journal.pone.0033693 --dot > citations.dot
    """
    arguments = {name: value for name, value in options.items() if value not in (None, False)}
    result = tool_calls.call("citation_graph", {"paper": " ".join(words), **arguments})
    answer = result.structured
    if as_json:
        render.data(answer)
        return render.exit_code(answer)
    if result.is_error:
        return render.failure(answer)
    for remark in remarks_on(answer):
        render.status(remark)
    if html is not None:
        write_file(html, write_page(neighbourhood_of(answer)))
        render.status(f"wrote {html}")
    if dot:
        render.document(write_dot(neighbourhood_of(answer)))
    elif html is None:
        _show(answer)
    return 0


def _show(answer: dict[str, Any]) -> None:
    if seed := answer.get("seedPaper"):
        paper_lists.show_seed(seed)
    for name, heading in (("citedBy", "citing it"), ("references", "cited by it")):
        papers = answer.get(name)
        if papers is None:
            continue
        total = answer.get(f"{name}Total")
        of_all = f" of {total}" if total and total > len(papers) else ""
        count = count_phrase(len(papers), "work")
        render.line(f"{count}{of_all} {heading}, according to {answer['provider']}", bold=True)
        paper_lists.show_papers(papers)
    for name in answer.get("incomplete") or ():
        reason = (
            "not every index answered" if answer.get("sourcesFailed") else "no index lists them"
        )
        render.item(f"{name}: unknown, because {reason}", colour="yellow")
    paper_lists.show_failures(answer)
    if answer.get("nextCursor"):
        render.status(f"more results: continue with --cursor {answer['nextCursor']}")
