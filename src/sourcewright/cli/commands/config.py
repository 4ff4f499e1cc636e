"""`sourcewright config`: show the config file path and the settings, or write a template."""

from pathlib import Path

import click

from sourcewright.base.errors import StoreError
from sourcewright.cli import options, render
from sourcewright.cli.shell.output_files import write_file
from sourcewright.settings import Settings
from sourcewright.settings.process import own_config_path


@click.group("config")
def command() -> None:
    """Show or write the configuration.

    \b
    Example:
      sourcewright config show
    """


@command.command("path")
def path() -> None:
    """Print the path of the config file.

    \b
    Example:
      sourcewright config path
    """
    render.line(str(own_config_path()))


@command.command("show")
@click.option(
    "--all", "everything", is_flag=True, help="Include settings that have their default value."
)
@options.as_json
def show(everything: bool, as_json: bool) -> None:
    """Print the effective settings and where each comes from, with secrets masked.

    \b
    Example:
      sourcewright config show --all
    """
    rows = Settings.from_environment().describe()
    if as_json:
        render.data([{"name": r.name, "value": r.value, "source": r.source} for r in rows])
        return
    listed = [row for row in rows if everything or row.source != "default"]
    render.table(("setting", "value", "from"), [(r.name, r.value, r.source) for r in listed])
    if not listed:
        render.line(
            "every setting has its default value; `sourcewright config show --all` lists them"
        )


@command.command("init")
@click.option("--force", is_flag=True, help="Overwrite an existing file.")
def init(force: bool) -> None:
    """Write a config file that explains every setting.

    \b
    Example:
      sourcewright config init
    """
    from sourcewright.settings.template import render_config_template

    target: Path = own_config_path()
    if target.exists() and not force:
        raise click.ClickException(f"{target} already exists; use --force to overwrite it")
    try:
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_file(target, render_config_template())
        target.chmod(0o600)
    except OSError as error:
        raise StoreError(f"{target} cannot be written: {error.strerror}") from error
    render.line(f"wrote {target}")
