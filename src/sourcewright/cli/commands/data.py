"""`sourcewright data`: export or erase everything that is kept of one user."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import click

from sourcewright.cli import exit_codes, options, render, tool_calls
from sourcewright.cli.shell.confirmation import confirm
from sourcewright.cli.users import tenant_option
from sourcewright.domain.users.sessions import Owner

_user = click.argument("user")


@click.group("data")
def command() -> None:
    """Export or erase everything that is kept of one user.

    \b
    Example:
      sourcewright data export ann
      sourcewright data erase ann --dry-run
    """


@command.command("export")
@_user
@tenant_option
def export(user: str, tenant: str) -> int:
    """Print everything that is kept of a user as JSON.

    The exit code is 4 if a kind of data could not be read; the output names it.

    \b
    Example:
      sourcewright data export ann > ann.json
    """

    async def work(application: Any) -> tuple[str, Sequence[Any]]:
        owner = _owner(user, tenant)
        reports = await application.services.teams.data_subjects.export(owner)
        return application.services.parts.timestamp(), reports

    exported_at, reports = tool_calls.run_with_application(work)
    who = {"tenant": tenant, "user": user, "exported_at": exported_at}
    render.data({**who, "kinds": [_fields(one) for one in reports]})
    return _exit_code(reports)


@command.command("erase")
@_user
@tenant_option
@click.option("--dry-run", is_flag=True, help="Only count what would be erased.")
@click.option("--yes", is_flag=True, help="Do not ask first.")
@options.as_json
def erase(user: str, tenant: str, dry_run: bool, yes: bool, as_json: bool) -> int:
    """Erase everything that is kept of a user, and nothing of anybody else.

    In the audit log, the user is replaced by a pseudonym; the log stays valid. Erasing again
    changes nothing more. A server that is running keeps artifacts in its memory for up to 30
    minutes.

    The exit code is 4 if a kind of data could not be erased; the output names it.

    \b
    Example:
      sourcewright data erase ann --yes
    """
    question = render.plain(f"Erase everything that is kept of {tenant}/{user}?")
    if not (yes or dry_run or confirm(question)):
        raise click.Abort
    owner = _owner(user, tenant)
    reports: Sequence[Any] = tool_calls.run_with_application(
        lambda application: application.services.teams.data_subjects.erase(owner, dry_run=dry_run)
    )
    if as_json:
        who = {"tenant": tenant, "user": user, "dry_run": dry_run}
        render.data({**who, "kinds": [_fields(one, "items") for one in reports]})
    else:
        _show(reports, dry_run=dry_run)
    return _exit_code(reports)


def _owner(user: str, tenant: str) -> Owner:
    """Raises InvalidInput for names that nobody can have."""
    from sourcewright.services.teams.consent import check_names

    owner = Owner(tenant=tenant, user=user)
    check_names(owner)
    return owner


def _fields(report: Any, *omitted: str) -> dict[str, Any]:
    fields = asdict(report).items()
    return {name: value for name, value in fields if name not in omitted and value is not None}


def _show(reports: Sequence[Any], *, dry_run: bool) -> None:
    rows = [
        (
            one.kind.replace("_", " "),
            _done(one.action, dry_run=dry_run),
            "" if one.action in ("kept", "failed") else one.count,
            one.detail or "",
        )
        for one in reports
    ]
    render.table(("kind", "what was done", "count", "detail"), rows)


def _done(action: str, *, dry_run: bool) -> str:
    if dry_run and action not in ("kept", "failed"):
        return f"would be {action}"
    return action


def _exit_code(reports: Sequence[Any]) -> int:
    has_failed = any(one.action == "failed" for one in reports)
    return exit_codes.NOT_WRITTEN if has_failed else exit_codes.DONE
