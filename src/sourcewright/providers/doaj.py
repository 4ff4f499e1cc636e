"""DOAJ: articles of fully open access journals, with links to the full text.

Docs: https://doaj.org/docs/api/
Silent on: articles of journals that it does not list, and corrections or retractions.
"""

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from sourcewright.base.authors import author_from_parts, split_inverted_name
from sourcewright.base.formats import json_values
from sourcewright.base.formats.json_values import Record, record_of, records_of, text_of
from sourcewright.base.text import dates
from sourcewright.base.works import Author, Copy, Work, WorkRecord
from sourcewright.domain.capabilities import SearchesWorks
from sourcewright.domain.papers.licences import licence_of
from sourcewright.domain.papers.records import (
    copies_in,
    is_pdf_url,
    records_about_doi,
    unique_copies,
)
from sourcewright.domain.papers.scholar import IndexResults, WorkQuery
from sourcewright.domain.scholar.queries import filters_ignored, words_and_phrases, years_of
from sourcewright.domain.scholar.records import record_of_work
from sourcewright.domain.search.operators import quoted_phrase
from sourcewright.net.http.answers import not_found
from sourcewright.providers._base import Provider, ProviderInfo, RateLimit, enable_option

MAX_HITS = "100"
# The API rejects queries with these characters, and reads a colon as the end of a field name
# anywhere in the query.
_ESCAPED = "?*~:/"
_NO_PAGE = "n/a"
_SUPPORTED = frozenset({"year_from", "year_to", "open_access", "sort_by"})


class Doaj(Provider):
    """Searches articles, describes them by DOI, and lists their copies."""

    info = ProviderInfo(
        name="doaj",
        title="DOAJ",
        home="https://doaj.org",
        base_url="https://doaj.org/api",
        rate=RateLimit(starts=2, per_seconds=1.0, gap_seconds=0.5),
        allowed_hosts=("doaj.org", "*.doaj.org"),
        tier=2,
        has_only={SearchesWorks: "articles of open-access journals"},
        options=(enable_option("DOIGET_ENABLE_DOAJ", asked_for="articles"),),
    )

    async def describe_doi(self, doi: str) -> Work:
        works = await self._find(doi)
        if not works:
            raise not_found("doaj", f"article with the DOI {doi}")
        return works[0]

    async def find_copies(self, doi: str) -> tuple[Copy, ...]:
        return copies_in(await self._find(doi))

    async def search_works(self, query: WorkQuery) -> IndexResults:
        """Supports the years and the order; all its articles are open."""
        order = {"sort": "year:desc"} if query.sort_by == "date" else {}
        records, total = await self.upstream.search(
            f"/search/articles/{quote(search_query(query), safe='')}",
            {"pageSize": str(query.limit), **order},
            read=read_list,
        )
        return IndexResults(
            records=records[: query.limit], ignored=filters_ignored(query, _SUPPORTED), total=total
        )

    async def _find(self, doi: str) -> tuple[Work, ...]:
        path = f"/search/articles/{quote(doi_query(doi), safe='')}"
        return await self.upstream.search(
            path, {"pageSize": MAX_HITS}, read=lambda answer: read_answer(answer, doi)
        )


def search_query(query: WorkQuery) -> str:
    years, words = years_of(query), words_and_phrases(query.text)
    return f"({words}) AND bibjson.year:[{years[0]} TO {years[1]}]" if years else words


def read_list(answer: Any) -> tuple[tuple[WorkRecord, ...], int]:
    """The articles that a search found, and how many there are.

    Raises:
        ValueError: There are articles, and none was sent.
    """
    total = json_values.required_count(answer["total"])
    results = json_values.required_records(answer["results"])
    if total and not results:
        raise ValueError(f"{total} articles announced, but none sent")
    return tuple(map(read_record, results)), total


def read_record(record: Record) -> WorkRecord:
    """An article as an entry of a scholarly index."""
    work = read_work(record)
    number = json_values.require_value(text_of(record["id"]), "id")
    page = f"https://doaj.org/article/{number}"
    return record_of_work(work, index_id=number, url=work.url or page, open_access=True)


def doi_query(doi: str) -> str:
    # The analysed field: DOAJ keeps the case of each DOI, and its exact field is case-sensitive.
    return f"bibjson.identifier.id:{quoted_phrase(doi, also=_ESCAPED)}"


def read_answer(answer: Any, doi: str) -> tuple[Work, ...]:
    works = [read_work(record) for record in records_of(answer["results"])]
    return records_about_doi(works, doi, total=answer["total"])


def read_work(record: Record) -> Work:
    article = record_of(record["bibjson"])
    journal = record_of(article.get("journal"))
    date = dates.date_of_parts({"date-parts": [[article.get("year"), article.get("month")]]})
    pages = json_values.texts_of([article.get("start_page"), article.get("end_page")])
    licences = [licence_of(text_of(one.get("type"))) for one in records_of(journal.get("license"))]
    licence = next(filter(None, licences), None)
    copies = unique_copies(_copies(article, licence))
    return Work(
        source="doaj",
        title=text_of(article["title"]),
        authors=tuple(filter(None, map(_author, records_of(article.get("author"))))),
        year=int(date[:4]) if date else None,
        published=date,
        updated=dates.date_of(record.get("last_updated")),
        doi=next(iter(_identifiers(article, "doi")), None),
        venue=text_of(journal.get("title")),
        volume=text_of(journal.get("volume")),
        issue=text_of(journal.get("number")),
        pages="-".join(page for page in pages if page.lower() != _NO_PAGE) or None,
        publisher=text_of(journal.get("publisher")),
        issn=json_values.texts_of(journal.get("issns")),
        abstract=json_values.abstract_of(article.get("abstract")),
        url=copies[0].url if copies else None,
        licence=licence,
        copies=copies,
        raw=record,
    )


def _identifiers(article: Record, kind: str) -> tuple[str, ...]:
    entries = records_of(article["identifier"])
    ids = [one.get("id") for one in entries if (text_of(one.get("type")) or "").lower() == kind]
    return json_values.dois_of(ids)


def _author(entry: Record) -> Author | None:
    name = text_of(entry.get("name"))
    given, family = split_inverted_name(name)
    return author_from_parts(name=name, given=given, family=family)


def _copies(article: Record, licence: str | None) -> Iterator[Copy]:
    for link in records_of(article.get("link")):
        url = json_values.url_of(link.get("url"))
        if url and text_of(link.get("type")) == "fulltext":
            kind = (text_of(link.get("content_type")) or "").lower()
            yield Copy(
                url=url,
                source="doaj",
                is_pdf=kind in {"pdf", "application/pdf"} or is_pdf_url(url),
                licence=licence,
                of_doi=True,
            )
