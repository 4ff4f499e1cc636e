"""Page visits: fetches pages and documents from any host, within limits, rate limited per host."""

import re
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from http import HTTPStatus
from types import MappingProxyType

from sourcewright.base.calls import current_call, time_limit
from sourcewright.base.clocks import SystemClock
from sourcewright.base.errors import NotFound, RedirectFailed, Refused, UpstreamError
from sourcewright.base.http_messages import BROWSER_HEADERS, Request, Response
from sourcewright.base.pages import SOURCE, FetchedDocument, FetchMode
from sourcewright.base.urls.canonical import host_of
from sourcewright.net.http.answers import challenge_in, refusal_in
from sourcewright.net.http.exchange import MEBIBYTE, Policy
from sourcewright.net.network import Network
from sourcewright.net.rate_ledger import RateBucket

DOCUMENT_SECONDS = 30.0
_NOT_FOUND_STATUSES = (404, 410)
_UNNAMED_STATUSES = (401, 403)
_CLIENT_ERRORS = range(400, 500)
"""The site itself declined the request; the network did not fail."""
_REDIRECTIONS = range(300, 400)
"""The client follows those that have a target; the others, such as 304, have no page."""
_BOT_REFUSALS = frozenset({999})
"""Non-standard status that LinkedIn and a few others send to suspected bots."""
_ACCEPT = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
_ACCEPT_MARKDOWN = "text/markdown,text/html;q=0.9,application/xhtml+xml;q=0.9,*/*;q=0.8"
_NAVIGATION: Mapping[str, str] = MappingProxyType(
    {
        **BROWSER_HEADERS,
        "sec-fetch-dest": "document",
        "sec-fetch-mode": "navigate",
        "sec-fetch-site": "none",
        "sec-fetch-user": "?1",
        "upgrade-insecure-requests": "1",
    }
)
_HEADERS: Mapping[FetchMode, Mapping[str, str]] = MappingProxyType(
    {
        "browser": {**_NAVIGATION, "accept": _ACCEPT_MARKDOWN},
        "source": {**_NAVIGATION, "accept": _ACCEPT},
        "plain": {"accept": _ACCEPT},
    }
)
_TIMEOUTS: Mapping[FetchMode, float] = MappingProxyType(
    {"browser": 20.0, "source": 20.0, "plain": 15.0}
)
_TRIES: Mapping[FetchMode, int] = MappingProxyType({"browser": 2, "source": 2, "plain": 1})
"""Three in all: a failing site is asked as a browser would, once more, and then plainly."""
_GRACE_SECONDS = 0.4
"""Lets a slow page be reported as such, and is too short for a second try."""
_DOCUMENT_URL = re.compile(
    r"[^?#]*\.(?:pdf|docx|pptx|xlsx|epub|odt|rtf)(?:[?#].*)?|https?://(?:www\.)?arxiv\.org/pdf/.*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SizeLimits:
    """How many bytes of a response are read."""

    page_bytes: int = 8 * MEBIBYTE
    document_bytes: int = 50 * MEBIBYTE


class Visitor:
    """Fetches whatever is at a URL."""

    def __init__(
        self,
        network: Network,
        *,
        hosts: tuple[str, ...] | None,
        sizes: SizeLimits | None = None,
        seconds: Mapping[FetchMode, float] = _TIMEOUTS,
    ) -> None:
        self._network = network
        self._hosts = hosts
        self._sizes = sizes or SizeLimits()
        self._seconds = seconds
        """Time limit of each fetch mode, retries included."""

    def check(self, url: str) -> None:
        """Check a URL before anyone waits for it.

        Raises:
            InvalidInput: The URL is malformed.
            Denied: The URL breaks our rules.
        """
        self._network.check(Request(url=url), self._policy(url, "plain", 0))

    def holding_bodies(self) -> AbstractContextManager[None]:
        """Count large pages received inside this context as in memory until it ends."""
        return self._network.holding_bodies()

    async def visit(
        self, url: str, mode: FetchMode, *, most_bytes: int | None = None
    ) -> FetchedDocument:
        """Fetch a URL, truncated at `most_bytes`.

        Raises:
            InvalidInput: The URL is malformed.
            Denied: The URL or a redirect breaks our rules.
            NotFound: There is no such page.
            UpstreamError: It could not be fetched.
        """
        bucket = page_bucket(url)
        page = current_call.get().page(url)
        request = Request(url=url, headers=_HEADERS[mode])
        policy = self._policy(url, mode, most_bytes or self._sizes.document_bytes)
        policy = replace(policy, max_tries=min(policy.max_tries, page.left()))
        try:
            with time_limit(policy.total_seconds + _GRACE_SECONDS, SystemClock()):
                answer = await self._network.source_client(bucket.name, (bucket,)).send(
                    request, policy
                )
            page.failure = answer.problem
            return read_visit(answer, mode)
        except UpstreamError as error:
            page.failure = error
            raise

    def _policy(self, url: str, mode: FetchMode, most_bytes: int) -> Policy:
        seconds = DOCUMENT_SECONDS if _DOCUMENT_URL.fullmatch(url) else self._seconds[mode]
        return Policy(
            source=SOURCE,
            allowed_hosts=self._hosts,
            https_only=False,
            any_port=True,
            cut_long=True,
            accepts_partial=True,
            refused=_BOT_REFUSALS,
            max_tries=_TRIES[mode],
            retries_rate_limits=False,
            max_bytes=most_bytes,
            max_markup_bytes=self._sizes.page_bytes,
            read_seconds=seconds,
            total_seconds=seconds,
        )


def page_bucket(url: str) -> RateBucket:
    """The rate bucket of a page's host, which visits and link probes share."""
    return RateBucket(name=f"{SOURCE} {host_of(url)}", starts=5, per_seconds=1.0, gap_seconds=0.1)


def read_visit(answer: Response, mode: FetchMode) -> FetchedDocument:
    """The page in a response; raises on a bot challenge, an error status or an empty body."""
    challenge = challenge_in(answer, SOURCE)
    if challenge is not None:
        raise challenge
    if answer.status in _NOT_FOUND_STATUSES:
        raise NotFound(SOURCE, f"HTTP {answer.status}", status=answer.status, cause="status")
    if answer.status in _CLIENT_ERRORS or answer.status in _BOT_REFUSALS:
        raise Refused(SOURCE, status_text(answer.status), status=answer.status, cause="status")
    if answer.status in _REDIRECTIONS:
        detail = status_text(answer.status)
        raise RedirectFailed(SOURCE, detail, status=answer.status, cause="status")
    problem = refusal_in(answer, SOURCE)
    if problem is not None:
        raise answer.problem or problem
    return FetchedDocument(
        body=answer.body,
        url=answer.url,
        content_type=answer.headers.get("content-type", ""),
        mode=mode,
        cut=answer.cut,
        problem=answer.problem,
    )


def status_text(status: int) -> str:
    """The status with its reason phrase, except for 401 and 403, which need none."""
    names = {
        known.value: known.phrase.lower() for known in HTTPStatus if known not in _UNNAMED_STATUSES
    }
    return f"HTTP {status} ({names[status]})" if status in names else f"HTTP {status}"
