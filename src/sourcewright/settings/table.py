"""One setting: its names, its meaning, its default."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from sourcewright.settings.kinds import (
    AGREEMENT,
    HEADERS,
    LOGIN,
    OPTION_KINDS,
    SEALING_KEY,
    SECRET,
    Kind,
)

Values = Mapping[str, Any]


class Setting(NamedTuple):
    """A declared setting. Everything that is said about it elsewhere is derived from this."""

    names: tuple[str, ...]
    """In the environment and in the config file; the first that is set wins."""
    kind: Kind
    help: str
    group: str
    default: object = None
    derive: Callable[[Values], object] | None = None
    """Makes the default out of the settings declared before it."""
    default_words: str = ""
    """How a page describes a default that has no value to show."""
    in_file: bool = True
    """False for what only the environment may say: the system's own, and agreements."""
    field: str = ""
    """The attribute of Settings that holds its value."""
    provider: str = ""
    option: str = ""
    contact: bool = False
    """Falls back to the general contact address."""
    required: bool = False

    @property
    def name(self) -> str:
        return self.names[0]

    @property
    def key(self) -> str:
        return self.field or f"{self.provider}.{self.option}"

    @property
    def secret(self) -> bool:
        return self.kind in {SECRET, SEALING_KEY, LOGIN, HEADERS}

    @property
    def agreement(self) -> bool:
        return self.kind is AGREEMENT

    def default_for(self, values: Values) -> object:
        return self.derive(values) if self.derive else self.default


def setting(*names: str, **facts: Any) -> Any:
    """A Setting, typed so that a class can declare it as the attribute that holds its value."""
    return Setting(names, **facts)


def provider_settings(options: Iterable[Mapping[str, Any]]) -> tuple[Setting, ...]:
    """The settings that providers declare, as they stand in the manifest."""
    return tuple(
        Setting(
            names=tuple(option["env"]),
            kind=OPTION_KINDS[option["kind"]],
            help=option["help"],
            group=f"Source: {option['provider']}",
            default=option["default"],
            provider=option["provider"],
            option=option["name"],
            contact=option["contact"],
            required=option["required"],
            in_file=option["kind"] != "agreement",
        )
        for option in options
    )


def shown(value: object) -> str:
    """A value as people write it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
