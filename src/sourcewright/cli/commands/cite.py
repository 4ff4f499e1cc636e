"""`sourcewright cite`: the reference of a paper in APA, MLA, BibTeX, RIS or CSL-JSON."""

import click

from sourcewright.cli import options, render, tool_calls

_STYLES = {"apa": "apa", "mla": "mla", "bibtex": "bibtex", "ris": "ris", "csl": "csl-json"}


@click.command("cite")
@click.argument("doi", nargs=-1, required=True)
@click.option(
    "--style", type=click.Choice(tuple(_STYLES)), default="apa", show_default=True, help="Format."
)
@click.option("--markdown", is_flag=True, help="Mark italics with asterisks (apa, mla).")
@options.as_json
def command(doi: tuple[str, ...], style: str, markdown: bool, as_json: bool) -> int:
    """Write the reference of a paper, ready to paste.

    \b
    Example:
      sourcewright cite 10.1371/journal.pone.0033693
      sourcewright cite 10.1371/journal.pone.0033693 --style bibtex
    """
    if not all(one.strip() for one in doi):
        raise click.UsageError("a DOI is empty")
    result = tool_calls.call(
        "format_bibliography",
        {
            "style": _STYLES[style],
            "sources": [{"doi": one} for one in doi],
            "resolve": True,
            "markdown": markdown,
        },
    ).structured
    if render.is_failure(result):
        if not as_json:
            return render.failure(result)
        render.data(result)
        return render.exit_code(result)
    unresolved = result.get("unresolved", [])
    if as_json:
        render.data(result)
    elif len(unresolved) < result["entryCount"]:
        render.document(f"{result['bibliography']}\n")
        for one in result.get("notices", []):
            status = one["status"].replace("_", " ")
            render.status(f"warning: {one['doi']}: {status}; `sourcewright resolve` shows why")
    codes = [render.exit_code(one) if as_json else render.failure(one) for one in unresolved]
    return max(codes, default=0)
