"""Crossref: the registration agency of most journals, books, proceedings and preprints.

Docs: https://api.crossref.org and https://www.crossref.org/documentation/retrieve-metadata/rest-api/
Silent on: whether the full text is open; retractions that nobody registered with Crossref.
"""

from typing import Any
from urllib.parse import quote

from sourcewright.domain.errors import BadAnswer
from sourcewright.domain.options import Option
from sourcewright.domain.works import Notice, Work
from sourcewright.logic.formats import json_values
from sourcewright.logic.formats.json_values import (
    Record,
    doi_of,
    first_text_of,
    record_of,
    text_of,
    url_of,
)
from sourcewright.logic.papers.authors import authors_of
from sourcewright.logic.papers.licences import clearest_licence
from sourcewright.logic.papers.notices import notices_of, targets_of
from sourcewright.logic.papers.titles import full_title
from sourcewright.logic.text import dates
from sourcewright.providers._base import Provider, ProviderInfo, RateLimit, own_404

MAX_NOTICES = 100
# `issued` is the earlier of print and online; the others are fallbacks. `created` is the deposit
# date and says nothing about publication.
_DATES = ("published-print", "published-online", "published", "issued")
# Licences for text mining (tdm) and for sharing on platforms (stm-asf) are not licences to read.
_VERSIONS = ("vor", "unspecified", "am")


class Crossref(Provider):
    """Describes works by DOI and finds retraction and correction notices about them."""

    info = ProviderInfo(
        name="crossref",
        title="Crossref",
        home="https://www.crossref.org",
        base_url="https://api.crossref.org",
        rate=RateLimit(starts=5, per_seconds=1.0),
        allowed_hosts=("api.crossref.org", "*.crossref.org"),
        tier=1,
        decides_dois=True,
        options=(
            Option(
                name="mailto",
                env=("CROSSREF_EMAIL",),
                help="Address for Crossref's polite pool; without one the public pool is used.",
                kind="email",
                contact=True,
            ),
        ),
    )

    async def describe_doi(self, doi: str) -> Work:
        path = f"/works/{quote(doi, safe='')}"
        return await self.upstream.lookup(
            path, self._contact(), read=read_answer, absent=own_404(is_absence)
        )

    async def find_notices(self, doi: str) -> tuple[Notice, ...]:
        params = notices_params(doi) | self._contact()
        return await self.upstream.search("/works", params, read=lambda a: read_notices(a, doi))

    def _contact(self) -> dict[str, str]:
        return {"mailto": self.options["mailto"]} if self.options.get("mailto") else {}


def notices_params(doi: str) -> dict[str, str]:
    if "," in doi:  # a comma ends the filter value, so an empty list would prove nothing
        raise BadAnswer("crossref", f"its filters cannot carry the comma in {doi}", cause="shape")
    return {"filter": f"updates:{doi}", "rows": str(MAX_NOTICES), "select": "DOI,update-to"}


def is_absence(body: bytes) -> bool:
    """Whether a 404 body is Crossref's own message and not a proxy's error page."""
    text = body.strip().lower()
    return b"resource not found" in text and not text.startswith(b"<")


def read_answer(answer: Any) -> Work:
    return read_work(_message(answer, "work"))


def read_notices(answer: Any, doi: str) -> tuple[Notice, ...]:
    """The entries about this DOI in the `update-to` lists of the notices."""
    message = _message(answer, "work-list")
    items = json_values.records_of(message["items"])
    entries = [
        {**entry, "DOI": item["DOI"]}
        for item in items
        for entry in json_values.records_of(item.get("update-to"))
        if json_values.same_doi(doi_of(entry.get("DOI")) or "", doi)
    ]
    if message["total-results"] > len(items) or (items and not entries):
        raise ValueError("the list is cut short, or is not about the DOI asked for")
    return notices_of(entries, about=doi, source="crossref")


def read_work(record: Record) -> Work:
    doi = json_values.require_value(doi_of(record["DOI"]), "DOI")
    date = dates.earliest_date(dates.date_of_parts(record.get(name)) for name in _DATES)
    primary, relation = record_of(record.get("resource")).get("primary"), record.get("relation")
    hosts = [one.get("name") for one in json_values.records_of(record.get("institution"))]
    return Work(
        source="crossref",
        title=full_title(
            first_text_of(record.get("title")), first_text_of(record.get("subtitle"))
        ),
        authors=authors_of(record.get("author")),
        year=int(date[:4]) if date else None,
        published=date,
        doi=doi,
        type=text_of(record.get("type")),
        venue=first_text_of(record.get("container-title")) or first_text_of(hosts),
        volume=text_of(record.get("volume")),
        issue=text_of(record.get("issue")),
        pages=text_of(record.get("page")) or text_of(record.get("article-number")),
        publisher=text_of(record.get("publisher")),
        issn=json_values.texts_of(record.get("ISSN")),
        abstract=json_values.abstract_of(record.get("abstract")),
        url=url_of(record_of(primary).get("URL")) or url_of(record.get("URL")),
        licence=_licence(record),
        notices=_notices(record.get("updated-by"), doi),
        notice_for=targets_of(json_values.records_of(record.get("update-to")), notice=doi),
        preprints=_related(relation, "has-preprint"),
        published_as=_related(relation, "is-preprint-of"),
        raw=record,
    )


def _message(answer: Any, kind: str) -> Record:
    if answer["status"] != "ok" or answer["message-type"] != kind:
        raise ValueError(f"not an answer of the kind {kind}")
    return record_of(answer["message"])


def _licence(record: Record) -> str | None:
    """The licence to read, preferring that of the version of record."""
    entries = json_values.records_of(record.get("license"))
    by_version = ([e for e in entries if e.get("content-version") == v] for v in _VERSIONS)
    chosen = (clearest_licence(text_of(entry.get("URL")) for entry in same) for same in by_version)
    return next(filter(None, chosen), None)


def _notices(updates: Any, doi: str) -> tuple[Notice, ...] | None:
    if updates is None:
        return None
    return notices_of(json_values.records_of(updates), about=doi, source="crossref")


def _related(relation: Any, name: str) -> tuple[str, ...]:
    ends = json_values.records_of(record_of(relation).get(name))
    return json_values.dois_of([end.get("id") for end in ends if end.get("id-type") == "doi"])
