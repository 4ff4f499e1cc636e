"""What every other package stands on: errors, identifiers, works, text, formats, URLs, languages.

An error says what happened; only `NotFound` means that something does not exist.
The subpackages `text`, `formats`, `urls` and `language` are imported by their own names.
"""

from typing import TYPE_CHECKING

from sourcewright._doors import door

if TYPE_CHECKING:
    from sourcewright.base.clocks import Clock, SystemClock
    from sourcewright.base.errors import (
        BadAnswer,
        Denied,
        InvalidInput,
        NotConfigured,
        NotFound,
        RateLimited,
        Refused,
        ResearchError,
        Unavailable,
        Unreadable,
        UpstreamError,
    )
    from sourcewright.base.identifiers import (
        ArxivId,
        Doi,
        Pmcid,
        Pmid,
        parse_arxiv,
        parse_doi,
        parse_reference,
    )
    from sourcewright.base.links import LinkCheck, Snapshot
    from sourcewright.base.notices import Integrity, status_of
    from sourcewright.base.pages import FetchedDocument
    from sourcewright.base.works import Author, Copy, Notice, Work, WorkRecord

__all__ = [
    "ArxivId",
    "Author",
    "BadAnswer",
    "Clock",
    "Copy",
    "Denied",
    "Doi",
    "FetchedDocument",
    "Integrity",
    "InvalidInput",
    "LinkCheck",
    "NotConfigured",
    "NotFound",
    "Notice",
    "Pmcid",
    "Pmid",
    "RateLimited",
    "Refused",
    "ResearchError",
    "Snapshot",
    "SystemClock",
    "Unavailable",
    "Unreadable",
    "UpstreamError",
    "Work",
    "WorkRecord",
    "parse_arxiv",
    "parse_doi",
    "parse_reference",
    "status_of",
]

__getattr__, __dir__ = door(
    __name__,
    {
        "Clock": "clocks",
        "SystemClock": "clocks",
        "BadAnswer": "errors",
        "Denied": "errors",
        "InvalidInput": "errors",
        "NotConfigured": "errors",
        "NotFound": "errors",
        "RateLimited": "errors",
        "Refused": "errors",
        "ResearchError": "errors",
        "Unavailable": "errors",
        "Unreadable": "errors",
        "UpstreamError": "errors",
        "ArxivId": "identifiers",
        "Doi": "identifiers",
        "Pmcid": "identifiers",
        "Pmid": "identifiers",
        "parse_arxiv": "identifiers",
        "parse_doi": "identifiers",
        "parse_reference": "identifiers",
        "LinkCheck": "links",
        "Snapshot": "links",
        "Integrity": "notices",
        "status_of": "notices",
        "FetchedDocument": "pages",
        "Author": "works",
        "Copy": "works",
        "Notice": "works",
        "Work": "works",
        "WorkRecord": "works",
    },
)
