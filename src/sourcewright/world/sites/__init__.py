"""Simulated upstreams, one module each, registered by presence under each of its HOSTS."""

import pkgutil
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module

from sourcewright.world.corpus import Corpus
from sourcewright.world.messages import Request, Response

Site = Callable[[Request, Corpus], Response]


@cache
def discover() -> Mapping[str, Site]:
    """Every simulated host, with the function that answers its requests.

    Raises:
        LookupError: Two modules claim the same host.
    """
    sites: dict[str, Site] = {}
    for module in pkgutil.iter_modules(__path__, f"{__name__}."):
        site = import_module(module.name)
        for host in site.HOSTS:
            if host in sites:
                raise LookupError(f"two sites claim {host}, one of them {module.name}")
            sites[host] = site.answer
    return sites
