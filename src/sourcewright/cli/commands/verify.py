"""`sourcewright verify`: check whether a citation is correct, exists, or was retracted."""

from collections.abc import Mapping
from typing import Any

import click

from sourcewright.cli import render, tool_calls
from sourcewright.cli.exit_codes import FAILED
from sourcewright.cli.reports.audit_table import show_entries


@click.command("verify")
@click.argument("ref", nargs=-1, required=True)
@click.option("--claim", default=None, help="What it is cited for; the source is then read.")
@click.option("--json", "as_json", is_flag=True, help="Print the structured result.")
def command(ref: tuple[str, ...], claim: str | None, as_json: bool) -> int:
    """Verify citations: a DOI, a URL, a reference as text, or a BibTeX entry.

    The exit code is 1 if a field is wrong, the work is not found or was retracted, no source could
    confirm it, its notices could not be checked, or the link is dead.

    \b
    Example:
      sourcewright verify 10.1371/journal.pone.0033693
      sourcewright verify "Ioannidis JPA. Why most published research findings are false. PLoS Med 2005;2:e124."
    """
    codes = [_verify(one, claim, as_json=as_json) for one in ref]
    return max(codes)


def _verify(ref: str, claim: str | None, *, as_json: bool) -> int:
    arguments = {"citation": ref, **({"claim": claim} if claim else {})}
    answer = tool_calls.call("verify_citation", arguments).structured
    if render.is_failure(answer):
        return render.exit_code(answer) if as_json else render.failure(answer)
    retracted = bool(answer.get("retractionStatus", {}).get("retracted"))
    if as_json:
        render.data(answer)
    else:
        _show(answer, retracted=retracted)
    unchecked = answer.get("noticeCheck", {}).get("status") == "unchecked"
    fails = retracted or unchecked or answer.get("linkState") == "dead"
    return FAILED if fails or answer["status"] != "verified" else 0


def _show(answer: Mapping[str, Any], *, retracted: bool) -> None:
    flags = ["retracted"] if retracted else []
    entry = {**answer, "index": 0, "title": answer["input"], "flags": flags}
    show_entries([entry])
    record = answer.get("matchedRecord")
    if record:
        authors = ", ".join(record.get("authors", [])[:3])
        place = " ".join(str(record[name]) for name in ("journal", "year") if record.get(name))
        render.fields(
            (
                ("title", record["title"]),
                ("authors", authors),
                ("published", place),
                ("doi", record.get("doi", "")),
            )
        )
    if "claimSupport" in answer:
        render.item(f"claim: {answer['claimSupport'].replace('_', ' ')}")
        for sentence in answer.get("claimEvidence", []):
            render.paragraph(sentence, indent="    ")
    if suggestion := answer.get("suggestion"):
        render.line()
        render.document(f"{suggestion}\n")
