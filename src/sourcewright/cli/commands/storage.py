"""`sourcewright storage`: check everything that is kept, and go on without what was lost."""

from collections.abc import Mapping, Sequence
from typing import Any

import click

from sourcewright.base.text.phrases import count_phrase
from sourcewright.cli import exit_codes, options, render, tool_calls
from sourcewright.services.instance.storage import StoreFinding


@click.group("storage")
def command() -> None:
    """Check all that is kept, and go on without what was lost.

    \b
    Example:
      sourcewright storage check
      sourcewright storage accept sessions
    """


@command.command("check")
@options.as_json
def check(as_json: bool) -> int:
    """Check that everything that is kept is there, whole, and the same as when it was last used.

    The databases are read in full: sessions, memory and workspaces, API keys and revoked tokens,
    the cache, the library index, counts, the retraction list. The records of the library are
    read, its PDFs compared with them, and the hash chains of the logs verified, for every tenant.

    The exit code is 0 if all is in order, 1 if something is lost or damaged, and 4 if something
    could not be examined.

    \b
    Example:
      sourcewright storage check --json
    """

    async def work(application: Any) -> Sequence[StoreFinding]:
        findings: Sequence[StoreFinding] = await application.check_storage()
        return findings

    findings = tool_calls.run_with_application(work)
    if as_json:
        whole = all(one.is_good for one in findings)
        render.data({"ok": whole, "stores": [_row(one) for one in findings]})
    else:
        _show(findings)
    if any(not one.is_good and one.state != "unknown" for one in findings):
        return exit_codes.FAILED
    return exit_codes.DONE if all(one.is_good for one in findings) else exit_codes.NOT_WRITTEN


@command.command("accept")
@click.argument("name")
def accept(name: str) -> int:
    """Go on without what was lost of a store: sessions, memory, credentials, key or inventory.

    What is damaged is set aside as a file that ends in .broken, and nothing is deleted. Restore a
    back-up instead if you have one: after this, nobody is told of the loss any more.

    \b
    Example:
      sourcewright storage check
      sourcewright storage accept sessions
    """

    async def work(application: Any) -> str | None:
        done: str | None = await application.services.instance.accept_loss(name)
        return done

    done = tool_calls.run_with_application(work)
    render.line(done or f"nothing of {name} is lost or damaged")
    return exit_codes.DONE


def _show(findings: Sequence[StoreFinding]) -> None:
    bad = [one for one in findings if not one.is_good]
    unused = [one.title for one in findings if one.state == "absent"]
    render.line(
        f"{count_phrase(len(bad), 'problem')}, {sum(one.state == 'whole' for one in findings)} in order"
    )
    width = max(len(one.title) for one in findings)
    for one in [*bad, *(one for one in findings if one.state == "whole")]:
        mark, colour = (one.state, "red") if one in bad else ("ok", "green")
        texts = [one.detail, *([str(one.path)] if one in bad else [])]
        texts += [f"-> {one.advice}"] if one.advice else []
        render.finding(_MARKS.get(mark, mark), colour, one.title, texts, width=width)
    if unused:
        render.item(f"not used yet: {', '.join(unused)}")


_MARKS: Mapping[str, str] = {"begun anew": "lost"}


def _row(one: StoreFinding) -> dict[str, Any]:
    return {
        "name": one.name,
        "title": one.title,
        "state": one.state,
        "path": str(one.path),
        "detail": one.detail,
        "advice": one.advice,
    }
