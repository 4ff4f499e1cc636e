"""Every setting of the server, declared once, and the one object that holds their values."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NoReturn, Self

from sourcewright.settings import kinds
from sourcewright.settings.draft import Draft, Row
from sourcewright.settings.layers import (
    Layer,
    SettingsError,
    config_path,
    find,
    home_folder,
    read_file,
    working_folder,
)
from sourcewright.settings.table import Setting, Values, provider_settings, setting

FOLDERS = "Folders"
CONTACT = "Contact"
NETWORK = "Network"
SANDBOX = "Sandbox"
TOOLS = "Tools"
PAPERS = "Papers and provenance"
AUDIT = "Audit"
OUTPUT = "Output"

TOOLSETS = (
    "papers",
    "downloads",
    "web",
    "reading",
    "scholar",
    "domains",
    "trust",
    "sessions",
    "team",
)
_NOTHING: Mapping[str, Any] = MappingProxyType({})
_OURS = "sourcewright"


def _papers(values: Values) -> Path:
    """Beside the work at hand; a client that starts servers in `/` gets a folder of its own."""
    cwd: Path = values["cwd"]
    if cwd == Path(cwd.anchor) or not os.access(cwd, os.W_OK):
        return Path(values["xdg_data_home"], _OURS, "papers")
    return cwd / "papers"


class Settings:
    """What the operator decided. Built once at the start, never changed after."""

    home: Path = setting(
        "HOME",
        kind=kinds.FOLDER,
        group=FOLDERS,
        derive=lambda _values: home_folder(),
        default_words="the account's home folder",
        in_file=False,
        help="Where `~` points in other settings, and where the XDG folders are unless they are set.",
    )
    xdg_config_home: Path = setting(
        "XDG_CONFIG_HOME",
        kind=kinds.FOLDER,
        group=FOLDERS,
        derive=lambda values: values["home"] / ".config",
        default_words="~/.config",
        in_file=False,
        help="The config file is `sourcewright/config.toml` in this folder.",
    )
    xdg_data_home: Path = setting(
        "XDG_DATA_HOME",
        kind=kinds.FOLDER,
        group=FOLDERS,
        derive=lambda values: values["home"] / ".local" / "share",
        default_words="~/.local/share",
        in_file=False,
        help="Papers go to `sourcewright/papers` in this folder when the server is started in a folder that it may not write to.",
    )
    xdg_state_home: Path = setting(
        "XDG_STATE_HOME",
        kind=kinds.FOLDER,
        group=FOLDERS,
        derive=lambda values: values["home"] / ".local" / "state",
        default_words="~/.local/state",
        in_file=False,
        help="The logs and the pacing ledger are in `sourcewright` in this folder.",
    )

    contact_email: str | None = setting(
        "CONTACT_EMAIL",
        "DOIGET_CONTACT_EMAIL",
        "SCIHUB_CLI_EMAIL",
        kind=kinds.EMAIL,
        group=CONTACT,
        help="Your address, sent to sources that ask for one. Some sources are asked only when it is set.",
    )

    allowed_origins: tuple[str, ...] = setting(
        "SOURCEWRIGHT_ALLOWED_ORIGINS",
        kind=kinds.ORIGINS,
        group=NETWORK,
        default=(),
        help="Origins (scheme://host[:port]) that may be reached although they are private, such as your own search engine. They open nothing else.",
    )
    allow_private_ips: bool = setting(
        "ALLOW_PRIVATE_IPS",
        kind=kinds.REFUSED_FLAG,
        group=NETWORK,
        default=False,
        help="Known from other servers. True stops the start: name single origins in SOURCEWRIGHT_ALLOWED_ORIGINS instead.",
    )
    circuit_failure_threshold: int = setting(
        "CIRCUIT_FAILURE_THRESHOLD",
        kind=kinds.number(at_least=1),
        group=NETWORK,
        default=5,
        help="After this many failures in a row a source is left alone for a while.",
    )
    circuit_reset_timeout_seconds: int = setting(
        "CIRCUIT_RESET_TIMEOUT_SECONDS",
        kind=kinds.number(at_least=1, at_most=3600),
        group=NETWORK,
        default=60,
        help="How long a failing source is left alone before one request tries it again.",
    )

    sandbox_url: str | None = setting(
        "SOURCEWRIGHT_SANDBOX_URL",
        kind=kinds.LOOPBACK_ORIGIN,
        group=SANDBOX,
        help="Sends every outbound request to this address on your own machine instead of the internet.",
    )
    sandbox_pace: bool = setting(
        "SOURCEWRIGHT_SANDBOX_PACE",
        kind=kinds.FLAG,
        group=SANDBOX,
        default=True,
        help="False switches the waiting between requests off. Allowed only together with SOURCEWRIGHT_SANDBOX_URL.",
    )

    toolsets: tuple[str, ...] = setting(
        "TOOLSETS",
        kind=kinds.some_of(*TOOLSETS),
        group=TOOLS,
        default=TOOLSETS,
        help=f"Which groups of tools are offered: {', '.join(TOOLSETS)}.",
    )

    store_root: Path = setting(
        "DOIGET_STORE_ROOT",
        kind=kinds.PATH,
        group=PAPERS,
        derive=_papers,
        default_words="./papers",
        help="The folder that fetched papers are kept in.",
    )
    log_path: Path = setting(
        "DOIGET_LOG_PATH",
        kind=kinds.PATH,
        group=PAPERS,
        derive=lambda values: values["xdg_state_home"] / _OURS / "provenance.jsonl",
        default_words="$XDG_STATE_HOME/sourcewright/provenance.jsonl",
        help="The provenance log: which source was asked for what, and what it said.",
    )
    log_retention_days: int = setting(
        "DOIGET_LOG_RETENTION_DAYS",
        kind=kinds.number(at_least=0, at_most=36500),
        group=PAPERS,
        default=90,
        help="How many days a rotated provenance log is kept; 0 keeps it for good.",
    )
    log_rotate_bytes: int = setting(
        "DOIGET_LOG_ROTATE_BYTES",
        kind=kinds.number(at_least=0),
        group=PAPERS,
        default=104_857_600,
        help="The size at which the provenance log is rotated; 0 never rotates it.",
    )

    additional_hosts: tuple[str, ...] = setting(
        "SOURCEWRIGHT_ADDITIONAL_HOSTS",
        kind=kinds.HOST_PATTERNS,
        group=PAPERS,
        default=(),
        help="Hosts besides the known publishers that open copies may come from, such as repo.example.org or *.example.org.",
    )
    trust_academic_repos: bool = setting(
        "SOURCEWRIGHT_TRUST_ACADEMIC_REPOS",
        kind=kinds.FLAG,
        group=PAPERS,
        default=False,
        help="Whether open copies may come from the domains that several countries keep for universities, such as *.ac.uk.",
    )
    trust_oa_registries: bool = setting(
        "SOURCEWRIGHT_TRUST_OA_REGISTRIES",
        kind=kinds.FLAG,
        group=PAPERS,
        default=False,
        help="Whether open copies may come from SciELO, Zenodo, OSF, HAL, CORE and J-STAGE.",
    )

    audit_enabled: bool = setting(
        "AUDIT_ENABLED",
        kind=kinds.FLAG,
        group=AUDIT,
        default=True,
        help="Whether every call of a tool leaves an event in the audit log.",
    )
    audit_output_path: Path = setting(
        "AUDIT_OUTPUT_PATH",
        kind=kinds.PATH,
        group=AUDIT,
        derive=lambda values: values["xdg_state_home"] / _OURS / "audit.jsonl",
        default_words="$XDG_STATE_HOME/sourcewright/audit.jsonl",
        help="The audit log: who called which tool, and how it went.",
    )
    audit_include_request_body: bool = setting(
        "AUDIT_INCLUDE_REQUEST_BODY",
        kind=kinds.FLAG,
        group=AUDIT,
        default=False,
        help="Whether audit events also carry what was asked, with secrets masked.",
    )
    audit_max_bytes: int = setting(
        "AUDIT_MAX_BYTES",
        kind=kinds.number(at_least=0),
        group=AUDIT,
        default=104_857_600,
        help="The size at which the audit log is rotated; 0 never rotates it.",
    )
    audit_retention_days: int = setting(
        "AUDIT_RETENTION_DAYS",
        kind=kinds.number(at_least=0, at_most=3650, clamp_from=180),
        group=AUDIT,
        default=180,
        help="How many days a rotated audit log is kept, moved into 180 to 3650; 0 keeps it for good.",
    )

    log_level: str = setting(
        "LOG_LEVEL",
        kind=kinds.one_of("debug", "info", "warn", "warning", "error"),
        group=OUTPUT,
        default="info",
        help="How much is said on standard error.",
    )
    no_color: bool = setting(
        "NO_COLOR",
        kind=kinds.PRESENCE,
        group=OUTPUT,
        default=False,
        default_words="not set",
        help="Set to anything, it keeps colours off the terminal.",
    )

    provider_options: Mapping[str, Mapping[str, Any]]
    """What each source was told, by source and by the source's own name for it."""
    missing_options: Mapping[str, tuple[str, ...]]
    """Sources that are not configured, each with the names that would configure it."""
    _draft: Draft

    def __init__(self, draft: Draft, providers: Iterable[str]) -> None:
        vars(self).update(
            {setting.field: draft.values[setting.field] for setting in TABLE},
            provider_options=draft.provider_options(providers),
            missing_options=draft.missing_options(),
            _draft=draft,
        )

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"settings are frozen; {name} cannot be changed")

    def __repr__(self) -> str:
        shown = ", ".join(f"{row.name}={row.value!r}" for row in self.describe() if row.value)
        return f"Settings({shown})"

    @classmethod
    def from_environment(
        cls, *, config: Path | None = None, overrides: Mapping[str, object] = _NOTHING
    ) -> Self:
        """The settings of this process.

        Raises:
            SettingsError: Some of them cannot be used.
        """
        environ = os.environ  # noqa: TID251 -- the one place that reads it
        return cls.load(environ, config=config, overrides=overrides)

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
        """Overrides (from the command line) over environment over config file over default.

        All four use the same names.

        Raises:
            SettingsError: Some of them cannot be used; it names all that are wrong.
        """
        if manifest is None:
            from sourcewright.manifest import load

            manifest = load()
        path = config or config_path({**environ, **overrides})
        file, problems = read_file(path, wanted=config is not None)
        layers = (Layer("command line", overrides), Layer("environment", environ), file)
        declared = (*TABLE, *provider_settings(manifest["options"]))
        draft = Draft(declared, layers, cwd=cwd or working_folder())
        _check_sandbox(draft)
        draft.check_agreements()
        if problems or draft.problems:
            raise SettingsError([*problems, *draft.problems])
        return cls(draft, [provider["name"] for provider in manifest["providers"]])

    @property
    def sandbox(self) -> bool:
        """Whether the world outside is an invented one."""
        return self.sandbox_url is not None

    @property
    def state_dir(self) -> Path:
        return self.xdg_state_home / _OURS

    @property
    def pacing_path(self) -> Path:
        return self.state_dir / "pacing.sqlite3"

    def secrets(self) -> frozenset[str]:
        """Every secret value, for masking by value."""
        return self._draft.secrets()

    def describe(self) -> list[Row]:
        """Every setting with its value, masked when secret, and where that came from."""
        return self._draft.rows()


TABLE: tuple[Setting, ...] = tuple(
    value._replace(field=key)
    for key, value in vars(Settings).items()
    if isinstance(value, Setting)
)
_BY_FIELD = {setting.field: setting for setting in TABLE}


def _check_sandbox(draft: Draft) -> None:
    """Without a sandbox the pace is owed to real sources, and nobody may switch it off."""
    pace = find(_BY_FIELD["sandbox_pace"], draft.layers)
    if pace and not find(_BY_FIELD["sandbox_url"], draft.layers):
        draft.complain(pace, "is allowed only together with SOURCEWRIGHT_SANDBOX_URL")
