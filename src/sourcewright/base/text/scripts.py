"""Scripts of texts: Latin, Cyrillic, Arabic, Chinese and others, by most of their letters."""

from bisect import bisect_right
from collections import Counter

_RANGES = (
    (0x0000, "latin"),
    (0x0370, "greek"),
    (0x0400, "cyrillic"),
    (0x0530, "armenian"),
    (0x0590, "hebrew"),
    (0x0600, "arabic"),
    (0x0900, "indic"),
    (0x0E00, "thai"),
    (0x0E80, "other"),
    (0x10A0, "georgian"),
    (0x1100, "korean"),
    (0x1200, "other"),
    (0x1E00, "latin"),
    (0x1F00, "greek"),
    (0x2000, "latin"),
    (0x2E80, "chinese"),
    (0xAC00, "korean"),
    (0xD7B0, "other"),
    (0xF900, "chinese"),
    (0xFB00, "latin"),
    (0xFB1D, "arabic"),
    (0xFF00, "latin"),
    (0x20000, "chinese"),
)
"""Where the letters of a script begin; Japanese counts as Chinese, because they share characters."""
_STARTS = [start for start, _ in _RANGES]
_MOST_READ = 400


def main_script(text: str) -> str | None:
    """The script of most letters of a text; None if it has none."""
    letters = filter(str.isalpha, text[:_MOST_READ])
    counts = Counter(_RANGES[bisect_right(_STARTS, ord(letter)) - 1][1] for letter in letters)
    return counts.most_common(1)[0][0] if counts else None


def is_same_script(one: str, other: str) -> bool:
    """Whether two texts can be compared letter by letter; one without letters can."""
    scripts = {main_script(one), main_script(other)} - {None}
    return len(scripts) < 2
