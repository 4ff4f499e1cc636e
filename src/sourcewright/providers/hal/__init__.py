"""HAL: the open archive of French research.

Docs: https://api.archives-ouvertes.fr/docs/search
Silent on: papers that were not deposited, and corrections or retractions.
"""

from sourcewright.base.works import Copy, Work
from sourcewright.domain.capabilities import SearchesWorks
from sourcewright.domain.papers.records import copies_in
from sourcewright.domain.papers.scholar import IndexResults, WorkQuery
from sourcewright.domain.scholar.queries import filters_ignored, words_and_phrases, years_of
from sourcewright.domain.search.operators import quoted_phrase
from sourcewright.net.http.answers import not_found
from sourcewright.providers._base import Provider, ProviderInfo, RateLimit, enable_option
from sourcewright.providers.hal.deposits import read_answer, read_list, read_work

__all__ = ["Hal", "read_answer", "read_work"]

MAX_HITS = "50"
_FIELDS = (
    "halId_s,version_i,uri_s,docType_s,doiId_s,arxivId_s,title_s,subTitle_s,abstract_s,authFullName_s,"
    "authFirstName_s,authLastName_s,publicationDate_s,publicationDateY_i,producedDateY_i,"
    "journalTitle_s,journalIssn_s,journalEissn_s,journalPublisher_s,publisher_s,bookTitle_s,"
    "conferenceTitle_s,volume_s,issue_s,page_s,licence_s,openAccess_bool,fileMain_s"
)
_SUPPORTED = frozenset({"year_from", "year_to", "open_access", "sort_by"})


class Hal(Provider):
    """Searches deposits, describes them by DOI, with their files if these are open."""

    info = ProviderInfo(
        name="hal",
        title="HAL",
        home="https://hal.science",
        base_url="https://api.archives-ouvertes.fr",
        rate=RateLimit(starts=5, per_seconds=1.0),
        allowed_hosts=("api.archives-ouvertes.fr",),
        tier=2,
        has_only={SearchesWorks: "works deposited at HAL"},
        options=(enable_option("DOIGET_ENABLE_HAL", asked_for="deposits"),),
    )

    async def describe_doi(self, doi: str) -> Work:
        works = await self._find(doi)
        if not works:
            raise not_found("hal", f"deposit with the DOI {doi}")
        return works[0]

    async def find_copies(self, doi: str) -> tuple[Copy, ...]:
        return copies_in(await self._find(doi))

    async def search_works(self, query: WorkQuery) -> IndexResults:
        """Supports the years, the order and open access, and arXiv as source."""
        records, total = await self.upstream.search(
            "/search/", search_params(query), read=read_list
        )
        own = {"source"} if query.source == "arxiv" else set()
        return IndexResults(
            records=records[: query.limit],
            ignored=filters_ignored(query, _SUPPORTED | own),
            total=total,
        )

    async def _find(self, doi: str) -> tuple[Work, ...]:
        return await self.upstream.search(
            "/search/", params(doi), read=lambda answer: read_answer(answer, doi)
        )


def search_params(query: WorkQuery) -> dict[str, str]:
    years = years_of(query)
    conditions = (
        f"publicationDateY_i:[{years[0]} TO {years[1]}]" if years else None,
        "openAccess_bool:true" if query.open_access else None,
        "arxivId_s:[* TO *]" if query.source == "arxiv" else None,
    )
    params = {
        "q": words_and_phrases(query.text),
        "fq": " AND ".join(filter(None, conditions)),
        "sort": "publicationDateY_i desc" if query.sort_by == "date" else "",
        "fl": _FIELDS,
        "rows": str(query.limit),
        "wt": "json",
    }
    return {name: value for name, value in params.items() if value}


def params(doi: str) -> dict[str, str]:
    return {"q": doi_query(doi), "fl": _FIELDS, "rows": MAX_HITS, "wt": "json"}


def doi_query(doi: str) -> str:
    # `doiId_s` holds the DOI as typed, case included; `doiId_id` is normalised for searching.
    return f"doiId_s:{quoted_phrase(doi)} OR doiId_id:{quoted_phrase(doi)}"
