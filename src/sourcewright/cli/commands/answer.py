"""`sourcewright answer`: one written answer to a question, with its citations."""

import click

from sourcewright.cli import options, render, tool_calls


@click.command("answer")
@click.argument("question", nargs=-1, required=True)
@click.option("--provider", help="Use only this answer engine.")
@options.as_json
def command(question: tuple[str, ...], provider: str | None, as_json: bool) -> int:
    """Ask a question; get a written answer with its citations.

    Needs an answer engine: set EXA_API_KEY. Each new question costs money.

    \b
    Example:
      sourcewright answer "How is tidal energy stored?"
    """
    arguments = {"query": " ".join(question)}
    if provider:
        arguments["provider"] = provider
    result = tool_calls.call("answer", arguments).structured
    if as_json:
        render.data(result)
        return render.exit_code(result)
    if render.is_failure(result):
        return render.failure(result)
    render.paragraph(result["answer"])
    render.line()
    for number, one in enumerate(result["citations"], 1):
        render.item(one.get("title") or one["url"], lead=f"[{number}] ")
        render.item(
            " ".join(filter(None, (one["url"], one.get("publishedDate", "")[:10]))), indent="    "
        )
    cost = result.get("costUsd")
    price = f"; {cost:.4f} USD by its estimate" if cost else ""
    render.status(
        f"Written by {result['provider']}{price}. A citation does not prove a sentence: read the cited page."
    )
    return 0
