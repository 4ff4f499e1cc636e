"""The SSRF guard: which URLs may be requested, first and after every redirect."""

from collections.abc import Mapping, Sequence

from sourcewright.base.errors import Denial, DenialReason, Denied, InvalidInput, NotConfigured
from sourcewright.base.failure_details import not_in_allowlist_reason
from sourcewright.base.pages import SOURCE
from sourcewright.base.urls.allowlists import host_matches
from sourcewright.base.urls.canonical import DEFAULT_PORTS
from sourcewright.net.http.addresses import is_private_name, is_public
from sourcewright.net.http.exchange import Policy
from sourcewright.net.http.target import Target, UnknownScheme, read_target

# Ports that browsers block, because protocols other than HTTP use them.
# https://fetch.spec.whatwg.org/#port-blocking
BAD_PORTS = frozenset(
    {0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95}
    | {101, 102, 103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179}
    | {389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601}
    | {636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566}
    | {6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080}
)


class Guard:
    """Checks URLs by their text; resolved IP addresses are checked when connecting.

    An origin that the operator allowed may be private, unencrypted and on any port, but only
    for the source whose endpoint it is, and only until a redirect has left it. Redirects
    from other origins, pages and every other source may not use it, and the source's own
    list of allowed hosts still applies.
    """

    def __init__(
        self, allowed_origins: Sequence[str] = (), own_addresses: Mapping[str, str] | None = None
    ) -> None:
        self._allowed = frozenset(_read_origin(origin) for origin in allowed_origins)
        endpoints = (own_addresses or {}).items()
        self._owners = {read_target(url).origin: source for source, url in endpoints}

    def allows_origin(self, origin: str) -> bool:
        """Whether the operator allowed exactly this `scheme://host:port` for a source."""
        return origin in self._allowed or origin in self._owners

    def check(self, target: Target, policy: Policy, hop: int, *, strayed: bool = False) -> None:
        """Check a URL. `strayed`: a redirect led to another origin before it.

        Where several rules forbid it, the first in this order is reported: a private
        address is more informative than a missing `s` in the scheme.

        Raises:
            Denied: A rule forbids it.
        """
        if target.has_userinfo:
            message = f"{target.host}: the URL contains a user name, which is not allowed"
            raise _denied(message, policy, hop, reason="host_in_block_list", attempted=target.host)
        is_own_endpoint = not strayed and self._is_own_endpoint(target, policy)
        if not is_own_endpoint:
            _check_host(target, policy, hop)
            _check_scheme(target, policy, hop)
            self._refuse_reserved(target, policy, hop)
        _check_allowlist(target, policy, hop)
        if not is_own_endpoint:
            _check_port(target, policy, hop)

    def _is_own_endpoint(self, target: Target, policy: Policy) -> bool:
        """Whether it is this source's own endpoint, allowed by the operator."""
        if self._owners.get(target.origin) == policy.source:
            return True
        return target.origin in self._allowed and target.origin == policy.endpoint

    def _refuse_reserved(self, target: Target, policy: Policy, hop: int) -> None:
        """Refuse an allowed origin to others: its connections skip the IP address check."""
        if self.allows_origin(target.origin):
            owner = self._owners.get(target.origin, "the source configured there")
            message = f"{target.host} may be used only by {owner}"
            raise _denied(message, policy, hop, reason="host_in_block_list", attempted=target.host)


def denied_scheme(error: UnknownScheme, policy: Policy, hop: int) -> Denied:
    """The error for a URL whose scheme is neither http nor https."""
    return _denied_by_scheme(error.scheme, policy, hop)


def denied_address(endpoint: str, host: str, policy: Policy, hop: int) -> Denied:
    """The error for a host that resolves to an IP address that is not public."""
    message = f"{host} resolves to {endpoint}, which is not on the public internet"
    return _denied(message, policy, hop, reason="ssrf_private_address", attempted=endpoint)


def _check_host(target: Target, policy: Policy, hop: int) -> None:
    address = target.address
    if address is not None and not is_public(address):
        message = f"{target.endpoint} is not on the public internet"
        raise _denied(
            message, policy, hop, reason="ssrf_private_address", attempted=target.endpoint
        )
    if address is None and is_private_name(target.host):
        message = f"{target.host} is a private network name"
        raise _denied(message, policy, hop, reason="ssrf_private_address", attempted=target.host)


def _check_scheme(target: Target, policy: Policy, hop: int) -> None:
    if policy.https_only and target.scheme != "https":
        raise _denied_by_scheme(target.scheme, policy, hop)


def _check_allowlist(target: Target, policy: Policy, hop: int) -> None:
    patterns = policy.allowed_hosts
    if patterns is None or host_matches(target.host, (*patterns, *policy.passing_hosts)):
        return
    message = f"{target.host} is not an allowed host of {policy.source}"
    if policy.source == SOURCE:
        message = not_in_allowlist_reason(target.host)
    raise _denied(
        message,
        policy,
        hop,
        reason="redirect_not_in_allowlist",
        attempted=target.host,
        expected=patterns,
    )


def _check_port(target: Target, policy: Policy, hop: int) -> None:
    if target.port == DEFAULT_PORTS[target.scheme]:
        return
    if not policy.any_port or target.port in BAD_PORTS:
        message = f"{target.endpoint} uses a port that is not allowed"
        raise _denied(message, policy, hop, reason="host_in_block_list", attempted=target.endpoint)


def _denied_by_scheme(scheme: str, policy: Policy, hop: int) -> Denied:
    expected = ("https",) if policy.https_only else ("https", "http")
    message = f"the scheme {scheme} is not allowed for {policy.source} ({', '.join(expected)})"
    return _denied(
        message,
        policy,
        hop,
        reason="insecure_scheme",
        attempted=f"{scheme}:...",
        expected=expected,
    )


def _denied(
    message: str,
    policy: Policy,
    hop: int,
    *,
    reason: DenialReason,
    attempted: str,
    expected: tuple[str, ...] | None = None,
) -> Denied:
    denial = Denial(
        reason=reason,
        source=policy.source,
        attempted=attempted,
        expected=expected,
        hop_index=hop,
    )
    return Denied(f"{policy.source}: {message}", denial)


def _read_origin(text: str) -> str:
    setting = "SOURCEWRIGHT_ALLOWED_ORIGINS"
    try:
        target = read_target(text)
    except InvalidInput as error:
        raise NotConfigured(
            f"{setting}: {text!r} is not an origin ({error})", setting=setting
        ) from error
    if target.path != b"/" or target.has_userinfo:
        message = f"{setting}: {text!r} must be scheme://host:port without anything else"
        raise NotConfigured(message, setting=setting)
    return target.origin
