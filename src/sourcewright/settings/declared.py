"""`Settings`: all settings of the server, loaded, validated and frozen in one object."""

import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NoReturn, Self

from sourcewright.domain.papers.index_names import contract_name
from sourcewright.settings.draft import DEFAULT, Draft, Row
from sourcewright.settings.layers import (
    Layer,
    Problem,
    SettingsError,
    config_path,
    find_value,
    read_file,
    working_folder,
)
from sourcewright.settings.table import Setting, provider_settings
from sourcewright.settings.topics.admin import AdminSettings
from sourcewright.settings.topics.audit import AuditSettings
from sourcewright.settings.topics.cache import CacheSettings
from sourcewright.settings.topics.folders import (
    APP_FOLDER,
    LIBRARY,
    SANDBOX_FOLDER,
    FolderSettings,
    local_or_data_folder,
)
from sourcewright.settings.topics.http import HttpSettings
from sourcewright.settings.topics.network import NetworkSettings
from sourcewright.settings.topics.output import OutputSettings
from sourcewright.settings.topics.papers import PaperSettings
from sourcewright.settings.topics.quotas import QuotaSettings
from sourcewright.settings.topics.reading import ReadingSettings
from sourcewright.settings.topics.research import ResearchSettings
from sourcewright.settings.topics.search import ENGINE_LISTS, SearchSettings
from sourcewright.settings.topics.sessions import SessionSettings
from sourcewright.settings.topics.signin import SigninSettings
from sourcewright.settings.topics.teams import TeamSettings
from sourcewright.settings.topics.tools import ToolSettings
from sourcewright.settings.topics.traces import TraceSettings

_NOTHING: Mapping[str, Any] = MappingProxyType({})


MISSING_EMAIL = (
    "SCIHUB_CLI_EMAIL environment variable is required. See README for setup instructions."
)
EMAIL_SETUP = "Add to Claude Desktop config: env.SCIHUB_CLI_EMAIL=your-email@domain.edu"
"""For users whose client starts the server; wording fixed by the specification, as above."""
EMAIL_NEEDED = (
    "set CONTACT_EMAIL to your own e-mail address: Unpaywall requires one from every caller"
)
"""The same for a user at a terminal, with the name that our documentation uses."""


