"""How a web page introduces itself: the paper that its head says it is about."""

from dataclasses import dataclass

from sourcewright.domain.identifiers import Reference

MOST_BYTES = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Introduction:
    """The papers that a page's most authoritative statement names."""

    papers: tuple[Reference, ...] = ()
    """None: the page names no paper. One: this is it. More: it contradicts itself."""
    told_by: str | None = None
    """The tag that says so."""


def introduction(page: bytes) -> Introduction:
    """What a page says that it is about; nothing at all for a page that is none."""
    raise NotImplementedError


def is_pdf(body: bytes) -> bool:
    """Whether this is no page but a PDF."""
    return body[:1024].lstrip().startswith(b"%PDF-")
