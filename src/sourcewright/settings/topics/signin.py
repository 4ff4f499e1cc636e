"""Settings of sign-in to the HTTP server: OAuth tokens and API keys."""

import re
from pathlib import Path

from sourcewright.settings import kinds
from sourcewright.settings.table import setting
from sourcewright.settings.topics.folders import app_folder

_MIN_REFRESH = 60
_SCOPE = re.compile(r"[\x21\x23-\x5b\x5d-\x7e]+")
"""What a scope may consist of (RFC 6749, 3.3)."""


def _read_issuer(value: object) -> str:
    """Parse the issuer, and keep its spelling: tokens must name it letter for letter."""
    from sourcewright.settings.origins import web_address

    text = kinds.read_text(value)
    if "?" in web_address(text):
        raise kinds.InvalidValue(f"must be a URL without a query, got {kinds.echo(text)}")
    return text


def _read_scopes(value: object) -> tuple[str, ...]:
    parts = value.replace(",", " ").split() if isinstance(value, str) else value
    if not isinstance(parts, list | tuple):
        raise kinds.InvalidValue(f"must be a list of scopes, got {kinds.echo(value)}")
    scopes = tuple(dict.fromkeys(kinds.read_text(part) for part in parts))
    if not all(_SCOPE.fullmatch(scope) for scope in scopes):
        raise kinds.InvalidValue(
            f"must list scopes without quotation marks and backslashes, got {kinds.echo(value)}"
        )
    return scopes


def _read_refresh(value: object) -> int:
    seconds = kinds.read_duration(value)
    if seconds < _MIN_REFRESH:
        raise kinds.InvalidValue(f"must be at least 1m, got {kinds.echo(value)}")
    return seconds


class SigninSettings:
    """Who may use the HTTP server."""

    _group = "Sign-in"

    oauth_issuer_url: str | None = setting(
        "OAUTH_ISSUER_URL",
        kind=kinds.Kind("URL", _read_issuer),
        help="The identity provider whose access tokens (JWT) the HTTP server accepts, exactly as tokens name it in `iss`. Its keys are found by OpenID Connect discovery.",
    )
    oauth_audience: str | None = setting(
        "OAUTH_AUDIENCE",
        kind=kinds.TEXT,
        help="What tokens must name in `aud`; required with OAUTH_ISSUER_URL.",
    )
    tenant_claim: str = setting(
        "SOURCEWRIGHT_TENANT_CLAIM",
        kind=kinds.TEXT,
        default="tenant_id",
        help="The claim of a token that names its tenant; tokens without it belong to the tenant `default`.",
    )
    jwks_refresh_interval: int = setting(
        "JWKS_REFRESH_INTERVAL",
        kind=kinds.Kind("duration, such as 1h", _read_refresh),
        default=3600,
        help="How long the keys of the identity provider are used before they are fetched again.",
    )
    required_scopes: tuple[str, ...] = setting(
        "REQUIRED_SCOPES",
        kind=kinds.Kind("list of scopes", _read_scopes),
        default=(),
        help="Scopes that every token and API key must have.",
    )
    enforce_scopes: bool = setting(
        "ENFORCE_SCOPES",
        kind=kinds.FLAG,
        default=False,
        help="Whether a tool may be called only with the scope `tool:NAME`, `tool:*` or `research`.",
    )
    api_keys: bool = setting(
        "SOURCEWRIGHT_API_KEYS",
        kind=kinds.FLAG,
        default=False,
        help="Whether the HTTP server accepts the API keys that `sourcewright keys create` makes.",
    )
    tenants_dir: Path = setting(
        "SOURCEWRIGHT_TENANTS_DIR",
        kind=kinds.PATH,
        derive=lambda values: values["xdg_data_home"] / app_folder(values) / "tenants",
        default_words="$XDG_DATA_HOME/sourcewright/tenants",
        help="The folder with one folder for each tenant of the HTTP server, for its papers, downloads and provenance log; the tenant `default` uses those of the operator.",
    )
    cache_isolation: str = setting(
        "CACHE_ISOLATION",
        kind=kinds.one_of("shared", "tenant"),
        default="tenant",
        help="Whether the tenants of the HTTP server share the cached responses of sources (shared), or each has its own (tenant). Sessions, papers and artifacts are never shared.",
    )
