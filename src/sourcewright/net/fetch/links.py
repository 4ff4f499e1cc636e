"""Link probes: whether a URL still answers, by HEAD and, unless that succeeds, a small GET."""

import socket
from dataclasses import replace
from http import HTTPStatus
from typing import Final

from sourcewright.base.calls import current_call, time_limit
from sourcewright.base.clocks import Clock
from sourcewright.base.errors import Denied, InvalidInput, RateLimited, Refused, UpstreamError
from sourcewright.base.failure_details import failure_detail
from sourcewright.base.http_messages import BROWSER_HEADERS, Request, Response
from sourcewright.base.links import LinkChange, LinkCheck
from sourcewright.base.pages import SOURCE, RedactedUrl
from sourcewright.base.urls.canonical import host_of
from sourcewright.base.urls.moves import link_change
from sourcewright.net.fetch.page_visits import page_bucket, status_text
from sourcewright.net.http.answers import challenge_in
from sourcewright.net.http.exchange import Policy
from sourcewright.net.network import Network

PROBE_SECONDS: Final = 8.0
_MAX_BYTES: Final = 16 * 1024
_MAX_TRIES: Final = {"HEAD": 1, "GET": 2}
"""A HEAD that fails is followed by a GET, so a URL is requested three times at most."""
_RANGE: Final = {"range": f"bytes=0-{_MAX_BYTES - 1}"}
_EMPTY: Final = HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE
"""How servers answer a request for the start of a page that is there and has no content."""
_ACCEPT: Final = {"accept": "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8"}
_ABSENCES: Final = frozenset({404, 410})
_BOT_REFUSALS: Final = frozenset({999})
_REFUSALS: Final = frozenset({401, 402, 403, 406, 429, 451, 503}) | _BOT_REFUSALS
"""Statuses by which a server that has the page declines to show it to us."""
_UNKNOWN_HOST: Final = frozenset(
    getattr(socket, name) for name in ("EAI_NONAME", "EAI_NODATA") if hasattr(socket, name)
)
_SILENCES: Final = frozenset({"breaker", "connect", "timeout", "tls"})


class LinkProbe:
    """Probes URLs of any host that the guard allows, rate limited per host."""

    def __init__(
        self,
        network: Network,
        *,
        hosts: tuple[str, ...] | None,
        clock: Clock,
        trusts_head: bool = False,
    ) -> None:
        self._network = network
        self._clock = clock
        self._trusts_head = trusts_head
        """Whether a HEAD that finds nothing is believed, where asking twice would cost too much."""
        self._policy = Policy(
            source=SOURCE,
            allowed_hosts=hosts,
            https_only=False,
            any_port=True,
            cut_long=True,
            accepts_partial=True,
            refused=_BOT_REFUSALS,
            max_bytes=_MAX_BYTES,
            read_seconds=PROBE_SECONDS,
            total_seconds=PROBE_SECONDS,
        )

    async def probe(self, url: str) -> LinkCheck:
        """Return the result; a URL that cannot be requested is `unchecked`, never `dead`."""
        try:
            with time_limit(PROBE_SECONDS, self._clock):
                check = await self._probe(url)
        except (Denied, InvalidInput) as error:
            return LinkCheck(state="unchecked", problem=f"not requested: {failure_detail(error)}")
        except UpstreamError as error:
            current_call.get().page(url).failure = error
            return _unanswered(error)
        if check.state == "refused":
            current_call.get().page(url).failure = _refusal(check)
        return check

    async def _probe(self, url: str) -> LinkCheck:
        head: Response | UpstreamError
        try:
            head = await self._request(url, "HEAD")
        except RateLimited:
            raise
        except UpstreamError as error:
            if _is_unknown_host(error):
                raise
            head = error
        if isinstance(head, Response) and (head.status < 300 or self._is_believed(head)):
            return _check_of(url, head)
        try:
            # Servers that do not implement HEAD answer it with almost any error, or with none.
            return _check_of(url, await self._request(url, "GET"))
        except UpstreamError as error:
            # The first result says more than the failure of a second request.
            if isinstance(head, UpstreamError) and error.cause in ("breaker", "timeout"):
                raise head from error
            raise

    def _is_believed(self, head: Response) -> bool:
        return self._trusts_head and head.status in _ABSENCES

    async def _request(self, url: str, method: str) -> Response:
        bucket = page_bucket(url)
        part = _RANGE if method == "GET" else {}
        request = Request(url=url, method=method, headers={**BROWSER_HEADERS, **_ACCEPT, **part})
        left = current_call.get().page(url).left()
        policy = replace(self._policy, max_tries=min(_MAX_TRIES[method], left))
        return await self._network.source_client(bucket.name, (bucket,)).send(request, policy)


def _refusal(check: LinkCheck) -> Refused:
    """The error for a reader that relies on the check of a link instead of a request of its own."""
    status = check.http_status or 0
    return Refused(SOURCE, status_text(status), status=status, cause="status")


def _unanswered(error: UpstreamError) -> LinkCheck:
    """A busy server has the page for all we know; any other failure says nothing about it."""
    if isinstance(error, RateLimited) or error.status == HTTPStatus.SERVICE_UNAVAILABLE:
        return LinkCheck(state="refused", http_status=error.status)
    return LinkCheck(
        state="unchecked",
        http_status=error.status,
        problem=error.detail,
        unreachable=error.cause in _SILENCES,
        no_such_host=_is_unknown_host(error),
    )


def _is_unknown_host(error: BaseException | None) -> bool:
    """Whether an error comes from a resolver that knows no such name, rather than from no resolver."""
    while error is not None and not isinstance(error, socket.gaierror):
        error = error.__cause__
    return error is not None and error.errno in _UNKNOWN_HOST


def _check_of(url: str, answer: Response) -> LinkCheck:
    status = answer.status
    if challenge_in(answer, SOURCE) is not None or status in _REFUSALS:
        return LinkCheck(state="refused", http_status=status)
    if status in _ABSENCES:
        return LinkCheck(state="dead", http_status=status)
    if status >= 400 and status != _EMPTY:
        # Some servers answer bots with any of these, so none says that the page is gone.
        return LinkCheck(state="unchecked", http_status=status, problem=status_text(status))
    change = link_change(url, answer.url)
    return LinkCheck(
        state="live",
        http_status=status,
        problem=_problem(change, answer.url),
        change=change,
        final_url=answer.url if change else None,
    )


def _problem(change: LinkChange | None, final: str) -> str | None:
    if change == "front_page":
        return f"now redirects to the home page of {host_of(final)}"
    return f"moved to {RedactedUrl.of(final)}" if change else None
