"""Whether two records describe the same work, judged strictly: a wrong pair fetches a wrong paper."""

import unicodedata

from sourcewright.domain.works import Work
from sourcewright.logic.cleaning import plain_text

SHORTEST_TITLE = 20
FEWEST_WORDS = 3
"""Shorter titles, such as "Editorial", belong to many works."""


def is_same_work(asked: Work, candidate: Work) -> bool:
    """The same title letter by letter, the first author's name, and no other published DOI."""
    title = _words(asked.title or "")
    if len("".join(title)) < SHORTEST_TITLE or len(title) < FEWEST_WORDS:
        return False
    if title != _words(candidate.title or "") or not asked.authors:
        return False
    first = asked.authors[0]
    family = _words(first.family or first.name.split()[-1] if first.name else "")
    names = {word for author in candidate.authors for word in _words(author.name)}
    conflicting = candidate.doi is not None and asked.doi not in (None, candidate.doi)
    return bool(family) and set(family) <= names and not conflicting


def _words(text: str) -> list[str]:
    """Letters and digits only, case and accents folded."""
    folded = unicodedata.normalize("NFKD", plain_text(text) or "").casefold()
    kept = "".join(char for char in folded if not unicodedata.combining(char))
    return "".join(char if char.isalnum() else " " for char in kept).split()
