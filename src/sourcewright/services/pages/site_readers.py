"""Site readers: read pages of particular sites through the site's API."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

from sourcewright.domain.calls import hurried
from sourcewright.domain.capabilities import ReadsSites
from sourcewright.domain.errors import BadAnswer, Denied, InvalidInput, NotConfigured
from sourcewright.domain.ports import Clock
from sourcewright.domain.readings import Reading, Tried
from sourcewright.logic.pages.failures import word_for
from sourcewright.logic.pages.interstitials import builds_itself
from sourcewright.logic.urls.canonical import host_of
from sourcewright.services.pages.attempts import Climb, Read
from sourcewright.services.pages.visits import with_text

_SECONDS = 30.0
"""Half of a call's deadline, so that the page itself can still be requested."""


@dataclass(frozen=True, slots=True)
class Interfaces:
    """The site readers, by name."""

    sites: Mapping[str, ReadsSites]
    clock: Clock

    async def ask(self, attempts: Climb, url: str) -> None:
        """Try the readers that take this URL, until one succeeds."""
        for name, site in self.sites.items():
            if not attempts.done and site.takes(url):
                await attempts.attempt(name, partial(self._read, name, url), aside=True)
                # For a script-rendered page, even a partial API result has more than its HTML.
                attempts.settled = attempts.best is not None and builds_itself(url)

    async def ask_at_the_end(self, attempts: Climb, tier: str, found: str) -> bool:
        """Try site readers for the URL after redirects; return whether one succeeded."""
        known = [site for site in self.sites.values() if site.takes(found)]
        if found == attempts.url or not known or any(site.takes(attempts.url) for site in known):
            return False
        attempts.tried.append((Tried(tier=tier, outcome=f"led to {host_of(found)}"), None))
        await self.ask(attempts, found)
        return attempts.done

    async def _read(self, name: str, url: str) -> Read:
        with hurried(_SECONDS, self.clock), led_astray(name):
            reading = with_text(await self.sites[name].read_site(url))
        trace = (Tried(tier=name, outcome="read"),)
        return Read(reading=reading, url=url, content_type="", extracted_by=None, trace=trace)


@contextmanager
def led_astray(name: str) -> Iterator[None]:
    """Convert refusals of API URLs to BadAnswer: they are not refusals of the page."""
    try:
        yield
    except (Denied, InvalidInput) as error:
        detail = word_for(error).removeprefix(f"{name}: ")
        raise BadAnswer(name, detail, cause="format") from error


class Declined:
    """Stands in for a disabled reader: takes its URLs, and says how to enable it."""

    def __init__(self, site: ReadsSites, switch: str) -> None:
        self._site = site
        self._switch = switch

    def takes(self, url: str) -> bool:
        return self._site.takes(url)

    async def read_site(self, _url: str) -> Reading:
        message = f"turned off ({self._switch}=1 turns it on)"
        raise NotConfigured(message, setting=self._switch)
