"""The polite HTTP client: the only code that opens a socket.

`Client` requests a URL after the guard has checked it, connects to the checked address, and limits
size and time. `Network` gives each source its own rate limit, retries and circuit breaker, shared
by all processes of the machine through a ledger.
"""

from typing import TYPE_CHECKING

from sourcewright._doors import door

if TYPE_CHECKING:
    from sourcewright.net.fetch.files import OpenCopies
    from sourcewright.net.fetch.links import LinkProbe
    from sourcewright.net.fetch.page_visits import SizeLimits, Visitor
    from sourcewright.net.fetch.subrequests import Subrequests
    from sourcewright.net.http.client import Client
    from sourcewright.net.http.exchange import HttpClient, Policy
    from sourcewright.net.http.guard import Guard
    from sourcewright.net.network import Network, SourceUsage
    from sourcewright.net.rate_ledger import BucketUsage, RateBucket, RateLedger
    from sourcewright.net.sources.breaker import Breaker, BreakerRules
    from sourcewright.net.sources.source_client import SourceClient
    from sourcewright.net.sources.tokens import Login
    from sourcewright.net.sources.upstream import Upstream

__all__ = [
    "Breaker",
    "BreakerRules",
    "BucketUsage",
    "Client",
    "Guard",
    "HttpClient",
    "LinkProbe",
    "Login",
    "Network",
    "OpenCopies",
    "Policy",
    "RateBucket",
    "RateLedger",
    "SizeLimits",
    "SourceClient",
    "SourceUsage",
    "Subrequests",
    "Upstream",
    "Visitor",
]

__getattr__, __dir__ = door(
    __name__,
    {
        "OpenCopies": "fetch.files",
        "LinkProbe": "fetch.links",
        "SizeLimits": "fetch.page_visits",
        "Visitor": "fetch.page_visits",
        "Subrequests": "fetch.subrequests",
        "Client": "http.client",
        "HttpClient": "http.exchange",
        "Policy": "http.exchange",
        "Guard": "http.guard",
        "Network": "network",
        "SourceUsage": "network",
        "BucketUsage": "rate_ledger",
        "RateBucket": "rate_ledger",
        "RateLedger": "rate_ledger",
        "Breaker": "sources.breaker",
        "BreakerRules": "sources.breaker",
        "SourceClient": "sources.source_client",
        "Login": "sources.tokens",
        "Upstream": "sources.upstream",
    },
)
