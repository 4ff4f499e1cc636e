"""The attempts to read one page, in order, and the result of each."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import TypeGuard

from sourcewright.domain.errors import (
    BadAnswer,
    Denied,
    InvalidInput,
    NotConfigured,
    NotFound,
    RateLimited,
    Refused,
    ResearchError,
    Unavailable,
    Unreadable,
    UpstreamError,
)
from sourcewright.domain.pages import BROWSER, SOURCE, Visit
from sourcewright.domain.readings import Reading, Tried
from sourcewright.logic.pages.failures import UNAUTHORISED, is_wall, unread, word_for

_UNCHANGED = ("connect", "tls", "breaker", "slow")
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
    own: list[ResearchError | None] = field(default_factory=list)
    """What the page itself came to, time after time."""
    asides: list[ResearchError] = field(default_factory=list)
    """What others failed with that were asked about it."""
    best: Read | None = None
    settled: bool = False
    """Whether the page would say less than the part that there is."""
    served: Visit | None = None
    """What the page gave last, where it is markup: a browser needs not ask for it again."""

    @property
    def done(self) -> bool:
        best = self.best
        return best is not None and (self.settled or best.reading.quality == "complete")

    @property
    def may_ask_again(self) -> bool:
        """Whether the page itself may answer otherwise when it is asked in another way."""
        # What did not end, or broke off twice, would do so again.
        cut_off = self.best is not None and self.best.reading.cut
        return not self.done and not cut_off and not any(map(is_final, self.own))

    def may_render(self, *, known: bool) -> bool:
        """Whether a browser may show more: of a site known for it, of a shell, behind a wall."""
        if known and self._is_denied:
            # Scripts would only say the same, at length.
            return False
        if known and self.served is not None:
            return True
        if self.done or not self.own or any(map(is_final, self.own)):
            return False
        return self.served is not None or any(map(is_wall, self.own))

    @property
    def may_relay(self) -> bool:
        """Whether others may be told the address: never one that our rules refused."""
        if self.done or any(isinstance(error, NotFound) for error in self.asides):
            return False
        refused = (Denied, InvalidInput, NotFound)
        return not any(isinstance(error, refused) for error in self.own)

    async def attempt(
        self, tier: str, once: Callable[[], Awaitable[Read | None]], *, aside: bool = False
    ) -> None:
        """Go one way; `aside` asks others about the page. None says that they have read it."""
        try:
            read = await once()
        except NotConfigured as error:
            # A way that this machine does not have is passed by, and said.
            self.tried.append((Tried(tier=tier, outcome=str(error)), None))
            return
        except (UpstreamError, Denied, InvalidInput) as error:
            self.tried.append((Tried(tier=tier, outcome=word_for(error)), error))
            (self.asides if aside else self.own).append(error)
            return
        if not aside:
            self.own.append(None)
        if read is not None:
            self.tried.append((read.trace[-1], None))
            self._weigh(read)

    def result(self) -> Read:
        if self._is_mute and (self._is_denied or (self.best is None and self._is_refused)):
            # The page told less than those who know why, so that their word counts.
            raise unread(self.url, [(one, self._word_of(error)) for one, error in self.tried])
        if self.best is None:
            raise unread(self.url, self.tried)
        return replace(self.best, trace=tuple(one for one, _ in self.tried))

    def _word_of(self, error: ResearchError | None) -> ResearchError | None:
        """What somebody else said of the page; nothing of what it came to itself."""
        if error in self.asides and _is_stated(error) and error.status == UNAUTHORISED:
            # It is the page that wants a login: no key of ours would open it.
            return Refused(SOURCE, error.detail, status=error.status, cause=error.cause)
        return error if error in self.asides else None

    def _weigh(self, read: Read) -> None:
        if self.best is None or _weight(read) > _weight(self.best):
            self.best = read

    @property
    def _is_denied(self) -> bool:
        """Whether the site's own interface says that it is not there, or not for us."""
        return any(isinstance(error, NotFound) or _is_stated(error) for error in self.asides)

    @property
    def _is_refused(self) -> bool:
        return any(isinstance(error, Refused) for error in self.asides)

    @property
    def _is_mute(self) -> bool:
        """Whether the page came, and says nothing, or as good as nothing."""
        if self.best is not None:
            return self.best.reading.quality != "complete" and self.best.extracted_by is not None
        return bool(self.own) and all(map(_is_without_text, self.own))


def _is_stated(error: ResearchError | None) -> TypeGuard[Refused]:
    """Whether a refusal is in the site's own words; a status may be about who asks."""
    return isinstance(error, Refused) and error.cause != "status"


def _is_without_text(error: ResearchError | None) -> bool:
    return isinstance(error, BadAnswer) and error.cause == "shape"


def _weight(read: Read) -> tuple[bool, int]:
    """What is whole comes first; then more text, which counts twice where scripts have run."""
    size = len(read.reading.content)
    return read.reading.quality == "complete", size * (2 if read.extracted_by == BROWSER else 1)


def is_final(error: ResearchError | None) -> bool:
    """Whether no other way of asking the page would change it."""
    if isinstance(error, Unavailable):
        return error.cause in _UNCHANGED
    return isinstance(error, Denied | InvalidInput | NotFound | RateLimited | Unreadable)
