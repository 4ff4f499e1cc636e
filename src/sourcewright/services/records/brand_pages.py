"""Brand pages of a site: the usual addresses are probed, and the best page is read and checked."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from sourcewright.base.calls import time_limit
from sourcewright.base.clocks import Clock
from sourcewright.base.concurrency import run_concurrently
from sourcewright.base.errors import NotFound, Refused
from sourcewright.base.failure_details import failure_detail
from sourcewright.base.links import LinkCheck, ProbesLinks
from sourcewright.base.pages import SOURCE, FetchedDocument
from sourcewright.domain.evidence import NoSourceAnswered
from sourcewright.domain.records.brands import BrandFacts, UncheckedPage
from sourcewright.reading.interstitials import classify_page
from sourcewright.services.brands.guidelines import (
    guideline_facts,
    is_same_page,
    says_not_found,
    speaks_of_brand,
    subpages,
)
from sourcewright.services.brands.markup import Markup, markdown_markup, markup_of
from sourcewright.services.brands.sites import (
    BrandAddress,
    BrandSite,
    brand_addresses,
    control_address,
    control_host,
    is_on_domain,
    is_same_host,
)
from sourcewright.services.pages.attempts import PageRead
from sourcewright.services.pages.reader import PageReader

AT_ONCE: Final = 8
PROBES_SECONDS: Final = 15.0
PAGE_SECONDS: Final = 25.0
_MAX_READ: Final = 4
"""Addresses that are read in search of the brand page."""
_MAX_TEXT: Final = 500_000


@dataclass(frozen=True, slots=True, kw_only=True)
class BrandPage:
    """A page that was read."""

    url: str
    markup: Markup
    facts: BrandFacts
    text: str
    """The page as Markdown."""


@dataclass(slots=True)
class Portal:
    """The brand page of a site and its sub-pages, or why there is none to show."""

    pages: list[BrandPage] = field(default_factory=list)
    url: str | None = None
    problem: str | None = None
    """Why the page at the URL could not be read."""
    unchecked: list[UncheckedPage] = field(default_factory=list)
    elsewhere: str | None = None

    @property
    def text(self) -> str | None:
        parts = (
            f"# {one.markup.title or one.url}\n\n{one.url}\n\n{one.text}" for one in self.pages
        )
        return "\n\n".join(parts)[:_MAX_TEXT] or None


@dataclass(slots=True)
class Probes:
    """What the usual addresses of brand pages answered."""

    live: list[tuple[BrandAddress, str]] = field(default_factory=list)
    """Addresses that answer, and the URLs that they lead to; the most likely first."""
    unchecked: list[UncheckedPage] = field(default_factory=list)
    elsewhere: str | None = None
    control: str | None = None
    """A page that the site shows at an address that it cannot have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BrandPages:
    """Finds and reads brand pages."""

    reader: PageReader
    probe: ProbesLinks
    clock: Clock

    async def homepage(self, site: BrandSite) -> Markup:
        """Return the homepage of a site.

        Raises:
            NoSourceAnswered: It could not be read.
        """
        try:
            return await self._served(site.homepage)
        except NoSourceAnswered as error:
            www = site.fallback_homepage
            if www is None or getattr(error.decisive, "cause", None) != "connect":
                raise
        return await self._served(www)

    async def portal(
        self, site: BrandSite, homepage: Callable[[], Awaitable[Markup | None]]
    ) -> Portal:
        """Probe the hosts of brand pages, then the paths, until an address has a brand page.

        Most sites refuse more than a few requests a second, so that paths are not probed in vain.
        """
        addresses, portal = brand_addresses(site), Portal()
        until = self.clock.monotonic() + PROBES_SECONDS
        for is_host, control in ((True, control_host(site)), (False, control_address(site))):
            group = [one for one in addresses if one.is_host == is_host]
            probes = await self._probes(site, group, control, until)
            portal.unchecked += probes.unchecked
            portal.elsewhere = portal.elsewhere or probes.elsewhere
            if probes.live:
                await self._read_portal(portal, probes, await homepage())
            if portal.pages:
                break
        return portal

    async def _probes(
        self, site: BrandSite, addresses: Sequence[BrandAddress], control: str, until: float
    ) -> Probes:
        """Probe addresses, and one that no site has."""
        slots = asyncio.Semaphore(AT_ONCE)

        async def check(url: str) -> LinkCheck:
            async with slots:
                left = until - self.clock.monotonic()
                if left <= 0:
                    return LinkCheck(state="unchecked", problem="not probed in time")
                with time_limit(left, self.clock):
                    return await self.probe.probe(url)

        urls = [control, *(one.url for one in addresses)]
        control_check, *checks = await run_concurrently([check(url) for url in urls])
        probes = Probes(control=_answered(control, control_check))
        for address, one in zip(addresses, checks, strict=True):
            _sort(probes, address, one, site)
        return probes

    async def _read_portal(self, portal: Portal, probes: Probes, homepage: Markup | None) -> None:
        """Read the addresses that answered until one proves to be a brand page."""
        live, control = probes.live, probes.control
        if len(live) > _MAX_READ:
            live = await self._distinct(live, homepage)
        others = [homepage, await self._control(control) if control and live else None]
        known = [one for one in others if one]
        for address, url in live[:_MAX_READ]:
            try:
                page = await self.read(url)
            except NoSourceAnswered as error:
                self._note_unread(portal, address, url, control, error)
                continue
            if _is_brand_page(page, known, proof=address.ambiguous or control is not None):
                portal.url, portal.problem = page.url, None
                portal.pages = [page, *await self._subpages(page, portal)]
                return

    async def read(self, url: str) -> BrandPage:
        """Read a page with what it states.

        Raises:
            NoSourceAnswered: It could not be read.
        """
        with time_limit(PAGE_SECONDS, self.clock):
            read, document = await self.reader.read_with_markup(url)
        return await asyncio.to_thread(_page, read, document)

    async def _served(self, url: str) -> Markup:
        with time_limit(PAGE_SECONDS, self.clock):
            visited = (await self.reader.visit(url)).value
        page = await asyncio.to_thread(
            markup_of, visited.body, url=visited.url, content_type=visited.content_type
        )
        verdict = classify_page(
            page.text,
            markup_bytes=len(visited.body),
            markup=visited.body,
            requested_url=url,
            final_url=visited.url,
        )
        if verdict in ("wall", "consent", "login"):
            detail = "it shows a bot challenge, a consent form or a login page"
            refused = Refused(SOURCE, detail, cause="shape")
            raise NoSourceAnswered(f"Blocked: {url}: {detail}.", decisive=refused, attempts=())
        return page

    async def _distinct(
        self, live: Sequence[tuple[BrandAddress, str]], homepage: Markup | None
    ) -> list[tuple[BrandAddress, str]]:
        """Leave out addresses that serve the homepage or what most others serve."""
        slots = asyncio.Semaphore(AT_ONCE)

        async def text(url: str) -> str | None:
            async with slots:
                try:
                    return (await self._served(url)).text
                except NoSourceAnswered:
                    return None

        texts = await run_concurrently([text(url) for _, url in live])
        shared = {one for one, count in Counter(texts).items() if one and count > 2}
        shared |= {homepage.text} if homepage else set()
        return [one for one, seen in zip(live, texts, strict=True) if seen not in shared]

    async def _control(self, url: str) -> Markup | None:
        try:
            return (await self.read(url)).markup
        except NoSourceAnswered:
            return None

    async def _subpages(self, page: BrandPage, portal: Portal) -> list[BrandPage]:
        async def read(url: str) -> BrandPage | None:
            try:
                return await self.read(url)
            except NoSourceAnswered as error:
                portal.unchecked.append(UncheckedPage(url=url, reason=_reason(error)))
                return None

        urls = subpages(page.markup)
        pages = await run_concurrently([read(url) for url in urls]) if urls else []
        return [one for one in pages if one and not says_not_found(one.markup)]

    def _note_unread(
        self,
        portal: Portal,
        address: BrandAddress,
        url: str,
        control: str | None,
        error: NoSourceAnswered,
    ) -> None:
        """Note a page that answers but cannot be read: a portal, unless any address answers so."""
        if isinstance(error.decisive, NotFound):
            return
        if portal.url is None and control is None and not address.ambiguous:
            portal.url, portal.problem = url, _reason(error)
        else:
            portal.unchecked.append(UncheckedPage(url=url, reason=_reason(error)))


