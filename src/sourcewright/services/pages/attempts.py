"""Attempts to read one page, in order, and the selection of the best result."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import TypeGuard

from sourcewright.base.calls import current_call
from sourcewright.base.errors import (
    BadAnswer,
    Denied,
    InvalidInput,
    NotConfigured,
    NotFound,
    RateLimited,
    RedirectFailed,
    Refused,
    ResearchError,
    Unavailable,
    Unreadable,
    UpstreamError,
)
from sourcewright.base.failure_details import failure_detail
from sourcewright.base.pages import BROWSER, SOURCE, FetchedDocument
from sourcewright.reading.readings import ReadAttempt, Reading
from sourcewright.services.pages.failures import UNAUTHORISED, may_admit_browser, page_failure

_FINAL_CAUSES = ("connect", "offline", "tls", "breaker", "slow")
"""Causes of unavailability that another kind of request would not change."""
_FINAL_ERRORS = (Denied, InvalidInput, NotFound, RateLimited, RedirectFailed, Unreadable)


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRead:
    """A page that was read, and by which attempts."""

    reading: Reading
    url: str
    """The URL after redirects."""
    extracted_by: str | None
    trace: tuple[ReadAttempt, ...]
    is_sparse: bool = False
    """Whether it has little text in much markup, so that another attempt may yield more."""

    @property
    def is_confident(self) -> bool:
        return self.reading.quality == "complete" and not self.is_sparse


@dataclass(slots=True)
class ReadAttempts:
    """The attempts to read one page, and the best result so far."""

    url: str
    has_browser: bool = False
    tried: list[tuple[ReadAttempt, ResearchError | None]] = field(default_factory=list)
    own: list[ResearchError | None] = field(default_factory=list)
    """Result of each direct request to the page; None for success."""
    other_errors: list[ResearchError] = field(default_factory=list)
    """Errors of site APIs that were queried instead of the page."""
    best: PageRead | None = None
    is_final: bool = False
    """Whether the page itself would yield less than the partial result at hand."""
    served: FetchedDocument | None = None
    """The last HTML response, which a browser can render without requesting it again."""
    rendered: FetchedDocument | None = None
    """The page as HTML after its scripts have run."""

    def __post_init__(self) -> None:
        """Count a failed request of this call by others, such as the link check, as an attempt."""
        failure = current_call.get().page(self.url).failure
        if failure is not None:
            self.own.append(failure)
            attempt = ReadAttempt(tier="link check", outcome=failure_detail(failure))
            self.tried.append((attempt, failure))

    @property
    def is_done(self) -> bool:
        best = self.best
        return best is not None and (self.is_final or best.is_confident)

    @property
    def may_ask_again(self) -> bool:
        """Whether a direct request with other headers may still succeed."""
        # A response that timed out, or was cut off twice, would be so again.
        cut_off = self.best is not None and self.best.reading.cut
        if self.is_done or cut_off or self._is_exhausted or self._saves_last_request:
            return False
        return not any(map(is_final_error, self.own))

    def may_render(self, *, known: bool) -> bool:
        """Whether rendering may help: a known script-rendered site, HTML, or a bot challenge."""
        if known and self._is_denied:
            # The API has said that the page is unavailable; rendering would only take longer.
            return False
        if known and self.served is not None:
            return True
        if self.is_done or not self.own or any(map(is_final_error, self.own)):
            return False
        if self.served is not None:
            return True
        return any(map(may_admit_browser, self.own)) and not self._is_exhausted

    @property
    def may_relay(self) -> bool:
        """Whether a third party may be given the URL: never one that our own rules refuse."""
        if self.is_done or any(isinstance(error, NotFound) for error in self.other_errors):
            return False
        forbidding = (Denied, InvalidInput, NotFound)
        return not any(isinstance(error, forbidding) for error in self.own)

    async def attempt(
        self, tier: str, once: Callable[[], Awaitable[PageRead | None]], *, aside: bool = False
    ) -> None:
        """Make one attempt; `aside` queries a site API. `once` returns None if an API has read it."""
        try:
            read = await once()
        except NotConfigured as error:
            # A reader that is not configured is skipped, and listed in the trace.
            self.tried.append((ReadAttempt(tier=tier, outcome=str(error)), None))
            return
        except (UpstreamError, Denied, InvalidInput) as error:
            self.tried.append((ReadAttempt(tier=tier, outcome=failure_detail(error)), error))
            (self.other_errors if aside else self.own).append(error)
            return
        if not aside:
            self.own.append(None)
        if read is not None:
            self.tried.append((read.trace[-1], None))
            self._keep_best(read)

    def result(self) -> PageRead:
        if self._has_no_text and (self._is_denied or (self.best is None and self._is_refused)):
            # The page has no text, and the API gave a reason, so report the reason.
            raise page_failure(
                self.url, [(one, self._api_error(error)) for one, error in self.tried]
            )
        if self.best is None:
            raise page_failure(self.url, self.tried)
        return replace(self.best, trace=tuple(one for one, _ in self.tried))

    def _api_error(self, error: ResearchError | None) -> ResearchError | None:
        """Return the error of a site API; None for an error of the page itself."""
        if (
            error in self.other_errors
            and _is_refusal_in_body(error)
            and error.status == UNAUTHORISED
        ):
            # The page needs a login; an API key of ours would not help.
            return Refused(SOURCE, error.detail, status=error.status, cause=error.cause)
        return error if error in self.other_errors else None

    def _keep_best(self, read: PageRead) -> None:
        if self.best is None or _quality_key(read) > _quality_key(self.best):
            self.best = read

    @property
    def _is_exhausted(self) -> bool:
        """Whether another request would be one too many in this call."""
        return bool(self.own) and current_call.get().page(self.url).is_exhausted

    @property
    def _saves_last_request(self) -> bool:
        """Whether the last request of this call is kept for the browser, which may do better."""
        is_last = current_call.get().page(self.url).remaining == 1
        return self.has_browser and is_last and self.may_render(known=False)

    @property
    def _is_denied(self) -> bool:
        """Whether the site's API says that the page does not exist or is not accessible."""
        return any(
            isinstance(error, NotFound) or _is_refusal_in_body(error)
            for error in self.other_errors
        )

    @property
    def _is_refused(self) -> bool:
        return any(isinstance(error, Refused) for error in self.other_errors)

    @property
    def _has_no_text(self) -> bool:
        """Whether the page responded with no text or hardly any."""
        if self.best is not None:
            return self.best.reading.quality != "complete" and self.best.extracted_by is not None
        return bool(self.own) and all(map(_is_empty_error, self.own))


def _is_refusal_in_body(error: ResearchError | None) -> TypeGuard[Refused]:
    """Whether the response body states the refusal; a bare status may concern our client only."""
    return isinstance(error, Refused) and error.cause != "status"


def _is_empty_error(error: ResearchError | None) -> bool:
    return isinstance(error, BadAnswer) and error.cause == "shape"


def _quality_key(read: PageRead) -> tuple[bool, bool, int]:
    """Sort key: complete readings first, then by length; rendered text counts twice."""
    size = len(read.reading.content)
    is_complete = read.reading.quality == "complete"
    return is_complete, read.is_confident, size * (2 if read.extracted_by == BROWSER else 1)


def is_final_error(error: ResearchError | None) -> bool:
    """Whether no other kind of request to the page could succeed."""
    if isinstance(error, Unavailable):
        return error.cause in _FINAL_CAUSES
    return isinstance(error, _FINAL_ERRORS)
