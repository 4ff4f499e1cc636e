"""Partial responses of a page: cut off, timed out, or empty.

Visits a page, and the page that it is only a signpost to.
"""

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

_MOST = 3


async def follow(visitor: VisitsPages, climb: Climb, manner: Manner, tier: str) -> Visit:
    """What is at an address, and behind its signposts; each is one more request, and told.

    Raises:
        Denied, InvalidInput: Our rules refuse the address or one that it leads to.
        UpstreamError: It could not be had, or never ends.
    """
    visit = await visitor.visit(file_behind(climb.url), manner)
    seen = {visit.url}
    while (onward := _onward(visit)) is not None:
        if onward in seen or len(seen) > _MOST:
            raise BadAnswer(SOURCE, "its pages lead on without an end", cause="format")
        seen.add(onward)
        climb.tried.append((Tried(tier=tier, outcome=f"led on to {host_of(onward)}"), None))
        visit = await visitor.visit(onward, manner)
    return visit


def is_markup(visit: Visit) -> bool:
    return recognise(visit.body, content_type=visit.content_type, url=visit.url) == "html"


def _onward(visit: Visit) -> str | None:
    whole = visit.problem is None and is_markup(visit)
    return sends_on_to(visit.body, visit.url) if whole else None


_LEAST_BYTES = 1024
"""Less of a body is not worth giving as it is."""


async def read_as_far(visit: Visit, documents: ReadsDocuments) -> Reading:
    """The text of what came; of a part the reading is partial.

    Raises:
        BadAnswer: It cannot be read.
        Unavailable: It ended too early to be of use.
    """
    problem = visit.problem
    if problem is None:
        return await documents.read(visit)
    try:
        reading = await documents.read(visit)
    except BadAnswer as error:
        # What cannot be read now may come whole another time.
        raise problem from error
    if judge(reading.content, markup_bytes=0) in ("empty", "shell"):
        raise problem
    return replace(reading, quality="partial")


def useful(visit: Visit) -> Visit:
    """What an address gave.

    Raises:
        Unavailable: It ended too early to be of use.
    """
    if visit.problem is not None and len(visit.body) < _LEAST_BYTES:
        raise visit.problem
    return visit


def with_text(reading: Reading) -> Reading:
    """What was read.

    Raises:
        BadAnswer: It says nothing.
    """
    if not reading.content.strip():
        raise BadAnswer(SOURCE, f"no text in the {reading.kind}", cause="shape")
    return reading
