"""Decides whether a style sheet's rules hold on the screen of somebody who reads."""

import re

_WIDTH = 1366.0
"""Pixels across, as most screens have them that pages are read on."""
_POINTS = {"px": 1.0, "em": 16.0, "rem": 16.0, "": 1.0}
_FEATURE = re.compile(r"\(\s*(min|max)-(?:device-)?width\s*:\s*([\d.]{1,8})\s*(px|r?em|)\s*\)")
_ASIDE = re.compile(r"\([^)]*\)?")
_OTHERS = re.compile(r"\b(?:print|speech|aural|braille|handheld|tv|projection|embossed)\b")


def applies(media: str) -> bool | None:
    """Whether rules for these media hold; None where it depends on something else."""
    told = [_asks(query) for query in media[:500].lower().split(",")]
    if True in told:
        return True
    return None if None in told else False


def _asks(query: str) -> bool | None:
    plain = _ASIDE.sub(" ", query)
    if re.search(r"\bnot\b", query):
        return None
    if _OTHERS.search(plain):
        return False
    widths = _FEATURE.findall(query)
    if not all(_fits(bound, number, unit) for bound, number, unit in widths):
        return False
    return True if len(widths) == query.count("(") else None


def _fits(bound: str, number: str, unit: str) -> bool:
    try:
        size = float(number) * _POINTS[unit]
    except ValueError:
        return False
    return size <= _WIDTH if bound == "min" else size >= _WIDTH
