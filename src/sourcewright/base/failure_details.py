"""What went wrong with a page, in words for a message that already names it."""

from sourcewright.base.errors import Denial, Denied, ResearchError, UpstreamError
from sourcewright.base.pages import SOURCE


def not_in_allowlist_reason(host: str | None) -> str:
    """The reason for a host that is not in the operator's allowlist."""
    return f"{host} is not in ALLOWED_DOMAINS"


def failure_detail(error: ResearchError) -> str:
    """What went wrong, without the source: the message around it names the page."""
    if isinstance(error, Denied) and _redirects_outside(error.denial):
        return (
            f"it redirects to another host, and {not_in_allowlist_reason(error.denial.attempted)}"
        )
    detail = error.detail if isinstance(error, UpstreamError) else str(error)
    words = detail.removeprefix(f"{SOURCE}: ").rstrip(".")
    is_redirect = isinstance(error, Denied) and _is_redirect_of_page(error.denial)
    return f"it redirects, and {words}" if is_redirect else words


def _redirects_outside(denial: Denial) -> bool:
    """Whether the page redirects to a host that is not in the allowlist."""
    return denial.reason == "redirect_not_in_allowlist" and _is_redirect_of_page(denial)


def _is_redirect_of_page(denial: Denial) -> bool:
    return denial.source == SOURCE and bool(denial.hop_index)
