"""Reads a page through its fallbacks: Markdown, HTML, site reader, browser, third party.

Every way that was tried stays in the account, also when a later one worked.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar
from urllib.parse import urlsplit

from sourcewright.domain.calls import current_call, hurried
from sourcewright.domain.capabilities import ReadsSites, RelaysPages
from sourcewright.domain.errors import (
    BadAnswer,
    Denial,
    Denied,
    InvalidInput,
    NotFound,
    Refused,
    ResearchError,
    UpstreamError,
)
from sourcewright.domain.pages import BROWSER, SOURCE, Manner, Visit
from sourcewright.domain.ports import Clock, ReadsDocuments, RendersPages, VisitsPages
from sourcewright.domain.readings import Reading, Tried
from sourcewright.logic.formats.codec import JsonCodec
from sourcewright.logic.pages.failures import UNAUTHORISED, not_allowed, unread, word_for
from sourcewright.logic.pages.interstitials import builds_itself, judge
from sourcewright.logic.text.phrases import counted
from sourcewright.logic.urls.allowlists import permits
from sourcewright.logic.urls.canonical import host_of, without_anchor
from sourcewright.services.cache import Cached, Operation, OperationCache
from sourcewright.services.pages.attempts import Climb, Read, is_final
from sourcewright.services.pages.room import Room
from sourcewright.services.pages.site_readers import Interfaces, led_astray
from sourcewright.services.pages.visits import follow, is_markup, read_as_far, useful, with_text

T = TypeVar("T")

TTL_SECONDS = 3600.0
RAW_BYTES = 5_000_000
"""How much of a page is ever given as it is."""
_BROWSER_SECONDS = 30.0
_RELAY_SECONDS = 30.0
_ANSWERED = 200
_READ: Mapping[Manner, str] = {"browser": "stealth", "plain": "html"}
_RAW: Mapping[Manner, str] = {"source": "stealth", "plain": "html"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """What an address gave, as it is kept: each byte as the character of its number."""

    url: str
    content_type: str
    body: str
    cut: bool
    partial: bool
    """Whether more may come another time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """The whole question that an answer is kept under."""

    url: str


