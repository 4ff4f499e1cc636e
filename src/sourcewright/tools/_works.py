"""A work as the paper tools show it: one shape, whichever source described it."""

from typing import Any, Literal

from pydantic import BaseModel, Field

from sourcewright.domain.works import Copy, Notice, NoticeKind, Work
from sourcewright.logic.standing import Status
from sourcewright.services.resolving import Integrity, Resolution
from sourcewright.services.surveying import STORE_SCHEMA_VERSION
from sourcewright.tools._base import Answer
from sourcewright.tools._problems import AttemptMade, attempts_made


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


class RecordSeen(Answer):
    """What every tool that resolves a paper says about it."""

    ok: Literal[True] = True
    ref: str = Field(description="What was asked, word for word.")
    id: str = Field(description="The normalised id.")
    source: str = Field(description="Whose record this is.")
    resolver_profile: str
    oa_url: str | None = Field(description="Null means not known, not closed. Never followed.")
    oa_status: str | None
    metadata: dict[str, Any] = Field(description="The source's own record, word for word.")
    metadata_quality: list[str]
    repaired_fields: dict[str, str]
    schema_version: str
    work: Described
    integrity: IntegritySeen
    notice_for: list[str] = Field(description="DOIs that this record is itself a notice for.")
    attempts: list[AttemptMade] = Field(description="Who was asked, and what they said.")


def record_seen(ref: str, found: Resolution) -> dict[str, Any]:
    """The fields of RecordSeen, for the tool to add its own to."""
    work, copy = found.work, open_copy(found)
    return {
        "ref": ref,
        "id": str(found.reference),
        "source": wire_name(work.source),
        "resolver_profile": wire_name(work.source),
        "oa_url": copy.url if copy else None,
        "oa_status": (found.open_access or work).oa_status,
        "metadata": dict(work.raw),
        "metadata_quality": flaws_of(str(found.reference), work),
        "repaired_fields": {},
        "schema_version": STORE_SCHEMA_VERSION,
        "work": described(work),
        "integrity": integrity_seen(found.integrity),
        "notice_for": list(work.notice_for),
        "attempts": attempts_made(found.attempts),
    }


def licence_seen(found: Resolution) -> str | None:
    """The licence that the record states, else that of the open copy."""
    copy = open_copy(found)
    return found.work.licence or (copy.licence if copy else None)


def wire_name(source: str) -> str:
    """A source as the contract's `source` calls it, which is short in one case."""
    return "s2" if source == "semantic_scholar" else source
