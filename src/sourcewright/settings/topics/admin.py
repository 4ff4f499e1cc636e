"""Settings of the administration of the HTTP server: the admin key."""

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
        help="The key of the operator, sent in the header X-Admin-Key to the endpoints under /admin, which exist only if it is set.",
    )
    admin_api_key_prev: str | None = setting(
        "ADMIN_API_KEY_PREV",
        kind=_ADMIN_KEY,
        help="The previous admin key: it is still accepted, and each use is recorded in the audit log.",
    )
