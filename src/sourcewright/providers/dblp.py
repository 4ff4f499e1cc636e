"""dblp: the bibliography of computer science.

Docs: https://dblp.org/faq/How+to+use+the+dblp+search+API.html. It may answer with a page that checks
for bots, with status 200 or 500 (https://github.com/szeider/mcp-dblp/issues/7, 2026-09-07).
Silent on: abstracts, citations and notices; other fields than computer science. Its search has no
filters and no order.
"""

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from sourcewright.base.authors import author_from_parts
from sourcewright.base.formats import json_values
from sourcewright.base.formats.json_values import doi_of, text_of
from sourcewright.base.formats.parsers import parse_xml
from sourcewright.base.text import dates
from sourcewright.base.works import Author, WorkRecord
from sourcewright.domain.capabilities import SearchesWorks
from sourcewright.domain.papers.scholar import IndexResults, WorkQuery
from sourcewright.domain.scholar.queries import filters_ignored, plain_words
from sourcewright.providers._base import Provider, ProviderInfo, RateLimit

_NAME = "dblp"
_TYPES = {
    "Journal Articles": "journal-article",
    "Conference and Workshop Papers": "proceedings-article",
    "Informal and Other Publications": "informal",
    "Parts in Books or Collections": "book-chapter",
    "Books and Theses": "book",
    "Editorship": "proceedings",
    "Reference Works": "reference-entry",
    "Data and Artifacts": "dataset",
}
_HOMONYM = re.compile(r" [0-9]{4}$")
"""The number that distinguishes people of the same name."""
_PREPRINT = "CoRR"


class Dblp(Provider):
    """Searches publications in computer science."""

    info = ProviderInfo(
        name=_NAME,
        title="dblp",
        home="https://dblp.org",
        base_url="https://dblp.org",
        rate=RateLimit(starts=1, per_seconds=1.0, at_once=1, gap_seconds=1.0),
        allowed_hosts=("dblp.org", "*.dblp.org"),
        has_only={SearchesWorks: "computer science"},
    )

    async def search_works(self, query: WorkQuery) -> IndexResults:
        """Supports no filter."""
        records, total = await self.upstream.search(
            "/search/publ/api",
            {"q": plain_words(query.text), "format": "xml", "h": str(query.limit), "c": "0"},
            parse=parse_xml,
            read=read_list,
        )
        return IndexResults(
            records=records[: query.limit], ignored=filters_ignored(query, ()), total=total
        )


def read_list(root: Element) -> tuple[tuple[WorkRecord, ...], int]:
    """The publications that a search found, and how many there are.

    Raises:
        ValueError: It is an error, or there are publications and none was sent.
    """
    status, hits = root.find("status"), root.find("hits")
    if root.tag != "result" or status is None or status.get("code") != "200" or hits is None:
        raise ValueError(f"not a result but {root.tag}")
    total, infos = json_values.required_count(hits.get("total")), hits.findall("hit/info")
    if total and not infos:
        raise ValueError(f"{total} publications announced, but none sent")
    return tuple(map(read_record, infos)), total


def read_record(info: Element) -> WorkRecord:
    key, title = json_values.require_value(info.findtext("key"), "key"), info.find("title")
    if title is None:
        raise ValueError("no title")
    year = dates.year_of(info.findtext("year"))
    venue, volume = _text(info, "venue"), _text(info, "volume")
    doi = doi_of(_text(info, "doi")) or next(iter(json_values.dois_of(_texts(info, "ee"))), None)
    links = [url for url in map(json_values.url_of, _texts(info, "ee")) if url]
    kind = _text(info, "type")
    return WorkRecord(
        source=_NAME,
        index_id=key,
        doi=doi,
        arxiv_id=_arxiv_id(venue, volume, doi),
        # All titles end with a full stop here.
        title=(text_of("".join(title.itertext())) or "").removesuffix(".") or None,
        authors=tuple(_authors(info)),
        year=year,
        published=str(year) if year else None,
        venue=venue,
        type=_TYPES.get(kind or "", kind),
        volume=volume,
        issue=_text(info, "number"),
        pages=_text(info, "pages"),
        publisher=_text(info, "publisher"),
        url=links[0] if links else f"https://dblp.org/rec/{key}",
        # A closed edition does not exclude an open copy elsewhere.
        open_access=True if info.findtext("access") == "open" else None,
    )


def _arxiv_id(venue: str | None, volume: str | None, doi: str | None) -> str | None:
    if venue == _PREPRINT and volume:
        return json_values.arxiv_id_of(volume.removeprefix("abs/"))
    return json_values.arxiv_id_of(doi)


def _authors(info: Element) -> Iterator[Author]:
    for element in info.iterfind("authors/author"):
        name = text_of("".join(element.itertext()))
        author = author_from_parts(name=_HOMONYM.sub("", name) if name else None)
        if author:
            yield author


def _texts(info: Element, name: str) -> list[str]:
    return [text for text in (one.text for one in info.iterfind(name)) if text]


def _text(info: Element, name: str) -> str | None:
    """The text of a field, which may occur more than once."""
    return json_values.first_text_of(_texts(info, name))
