"""The time limit of a site reader leaves time to request the page itself."""

from contextlib import nullcontext

import pytest

from sourcewright.base.calls import current_call, time_limit
from sourcewright.reading.readings import Reading
from sourcewright.services.pages.attempts import ReadAttempts
from sourcewright.services.pages.site_readers import SiteReaders

pytestmark = pytest.mark.anyio

URL = "https://a.example/page"
NOW = 1000.0


class Clock:
    """A clock that stands still."""

    def monotonic(self):
        return NOW


class Site:
    """A site that records its deadline."""

    deadline = None

    def accepts(self, url):
        return url == URL

    async def read_site(self, url):
        self.deadline = current_call.get().deadline
        return Reading(content=f"Read at {url}.", kind="site")


@pytest.mark.parametrize(("left", "until"), [(None, NOW + 30), (60.0, NOW + 30), (7.0, NOW + 7)])
async def test_an_interface_leaves_time_to_ask_for_the_page_itself(left, until):
    site, climb = Site(), ReadAttempts(URL)

    with nullcontext() if left is None else time_limit(left, Clock()):
        await SiteReaders({"site": site}, Clock()).ask(climb, URL)

    assert site.deadline == until
    assert climb.best.reading.content == f"Read at {URL}."
