"""Site readers: sites whose pages are read through their API.

Stands for a site's reader that is turned off: it knows its pages, and says how to have them.
"""

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
"""Half of a call's time, so that the page itself can still be asked for."""


@dataclass(frozen=True, slots=True)
class Interfaces:
    """The readers of particular sites, by their names."""

    sites: Mapping[str, ReadsSites]
    clock: Clock

    async def ask(self, climb: Climb, url: str) -> None:
        """Have the sites tell that know an address, until one has."""
        for name, site in self.sites.items():
            if not climb.done and site.takes(url):
                await climb.attempt(name, partial(self._read, name, url), aside=True)
                # A page that its scripts build shows less than what its interface tells in part.
                climb.settled = climb.best is not None and builds_itself(url)

    async def ask_at_the_end(self, climb: Climb, tier: str, found: str) -> bool:
        """Whether an address only led to a page of which its site has told now."""
        known = [site for site in self.sites.values() if site.takes(found)]
        if found == climb.url or not known or any(site.takes(climb.url) for site in known):
            return False
        climb.tried.append((Tried(tier=tier, outcome=f"led to {host_of(found)}"), None))
        await self.ask(climb, found)
        return climb.done

    async def _read(self, name: str, url: str) -> Read:
        with hurried(_SECONDS, self.clock), led_astray(name):
            reading = with_text(await self.sites[name].read_site(url))
        trace = (Tried(tier=name, outcome="read"),)
        return Read(reading=reading, url=url, content_type="", extracted_by=None, trace=trace)


@contextmanager
def led_astray(name: str) -> Iterator[None]:
    """Tell a refusal of our own rules on the way to somebody else from one of the page."""
    try:
        yield
    except (Denied, InvalidInput) as error:
        detail = word_for(error).removeprefix(f"{name}: ")
        raise BadAnswer(name, detail, cause="format") from error


class Declined:
    """Takes the pages that the reader would take, and asks nobody for them."""

    def __init__(self, site: ReadsSites, switch: str) -> None:
        self._site = site
        self._switch = switch

    def takes(self, url: str) -> bool:
        return self._site.takes(url)

    async def read_site(self, _url: str) -> Reading:
        message = f"turned off ({self._switch}=1 turns it on)"
        raise NotConfigured(message, setting=self._switch)
