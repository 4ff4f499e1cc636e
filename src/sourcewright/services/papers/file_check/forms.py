"""The form of a PDF: too little text for a paper, presentation slides, or a poster."""

import re
from collections.abc import Sequence

from sourcewright.base.text.unicode import fold_without_spaces
from sourcewright.base.works import Work
from sourcewright.reading.excerpts import Excerpt
from sourcewright.services.papers.file_check.pages import PageText

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
_PREVIEW_PAGES = 3
_EDGE_LINES = 4
_PAGE_OF = re.compile(r"(?:^|\s)(?:page )?1 (?:of|von|de|di|sur) ([0-9]{1,4})$")
_MAX_SECTION_LETTERS = 50
_ABSTRACT = re.compile(r"abstract|summary|zusammenfassung|resume|resumen|摘要|要旨")
_FIRST_SECTION = re.compile(r"(?:1 )?(?:introduction|background|einleitung|introduccion)")
_LAST_SECTION = re.compile(
    r"(?:[0-9]{1,2} )?(?:results?|discussion|conclusions?|concluding remarks|acknowledge?ments?|"
    r"results and discussion|references|funding|notes|literatur|schluss|fazit|conclusion(?:es)?)"
)
FEWEST_WEB_LINES = 4
"""Lines of menus and notices of a web site. First pages that publishers typeset have two of them,
such as "Download PDF"."""
_LONGEST_WEB_LINE = 120
_MAX_WEB_PAGES = 6
_WEB_LINE = re.compile(
    r"skip to (?:main |article )?(?:content|navigation)|(?:advanced )?search|menu|home|my account|"
    r"(?:log|sign) ?in(?: register)?|register|create account|subscribe|journal home|browse issues?|"
    r"browse articles|submit (?:a |your )?manuscript|home .{0,60}|download (?:pdf|article|citation)|"
    r"share(?: this article)?|cite(?: this article)?|export citations?|metrics|access options|"
    r"rent or buy (?:this )?article|similar content being viewed by others|privacy policy|"
    r"(?:we use )?cookies?(?: .{0,80})?|we use cookies .{0,120}|accept (?:all )?cookies|back to top|"
    r"related (?:articles|content)|terms (?:and conditions|of (?:use|service))|follow us|contact us|"
    r"about (?:us|this journal)|sections|figures|view (?:metrics|pdf|all)|add to (?:cart|favorites)|"
    r"purchase (?:pdf|access)|get access|jump to|toggle navigation|author information|"
    r"permissions|recommended|more from this journal|sitemap|accessibility|imprint|impressum|"
    r"datenschutz|startseite|suche|accueil|rechercher|inicio|buscar"
)
_PRINTED = re.compile(
    r"[0-9]{1,2}[/.][0-9]{1,2}[/.][0-9]{2,4},? [0-9]{1,2}:[0-9]{2}|https?://\S{1,300} [0-9]{1,3}/[0-9]{1,3}$"
)
"""The date and the address that browsers print on pages."""


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


def is_beginning(excerpt: Excerpt, pages: tuple[PageText, ...]) -> bool:
    """Whether a file ends long before its article does: it states more pages, or has no end."""
    if not pages or excerpt.page_count > _PREVIEW_PAGES:
        return False
    edges = (*pages[0].plain[:_EDGE_LINES], *pages[0].plain[-_EDGE_LINES:])
    counts = [int(match[1]) for line in edges if (match := _PAGE_OF.search(line))]
    if any(count >= 2 * excerpt.page_count + 1 for count in counts):
        return True
    sections = [line for page in pages for line in page.plain if len(line) <= _MAX_SECTION_LETTERS]
    is_ended = any(map(_LAST_SECTION.fullmatch, sections)) or len(pages) < len(excerpt.pages)
    has_start = any(map(_FIRST_SECTION.fullmatch, sections))
    has_abstract = any(map(_ABSTRACT.fullmatch, sections))
    return excerpt.page_count == 1 and has_start and has_abstract and not is_ended


def is_web_page(excerpt: Excerpt, pages: tuple[PageText, ...]) -> bool:
    """Whether the first pages have the menus of a web site, as a landing page that was printed."""
    signs = {
        line if _WEB_LINE.fullmatch(line) else "print"
        for page in pages
        for line, raw in zip(page.plain, page.lines, strict=True)
        if len(raw) <= _LONGEST_WEB_LINE and (_WEB_LINE.fullmatch(line) or _PRINTED.match(raw))
    }
    needed = FEWEST_WEB_LINES if excerpt.page_count <= _MAX_WEB_PAGES else 2 * FEWEST_WEB_LINES
    return len(signs) >= needed


def _letters_of(pages: Sequence[str]) -> list[int]:
    return [len(fold_without_spaces(page)) for page in pages]
