"""The command line: every verb, loaded when it is used."""

import importlib
import sys
from collections.abc import Sequence

import click

from sourcewright import __version__
from sourcewright.cli import render
from sourcewright.domain.codes import code_of
from sourcewright.domain.errors import ResearchError
from sourcewright.settings import Settings, SettingsError

COMMANDS = {
    "serve": "Speak MCP on stdin and stdout.",
    "demo": "Resolve four papers against the built-in world.",
    "resolve": "Look a paper up by DOI or arXiv id.",
    "bib": "Write papers of the library as BibTeX.",
    "csl": "Write papers of the library as CSL-JSON.",
    "tool": "Call any tool by its name.",
    "doctor": "Say what is configured, what is not, and what to do.",
    "config": "Show or write the configuration.",
    "log": "Show or verify the provenance log.",
    "world": "Serve the built-in world on a loopback port.",
}


class Verbs(click.Group):
    """A group whose commands are imported only when they are needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"sourcewright.cli.commands.{cmd_name}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the verbs without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.command(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="sourcewright")
def sourcewright() -> None:
    """Find sources, read them, and check citations, saying how we know.

    \b
    Example:
      sourcewright resolve 10.1371/journal.pone.0033693
    """


def run(arguments: Sequence[str]) -> int:
    """Run one command line; returns the exit code."""
    render.take_any_encoding()
    try:
        result = sourcewright.main(
            args=list(arguments),
            prog_name="sourcewright",
            standalone_mode=False,
            color=False if _colourless() else None,
        )
    except click.ClickException as error:
        render.misuse(error)
        return error.exit_code
    except click.Abort:
        return 130
    except SettingsError as error:
        for problem in error.problems:
            render.problem("CONFIG", str(problem))
        return 2
    except ResearchError as error:
        code = code_of(error)
        render.problem(code, str(error))
        return render.EXIT_CODES[code]
    except BrokenPipeError:
        # The reader of our output left; Python would complain again at exit.
        sys.stdout = None
        return 141
    return result if isinstance(result, int) else 0


def _colourless() -> bool:
    try:
        return Settings.from_environment().no_color
    except SettingsError:
        # Whichever command needs the settings will say what is wrong with them.
        return False
