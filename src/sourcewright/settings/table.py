"""`Setting`: the declaration of one setting, with its names, type, help and default."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from sourcewright.settings.kinds import AGREEMENT, OPTION_KINDS, Kind

Values = Mapping[str, Any]


class Setting(NamedTuple):
    """A declared setting; loading, documentation and templates are derived from it."""

    names: tuple[str, ...]
    """Names in the environment and the config file; the first that is set wins."""
    kind: Kind
    help: str
    group: str = ""
    """Heading on the documentation page; that of its topic if empty."""
    default: object = None
    derive: Callable[[Values], object] | None = None
    """Computes the default from the settings declared before this one."""
    default_words: str = ""
    """Documentation text for a default that is computed."""
    in_file: bool = True
    """False for settings allowed only in the environment: system variables and agreements."""
    field: str = ""
    """The attribute of `Settings` that holds its value."""
    provider: str = ""
    option: str = ""
    lists_tools: bool = False
    """Whether there are tools that are listed only if it is true."""
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
        return self.kind.label.startswith("secret")

    @property
    def agreement(self) -> bool:
        return self.kind is AGREEMENT

    def default_for(self, values: Values) -> object:
        return self.derive(values) if self.derive else self.default


def setting(*names: str, **facts: Any) -> Any:
    """A `Setting`, typed as Any so that a class can annotate it with the type of its value."""
    return Setting(names, **facts)


def provider_settings(options: Iterable[Mapping[str, Any]]) -> tuple[Setting, ...]:
    """The settings of the providers, from the options in the manifest."""
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


def display_text(value: object) -> str:
    """A value formatted as it is written in a setting."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
