"""Sci-Hub, at mirrors that the operator configures and is responsible for; none is built in.

Docs: https://en.wikipedia.org/wiki/Sci-Hub
Silent on: licences, and papers published after its collection stopped growing.
"""

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from sourcewright.base.errors import BadAnswer, NotFound, Refused, UpstreamError
from sourcewright.base.http_messages import Request, Response
from sourcewright.base.pages import FetchedFile
from sourcewright.domain.options import Option
from sourcewright.net.fetch.files import with_https
from sourcewright.net.http.answers import refusal_in
from sourcewright.net.http.exchange import PDF, Policy
from sourcewright.providers._base import Provider, ProviderInfo, RateLimit, own_404
from sourcewright.providers.scihub.mirror_page import read_mirror_page

_NAME = "scihub"
_PAGE_OR_FILE = f"text/html, {PDF.accept}"


class SciHub(Provider):
    """Downloads papers from one mirror."""

    info = ProviderInfo(
        name=_NAME,
        title="Sci-Hub",
        home="https://en.wikipedia.org/wiki/Sci-Hub",
        base_url="",
        rate=RateLimit(starts=1, per_seconds=1.0, at_once=1, gap_seconds=1.0),
        allowed_hosts=(),
        mirror=True,
        options=(
            Option(
                name="mirrors",
                env=("SCIHUB_MIRRORS",),
                help="Origins of the mirrors that the paper_* tools may use, in this order; no mirror is built in. Also needs SCIHUB_ACCEPT_RESPONSIBILITY.",
                kind="origins",
                required=True,
            ),
            Option(
                name="agreed",
                env=("SCIHUB_ACCEPT_RESPONSIBILITY",),
                help="1 declares that you know the applicable law and take responsibility for what you fetch from these mirrors.",
                kind="agreement",
            ),
        ),
    )

    @classmethod
    def base_url(cls, options: Mapping[str, Any]) -> str:
        return with_https(options["mirrors"][0])

    async def deliver(self, doi: str) -> FetchedFile:
        page_url = f"{self.base_url(self.options)}/{quote(doi, safe='/')}"
        page = await self._get(page_url, _PAGE_OR_FILE)
        if page.body.startswith(PDF.magic):
            return FetchedFile(body=page.body, url=page.url, hops=page.hops)
        file = await self._get(file_url_in(page), PDF.accept, magic=PDF.magic)
        return FetchedFile(body=file.body, url=file.url, hops=(*page.hops, *file.hops))

    async def _get(self, address: str, accept: str, magic: bytes | None = None) -> Response:
        """Send a request and raise for errors; a missing file is no proof that the paper is absent."""
        policy = Policy(
            source=_NAME, max_bytes=PDF.max_bytes, magic=magic, magic_within=PDF.magic_within
        )
        answer = await self.upstream.send(Request(url=address, headers={"accept": accept}), policy)
        absent = own_404(lambda body: read_mirror_page(body, address).is_absence)
        problem = _absence() if absent(answer) else refusal_in(answer, _NAME)
        if problem is not None:
            raise problem
        return answer


def file_url_in(answer: Response) -> str:
    """The https URL of the file that a page embeds.

    Raises:
        NotFound: The page says that there is none.
        Refused: The page is a bot challenge.
        BadAnswer: The page is of no known kind, which says nothing about the paper.
    """
    page = read_mirror_page(answer.body, answer.url)
    if page.file is not None:
        return with_https(page.file)
    raise _absence() if page.is_absence else _no_file(challenged=page.is_challenge)


def _absence() -> NotFound:
    return NotFound(_NAME, "this mirror does not have the paper")


def _no_file(*, challenged: bool) -> UpstreamError:
    if challenged:
        return Refused(_NAME, "the mirror requires a captcha to be solved by a person")
    return BadAnswer(_NAME, "the mirror's page contains no file", cause="shape")
