"""MediaWiki search: parameters, and the meaning of its error codes.

Docs: https://www.mediawiki.org/wiki/Help:CirrusSearch,
https://www.mediawiki.org/wiki/API:Errors_and_warnings and, for the agent's name,
https://foundation.wikimedia.org/wiki/Policy:Wikimedia_Foundation_User-Agent_Policy
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from sourcewright import __version__
from sourcewright.domain.errors import (
    BadAnswer,
    RateLimited,
    Refused,
    Unavailable,
    UpstreamError,
)
from sourcewright.domain.options import Option
from sourcewright.domain.queries import Query
from sourcewright.logic.formats.json_values import Record, record_of, text_of
from sourcewright.logic.search.operators import with_operators, within

MOST_CHARACTERS = 300
"""Of a search; the wiki answers a longer one with an error."""

PLAIN: Mapping[str, str] = MappingProxyType(
    {"action": "query", "format": "json", "formatversion": "2"}
)
NEWEST_FIRST = "create_timestamp_desc"

_WAIT = frozenset({"ratelimited", "maxlag"})
_FORBIDDEN = frozenset({"readapidenied", "permissiondenied", "blocked", "autoblocked"})
_DOWN = ("readonly", "internal_api_error_", "cirrussearch-backend-", "cirrussearch-too-busy-")
_LONGEST_INFO = 200


def wiki_search(query: Query, source: str, *keywords: str) -> str:
    """A query in the wiki's own operators; it knows no sites but itself.

    All of its words must be in a page, so that without some of them it asks something else.

    Raises:
        BadAnswer: It is longer than a wiki takes.
    """
    text = " ".join((with_operators(query, without={"sites"}), *keywords))
    return within(text, MOST_CHARACTERS, source=source)


def answered(answer: Any, source: str) -> Record:
    """The answer, once it is sure that it is no complaint, which has the status of a success.

    Raises:
        UpstreamError: It is one.
    """
    said = record_of(answer)
    if "error" in said:
        raise _complaint(said["error"], source)
    return said


def contact(env: str) -> Option:
    """The address that the policy of the wikis asks for."""
    text = "Address by which the people behind this wiki can reach you; their policy asks for one."
    return Option(name="mailto", env=(env,), help=text, kind="email", contact=True)


def agent_of(mailto: str | None) -> dict[str, str]:
    """The header by which the people behind a wiki know whom to write to."""
    return {"user-agent": f"sourcewright/{__version__} ({mailto})"} if mailto else {}


def _complaint(error: Any, source: str) -> UpstreamError:
    code, info = str(error["code"]), (text_of(error.get("info")) or "")[:_LONGEST_INFO]
    kind: type[UpstreamError] = BadAnswer
    if code in _WAIT:
        kind = RateLimited
    elif code in _FORBIDDEN:
        kind = Refused
    elif code.startswith(_DOWN):
        kind = Unavailable
    return kind(source, f"answers with the error {code[:80]}: {info}", status=200, cause="status")
