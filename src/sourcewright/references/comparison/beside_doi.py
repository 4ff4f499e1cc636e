"""Text beside a DOI: what of it may be the title of the work, once the record is known."""

import re
from collections.abc import Iterable

from sourcewright.base.text.unicode import fold_text
from sourcewright.base.works import WorkRecord
from sourcewright.references.comparison.titles import content_words

MIN_TITLE_WORDS = 2
"""How many words of a title must be missing from the record's before it is another title."""
_OTHERS = frozenset({"and", "et", "al"})
"""Words between the names of authors, and after them."""


def title_beside_doi(text: str, doi: re.Match[str]) -> str | None:
    """The text next to a DOI, if it may be a title."""
    rest = f"{text[: doi.start()]} {text[doi.end() :]}"
    rest = re.sub(
        r"(?:https?://)?(?:dx\.)?doi(?:\.org/|:)?\s*$|\bdoi:?\s*", " ", rest, flags=re.IGNORECASE
    )
    return _title_in(rest.split())


def title_without_other_fields(text: str, record: WorkRecord) -> str | None:
    """The text without the authors, journal and year of the record, if what is left may be a title.

    A text that has neither its authors nor its journal is left as it is: a year alone, or the name
    of somebody else, is not a field of this work.
    """
    names = _words([*(author.name for author in record.authors), record.venue or ""])
    title = _words([record.title or ""])
    if not _words([text]) & (names - title):
        return text
    numbers = (record.year, *record.years, record.volume, record.issue)
    numbered = _words(str(number) for number in numbers if number is not None)
    other = (names | numbered | _OTHERS) - title
    return _title_in(word for word in text.split() if not _words([word]) <= other)


def _words(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(word for text in texts for word in fold_text(text).split())


def _title_in(words: Iterable[str]) -> str | None:
    text = " ".join(words).strip(" .,;:()[]\"'\u201c\u201d")
    return text if len(content_words(text)) >= MIN_TITLE_WORDS else None
