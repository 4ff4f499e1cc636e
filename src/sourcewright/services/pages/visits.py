"""Requests a page, follows meta refreshes, and handles partial or empty responses."""

from dataclasses import replace

from sourcewright.base.errors import BadAnswer, RedirectFailed
from sourcewright.base.formats.media_types import sniff_kind
from sourcewright.base.pages import SOURCE, FetchedDocument, FetchMode
from sourcewright.base.urls.canonical import host_of
from sourcewright.base.urls.github import raw_file_url
from sourcewright.domain.document_ports import ReadsDocuments, VisitsPages
from sourcewright.reading.interstitials import classify_page, meta_refresh_target
from sourcewright.reading.readings import ReadAttempt, Reading
from sourcewright.services.pages.attempts import ReadAttempts

_MAX_REFRESHES = 3


async def follow_refreshes(
    visitor: VisitsPages, attempts: ReadAttempts, mode: FetchMode, tier: str
) -> FetchedDocument:
    """Request a page and follow its meta refreshes; each is listed in the attempts.

    Raises:
        Denied, InvalidInput: Our rules refuse the URL or a refresh target.
        UpstreamError: It could not be fetched, or the refreshes do not end.
    """
    visit = await visitor.visit(raw_file_url(attempts.url), mode)
    seen = {visit.url}
    while (target := _refresh_target(visit)) is not None:
        if target in seen or len(seen) > _MAX_REFRESHES:
            raise RedirectFailed(SOURCE, "endless meta refresh redirects", cause="format")
        seen.add(target)
        attempts.tried.append(
            (ReadAttempt(tier=tier, outcome=f"redirected to {host_of(target)}"), None)
        )
        visit = await visitor.visit(target, mode)
    return visit


def is_html(visit: FetchedDocument) -> bool:
    return sniff_kind(visit.body, content_type=visit.content_type, url=visit.url) == "html"


def _refresh_target(visit: FetchedDocument) -> str | None:
    is_complete_html = visit.problem is None and is_html(visit)
    return meta_refresh_target(visit.body, visit.url) if is_complete_html else None


_MIN_BYTES = 1024
"""A shorter incomplete body is not worth returning."""


async def read_response(visit: FetchedDocument, documents: ReadsDocuments) -> Reading:
    """Read the response as text; the quality of an incomplete response is partial.

    Raises:
        BadAnswer: It cannot be parsed.
        Unavailable: It is incomplete, and too short to be useful.
    """
    problem = visit.problem
    if problem is None:
        return await documents.read(visit)
    try:
        reading = await documents.read(visit)
    except BadAnswer as error:
        # The response was incomplete, so that a retry may succeed.
        raise problem from error
    if classify_page(reading.content, markup_bytes=0) in ("empty", "shell"):
        raise problem
    return replace(reading, quality="partial")


def require_enough(visit: FetchedDocument) -> FetchedDocument:
    """Return the response unchanged.

    Raises:
        Unavailable: It is incomplete, and too short to be useful.
    """
    if visit.problem is not None and len(visit.body) < _MIN_BYTES:
        raise visit.problem
    return visit


def require_text(reading: Reading) -> Reading:
    """Return the reading unchanged.

    Raises:
        BadAnswer: It has no text.
    """
    if not reading.content.strip():
        raise BadAnswer(SOURCE, f"no text in the {reading.kind}", cause="shape")
    return reading
