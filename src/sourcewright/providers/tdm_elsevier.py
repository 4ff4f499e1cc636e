"""Elsevier's article API: records and PDFs of Elsevier's own DOIs, under the user's agreement.

Docs: https://dev.elsevier.com/documentation/ArticleRetrievalAPI.wadl
Silent on: other publishers' works, notices, and the given names of authors in short views.
Without a subscription it returns only the first page of an article, marked in a header.
"""

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from sourcewright.base.authors import author_from_parts, split_inverted_name
from sourcewright.base.formats import json_values
from sourcewright.base.formats.json_values import Record, record_of, text_of
from sourcewright.base.formats.parsers import json_object_in
from sourcewright.base.pages import FetchedFile
from sourcewright.base.text import dates
from sourcewright.base.works import Author, Work
from sourcewright.domain.options import Option
from sourcewright.domain.papers.licences import licence_of
from sourcewright.net.http.exchange import PDF
from sourcewright.providers._base import Provider, ProviderInfo, RateLimit, own_404


class TdmElsevier(Provider):
    """Describes Elsevier's works by DOI, and downloads their PDFs."""

    info = ProviderInfo(
        name="tdm_elsevier",
        label="tdm-elsevier",
        title="Elsevier (text and data mining)",
        home="https://dev.elsevier.com",
        base_url="https://api.elsevier.com",
        rate=RateLimit(starts=5, per_seconds=1.0),
        allowed_hosts=("api.elsevier.com", "*.elsevier.com"),
        tier=3,
        prefixes=("10.1016", "10.1006", "10.1053"),
        options=(
            Option(
                name="key",
                env=("DOIGET_KEY_ELSEVIER",),
                help="Your key for Elsevier's API. Also needs DOIGET_AGREE_TDM_ELSEVIER.",
                kind="secret",
                required=True,
            ),
            Option(
                name="agreed",
                env=("DOIGET_AGREE_TDM_ELSEVIER",),
                help="1 declares that you have read Elsevier's terms for text and data mining and agree to them.",
                kind="agreement",
            ),
        ),
    )

    async def describe_doi(self, doi: str) -> Work:
        return await self.upstream.lookup(
            f"/content/article/doi/{quote(doi, safe='')}",
            {"view": "META"},
            read=lambda answer: read_answer(answer, doi),
            absent=own_404(is_absence),
        )

    async def deliver(self, doi: str) -> FetchedFile:
        path = f"/content/article/doi/{quote(doi, safe='')}"
        return await self.upstream.download(path, PDF, preview=is_preview)

    @classmethod
    def headers(cls, options: Record) -> dict[str, str]:
        return {"x-els-apikey": options["key"], "accept": "application/json"}


def is_preview(headers: Mapping[str, str]) -> bool:
    """Whether the response is partial, such as the first page for callers without a subscription."""
    return "limited" in headers.get("x-els-status", "").lower()


def is_absence(body: bytes) -> bool:
    """Whether a 404 body is Elsevier's own error object and not a proxy's error page."""
    error = record_of(json_object_in(body).get("service-error"))
    return record_of(error.get("status")).get("statusCode") == "RESOURCE_NOT_FOUND"


def read_answer(answer: Any, doi: str) -> Work:
    work = read_work(record_of(answer["full-text-retrieval-response"]["coredata"]))
    json_values.expect_doi(work.doi, doi)
    return work


def read_work(record: Record) -> Work:
    date = dates.date_of(record.get("prism:coverDate"))
    links = json_values.select_field(record.get("link"), "@rel", "scidir", "@href")
    return Work(
        source="tdm-elsevier",
        title=text_of(record.get("dc:title")),
        authors=_authors(record.get("dc:creator")),
        year=int(date[:4]) if date else None,
        published=date,
        doi=json_values.require_value(json_values.doi_of(record["prism:doi"]), "DOI"),
        type=text_of(record.get("prism:aggregationType")),
        venue=text_of(record.get("prism:publicationName")),
        volume=text_of(record.get("prism:volume")),
        issue=text_of(record.get("prism:issueIdentifier")),
        pages=text_of(record.get("prism:pageRange")) or text_of(record.get("prism:startingPage")),
        publisher=text_of(record.get("prism:publisher")),
        issn=tuple(filter(None, (_issn(record.get("prism:issn")),))),
        abstract=json_values.abstract_of(record.get("dc:description")),
        url=next(filter(None, map(json_values.url_of, links)), None),
        licence=licence_of(text_of(record.get("openaccessUserLicense"))),
        raw=record,
    )


def _authors(creators: Any) -> tuple[Author, ...]:
    names = (text_of(one.get("$")) for one in json_values.records_or_names(creators, "$"))
    parts = ((name, *split_inverted_name(name)) for name in names)
    authors = (
        author_from_parts(name=name, given=given, family=family) for name, given, family in parts
    )
    return tuple(filter(None, authors))


def _issn(value: Any) -> str | None:
    """The ISSN, with the hyphen that Elsevier omits."""
    text = text_of(value)
    return f"{text[:4]}-{text[4:]}" if text and len(text) == 8 else text
