"""arXiv: preprints in physics, mathematics, computer science and more, each with its PDF.

Docs: https://info.arxiv.org/help/api/user-manual.html
Silent on: the licence of a paper, and later corrections or retractions by a journal.
"""

import re

from sourcewright.domain.files import FetchedFile
from sourcewright.domain.works import Work
from sourcewright.logic.formats.parsers import parse_xml
from sourcewright.logic.papers.arxiv_feed import read_answer, read_entries, read_work
from sourcewright.net.exchange import PDF
from sourcewright.providers._base import Provider, ProviderInfo, RateLimit


class Arxiv(Provider):
    """Describes papers by arXiv id, finds them by title, and downloads their PDFs."""

    info = ProviderInfo(
        name="arxiv",
        title="arXiv",
        home="https://arxiv.org",
        base_url="https://export.arxiv.org",
        rate=RateLimit(starts=1, per_seconds=3.0, at_once=1, gap_seconds=3.0),
        allowed_hosts=("arxiv.org", "export.arxiv.org", "*.arxiv.org"),
        tier=1,
    )

    async def describe_arxiv(self, arxiv_id: str) -> Work:
        # `search`, not `lookup`: absence is an empty feed, and a 404 is not arXiv's own response.
        return await self.upstream.search(
            "/api/query",
            {"id_list": arxiv_id},
            parse=parse_xml,
            read=lambda feed: read_answer(feed, arxiv_id),
        )

    async def search_title(self, title: str) -> tuple[Work, ...]:
        return await self.upstream.search(
            "/api/query",
            {"search_query": f'ti:"{query_words(title)}"', "max_results": "5"},
            parse=parse_xml,
            read=lambda feed: tuple(map(read_work, read_entries(feed))),
        )

    async def deliver_arxiv(self, arxiv_id: str) -> FetchedFile:
        return await self.upstream.download(f"https://arxiv.org/pdf/{arxiv_id}", PDF)


def query_words(title: str) -> str:
    """The words of a title, without punctuation that arXiv would read as query syntax."""
    return " ".join(re.findall(r"\w+", title))
