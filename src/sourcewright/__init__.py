"""A research server that says what it found, where, and how it knows; and its public API.

`read`, `resolve`, `fetch`, `verify`, `audit`, `search` and `papers` do the jobs of the commands of the
same names and wait for the answer; `Client` has them as methods, with settings of its own or in the
simulated internet, and `sourcewright.aio.Client` with `await`. `parse_references`,
`check_reference` and `format_references` ask nobody.

A failure is a `CallFailed` that says why. Only `DoesNotExist` means that something is absent: every
source that would know was asked, and answered.
"""

from sourcewright._about import ISSUES_URL, __version__
from sourcewright._doors import door

TYPE_CHECKING = False
"""As in `typing`, which takes longer to import than all of this."""

if TYPE_CHECKING:
    from sourcewright.client.references import format_references, parse_references
    from sourcewright.client.results import (
        Audit,
        CallFailed,
        DoesNotExist,
        Page,
        Paper,
        Papers,
        Result,
        SearchResults,
        Verification,
    )
    from sourcewright.client.synchronous import (
        Client,
        audit,
        fetch,
        papers,
        read,
        resolve,
        search,
        verify,
    )
    from sourcewright.references.comparison.check import check_reference

__all__ = [
    "ISSUES_URL",
    "Audit",
    "CallFailed",
    "Client",
    "DoesNotExist",
    "Page",
    "Paper",
    "Papers",
    "Result",
    "SearchResults",
    "Verification",
    "__version__",
    "audit",
    "check_reference",
    "fetch",
    "format_references",
    "papers",
    "parse_references",
    "read",
    "resolve",
    "search",
    "verify",
]

__getattr__, __dir__ = door(
    __name__,
    {
        **dict.fromkeys(
            ("Audit", "CallFailed", "DoesNotExist", "Page", "Paper", "Papers"), "client.results"
        ),
        **dict.fromkeys(("Result", "SearchResults", "Verification"), "client.results"),
        **dict.fromkeys(("format_references", "parse_references"), "client.references"),
        **dict.fromkeys(("Client", "audit", "fetch", "papers"), "client.synchronous"),
        **dict.fromkeys(("read", "resolve", "search", "verify"), "client.synchronous"),
        "check_reference": "references.comparison.check",
    },
)
