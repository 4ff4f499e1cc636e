"""Finds where a page that is only a signpost sends its readers on."""

import re
from urllib.parse import urljoin

from sourcewright.logic.addressing import without_anchor
from sourcewright.logic.tagging import tags
from sourcewright.logic.walling import is_walled

_LARGEST = 16 * 1024
"""A signpost needs no more; a larger page has something to say itself."""
_SOON_SECONDS = 10
# Nothing is tried in two ways, so that no row of blanks takes longer than its length.
_REFRESH = re.compile(
    r"\s*+([0-9]{1,5}+)(?:\.[0-9]*+)?+\s*+[;,]\s*+(?:url\s*+=\s*+)?+[\"']?+\s*+([^\"'\s][^\"']*+)",
    re.IGNORECASE,
)
_WEB = re.compile(r"https?://", re.IGNORECASE)


def sends_on_to(markup: bytes, url: str) -> str | None:
    """The address that a page at `url` leads to soon; None where it stays, or renews itself."""
    if len(markup) > _LARGEST or is_walled("", markup):
        return None
    for tag in tags(markup):
        if tag.name == "meta" and tag.attributes.get("http-equiv", "").lower() == "refresh":
            return _target(tag.attributes.get("content", ""), url)
    return None


def _target(content: str, url: str) -> str | None:
    found = _REFRESH.match(content)
    if found is None or int(found[1]) > _SOON_SECONDS:
        return None
    try:
        target = urljoin(url, found[2].strip())
    except ValueError:
        return None
    is_other = without_anchor(target) != without_anchor(url)
    return target if is_other and _WEB.match(target) else None
