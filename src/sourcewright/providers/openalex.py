"""OpenAlex: an open catalogue of works, with their copies and references.

Docs: https://developers.openalex.org/api-reference/works and .../api-reference/errors
Silent on: notices. `is_retracted` names no notice and is sometimes wrong, so it is not used.
"""

import re
from collections.abc import Callable
from typing import Any, TypeVar
from urllib.parse import quote

from sourcewright.domain.options import Option
from sourcewright.domain.works import Author, Copy, GraphWork, Work
from sourcewright.logic.formats import json_values
from sourcewright.logic.formats.json_values import (
    Record,
    doi_of,
    record_of,
    records_of,
    require_record_about,
    text_of,
)
from sourcewright.logic.papers.authors import author_from_parts
from sourcewright.logic.papers.licences import licence_of
from sourcewright.logic.text import dates
from sourcewright.providers._base import Provider, ProviderInfo, RateLimit, enable_option, own_404

T = TypeVar("T")
IDENTIFY_HELP = "Makes you known to OpenAlex, which allows more to those it knows."
COPY_FIELDS = "id,doi,best_oa_location,locations"
GRAPH_FIELDS = "id,doi,title,publication_year,referenced_works"
RECORD = (
    COPY_FIELDS + ",title,publication_year,publication_date,type,authorships,biblio,open_access"
)
RECORD += ",primary_location,abstract_inverted_index,is_retracted"
_ID = re.compile(r"(?:https?://openalex\.org/)?(W[0-9]{1,18})", re.IGNORECASE)
# For an unknown work it sends its framework's HTML error page; its docs show a line of JSON.
_PAGE = rb"<!doctype html>\n<html lang=en>\n<title>404 Not Found</title>.{1,200}on the server"
_ABSENT = re.compile(_PAGE + rb'|\{.{1,200}"Work \S{1,2000} not found', re.DOTALL)


class OpenAlex(Provider):
    """Describes works by DOI, and lists their copies, preprints and references."""

    info = ProviderInfo(
        name="openalex",
        title="OpenAlex",
        home="https://openalex.org",
        base_url="https://api.openalex.org",
        rate=RateLimit(starts=5, per_seconds=1.0),
        allowed_hosts=("api.openalex.org",),
        tier=2,
        options=(
            enable_option("DOIGET_ENABLE_OPENALEX", asked_for="records, copies and references"),
            Option(
                name="mailto",
                env=("OPENALEX_EMAIL",),
                help=IDENTIFY_HELP,
                kind="email",
                contact=True,
            ),
            Option(name="api_key", env=("OPENALEX_API_KEY",), help=IDENTIFY_HELP, kind="secret"),
        ),
    )

    async def describe_doi(self, doi: str) -> Work:
        return await self._by_doi(doi, RECORD, read_work)

    async def find_copies(self, doi: str) -> tuple[Copy, ...]:
        return await self._by_doi(doi, COPY_FIELDS, copies_of)

    async def find_preprints(self, doi: str) -> tuple[str, ...]:
        return await self._by_doi(doi, COPY_FIELDS, preprints_of)

    async def cited_by_doi(self, doi: str) -> GraphWork:
        return await self._by_doi(doi, GRAPH_FIELDS, read_graph_work)

    async def cited_by_id(self, work_id: str) -> GraphWork:
        """The work with this id, or the one it was merged into, under the latter's id."""
        return await self._fetch(work_id, GRAPH_FIELDS, read_graph_work)

    async def _by_doi(self, doi: str, fields: str, read: Callable[[Record], T]) -> T:
        return await self._fetch(
            f"doi:{doi}", fields, lambda a: read(require_record_about(a, doi, a["doi"]))
        )

    async def _fetch(self, name: str, fields: str, read: Callable[[Record], T]) -> T:
        path, params = f"/works/{quote(name, safe=':')}", {"select": fields}
        params |= {k: self.options[k] for k in ("mailto", "api_key") if self.options.get(k)}
        absent = own_404(lambda body: bool(_ABSENT.match(body)))
        return await self.upstream.lookup(path, params, read=read, absent=absent)


