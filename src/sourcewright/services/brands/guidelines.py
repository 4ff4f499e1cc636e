"""Brand guidelines: whether a page is one, what it states, and which of its sub-pages to read."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from urllib.parse import unquote, urlsplit

from sourcewright.base.urls.canonical import dedup_key
from sourcewright.domain.records.brands import BrandFacts, Logo, Logos
from sourcewright.services.brands.fonts import stated_fonts
from sourcewright.services.brands.homepage import google_fonts_url, logo_of
from sourcewright.services.brands.markup import Image, Link, Markup
from sourcewright.services.brands.palette import stated_colours
from sourcewright.services.brands.sites import is_same_host
from sourcewright.services.brands.voice import stated_voice

MAX_SUBPAGES = 4
_STRONG = re.compile(
    r"brand(?:ing|book)?\b|\blogos?\b|press ?kit|media ?kit|style ?guide|visual identity"
    r"|\bmarke(?:n\w*)?\b|\u30d6\u30e9\u30f3\u30c9|\u54c1\u724c|charte graphique|identidad",
    re.IGNORECASE,
)
"""What the title or the first heading of a brand page speaks of."""
_TERMS = re.compile(
    r"(?P<guidelines>brand (?:guid|asset|identity|kit|resource|standard|portal|cent)|style ?guide)"
    r"|(?P<logo>\blogos?\b|wordmark|logotype)|(?P<colour>colou?r palette|brand colou?r|primary colou?r)"
    r"|(?P<type>typograph|typefa[cs]e)|(?P<kit>(?:press|media) kit)|(?P<mark>trademark)"
    r"|(?P<voice>tone of voice|brand voice)",
    re.IGNORECASE,
)
_NOT_FOUND = re.compile(
    r"\b404\b|not found|(?:doesn.?t|does not|no longer) exist|no such page|can.?t (?:be found|find)"
    r"|nicht gefunden|introuvable|no encontrada|n\u00e3o encontrada|non trovata",
    re.IGNORECASE,
)
_MIN_TERMS = 2
_MAX_TEXT = 200_000
_SUBPAGE = re.compile(r"colou?r|palette|typograph|fonts?\b|logos?\b|voice|tone\b", re.IGNORECASE)
_LOGO = re.compile(r"\blogo(?:type|mark)?s?\b|wordmark", re.IGNORECASE)
_DARK = re.compile(r"\bdark\b|\bwhite\b|reversed?\b|negative|inverted", re.IGNORECASE)
_ICON = re.compile(r"\bicon\b|symbol|\bmark\b|favicon|monogram", re.IGNORECASE)
_FILES = (".svg", ".png", ".eps", ".webp", ".jpg", ".jpeg")
_WORD_BREAKS = re.compile(r"[-_+.]")


def says_not_found(page: Markup) -> bool:
    """Whether a page that was served as if it existed says that it does not."""
    return bool(_NOT_FOUND.search(f"{page.title}\n{_first_heading(page)}"))


def is_same_page(one: Markup, other: Markup) -> bool:
    """Whether two addresses show the same page, as far as titles, headings and text tell."""
    if one.title and one.title == other.title and _first_heading(one):
        return _first_heading(one) == _first_heading(other)
    return one.text == other.text


def speaks_of_brand(page: Markup) -> bool:
    """Whether a page is about a brand by its title, its first heading or its terms."""
    if _STRONG.search(f"{page.title}\n{_first_heading(page)}"):
        return True
    return len({match.lastgroup for match in _TERMS.finditer(page.text[:_MAX_TEXT])}) >= _MIN_TERMS


def guideline_facts(page: Markup) -> BrandFacts:
    """What a brand page states in its text."""
    fonts = stated_fonts(page.lines, page.title)
    return BrandFacts(
        palette=stated_colours(page.lines, page.title),
        logos=_logos(page),
        typography=replace(fonts, google_fonts_url=google_fonts_url(page)),
        tone=stated_voice(page.lines),
    )


def subpages(page: Markup) -> tuple[str, ...]:
    """The sub-pages about colours, fonts, logos and voice that a brand page links."""
    own = dedup_key(page.url)
    urls = {
        dedup_key(link.url): link.url.partition("#")[0]
        for link in page.links
        if is_same_host(link.url, page.url) and _SUBPAGE.search(f"{link.text} {_path(link.url)}")
    }
    files = (*_FILES, ".zip", ".pdf", ".ai", ".gif")
    pages = (
        url
        for key, url in urls.items()
        if key != own and not urlsplit(url).path.lower().endswith(files)
    )
    return tuple(pages)[:MAX_SUBPAGES]


def _first_heading(page: Markup) -> str:
    return next((line.text for line in page.lines if line.heading), "")


def _path(url: str) -> str:
    return _WORD_BREAKS.sub(" ", unquote(urlsplit(url).path))


def _logos(page: Markup) -> Logos:
    """The images and files that the page calls logos, by the words that it calls them."""
    labelled = list(_labelled_logos(page.images, page.links))
    plain = [
        logo for label, logo in labelled if not _DARK.search(label) and not _ICON.search(label)
    ]
    dark = [logo for label, logo in labelled if _DARK.search(label)]
    icons = [logo for label, logo in labelled if _ICON.search(label) and not _DARK.search(label)]
    return Logos(
        primary=next(iter(plain), None),
        dark=next(iter(dark), None),
        icon=next(iter(icons), None),
    )


def _labelled_logos(images: Iterable[Image], links: Iterable[Link]) -> Iterator[tuple[str, Logo]]:
    """Files offered for download before pictures, each with its label and file name."""
    for link in links:
        label = f"{link.text} {_path(link.url)}"
        if urlsplit(link.url).path.lower().endswith(_FILES) and _LOGO.search(label):
            yield label, logo_of(link.url)
    for image in images:
        label = f"{image.label} {_path(image.url)}"
        if _LOGO.search(label):
            yield label, logo_of(image.url, sizes=f"{image.width}x{image.height}")
