"""`sourcewright verify`: check whether a citation is correct, exists, or was retracted."""

import os.path
from collections.abc import Mapping, Sequence
from typing import Any

import click

from sourcewright.cli import render, tool_calls
from sourcewright.cli.exit_codes import FAILED
from sourcewright.cli.reports.audit_table import show_entries


@click.command("verify")
@click.argument("ref", nargs=-1, required=True)
@click.option("--claim", default=None, help="What it is cited for; the source is then read.")
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Print the structured result; a list for several citations.",
)
def command(ref: tuple[str, ...], claim: str | None, as_json: bool) -> int:
    """Verify citations: a DOI, a URL, a text or a BibTeX entry.

    The exit code is 1 if a field is wrong, the work is not found or was retracted, no source could
    confirm it, its notices could not be checked, or the link is dead.

    \b
    Example:
      sourcewright verify 10.1371/journal.pone.0033693
      sourcewright verify "Ioannidis JPA. Why most published research findings are false. PLoS Med 2005;2:e124."
    """
    _refuse_misuse(ref)
    codes, answers = [], []
    for one in ref:
        arguments = {"citation": one, **({"claim": claim} if claim else {})}
        answer = tool_calls.call("verify_citation", arguments).structured
        answers.append(answer)
        codes.append(_exit_code(answer))
        if not as_json:
            _show(answer)
    if as_json:
        render.data(answers if len(ref) > 1 else answers[0])
    return max(codes)


def _refuse_misuse(refs: Sequence[str]) -> None:
    for one in refs:
        if os.path.isfile(one):  # noqa: PTH113 -- of a long citation, Path.is_file raises
            raise click.UsageError(f"{one} is a file; `sourcewright audit` checks its references")
    if len(refs) > 1 and any(one.isalpha() for one in refs):
        raise click.UsageError("put a citation of several words in quotes")


def _is_retracted(answer: Mapping[str, Any]) -> bool:
    return bool(answer.get("retractionStatus", {}).get("retracted"))


def _exit_code(answer: Mapping[str, Any]) -> int:
    if render.is_failure(answer):
        return render.exit_code(answer)
    unchecked = answer.get("noticeCheck", {}).get("status") == "unchecked"
    fails = _is_retracted(answer) or unchecked or answer.get("linkState") == "dead"
    return FAILED if fails or answer["status"] != "verified" else 0


def _show(answer: Mapping[str, Any]) -> None:
    if render.is_failure(answer):
        render.failure(answer)
        return
    flags = ["retracted"] if _is_retracted(answer) else []
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
