"""Settings while they are loaded: values, their origins, and validation errors."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from sourcewright.settings.kinds import InvalidValue, UnusableAddress, secret_parts
from sourcewright.settings.layers import (
    Layer,
    Problem,
    SetValue,
    contradictions,
    find_value,
    unknown_names,
    with_absolute_paths,
)
from sourcewright.settings.proxies import proxy_login
from sourcewright.settings.table import Setting, display_text

MASK = "********"
DEFAULT = "default"


class Row(NamedTuple):
    """One setting for display: its value (masked if secret) and its origin."""

    name: str
    value: str
    source: str
    help: str
    group: str


class Draft:
    """The values of a list of settings, read from layers and validated."""

    def __init__(self, settings: Sequence[Setting], layers: Sequence[Layer], *, cwd: Path) -> None:
        self.settings = settings
        self.layers = layers
        self.values: dict[str, Any] = {"cwd": cwd}
        self.sources: dict[str, str] = {}
        self.problems: list[Problem] = []
        self.withheld: dict[str, Problem] = {}
        """E-mail addresses that are set and never sent, by the keys of their settings."""
        known = {name: setting for setting in settings for name in setting.names}
        for layer in layers:
            self.problems += unknown_names(layer, known)
            self.problems += contradictions(layer, settings)
        for setting in settings:
            self._load(setting)

    def _load(self, setting: Setting) -> None:
        set_value = find_value(setting, self.layers)
        value = None if set_value is None else self._parse(setting, set_value)
        self.sources[setting.key] = _origin(setting, set_value)
        if value is None:
            value = setting.default_for(self.values)
        if value is None and setting.contact and setting.key not in self.withheld:
            value = self.values["contact_email"]
            self.sources[setting.key] = "CONTACT_EMAIL" if value else DEFAULT
            if "contact_email" in self.withheld:
                self.withheld[setting.key] = self.withheld["contact_email"]
        self.values[setting.key] = value

    def _parse(self, setting: Setting, set_value: SetValue) -> object:
        try:
            value = setting.kind.read(set_value.value)
        except UnusableAddress as error:
            where = set_value.layer.where(set_value.name)
            self.withheld[setting.key] = Problem(set_value.name, where, str(error))
            return None
        except InvalidValue as error:
            self.add_problem(set_value, str(error))
            return None
        return with_absolute_paths(value, self.values)

    def add_problem(self, set_value: SetValue, message: str) -> None:
        problem = Problem(set_value.name, set_value.layer.where(set_value.name), message)
        # Report a name that two settings share only once.
        if problem not in self.problems:
            self.problems.append(problem)

    def check_agreements(self) -> None:
        """Require API key and agreement to its terms together; one without the other is an error."""
        for agreement in (setting for setting in self.settings if setting.agreement):
            keys = [
                setting
                for setting in self.settings
                if setting.provider == agreement.provider and setting.required
            ]
            set_value = find_value(agreement, self.layers)
            for key in keys:
                self._check_pair(key, agreement, set_value)

    def _check_pair(self, key: Setting, agreement: Setting, agreed: SetValue | None) -> None:
        key_value = find_value(key, self.layers)
        if self.values[agreement.key] and agreed and not key_value:
            self.add_problem(agreed, f"declares that you agree, but {key.name} is not set")
        if key_value and not agreed:
            name = agreement.name
            self.add_problem(key_value, f"is used only together with {name}=1 in the environment")
        if key_value and agreed and self.values[agreement.key] is False:
            self.add_problem(
                key_value, f"is set, but {agreed.name} declares that you do not agree"
            )

    def provider_options(self, providers: Iterable[str]) -> Mapping[str, Mapping[str, Any]]:
        """The option values of each provider, by option name."""
        options: dict[str, dict[str, Any]] = {name: {} for name in providers}
        for setting in self.settings:
            if setting.provider:
                of_provider = options.setdefault(setting.provider, {})
                of_provider[setting.option] = self.values[setting.key]
        return MappingProxyType({name: MappingProxyType(own) for name, own in options.items()})

    def missing_options(self) -> Mapping[str, tuple[tuple[str, ...], ...]]:
        """Missing required options of each provider; one name of each group must be set."""
        missing: dict[str, tuple[tuple[str, ...], ...]] = {}
        for setting in self.settings:
            if setting.required and self.values[setting.key] is None:
                names = (*setting.names, *(("CONTACT_EMAIL",) if setting.contact else ()))
                missing[setting.provider] = (*missing.get(setting.provider, ()), names)
        return MappingProxyType(missing)

    def withheld_addresses(self) -> Mapping[str, str]:
        """What is wrong with an e-mail address that is not sent, by the source it is set for."""
        withheld = {
            one.provider: str(self.withheld[one.key])
            for one in self.settings
            if one.provider and one.key in self.withheld
        }
        return MappingProxyType(withheld)

    def unusable(self) -> Mapping[str, str]:
        """Providers and settings without which tools are not listed, each with what to set.

        The providers are those that are not configured or disabled, the settings are false.
        """
        remedies = {
            provider: f"set {' and '.join(map(' or '.join, groups))}"
            for provider, groups in self.missing_options().items()
        }
        withheld = self.withheld_addresses()
        remedies |= {name: f"correct {withheld[name]}" for name in remedies if name in withheld}
        for setting in self.settings:
            if setting.option == "enabled" and self.values[setting.key] is False:
                remedies[setting.provider] = f"set {setting.name}=1"
            if setting.lists_tools and not self.values[setting.key]:
                remedies[setting.name] = f"set {setting.name}=true"
        return MappingProxyType(remedies)

    @cached_property
    def secrets(self) -> frozenset[str]:
        secrets = [(one.kind, self.values[one.key]) for one in self.settings if one.secret]
        return frozenset(
            part
            for kind, value in secrets
            if value
            for part in (*secret_parts(kind, value), *proxy_login(kind, value))
        )

    def rows(self) -> list[Row]:
        return [
            Row(
                setting.name,
                self._display_value(setting),
                self.sources[setting.key],
                setting.help,
                setting.group,
            )
            for setting in self.settings
        ]

    def _display_value(self, setting: Setting) -> str:
        value = self.values[setting.key]
        if setting.key in self.withheld:
            return f"not sent: {self.withheld[setting.key].message}"
        return MASK if setting.secret and value else display_text(value)


def _origin(setting: Setting, set_value: SetValue | None) -> str:
    if set_value is None:
        return DEFAULT
    alias = "" if set_value.name == setting.name else f" ({set_value.name})"
    return set_value.layer.title + alias
