"""NCBI: the DOI of a PubMed or PubMed Central record, and PubMed's abstract pages.

Docs: https://www.ncbi.nlm.nih.gov/books/NBK25499/ (ESummary, EFetch)
Silent on: works that PubMed does not list; the DOI of old records and of books; the text of an article.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

from sourcewright.domain.capabilities import Role
from sourcewright.domain.identifiers import Pmcid, Pmid
from sourcewright.domain.options import Option
from sourcewright.domain.readings import Reading
from sourcewright.logic.papers.records import abstract_page
from sourcewright.logic.urls.parts import unsupported_url_error, url_parts_of
from sourcewright.providers._base import Provider, ProviderInfo, RateLimit
from sourcewright.providers.ncbi.records import parse_records, read_record
from sourcewright.providers.ncbi.summaries import read_answer

TOOL = "sourcewright"
_NAME, _SITE = "ncbi", "PubMed"
_NUMBER = re.compile(r"[1-9][0-9]{0,8}")
_PATH_PREFIXES = {
    "pubmed.ncbi.nlm.nih.gov": (),
    "www.ncbi.nlm.nih.gov": ("pubmed",),
    "ncbi.nlm.nih.gov": ("pubmed",),
}
"""Hosts of abstract pages, and the path segments before the PMID."""


class Ncbi(Provider):
    """Resolves PubMed and PMC ids to DOIs, and reads the abstract pages of PubMed."""

    info = ProviderInfo(
        name=_NAME,
        title="NCBI E-utilities",
        home="https://www.ncbi.nlm.nih.gov",
        base_url="https://eutils.ncbi.nlm.nih.gov/entrez/eutils",
        rate=RateLimit(starts=3, per_seconds=1.0, at_once=1, gap_seconds=0.334),
        allowed_hosts=("eutils.ncbi.nlm.nih.gov",),
        options=(
            Option(
                name="enabled",
                env=("DOIGET_ENABLE_NCBI",),
                help="Ask NCBI which DOI a PubMed or PMC id has; 0 turns it off.",
                kind="flag",
                default=True,
            ),
            Option(
                name="email",
                env=("PUBMED_EMAIL",),
                help="Address that NCBI writes to before it blocks a caller.",
                kind="email",
                contact=True,
            ),
            Option(
                name="api_key",
                env=("PUBMED_API_KEY",),
                help="Key of an NCBI account; works without.",
                kind="secret",
            ),
        ),
    )

    # The option disables the conversion of ids alone.
    info_in: ClassVar[Mapping[Role, ProviderInfo]] = {"reading": replace(info, options=())}

    async def doi_of(self, pubmed_id: Pmid | Pmcid) -> str | None:
        uid = pubmed_id.value.removeprefix("PMC")
        database = "pubmed" if isinstance(pubmed_id, Pmid) else "pmc"
        return await self.upstream.search(
            "/esummary.fcgi",
            self._params(db=database, id=uid, retmode="json"),
            read=lambda answer: read_answer(answer, uid),
        )

    def accepts(self, url: str) -> bool:
        return pmid_in_url(url) is not None

    async def read_site(self, url: str) -> Reading:
        """The abstract page, from the record: title, authors, journal, abstract, notices."""
        pmid = pmid_in_url(url)
        if pmid is None:
            raise unsupported_url_error(url, _SITE)
        # `search`, not `lookup`: absence is an empty set, and a 404 is not NCBI's own response.
        record = await self.upstream.search(
            "/efetch.fcgi",
            self._params(db="pubmed", id=pmid, retmode="xml"),
            parse=parse_records,
            read=lambda root: read_record(root, pmid, _NAME),
        )
        identifiers = {"PMID": record.pmid, "PMCID": record.pmcid, "Notice_for": record.speaks_of}
        return abstract_page(record.work, kind="pubmed", site=_SITE, **identifiers)

    def _params(self, **asked: str) -> dict[str, str]:
        """Request parameters, with those by which NCBI knows the caller."""
        caller = {name: self.options.get(name) for name in ("email", "api_key")}
        known = {name: value for name, value in caller.items() if value}
        return {**asked, "tool": TOOL, **known}


def pmid_in_url(url: str) -> str | None:
    """The PMID if the URL is an abstract page, else None."""
    place = url_parts_of(url)
    prefix = _PATH_PREFIXES.get(place.host) if place else None
    if place is None or prefix is None or place.parts[:-1] != prefix:
        return None
    return place.parts[-1] if place.parts and _NUMBER.fullmatch(place.parts[-1]) else None
