"""OpenAIRE: merged records of European repositories, journals and funders.

Docs: https://graph.openaire.eu/docs/apis/graph-api/ and https://graph.openaire.eu/docs/apis/terms,
which allows 60 requests an hour without an account; its answers announced 7,199 of them in
`x-ratelimit-limit` on 2026-10-09. Version 3 is the current one: the description at
https://api.openaire.eu/graph/v3/api-docs calls versions 1 and 2 deprecated, as read by others on
2026-10-09, and others moved to it on 2026-08-30 (https://github.com/CCSDForge/episciences/pull/1154).
Silent on: which of an open record's copies is the open one, and corrections or retractions.
"""

import re
from collections.abc import Iterator
from typing import Any

from sourcewright.base.authors import author_from_parts, split_inverted_name
from sourcewright.base.formats import json_values
from sourcewright.base.formats.json_values import Record, record_of, records_of, text_of
from sourcewright.base.text import dates
from sourcewright.base.works import Author, Copy, Work
from sourcewright.domain.papers.licences import clearest_licence, licence_of
from sourcewright.domain.papers.records import (
    copies_in,
    is_pdf_url,
    records_about_doi,
    unique_copies,
)
from sourcewright.domain.papers.titles import full_title
from sourcewright.domain.search.operators import quoted_phrase
from sourcewright.net.http.answers import not_found
from sourcewright.providers._base import Provider, ProviderInfo, RateLimit, enable_option

MAX_HITS = "50"
OPEN_ACCESS_CODE = "c_abf2"
"""Open access in the COAR vocabulary; the code is stable, its label may change."""
_PLAIN = re.compile(r"[\w./-]+", re.ASCII)
_ISSNS = ("issnPrinted", "issnOnline", "issnLinking")


class OpenAire(Provider):
    """Describes research products by DOI, and lists open copies."""

    info = ProviderInfo(
        name="openaire",
        title="OpenAIRE",
        home="https://graph.openaire.eu",
        base_url="https://api.openaire.eu/graph/v3",
        rate=RateLimit(starts=2, per_seconds=1.0, gap_seconds=0.5),
        allowed_hosts=("api.openaire.eu",),
        tier=2,
        options=(
            enable_option("DOIGET_ENABLE_OPENAIRE", asked_for="research products with a DOI"),
        ),
    )

    async def describe_doi(self, doi: str) -> Work:
        works = await self._find(doi)
        if not works:
            raise not_found("openaire", f"product with the DOI {doi}")
        return works[0]

    async def find_copies(self, doi: str) -> tuple[Copy, ...]:
        return copies_in(await self._find(doi))

    async def _find(self, doi: str) -> tuple[Work, ...]:
        return await self.upstream.search(
            "/research-products",
            {"pid": doi_filter(doi), "pageSize": MAX_HITS},
            read=lambda answer: read_answer(answer, doi),
        )


def doi_filter(doi: str) -> str:
    """The DOI, quoted if it has characters with a meaning in the filter syntax."""
    return doi if _PLAIN.fullmatch(doi) else quoted_phrase(doi)


def read_answer(answer: Any, doi: str) -> tuple[Work, ...]:
    works = [read_work(record, doi) for record in records_of(answer["results"])]
    return records_about_doi(works, doi, total=record_of(answer["header"])["numFound"])


def read_work(record: Record, doi: str) -> Work:
    """One product; it carries the DOIs of all merged records, including the requested one."""
    dois = _dois(record)
    date = dates.date_of(record.get("publicationDate"))
    container = record_of(record.get("container"))
    pages = json_values.texts_of([container.get("sp"), container.get("ep")])
    instances = records_of(record.get("instances"))
    descriptions = json_values.entries_of(record.get("descriptions"))
    return Work(
        source="openaire",
        title=full_title(text_of(record["mainTitle"]), text_of(record.get("subTitle"))),
        authors=tuple(filter(None, map(_author, records_of(record.get("authors"))))),
        year=int(date[:4]) if date else None,
        published=date,
        doi=next((one for one in dois if json_values.same_doi(one, doi)), next(iter(dois), None)),
        type=text_of(record["type"]),
        venue=text_of(container.get("name")),
        volume=text_of(container.get("vol")),
        issue=text_of(container.get("iss")),
        pages="-".join(pages) or None,
        publisher=text_of(record.get("publisher")),
        issn=json_values.texts_of([container.get(name) for name in _ISSNS]),
        abstract=next(filter(None, map(json_values.abstract_of, descriptions)), None),
        licence=clearest_licence(text_of(instance.get("license")) for instance in instances),
        oa_status=text_of(record.get("openAccessColor")),
        copies=unique_copies(_copies(record, instances)),
        raw=record,
    )


def _dois(record: Record) -> tuple[str, ...]:
    holders = (record, *records_of(record.get("instances")))
    pids = [pid for holder in holders for pid in records_of(holder.get("pids"))]
    return json_values.dois_of([pid.get("value") for pid in pids if pid.get("scheme") == "doi"])


def _author(entry: Record) -> Author | None:
    name, family = text_of(entry.get("fullName")), text_of(entry.get("surname"))
    given = text_of(entry.get("name"))
    if not (given and family):
        given, family = split_inverted_name(name)
    return author_from_parts(name=name, given=given, family=family)


def _is_open(holder: Record, field: str) -> bool:
    return record_of(holder.get(field)).get("code") == OPEN_ACCESS_CODE


def _copies(record: Record, instances: tuple[Record, ...]) -> Iterator[Copy]:
    """Copies of an open record, without instances marked as closed."""
    if not _is_open(record, "bestAccessRight"):
        return
    for instance in instances:
        if instance.get("accessRight") is None or _is_open(instance, "accessRight"):
            licence = licence_of(text_of(instance.get("license")))
            urls = map(json_values.url_of, json_values.entries_of(instance["urls"]))
            # A DOI resolver URL only repeats the identifier, and may lead to a paywall.
            for url in (url for url in urls if url and not json_values.doi_of(url)):
                yield Copy(url=url, source="openaire", is_pdf=is_pdf_url(url), licence=licence)
