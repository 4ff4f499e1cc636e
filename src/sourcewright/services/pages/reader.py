"""Reads a page with fallbacks: site API, Markdown or HTML, browser, third party.

The trace lists every attempt, also if a later one succeeded.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar
from urllib.parse import urlsplit

from sourcewright.base.calls import current_call, time_limit
from sourcewright.base.clocks import Clock
from sourcewright.base.errors import (
    BadAnswer,
    Denial,
    Denied,
    InvalidInput,
    NotFound,
    Refused,
    ResearchError,
    UpstreamError,
)
from sourcewright.base.failure_details import failure_detail, not_in_allowlist_reason
from sourcewright.base.formats.codec import JsonCodec
from sourcewright.base.pages import BROWSER, SOURCE, FetchedDocument, FetchMode
from sourcewright.base.text.phrases import count_phrase
from sourcewright.base.urls.allowlists import host_matches
from sourcewright.base.urls.canonical import host_of, resource_url
from sourcewright.domain.capabilities import ReadsSites, RelaysPages
from sourcewright.domain.document_ports import (
    NoBrowser,
    ReadsDocuments,
    RendersPages,
    VisitsPages,
)
from sourcewright.domain.evidence import NoSourceAnswered
from sourcewright.reading.interstitials import classify_page, is_sparse, needs_javascript
from sourcewright.reading.readings import ReadAttempt, Reading
from sourcewright.services.cache import Cached, Operation, OperationCache
from sourcewright.services.pages.attempts import PageRead, ReadAttempts, is_final_error
from sourcewright.services.pages.failures import UNAUTHORISED, page_failure, rejected_url
from sourcewright.services.pages.room import PageSlots
from sourcewright.services.pages.site_readers import SiteReaders, api_refusals
from sourcewright.services.pages.visits import (
    follow_refreshes,
    is_html,
    read_response,
    require_enough,
    require_text,
)

T = TypeVar("T")

TTL_SECONDS = 3600.0
RAW_BYTES = 5_000_000
"""Maximum bytes of a raw page."""
_BROWSER_SECONDS = 30.0
_RELAY_SECONDS = 30.0
_HTTP_OK = 200
_READ_TIERS: Mapping[FetchMode, str] = {"browser": "stealth", "plain": "html"}
_RAW_TIERS: Mapping[FetchMode, str] = {"source": "stealth", "plain": "html"}


@dataclass(frozen=True, slots=True, kw_only=True)
class RawResponse:
    """A raw response in the cache; the body is decoded as Latin-1, one character per byte."""

    url: str
    content_type: str
    body: str
    cut: bool
    partial: bool
    """Whether the response was incomplete, so that a retry may yield more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Cache key of a page; the class name is part of the key."""

    url: str


_READ_OPERATION = Operation(
    name="page.read",
    version=5,
    ttl_seconds=TTL_SECONDS,
    codec=JsonCodec(PageRead),
    keep=lambda read: read.is_confident,
)
_RAW_OPERATION = Operation(
    name="page.raw",
    version=2,
    ttl_seconds=TTL_SECONDS,
    codec=JsonCodec(RawResponse),
    keep=lambda served: not served.partial,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PageReader:
    """Reads pages, and caches complete ones for an hour."""

    visitor: VisitsPages
    documents: ReadsDocuments
    sites: Mapping[str, ReadsSites]
    relays: Mapping[str, RelaysPages]
    """Third parties to use as the last fallback."""
    hosts: tuple[str, ...] | None
    """Allowed hosts; None for all."""
    cache: OperationCache
    clock: Clock
    renderer: RendersPages
    """Renders a page in a browser, if one is installed."""
    room: PageSlots
    """Limits how many pages are read concurrently."""

    async def read(self, url: str) -> Cached[PageRead]:
        """Read the page at a URL as text.

        Raises:
            NoSourceAnswered: It could not be read; the message lists the result of each attempt.
        """
        self.check(url)
        load = partial(self._cached, _READ_OPERATION, url, partial(self._read, url))
        read = await _once_in_call(url, load)
        # A cached page may have been read under a wider allowlist.
        self._check(url, read.value.url)
        return read

    async def read_with_markup(self, url: str) -> tuple[PageRead, FetchedDocument | None]:
        """Read a page as text, past the cache, and return its HTML too, rendered if it had to be.

        The HTML is None for a page that was read by other means, such as its site's API.

        Raises:
            NoSourceAnswered: It could not be read.
        """
        self.check(url)
        async with self.room.place():
            with self.visitor.holding_bodies():
                attempts = await self._attempts(url)
        read = attempts.result()
        self._check(url, read.url)
        return read, attempts.rendered or attempts.served

    async def visit(self, url: str) -> Cached[FetchedDocument]:
        """Return the raw response of a URL, up to `RAW_BYTES`.

        Raises:
            NoSourceAnswered: It could not be fetched.
        """
        self.check(url)
        cached_page = await self._cached(_RAW_OPERATION, url, lambda: self._fetch_raw(url))
        self._check(url, cached_page.value.url)
        served = cached_page.value
        visit = FetchedDocument(
            body=served.body.encode("latin-1"),
            url=served.url,
            content_type=served.content_type,
            mode="source",
            cut=served.cut,
        )
        return Cached(
            value=visit,
            cached=cached_page.cached,
            age_seconds=cached_page.age_seconds,
            max_age_seconds=cached_page.max_age_seconds,
        )

    async def _cached(
        self, operation: Operation[T], url: str, work: Callable[[], Awaitable[T]]
    ) -> Cached[T]:
        try:
            return await self.cache.through(operation, Address(url=resource_url(url)), work)
        except UpstreamError as error:
            # Errors of the work itself are Unanswered already; this one is the expired deadline.
            attempt = ReadAttempt(tier="deadline", outcome=failure_detail(error))
            raise page_failure(url, [(attempt, error)]) from error

    def check(self, url: str) -> None:
        """Refuse a URL that our rules or the operator's do not allow.

        Raises:
            NoSourceAnswered: It is refused.
        """
        self._check(url, url)

    def _check(self, requested_url: str, url: str) -> None:
        try:
            self._refuse(url)
            self.visitor.check(url)
        except (Denied, InvalidInput) as error:
            raise rejected_url(requested_url, error) from error

    def _refuse(self, url: str) -> None:
        """Raise Denied for a host that is not on the allowlist."""
        host = host_of(url)
        if self.hosts is None or not host or host_matches(host, self.hosts):
            return
        denial = Denial(
            reason="redirect_not_in_allowlist", source=SOURCE, attempted=host, expected=self.hosts
        )
        raise Denied(not_in_allowlist_reason(host), denial)

    async def _read(self, url: str) -> PageRead:
        async with self.room.place():
            with self.visitor.holding_bodies():
                return (await self._attempts(url)).result()

    async def _attempts(self, url: str) -> ReadAttempts:
        """Read a page with fallbacks."""
        await current_call.get().progress(f"reading {url}")
        attempts = ReadAttempts(url, has_browser=not isinstance(self.renderer, NoBrowser))
        await SiteReaders(self.sites, self.clock).ask(attempts, url)
        for mode, tier in _READ_TIERS.items():
            if attempts.may_ask_again:
                await attempts.attempt(tier, partial(self._request, attempts, mode))
        if attempts.may_render(known=needs_javascript(url)):
            await attempts.attempt(BROWSER, partial(self._render, attempts))
        for name, relay in self.relays.items():
            if attempts.may_relay:
                await attempts.attempt(name, partial(_relay, relay, name, url, self.clock))
        return attempts

    async def _fetch_raw(self, url: str) -> RawResponse:
        tried: list[tuple[ReadAttempt, ResearchError | None]] = []
        for mode, tier in _RAW_TIERS.items():
            try:
                visit = require_enough(await self.visitor.visit(url, mode, most_bytes=RAW_BYTES))
            except (UpstreamError, Denied, InvalidInput) as error:
                tried.append((ReadAttempt(tier=tier, outcome=failure_detail(error)), error))
                if is_final_error(error):
                    break
                continue
            return RawResponse(
                url=visit.url,
                content_type=visit.content_type,
                body=visit.body.decode("latin-1"),
                cut=visit.cut,
                partial=visit.problem is not None,
            )
        raise page_failure(url, tried)

    async def _request(self, attempts: ReadAttempts, mode: FetchMode) -> PageRead | None:
        """Request and read the page; None if a redirect led to a site that was read through its API."""
        url = attempts.url
        visit = await follow_refreshes(self.visitor, attempts, mode, _READ_TIERS[mode])
        sites = SiteReaders(self.sites, self.clock)
        if await sites.ask_at_the_end(attempts, _READ_TIERS[mode], visit.url):
            return None
        # An incomplete response must not be rendered: it would look complete.
        attempts.served = visit if visit.problem is None and is_html(visit) else None
        reading = await read_response(visit, self.documents)
        tier = "markdown" if reading.kind == "markdown" else _READ_TIERS[mode]
        if reading.kind == "html" or _is_negotiated_markdown(reading, visit):
            reading = _with_quality(reading, url, visit)
        return PageRead(
            reading=require_text(reading),
            url=visit.url,
            extracted_by=tier if reading.kind in ("html", "markdown") else None,
            trace=(ReadAttempt(tier=tier, outcome=_outcome(reading)),),
            is_sparse=reading.kind == "html" and is_sparse(reading.content, len(visit.body)),
        )

    async def _render(self, attempts: ReadAttempts) -> PageRead:
        """Render the page in a browser, which requests subresources but not the page itself again."""
        known = needs_javascript(attempts.url)
        try:
            with time_limit(_BROWSER_SECONDS, self.clock):
                rendered = await self.renderer.render(
                    attempts.url, served=attempts.served, patient=known
                )
        except NotFound as error:
            # The page itself has responded before; it is the target of its scripts that is missing.
            detail = f"its scripts redirect to {error.detail}"
            raise BadAnswer(SOURCE, detail, status=error.status, cause="shape") from error
        self._refuse(rendered.url)
        attempts.rendered = rendered
        reading = require_text(
            _with_quality(await self.documents.read(rendered), attempts.url, rendered)
        )
        return PageRead(
            reading=reading,
            url=rendered.url,
            extracted_by=BROWSER,
            trace=(ReadAttempt(tier=BROWSER, outcome=_outcome(reading)),),
        )


async def _once_in_call(
    url: str, read: Callable[[], Awaitable[Cached[PageRead]]]
) -> Cached[PageRead]:
    """Read a page, or return or raise again what reading it has led to in the same call."""
    page = current_call.get().page(url)
    if isinstance(page.reading, NoSourceAnswered):
        raise page.reading
    if isinstance(page.reading, Cached):
        return page.reading
    try:
        page.reading = result = await read()
    except NoSourceAnswered as error:
        page.reading = error
        raise
    return result


async def _relay(relay: RelaysPages, name: str, url: str, clock: Clock) -> PageRead:
    with time_limit(_RELAY_SECONDS, clock), api_refusals(name):
        relayed = await relay.relay_page(url)
    reading = _with_quality(require_text(relayed.reading), url)
    return PageRead(
        reading=reading,
        url=url,
        extracted_by=f"{name}:{relayed.origin}",
        trace=(ReadAttempt(tier=name, outcome=_outcome(reading)),),
    )


def _is_negotiated_markdown(reading: Reading, visit: FetchedDocument) -> bool:
    """Whether the server sent Markdown for a page, rather than a Markdown file."""
    path = urlsplit(visit.url).path.lower()
    return reading.kind == "markdown" and not path.endswith((".md", ".markdown", ".mdown"))


def _with_quality(
    reading: Reading, requested_url: str, visit: FetchedDocument | None = None
) -> Reading:
    """Return the reading with its quality; raise Refused for a bot challenge, consent or login page."""
    body, final_url = (visit.body, visit.url) if visit else (b"", requested_url)
    # After rendering, much markup with little text is no sign of a script-rendered page.
    size = len(body) if visit and visit.mode != "rendered" else 0
    verdict = classify_page(
        reading.content,
        markup_bytes=size,
        markup=body,
        requested_url=requested_url,
        final_url=final_url,
    )
    if verdict == "wall":
        length = count_phrase(len(reading.content.encode()), "byte")
        raise Refused(SOURCE, f"bot challenge, {length}", cause="shape")
    if verdict == "consent":
        detail = "HTTP 200, a cookie consent page"
        raise Refused(SOURCE, detail, status=_HTTP_OK, cause="shape")
    if verdict == "age":
        detail = "HTTP 200, a page that asks for the visitor's age"
        raise Refused(SOURCE, detail, status=_HTTP_OK, cause="shape")
    if verdict == "login":
        # A redirect to a login page means the same as a 401.
        raise Refused(SOURCE, "redirected to a login page", status=UNAUTHORISED, cause="status")
    return reading if verdict in ("ok", "sparse") else replace(reading, quality="partial")


def _outcome(reading: Reading) -> str:
    size = len(reading.content.encode())
    return (
        "read" if reading.quality == "complete" else f"only {count_phrase(size, 'byte')} of text"
    )
