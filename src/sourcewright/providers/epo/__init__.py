"""EPO: Open Patent Services, the European Patent Office's database of publications of all offices.

Docs: https://developers.epo.org/ops-v3-2/apis
Silent on: the status of an application; the date of grant is that of the granted publication.
"""

from collections.abc import Mapping
from typing import Any

from sourcewright.base.formats.parsers import parse_xml
from sourcewright.domain.options import Option
from sourcewright.domain.records.patents import PatentQuery, PatentResults
from sourcewright.net.sources.tokens import Login
from sourcewright.providers._base import Provider, ProviderInfo, RateLimit, own_404
from sourcewright.providers.epo.biblio import read_search
from sourcewright.providers.epo.queries import cql_of, range_of

_BASE = "https://ops.epo.org/3.2"
_HELP = "of an application at developers.epo.org (free)."


class Epo(Provider):
    """Searches publications by words, applicant, inventor, classification and number."""

    info = ProviderInfo(
        name="epo",
        title="EPO Open Patent Services",
        home="https://www.epo.org/en/searching-for-patents/data/web-services/ops",
        base_url=_BASE,
        rate=RateLimit(starts=2, per_seconds=1.0, at_once=2),
        allowed_hosts=("ops.epo.org",),
        options=(
            Option(
                name="key",
                env=("EPO_OPS_CONSUMER_KEY",),
                help=f"Consumer key {_HELP}",
                kind="secret",
                required=True,
            ),
            Option(
                name="secret",
                env=("EPO_OPS_CONSUMER_SECRET",),
                help=f"Consumer secret {_HELP}",
                kind="secret",
                required=True,
            ),
        ),
    )

    @classmethod
    def headers(cls, options: Mapping[str, Any]) -> Mapping[str, str]:
        del options
        return {"accept": "application/xml"}

    @classmethod
    def login(cls, options: Mapping[str, Any]) -> Login:
        return Login(f"{_BASE}/auth/accesstoken", options["key"], options["secret"])

    async def search_patents(self, query: PatentQuery) -> PatentResults:
        """Supports every filter; the year of filing is checked in the records."""
        params = {"q": cql_of(query), "Range": range_of(query)}
        patents, total = await self.upstream.lookup(
            "/rest-services/published-data/search/biblio",
            params,
            read=read_search,
            parse=parse_xml,
            # It answers 404 with a fault of its own where nothing matches.
            absent=own_404(lambda body: b"EntityNotFound" in body),
        )
        return PatentResults(patents=patents, total=total)
