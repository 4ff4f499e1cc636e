"""The form of a PDF: too little text for a paper, presentation slides, or a poster."""

from collections.abc import Sequence

from sourcewright.base.text.unicode import fold_without_spaces
from sourcewright.base.works import Work
from sourcewright.reading.excerpts import Excerpt

MIN_PAPER_LETTERS = 500
"""Letters and digits of a page besides its title, given twice. A captioned image in a medical
journal has 800; the page that a repository puts before a paper, or stores without it, has 300."""
_MAX_SLIDE_LETTERS = 600
"""Letters and digits on a slide; a page of a report in landscape format has 2,000."""
_MIN_SLIDES = 4
_LANDSCAPE = 1.2
"""Width divided by height. Slides have 1.33 or 1.78."""
_POSTER_POINTS = 1_000
"""The shorter side of a page; A3 has 842, A2 1,190."""
_MAX_POSTER_LETTERS = 9_000
_ARTICLE_TYPES = frozenset({"journal-article", "book-chapter", "proceedings-article"})
"""Types of works that are never slides or posters; data repositories register those too."""


def has_too_little_text(excerpt: Excerpt, title: str) -> bool:
    """Whether the file is one page with some text, but less than any paper."""
    letters = sum(_letters_of(excerpt.pages))
    return excerpt.page_count == 1 and 0 < letters < MIN_PAPER_LETTERS + 2 * len(title)


def presentation_form(excerpt: Excerpt, work: Work) -> str | None:
    """Return "slides" or "a poster" if an article's file has their format, else None."""
    if work.type not in _ARTICLE_TYPES or not excerpt.page_sizes:
        return None
    letters = _letters_of(excerpt.pages)
    if excerpt.page_count == 1:
        is_large = min(excerpt.page_sizes[0]) > _POSTER_POINTS
        return "a poster" if is_large and letters[0] <= _MAX_POSTER_LETTERS else None
    is_wide = all(width > _LANDSCAPE * height for width, height in excerpt.page_sizes)
    is_sparse = 0 < max(letters) <= _MAX_SLIDE_LETTERS
    return "slides" if is_wide and is_sparse and excerpt.page_count >= _MIN_SLIDES else None


def _letters_of(pages: Sequence[str]) -> list[int]:
    return [len(fold_without_spaces(page)) for page in pages]
