"""A work as the paper tools show it: one shape, whichever source described it."""

from pydantic import BaseModel, Field

from sourcewright.domain.works import Copy, Notice, NoticeKind, Work
from sourcewright.logic.standing import Status
from sourcewright.services.resolving import Integrity, Resolution


class NoticeSeen(BaseModel):
    """A published notice about the paper."""

    kind: NoticeKind
    source: str = Field(description="Where we read of it.")
    asserted_by: str | None = Field(description="Who says so, such as the publisher.")
    doi: str | None
    date: str | None
    label: str | None


class IntegritySeen(BaseModel):
    """What is known against the paper. `unchecked` means that nobody could be asked."""

    status: Status
    notices: list[NoticeSeen]


class Described(BaseModel):
    """The record in one shape for every source."""

    title: str | None
    authors: list[str]
    year: int | None
    venue: str | None
    publisher: str | None
    type: str | None
    doi: str | None
    arxiv_id: str | None
    url: str | None


def described(work: Work) -> Described:
    return Described(
        title=work.title,
        authors=[author.name for author in work.authors],
        year=work.year,
        venue=work.venue,
        publisher=work.publisher,
        type=work.type,
        doi=work.doi,
        arxiv_id=work.arxiv_id,
        url=work.url,
    )


def integrity_seen(integrity: Integrity) -> IntegritySeen:
    return IntegritySeen(
        status=integrity.status, notices=[_notice(notice) for notice in integrity.notices]
    )


def _notice(notice: Notice) -> NoticeSeen:
    return NoticeSeen(
        kind=notice.kind,
        source=notice.source,
        asserted_by=notice.asserted_by,
        doi=notice.doi,
        date=notice.date,
        label=notice.label,
    )


def flaws_of(asked: str, work: Work) -> list[str]:
    """Flaws of the record itself that a reader should know of."""
    texts = {"title": work.title, "venue": work.venue, "abstract": work.abstract}
    damaged = [
        f"replacement_char:{name}" for name, text in texts.items() if "\ufffd" in (text or "")
    ]
    other = work.doi is not None and asked.startswith("10.") and work.doi != asked
    return [*damaged, *([f"record_of_other_doi:{work.doi}"] if other else [])]


def open_copy(found: Resolution) -> Copy | None:
    """The best open copy that a source named."""
    return next(iter((found.open_access or found.work).copies), None)


def wire_name(source: str) -> str:
    """A source as the contract's `source` calls it, which is short in one case."""
    return "s2" if source == "semantic_scholar" else source
