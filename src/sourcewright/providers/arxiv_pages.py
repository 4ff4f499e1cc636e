"""arXiv's abstract pages, read through its API.

Docs: https://info.arxiv.org/help/api/user-manual.html
Silent on: the text of a paper, and who cites it.
"""

import re

from sourcewright.domain.readings import Reading
from sourcewright.logic.formats.parsers import parse_xml
from sourcewright.logic.papers.arxiv_feed import read_answer
from sourcewright.logic.papers.records import abstract_page
from sourcewright.logic.urls.parts import unsupported_url_error, url_parts_of
from sourcewright.providers._base import Provider, ProviderInfo, RateLimit

_TITLE = "arXiv"
_HOST = re.compile(r"(?:(?:www|export)\.)?arxiv\.org")
_NUMBER = re.compile(
    r"(?:[0-9]{4}\.[0-9]{4,5}|[a-z-]{2,20}(?:\.[A-Z]{2})?/[0-9]{7})(?:v[0-9]{1,3})?"
)


class ArxivPages(Provider):
    """Reads a paper's arXiv record: title, authors, dates, abstract and identifiers."""

    info = ProviderInfo(
        name="arxiv_pages",
        title=f"{_TITLE} (abstract pages)",
        home="https://arxiv.org",
        base_url="https://export.arxiv.org",
        rate=RateLimit(starts=1, per_seconds=3.0, at_once=1, gap_seconds=3.0),
        allowed_hosts=("export.arxiv.org",),
        role="reading",
        label="arxiv",
        pace_of="arxiv",
    )

    def takes(self, url: str) -> bool:
        return arxiv_id_in_url(url) is not None

    async def read_site(self, url: str) -> Reading:
        paper = arxiv_id_in_url(url)
        if paper is None:
            raise unsupported_url_error(url, _TITLE)
        # `search`, not `lookup`: absence is an empty feed, and a 404 is not arXiv's own response.
        work = await self.upstream.search(
            "/api/query",
            {"id_list": paper},
            parse=parse_xml,
            read=lambda feed: read_answer(feed, paper),
        )
        return abstract_page(work, kind="arxiv", site=_TITLE)


def arxiv_id_in_url(url: str) -> str | None:
    """The arXiv id if the URL is an abstract page, else None."""
    place = url_parts_of(url)
    if place is None or not _HOST.fullmatch(place.host) or place.parts[:1] != ("abs",):
        return None
    arxiv_id = "/".join(place.parts[1:])
    return arxiv_id if _NUMBER.fullmatch(arxiv_id) else None
