"""Sources as a caller lists them, as CSL-JSON items."""

from dataclasses import dataclass

from sourcewright.base.text.plain import plain_text
from sourcewright.domain.users.sessions import SessionSource
from sourcewright.references.csl import csl_name
from sourcewright.references.source_items import Item, without_empty
from sourcewright.references.styles.issued_dates import issued_date
from sourcewright.services.pages.web_citation import byline_authors


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedSource:
    """A source as listed; missing fields are empty."""

    url: str = ""
    title: str = ""
    author: str = ""
    organisations: tuple[str, ...] = ()
    """Those of the authors that are organisations, as far as it is known."""
    site: str = ""
    date: str = ""
    doi: str = ""
    """In its bare form, `10.1234/abc`."""


def cited_source(source: SessionSource) -> CitedSource:
    """A source of a research session, to be cited."""
    return CitedSource(
        url=source.url,
        title=source.title,
        author=source.author or "",
        organisations=source.organisations,
        date=source.date or "",
        doi=source.doi or "",
    )


def source_item(source: CitedSource) -> Item:
    """A source as an item: a journal article if it has a DOI, else a web page."""
    return without_empty(
        {
            "type": "article-journal" if source.doi else "webpage",
            "title": plain_text(source.title),
            "author": [
                csl_name(name) for name in byline_authors(source.author, source.organisations)
            ],
            "issued": issued_date(source.date),
            "status": _unpublished(source.date),
            "container-title": plain_text(source.site),
            "DOI": source.doi,
            "URL": source.url,
        }
    )


def _unpublished(date: str) -> str:
    """What stands in the place of the year of a work that is not yet published."""
    words = plain_text(date).casefold()
    return words if words in ("in press", "forthcoming") else ""
