"""Page visits: pages and documents anywhere on the web, guarded, bounded, paced per host."""

import re
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from http import HTTPStatus
from types import MappingProxyType

from sourcewright.domain.calls import hurried
from sourcewright.domain.errors import NotFound, Refused
from sourcewright.domain.pages import SOURCE, Manner, Visit
from sourcewright.domain.ports import Lane, SystemClock
from sourcewright.logic.urls.canonical import host_of
from sourcewright.net.answers import challenge_in, refusal_in
from sourcewright.net.exchange import MEBIBYTE, Answer, Policy, Request
from sourcewright.net.network import Network

DOCUMENT_SECONDS = 30.0
_GONE = (404, 410)
_WELL_KNOWN = (401, 403)
_DECLINED = range(400, 500)
"""A page's own word that it is not for us, whatever the reason; nothing on the way failed."""
_UNREGISTERED = frozenset({999})
"""What LinkedIn and a few others say to whoever they take for a machine."""
_ACCEPT = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
_ACCEPT_MARKDOWN = "text/markdown,text/html;q=0.9,application/xhtml+xml;q=0.9,*/*;q=0.8"
IDENTITY: Mapping[str, str] = MappingProxyType(
    {
        "accept-language": "en-US,en;q=0.9",
        "sec-ch-ua": '"Google Chrome";v="131", "Chromium";v="131", "Not_A Brand";v="24"',
        "sec-ch-ua-mobile": "?0",
        "sec-ch-ua-platform": '"Linux"',
        "user-agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36"
        " (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36",
    }
)
"""Which browser it is that asks, as a page and all its parts see it."""
_BROWSER: Mapping[str, str] = MappingProxyType(
    {
        **IDENTITY,
        "sec-fetch-dest": "document",
        "sec-fetch-mode": "navigate",
        "sec-fetch-site": "none",
        "sec-fetch-user": "?1",
        "upgrade-insecure-requests": "1",
    }
)
_HEADERS: Mapping[Manner, Mapping[str, str]] = MappingProxyType(
    {
        "browser": {**_BROWSER, "accept": _ACCEPT_MARKDOWN},
        "source": {**_BROWSER, "accept": _ACCEPT},
        "plain": {"accept": _ACCEPT},
    }
)
_SECONDS: Mapping[Manner, float] = MappingProxyType(
    {"browser": 20.0, "source": 20.0, "plain": 15.0}
)
_GRACE_SECONDS = 0.4
"""Lets a page that is late be called so, and is too short for a second try."""
_DOCUMENT = re.compile(
    r"[^?#]*\.(?:pdf|docx|pptx|xlsx|epub)(?:[?#].*)?|https?://(?:www\.)?arxiv\.org/pdf/.*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """How much of an answer is read."""

    page_bytes: int = 8 * MEBIBYTE
    document_bytes: int = 50 * MEBIBYTE


class Visitor:
    """Asks for whatever is at an address."""

    def __init__(
        self,
        network: Network,
        *,
        hosts: tuple[str, ...] | None,
        sizes: Sizes | None = None,
        seconds: Mapping[Manner, float] = _SECONDS,
    ) -> None:
        self._network = network
        self._hosts = hosts
        self._sizes = sizes or Sizes()
        self._seconds = seconds
        """How long each manner may take, second tries included."""

    def check(self, url: str) -> None:
        """Let an address pass before anybody waits for it.

        Raises:
            InvalidInput: There is no such address.
            Denied: The address breaks our rules.
        """
        self._network.check(Request(url=url), self._policy(url, "plain", 0))

    def keeping(self) -> AbstractContextManager[None]:
        """Count a large page that comes meanwhile until whoever asked for it is done."""
        return self._network.keeping()

    async def visit(self, url: str, manner: Manner, *, most_bytes: int | None = None) -> Visit:
        """What is at an address, as far as so many bytes go.

        Raises:
            InvalidInput: There is no such address.
            Denied: The address or a redirect breaks our rules.
            NotFound: There is no such page.
            UpstreamError: It could not be had.
        """
        own = Lane(name=f"{SOURCE} {host_of(url)}", starts=5, per_seconds=1.0, gap_seconds=0.1)
        request = Request(url=url, headers=_HEADERS[manner])
        policy = self._policy(url, manner, most_bytes or self._sizes.document_bytes)
        with hurried(policy.total_seconds + _GRACE_SECONDS, SystemClock()):
            answer = await self._network.courier(own.name, (own,)).send(request, policy)
        return read_visit(answer, manner)

    def _policy(self, url: str, manner: Manner, most_bytes: int) -> Policy:
        seconds = DOCUMENT_SECONDS if _DOCUMENT.fullmatch(url) else self._seconds[manner]
        return Policy(
            source=SOURCE,
            allowed_hosts=self._hosts,
            https_only=False,
            any_port=True,
            cut_long=True,
            forgiving=True,
            refused=_UNREGISTERED,
            max_bytes=most_bytes,
            max_markup_bytes=self._sizes.page_bytes,
            read_seconds=seconds,
            total_seconds=seconds,
        )


def read_visit(answer: Answer, manner: Manner) -> Visit:
    """What an answer gave; a page's own 404 is absence of the page, and of nothing else."""
    challenge = challenge_in(answer, SOURCE)
    if challenge is not None:
        raise challenge
    if answer.status in _GONE:
        raise NotFound(SOURCE, f"HTTP {answer.status}", status=answer.status, cause="status")
    if answer.status in _DECLINED or answer.status in _UNREGISTERED:
        raise Refused(SOURCE, _named(answer.status), status=answer.status, cause="status")
    problem = refusal_in(answer, SOURCE)
    if problem is not None:
        raise answer.problem or problem
    return Visit(
        body=answer.body,
        url=answer.url,
        content_type=answer.headers.get("content-type", ""),
        manner=manner,
        cut=answer.cut,
        problem=answer.problem,
    )


def _named(status: int) -> str:
    """A status with its name, where it has one that says more than the number."""
    names = {known.value: known.phrase.lower() for known in HTTPStatus if known not in _WELL_KNOWN}
    return f"HTTP {status} ({names[status]})" if status in names else f"HTTP {status}"
