"""Visits a page, and the page that it is only a signpost to."""

from sourcewright.domain.errors import BadAnswer
from sourcewright.domain.pages import SOURCE, Manner, Visit
from sourcewright.domain.ports import VisitsPages
from sourcewright.domain.readings import Tried
from sourcewright.logic.addressing import host_of
from sourcewright.logic.recognising import recognise
from sourcewright.logic.refreshing import sends_on_to
from sourcewright.logic.repositories import file_behind
from sourcewright.services.climbing import Climb

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
