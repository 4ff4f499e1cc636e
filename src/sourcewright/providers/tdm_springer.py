"""Springer Nature's metadata API: records of its own DOIs, under the user's agreement.

Docs: https://dev.springernature.com/docs/api-endpoints/meta-api/; its basic plan allows 100 requests
a minute and 500 a day, as quoted in https://github.com/nils-herrmann/sprynger/issues/29 (2024-09-19).
Silent on: other publishers' works, notices, and PDFs: the API has records only.
"""

from typing import Any

from sourcewright.base.authors import author_from_parts, split_inverted_name
from sourcewright.base.errors import NotFound
from sourcewright.base.formats import json_values
from sourcewright.base.formats.json_values import Record, record_of, text_of
from sourcewright.base.text import dates as dating
from sourcewright.base.works import Author, Work
from sourcewright.domain.options import Option
from sourcewright.providers._base import Provider, ProviderInfo, RateLimit


class TdmSpringer(Provider):
    """Describes Springer Nature's works by DOI."""

    info = ProviderInfo(
        name="tdm_springer",
        label="tdm-springer",
        title="Springer Nature (text and data mining)",
        home="https://dev.springernature.com",
        base_url="https://api.springernature.com",
        rate=RateLimit(starts=100, per_seconds=60.0),
        allowed_hosts=("api.springernature.com", "*.springernature.com"),
        tier=3,
        prefixes=("10.1007", "10.1038", "10.1057", "10.1140"),
        options=(
            Option(
                name="key",
                env=("DOIGET_KEY_SPRINGER",),
                help="Your key for Springer Nature's API. Also needs DOIGET_AGREE_TDM_SPRINGER.",
                kind="secret",
                required=True,
            ),
            Option(
                name="agreed",
                env=("DOIGET_AGREE_TDM_SPRINGER",),
                help="1 declares that you have read Springer Nature's terms for text and data mining and agree to them.",
                kind="agreement",
            ),
        ),
    )

    async def describe_doi(self, doi: str) -> Work:
        return await self.upstream.search(
            "/meta/v2/json",
            {"q": f"doi:{doi}", "api_key": self.options["key"]},
            read=lambda answer: read_answer(answer, doi),
        )


def read_answer(answer: Any, doi: str) -> Work:
    """The record; the rest of the response echoes the API key and is dropped.

    Raises:
        NotFound: There is no such record.
    """
    counts = json_values.records_of(answer["result"])
    records = json_values.records_of(answer["records"])
    if not records and text_of(counts[0]["total"]) == "0":
        raise NotFound("tdm-springer", f"no record of {doi}")
    work = read_work(records[0])
    json_values.expect_doi(work.doi, doi)
    return work


def read_work(record: Record) -> Work:
    dates = (record.get(name) for name in ("onlineDate", "publicationDate", "printDate"))
    date = dating.earliest_date(map(dating.date_of, dates))
    links = [one.get("value") for one in json_values.records_or_names(record.get("url"), "value")]
    return Work(
        source="tdm-springer",
        title=text_of(record.get("title")),
        authors=_authors(record.get("creators")),
        year=int(date[:4]) if date else None,
        published=date,
        doi=json_values.require_value(json_values.doi_of(record["doi"]), "DOI"),
        type=text_of(record.get("contentType")),
        venue=text_of(record.get("publicationName")),
        volume=text_of(record.get("volume")),
        issue=text_of(record.get("number")),
        pages=_pages(record),
        publisher=text_of(record.get("publisher")),
        issn=json_values.texts_of([record.get("issn"), record.get("eIssn")]),
        abstract=_abstract(record.get("abstract")),
        url=next(filter(None, map(json_values.url_of, links)), None),
        raw=record,
    )


def _authors(creators: Any) -> tuple[Author, ...]:
    authors = []
    for one in json_values.records_or_names(creators, "creator"):
        name = text_of(one.get("creator"))
        given, family = split_inverted_name(name)
        authors.append(author_from_parts(name=name, given=given, family=family))
    return tuple(filter(None, authors))


def _pages(record: Record) -> str | None:
    ends = (text_of(record.get("startingPage")), text_of(record.get("endingPage")))
    return "-".join(filter(None, ends)) or None


def _abstract(value: Any) -> str | None:
    """The abstract, given as text or as an object with a heading and paragraphs."""
    if not isinstance(value, dict):
        return json_values.abstract_of(value)
    return "\n\n".join(json_values.texts_of(record_of(value).get("p"))) or None
