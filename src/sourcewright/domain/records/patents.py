"""Patents: the query, the record of one publication, and the results of one source."""

from dataclasses import dataclass, fields
from typing import Literal

Office = Literal["US", "EP", "WO", "JP", "CN", "KR"]
"""The offices to which a search can be restricted."""

_NOT_FILTERS = ("text", "limit", "number")


@dataclass(frozen=True, slots=True, kw_only=True)
class PatentQuery:
    """One search for patents. A field that is None sets no filter."""

    text: str | None
    limit: int
    number: str | None = None
    """The requested publication, normalised: `US10165245B2`."""
    assignee: str | None = None
    """Without the suffix of its legal form."""
    inventor: str | None = None
    cpc: str | None = None
    """A symbol of the Cooperative Patent Classification, or its beginning: `G06F`."""
    year_from: int | None = None
    """The year of filing."""
    year_to: int | None = None
    office: Office | None = None

    def filters(self) -> dict[str, object]:
        """Return the filters that are set, by name."""
        return {
            one.name: getattr(self, one.name)
            for one in fields(self)
            if one.name not in _NOT_FILTERS and getattr(self, one.name) is not None
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Patent:
    """One publication of a patent or of an application. None means that the source has no value."""

    number: str
    """Office, number and kind, normalised: `US10165245B2`."""
    title: str
    url: str
    abstract: str | None = None
    assignee: str | None = None
    inventor: str | None = None
    """The first inventor."""
    filed: str | None = None
    """When the application was filed; never when it was published."""
    granted: str | None = None
    """When the patent was granted; None for an application, and where the source does not say."""
    published: str | None = None
    """When this document was published."""
    priority: str | None = None
    """The date of the first application of its family, where the source says."""
    pdf: str | None = None
    status: str | None = None
    family_id: str | None = None
    """The family of publications of one invention, by the source's number."""
    cpc: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PatentResults:
    """The patents that one source found, best first. An empty list is a valid answer."""

    patents: tuple[Patent, ...]
    total: int | None = None
    ignored: tuple[str, ...] = ()
    """Filters of the query that this source does not support."""
