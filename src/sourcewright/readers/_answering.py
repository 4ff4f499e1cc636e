"""Decides, for one page, who answers each of its requests."""

import asyncio
from dataclasses import dataclass
from urllib.parse import urldefrag

from sourcewright.domain.errors import (
    BadAnswer,
    Denied,
    InvalidInput,
    ResearchError,
    UpstreamError,
)
from sourcewright.domain.pages import SOURCE
from sourcewright.net.redirects import MOST_REDIRECTS, REDIRECTS
from sourcewright.net.subrequests import PageRequests
from sourcewright.readers._devtools import Gone
from sourcewright.readers._interception import Interception, Paused
from sourcewright.readers._stillness import Stillness

_STAYING = frozenset({*REDIRECTS, 204, 205})
"""Answers that no page is made of: the browser stays where it is, or goes on."""
_DEPARTURES = 10
"""How often a page may go elsewhere; then it stays where it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """What a page is opened with."""

    url: str
    body: bytes | None
    """What the address gave already; None where the page is still to be asked for."""
    content_type: str
    requests: PageRequests
    images: bool
    """Whether pictures are really fetched, which their page's text does not need."""


class Answering:
    """The requests of one page, each of which gets an answer or fails."""

    def __init__(self, answers: Interception, opening: Opening, stillness: Stillness) -> None:
        self._answers = answers
        self._opening = opening
        self._stillness = stillness
        self._tasks: set[asyncio.Task[None]] = set()
        self._hops: dict[str, int] = {}
        self._announced: set[str] = set()
        self._leading: set[str] = set()
        """The requests by which the page itself goes elsewhere."""
        self._departures = 0
        self._served = False
        self.page = ""
        """The frame that holds the page itself."""
        self.problem: ResearchError | None = None
        """Why the page that it has gone on to could not be had."""

    @property
    def begun(self) -> bool:
        """Whether the browser has asked for the page."""
        return bool(self._leading)

    def announce(self, url: str) -> None:
        """Take note that the page is about to go to an address, and not to fetch a file there."""
        self._announced.add(urldefrag(url).url)

    def take(self, paused: Paused) -> None:
        """See to it that a request of the page gets an answer."""
        self._follow(paused)
        self._stillness.begin(paused.number)
        task = asyncio.create_task(self._answer(paused))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def close(self) -> None:
        """Give up whatever is under way."""
        for task in self._tasks:
            task.cancel()

    async def _answer(self, paused: Paused) -> None:
        try:
            if not await self._answer_here(paused):
                await self._answer_from_outside(paused)
        except Gone:
            return
        finally:
            self._stillness.end(paused.number)

    async def _answer_here(self, paused: Paused) -> bool:
        """Answer what nobody outside needs to be asked for; says whether it was."""
        opening = self._opening
        if self._is_page(paused) and not self._served and opening.body is not None:
            self._served = True
            said = (("content-type", opening.content_type),)
            await self._answers.give(paused, 200, said, opening.body)
        elif paused.is_refused:
            self._answers.refuse(paused.number)
        elif self._is_page(paused) and self._departures > _DEPARTURES:
            self._answers.refuse(paused.number, quietly=True)
        elif self._goes_in_circles(paused):
            self._fail(paused, BadAnswer(SOURCE, "redirects in a circle", cause="format"))
        elif paused.is_image and not opening.images:
            await self._answers.give_point(paused)
        else:
            return False
        return True

    async def _answer_from_outside(self, paused: Paused) -> None:
        try:
            answer = await self._opening.requests.ask(paused.request())
        except (UpstreamError, Denied, InvalidInput) as error:
            self._fail(paused, error)
            return
        if answer.status not in _STAYING:
            self._note(paused, self._opening.requests.problem_in(answer))
        await self._answers.pass_on(paused, answer)

    def _fail(self, paused: Paused, error: ResearchError) -> None:
        self._note(paused, error)
        self._answers.refuse(paused.number, quietly=paused.is_document)

    def _note(self, paused: Paused, problem: ResearchError | None) -> None:
        """Only what the page itself has become is the page's own problem."""
        if self._is_page(paused):
            self.problem = problem

    def _follow(self, paused: Paused) -> None:
        """See whether it goes on from another request, or begins the way to another page."""
        before = paused.redirected_from
        self._hops[paused.number] = self._hops.get(before, 0) + 1 if before else 0
        itself = paused.is_document and paused.frame == self.page
        goes = itself and (paused.url in self._announced or not self._leading)
        self._departures += goes
        if goes or before in self._leading:
            self._announced.discard(paused.url)
            self._leading.add(paused.number)

    def _is_page(self, paused: Paused) -> bool:
        return paused.number in self._leading

    def _goes_in_circles(self, paused: Paused) -> bool:
        return self._hops[paused.number] > MOST_REDIRECTS
