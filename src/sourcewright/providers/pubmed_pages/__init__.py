"""PubMed's abstract pages, read through NCBI's E-utilities.

Docs: https://www.ncbi.nlm.nih.gov/books/NBK25499/ (EFetch)
Silent on: the text of an article, and the abstracts of many old articles.
"""

import re

from sourcewright.domain.readings import Reading
from sourcewright.logic.papers.records import abstract_page
from sourcewright.logic.urls.parts import unsupported_url_error, url_parts_of
from sourcewright.providers._base import Provider, ProviderInfo, RateLimit
from sourcewright.providers.pubmed_pages.records import parse_records, read_record

TOOL = "sourcewright"
_SOURCE, _TITLE = "ncbi", "PubMed"
_NUMBER = re.compile(r"[1-9][0-9]{0,8}")
_PATH_PREFIXES = {
    "pubmed.ncbi.nlm.nih.gov": (),
    "www.ncbi.nlm.nih.gov": ("pubmed",),
    "ncbi.nlm.nih.gov": ("pubmed",),
}
"""Hosts of abstract pages, and the path segments before the PMID."""


class PubmedPages(Provider):
    """Reads an article's PubMed record: title, authors, journal, abstract, identifiers, notices."""

    info = ProviderInfo(
        name="pubmed_pages",
        title=f"{_TITLE} (abstract pages)",
        home="https://pubmed.ncbi.nlm.nih.gov",
        base_url="https://eutils.ncbi.nlm.nih.gov/entrez/eutils",
        rate=RateLimit(starts=3, per_seconds=1.0, at_once=1, gap_seconds=0.334),
        allowed_hosts=("eutils.ncbi.nlm.nih.gov",),
        role="reading",
        label=_SOURCE,
        pace_of="ncbi",
    )

    def takes(self, url: str) -> bool:
        return pmid_in_url(url) is not None

    async def read_site(self, url: str) -> Reading:
        number = pmid_in_url(url)
        if number is None:
            raise unsupported_url_error(url, _TITLE)
        # `search`, not `lookup`: absence is an empty set, and a 404 is not NCBI's own response.
        record = await self.upstream.search(
            "/efetch.fcgi",
            {"db": "pubmed", "id": number, "retmode": "xml", "tool": TOOL},
            parse=parse_records,
            read=lambda root: read_record(root, number, _SOURCE),
        )
        identifiers = {"PMID": record.pmid, "PMCID": record.pmcid, "Notice_for": record.speaks_of}
        return abstract_page(record.work, kind="pubmed", site=_TITLE, **identifiers)


def pmid_in_url(url: str) -> str | None:
    """The PMID if the URL is an abstract page, else None."""
    place = url_parts_of(url)
    prefix = _PATH_PREFIXES.get(place.host) if place else None
    if place is None or prefix is None or place.parts[:-1] != prefix:
        return None
    return place.parts[-1] if place.parts and _NUMBER.fullmatch(place.parts[-1]) else None
