"""Unpaywall: open access copies of papers.

Docs: https://unpaywall.org/products/api and https://unpaywall.org/data-format
Silent on: DOIs that are not Crossref's, and corrections or retractions.
"""

from collections.abc import Iterable
from typing import Any
from urllib.parse import quote

from sourcewright.base.authors import author_from_parts, authors_of
from sourcewright.base.errors import Refused, UpstreamError
from sourcewright.base.formats import json_values
from sourcewright.base.formats.json_values import Record, record_of, records_of, text_of, url_of
from sourcewright.base.formats.parsers import json_object_in
from sourcewright.base.text import dates
from sourcewright.base.works import Author, Copy, Work
from sourcewright.domain.options import Option
from sourcewright.domain.papers.licences import licence_of
from sourcewright.providers._base import Provider, ProviderInfo, RateLimit, own_404

_BAD_EMAIL = 422


class Unpaywall(Provider):
    """Describes works by DOI, with their open copies."""

    info = ProviderInfo(
        name="unpaywall",
        title="Unpaywall",
        home="https://unpaywall.org",
        base_url="https://api.unpaywall.org",
        rate=RateLimit(starts=5, per_seconds=1.0),
        allowed_hosts=("api.unpaywall.org",),
        tier=1,
        options=(
            Option(
                name="email",
                env=("UNPAYWALL_EMAIL", "DOIGET_UNPAYWALL_EMAIL", "SCIHUB_CLI_EMAIL"),
                help="Address that Unpaywall requires from every caller.",
                kind="email",
                contact=True,
                required=True,
            ),
        ),
    )

    async def describe_doi(self, doi: str) -> Work:
        return await self.upstream.lookup(
            f"/v2/{quote(doi, safe='')}",
            {"email": self.options["email"]},
            read=lambda answer: read_answer(answer, doi),
            absent=own_404(is_absence),
            error_in=error_in,
        )


def is_absence(body: bytes) -> bool:
    """Whether a 404 body is Unpaywall's own message and not a proxy's error page."""
    message = json_object_in(body)
    return message.get("error") is True and bool(message.get("message"))


def error_in(answer: Any) -> UpstreamError | None:
    """Unpaywall's 422, which means that it rejects the caller's e-mail address."""
    if "email" not in str(record_of(answer).get("message")):
        return None
    return Refused(
        "unpaywall",
        "it rejects this e-mail address; set CONTACT_EMAIL (or UNPAYWALL_EMAIL) to your own",
        status=_BAD_EMAIL,
        cause="status",
    )


def read_answer(answer: Any, doi: str) -> Work:
    work = read_work(record_of(answer))
    json_values.expect_doi(work.doi, doi)
    return work


def read_work(record: Record) -> Work:
    is_open = record["is_oa"]
    if not isinstance(is_open, bool):
        raise TypeError("is_oa is neither true nor false")
    copies = _copies(record) if is_open else ()
    year = dates.year_of(record.get("year"))
    issns = text_of(record.get("journal_issns")) or ""
    return Work(
        source="unpaywall",
        title=text_of(record.get("title")),
        authors=_authors(record.get("z_authors")),
        year=year,
        published=dates.date_of(record.get("published_date")) or (str(year) if year else None),
        updated=dates.date_of(record.get("updated")),
        doi=json_values.require_value(json_values.doi_of(record["doi"]), "DOI"),
        type=text_of(record.get("genre")),
        venue=text_of(record.get("journal_name")),
        publisher=text_of(record.get("publisher")),
        issn=json_values.texts_of(issns.split(",")),
        url=url_of(record.get("doi_url")),
        licence=copies[0].licence if copies else None,
        oa_status=text_of(record.get("oa_status")) if is_open else "closed",
        copies=copies,
        raw=record,
    )


def _authors(entries: Any) -> tuple[Author, ...]:
    """Authors in Crossref's format (older records), or by name as printed."""
    people = json_values.entries_of(entries)
    if any(isinstance(one, dict) and "raw_author_name" in one for one in people):
        names = (text_of(one.get("raw_author_name")) for one in records_of(entries))
        return tuple(filter(None, (author_from_parts(name=name) for name in names)))
    return authors_of(entries)


def _copies(record: Record) -> tuple[Copy, ...]:
    """Open locations, the best first, without duplicate URLs."""
    best, others = record.get("best_oa_location"), record.get("oa_locations")
    copies: dict[str, Copy] = {}
    for copy in _read_locations((*records_of(best), *records_of(others))):
        copies.setdefault(copy.url, copy)
    return tuple(copies.values())


def _read_locations(locations: Iterable[Record]) -> Iterable[Copy]:
    for location in locations:
        pdf = url_of(location.get("url_for_pdf"))
        url = pdf or url_of(location.get("url"))
        if url:
            yield Copy(
                url=url,
                source="unpaywall",
                is_pdf=pdf is not None,
                version=text_of(location.get("version")),
                licence=licence_of(text_of(location.get("license"))),
                of_doi=_is_of_doi(location),
            )


def _is_of_doi(location: Record) -> bool:
    """Whether the copy is known to belong to this DOI; some are matched by title only."""
    trusted_host = text_of(location.get("host_type")) in ("publisher", "repository")
    return trusted_host and "title" not in (text_of(location.get("evidence")) or "")
