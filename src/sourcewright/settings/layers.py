"""Layers of settings: environment over config file over defaults, with their errors."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from sourcewright.settings.table import Setting, Values

_OWN_PREFIX = "SOURCEWRIGHT_"
_MAX_FILE_BYTES = 1024 * 1024


class Problem(NamedTuple):
    """One setting that cannot be used, and why."""

    setting: str
    where: str
    message: str

    def __str__(self) -> str:
        told = f"{self.setting} ({self.where}): {self.message}"
        # A file may name a setting in characters that a terminal obeys.
        return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in told)


class SettingsError(Exception):
    """Settings that cannot be used, all of them at once.

    It stands outside the tree of research errors because it stops the start,
    and because the start must not wait for that tree to load.
    """

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


class Layer(NamedTuple):
    """Values from one place."""

    title: str
    values: Mapping[str, object]
    path: Path | None = None

    def where(self, name: str) -> str:
        """The place of one value, with the line where it stands in a file."""
        if self.path is None:
            return self.title
        return f"{self.path}{_line_of(name, self.path)}"


class Found(NamedTuple):
    """A value that is set, and where."""

    name: str
    value: object
    layer: Layer


def find(setting: Setting, layers: Iterable[Layer]) -> Found | None:
    """The value that counts: the strongest layer first, then the first of the names."""
    for layer in layers:
        for name in setting.names:
            if is_set(value := layer.values.get(name)):
                return Found(name, value, layer)
    return None


def is_set(value: object) -> bool:
    """Desktop clients hand over blanks and unexpanded `${…}` for what was never filled in."""
    return (
        bool(value.strip()) and "${" not in value if isinstance(value, str) else value is not None
    )


def config_path(environ: Mapping[str, object]) -> Path:
    """Where the config file is looked for."""
    folder = environ.get("XDG_CONFIG_HOME")
    home = environ.get("HOME")
    if is_set(folder):
        return Path(str(folder), "sourcewright", "config.toml")
    base = Path(str(home)) if is_set(home) else home_folder()
    return base / ".config" / "sourcewright" / "config.toml"


def home_folder() -> Path:
    """The account's home folder, for a process that was started without HOME."""
    try:
        return Path.home()
    except RuntimeError:
        return Path(os.sep)


def working_folder() -> Path:
    """Where the process was started; the root when that folder has gone."""
    try:
        return Path.cwd()
    except OSError:
        return Path(os.sep)


def read_file(path: Path, *, wanted: bool) -> tuple[Layer, list[Problem]]:
    """The config file; without one there is nothing to read, unless it was asked for by name."""
    try:
        values = _parse(path)
    except FileNotFoundError:
        missing = [Problem("config file", str(path), "does not exist")] if wanted else []
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
    """Names that nobody declared: all in a file, our own prefix elsewhere."""
    strict = layer.title != "environment"
    names = [name for name in layer.values if strict or name.startswith(_OWN_PREFIX)]
    return [
        Problem(name, layer.where(name), _unknown(name, layer.values[name], known))
        for name in names
        if name not in known
    ]


def _unknown(name: str, value: object, known: Mapping[str, Setting]) -> str:
    if isinstance(value, dict):
        return "is a table, but settings are flat: write NAME = value with the environment's names"
    import difflib

    near = difflib.get_close_matches(name.upper(), known, n=1, cutoff=0.5)
    return f"is not a setting; did you mean {near[0]}?" if near else "is not a setting"


def contradictions(layer: Layer, settings: Iterable[Setting]) -> list[Problem]:
    """What a file may not say: two values for one setting, or what belongs to the system."""
    if layer.path is None:
        return []
    problems: list[Problem] = []
    seen: set[str] = set()
    for setting in settings:
        # A name that an earlier setting has as well stands in for this one, and yields to it.
        names = [name for name in setting.names if name not in seen]
        problems += _contradictions(layer, setting, names)
        seen.update(names)
    return problems


def _contradictions(layer: Layer, setting: Setting, own: Iterable[str]) -> list[Problem]:
    names = [name for name in own if is_set(layer.values.get(name))]
    if not setting.in_file:
        message = "can be set in the environment only"
        return [Problem(name, layer.where(name), message) for name in names]
    return [
        Problem(
            name, layer.where(name), f"contradicts {names[0]}, another name of the same setting"
        )
        for name in names[1:]
        if layer.values[name] != layer.values[names[0]]
    ]


def placed(value: object, values: Values) -> object:
    """The value with absolute paths in it, `~` being the home folder of these settings."""
    if isinstance(value, tuple):
        return tuple(placed(item, values) for item in value)
    return _placed(value, values) if isinstance(value, Path) else value


def _placed(path: Path, values: Values) -> Path:
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
