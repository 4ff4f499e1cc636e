"""Settings of request limits: per tenant, per address, in all, per day; calls of one user."""

from sourcewright.settings import kinds
from sourcewright.settings.table import setting

_MAX = 1_000_000_000


class QuotaSettings:
    """How many requests the HTTP server answers; all processes of a machine count together, or all servers with one Redis."""

    _group = "Request limits"

    rate_limit_per_tenant: int = setting(
        "RATE_LIMIT_PER_TENANT",
        kind=kinds.number(at_least=0, at_most=_MAX),
        default=120,
        help="Requests per minute of one tenant; 0 for no limit.",
    )
    rate_limit_global: int = setting(
        "RATE_LIMIT_GLOBAL",
        kind=kinds.number(at_least=0, at_most=_MAX),
        default=1000,
        help="Requests per second of all clients together; 0 for no limit.",
    )
    rate_limit_per_ip: int = setting(
        "RATE_LIMIT_PER_IP",
        kind=kinds.number(at_least=0, at_most=_MAX),
        default=0,
        help="Requests per minute from one address (IPv6: one /64 network), also without sign-in; 0 for no limit.",
    )
    daily_quota_per_tenant: int = setting(
        "DAILY_QUOTA_PER_TENANT",
        kind=kinds.number(at_least=0, at_most=_MAX),
        default=5000,
        help="Requests of one tenant from midnight to midnight (UTC); 0 for no limit.",
    )
    max_calls_per_day: int = setting(
        "MAX_CALLS_PER_DAY",
        kind=kinds.number(at_least=0, at_most=_MAX),
        default=0,
        help="Tool calls of one user from midnight to midnight (UTC), over HTTP, on stdio and at the terminal; 0 for no limit. Dry runs and calls with invalid arguments do not count.",
    )
