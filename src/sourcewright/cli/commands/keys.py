"""`sourcewright keys`: create, list and revoke API keys of the HTTP server, and revoke tokens."""

from datetime import UTC, datetime
from typing import Any

import click

from sourcewright.cli import options, render, tool_calls
from sourcewright.domain.users.credentials import ApiKey
from sourcewright.domain.users.sessions import Owner

_NOT_ACCEPTED = "SOURCEWRIGHT_API_KEYS is not set here: a server without SOURCEWRIGHT_API_KEYS=true refuses API keys"


@click.group("keys")
def command() -> None:
    """Create, list and revoke API keys of the HTTP server.

    \b
    Example:
      sourcewright keys create --tenant north --user ada
      sourcewright keys list
    """


@command.command("create")
@click.option("--tenant", required=True, help="The tenant whose data the key opens.")
@click.option("--user", required=True, help="The user whom the key stands for.")
@click.option("--scope", "scopes", multiple=True, help="A scope of the key (can be repeated).")
@click.option("--label", default="", help="A note on what the key is for.")
@click.option("--days", type=click.IntRange(1, 3650), help="How many days the key is valid.")
def create(tenant: str, user: str, scopes: tuple[str, ...], label: str, days: int | None) -> None:
    """Create an API key and print it; it is not stored and cannot be shown again.

    \b
    Example:
      sourcewright keys create --tenant north --user ada --days 90
    """

    async def work(application: Any) -> tuple[str, bool]:
        owner = Owner(tenant=tenant, user=user)
        keys = application.services.parts.api_keys
        _, text = await keys.create(owner, scopes=scopes, label=label, days=days)
        return str(text), application.services.parts.settings.api_keys

    text, is_accepted = tool_calls.run_with_application(work)
    render.line(text)
    if not is_accepted:
        render.status(_NOT_ACCEPTED)


@command.command("list")
@options.as_json
def list_keys(as_json: bool) -> None:
    """List the API keys, without their secrets.

    \b
    Example:
      sourcewright keys list
    """

    async def work(application: Any) -> list[ApiKey]:
        listed: list[ApiKey] = await application.services.parts.credentials.keys()
        return listed

    rows = [_fields(key) for key in tool_calls.run_with_application(work)]
    if as_json:
        render.data({"keys": rows})
    elif rows:
        render.table(tuple(rows[0]), [tuple(row.values()) for row in rows])
    else:
        render.line("there are no API keys; `sourcewright keys create` makes one")


@command.command("revoke")
@click.argument("key_id")
def revoke(key_id: str) -> int:
    """Revoke an API key; requests with it are refused from now on.

    \b
    Example:
      sourcewright keys revoke 3f0c1d2e4b5a6978
    """

    async def work(application: Any) -> bool:
        return await application.services.parts.api_keys.revoke(key_id) is not None

    if tool_calls.run_with_application(work):
        render.line(f"{key_id} is revoked")
        return 0
    render.line(f"there is no API key {key_id}; `sourcewright keys list` shows them")
    return 1


@command.command("revoke-token")
@click.argument("token_id")
def revoke_token(token_id: str) -> None:
    """Refuse the access token whose `jti` is TOKEN_ID from now on.

    \b
    Example:
      sourcewright keys revoke-token 0b8d4a52-71c3-4d0e
    """

    async def work(application: Any) -> None:
        await application.services.parts.api_keys.revoke_token(token_id)

    tool_calls.run_with_application(work)
    render.line(f"tokens with the id {token_id} are refused")


def _fields(key: ApiKey) -> dict[str, str]:
    return {
        "id": key.id,
        "tenant": key.owner.tenant,
        "user": key.owner.user,
        "scopes": " ".join(key.scopes),
        "label": key.label,
        "created": _day(key.created_at),
        "expires": _day(key.expires_at),
        "revoked": _day(key.revoked_at),
    }


def _day(seconds: float | None) -> str:
    return "" if seconds is None else datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d")
