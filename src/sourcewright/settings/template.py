"""Settings as commented files to fill in: `.env.example`, the config file."""

import json
from collections.abc import Callable, Iterable, Iterator

from sourcewright.settings.declared import TABLE
from sourcewright.settings.table import Setting, provider_settings, shown

_INTRODUCTION = (
    "Settings of Sourcewright.",
    "All are optional, and the environment wins over this file.",
    "To set one, take the # before its name away.",
)


def render_config_template() -> str:
    """A TOML file that names every setting, with its help, and sets none."""
    from sourcewright.manifest import load

    settings = (*TABLE, *provider_settings(load()["options"]))
    in_file = [setting for setting in settings if setting.in_file]
    return commented(_INTRODUCTION, in_file, lambda one: f"{one.name} = {_toml(one)}")


def commented(
    introduction: Iterable[str],
    settings: Iterable[Setting],
    assignment: Callable[[Setting], str],
) -> str:
    """Prose stands after `# `, settings right after `#`."""
    lines = [f"# {line}" for line in introduction]
    group = ""
    for setting in settings:
        if setting.group != group:
            group = setting.group
            lines += ["", "", f"# == {group} =="]
        lines += ["", *(f"# {line}" for line in about(setting)), f"#{assignment(setting)}"]
    return "\n".join(lines) + "\n"


def about(setting: Setting) -> Iterator[str]:
    """What a setting is for, one sentence per line, then what it takes."""
    yield from sentences(setting.help)
    facts = [setting.kind.label]
    if default := default_text(setting):
        facts.append(f"default: {default}")
    if setting.names[1:]:
        facts.append(f"also called {', '.join(setting.names[1:])}")
    yield f"({'; '.join(facts)})"


def sentences(text: str) -> list[str]:
    return text.replace(". ", ".\n").splitlines()


def default_text(setting: Setting) -> str:
    """What stands in for the setting when it is not set."""
    if setting.contact:
        return "CONTACT_EMAIL"
    return setting.default_words or shown(setting.default)


def _toml(setting: Setting) -> str:
    # A blank text counts as not set, so it can stand for any default that is none.
    default = "" if setting.default is None else setting.default
    return json.dumps(default)
