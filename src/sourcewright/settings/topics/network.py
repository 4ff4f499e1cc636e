"""Settings of outgoing requests: contact address, allowed origins, circuit breaker, sandbox."""

from sourcewright.settings import kinds
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
        help="Your address, sent to sources that ask for one. Some sources are asked only when it is set.",
    )

    allowed_origins: tuple[str, ...] = setting(
        "SOURCEWRIGHT_ALLOWED_ORIGINS",
        kind=kinds.ORIGINS,
        default=(),
        help="Private origins (scheme://host[:port]) that may be contacted as the endpoint of a source that you configured there. No page, redirect, search result or caller reaches them.",
    )
    allow_private_ips: bool = setting(
        "ALLOW_PRIVATE_IPS",
        kind=kinds.REFUSED_FLAG,
        default=False,
        help="Known from other servers. With true the server does not start: name single origins in SOURCEWRIGHT_ALLOWED_ORIGINS instead.",
    )
    circuit_failure_threshold: int = setting(
        "CIRCUIT_FAILURE_THRESHOLD",
        kind=kinds.number(at_least=1),
        default=5,
        help="After this many failures in a row a source is left alone for a while.",
    )
    circuit_reset_timeout_seconds: int = setting(
        "CIRCUIT_RESET_TIMEOUT_SECONDS",
        kind=kinds.number(at_least=1, at_most=3600),
        default=60,
        help="How long a failing source is left alone before one request tries it again.",
    )

    sandbox_url: str | None = setting(
        "SOURCEWRIGHT_SANDBOX_URL",
        kind=kinds.LOOPBACK_ORIGIN,
        group=_SANDBOX,
        help="Sends every outbound request to this address on your own machine instead of the internet.",
    )
    sandbox_pace: bool = setting(
        "SOURCEWRIGHT_SANDBOX_PACE",
        kind=kinds.FLAG,
        group=_SANDBOX,
        default=True,
        help="False switches the waiting between requests off. Allowed only together with SOURCEWRIGHT_SANDBOX_URL.",
    )
