"""CSS media queries and other conditional groups, evaluated for an ordinary desktop screen."""

import re

from sourcewright.reading.css.values import VIEWPORT_WIDTH, pixels

_MIN_CONTAINER_WIDTH = 200.0
"""Pixels that a container has on a desktop screen at least; the viewport is its maximum."""
_WIDTH_FEATURE = re.compile(
    r"\(\s*+(min|max)-(?:device-)?width\s*+:\s*+([\d.]{1,8}+(?:px|r?em|))\s*+\)"
)
_PARENTHESISED = re.compile(r"\([^)]*\)?")
_OTHER_MEDIA = re.compile(r"\b(?:print|speech|aural|braille|handheld|tv|projection|embossed)\b")
_CONDITIONAL_GROUP = re.compile(r"@(?:media|supports|layer|container|scope)\b")


def media_matches(media: str, narrowest: float = VIEWPORT_WIDTH) -> bool | None:
    """Whether a media query list matches; None if that depends on something unknown.

    The width is between `narrowest` and that of the viewport.
    """
    results = [_query_matches(query, narrowest) for query in media[:500].lower().split(",")]
    if True in results:
        return True
    return None if None in results else False


def _query_matches(query: str, narrowest: float) -> bool | None:
    plain = _PARENTHESISED.sub(" ", query)
    if re.search(r"\bnot\b", query):
        return None
    if _OTHER_MEDIA.search(plain):
        return False
    widths = _WIDTH_FEATURE.findall(query)
    results = {_width_matches(bound, pixels(size), narrowest) for bound, size in widths}
    if False in results:
        return False
    return None if None in results or len(widths) != query.count("(") else True


def _width_matches(bound: str, size: float | None, narrowest: float) -> bool | None:
    if size is None:
        return False
    certain, possible = (
        (size <= narrowest, size <= VIEWPORT_WIDTH)
        if bound == "min"
        else (size >= VIEWPORT_WIDTH, size >= narrowest)
    )
    return True if certain else None if possible else False


def group_applies(prelude: str) -> bool | None:
    """Whether a group's rules apply; None if that is not known."""
    condition = prelude[:500].lower()
    group = _CONDITIONAL_GROUP.match(condition)
    if group is None:
        return False
    if group[0] == "@media":
        return media_matches(condition[6:])
    if group[0] == "@container":
        features = condition[condition.find("(") :] if "(" in condition else condition
        return media_matches(features, _MIN_CONTAINER_WIDTH)
    return None if " not" in condition or group[0] == "@scope" else True
