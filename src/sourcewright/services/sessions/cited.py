"""The sources that an answer of a research tool cites, read from its fields.

For tools whose services do not record their sources themselves: all research tools use the
same field names.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from sourcewright.domain.sources.classification import source_type
from sourcewright.domain.users.sessions import SessionSource, SourceTag

_MAX_SOURCES = 200
_TAGS: Mapping[str, SourceTag] = {
    "academic_search": "academic",
    "citation_graph": "academic",
    "patent_search": "patent",
    "news_search": "news",
    "scrape_page": "scraped",
}
_DATES = ("publishedAt", "publishedDate", "publicationDate", "published", "date", "year")
_AUTHORS = ("author", "authors", "creator")


def cited_sources(structured: Mapping[str, Any], tool: str) -> Iterator[SessionSource]:
    """The objects with a URL or a DOI in the lists of an answer, or the answer itself."""
    items = [item for value in structured.values() if isinstance(value, list) for item in value]
    objects = [one for one in (structured, *items) if isinstance(one, Mapping)]
    for one in objects[:_MAX_SOURCES]:
        doi = _text(one, "doi")
        url = _text(one, "url") or _text(one, "link") or (doi and f"https://doi.org/{doi}")
        if url:
            yield SessionSource(
                url=url,
                title=_text(one, "title") or "",
                tag=_TAGS.get(tool, ""),
                author=next(filter(None, (_text(one, name) for name in _AUTHORS)), None),
                date=next(filter(None, (_text(one, name) for name in _DATES)), None),
                doi=doi,
                source_type=source_type(url, None),
            )


def _text(item: Mapping[str, Any], name: str) -> str | None:
    value = item.get(name)
    if isinstance(value, list):
        value = ", ".join(
            str(one.get("name", "")) if isinstance(one, Mapping) else str(one)
            for one in value[:10]
        )
    return str(value) if value and not isinstance(value, Mapping | bool) else None
