"""Sites whose pages are built by their scripts, known by their address alone."""

from sourcewright.logic.addressing import host_of, is_on

_SITES = (
    *("bsky.app", "dev.to", "facebook.com", "frontify.com", "go.dev", "instagram.com"),
    *("linkedin.com", "medium.com", "news.google.com", "patents.google.com"),
    *("scholar.google.com", "threads.net", "tiktok.com", "trends.google.com", "youtube.com"),
)
_FIRST_LABELS = frozenset(
    ("app", "brand", "brandbook", "design", "identity", "newsroom", "portal", "press", "style")
)


def builds_itself(url: str) -> bool:
    """Whether a page there is known to show little before its scripts have run."""
    first, _, rest = host_of(url).partition(".")
    return is_on(url, _SITES) or (first in _FIRST_LABELS and "." in rest)
