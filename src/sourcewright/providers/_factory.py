"""Builds providers and connects them to the network with their rate limits and policies."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any, TypeVar
from urllib.parse import urlsplit

from sourcewright.domain.capabilities import Role
from sourcewright.domain.options import OptionKind
from sourcewright.net.http.exchange import MAX_BYTES, RATE_LIMIT_STATUSES, Policy
from sourcewright.net.network import Network
from sourcewright.net.rate_ledger import RateBucket
from sourcewright.net.sources.pace import PAPERS_BUCKET
from sourcewright.net.sources.upstream import Upstream
from sourcewright.providers._base import Provider, ProviderInfo, RateLimit

P = TypeVar("P", bound=Provider)

_KEYS: frozenset[OptionKind] = frozenset({"secret", "login", "headers"})
_SECRET: frozenset[OptionKind] = _KEYS | {"email"}
READ_TIMEOUT_SECONDS = 10.0
"""Read timeout: records are small, so a longer silence counts as no response."""

_ENGINES: frozenset[Role] = frozenset({"search", "relay"})
_PAPER_BUDGET: frozenset[Role] = frozenset({"papers", "mirror"})
"""Roles that count against the published limit for papers: 5 starts a second, 5 at once."""


def build_provider(kind: type[P], role: Role, network: Network, options: Mapping[str, Any]) -> P:
    """Build a provider for one of its roles; its roles at one host share a rate limit."""
    return _build(kind, role, network, options, kind.info_for(role).name)


def build_provider_per_url(
    kind: type[P], network: Network, options: Mapping[str, Any], listed: str
) -> tuple[P, ...]:
    """Build one provider per URL in an option, each with its own rate limit and circuit breaker.

    So a host that is down never delays requests to the next one.
    """
    variants = ({**options, listed: (url,)} for url in options[listed])
    return tuple(
        _build(kind, "mirror", network, variant, _bucket_name(kind.info, variant[listed][0]))
        for variant in variants
    )


def _bucket_name(info: ProviderInfo, url: str) -> str:
    return f"{info.name} {urlsplit(url).netloc}"


def _build(
    kind: type[P], role: Role, network: Network, options: Mapping[str, Any], bucket_name: str
) -> P:
    info = kind.info_for(role)
    common = (PAPERS_BUCKET,) if role in _PAPER_BUDGET else ()

    def upstream(*own: RateBucket) -> Upstream:
        return network.upstream(
            base_url=info.base_url or kind.base_url(options),
            policy=_policy(info, role, options),
            buckets=(own[0], *common, *own[1:]),
            headers=kind.headers(options),
            login=kind.login(options),
            # Other engines answer meanwhile, so one timeout is enough to skip a silent engine.
            max_timeouts=1 if role in _ENGINES else None,
        )

    rate = _bucket(bucket_name, kind.rate(options) or info.rate)
    provider = kind(upstream(rate), options)
    if info.download_rate is not None:
        provider.downloads = upstream(
            rate, _bucket(f"{bucket_name} downloads", info.download_rate)
        )
    search_rate = kind.search_rate(options) or info.search_rate
    if search_rate is not None:
        provider.searches = upstream(_bucket(f"{bucket_name} searches", search_rate))
    return provider


def _bucket(name: str, rate: RateLimit) -> RateBucket:
    return RateBucket(name=name, **asdict(rate))


def _policy(info: ProviderInfo, role: Role, options: Mapping[str, Any]) -> Policy:
    return Policy(
        source=info.reported_name,
        allowed_hosts=info.allowed_hosts or None,
        read_seconds=READ_TIMEOUT_SECONDS,
        total_seconds=(6 if info.max_bytes else 3) * READ_TIMEOUT_SECONDS,
        max_bytes=info.max_bytes or MAX_BYTES,
        explains_bad_requests=info.explains_bad_requests,
        remedies=tuple(info.remedies.items()),
        quotes_refusals=True,
        takes_key=any(option.kind in _KEYS for option in info.options),
        secrets=tuple(_secrets(info, options)),
        # Another engine answers meanwhile; an index is often the only one that has a paper.
        retries_rate_limits=role not in _ENGINES,
        # Search engines answer 202 without results when they suspect a bot.
        busy=RATE_LIMIT_STATUSES | info.busy | ({202} if role in _ENGINES else frozenset()),
    )


def _secrets(info: ProviderInfo, options: Mapping[str, Any]) -> Iterator[str]:
    """The values of the source's secret options, and their parts: a login has two."""
    for option in info.options:
        value = options.get(option.name)
        if option.kind in _SECRET and isinstance(value, str):
            yield from filter(None, dict.fromkeys([value, *re.split(r"[\s:,]+", value)]))
