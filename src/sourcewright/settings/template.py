"""Templates that list every setting, commented out: `.env.example` and the config file."""

import json
from collections.abc import Callable, Iterable, Iterator

from sourcewright.settings.declared import TABLE
from sourcewright.settings.table import Setting, display_text, provider_settings

_INTRODUCTION = (
    "Settings of Sourcewright.",
    "All are optional. Environment variables take precedence over this file.",
    "To set one, remove the # before its name.",
)


def render_config_template() -> str:
    """A TOML config file with every setting and its help, all commented out."""
    in_file = [setting for setting in _every_setting() if setting.in_file]
    return commented_template(_INTRODUCTION, in_file, lambda one: f"{one.name} = {_toml(one)}")


def setting_names() -> frozenset[str]:
    """Every name of every setting, with aliases and the options of providers."""
    return frozenset(name for setting in _every_setting() for name in setting.names)


def _every_setting() -> tuple[Setting, ...]:
    from sourcewright.manifest import load

    return (*TABLE, *provider_settings(load()["options"]))


def commented_template(
    introduction: Iterable[str],
    settings: Iterable[Setting],
    assignment: Callable[[Setting], str],
) -> str:
    """The template text: prose lines begin with `# `, settings with `#`."""
    lines = [f"# {line}" for line in introduction]
    group = ""
    for setting in settings:
        if setting.group != group:
            group = setting.group
            lines += ["", "", f"# == {group} =="]
        lines += ["", *(f"# {line}" for line in comment_lines(setting)), f"#{assignment(setting)}"]
    return "\n".join(lines) + "\n"


def comment_lines(setting: Setting) -> Iterator[str]:
    """The comment lines of a setting: its help, one sentence per line, then type and default."""
    yield from sentences(setting.help)
    facts = [setting.kind.label]
    if default := default_text(setting):
        facts.append(f"default: {default}")
    if setting.names[1:]:
        facts.append(f"aliases: {', '.join(setting.names[1:])}")
    yield f"({'; '.join(facts)})"


def sentences(text: str) -> list[str]:
    return text.replace(". ", ".\n").splitlines()


def default_text(setting: Setting) -> str:
    """The default of a setting as text."""
    if setting.contact:
        return "CONTACT_EMAIL"
    return setting.default_words or display_text(setting.default)


def _toml(setting: Setting) -> str:
    # Blank text counts as not set, so it can represent a default of None.
    default = "" if setting.default is None else setting.default
    return json.dumps(default)
