"""SEC EDGAR: filings of companies in the USA, and the figures in their financial reports.

Docs: https://www.sec.gov/search-filings/edgar-application-programming-interfaces and https://www.sec.gov/about/webmaster-frequently-asked-questions#developers
Silent on: the text of filings before 2001, and figures of companies that file no XBRL.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from sourcewright.base.formats.json_parts import parts_of
from sourcewright.domain.options import Option
from sourcewright.domain.records.filings import (
    CompanyFacts,
    Filer,
    FilerDirectory,
    FilerMatches,
    FilingPage,
    FilingQuery,
)
from sourcewright.net.http.exchange import MEBIBYTE
from sourcewright.providers._base import Provider, ProviderInfo, RateLimit, own_404
from sourcewright.providers.edgar.companies import parse_feed, read_directory, read_matches
from sourcewright.providers.edgar.company_facts import read_facts
from sourcewright.providers.edgar.full_text import read_hits, search_params
from sourcewright.providers.edgar.submissions import (
    OlderFilings,
    Submissions,
    archives_for,
    is_unknown_filer,
    read_archive,
    read_submissions,
    select,
)

_WWW, _DATA, _FULL_TEXT = "www.sec.gov", "data.sec.gov", "efts.sec.gov"
_MAX_ARCHIVES = 25
"""Archive files that one search reads; a large bank has more of them, with 2000 filings each."""
_MAX_MATCHES = 10


class Edgar(Provider):
    """Lists and searches filings, finds filers by name, and returns reported figures."""

    info = ProviderInfo(
        name="edgar",
        title="SEC EDGAR",
        home="https://www.sec.gov/edgar",
        base_url=f"https://{_DATA}",
        # The SEC allows 10 requests a second.
        rate=RateLimit(starts=8, per_seconds=1.0, gap_seconds=0.1),
        allowed_hosts=(_DATA, _WWW, _FULL_TEXT),
        max_bytes=128 * MEBIBYTE,
        options=(
            Option(
                name="email",
                env=("EDGAR_CONTACT_EMAIL", "OPENALEX_EMAIL"),
                help="Your e-mail address, which the SEC requires in every request.",
                kind="email",
                contact=True,
                required=True,
            ),
        ),
    )

    @classmethod
    def headers(cls, options: Mapping[str, Any]) -> Mapping[str, str]:
        return {"user-agent": f"Sourcewright {options['email']}"}

    async def list_filers(self) -> FilerDirectory:
        return await self.upstream.search(
            f"https://{_WWW}/files/company_tickers.json", read=read_directory
        )

    async def match_filers(self, name: str) -> FilerMatches:
        """Find filers by name. Several matches come without names, which are looked up one by one."""
        params = {
            "action": "getcompany",
            "company": name,
            "type": "",
            "dateb": "",
            "owner": "include",
            "count": "40",
            "output": "atom",
        }
        numbers = await self.upstream.search(
            f"https://{_WWW}/cgi-bin/browse-edgar", params, parse=parse_feed, read=read_matches
        )
        submissions = [await self._submissions(cik) for cik in numbers[:_MAX_MATCHES]]
        return FilerMatches(filers=tuple(one.filer for one in submissions))

    async def list_filings(self, query: FilingQuery) -> FilingPage:
        """The filings of one filer; archive files are read only as needed."""
        submissions = await self._submissions(query.cik or "")
        filings = select(submissions.filings, query)
        unread = archives_for(submissions.archives, query)
        for _ in range(_MAX_ARCHIVES):
            if len(filings) >= query.limit or not unread:
                break
            archive, *unread = unread
            filings += select(await self._archive(archive, submissions.filer), query)
        cut = bool(unread) and len(filings) < query.limit
        return FilingPage(
            filings=tuple(filings[: query.limit]),
            filer=submissions.filer,
            searched_from=unread[0].last if cut else None,
        )

    async def search_filings(self, query: FilingQuery) -> FilingPage:
        today = datetime.fromtimestamp(self.upstream.now(), UTC).date().isoformat()
        return await self.upstream.search(
            f"https://{_FULL_TEXT}/LATEST/search-index",
            search_params(query, today=today),
            read=lambda answer: read_hits(answer, query),
        )

    async def report_facts(self, cik: str) -> CompanyFacts:
        return await self.upstream.lookup(
            f"/api/xbrl/companyfacts/CIK{cik}.json",
            parse=parts_of,
            read=lambda parts: read_facts(parts, cik),
            absent=own_404(is_unknown_filer),
        )

    async def _submissions(self, cik: str) -> Submissions:
        return await self.upstream.lookup(
            f"/submissions/CIK{cik}.json",
            read=lambda answer: read_submissions(answer, cik),
            absent=own_404(is_unknown_filer),
        )

    async def _archive(self, archive: OlderFilings, filer: Filer) -> list[Any]:
        # A file that the filer's own list names is not absent, whatever the status says.
        return await self.upstream.search(
            f"/submissions/{archive.name}", read=lambda answer: read_archive(answer, filer)
        )
