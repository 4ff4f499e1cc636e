"""Metadata of a page: title, author, site, dates, canonical URL, language.

The sources are JSON-LD, meta tags, microdata and the visible page.
"""

import html
import re
from collections.abc import Collection
from dataclasses import dataclass
from itertools import chain, islice

from sourcewright.reading.html.document import AttributeIndex, Node, base_url_of
from sourcewright.reading.html.embedded_data import json_ld_values, meta_tags
from sourcewright.reading.html.inline import absolute_url
from sourcewright.reading.html.metadata.authors import page_authors
from sourcewright.reading.html.metadata.dates import modified_date, published_date
from sourcewright.reading.html.metadata.described_works import DescribedWorks, described_works
from sourcewright.reading.html.metadata.page_sources import (
    MetaTags,
    PageSources,
    first_contents,
    first_text,
    folded_name,
    is_same_name,
    text_of,
)

# The lookbehind keeps the search linear: it does not retry at each space of a long run.
_SEPARATORS = re.compile(
    r"(?<!\s)\s++[|\u2013\u2014\u00b7\u00bb-]\s++|(?:(?<!\s)\s++)?[|\uff5c\u00bb]\s*+"
)
_SEPARATING = " |\uff5c\u2013\u2014\u00b7\u00bb-"
_UNSPACED_SEPARATOR = re.compile(r"(?<=[\u3001-\u9fff\uff00-\uffef])[_-](?=[\u3041-\u9fff])")
"""Before the name of a site in Chinese and Japanese titles, which have no spaces there."""
_ENTITY = re.compile(r"&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});", re.IGNORECASE)
_MIN_SHARE = 0.6
"""Share of the title that a heading has which is not at its start."""
_WORD = re.compile(r"\w+")
_MIN_HEADLINE_WORDS = 3
_MAX_HOME_LINKS = 10
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*")


@dataclass(frozen=True, slots=True, kw_only=True)
class PageMetadata:
    """Bibliographic metadata of a page."""

    title: str | None
    author: str | None
    organisations: tuple[str, ...]
    """Those of the authors that are organisations."""
    site: str | None
    published: str | None
    modified: str | None
    canonical: str | None
    language: str | None


def page_metadata(root: Node, url: str, marks: AttributeIndex) -> PageMetadata:
    metas: dict[str, list[str]] = {}
    for name, content in meta_tags(root):
        metas.setdefault(name, []).append(_ENTITY.sub(lambda one: html.unescape(one[0]), content))
    works = described_works(json_ld_values(root))
    sites = _site_names(metas, works)
    home = _home_names(root, url)
    title = _title(root, metas, works, next(iter(sites), None), home)
    sources = PageSources(
        root=root,
        marks=marks,
        metas=metas,
        works=works,
        title=title,
        url=url,
        language=_language(root, metas, works),
    )
    authors = page_authors(sources, sites)
    return PageMetadata(
        title=title,
        author=authors.line,
        organisations=authors.organisations,
        site=next(iter(sites), None),
        published=published_date(sources),
        modified=modified_date(sources),
        canonical=_canonical(root, metas, url),
        language=sources.language,
    )


def _site_names(metas: MetaTags, works: DescribedWorks) -> list[str]:
    """Names of the site and of its publisher, the most usual first."""
    publishers = (author.name for authors in works.people("publisher") for author in authors)
    names = (
        *first_contents(metas, ["og:site_name"]),
        *publishers,
        works.site,
        *first_contents(metas, ["application-name"]),
    )
    return [text for text in (first_text([name]) for name in names) if text]


def _home_names(root: Node, url: str) -> set[str]:
    """The folded texts of links to the first page of the site, of which one is often its name."""
    origin = absolute_url("/", url) or "/"
    targets = ("/", origin, origin.rstrip("/"))
    links = (link for link in root.iter("a") if link.get("href") in targets)
    texts = (folded_name(text_of(link) or "") for link in islice(links, _MAX_HOME_LINKS))
    return set(filter(None, texts))


def _title(
    root: Node, metas: MetaTags, works: DescribedWorks, site: str | None, home: Collection[str]
) -> str | None:
    title_elements = (
        element
        for element in root.iter("title")
        if next(element.iterancestors("svg"), None) is None
    )
    title_text = first_text(map(text_of, title_elements))
    headings = [
        text
        for text in (text_of(element) for element in root.iter("h1"))
        if text and folded_name(text) not in home
    ]
    declared = first_text(first_contents(metas, ("citation_title", "og:title", "twitter:title")))
    if len(headings) == 1 and _is_headline(headings[0], declared or title_text or ""):
        is_cited = "citation_title" in metas
        if not is_cited or _is_in_title(headings[0], declared or ""):
            return headings[0]
    headline = first_text(works.texts("headline"))
    titles = [one for one in (declared, headline, title_text, *headings[:1]) if one]
    others = (
        one
        for one in titles
        if not (site and is_same_name(one, site)) and folded_name(one) not in home
    )
    return _without_site(next(others, next(iter(titles), None)), site, home)


def _is_headline(heading: str, title: str) -> bool:
    """Whether a heading is the page's declared title, or says the same in other words.

    Titles for search engines and for previews are often worded differently.
    """
    if heading.casefold() in title.casefold():
        return _is_in_title(heading, title)
    words = set(_WORD.findall(heading.casefold()))
    common = words.intersection(_WORD.findall(title.casefold()))
    return len(words) >= _MIN_HEADLINE_WORDS and 2 * len(common) >= len(words)


def _is_in_title(heading: str, title: str) -> bool:
    """Whether the page's declared title contains the heading, not as the name of its site."""
    position = title.casefold().find(heading.casefold())
    return position == 0 or (position > 0 and len(heading) > _MIN_SHARE * len(title))


def _without_site(title: str | None, site: str | None, home: Collection[str]) -> str | None:
    """The title without the name of the site, at its end or as its home link has it at its start."""
    if title is None:
        return None
    headline = _UNSPACED_SEPARATOR.split(title)[0]
    if len(title) / 2 <= len(headline) < len(title):
        return headline
    parts = _SEPARATORS.split(title)
    if len(parts) < 2:
        return title
    if folded_name(parts[0]) in home:
        return title[len(parts[0]) :].lstrip(_SEPARATING) or title
    last = parts[-1].strip()
    if (site and _has_same_name(last, site)) or len(last) < len(title) / 3:
        return title[: title.rindex(last)].rstrip(_SEPARATING) or title
    return title


def _has_same_name(one: str, other: str) -> bool:
    """Whether one name contains the other."""
    first, second = folded_name(one), folded_name(other)
    return bool(first) and (first in second or second in first)


def _canonical(root: Node, metas: MetaTags, url: str) -> str | None:
    links = (
        link.get("href")
        for link in root.iter("link")
        if "canonical" in (link.get("rel") or "").lower().split()
    )
    base = base_url_of(root, url)
    candidates = chain(links, first_contents(metas, ["og:url"]))
    urls = (absolute_url(first_text([candidate]), base) for candidate in candidates)
    return next(
        (candidate for candidate in urls if candidate and candidate.startswith("http")), None
    )


def _language(root: Node, metas: MetaTags, works: DescribedWorks) -> str | None:
    declared = chain(
        [root.get("lang"), root.get("xml:lang")],
        first_contents(metas, ("content-language", "og:locale")),
        works.texts("inLanguage"),
    )
    matches = (_LANGUAGE.match((value or "").strip()) for value in declared)
    return next((value[0].replace("_", "-") for value in matches if value), None)
