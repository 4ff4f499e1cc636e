"""Authors of a page: people before the organisation that publishes it."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from sourcewright.base.text.person_names import has_organisation_shape, split_name
from sourcewright.base.text.prose_dates import find_date
from sourcewright.reading.html.metadata.bylines import clean_name
from sourcewright.reading.html.metadata.described_works import NamedAuthor
from sourcewright.reading.html.metadata.page_sources import PageSources, first_text, is_same_name
from sourcewright.reading.html.metadata.shown_bylines import Byline, shown_bylines

_MAX_NAMES = 20
_MAX_LENGTH = 500
_TAG_LIST = (
    "citation_author author parsely-author dc.creator dcterms.creator sailthru.author byl "
    "article:author article:author_name cxenseparse:author dc.creator.personalname og:author "
    "og:article:author twitter:creator:name authors article.author"
)
_TAGS = _TAG_LIST.split()
_OTHER_TAG = re.compile(r"(?:[\w-]{1,20}[_.:-])?author(?:[_.:-]?name)?")
_WRITTEN_BY = frozenset(
    ("written by", "author", "geschrieben von", "verfasst von", "écrit par", "escrito por")
)
_NOT_A_NAME = re.compile(
    r"https?://|@|^www\.|^[\W\d_]*$|^(?:admin|administrator|author|editor|guest|user|anonymous|null|none"
    r"|undefined|name|your name|wordpress|unknown|default|root|webmaster)$|[{}<>]",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class PageAuthors:
    """The authors as one line, and which of them are organisations."""

    line: str | None = None
    organisations: tuple[str, ...] = ()


def page_authors(sources: PageSources, sites: Sequence[str]) -> PageAuthors:
    """The authors that the page declares, or shows in its byline.

    A declared organisation, often the publisher, gives way to a person in the byline.
    """
    declared = next(_declared(sources, sites), [])
    if any(not author.is_organisation for author in declared):
        return _joined(declared)
    bylines = [*shown_bylines(sources)]
    people = (one for one in bylines if not any(_is_site(name, sites) for name in one.names))
    byline = next(people, next(iter(bylines), Byline([], is_sure=False)))
    if declared and not byline.is_sure:
        return _joined(declared)
    return _joined([_named(name, sites) for name in byline.names] or declared)


def _joined(authors: Sequence[NamedAuthor]) -> PageAuthors:
    organisations = dict.fromkeys(one.name for one in authors if one.is_organisation)
    return PageAuthors(join_names(authors) or None, tuple(organisations))


def join_names(authors: Sequence[NamedAuthor]) -> str:
    """Names joined by commas, or by semicolons if a name may contain a comma."""
    names = list(dict.fromkeys(author.name for author in authors))[:_MAX_NAMES]
    has_organisation = len(names) > 1 and any(author.is_organisation for author in authors)
    is_ambiguous = any("," in name or split_name(name).family is None for name in names)
    return ("; " if has_organisation or is_ambiguous else ", ").join(names)


def _declared(sources: PageSources, sites: Sequence[str]) -> Iterator[list[NamedAuthor]]:
    """The authors of each declaration that has any; the most reliable first."""
    works = sources.works.people("author", "creator")
    for authors in (*works, *map(_untyped, _tagged(sources))):
        cleaned = (NamedAuthor(_clean(one.name), one.is_organisation) for one in authors)
        names = [
            _named(one.name, sites) if one.is_organisation is None else one
            for one in cleaned
            if one.name
        ]
        if names:
            yield names


def _untyped(names: Iterable[str]) -> list[NamedAuthor]:
    return [NamedAuthor(name) for name in names]


def _named(name: str, sites: Sequence[str]) -> NamedAuthor:
    """An author of unknown kind; the site itself is an organisation."""
    return NamedAuthor(name, _is_site(name, sites) or has_organisation_shape(name))


def _is_site(name: str, sites: Sequence[str]) -> bool:
    return any(is_same_name(name, site) for site in sites)


def _tagged(sources: PageSources) -> Iterator[Sequence[str]]:
    metas = sources.metas
    yield from (metas[name] for name in _TAGS if name in metas)
    yield from (
        values
        for name, values in metas.items()
        if name not in _TAGS and _OTHER_TAG.fullmatch(name)
    )
    for label in (name for name in metas if name.startswith("twitter:label")):
        if metas[label][0].lower() in _WRITTEN_BY:
            yield metas.get(label.replace("label", "data"), ())[:1]


def _clean(name: str) -> str:
    """A declared name without "By" and e-mail addresses; empty if it is no name."""
    text = clean_name(first_text([name[: 2 * _MAX_LENGTH]]) or "")
    is_name = 1 < len(text) < _MAX_LENGTH and not _NOT_A_NAME.search(text) and not find_date(text)
    return text if is_name else ""
