"""Stands for a site's reader that is turned off: it knows its pages, and says how to have them."""

from sourcewright.domain.capabilities import ReadsSites
from sourcewright.domain.errors import NotConfigured
from sourcewright.domain.readings import Reading


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
