"""Europe PMC: life science literature, with open full texts.

Docs: https://europepmc.org/RestfulWebService and https://europepmc.org/searchsyntax
Silent on: other fields than the life sciences. Its links to retractions are not read here.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from sourcewright.domain.errors import BadAnswer
from sourcewright.domain.works import Author, Copy, Work
from sourcewright.logic.formats import json_values
from sourcewright.logic.formats.json_values import Record, record_of, records_of, text_of
from sourcewright.logic.papers.authors import author_from_parts
from sourcewright.logic.papers.licences import licence_of
from sourcewright.logic.text import dates
from sourcewright.net.answers import not_found
from sourcewright.providers._base import Provider, ProviderInfo, RateLimit, enable_option

T = TypeVar("T")
NAME = "europe-pmc"
_READABLE = ("F", "OA")  # free to read, and openly licensed; S is subscription only
_REPOSITORIES = ("Europe_PMC", "PubMedCentral")


class EuropePmc(Provider):
    """Describes works by DOI, and lists their open PDFs."""

    info = ProviderInfo(
        name="europepmc",
        label=NAME,
        title="Europe PMC",
        home="https://europepmc.org",
        base_url="https://www.ebi.ac.uk/europepmc/webservices/rest",
        rate=RateLimit(starts=5, per_seconds=1.0),
        allowed_hosts=("www.ebi.ac.uk",),
        tier=2,
        options=(enable_option("DOIGET_ENABLE_EUROPE_PMC", asked_for="records and copies"),),
    )

    async def describe_doi(self, doi: str) -> Work:
        return await self._query(doi, read_work)

    async def find_copies(self, doi: str) -> tuple[Copy, ...]:
        return await self._query(doi, copies_of)

    async def _query(self, doi: str, read: Callable[[Record], T]) -> T:
        params = search_params(doi)
        return await self.upstream.search(
            "/search", params, read=lambda a: read(record_of_doi(a, doi))
        )


def search_params(doi: str) -> dict[str, str]:
    if '"' in doi or "\\" in doi:  # it ends the phrase, so an empty result would prove nothing
        raise BadAnswer(NAME, f"its searches cannot carry the quotation in {doi}", cause="shape")
    return {"query": f'DOI:"{doi}"', "resultType": "core", "format": "json", "pageSize": "25"}


def record_of_doi(answer: Any, doi: str) -> Record:
    """The record of this DOI; an empty result is how this API reports absence."""
    results, count = records_of(answer["resultList"]["result"]), answer["hitCount"]
    same = [
        one
        for one in results
        if json_values.same_doi(json_values.doi_of(one.get("doi")) or "", doi)
    ]
    if count == 0 and count is not False and not results:
        raise not_found(NAME, f"record of {doi}")
    if not same:
        raise ValueError(f"none of the hits that were sent, of {count}, is the DOI asked for")
    return same[0]


def read_work(record: Record) -> Work:
    json_values.require_value(text_of(record["id"]), "id")
    issue = record_of(record.get("journalInfo"))
    journal = record_of(issue.get("journal"))
    types = record_of(record.get("pubTypeList")).get("pubType") or list(
        _listed(record.get("pubType"))
    )
    numbers = [journal.get(key) for key in ("issn", "ISSN", "essn", "ESSN")]
    date = dates.date_of(record.get("firstPublicationDate"))
    year = dates.year_of(record.get("pubYear")) or (int(date[:4]) if date else None)
    return Work(
        source=NAME,
        # All titles end with a full stop here.
        title=(text_of(record["title"]) or "").removesuffix(".") or None,
        authors=_authors(record),
        year=year,
        published=date or (str(year) if year else None),
        doi=json_values.doi_of(record.get("doi")),
        type=json_values.first_text_of(types),
        venue=text_of(journal.get("title")) or text_of(record.get("journalTitle")),
        volume=text_of(issue.get("volume")) or text_of(record.get("journalVolume")),
        issue=text_of(issue.get("issue")) or text_of(record.get("issue")),
        pages=text_of(record.get("pageInfo")),
        issn=json_values.texts_of(numbers) or _listed(record.get("journalIssn")),
        abstract=json_values.abstract_of(record.get("abstractText")),
        url=f"https://europepmc.org/article/{text_of(record['source'])}/{text_of(record['id'])}",
        licence=licence_of(text_of(record.get("license"))),
        copies=copies_of(record),
        raw=record,
    )


def copies_of(record: Record) -> tuple[Copy, ...]:
    """Open PDFs, without duplicate URLs."""
    links = records_of(record_of(record.get("fullTextUrlList")).get("fullTextUrl"))
    copies: dict[str, Copy] = {}
    for link in links:
        url, site = json_values.url_of(link.get("url")), text_of(link.get("site"))
        if url and link.get("documentStyle") == "pdf" and link["availabilityCode"] in _READABLE:
            copies[url] = Copy(
                url=url,
                source=NAME,
                is_pdf=True,
                host_type="repository" if site in _REPOSITORIES else "publisher",
                version="acceptedVersion" if record.get("authMan") == "Y" else None,
                licence=licence_of(text_of(record.get("license"))),
                of_doi=True,
            )
    return tuple(copies.values())


def _authors(record: Record) -> tuple[Author, ...]:
    people = records_of(record_of(record.get("authorList")).get("author"))
    names = (text_of(record.get("authorString")) or "").removesuffix(".").split(", ")
    authors = map(_author, people) if people else (author_from_parts(name=name) for name in names)
    return tuple(filter(None, authors))


def _author(person: Record) -> Author | None:
    orcid = record_of(person.get("authorId"))
    return author_from_parts(
        name=text_of(person.get("fullName")) or text_of(person.get("collectiveName")),
        given=text_of(person.get("firstName")),
        family=text_of(person.get("lastName")),
        orcid=json_values.orcid_of(orcid.get("value") or orcid.get("#text")),
        is_organisation="collectiveName" in person,
    )


def _listed(value: Any) -> tuple[str, ...]:
    return json_values.texts_of((text_of(value) or "").split(";"))