class Settings(
    FolderSettings,
    NetworkSettings,
    ToolSettings,
    PaperSettings,
    AuditSettings,
    SearchSettings,
    ReadingSettings,
    ResearchSettings,
    CacheSettings,
    SessionSettings,
    HttpSettings,
    SigninSettings,
    AdminSettings,
    TraceSettings,
    TeamSettings,
    QuotaSettings,
    OutputSettings,
):
    """The operator's settings. Loaded once at the start and immutable.

    Each base class declares one topic; documentation pages and derived defaults follow the
    order of the base classes.
    """

    cwd: Path
    """The working directory of the server."""
    provider_options: Mapping[str, Mapping[str, Any]]
    """Option values of each provider, by provider name and option name."""
    missing_options: Mapping[str, tuple[tuple[str, ...], ...]]
    """Providers that are not configured, each with the setting names that are missing."""
    unusable: Mapping[str, str]
    """Providers and settings without which tools are not listed, each with what to set."""
    withheld_addresses: Mapping[str, str]
    """What is wrong with an e-mail address that is set but not sent, by the name of the source."""
    address_problems: tuple[Problem, ...]
    """The same, each once."""
    _draft: Draft

    def __init__(self, draft: Draft, providers: Iterable[str]) -> None:
        vars(self).update(
            {setting.field: draft.values[setting.field] for setting in TABLE},
            cwd=draft.values["cwd"],
            provider_options=draft.provider_options(providers),
            missing_options=draft.missing_options(),
            unusable=draft.unusable(),
            withheld_addresses=draft.withheld_addresses(),
            address_problems=tuple(dict.fromkeys(draft.withheld.values())),
            _draft=draft,
        )

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"settings are frozen; {name} cannot be changed")

    def __repr__(self) -> str:
        values = ", ".join(f"{row.name}={row.value!r}" for row in self.describe() if row.value)
        return f"Settings({values})"

    @classmethod
    def from_environment(
        cls,
        *,
        overrides: Mapping[str, object] = _NOTHING,
        cwd: Path | None = None,
    ) -> Self:
        """The settings of this process; `cwd` replaces its working directory.

        Raises:
            SettingsError: Some settings are invalid.
        """
        environ = os.environ  # noqa: TID251 -- the one place that reads it
        return cls.load(environ, overrides=overrides, cwd=cwd)

    @classmethod
    def load(
        cls,
        environ: Mapping[str, str],
        *,
        config: Path | None = None,
        overrides: Mapping[str, object] = _NOTHING,
        cwd: Path | None = None,
        manifest: Mapping[str, Any] | None = None,
    ) -> Self:
        """Load settings: command line over environment over config file over defaults.

        All four use the same names. An e-mail address that is none, or a placeholder, is not sent
        to any source and is among `address_problems`: much needs no address.

        Raises:
            SettingsError: Some settings are invalid; it lists every problem.
        """
        if manifest is None:
            from sourcewright.manifest import load

            manifest = load()
        path = config or config_path({**environ, **overrides})
        file, problems = read_file(path, required=config is not None)
        explicit = (Layer("command line", overrides), Layer("environment", environ))
        if find_value(_BY_FIELD["sandbox_url"], explicit):
            file = _without_data_folders(file)
        layers = (*explicit, file)
        declared = (*TABLE, *provider_settings(manifest["options"]))
        draft = Draft(declared, layers, cwd=cwd or working_folder())
        _check_sandbox(draft)
        _check_cache_keys(draft)
        _check_audience(draft)
        _check_admin_keys(draft)
        _check_engines(draft, manifest["providers"])
        draft.check_agreements()
        if problems or draft.problems:
            raise SettingsError([*problems, *draft.problems])
        return cls(draft, [provider["name"] for provider in manifest["providers"]])

    @property
    def sandbox(self) -> bool:
        """Whether requests go to the simulated internet instead of the real one."""
        return self.sandbox_url is not None

    @property
    def state_dir(self) -> Path:
        return self.xdg_state_home / (SANDBOX_FOLDER if self.sandbox else APP_FOLDER)

    @property
    def pacing_path(self) -> Path:
        return self.state_dir / "pacing.sqlite3"

    @property
    def sessions_path(self) -> Path:
        return self.session_data_dir / "sessions.sqlite3"

    @property
    def credentials_path(self) -> Path:
        return self.state_dir / "credentials.sqlite3"

    @property
    def quotas_path(self) -> Path:
        return self.state_dir / "request-limits.sqlite3"

    @property
    def redis_identity_path(self) -> Path:
        return self.state_dir / "redis-identity.json"

    @property
    def has_sign_in(self) -> bool:
        """Whether the HTTP server knows who calls it."""
        return self.api_keys or self.oauth_issuer_url is not None

    @property
    def inventory_path(self) -> Path:
        return self.state_dir / "stores.json"

    @property
    def retractions_path(self) -> Path:
        """The user's own retraction list, which a sandbox reads too."""
        return self.state_dir / "retractions.sqlite"

    @property
    def teams_path(self) -> Path:
        return self.state_dir / "teams.sqlite3"

    @property
    def cache_path(self) -> Path:
        return self.cache_dir / "answers.sqlite3"

    @property
    def store_root_origin(self) -> str:
        """Why this library folder is used, as text for the user."""
        source = self._draft.sources["store_root"]
        if source != DEFAULT:
            return f"DOIGET_STORE_ROOT, set in the {source}"
        beside = self.store_root == self.cwd / LIBRARY
        return (
            "found in the working directory" if beside else "the default, used from every folder"
        )

    @property
    def download_dir(self) -> Path:
        """The default output folder of downloads."""
        return local_or_data_folder("downloads", cwd=self.cwd, data_home=self.xdg_data_home)

    @property
    def download_email(self) -> str | None:
        """The e-mail address to send to Unpaywall, if one is set."""
        email: str | None = self.provider_options.get("unpaywall", _NOTHING).get("email")
        return email if "unpaywall" in self.withheld_addresses else email or self.contact_email

    @property
    def download_problem(self) -> str | None:
        """Why the download tools cannot work, as worded in their specification; None if they can."""
        if self.download_email:
            return None
        return self.withheld_addresses.get("unpaywall", MISSING_EMAIL)

    def for_tenant(self, folder: Path) -> Self:
        """The same settings, with everything that a caller may read or write in this folder."""
        own: dict[str, Any] = {
            "cwd": folder,
            "home": folder,
            "xdg_data_home": folder,
            "store_root": folder / LIBRARY,
            "log_path": folder / "provenance.jsonl",
            "paper_allowed_dirs": (),
        }
        return self._changed(own)

    def without_links(self) -> Self:
        """The same settings, with large answers inline: nobody follows links at a terminal."""
        return self._changed({"link_bytes": sys.maxsize})

    def _changed(self, values: dict[str, Any]) -> Self:
        copy = object.__new__(type(self))
        vars(copy).update(vars(self) | values)
        return copy

    def secrets(self) -> frozenset[str]:
        """Every secret value, so that logs and errors can mask it."""
        return self._draft.secrets

    def describe(self) -> list[Row]:
        """Every setting with its value (secrets masked) and its origin."""
        return self._draft.rows()