_READING = Operation(
    name="page.read",
    version=4,
    ttl_seconds=TTL_SECONDS,
    codec=JsonCodec(Read),
    keep=lambda read: read.reading.quality == "complete",
)
_SERVING = Operation(
    name="page.raw",
    version=2,
    ttl_seconds=TTL_SECONDS,
    codec=JsonCodec(Served),
    keep=lambda served: not served.partial,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PageReader:
    """Reads pages, and gives again for an hour what it has read."""

    visitor: VisitsPages
    documents: ReadsDocuments
    sites: Mapping[str, ReadsSites]
    relays: Mapping[str, RelaysPages]
    """Who may be asked when nothing else worked."""
    hosts: tuple[str, ...] | None
    """Where pages may be read; None for everywhere."""
    cache: OperationCache
    clock: Clock
    renderer: RendersPages
    """Shows a page in a browser, where there is one."""
    room: Room
    """How many pages are read at once."""

    async def read(self, url: str) -> Cached[Read]:
        """Read what is at an address.

        Raises:
            Unanswered: It could not be read; the message says what each way came to.
        """
        self._check(url, url)
        read = await self._through(_READING, url, lambda: self._read(url))
        # What was kept may have been read where more was allowed.
        self._check(url, read.value.url)
        return read

    async def visit(self, url: str) -> Cached[Visit]:
        """What is at an address, as it is, as far as `RAW_BYTES` go.

        Raises:
            Unanswered: It could not be had.
        """
        self._check(url, url)
        kept = await self._through(_SERVING, url, lambda: self._serve(url))
        self._check(url, kept.value.url)
        served = kept.value
        visit = Visit(
            body=served.body.encode("latin-1"),
            url=served.url,
            content_type=served.content_type,
            manner="source",
            cut=served.cut,
        )
        return Cached(
            value=visit,
            cached=kept.cached,
            age_seconds=kept.age_seconds,
            max_age_seconds=kept.max_age_seconds,
        )

    async def _through(
        self, operation: Operation[T], url: str, work: Callable[[], Awaitable[T]]
    ) -> Cached[T]:
        try:
            return await self.cache.through(operation, Address(url=without_anchor(url)), work)
        except UpstreamError as error:
            # What the work itself failed with is an account already; this is its time, ended.
            told = Tried(tier="deadline", outcome=word_for(error))
            raise unread(url, [(told, error)]) from error

    def _check(self, asked: str, url: str) -> None:
        try:
            self._refuse(url)
            self.visitor.check(url)
        except (Denied, InvalidInput) as error:
            told = Tried(tier="guard", outcome=word_for(error))
            raise unread(asked, [(told, error)]) from error

    def _refuse(self, url: str) -> None:
        """Raises Denied for an address where no page may be read."""
        host = host_of(url)
        if self.hosts is None or not host or permits(host, self.hosts):
            return
        denial = Denial(
            reason="redirect_not_in_allowlist", source=SOURCE, attempted=host, expected=self.hosts
        )
        raise Denied(not_allowed(host), denial)

    async def _read(self, url: str) -> Read:
        async with self.room.place():
            with self.visitor.keeping():
                return await self._climb(url)

    async def _climb(self, url: str) -> Read:
        await current_call.get().progress(f"reading {url}")
        climb = Climb(url)
        await Interfaces(self.sites, self.clock).ask(climb, url)
        for manner, tier in _READ.items():
            if climb.may_ask_again:
                await climb.attempt(tier, partial(self._once, climb, manner))
        if climb.may_render(known=builds_itself(url)):
            await climb.attempt(BROWSER, partial(self._rendered, climb))
        for name, relay in self.relays.items():
            if climb.may_relay:
                await climb.attempt(name, partial(self._relayed, relay, name, url))
        return climb.result()

    async def _serve(self, url: str) -> Served:
        tried: list[tuple[Tried, ResearchError | None]] = []
        for manner, tier in _RAW.items():
            try:
                visit = useful(await self.visitor.visit(url, manner, most_bytes=RAW_BYTES))
            except (UpstreamError, Denied, InvalidInput) as error:
                tried.append((Tried(tier=tier, outcome=word_for(error)), error))
                if is_final(error):
                    break
                continue
            return Served(
                url=visit.url,
                content_type=visit.content_type,
                body=visit.body.decode("latin-1"),
                cut=visit.cut,
                partial=visit.problem is not None,
            )
        raise unread(url, tried)

    async def _relayed(self, relay: RelaysPages, name: str, url: str) -> Read:
        with hurried(_RELAY_SECONDS, self.clock), led_astray(name):
            relayed = await relay.relay_page(url)
        reading = _judged(with_text(relayed.reading), url)
        return Read(
            reading=reading,
            url=url,
            content_type="",
            extracted_by=f"{name}:{relayed.origin}",
            trace=(Tried(tier=name, outcome=_outcome(reading)),),
        )

    async def _once(self, climb: Climb, manner: Manner) -> Read | None:
        """One request, and what can be made of it; None where it led to a site that tells itself."""
        url = climb.url
        visit = await follow(self.visitor, climb, manner, _READ[manner])
        sites = Interfaces(self.sites, self.clock)
        if await sites.ask_at_the_end(climb, _READ[manner], visit.url):
            return None
        # A part would be shown as if it were the whole.
        climb.served = visit if visit.problem is None and is_markup(visit) else None
        reading = await read_as_far(visit, self.documents)
        tier = "markdown" if reading.kind == "markdown" else _READ[manner]
        if reading.kind == "html" or _is_offered(reading, visit):
            reading = _judged(reading, url, visit)
        return Read(
            reading=with_text(reading),
            url=visit.url,
            content_type=visit.content_type,
            extracted_by=tier if reading.kind in ("html", "markdown") else None,
            trace=(Tried(tier=tier, outcome=_outcome(reading)),),
        )

    async def _rendered(self, climb: Climb) -> Read:
        """The page as a browser shows it, which asks for its parts, but not for itself again."""
        known = builds_itself(climb.url)
        try:
            with hurried(_BROWSER_SECONDS, self.clock):
                shown = await self.renderer.render(climb.url, served=climb.served, patient=known)
        except NotFound as error:
            # The page itself has answered before: where its scripts led to, nothing is.
            detail = f"its scripts lead to {error.detail}"
            raise BadAnswer(SOURCE, detail, status=error.status, cause="shape") from error
        self._refuse(shown.url)
        reading = with_text(_judged(await self.documents.read(shown), climb.url, shown))
        return Read(
            reading=reading,
            url=shown.url,
            content_type=climb.served.content_type if climb.served else shown.content_type,
            extracted_by=BROWSER,
            trace=(Tried(tier=BROWSER, outcome=_outcome(reading)),),
        )


def _is_offered(reading: Reading, visit: Visit) -> bool:
    """Whether Markdown came in the place of a page: nobody asked for a file of it."""
    path = urlsplit(visit.url).path.lower()
    return reading.kind == "markdown" and not path.endswith((".md", ".markdown", ".mdown"))


def _judged(reading: Reading, asked: str, visit: Visit | None = None) -> Reading:
    """The reading, as good as it is; a wall in front of the page is no reading of it."""
    body, found = (visit.body, visit.url) if visit else (b"", asked)
    # Much markup around little text is no sign of a shell once the scripts have run.
    size = len(body) if visit and visit.manner != "rendered" else 0
    verdict = judge(reading.content, markup_bytes=size, markup=body, asked=asked, found=found)
    if verdict == "wall":
        said = counted(len(reading.content.encode()), "byte")
        raise Refused(SOURCE, f"bot wall, {said}", cause="shape")
    if verdict == "consent":
        detail = "HTTP 200, a page that asks for consent to cookies"
        raise Refused(SOURCE, detail, status=_ANSWERED, cause="shape")
    if verdict == "login":
        # A redirect to a login page says what a 401 says.
        raise Refused(SOURCE, "sent to a login page", status=UNAUTHORISED, cause="status")
    return reading if verdict == "ok" else replace(reading, quality="partial")


def _outcome(reading: Reading) -> str:
    size = len(reading.content.encode())
    return "read" if reading.quality == "complete" else f"only {counted(size, 'byte')} of text"
