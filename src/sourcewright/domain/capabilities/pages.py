"""Capabilities around single pages: site readers, relays, web archives."""

from typing import Protocol, runtime_checkable

from sourcewright.base.links import Capture, Snapshot
from sourcewright.domain.capabilities.roles import used_for
from sourcewright.reading.readings import Reading, RelayedPage


@used_for("reading")
@runtime_checkable
class ReadsSites(Protocol):
    """Reads the pages of one site through the site's own API."""

    def accepts(self, url: str) -> bool:
        """Whether it can read this URL."""
        ...

    async def read_site(self, url: str) -> Reading: ...


@used_for("relay")
@runtime_checkable
class RelaysPages(Protocol):
    """Fetches any page on our behalf; the operator of the relay learns its URL."""

    async def relay_page(self, url: str) -> RelayedPage: ...


@used_for("archive")
@runtime_checkable
class FindsSnapshots(Protocol):
    """Finds the archived copy of a page."""

    async def find_snapshot(self, url: str) -> Snapshot: ...


@used_for("archive")
@runtime_checkable
class CapturesPages(Protocol):
    """Makes an archived copy of a page."""

    async def capture(self, url: str) -> Capture:
        """Ask for a copy.

        Raises:
            Refused: The archive does not copy this page.
            UpstreamError: It could not be asked.
        """
        ...

    async def capture_status(self, job_id: str) -> Capture:
        """Return the copy that a job made, or the job if it is not done yet."""
        ...
