"""`sourcewright workspace`: share findings, and administer who may read them."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

import click

from sourcewright.base.text.phrases import count_phrase
from sourcewright.cli import exit_codes, options, render, tool_calls
from sourcewright.cli.shell.confirmation import confirm
from sourcewright.cli.users import (
    refused,
    show_finding,
    subject,
    tenant_option,
)
from sourcewright.domain.users.sessions import Owner

_workspace = click.argument("workspace")
_user = click.argument("user")


@click.group("workspace")
def command() -> None:
    """Share findings in a workspace, and administer its members.

    \b
    Example:
      sourcewright workspace create tides
      sourcewright workspace add tides ann
      sourcewright workspace list
    """


@command.command("create")
@_workspace
@options.as_json
def create(workspace: str, as_json: bool) -> int:
    """Create a workspace, which has no members yet.

    \b
    Example:
      sourcewright workspace create tides
    """
    created = tool_calls.run_with_application(
        lambda application: application.services.teams.workspaces.create(workspace)
    )
    return _report({"workspace": workspace, "created": created}, "created", as_json)


@command.command("add")
@_workspace
@_user
@tenant_option
@options.as_json
def add(workspace: str, user: str, tenant: str, as_json: bool) -> int:
    """Add a member, who can read and contribute from now on.

    \b
    Example:
      sourcewright workspace add tides ann
    """
    facts: dict[str, Any] = {"workspace": workspace, "tenant": tenant, "user": user}
    facts["added"] = _change_member(facts, lambda spaces: spaces.add_member)
    return _report(facts, "added", as_json)


@command.command("remove")
@_workspace
@_user
@tenant_option
@options.as_json
def remove(workspace: str, user: str, tenant: str, as_json: bool) -> int:
    """Remove a member, who can read nothing from now on. Their contributions stay.

    \b
    Example:
      sourcewright workspace remove tides ann
    """
    facts: dict[str, Any] = {"workspace": workspace, "tenant": tenant, "user": user}
    facts["removed"] = _change_member(facts, lambda spaces: spaces.remove_member)
    return _report(facts, "removed", as_json)


@command.command("list")
@options.as_json
def list_workspaces(as_json: bool) -> int:
    """List all workspaces with their members.

    \b
    Example:
      sourcewright workspace list
    """
    listed = tool_calls.run_with_application(_listed)
    if as_json:
        render.data({"workspaces": listed})
        return exit_codes.DONE
    if not listed:
        render.item("there are no workspaces; `sourcewright workspace create` makes one")
    rows = [(one["id"], one["created_at"], _members_text(one["members"])) for one in listed]
    render.table(("workspace", "created", "members"), rows)
    return exit_codes.DONE


@command.command("delete")
@_workspace
@click.option("--yes", is_flag=True, help="Do not ask first.")
@options.as_json
def delete(workspace: str, yes: bool, as_json: bool) -> int:
    """Delete a workspace with everything that was contributed to it.

    \b
    Example:
      sourcewright workspace delete old-project --yes
    """
    if not (yes or confirm(render.plain(f"Delete {workspace} and all contributions?"))):
        raise click.Abort
    count = tool_calls.run_with_application(
        lambda application: application.services.teams.workspaces.delete(workspace)
    )
    if as_json:
        render.data({"workspace": workspace, "deleted": True, "contributions": count})
    else:
        render.item(f"deleted {workspace} with {count_phrase(count, 'contribution')}")
    return exit_codes.DONE


@command.command("contribute")
@_workspace
@click.argument("note")
@click.option("--url", help="The source.")
@click.option("--tag", "tags", multiple=True, help="A label of your own; may be repeated.")
@options.as_json
def contribute(
    workspace: str, note: str, url: str | None, tags: tuple[str, ...], as_json: bool
) -> int:
    """Share a finding with the members of a workspace, under your name.

    \b
    Example:
      sourcewright workspace contribute tides "Neap tides are lowest at the quarter moons"
    """
    arguments = {"workspace_id": workspace, "note": note, "url": url, "tags": list(tags)}
    structured = tool_calls.call("workspace_contribute", arguments).structured
    code = refused(structured, as_json=as_json)
    if code is None:
        render.item(f"shared {structured['id']}")
    return code or exit_codes.DONE


@command.command("read")
@_workspace
@click.argument("words", nargs=-1)
@click.option("--limit", type=int, default=100, show_default=True, help="At most so many.")
@options.as_json
def read(workspace: str, words: tuple[str, ...], limit: int, as_json: bool) -> int:
    """Read what was shared in a workspace, or only what has these words.

    \b
    Example:
      sourcewright workspace read tides
    """
    arguments = {"workspace_id": workspace, "query": " ".join(words) or None, "limit": limit}
    structured = tool_calls.call("workspace_read", arguments).structured
    code = refused(structured, as_json=as_json)
    if code is not None:
        return code
    for one in structured["contributions"]:
        who = f"{one['contributorTenant']}/{one['contributorUser']}"
        show_finding(one, f"{one['createdAt'][:10]}  {who}")
    left = structured["total"] - structured["count"]
    if left:
        render.status(f"{left} more; see them with --limit")
    elif not structured["contributions"]:
        render.item("nothing was found")
    return exit_codes.DONE


def _members_text(members: Sequence[Mapping[str, str]]) -> str:
    names = [f"{member['tenant']}/{member['user']}" for member in members]
    return ", ".join(names) or "(no members)"


def _change_member(
    facts: dict[str, Any], method: Callable[[Any], Callable[[str, Owner], Awaitable[bool]]]
) -> bool:
    async def work(application: Any) -> bool:
        owner = subject(application, facts["user"], facts["tenant"])
        return await method(application.services.teams.workspaces)(facts["workspace"], owner)

    return tool_calls.run_with_application(work)


def _report(facts: dict[str, Any], done: str, as_json: bool) -> int:
    """Print what was done, or that nothing had to be."""
    if as_json:
        render.data(facts)
    else:
        subjects = " ".join(str(facts[name]) for name in ("workspace", "user") if name in facts)
        render.item(f"{done} {subjects}" if facts[done] else f"{subjects}: nothing to do")
    return exit_codes.DONE


async def _listed(application: Any) -> list[dict[str, Any]]:
    spaces = application.services.teams.workspaces
    return [
        {
            "id": one.id,
            "created_at": one.created_at,
            "members": [
                {"tenant": who.tenant, "user": who.user, "added_at": who.added_at}
                for who in await spaces.members(one.id)
            ],
        }
        for one in await spaces.workspaces()
    ]
