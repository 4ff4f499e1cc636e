"""MediaWiki search: parameters, and the meaning of its error codes.

Docs: https://www.mediawiki.org/wiki/Help:CirrusSearch,
https://www.mediawiki.org/wiki/API:Errors_and_warnings, for the User-Agent header
https://foundation.wikimedia.org/wiki/Policy:Wikimedia_Foundation_User-Agent_Policy and, for the
limits since April 2026, https://www.mediawiki.org/wiki/Wikimedia_APIs/Rate_limits, as quoted in
https://github.com/cdlongbow/mdcx-diy/issues/125 on 2026-09-17.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from sourcewright._about import __version__
from sourcewright.base.errors import BadAnswer, RateLimited, Refused, Unavailable, UpstreamError
from sourcewright.base.formats.json_values import Record, record_of, text_of
from sourcewright.domain.options import Option
from sourcewright.domain.search.operators import require_length, with_operators
from sourcewright.domain.web.queries import Query

MAX_QUERY_LENGTH = 300
"""Of a search; a wiki answers a longer one with an error."""

BASE_PARAMS: Mapping[str, str] = MappingProxyType(
    {"action": "query", "format": "json", "formatversion": "2"}
)
NEWEST_FIRST = "create_timestamp_desc"

_RATE_LIMIT_CODES = frozenset({"ratelimited", "maxlag"})
_REFUSAL_CODES = frozenset({"readapidenied", "permissiondenied", "blocked", "autoblocked"})
_OUTAGE_PREFIXES = (
    "readonly",
    "internal_api_error_",
    "cirrussearch-backend-",
    "cirrussearch-too-busy-",
)
_MAX_INFO_LENGTH = 200


def wiki_search(query: Query, source: str, *keywords: str) -> str:
    """A query in the wiki's own operators, without the site filter, which wikis do not have.

    Words are not dropped to make it fit: a page must contain all of them, so that a shorter
    query would have another meaning.

    Raises:
        BadAnswer: It is longer than a wiki accepts.
    """
    text = " ".join((with_operators(query, without={"sites"}), *keywords))
    return require_length(text, MAX_QUERY_LENGTH, source=source)


def checked_answer(answer: Any, source: str) -> Record:
    """The answer, after checking that it is not an error sent with status 200.

    Raises:
        UpstreamError: It is an error.
    """
    record = record_of(answer)
    if "error" in record:
        raise _error_from(record["error"], source)
    return record


def contact_option(env: str) -> Option:
    """The option for the contact address that the wikis' policy requires."""
    text = "Contact address for the operators of this wiki; without one they allow 10 requests a minute instead of 200."
    return Option(name="mailto", env=(env,), help=text, kind="email", contact=True)


def user_agent_header(mailto: str | None) -> dict[str, str]:
    """The User-Agent header with a contact address for the operators of a wiki."""
    return {"user-agent": f"sourcewright/{__version__} ({mailto})"} if mailto else {}


def _error_from(error: Any, source: str) -> UpstreamError:
    code, info = str(error["code"]), (text_of(error.get("info")) or "")[:_MAX_INFO_LENGTH]
    kind: type[UpstreamError] = BadAnswer
    if code in _RATE_LIMIT_CODES:
        kind = RateLimited
    elif code in _REFUSAL_CODES:
        kind = Refused
    elif code.startswith(_OUTAGE_PREFIXES):
        kind = Unavailable
    return kind(source, f"returned the error {code[:80]}: {info}", status=200, cause="status")
