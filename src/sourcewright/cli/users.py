"""Shared by commands about users: whose data is meant, and what to print when it is refused."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import click

from sourcewright.base.errors import InvalidInput
from sourcewright.cli import exit_codes, render
from sourcewright.domain.users.sessions import Owner

Command = TypeVar("Command", bound=Callable[..., Any])

tenant_option = click.option(
    "--tenant", default="default", show_default=True, help="The tenant of the user."
)


def subject_options(command: Command) -> Command:
    """Add the options that name a user; without them it is the one of STDIO_USER_ID."""
    user = click.option("--user", help="The user; the name in STDIO_USER_ID by default.")
    return tenant_option(user(command))


def subject(application: Any, user: str | None, tenant: str) -> Owner:
    """Return the user whom the options name.

    Raises:
        InvalidInput: No user is named, or the name is invalid.
    """
    name = user if user is not None else application.services.parts.settings.stdio_user_id
    if name is None:
        raise InvalidInput("no user: give --user, or set STDIO_USER_ID")
    owner = Owner(tenant=tenant, user=name)
    application.services.teams.consents.check_user(owner)
    return owner


def refused(structured: Mapping[str, Any], *, as_json: bool) -> int | None:
    """Print an answer that is no result, or any as JSON; returns the exit code, None to go on."""
    if render.is_failure(structured):
        if as_json:
            render.data(structured)
            return render.exit_code(structured)
        return render.failure(structured)
    is_refusal = structured["status"] not in ("ok", "empty")
    if as_json:
        render.data(structured)
    elif is_refusal:
        render.problem(structured["status"], structured["reason"])
    else:
        return None
    return exit_codes.REFUSED if is_refusal else exit_codes.DONE


def show_finding(finding: Mapping[str, Any], about: str) -> None:
    """Print a note, and what is known of it below."""
    render.item(finding["note"], bold=True)
    labels = " ".join(f"#{tag}" for tag in finding.get("tags", ()))
    for text in (about, finding.get("url"), labels):
        if text:
            render.item(text, indent="  ")
