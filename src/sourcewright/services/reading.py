"""Read a page or a document: asked for once, and again only where the first answer is no page.

Every way that was tried stays in the account, also when a later one worked.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from sourcewright.domain.calls import current_call
from sourcewright.domain.capabilities import ReadsSites
from sourcewright.domain.errors import (
    BadAnswer,
    Denied,
    NotAvailable,
    NotFound,
    RateLimited,
    Refused,
    ResearchError,
    UpstreamError,
)
from sourcewright.domain.evidence import Attempt, Unanswered
from sourcewright.domain.pages import Manner, Visit
from sourcewright.domain.ports import ReadsDocuments, VisitsPages
from sourcewright.domain.readings import Reading
from sourcewright.logic.coding import JsonCodec
from sourcewright.logic.judging import judge
from sourcewright.services.caching import Cached, Operation, OperationCache

TTL_SECONDS = 3600.0
_TIERS: dict[Manner, str] = {"browser": "stealth", "plain": "html"}
_FINAL = (Denied, NotFound, RateLimited)
"""What no other way of asking would change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """One way of reading a page, and what came of it."""

    tier: str
    outcome: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """A page that was read, and how."""

    reading: Reading
    url: str
    """Where it was in the end."""
    content_type: str
    """As the server says."""
    extracted_by: str | None
    trace: tuple[Tried, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """The whole question that an answer is kept under."""

    url: str


_BLOCKED = (
    "Blocked: {url} uses bot detection. Try an alternative source \u2014 its content can't be read"
    " directly."
)
_SENTENCES: tuple[tuple[type[ResearchError], str], ...] = (
    (Denied, "URL rejected for {url}: {detail}. Provide a valid public http(s) URL."),
    (
        NotFound,
        "Not found: {url} returned 404/410 \u2014 the page does not exist. Check the URL.",
    ),
    (Refused, _BLOCKED),
    (RateLimited, "Rate limited on {url}. Retry in {wait} seconds."),
    (NotAvailable, "No content extracted from {url}. May need browser rendering."),
    (BadAnswer, "No content extracted from {url}. May need browser rendering."),
    (ResearchError, "Network error on {url}: {detail}. Check connectivity."),
)
"""What the contract says of each kind of failure."""

_OPERATION = Operation(
    name="page.read",
    version=1,
    ttl_seconds=TTL_SECONDS,
    codec=JsonCodec(Read),
    keep=lambda read: read.reading.quality == "complete",
)


class PageReader:
    """Reads pages, and gives again for an hour what it has read."""

    def __init__(
        self,
        *,
        visitor: VisitsPages,
        documents: ReadsDocuments,
        sites: Mapping[str, ReadsSites],
        cache: OperationCache,
    ) -> None:
        self._visitor = visitor
        self._documents = documents
        self._sites = sites
        self._cache = cache

    async def read(self, url: str) -> Cached[Read]:
        """Read what is at an address.

        Raises:
            Unanswered: It could not be read; the message says what each way came to.
        """
        return await self._cache.through(_OPERATION, Address(url=url), lambda: self._read(url))

    async def visit(self, url: str) -> Visit:
        """What is at an address, as it is.

        Raises:
            Unanswered: It could not be had.
        """
        try:
            return await self._visitor.visit(url, "plain")
        except (UpstreamError, Denied) as error:
            raise _failed(url, [(Tried(tier="html", outcome=_word(error)), error)]) from error

    async def _read(self, url: str) -> Read:
        await current_call.get().progress(f"reading {url}")
        tried: list[tuple[Tried, ResearchError | None]] = []
        best: Read | None = None
        for tier, once in self._ways(url).items():
            try:
                read = await once()
            except (UpstreamError, Denied) as error:
                tried.append((Tried(tier=tier, outcome=_word(error)), error))
                if isinstance(error, _FINAL):
                    break
                continue
            tried.append((read.trace[-1], None))
            if read.reading.quality == "complete":
                return replace(read, trace=tuple(one for one, _ in tried))
            best = _better(best, read)
        if best is None or not best.reading.content.strip():
            raise _failed(url, tried)
        return replace(best, trace=tuple(one for one, _ in tried))

    def _ways(self, url: str) -> Mapping[str, Callable[[], Awaitable[Read]]]:
        """The site's own interface where we know one, then the page as anybody sees it."""
        own = {
            name: partial(self._at_site, name, url)
            for name, site in self._sites.items()
            if site.takes(url)
        }
        return own | {tier: partial(self._once, url, manner) for manner, tier in _TIERS.items()}

    async def _at_site(self, name: str, url: str) -> Read:
        reading = await self._sites[name].read_site(url)
        trace = (Tried(tier=name, outcome="read"),)
        return Read(reading=reading, url=url, content_type="", extracted_by=None, trace=trace)

    async def _once(self, url: str, manner: Manner) -> Read:
        """One request, and what can be made of it."""
        visit = await self._visitor.visit(url, manner)
        reading = await self._documents.read(visit)
        tier, outcome = _TIERS[manner], "read"
        if reading.kind == "markdown":
            tier = "markdown"
        if reading.kind == "html":
            verdict = judge(reading.content, markup_bytes=len(visit.body))
            size = len(reading.content.encode())
            outcome = "read" if verdict == "ok" else f"{verdict}, {size} bytes"
            reading = replace(reading, quality="complete" if verdict == "ok" else "partial")
        return Read(
            reading=reading,
            url=visit.url,
            content_type=visit.content_type,
            extracted_by=tier if reading.kind in ("html", "markdown") else None,
            trace=(Tried(tier=tier, outcome=outcome),),
        )


def _better(best: Read | None, read: Read) -> Read:
    """The one with more text; a wall has little."""
    if best is None or len(read.reading.content) > len(best.reading.content):
        return read
    return best


def _word(error: ResearchError) -> str:
    return error.detail if isinstance(error, UpstreamError) else str(error)


def _failed(url: str, tried: Sequence[tuple[Tried, ResearchError | None]]) -> Unanswered:
    """Why a page could not be read, in the contract's words."""
    errors = [error for _, error in tried if error is not None]
    decisive = errors[-1] if errors else NotAvailable(f"no content extracted from {url}")
    told = ", ".join(f"{one.tier}: {one.outcome}" for one, _ in tried)
    attempts = tuple(
        Attempt(source=one.tier, outcome="consulted_failed", detail=one.outcome, error=error)
        for one, error in tried
    )
    account = f" ({told})" if len(tried) > 1 else ""
    message = f"{_sentence(url, decisive)}{account}"
    return Unanswered(message, decisive=decisive, attempts=attempts)


def _sentence(url: str, error: ResearchError) -> str:
    words = next(words for kind, words in _SENTENCES if isinstance(error, kind))
    if isinstance(error, Refused) and error.status == 401:
        words = "Auth required: {url} is behind a login wall."
    wait = error.retry_after if isinstance(error, UpstreamError) else None
    return words.format(url=url, detail=_word(error), wait=f"{wait or 60:.0f}")
