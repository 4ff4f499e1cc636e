"""Entry point of the command line; each command is imported when it is used."""

import importlib
import pkgutil
import re
import signal
from collections.abc import Sequence

import click
from click.shell_completion import CompletionItem

from sourcewright import manifest
from sourcewright._about import __version__
from sourcewright.base.errors import ResearchError
from sourcewright.cli import commands, exit_codes, render
from sourcewright.cli.shell.help_pages import use_help_pages
from sourcewright.cli.shell.lazy_groups import LazyGroup
from sourcewright.cli.streams import OutputError, guard_streams
from sourcewright.domain.codes import code_of
from sourcewright.settings import Settings, SettingsError

_COMMAND_HELP = re.compile(r'^def command\(.*?"""(.*?)(?:"""|\n)', re.MULTILINE | re.DOTALL)
"""Parsing the syntax of all commands would take half of the time of `--help`."""

_JSON_LINES = ("archive", "batch", "download")
"""Commands that print one JSON object per line."""


class CommandGroup(LazyGroup):
    """A click group whose commands are the modules of `commands`, imported on first use."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [module.name for module in pkgutil.iter_modules(commands.__path__)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        module = importlib.import_module(f"{commands.__name__}.{cmd_name}")
        return use_help_pages(module.command)

    def candidates(self, ctx: click.Context, name: str) -> list[str]:
        if name in {entry["name"] for entry in manifest.load()["tools"]}:
            return [f"tool {name}"]
        return ["--help", *self.list_commands(ctx)]

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete the names of commands without importing them."""
        names = [name for name in self.list_commands(ctx) if name.startswith(incomplete)]
        commands = [CompletionItem(name, help=_purpose_of(name)) for name in names]
        return [*commands, *click.Command.shell_complete(self, ctx, incomplete)]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands by section, without importing them."""
        listed = {name for names in commands.SECTIONS.values() for name in names}
        others = tuple(name for name in self.list_commands(ctx) if name not in listed)
        # Of one width, so that the texts of all sections begin in the same column.
        width = max(map(len, (*listed, *others)))
        for heading, names in (*commands.SECTIONS.items(), ("Other commands", others)):
            if names:
                with formatter.section(heading):
                    formatter.write_dl([(name.ljust(width), _purpose_of(name)) for name in names])


def _purpose_of(name: str) -> str:
    """The first line of a command's help, found in its source without importing it."""
    source = pkgutil.get_data(commands.__name__, f"{name}.py") or b""
    match = _COMMAND_HELP.search(source.decode())
    return match[1].strip() if match else ""


@click.command(cls=CommandGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="sourcewright")
def sourcewright() -> None:
    """Find and read sources, fetch papers, and check citations, with provenance.

    \b
    Example:
      sourcewright resolve 10.1371/journal.pone.0033693
    """


use_help_pages(sourcewright)


def run(arguments: Sequence[str]) -> int:
    """Run one command line; returns the exit code."""
    render.escape_unencodable()
    _clean_up_when_ended()
    output = guard_streams()
    try:
        code = _execute(arguments)
        output.close()
    except OutputError as error:
        return _report(error)
    return code


def _execute(arguments: Sequence[str]) -> int:
    colour = _colour()
    # Errors are printed when the command's own context has ended, in the same colours.
    with click.Context(sourcewright, color=colour).scope():
        return _run_command(arguments, colour=colour)


def _run_command(arguments: Sequence[str], *, colour: bool | None) -> int:
    try:
        result = sourcewright.main(
            args=list(arguments),
            prog_name="sourcewright",
            standalone_mode=False,
            color=colour,
        )
    except click.Abort:
        render.status("stopped")
        return exit_codes.INTERRUPTED
    except click.ClickException as error:
        render.usage_error(error)
        return error.exit_code
    except (SettingsError, ResearchError) as error:
        _print_json(error, arguments)
        return _report(error)
    return result if isinstance(result, int) else exit_codes.DONE


def _clean_up_when_ended() -> None:
    """Treat SIGTERM and SIGHUP like Ctrl-C, so that temporary folders and files are removed."""
    for ending in (signal.SIGTERM, signal.SIGHUP):
        # A signal that is ignored stays ignored, as `nohup` requires.
        if signal.getsignal(ending) is signal.SIG_DFL:
            signal.signal(ending, signal.default_int_handler)


def _print_json(error: SettingsError | ResearchError, arguments: Sequence[str]) -> None:
    """Print an error of a command with `--json` for programs too, as tools report theirs."""
    # `export --json FILE` writes a file; its output is for people.
    if "--json" not in arguments or "export" in arguments[:2]:
        return
    code = code_of(error) if isinstance(error, ResearchError) else "CONFIG"
    answer = {"ok": False, "error": {"code": code, "message": str(error)}}
    if arguments[0] in _JSON_LINES:
        render.json_line(answer)
    else:
        render.data(answer)


def _report(error: SettingsError | ResearchError | OutputError) -> int:
    """Print an error; returns the exit code."""
    if isinstance(error, SettingsError):
        for problem in error.problems:
            render.problem("CONFIG", str(problem))
        return exit_codes.MISUSE
    if isinstance(error, ResearchError):
        code = code_of(error)
        render.problem(code, str(error))
        return exit_codes.EXIT_CODES[code]
    if error.closed:
        return exit_codes.OUTPUT_CLOSED
    render.problem("OUTPUT", f"the output could not be written: {error}")
    return exit_codes.NOT_WRITTEN


def _colour() -> bool | None:
    """Whether to use colours; None means only on streams that are a terminal."""
    try:
        return Settings.from_environment().colour
    except SettingsError:
        # The command reports invalid settings itself, if it needs them.
        return None
