"""Why a page could not be read, in the contract's words, with what each attempt gave."""

import re
from collections.abc import Sequence

from sourcewright.domain.errors import (
    BadAnswer,
    Denial,
    Denied,
    InvalidInput,
    NotAvailable,
    NotFound,
    RateLimited,
    Refused,
    ResearchError,
    Unreadable,
    UpstreamError,
)
from sourcewright.domain.evidence import Attempt, Result, Unanswered
from sourcewright.domain.pages import BROWSER, SOURCE
from sourcewright.domain.readings import Tried
from sourcewright.domain.spellings import web_spelling
from sourcewright.logic.text.phrases import counted

UNAUTHORISED = 401
_FORBIDDEN = 403
_UNREGISTERED = 999
_LONGEST = 500
_WAIT_SECONDS = 60
_USER = re.compile(r"\A([A-Za-z][A-Za-z0-9+.-]*:/*)[^/?#]*@")
_REJECTED = "URL rejected for {url}: {detail}. Provide a valid public http(s) URL."
_ELSEWHERE = "Try an alternative source \u2014 its content can't be read directly."
_BLOCKED = f"Blocked: {{url}} uses bot detection. {_ELSEWHERE}"
_DECLINED = f"Blocked: {{url}} answered {{detail}}. {_ELSEWHERE}"
"""For a refusal whose status gives another reason than who asks, or none."""
_WITHHELD = f"Blocked: {{url}} is not shown: {{detail}}. {_ELSEWHERE}"
"""For what its site's own interface keeps from us."""
_LOGIN = "Auth required: {url} is behind a login wall."
_EMPTY = "No content extracted from {url}. May need browser rendering."
_BROWSER = "Scrape failed: Chrome unavailable ({detail}). Set CHROME_PATH or install Chrome."
_NETWORK = "Network error on {url}: {detail}. Check connectivity."
_SENTENCES: tuple[tuple[type[ResearchError], str], ...] = (
    (InvalidInput, _REJECTED),
    (Denied, _REJECTED),
    (
        NotFound,
        "Not found: {url} returned 404/410 \u2014 the page does not exist. Check the URL.",
    ),
    (RateLimited, "Rate limited on {url}. Retry in {wait}."),
    (Refused, _BLOCKED),
    (NotAvailable, _EMPTY),
    (Unreadable, "No content extracted from {url}: {detail}."),
    (BadAnswer, _EMPTY),
    (ResearchError, _NETWORK),
)
"""What the contract says of each kind of failure; the first that one of the ways met decides."""

Attempts = Sequence[tuple[Tried, ResearchError | None]]


def unread(url: str, tried: Attempts) -> Unanswered:
    """The error that stands for all of them: the most telling one, of the page itself if possible."""
    errors = [error for _, error in tried if error is not None]
    own = [error for error in errors if _is_of_page(error)] or errors
    decisive = min(own, key=_rank, default=NotAvailable(f"no content extracted from {url}"))
    told = ", ".join(f"{one.tier}: {one.outcome}" for one, _ in tried)
    account = f" ({told})" if len(tried) > 1 else ""
    attempts = tuple(
        Attempt(source=one.tier, outcome=_result(error), detail=one.outcome, error=error)
        for one, error in tried
    )
    message = f"{_sentence(_shown(url), decisive)}{account}"
    return Unanswered(message, decisive=decisive, attempts=attempts)


def _result(error: ResearchError | None) -> Result:
    """A way that this machine does not have was not gone."""
    return "consulted_failed" if error is not None else "not_consulted_disabled"


def not_allowed(host: str | None) -> str:
    """Of a place where the operator lets no page be read."""
    return f"{host} is not among the domains in ALLOWED_DOMAINS"


def word_for(error: ResearchError) -> str:
    """What went wrong, without naming the page as the one to blame: the sentence does."""
    if isinstance(error, Denied) and _leads_out(error.denial):
        return f"it leads elsewhere, and {not_allowed(error.denial.attempted)}"
    detail = error.detail if isinstance(error, UpstreamError) else str(error)
    return detail.removeprefix(f"{SOURCE}: ").rstrip(".")


def _leads_out(denial: Denial) -> bool:
    """Whether a page sends its reader to where no page may be read."""
    out = denial.reason == "redirect_not_in_allowlist" and denial.source == SOURCE
    return out and bool(denial.hop_index)


def _is_of_page(error: ResearchError) -> bool:
    # A host that is left alone for a while stands behind the word.
    own = (SOURCE, BROWSER)
    return not isinstance(error, UpstreamError) or error.source.partition(" ")[0] in own


def _rank(error: ResearchError) -> tuple[int, bool]:
    """Its place among the sentences; of two alike, the one that says more comes first."""
    # A browser that does not start says more than a page without text, and less than any other.
    kind = NotAvailable if _is_browser(error) else type(error)
    place = next(at for at, (known, _) in enumerate(_SENTENCES) if issubclass(kind, known))
    return place, not (_wants_login(error) or _is_browser(error))


def _is_browser(error: ResearchError) -> bool:
    return isinstance(error, UpstreamError) and error.source == BROWSER


def _wants_login(error: ResearchError) -> bool:
    return isinstance(error, Refused) and error.status == UNAUTHORISED


def is_wall(error: ResearchError | None) -> bool:
    """Whether a page is there, and something stands in front of it that may let a browser in."""
    return isinstance(error, Refused) and error.status in (None, _FORBIDDEN, _UNREGISTERED)


def _sentence(url: str, error: ResearchError) -> str:
    words = next(words for kind, words in _SENTENCES if isinstance(error, kind))
    if isinstance(error, Refused):
        words = _refusal(error)
    if _is_browser(error):
        words = _BROWSER
    wait = (error.retry_after if isinstance(error, UpstreamError) else None) or _WAIT_SECONDS
    said = counted(f"{wait:.0f}", "second")
    return words.format(url=url, detail=word_for(error), wait=said)


def _refusal(error: Refused) -> str:
    if _wants_login(error):
        return _LOGIN
    if not _is_of_page(error):
        return _WITHHELD
    return _BLOCKED if is_wall(error) else _DECLINED


def _shown(url: str) -> str:
    """The address without a user's name and password, and not for ever."""
    return _USER.sub(r"\1", web_spelling(url))[:_LONGEST]
