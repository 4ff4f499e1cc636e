"""`sourcewright redis`: accept a Redis that was emptied or replaced."""

from typing import Any

import click

from sourcewright.base.errors import NotConfigured
from sourcewright.cli import exit_codes, render, tool_calls


@click.group("redis")
def command() -> None:
    """Accept a Redis that was emptied or replaced.

    \b
    Example:
      sourcewright doctor
      sourcewright redis accept
    """


@command.command("accept")
def accept() -> int:
    """Use the Redis at REDIS_URL as it is, although it was emptied or replaced.

    Until this is done, or its back-up is restored, no server uses it: API keys would be unknown,
    and revoked tokens valid again. All servers notice it by themselves.

    \b
    Example:
      sourcewright redis accept
    """

    async def work(application: Any) -> tuple[str, bool | None]:
        server = application.services.parts.redis
        if server is None:
            raise NotConfigured("there is no Redis: REDIS_URL is not set", setting="REDIS_URL")
        return server.name, await server.identity.accept()

    name, is_accepted = tool_calls.run_with_application(work)
    if is_accepted is None:
        render.line(f"{name} was not used from here; run this where a server has its state folder")
        return exit_codes.FAILED
    render.line(
        f"{name} is used as it is" if is_accepted else f"{name} was neither emptied nor replaced"
    )
    return exit_codes.DONE
