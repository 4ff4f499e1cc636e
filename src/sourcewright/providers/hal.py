"""HAL: the open archive of French research.

Docs: https://api.archives-ouvertes.fr/docs/search
Silent on: papers that nobody deposited, and corrections or retractions.
"""

from typing import Any

from sourcewright.domain.works import Author, Copy, Work
from sourcewright.logic.formats import json_values
from sourcewright.logic.formats.json_values import Record, first_text_of, record_of, records_of
from sourcewright.logic.papers.authors import author_from_parts
from sourcewright.logic.papers.licences import licence_of
from sourcewright.logic.papers.records import copies_in, records_about_doi
from sourcewright.logic.papers.titles import full_title
from sourcewright.logic.search.operators import quoted_phrase
from sourcewright.logic.text import dates
from sourcewright.net.answers import not_found
from sourcewright.providers._base import Provider, ProviderInfo, RateLimit, enable_option

MAX_HITS = "50"
_FIELDS = (
    "halId_s,version_i,uri_s,docType_s,doiId_s,arxivId_s,title_s,subTitle_s,abstract_s,authFullName_s,"
    "authFirstName_s,authLastName_s,publicationDate_s,publicationDateY_i,producedDateY_i,"
    "journalTitle_s,journalIssn_s,journalEissn_s,journalPublisher_s,publisher_s,bookTitle_s,"
    "conferenceTitle_s,volume_s,issue_s,page_s,licence_s,openAccess_bool,fileMain_s"
)
_VENUES = ("journalTitle_s", "bookTitle_s", "conferenceTitle_s")


class Hal(Provider):
    """Describes deposits by DOI, with their files if these are open."""

    info = ProviderInfo(
        name="hal",
        title="HAL",
        home="https://hal.science",
        base_url="https://api.archives-ouvertes.fr",
        rate=RateLimit(starts=5, per_seconds=1.0),
        allowed_hosts=("api.archives-ouvertes.fr",),
        tier=2,
        options=(enable_option("DOIGET_ENABLE_HAL", asked_for="deposits with a DOI"),),
    )

    async def describe_doi(self, doi: str) -> Work:
        works = await self._find(doi)
        if not works:
            raise not_found("hal", f"deposit with the DOI {doi}")
        return works[0]

    async def find_copies(self, doi: str) -> tuple[Copy, ...]:
        return copies_in(await self._find(doi))

    async def _find(self, doi: str) -> tuple[Work, ...]:
        return await self.upstream.search(
            "/search/", params(doi), read=lambda answer: read_answer(answer, doi)
        )


def params(doi: str) -> dict[str, str]:
    return {"q": doi_query(doi), "fl": _FIELDS, "rows": MAX_HITS, "wt": "json"}


def doi_query(doi: str) -> str:
    # `doiId_s` holds the DOI as typed, case included; `doiId_id` is normalised for searching.
    return f"doiId_s:{quoted_phrase(doi)} OR doiId_id:{quoted_phrase(doi)}"


def read_answer(answer: Any, doi: str) -> tuple[Work, ...]:
    response = record_of(answer["response"])
    works = [read_work(record) for record in records_of(response["docs"])]
    return records_about_doi(works, doi, total=response["numFound"])


def read_work(record: Record) -> Work:
    year = dates.year_of(record.get("publicationDateY_i"))
    year = year or dates.year_of(record.get("producedDateY_i"))
    licence = licence_of(first_text_of(record.get("licence_s")))
    issns = [first_text_of(record.get(name)) for name in ("journalIssn_s", "journalEissn_s")]
    publishers = [first_text_of(record.get(n)) for n in ("journalPublisher_s", "publisher_s")]
    return Work(
        source="hal",
        title=full_title(
            first_text_of(record["title_s"]), first_text_of(record.get("subTitle_s"))
        ),
        authors=_authors(record),
        year=year,
        published=dates.date_of(record.get("publicationDate_s")) or (str(year) if year else None),
        doi=next(iter(json_values.dois_of(record.get("doiId_s"))), None),
        arxiv_id=first_text_of(record.get("arxivId_s")),
        type=first_text_of(record.get("docType_s")),
        venue=next(filter(None, (first_text_of(record.get(name)) for name in _VENUES)), None),
        volume=first_text_of(record.get("volume_s")),
        issue=first_text_of(record.get("issue_s")),
        pages=first_text_of(record.get("page_s")),
        publisher=first_text_of(publishers),
        issn=json_values.texts_of(issns),
        abstract=_first_abstract(record.get("abstract_s")),
        url=json_values.url_of(
            json_values.require_value(first_text_of(record["uri_s"]), "address")
        ),
        licence=licence,
        version=first_text_of(record.get("version_i")),
        copies=_copies(record, licence),
        raw=record,
    )


def _first_abstract(value: Any) -> str | None:
    """The first abstract; there is one for each language."""
    return next(filter(None, map(json_values.abstract_of, json_values.entries_of(value))), None)


def _authors(record: Record) -> tuple[Author, ...]:
    """Authors; first and last names are used only if all three lists have the same length."""
    names, given, family = (
        json_values.entries_of(record.get(name))
        for name in ("authFullName_s", "authFirstName_s", "authLastName_s")
    )
    aligned = len(names) == len(given) == len(family)
    people = (
        author_from_parts(
            name=json_values.text_of(name),
            given=json_values.text_of(given[at]) if aligned else None,
            family=json_values.text_of(family[at]) if aligned else None,
        )
        for at, name in enumerate(names)
    )
    return tuple(filter(None, people))


def _copies(record: Record, licence: str | None) -> tuple[Copy, ...]:
    """The main file, always a PDF; a file under embargo has a URL too, so open access is checked."""
    url = json_values.url_of(first_text_of(record.get("fileMain_s")))
    if url is None or record.get("openAccess_bool") is not True:
        return ()
    return (
        Copy(
            url=url,
            source="hal",
            is_pdf=True,
            host_type="repository",
            licence=licence,
            of_doi=True,
        ),
    )
