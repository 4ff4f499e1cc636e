"""`sourcewright library text` and `pdf`: the text and the bytes of a stored paper."""

import sys
from pathlib import Path
from typing import Any

import click

from sourcewright.cli import notices, options, render, tool_calls
from sourcewright.services.library.contents import StoredPdf

_MOST_BYTES = 5_000_000


@click.command("text")
@click.argument("ref", metavar="REF|KEY")
@click.option("--section", metavar="NAME", help="Print only the section under this heading.")
@click.option("--max-length", type=click.IntRange(1), metavar="N", help="Maximum number of bytes.")
@click.option(
    "--offset", type=click.IntRange(0), default=0, metavar="N", help="Start at this byte."
)
@options.as_json
def text(ref: str, as_json: bool, **part: Any) -> int:
    """Print the text of a stored PDF as Markdown; comments say where each page begins.

    The exit code is 1 if the library has no PDF of the paper, or one without text.

    \b
    Example:
      sourcewright library text 10.1371/journal.pone.0033693 --section Methods
      sourcewright library text doi_10.1371_journal.pone.0033693 | less
    """
    part["max_length"] = part["max_length"] or _MOST_BYTES
    arguments = {"ref": ref} | {name: value for name, value in part.items() if value is not None}
    result = tool_calls.call("read_paper", arguments)
    paper = result.structured
    if as_json:
        render.data(paper)
        return render.exit_code(paper)
    if result.is_error:
        return render.failure(paper)
    remarks = [
        paper.get("pdfProblem"),
        notices.status_label(paper["integrity"]),
        "text seems to be missing" if paper["extractionQuality"] == "partial" else None,
    ]
    if "nextOffset" in paper:
        remarks.append(f"more text follows: continue with --offset {paper['nextOffset']}")
    for remark in filter(None, remarks):
        render.status(remark)
    render.page_text(paper["content"])
    return 0


@click.command("pdf")
@click.argument("ref", metavar="REF|KEY")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="Write a copy to this new file; `-` is standard output.",
)
@options.as_json
def pdf(ref: str, output: str | None, as_json: bool) -> int:
    """Print where the PDF of a paper is, or write a copy of it.

    The file is compared with the digest of the one that was stored. If it has changed, the copy
    is still written, with a warning on standard error.

    \b
    Example:
      sourcewright library pdf 10.1371/journal.pone.0033693
      sourcewright library pdf 10.1371/journal.pone.0033693 --output article.pdf
    """
    from sourcewright.stores.new_files import create_file

    async def work(application: Any) -> tuple[StoredPdf, Path]:
        library = application.services.library
        stored = await library.contents.pdf(ref)
        return stored, library.catalogue.path_of(stored.entry)

    stored, path = tool_calls.run_with_application(work)
    if stored.problem:
        render.status(stored.problem)
    if output == "-":
        sys.stdout.buffer.write(stored.body)
        return 0
    if output:
        path = Path(output)
        create_file(path, stored.body)
    if as_json:
        facts = {"safekey": stored.entry.key, "path": str(path), "sha256": stored.sha256}
        render.data(
            {"ok": True, **facts, "bytes": len(stored.body), "pdf_problem": stored.problem}
        )
    else:
        render.exact_line(str(path))
    return 0
