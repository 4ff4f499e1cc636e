"""Settings of outgoing requests: contact address, allowed origins, circuit breaker, sandbox."""

from sourcewright.settings import kinds
from sourcewright.settings.proxies import PROXY
from sourcewright.settings.table import setting

_CONTACT = "Contact"
_SANDBOX = "Sandbox"


class NetworkSettings:
    """How requests to sources are made."""

    _group = "Network"

    contact_email: str | None = setting(
        "CONTACT_EMAIL",
        "DOIGET_CONTACT_EMAIL",
        "SCIHUB_CLI_EMAIL",
        kind=kinds.EMAIL,
        group=_CONTACT,
        help="Your e-mail address, sent to sources that require or recommend one. Some sources are not queried without it.",
    )

    allowed_origins: tuple[str, ...] = setting(
        "SOURCEWRIGHT_ALLOWED_ORIGINS",
        kind=kinds.ORIGINS,
        default=(),
        help="Private origins (scheme://host[:port]) that may be contacted as the configured endpoint of a source. Pages, redirects, search results and callers cannot reach them.",
    )
    allow_private_ips: bool = setting(
        "ALLOW_PRIVATE_IPS",
        kind=kinds.REFUSED_FLAG,
        default=False,
        help="Not supported; known from other servers. If true, the server does not start: list single origins in SOURCEWRIGHT_ALLOWED_ORIGINS instead.",
    )
    proxy: str | None = setting(
        "SOURCEWRIGHT_PROXY",
        kind=PROXY,
        help="An HTTP or HTTPS proxy (http://[user:password@]host:port) for all outbound requests, except to SOURCEWRIGHT_ALLOWED_ORIGINS. The proxy must allow CONNECT to IP addresses: host names are resolved and checked on this computer. Proxies in HTTP_PROXY and similar variables are not used.",
    )
    circuit_failure_threshold: int = setting(
        "CIRCUIT_FAILURE_THRESHOLD",
        kind=kinds.number(at_least=1),
        default=5,
        help="After this many consecutive failures the circuit breaker of a source opens and it is not queried for a while.",
    )
    circuit_reset_timeout_seconds: int = setting(
        "CIRCUIT_RESET_TIMEOUT_SECONDS",
        kind=kinds.number(at_least=1, at_most=3600),
        default=60,
        help="How many seconds the circuit breaker stays open before one trial request is sent.",
    )

    sandbox_url: str | None = setting(
        "SOURCEWRIGHT_SANDBOX_URL",
        kind=kinds.LOOPBACK_ORIGIN,
        group=_SANDBOX,
        help="Sends every outbound request to this loopback address instead of the internet. Papers, logs and cache are then kept in `sourcewright/sandbox` in the XDG folders, unless the environment sets their folders too.",
    )
    sandbox_pace: bool = setting(
        "SOURCEWRIGHT_SANDBOX_PACE",
        kind=kinds.FLAG,
        group=_SANDBOX,
        default=True,
        help="Whether to wait between requests as rate limits require. False is allowed only together with SOURCEWRIGHT_SANDBOX_URL.",
    )
