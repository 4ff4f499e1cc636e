"""Requests a page, follows meta refreshes, and handles partial or empty responses."""

from dataclasses import replace

from sourcewright.domain.errors import BadAnswer
from sourcewright.domain.pages import SOURCE, Manner, Visit
from sourcewright.domain.ports import ReadsDocuments, VisitsPages
from sourcewright.domain.readings import Reading, Tried
from sourcewright.logic.formats.media_types import recognise
from sourcewright.logic.pages.interstitials import judge, sends_on_to
from sourcewright.logic.urls.canonical import host_of
from sourcewright.logic.urls.github import file_behind
from sourcewright.services.pages.attempts import Climb

_MAX_REFRESHES = 3


async def follow(visitor: VisitsPages, attempts: Climb, manner: Manner, tier: str) -> Visit:
    """Request a page and follow its meta refreshes; each is listed in the attempts.

    Raises:
        Denied, InvalidInput: Our rules refuse the URL or a refresh target.
        UpstreamError: It could not be fetched, or the refreshes do not end.
    """
    visit = await visitor.visit(file_behind(attempts.url), manner)
    seen = {visit.url}
    while (target := _refresh_target(visit)) is not None:
        if target in seen or len(seen) > _MAX_REFRESHES:
            raise BadAnswer(SOURCE, "its pages lead on without an end", cause="format")
        seen.add(target)
        attempts.tried.append((Tried(tier=tier, outcome=f"led on to {host_of(target)}"), None))
        visit = await visitor.visit(target, manner)
    return visit


def is_markup(visit: Visit) -> bool:
    return recognise(visit.body, content_type=visit.content_type, url=visit.url) == "html"


def _refresh_target(visit: Visit) -> str | None:
    is_complete_html = visit.problem is None and is_markup(visit)
    return sends_on_to(visit.body, visit.url) if is_complete_html else None


_MIN_BYTES = 1024
"""A shorter incomplete body is not worth returning."""


async def read_as_far(visit: Visit, documents: ReadsDocuments) -> Reading:
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
    if judge(reading.content, markup_bytes=0) in ("empty", "shell"):
        raise problem
    return replace(reading, quality="partial")


def useful(visit: Visit) -> Visit:
    """Return the response unchanged.

    Raises:
        Unavailable: It is incomplete, and too short to be useful.
    """
    if visit.problem is not None and len(visit.body) < _MIN_BYTES:
        raise visit.problem
    return visit


def with_text(reading: Reading) -> Reading:
    """Return the reading unchanged.

    Raises:
        BadAnswer: It has no text.
    """
    if not reading.content.strip():
        raise BadAnswer(SOURCE, f"no text in the {reading.kind}", cause="shape")
    return reading
