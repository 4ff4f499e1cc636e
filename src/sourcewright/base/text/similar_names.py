"""The names that somebody may have meant who gave one that there is not."""

import difflib
from collections.abc import Iterable

MAX_SUGGESTIONS = 3
MAX_NAME = 100
"""Characters of a name that are compared; a longer one is no slip."""
_LEAST_ALIKE = 0.6


def similar_names(name: str, known: Iterable[str]) -> list[str]:
    """The known names closest to this one, the best first: with the same words, or spelled alike."""
    names = sorted(known)
    given = name[:MAX_NAME].lower().replace("-", "_")
    words = set(given.split("_"))
    shared = {
        one: len(words & set(one.split("_"))) / len(words | set(one.split("_"))) for one in names
    }
    same_words = [
        one for one in names if words <= set(one.split("_")) or shared[one] > _LEAST_ALIKE
    ]
    same_words.sort(key=lambda one: -shared[one])
    alike = difflib.get_close_matches(given, names, MAX_SUGGESTIONS, _LEAST_ALIKE)
    return list(dict.fromkeys((*same_words, *alike)))[:MAX_SUGGESTIONS]
