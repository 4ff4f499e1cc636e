"""Layers of settings (command line, environment, config file) and the errors in them."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from sourcewright.base.text.suggestions import nearest_name
from sourcewright.settings.table import Setting, Values

_OWN_PREFIX = "SOURCEWRIGHT_"
_MAX_FILE_BYTES = 1024 * 1024
"""Far more than every setting needs; keeps a wrong path from filling the memory."""


class Problem(NamedTuple):
    """An invalid setting: its name, where it was set, and what is wrong."""

    setting: str
    where: str
    message: str

    def __str__(self) -> str:
        text = f"{self.setting} ({self.where}): {self.message}"
        # A name in a config file may contain terminal control characters.
        return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)


class SettingsError(Exception):
    """Invalid settings; lists every problem, not only the first.

    It is not a `ResearchError` because it stops the start, and because importing that
    class hierarchy would slow the start down.
    """

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


class Layer(NamedTuple):
    """Setting values from one origin: command line, environment or config file."""

    title: str
    values: Mapping[str, object]
    path: Path | None = None

    def where(self, name: str) -> str:
        """Where a value is set; for a config file, path and line number."""
        if self.path is None:
            return self.title
        return f"{self.path}{_line_of(name, self.path)}"


class SetValue(NamedTuple):
    """A value that is set: its name, its raw value and its layer."""

    name: str
    value: object
    layer: Layer


def find_value(setting: Setting, layers: Iterable[Layer]) -> SetValue | None:
    """The effective value: from the first layer that has one, by the first name that is set."""
    for layer in layers:
        for name in setting.names:
            # Most settings are not set anywhere.
            if name in layer.values and is_set(value := layer.values[name]):
                return SetValue(name, value, layer)
    return None


def is_set(value: object) -> bool:
    """Whether a value is set; blank text and unexpanded `${…}` count as not set.

    Desktop clients pass both for form fields that the user left empty.
    """
    return (
        bool(value.strip()) and "${" not in value if isinstance(value, str) else value is not None
    )


def config_path(environ: Mapping[str, object]) -> Path:
    """The default path of the config file."""
    folder = environ.get("XDG_CONFIG_HOME")
    home = environ.get("HOME")
    if is_set(folder):
        return Path(str(folder), "sourcewright", "config.toml")
    base = Path(str(home)) if is_set(home) else home_folder()
    return base / ".config" / "sourcewright" / "config.toml"


def home_folder() -> Path:
    """The account's home folder, also without HOME; the root if there is none."""
    try:
        return Path.home()
    except RuntimeError:
        return Path(os.sep)


def working_folder() -> Path:
    """The current working directory; the root if it has been deleted."""
    try:
        return Path.cwd()
    except OSError:
        return Path(os.sep)


def read_file(path: Path, *, required: bool) -> tuple[Layer, list[Problem]]:
    """Read the config file; a missing file is a problem only if it was named explicitly."""
    try:
        values = _parse(path)
    except FileNotFoundError:
        missing = [Problem("config file", str(path), "does not exist")] if required else []
        return Layer("config file", {}, path), missing
    except (OSError, ValueError) as error:
        reason = error.strerror or "cannot be read" if isinstance(error, OSError) else str(error)
        return Layer("config file", {}, path), [Problem("config file", str(path), reason)]
    return Layer("config file", values, path), []


def _parse(path: Path) -> dict[str, object]:
    with path.open("rb") as file:
        body = file.read(_MAX_FILE_BYTES + 1)
    if len(body) > _MAX_FILE_BYTES:
        raise ValueError(f"is larger than {_MAX_FILE_BYTES} bytes")
    import tomllib

    try:
        return tomllib.loads(body.decode("utf-8"))
    except RecursionError as error:
        raise ValueError("is nested too deeply") from error


def unknown_names(layer: Layer, known: Mapping[str, Setting]) -> list[Problem]:
    """Undeclared names: any in the config file, those with our own prefix elsewhere."""
    strict = layer.title != "environment"
    names = [name for name in layer.values if strict or name.startswith(_OWN_PREFIX)]
    return [
        Problem(name, layer.where(name), _unknown_name_message(name, layer.values[name], known))
        for name in names
        if name not in known
    ]


def _unknown_name_message(name: str, value: object, known: Mapping[str, Setting]) -> str:
    if isinstance(value, dict):
        return "is a table, but settings are flat: write NAME = value with the names of the environment variables"
    # Without the prefix, which would make any two settings that have it similar.
    bare = {one.removeprefix(_OWN_PREFIX): one for one in known}
    near = nearest_name(name.upper().removeprefix(_OWN_PREFIX), bare)
    return f"is not a setting; did you mean {bare[near]}?" if near else "is not a setting"


def contradictions(layer: Layer, settings: Iterable[Setting]) -> list[Problem]:
    """Conflicts in the config file: aliases with different values, environment-only settings."""
    if layer.path is None or not layer.values:
        return []
    problems: list[Problem] = []
    seen: set[str] = set()
    for setting in settings:
        # A name shared with an earlier setting is a fallback here and was checked there.
        names = [name for name in setting.names if name not in seen]
        problems += _contradictions_of(layer, setting, names)
        seen.update(names)
    return problems


def _contradictions_of(layer: Layer, setting: Setting, own: Iterable[str]) -> list[Problem]:
    names = [name for name in own if is_set(layer.values.get(name))]
    if not setting.in_file:
        message = "can be set only in the environment"
        return [Problem(name, layer.where(name), message) for name in names]
    return [
        Problem(name, layer.where(name), f"contradicts {names[0]}, an alias of the same setting")
        for name in names[1:]
        if layer.values[name] != layer.values[names[0]]
    ]


def with_absolute_paths(value: object, values: Values) -> object:
    """The value with its paths made absolute; `~` is the home folder of these settings."""
    if isinstance(value, tuple):
        return tuple(with_absolute_paths(item, values) for item in value)
    return _absolute(value, values) if isinstance(value, Path) else value


def _absolute(path: Path, values: Values) -> Path:
    if path.parts[:1] == ("~",):
        return Path(values["home"], *path.parts[1:])
    return Path(values["cwd"], path)


def _line_of(name: str, path: Path) -> str:
    import re

    pattern = re.compile(rf"\s*[\"']?{re.escape(name)}[\"']?\s*=|\s*\[+\s*{re.escape(name)}\b")
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, ValueError):
        return ""
    numbers = [number for number, line in enumerate(lines, 1) if pattern.match(line)]
    return f":{numbers[0]}" if numbers else ""
