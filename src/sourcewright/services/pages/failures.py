"""Why a page could not be read: the error message of the contract, and each attempt."""

import math
import re
from collections.abc import Sequence

from sourcewright._about import ISSUES_URL
from sourcewright.base.errors import (
    BadAnswer,
    Denied,
    InvalidHttp,
    InvalidInput,
    NotAvailable,
    NotFound,
    RateLimited,
    RedirectFailed,
    Refused,
    ResearchError,
    Unreadable,
    UpstreamError,
)
from sourcewright.base.failure_details import failure_detail
from sourcewright.base.identifiers import parse_reference
from sourcewright.base.pages import BROWSER, SOURCE
from sourcewright.base.spellings import clean_url
from sourcewright.base.text.phrases import count_phrase
from sourcewright.domain.evidence import AttemptOutcome, NoSourceAnswered, SourceAttempt
from sourcewright.reading.readings import ReadAttempt

UNAUTHORISED = 401
_FORBIDDEN = 403
_REQUEST_DENIED = 999
"""Not a registered status; LinkedIn and a few others send it to clients they take for bots."""
_MAX_URL = 500
_DEFAULT_WAIT_SECONDS = 60
_CREDENTIALS = re.compile(r"\A([A-Za-z][A-Za-z0-9+.-]*:/*)[^/?#]*@")
_URL_INSIDE = re.compile(r"https?://[^\s<>\"'()\[\]]+", re.IGNORECASE)
_HOST_AND_PATH = re.compile(r"(?://)?(?:[a-z0-9-]++\.)+[a-z]{2,}(?:/\S*)?", re.IGNORECASE)
_REJECTED = "URL rejected for {url}: {detail}. Provide a valid public http(s) URL."
_ELSEWHERE = "Try an alternative source \u2014 its content can't be read directly."
_BLOCKED = f"Blocked: {{url}} uses bot detection. {_ELSEWHERE}"
_REFUSED_BY_STATUS = f"Blocked: {{url}} answered {{detail}}. {_ELSEWHERE}"
"""For a refusal whose status does not indicate bot detection or a login."""
_REFUSED_BY_API = f"Blocked: {{url}} is not accessible: {{detail}}. {_ELSEWHERE}"
"""For content that the site's own API does not return."""
_LOGIN = "Auth required: {url} is behind a login wall."
_REPORT = f"Report at {ISSUES_URL}"
_EMPTY = f"No content extracted from {{url}}. May need browser rendering. {_REPORT}"
_BROWSER = (
    f"Scrape failed: Chrome unavailable ({{detail}}). Set CHROME_PATH or install Chrome. {_REPORT}"
)
_NO_TARGET = f"Unavailable: {{url}} leads to no page: {{detail}}. {_ELSEWHERE}"
_NETWORK = "Network error on {url}: {detail}. Check connectivity."
_MESSAGES: tuple[tuple[type[ResearchError], str], ...] = (
    (InvalidInput, _REJECTED),
    (Denied, _REJECTED),
    (
        NotFound,
        "Not found: {url} returned 404/410 \u2014 the page does not exist. Check the URL.",
    ),
    (RateLimited, "Rate limited on {url}. Retry in {wait}."),
    (Refused, _BLOCKED),
    (NotAvailable, _EMPTY),
    (RedirectFailed, _NO_TARGET),
    (InvalidHttp, _NETWORK),
    (Unreadable, "No content extracted from {url}: {detail}."),
    (BadAnswer, _EMPTY),
    (ResearchError, _NETWORK),
)
"""The contract's message for each kind of failure; the first kind that any attempt had decides."""

Attempts = Sequence[tuple[ReadAttempt, ResearchError | None]]


