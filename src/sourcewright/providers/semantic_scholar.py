"""Semantic Scholar: a catalogue in which a preprint and its published version share one record.

Docs: https://api.semanticscholar.org/api-docs/graph and https://www.semanticscholar.org/product/api
Silent on: notices, and which version of a paper each field describes.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, TypeVar
from urllib.parse import quote

from sourcewright.domain.options import Option
from sourcewright.domain.works import Copy, Work
from sourcewright.logic.formats import json_values
from sourcewright.logic.formats.json_values import Record, record_of, records_of, text_of
from sourcewright.logic.formats.parsers import json_object_in
from sourcewright.logic.papers.authors import author_from_parts
from sourcewright.logic.papers.licences import licence_of
from sourcewright.logic.text import dates
from sourcewright.providers._base import Provider, ProviderInfo, RateLimit, enable_option, own_404

T = TypeVar("T")
FIELDS = (
    "externalIds,url,title,abstract,venue,publicationVenue,year,publicationDate,publicationTypes,"
    "journal,authors,isOpenAccess,openAccessPdf"
)
_ABSENT = re.compile(r"Paper with id .+ not found", re.DOTALL)
_OPEN = frozenset({"gold", "hybrid", "green", "bronze", "diamond"})
_LICENCE = re.compile(r"CC(BY)(NC)?(ND|SA)?")


class SemanticScholar(Provider):
    """Describes works by DOI, and finds an open copy and the arXiv id of some."""

    info = ProviderInfo(
        name="semantic_scholar",
        title="Semantic Scholar",
        home="https://www.semanticscholar.org",
        base_url="https://api.semanticscholar.org",
        rate=RateLimit(starts=1, per_seconds=1.0),
        allowed_hosts=("api.semanticscholar.org",),
        tier=2,
        options=(
            enable_option("DOIGET_ENABLE_S2", asked_for="records, copies and preprints"),
            Option(
                name="api_key",
                env=("SEMANTIC_SCHOLAR_API_KEY",),
                help="Key to a rate of one's own at Semantic Scholar.",
                kind="secret",
            ),
        ),
    )

    @classmethod
    def headers(cls, options: Mapping[str, Any]) -> Mapping[str, str]:
        return {"x-api-key": options["api_key"]} if options.get("api_key") else {}

    async def describe_doi(self, doi: str) -> Work:
        return await self._fetch(doi, FIELDS, read_work)

    async def find_copies(self, doi: str) -> tuple[Copy, ...]:
        return await self._fetch(doi, "externalIds,openAccessPdf", copies_of)

    async def find_preprints(self, doi: str) -> tuple[str, ...]:
        return await self._fetch(doi, "externalIds", preprints_of)

    async def _fetch(self, doi: str, fields: str, read: Callable[[Record], T]) -> T:
        def read_about(record: Record) -> T:
            """Reject a record of another DOI: it may describe another version."""
            return read(
                json_values.require_record_about(record, doi, record["externalIds"]["DOI"])
            )

        return await self.upstream.lookup(
            f"/graph/v1/paper/DOI:{quote(doi)}",
            {"fields": fields},
            read=read_about,
            absent=own_404(is_absence),
        )


def is_absence(body: bytes) -> bool:
    """Whether a 404 body is Semantic Scholar's own message and not a proxy's error page."""
    message = json_object_in(body).get("error")
    return isinstance(message, str) and bool(_ABSENT.fullmatch(message.strip()))


def read_work(record: Record) -> Work:
    json_values.require_value(text_of(record["paperId"]), "id")
    journal, venue = record_of(record.get("journal")), record_of(record.get("publicationVenue"))
    year, ids = dates.year_of(record.get("year")), record_of(record.get("externalIds"))
    copies = copies_of(record)
    names = (text_of(one.get("name")) for one in records_of(record.get("authors")))
    return Work(
        source="semantic_scholar",
        title=text_of(record["title"]),
        authors=tuple(filter(None, (author_from_parts(name=name) for name in names))),
        year=year,
        published=dates.date_of(record.get("publicationDate")) or (str(year) if year else None),
        doi=json_values.doi_of(ids.get("DOI")),
        type=json_values.first_text_of(record.get("publicationTypes")),
        venue=text_of(journal.get("name")) or text_of(record.get("venue")),
        volume=text_of(journal.get("volume")),
        pages=(text_of(journal.get("pages")) or "").replace(" - ", "-") or None,
        issn=json_values.texts_of(venue.get("issn")),
        abstract=json_values.abstract_of(record.get("abstract")),
        url=json_values.url_of(record.get("url")),
        licence=copies[0].licence if copies else None,
        oa_status=_open_access_status(record),
        copies=copies,
        preprints=preprints_of(record),
        arxiv_id=json_values.arxiv_id_of(ids.get("DOI")),
        raw=record,
    )


def copies_of(record: Record) -> tuple[Copy, ...]:
    """The one known copy, if its status says that it is open."""
    location = record_of(record.get("openAccessPdf"))
    url = json_values.url_of(location.get("url"))
    if url is None or _open_access_status(record) not in _OPEN:
        return ()
    licence = text_of(location.get("license"))
    parts = _LICENCE.fullmatch(licence or "")
    hyphenated = "-".join(("cc", *filter(None, parts.groups()))) if parts else licence
    # Sometimes only the DOI resolver URL is given, which does not lead to the PDF.
    is_pdf = json_values.doi_of(url) is None
    return (
        Copy(url=url, source="semantic_scholar", is_pdf=is_pdf, licence=licence_of(hyphenated)),
    )


def preprints_of(record: Record) -> tuple[str, ...]:
    """The arXiv id of the paper, unless the paper is that preprint itself."""
    ids = record_of(record.get("externalIds"))
    arxiv_id = json_values.arxiv_id_of(ids.get("ArXiv"))
    return (arxiv_id,) if arxiv_id and arxiv_id != json_values.arxiv_id_of(ids.get("DOI")) else ()


def _open_access_status(record: Record) -> str | None:
    status = text_of(record_of(record.get("openAccessPdf")).get("status"))
    return status.lower() if status else None
