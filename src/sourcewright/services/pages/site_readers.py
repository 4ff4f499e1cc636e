"""Site readers: read pages of particular sites through the site's API."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

from sourcewright.base.calls import time_limit
from sourcewright.base.clocks import Clock
from sourcewright.base.errors import BadAnswer, Denied, InvalidInput, NotConfigured
from sourcewright.base.failure_details import failure_detail
from sourcewright.base.urls.canonical import host_of
from sourcewright.domain.capabilities import ReadsSites
from sourcewright.reading.interstitials import needs_javascript
from sourcewright.reading.readings import ReadAttempt, Reading
from sourcewright.services.pages.attempts import PageRead, ReadAttempts
from sourcewright.services.pages.visits import require_text

_SECONDS = 30.0
"""Half of a call's deadline, so that the page itself can still be requested."""


@dataclass(frozen=True, slots=True)
class SiteReaders:
    """The site readers, by name."""

    sites: Mapping[str, ReadsSites]
    clock: Clock

    async def ask(self, attempts: ReadAttempts, url: str) -> None:
        """Try the readers that take this URL, until one succeeds."""
        for name, site in self.sites.items():
            if not attempts.is_done and site.accepts(url):
                await attempts.attempt(name, partial(self._read, name, url), aside=True)
                # For a script-rendered page, even a partial API result has more than its HTML.
                attempts.is_final = attempts.best is not None and needs_javascript(url)

    async def ask_at_the_end(self, attempts: ReadAttempts, tier: str, final_url: str) -> bool:
        """Try site readers for the URL after redirects; return whether one succeeded."""
        known = [site for site in self.sites.values() if site.accepts(final_url)]
        if (
            final_url == attempts.url
            or not known
            or any(site.accepts(attempts.url) for site in known)
        ):
            return False
        attempts.tried.append(
            (ReadAttempt(tier=tier, outcome=f"redirected to {host_of(final_url)}"), None)
        )
        await self.ask(attempts, final_url)
        return attempts.is_done

    async def _read(self, name: str, url: str) -> PageRead:
        with time_limit(_SECONDS, self.clock), api_refusals(name):
            reading = require_text(await self.sites[name].read_site(url))
        trace = (ReadAttempt(tier=name, outcome="read"),)
        return PageRead(reading=reading, url=url, extracted_by=None, trace=trace)


@contextmanager
def api_refusals(name: str) -> Iterator[None]:
    """Convert refusals of API URLs to BadAnswer: they are not refusals of the page."""
    try:
        yield
    except (Denied, InvalidInput) as error:
        detail = failure_detail(error).removeprefix(f"{name}: ")
        raise BadAnswer(name, detail, cause="format") from error


class DisabledSiteReader:
    """Stands in for a disabled reader: takes its URLs, and says how to enable it."""

    def __init__(self, site: ReadsSites, switch: str) -> None:
        self._site = site
        self._switch = switch

    def accepts(self, url: str) -> bool:
        return self._site.accepts(url)

    async def read_site(self, _url: str) -> Reading:
        message = f"disabled (enable it with {self._switch}=1)"
        raise NotConfigured(message, setting=self._switch)