def page_failure(url: str, tried: Attempts, *, advice: str = "") -> NoSourceAnswered:
    """One error for all attempts: the most specific one, of the page itself if possible."""
    errors = [error for _, error in tried if error is not None]
    of_page = [error for error in errors if _is_of_page(error)] or errors
    decisive = min(of_page, key=_rank, default=NotAvailable(f"no content extracted from {url}"))
    outcomes = ", ".join(f"{attempt.tier}: {attempt.outcome}" for attempt, _ in tried)
    account = f" ({outcomes})" if len(tried) > 1 else ""
    attempts = tuple(
        SourceAttempt(
            source=attempt.tier, outcome=_result(error), detail=attempt.outcome, error=error
        )
        for attempt, error in tried
    )
    message = f"{_message(_displayed_url(url), decisive)}{account}{advice}"
    return NoSourceAnswered(message, decisive=decisive, attempts=attempts)


def rejected_url(url: str, error: Denied | InvalidInput) -> NoSourceAnswered:
    """The error for a URL that our rules refuse before anything is requested."""
    attempt = ReadAttempt(tier="guard", outcome=failure_detail(error))
    other = _likely_url(clean_url(url)[:_MAX_URL])
    advice = f" Did you mean {_displayed_url(other)}?" if other else ""
    return page_failure(url, [(attempt, error)], advice=advice)


def _likely_url(text: str) -> str | None:
    """The URL inside a text, of an identifier, or of a host without a scheme; None for a URL."""
    if text.lower().startswith(("http:", "https:")):
        return None
    if url := _URL_INSIDE.search(text):
        return url[0].rstrip(".,;:!?")
    try:
        return parse_reference(text).url
    except InvalidInput:
        return f"https://{text.lstrip('/')}" if _HOST_AND_PATH.fullmatch(text) else None


def _result(error: ResearchError | None) -> AttemptOutcome:
    """An attempt without an error was not made: this machine does not have the means."""
    return "consulted_failed" if error is not None else "not_consulted_disabled"


def _is_of_page(error: ResearchError) -> bool:
    # Rate limits are per host: their source is the name, a space and the host.
    page_sources = (SOURCE, BROWSER)
    return not isinstance(error, UpstreamError) or error.source.partition(" ")[0] in page_sources


def _rank(error: ResearchError) -> tuple[int, bool, float]:
    """Sort key: position among the messages, then the more specific error, then the longest wait.

    A source that is not queried for a minute is not to be tried again in five seconds.
    """
    # A browser that does not start ranks just before a page without text.
    kind = NotAvailable if _is_browser(error) else type(error)
    position = next(at for at, (listed, _) in enumerate(_MESSAGES) if issubclass(kind, listed))
    wait = (error.retry_after if isinstance(error, UpstreamError) else None) or 0
    return position, not (_needs_login(error) or _is_browser(error)), -wait


def _is_browser(error: ResearchError) -> bool:
    return isinstance(error, UpstreamError) and error.source == BROWSER


def _needs_login(error: ResearchError) -> bool:
    return isinstance(error, Refused) and error.status == UNAUTHORISED


def may_admit_browser(error: ResearchError | None) -> bool:
    """Whether the page exists, but is behind a bot challenge that may let a browser pass."""
    return isinstance(error, Refused) and error.status in (None, _FORBIDDEN, _REQUEST_DENIED)


def _message(url: str, error: ResearchError) -> str:
    template = next(template for kind, template in _MESSAGES if isinstance(error, kind))
    if isinstance(error, Refused):
        template = _refusal_message(error)
    if _is_browser(error):
        template = _BROWSER
    wait = (
        error.retry_after if isinstance(error, UpstreamError) else None
    ) or _DEFAULT_WAIT_SECONDS
    duration = count_phrase(max(1, math.ceil(wait)), "second")
    return template.format(url=url, detail=failure_detail(error), wait=duration)


def _refusal_message(error: Refused) -> str:
    if _needs_login(error):
        return _LOGIN
    if not _is_of_page(error):
        return _REFUSED_BY_API
    return _BLOCKED if may_admit_browser(error) else _REFUSED_BY_STATUS


def _displayed_url(url: str) -> str:
    """The URL without credentials, truncated."""
    return _CREDENTIALS.sub(r"\1", clean_url(url))[:_MAX_URL]
