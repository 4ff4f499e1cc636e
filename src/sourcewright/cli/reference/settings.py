"""Builds the reference page of the settings, and `.env.example`."""

from collections.abc import Sequence
from itertools import groupby

from sourcewright.cli.reference.markdown import NOTICE, code, codes, page, table
from sourcewright.settings.table import Setting
from sourcewright.settings.template import commented_template, default_text

_RULES = """\
A setting is read from the command line first, then from the environment, then from the config file; the first value found wins.
Where a setting has several names, the first that is set wins.
A blank value counts as not set, and so does one that contains `${`, because some desktop clients pass placeholders that were never filled in.

The config file is TOML and uses the same names: `CONTACT_EMAIL = "you@university.edu"`.
`sourcewright config path` prints its path, `config init` writes one that explains every setting, and `config show` prints the effective values and where each came from.

An unknown name is an error in the config file, and in the environment if it begins with `SOURCEWRIGHT_`.
An invalid value is always an error; the server then does not start, and lists every problem.
Flags take `true` or `false`, `1` or `0`, `yes` or `no`, `on` or `off`.
Lists are separated by commas, or are arrays in the config file."""

_ENVIRONMENT_INTRODUCTION = (
    NOTICE,
    "Settings of Sourcewright, all optional.",
    "To set one, remove the # before its name and give it a value.",
)


def settings_page(settings: Sequence[Setting]) -> str:
    blocks = [_RULES]
    for group, members in groupby(settings, key=lambda setting: setting.group):
        rows = [_row(setting) for setting in members]
        blocks += [f"## {group}", table(("Name", "Type", "Default", "Meaning"), rows)]
    return page("Settings", *blocks)


def env_example(settings: Sequence[Setting]) -> str:
    return commented_template(
        _ENVIRONMENT_INTRODUCTION, settings, lambda setting: f"{setting.name}="
    )


def _row(setting: Setting) -> tuple[str, ...]:
    notes = [setting.help]
    if setting.names[1:]:
        notes.append(f"Aliases: {codes(setting.names[1:])}.")
    if setting.required:
        notes.append("Without a value this source is not used.")
    if not setting.in_file:
        notes.append("Can be set only in the environment.")
    return (code(setting.name), setting.kind.label, code(default_text(setting)), " ".join(notes))
