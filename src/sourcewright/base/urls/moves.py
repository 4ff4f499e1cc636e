"""Moved links: whether a redirect leads to the same page, to another one, or to a front page."""

import re
from urllib.parse import SplitResult, unquote, urlsplit

from sourcewright.base.links import LinkChange
from sourcewright.base.urls.canonical import host_of

_RESOLVERS = frozenset(
    {"doi.org", "dx.doi.org", "hdl.handle.net", "n2t.net", "purl.org", "w3id.org"}
)
"""Hosts whose links are meant to lead elsewhere."""
_FRONT_PATH = re.compile(
    r"/?(?:(?:index|default|home)(?:\.[a-z]{2,5})?|[a-z]{2}(?:[-_][a-z]{2})?)?/?", re.IGNORECASE
)
_MAX_LENGTH = 4096


def link_change(requested: str, final: str) -> LinkChange | None:
    """How the page that was found differs from the one that was asked for; None if it does not."""
    if len(requested) > _MAX_LENGTH or len(final) > _MAX_LENGTH:
        return None if requested == final else "moved"
    was, now = urlsplit(requested), urlsplit(final)
    if _is_front(now) and not _is_front(was):
        return "front_page"
    if host_of(requested) in _RESOLVERS:
        return None
    return None if _page_of(was) == _page_of(now) else "moved"


def _is_front(parts: SplitResult) -> bool:
    return not parts.query and _FRONT_PATH.fullmatch(parts.path) is not None


def _page_of(parts: SplitResult) -> tuple[str, str, str]:
    """The page, whatever its scheme, `www`, closing slash and fragment."""
    host = (parts.hostname or "").removeprefix("www.")
    return host, unquote(parts.path).rstrip("/"), parts.query
