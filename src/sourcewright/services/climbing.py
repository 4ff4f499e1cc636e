"""The ways that were tried to read one page, in order, and what they came to."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace

from sourcewright.domain.errors import (
    Denied,
    InvalidInput,
    NotConfigured,
    NotFound,
    RateLimited,
    ResearchError,
    Unavailable,
    UpstreamError,
)
from sourcewright.domain.pages import BROWSER, Visit
from sourcewright.domain.readings import Reading, Tried
from sourcewright.logic.unreading import is_wall, unread, word_for

_UNCHANGED = ("connect", "tls", "breaker")
"""Why nobody answered, where another way of asking would not change it."""


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


@dataclass(slots=True)
class Climb:
    """One page's way up: what was tried, and the best that came of it."""

    url: str
    tried: list[tuple[Tried, ResearchError | None]] = field(default_factory=list)
    best: Read | None = None
    apart: int = 0
    """How many of them asked somebody else than the page."""
    served: Visit | None = None
    """What the page gave last, where it is markup: a browser needs not ask for it again."""

    @property
    def done(self) -> bool:
        return self.best is not None and self.best.reading.quality == "complete"

    @property
    def may_ask_again(self) -> bool:
        """Whether the page itself may answer otherwise when it is asked in another way."""
        # What did not end, or broke off twice, would do so again.
        cut_off = self.best is not None and self.best.reading.cut
        return not self.done and not cut_off and not any(map(is_final, self._own()))

    def may_render(self, *, known: bool) -> bool:
        """Whether a browser may show more: of a site known for it, of a shell, behind a wall."""
        if known and self.served is not None:
            return True
        own = self._own()
        if self.done or not own or any(map(is_final, own)):
            return False
        return self.served is not None or any(map(is_wall, own))

    @property
    def may_relay(self) -> bool:
        """Whether others may be told the address: never one that our rules refused."""
        refused = (Denied, InvalidInput, NotFound)
        return not self.done and not any(isinstance(error, refused) for error in self._own())

    async def attempt(self, tier: str, once: Callable[[], Awaitable[Read]]) -> None:
        try:
            read = await once()
        except NotConfigured as error:
            # A way that this machine does not have is passed by, and said.
            self.tried.append((Tried(tier=tier, outcome=str(error)), None))
            return
        except (UpstreamError, Denied, InvalidInput) as error:
            self.tried.append((Tried(tier=tier, outcome=word_for(error)), error))
            return
        self.tried.append((read.trace[-1], None))
        if self.best is None or _weight(read) > _weight(self.best):
            self.best = read

    def result(self) -> Read:
        if self.best is None:
            raise unread(self.url, self.tried)
        return replace(self.best, trace=tuple(one for one, _ in self.tried))

    def _own(self) -> list[ResearchError | None]:
        """What the page itself came to, time after time."""
        return [error for _, error in self.tried[self.apart :]]


def _weight(read: Read) -> tuple[bool, int]:
    """What is whole comes first; then more text, which counts twice where scripts have run."""
    size = len(read.reading.content)
    return read.reading.quality == "complete", size * (2 if read.extracted_by == BROWSER else 1)


def is_final(error: ResearchError | None) -> bool:
    """Whether no other way of asking the page would change it."""
    if isinstance(error, Unavailable):
        return error.cause in _UNCHANGED
    return isinstance(error, Denied | InvalidInput | NotFound | RateLimited)
