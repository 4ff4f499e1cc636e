"""Retraction list: the notices that a local copy of Retraction Watch's database lists."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal, Protocol

from sourcewright.base.works import NoticeKind

ListedKind = NoticeKind | Literal["reinstatement"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedUpdate:
    """One row of the list: what happened to a work, and when."""

    record_id: str
    kind: ListedKind
    date: str | None = None
    doi: str | None = None
    """The DOI of the work, in lower case."""
    pmid: str | None = None
    notice_doi: str | None = None
    notice_pmid: str | None = None
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ListStatus:
    """The list as it is stored."""

    rows: int
    works: int
    """Works with a DOI or a PMID that the list names."""
    updated_at: str
    """When it was read, RFC 3339."""
    newest: str | None
    """The latest date of a notice in it."""
    origin: str
    """The file or URL that it was read from."""


class ListsRetractions(Protocol):
    """The local retraction list."""

    async def status(self) -> ListStatus | None:
        """Return what is stored; None if no list was ever read.

        Raises:
            StoreError: It cannot be read.
        """
        ...

    async def find(
        self, dois: Collection[str], pmids: Collection[str]
    ) -> tuple[ListedUpdate, ...] | None:
        """Return the rows about these works, and the rows whose notice is one of them.

        None if no list was ever read.

        Raises:
            StoreError: It cannot be read.
        """
        ...
