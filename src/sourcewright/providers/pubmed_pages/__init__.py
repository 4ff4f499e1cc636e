"""PubMed's abstract pages, read through NCBI's E-utilities.

Docs: https://www.ncbi.nlm.nih.gov/books/NBK25499/ (EFetch)
Silent on: the text of an article, and the abstract of many that are old.
"""

import re

from sourcewright.domain.readings import Reading
from sourcewright.logic.papers.records import abstract_page
from sourcewright.logic.urls.parts import foreign, place_of
from sourcewright.providers._base import Provider, ProviderInfo, Rate
from sourcewright.providers.pubmed_pages.records import parse_records, read_record

TOOL = "sourcewright"
_SOURCE, _TITLE = "ncbi", "PubMed"
_NUMBER = re.compile(r"[1-9][0-9]{0,8}")
_ABOVE = {
    "pubmed.ncbi.nlm.nih.gov": (),
    "www.ncbi.nlm.nih.gov": ("pubmed",),
    "ncbi.nlm.nih.gov": ("pubmed",),
}
"""The hosts of abstract pages, and what stands before a page's number."""


class PubmedPages(Provider):
    """Reads what PubMed says of an article: title, authors, journal, abstract, names, notices."""

    info = ProviderInfo(
        name="pubmed_pages",
        title=f"{_TITLE} (abstract pages)",
        home="https://pubmed.ncbi.nlm.nih.gov",
        base_url="https://eutils.ncbi.nlm.nih.gov/entrez/eutils",
        rate=Rate(starts=3, per_seconds=1.0, at_once=1, gap_seconds=0.334),
        allowed_hosts=("eutils.ncbi.nlm.nih.gov",),
        role="reading",
        label=_SOURCE,
        pace_of="ncbi",
    )

    def takes(self, url: str) -> bool:
        return number_at(url) is not None

    async def read_site(self, url: str) -> Reading:
        number = number_at(url)
        if number is None:
            raise foreign(url, _TITLE)
        # A search in form: absence is an empty set, and a 404 would be no word of NCBI's.
        record = await self.upstream.search(
            "/efetch.fcgi",
            {"db": "pubmed", "id": number, "retmode": "xml", "tool": TOOL},
            parse=parse_records,
            read=lambda root: read_record(root, number, _SOURCE),
        )
        known = {"PMID": record.pmid, "PMCID": record.pmcid, "Notice_for": record.speaks_of}
        return abstract_page(record.work, kind="pubmed", site=_TITLE, **known)


def number_at(url: str) -> str | None:
    """The number of the record whose page an address is."""
    place = place_of(url)
    above = _ABOVE.get(place.host) if place else None
    if place is None or above is None or place.parts[:-1] != above:
        return None
    return place.parts[-1] if place.parts and _NUMBER.fullmatch(place.parts[-1]) else None