def _page(read: PageRead, document: FetchedDocument | None) -> BrandPage:
    reading = read.reading
    if document is None or not document.body:
        markup = markdown_markup(reading.content, url=read.url, title=reading.title)
    else:
        markup = markup_of(document.body, url=read.url, content_type=document.content_type)
    return BrandPage(
        url=read.url, markup=markup, facts=guideline_facts(markup), text=reading.content
    )


def _answered(url: str, check: LinkCheck) -> str | None:
    """Where an address leads that no site has; None if it leads nowhere or to a front page."""
    return url if check.state == "live" and check.change != "front_page" else None


def _sort(probes: Probes, address: BrandAddress, check: LinkCheck, site: BrandSite) -> None:
    """Add what an address answered to the probes; one that is not there is left out."""
    if check.state == "live":
        final = check.final_url or address.url
        if check.change == "front_page" or not is_same_host(final, address.url):
            if not is_on_domain(final, site.domain):
                probes.elsewhere = probes.elsewhere or final
            return
        probes.live.append((address, final))
    elif check.state != "dead" and not check.no_such_host:
        status = f"HTTP {check.http_status}" if check.http_status else "no answer"
        reason = f"refused ({status})" if check.state == "refused" else check.problem or status
        probes.unchecked.append(UncheckedPage(url=address.url, reason=reason))


def _is_brand_page(page: BrandPage, others: Sequence[Markup], *, proof: bool) -> bool:
    """Whether a page is about the brand, and no other page of the site under its address."""
    markup = page.markup
    if says_not_found(markup) or any(markup.text == one.text for one in others):
        return False
    if not proof:
        return True
    return speaks_of_brand(markup) and not any(is_same_page(markup, one) for one in others)


def _reason(error: NoSourceAnswered) -> str:
    return failure_detail(error.decisive)
