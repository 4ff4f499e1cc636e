"""Sci-Hub, at mirrors that the operator names and answers for; no address of one is kept here.

Docs: https://en.wikipedia.org/wiki/Sci-Hub
Silent on: who may read a paper, and what was published after its collection stopped growing.
"""

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from sourcewright.domain.errors import BadAnswer, NotFound, Refused, UpstreamError
from sourcewright.domain.files import FetchedFile
from sourcewright.domain.options import Option
from sourcewright.net.answers import refusal_in
from sourcewright.net.exchange import PDF, Answer, Policy, Request
from sourcewright.net.files import secured
from sourcewright.providers._base import Provider, ProviderInfo, Rate, in_own_words
from sourcewright.providers.scihub.mirror_page import read_mirror_page

_NAME = "scihub"
_PAGE_OR_FILE = f"text/html, {PDF.accept}"


class SciHub(Provider):
    """Hands out papers from one mirror."""

    info = ProviderInfo(
        name=_NAME,
        title="Sci-Hub",
        home="https://en.wikipedia.org/wiki/Sci-Hub",
        base_url="",
        rate=Rate(starts=1, per_seconds=1.0, at_once=1, gap_seconds=1.0),
        allowed_hosts=(),
        role="mirror",
        options=(
            Option(
                name="mirrors",
                env=("SCIHUB_MIRRORS",),
                help="Origins of mirrors that the paper_* tools may ask, in this order; none is known to this program. Needs SCIHUB_ACCEPT_RESPONSIBILITY as well.",
                kind="origins",
                required=True,
            ),
            Option(
                name="agreed",
                env=("SCIHUB_ACCEPT_RESPONSIBILITY",),
                help="1 says that you know the law where you are and answer for what you fetch from these mirrors.",
                kind="agreement",
            ),
        ),
    )

    @classmethod
    def base_url(cls, options: Mapping[str, Any]) -> str:
        return secured(options["mirrors"][0])

    async def deliver(self, doi: str) -> FetchedFile:
        place = f"{self.base_url(self.options)}/{quote(doi, safe='/')}"
        page = await self._ask(place, _PAGE_OR_FILE)
        if page.body.startswith(PDF.magic):
            return FetchedFile(body=page.body, url=page.url, hops=page.hops)
        file = await self._ask(read_page(page), PDF.accept, magic=PDF.magic)
        return FetchedFile(body=file.body, url=file.url, hops=(*page.hops, *file.hops))

    async def _ask(self, address: str, accept: str, magic: bytes | None = None) -> Answer:
        """An answer with something in it; that a file is gone says nothing about the paper."""
        policy = Policy(source=_NAME, max_bytes=PDF.max_bytes, magic=magic)
        answer = await self.upstream.send(Request(url=address, headers={"accept": accept}), policy)
        absent = in_own_words(lambda body: read_mirror_page(body, address).is_absence)
        problem = _absence() if absent(answer) else refusal_in(answer, _NAME)
        if problem is not None:
            raise problem
        return answer


def read_page(answer: Answer) -> str:
    """Where the file is that a page shows, by https.

    Raises:
        NotFound: The page says that there is none.
        Refused: The page wants to know whether a person asks.
        BadAnswer: The page is of no known kind, which says nothing about the paper.
    """
    page = read_mirror_page(answer.body, answer.url)
    if page.file is not None:
        return secured(page.file)
    raise _absence() if page.is_absence else _silence(challenged=page.is_challenge)


def _absence() -> NotFound:
    return NotFound(_NAME, "this mirror does not have the paper")


def _silence(*, challenged: bool) -> UpstreamError:
    if challenged:
        return Refused(_NAME, "the mirror wants a captcha solved, which only a person can")
    return BadAnswer(_NAME, "the mirror's page shows no file", cause="shape")
