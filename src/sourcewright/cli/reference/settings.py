"""Builds the reference page of the settings, and `.env.example`."""

from collections.abc import Sequence
from itertools import groupby

from sourcewright.cli.reference.markdown import NOTICE, code, codes, page, table
from sourcewright.settings.table import Setting
from sourcewright.settings.template import commented, default_text

_RULES = """\
A setting is looked for on the command line first, then in the environment, then in the config file; the first place that has it wins.
Where a setting has several names, the first that is set wins.
A blank value counts as not set, and so does one that contains `${`, because some desktop clients pass on placeholders that nobody filled in.

The config file is TOML and uses the same names: `CONTACT_EMAIL = "you@university.edu"`.
`sourcewright config path` says where it is, `config init` writes one with every setting explained, and `config show` prints what is in force and where it came from.

A name that nobody knows is an error in the config file, and in the environment when it begins with `SOURCEWRIGHT_`.
A value that its setting cannot take is an error everywhere; the start then stops and names all that is wrong.
Flags take `true` or `false`, `1` or `0`, `yes` or `no`, `on` or `off`.
Lists are separated by commas, or are arrays in the config file."""

_ENVIRONMENT_INTRODUCTION = (
    NOTICE,
    "Settings of Sourcewright, all optional.",
    "To set one, take the # before its name away and give it a value.",
)


def settings_page(settings: Sequence[Setting]) -> str:
    blocks = [_RULES]
    for group, members in groupby(settings, key=lambda setting: setting.group):
        rows = [_row(setting) for setting in members]
        blocks += [f"## {group}", table(("Name", "Type", "Default", "Meaning"), rows)]
    return page("Settings", *blocks)


def env_example(settings: Sequence[Setting]) -> str:
    return commented(_ENVIRONMENT_INTRODUCTION, settings, lambda setting: f"{setting.name}=")


def _row(setting: Setting) -> tuple[str, ...]:
    notes = [setting.help]
    if setting.names[1:]:
        notes.append(f"Also called {codes(setting.names[1:])}.")
    if setting.required:
        notes.append("Without a value this source is not asked.")
    if not setting.in_file:
        notes.append("In the environment only.")
    return (code(setting.name), setting.kind.label, code(default_text(setting)), " ".join(notes))
