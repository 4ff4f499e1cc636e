"""USPTO: Open Data Portal, the application files of the US patent office.

Docs: https://data.uspto.gov/apis/patent-file-wrapper/search
Silent on: abstracts, the kind code of a granted patent, and other offices.
"""

from collections.abc import Mapping
from typing import Any

from sourcewright.domain.capabilities import SearchesPatents
from sourcewright.domain.records.patents import Patent, PatentQuery, PatentResults
from sourcewright.providers._base import (
    Provider,
    ProviderInfo,
    RateLimit,
    api_key_option,
    own_404,
)
from sourcewright.providers.uspto.applications import read_list
from sourcewright.providers.uspto.queries import is_narrower, search_params


class Uspto(Provider):
    """Searches applications and the patents that were granted on them."""

    info = ProviderInfo(
        name="uspto",
        title="USPTO Open Data Portal",
        home="https://data.uspto.gov",
        base_url="https://api.uspto.gov/api/v1",
        # Its limit is 60 requests a minute, and one at a time.
        rate=RateLimit(starts=60, per_seconds=60.0, at_once=1),
        allowed_hosts=("api.uspto.gov",),
        has_only={SearchesPatents: "applications in the United States"},
        options=(api_key_option("USPTO_API_KEY", of="the USPTO Open Data Portal (free)"),),
    )

    @classmethod
    def headers(cls, options: Mapping[str, Any]) -> Mapping[str, str]:
        return {"x-api-key": options["key"]}

    async def search_patents(self, query: PatentQuery) -> PatentResults:
        """Supports every filter; has only US applications."""
        if query.office not in (None, "US"):
            return PatentResults(patents=(), total=0)
        patents, total = await self.upstream.lookup(
            "/patent/applications/search",
            search_params(query),
            read=read_list,
            # It answers 404 with a message of its own where nothing matches.
            absent=own_404(lambda body: b"No matching records found" in body),
        )
        if is_narrower(query):
            patents = tuple(one for one in patents if _is_in_class(one, query.cpc or ""))
            return PatentResults(patents=patents[: query.limit])
        return PatentResults(patents=patents[: query.limit], total=total)


def _is_in_class(patent: Patent, symbol: str) -> bool:
    return any(one.startswith(symbol) for one in patent.cpc)