TABLE: tuple[Setting, ...] = tuple(
    value._replace(field=key, group=value.group or vars(topic)["_group"])
    for topic in Settings.__mro__
    for key, value in vars(topic).items()
    if isinstance(value, Setting)
)
_BY_FIELD = {setting.field: setting for setting in TABLE}
_REDIS_SCHEMES = ("redis://", "rediss://", "unix://")
_DATA_FOLDERS = (
    "store_root",
    "log_path",
    "audit_output_path",
    "cache_dir",
    "session_data_dir",
    "key_file",
)


def _without_data_folders(file: Layer) -> Layer:
    """The config file without the folders of the user's data, for a sandbox that it does not set."""
    folders = {name for field in _DATA_FOLDERS for name in _BY_FIELD[field].names}
    values = {name: value for name, value in file.values.items() if name not in folders}
    return file._replace(values=values)


def _check_sandbox(draft: Draft) -> None:
    """Rate limits may be switched off only in the sandbox: real sources rely on them."""
    pace = find_value(_BY_FIELD["sandbox_pace"], draft.layers)
    if pace and not find_value(_BY_FIELD["sandbox_url"], draft.layers):
        draft.add_problem(pace, "is allowed only together with SOURCEWRIGHT_SANDBOX_URL")


def _check_cache_keys(draft: Draft) -> None:
    """Require the current key: with only the previous one, new values would not be encrypted.

    What is in Redis leaves this machine, and so it is always encrypted.
    """
    url = find_value(_BY_FIELD["redis_url"], draft.layers)
    if url and not str(url.value).strip().startswith(_REDIS_SCHEMES):
        draft.add_problem(url, f"must begin with {', '.join(_REDIS_SCHEMES)}")
    for field in ("cache_encryption_key_prev", "redis_url"):
        value = find_value(_BY_FIELD[field], draft.layers)
        if value and not find_value(_BY_FIELD["cache_encryption_key"], draft.layers):
            draft.add_problem(value, "is used only together with CACHE_ENCRYPTION_KEY")


def _check_audience(draft: Draft) -> None:
    """Require the audience: a token for another service must not be accepted."""
    issuer = find_value(_BY_FIELD["oauth_issuer_url"], draft.layers)
    if issuer and not find_value(_BY_FIELD["oauth_audience"], draft.layers):
        draft.add_problem(issuer, "is used only together with OAUTH_AUDIENCE")


def _check_admin_keys(draft: Draft) -> None:
    """Require the current key: with only the previous one, administration would be off."""
    previous = find_value(_BY_FIELD["admin_api_key_prev"], draft.layers)
    if previous and not find_value(_BY_FIELD["admin_api_key"], draft.layers):
        draft.add_problem(previous, "is used only together with ADMIN_API_KEY")


def _check_engines(draft: Draft, providers: Iterable[Mapping[str, Any]]) -> None:
    """Reject unknown names of engines and indexes, which would otherwise be ignored silently."""
    roles = {one["name"]: one["roles"] for one in providers}
    engines = {name for name, some in roles.items() if "search" in some}
    indexes = {contract_name(name) for name, some in roles.items() if "scholar" in some}
    routed = draft.values["search_routing"] or {}
    listed = [name for kind in ENGINE_LISTS for name in routed.get(kind, ())]
    papers = [contract_name(name) for name in routed.get("academic", ())]
    for field, names, known, what in (
        ("search_provider", [draft.values["search_provider"]], engines, "engines"),
        ("search_routing", listed, engines, "engines"),
        ("search_routing", papers, indexes, "indexes of papers"),
    ):
        unknown = [name for name in names if name and name not in known]
        value = find_value(_BY_FIELD[field], draft.layers)
        if unknown and value:
            accepted = ", ".join(sorted(known))
            draft.add_problem(value, f"names {unknown[0]!r}; available {what}: {accepted}")
