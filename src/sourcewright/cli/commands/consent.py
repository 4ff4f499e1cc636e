"""`sourcewright consent`: record and show whether data of a user may be kept."""

from dataclasses import asdict
from typing import Any

import click

from sourcewright.cli import options, render, tool_calls
from sourcewright.cli.users import subject, subject_options
from sourcewright.domain.users.teams import PURPOSES, Purpose

_purpose = click.argument("purpose", type=click.Choice(PURPOSES))
_terms = click.option("--terms", help="The version of the terms that the user agreed to.")


@click.group("consent")
def command() -> None:
    """Record and show whether data of a user may be kept.

    There are three kinds of consent: memory, analytics and workspace.

    \b
    Example:
      sourcewright consent grant workspace
      sourcewright consent show
    """


@command.command("show")
@subject_options
@options.as_json
def show(user: str | None, tenant: str, as_json: bool) -> int:
    """Show what a user has consented to, and every earlier decision.

    \b
    Example:
      sourcewright consent show --user ann
    """
    current, history = tool_calls.run_with_application(
        lambda application: _read(application, user, tenant)
    )
    if as_json:
        decisions = [asdict(one) for one in history]
        granted = {name: bool(one and one.granted) for name, one in current.items()}
        render.data({"granted": granted, "history": decisions})
        return 0
    for name, one in current.items():
        word = "not asked" if one is None else "granted" if one.granted else "withdrawn"
        render.labelled_line(word, "green" if word == "granted" else "yellow", name)
    rows = [
        (one.decided_at, one.purpose, "granted" if one.granted else "withdrawn", one.decided_from)
        for one in history
    ]
    if rows:
        render.line()
        render.table(("when", "purpose", "decision", "from"), rows)
    return 0


@command.command("grant")
@_purpose
@_terms
@subject_options
@options.as_json
def grant(
    purpose: Purpose, terms: str | None, user: str | None, tenant: str, as_json: bool
) -> int:
    """Record that a user consents to a purpose.

    \b
    Example:
      sourcewright consent grant memory
    """
    return _decide(purpose, user, tenant, granted=True, terms=terms, as_json=as_json)


@command.command("withdraw")
@_purpose
@subject_options
@options.as_json
def withdraw(purpose: Purpose, user: str | None, tenant: str, as_json: bool) -> int:
    """Record that a user withdraws consent: nothing more is kept, and nothing is read.

    What was kept stays until it expires; `sourcewright data erase` removes it.

    \b
    Example:
      sourcewright consent withdraw analytics
    """
    return _decide(purpose, user, tenant, granted=False, as_json=as_json)


def _decide(purpose: Purpose, user: str | None, tenant: str, **decision: Any) -> int:
    async def work(application: Any) -> tuple[str, bool]:
        owner = subject(application, user, tenant)
        changed: bool = await application.services.teams.consents.decide(
            owner,
            purpose,
            granted=decision["granted"],
            decided_from="command line",
            terms_version=decision.get("terms"),
        )
        return owner.user, changed

    name, changed = tool_calls.run_with_application(work)
    word = "granted" if decision["granted"] else "withdrawn"
    if decision["as_json"]:
        facts = {"tenant": tenant, "user": name, "purpose": purpose}
        render.data({**facts, "granted": decision["granted"], "changed": changed})
    else:
        render.item(f"{word} for {name}: {purpose}" + ("" if changed else " (as before)"))
    return 0


async def _read(application: Any, user: str | None, tenant: str) -> tuple[Any, Any]:
    owner = subject(application, user, tenant)
    consents = application.services.teams.consents
    return await consents.current(owner), await consents.history(owner)
