"""Sites that tell of their pages through an interface of their own, and what to make of that."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

from sourcewright.domain.calls import hurried
from sourcewright.domain.capabilities import ReadsSites
from sourcewright.domain.errors import BadAnswer, Denied, InvalidInput
from sourcewright.domain.ports import Clock
from sourcewright.domain.readings import Tried
from sourcewright.logic.addressing import host_of
from sourcewright.logic.shelling import builds_itself
from sourcewright.logic.unreading import word_for
from sourcewright.services.climbing import Climb, Read
from sourcewright.services.parting import with_text

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
