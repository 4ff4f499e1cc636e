"""Settings of the administration of the HTTP server: the admin key, and metrics."""

from sourcewright.settings import kinds
from sourcewright.settings.table import setting

_MIN_KEY = 16


def _read_admin_key(value: object) -> kinds.Secret:
    key = kinds.read_secret(value)
    if key and len(key) < _MIN_KEY:
        raise kinds.InvalidValue(
            f"must have at least {_MIN_KEY} characters, as printed by `openssl rand -hex 32`"
        )
    return key


_ADMIN_KEY = kinds.Kind("secret, at least 16 characters", _read_admin_key)


class AdminSettings:
    """Who may administer the HTTP server."""

    _group = "Administration"

    admin_api_key: str | None = setting(
        "ADMIN_API_KEY",
        "CACHE_ADMIN_KEY",
        kind=_ADMIN_KEY,
        help="The key of the operator, sent in the header X-Admin-Key to the endpoints under /admin, and asked for by the dashboard at /dashboard; both exist only if it is set.",
    )
    admin_api_key_prev: str | None = setting(
        "ADMIN_API_KEY_PREV",
        kind=_ADMIN_KEY,
        help="The previous admin key: it is still accepted, and each use is recorded in the audit log.",
    )
    metrics_enabled: bool = setting(
        "METRICS_ENABLED",
        kind=kinds.FLAG,
        default=True,
        help="Whether the HTTP server has metrics for Prometheus at /metrics. On an address that other machines can reach, or behind a proxy, they need a key: SOURCEWRIGHT_METRICS_KEY or ADMIN_API_KEY.",
    )
    metrics_key: str | None = setting(
        "SOURCEWRIGHT_METRICS_KEY",
        kind=_ADMIN_KEY,
        help="The key that opens /metrics and nothing else, sent as `Authorization: Bearer`; without it, ADMIN_API_KEY opens it.",
    )