def read_work(record: Record) -> Work:
    json_values.require_value(_id_of(record["id"]), "id")
    first, best = (record_of(record.get(f"{x}_location")) for x in ("primary", "best_oa"))
    venue, bib = record_of(first.get("source")), record_of(record.get("biblio"))
    return Work(
        source="openalex",
        title=text_of(record["title"]),
        authors=tuple(filter(None, map(_author, records_of(record["authorships"])))),
        year=dates.year_of(record.get("publication_year")),
        published=dates.date_of(record.get("publication_date")),
        doi=doi_of(record["doi"]),
        arxiv_id=json_values.arxiv_id_of(record["doi"]),
        type=text_of(record.get("type")),
        venue=text_of(venue.get("display_name")),
        volume=text_of(bib.get("volume")),
        issue=text_of(bib.get("issue")),
        pages="-".join(json_values.texts_of([bib.get("first_page"), bib.get("last_page")]))
        or None,
        publisher=text_of(venue.get("host_organization_name")),
        issn=json_values.texts_of(venue.get("issn")),
        abstract=json_values.abstract_of_index(record.get("abstract_inverted_index")),
        url=json_values.url_of(first.get("landing_page_url")),
        licence=licence_of(text_of(best.get("license")) or text_of(first.get("license"))),
        oa_status=text_of(record_of(record.get("open_access")).get("oa_status")),
        copies=copies_of(record),
        preprints=preprints_of(record),
        raw=record,
    )


def copies_of(record: Record) -> tuple[Copy, ...]:
    """Open locations with a PDF, the best first, without duplicate URLs."""
    copies: dict[str, Copy] = {}
    for one in (*records_of(record.get("best_oa_location")), *records_of(record["locations"])):
        url, kind = (
            json_values.url_of(one.get("pdf_url")),
            record_of(one.get("source")).get("type"),
        )
        if url and url not in copies and one.get("is_oa") is True:
            copies[url] = Copy(
                url=url,
                source="openalex",
                is_pdf=True,
                host_type=kind if kind in ("repository", None) else "publisher",
                version=text_of(one.get("version")),
                licence=licence_of(text_of(one.get("license"))),
            )
    return tuple(copies.values())


def preprints_of(record: Record) -> tuple[str, ...]:
    """Preprints named by the locations: arXiv ids first, then DOIs."""
    own, locations = doi_of(record["doi"]), records_of(record["locations"])
    pages = [one.get(key) for one in locations for key in ("landing_page_url", "pdf_url")]
    posted = json_values.select_field(
        record["locations"], "raw_type", "posted-content", "landing_page_url"
    )
    identifiers = filter(None, (*map(json_values.arxiv_id_of, pages), *map(doi_of, posted)))
    return tuple(
        dict.fromkeys(n for n in identifiers if n not in (own, json_values.arxiv_id_of(own)))
    )


def read_graph_work(record: Record) -> GraphWork:
    references = map(_id_of, json_values.entries_of(record["referenced_works"]))
    return GraphWork(
        id=json_values.require_value(_id_of(record["id"]), "id"),
        title=text_of(record.get("title")),
        doi=doi_of(record.get("doi")),
        year=dates.year_of(record.get("publication_year")),
        references=tuple(dict.fromkeys(filter(None, references))),
    )


def _id_of(value: Any) -> str | None:
    match = _ID.fullmatch(text_of(value) or "")
    return match[1].upper() if match else None


def _author(entry: Record) -> Author | None:
    person = record_of(entry.get("author"))
    name = text_of(person.get("display_name")) or text_of(entry.get("raw_author_name"))
    return author_from_parts(name=name, orcid=json_values.orcid_of(person.get("orcid")))
