"""Builds a provider: connects it to the network as its facts ask."""

from collections.abc import Mapping
from typing import Any, TypeVar
from urllib.parse import urlsplit

from sourcewright.domain.ports import Lane
from sourcewright.net.exchange import BUSY, Policy
from sourcewright.net.network import Network
from sourcewright.net.pace import PAPERS
from sourcewright.providers._base import Provider, ProviderInfo

P = TypeVar("P", bound=Provider)

RECORD_SECONDS = 10.0
"""A record is small: a source that is silent for longer than this does not answer."""


def connected(kind: type[P], network: Network, options: Mapping[str, Any]) -> P:
    """The provider, ready to be asked."""
    return _at(kind, network, options, kind.info.pace_of or kind.info.name)


def connected_to_each(
    kind: type[P], network: Network, options: Mapping[str, Any], listed: str
) -> tuple[P, ...]:
    """A provider for each address in an option, with a pace and a breaker of its own.

    So an address that is down never keeps the next one from being asked.
    """
    ones = ({**options, listed: (address,)} for address in options[listed])
    return tuple(_at(kind, network, one, _name(kind.info, one[listed][0])) for one in ones)


def _name(info: ProviderInfo, address: str) -> str:
    return f"{info.name} {urlsplit(address).netloc}"


def _at(kind: type[P], network: Network, options: Mapping[str, Any], own: str) -> P:
    info, rate = kind.info, kind.info.rate
    lane = Lane(
        name=own,
        starts=rate.starts,
        per_seconds=rate.per_seconds,
        at_once=rate.at_once,
        gap_seconds=rate.gap_seconds,
    )
    upstream = network.upstream(
        base_url=kind.base_url(options),
        policy=Policy(
            source=info.known_as,
            allowed_hosts=info.allowed_hosts or None,
            read_seconds=RECORD_SECONDS,
            total_seconds=3 * RECORD_SECONDS,
            # An engine that takes a question and answers nothing doubts that a person asks.
            busy=BUSY | {202} if info.role == "search" else BUSY,
        ),
        lanes=(lane, PAPERS) if info.paper_budget else (lane,),
        headers=kind.headers(options),
        # Another engine answers meanwhile, so that nobody has to wait for a silent one twice.
        silences=1 if info.role == "search" else None,
    )
    return kind(upstream, options)
