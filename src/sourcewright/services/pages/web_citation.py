"""Citation of a web page in APA 7 and MLA 9: author, title, site, date.

Both are plain text: without italics, and with the capitals of the original title. The authors
are the people or organisations in the page's byline, metadata or JSON-LD.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from functools import partial

from sourcewright.base.text.dates import date_of
from sourcewright.base.text.month_names import MONTHS
from sourcewright.base.text.person_names import PersonName, has_organisation_shape, split_name
from sourcewright.base.text.plain import plain_text
from sourcewright.base.urls.canonical import host_of
from sourcewright.reading.html.linked_data import as_sequence, main_objects, type_names
from sourcewright.reading.readings import EmbeddedMetadata, Reading
from sourcewright.references.strings.names import read_authors

_MAX_AUTHORS = 100
_MAX_BYLINE_LENGTH = 5_000
_MAX_NAME_LENGTH = 200
_BYLINE_PREFIX = re.compile(
    r"^(?:written |posted |reported )?(?:by|von|par|por)[:\s]\s*", re.IGNORECASE
)
_ACADEMIC_TITLES = re.compile(
    r"(?:(?:,|(?<!\s))\s++(?:ph\.?\s?d|m\.?d|md|d\.?phil|m\.?sc|mph|mba|r\.?n|esq|facc|pharmd)\.?){1,9}"
    r"(?=\s*+(?:,|;|$))",
    re.IGNORECASE,
)
_HONORIFIC = re.compile(r"(?:(?:dr|prof|mr|mrs|ms)\.?\s++){1,3}(?=\S)", re.IGNORECASE)
_AFFILIATION = re.compile(r"\s\([^()]{2,120}\)$")
# The lookbehinds keep the search linear in a long run of white space.
_NAME_SEPARATOR = re.compile(
    r"(?:,|(?<!\s))\s++(?:and|und|et|&)\s++|(?:(?<!\s)\s++)?[|\u2022]\s*+|(?<!\s)\s++/\s++",
    re.IGNORECASE,
)
_INVERTED_PAIR = re.compile(r"([^,]{1,80},[^,]{1,80}?)\s(?:and|&)\s([^,]{1,80},[^,]{1,80})")
_URL_OR_EMAIL = re.compile(r"https?:|www\.|\S@[^\s@.]++\.\S", re.IGNORECASE)


def page_authors(reading: Reading) -> tuple[PersonName, ...]:
    """The authors in order, without duplicates; empty if the page names none."""
    embedded_data = reading.embedded or EmbeddedMetadata()
    tags = {name.lower(): value for name, value in embedded_data.citation.items()}
    listed = tags.get("citation_author") or tags.get("citation_authors") or ""
    if ";" in listed or "," in listed:
        names = [split_name(author) for author in map(_clean, listed.split(";")) if author]
    else:
        names = [*byline_authors(listed)]
    names = (
        names
        or [*byline_authors(reading.author or "", reading.organisations)]
        or [*_linked_authors(embedded_data.json_ld)]
    )
    site_names = {plain_text(reading.site or "").casefold()}
    unsplit_sites = (
        PersonName(whole=text) if (text := _full_name(author)).casefold() in site_names else author
        for author in names
    )
    return tuple(dict.fromkeys(unsplit_sites))[:_MAX_AUTHORS]


def byline_authors(line: str, organisations: Collection[str] = ()) -> Iterator[PersonName]:
    """The names in a byline, which is not split where that would be a guess.

    The names of these organisations are not split, nor is a name in braces, as in BibTeX.
    """
    plain = plain_text(line[:_MAX_BYLINE_LENGTH])
    whole_names = {plain_text(name) for name in organisations}
    if (body := _literal(plain)) or plain in whole_names:
        yield PersonName(whole=body or plain)
        return
    text = _ACADEMIC_TITLES.sub("", _BYLINE_PREFIX.sub("", plain))
    split = partial(_split_unless, whole_names)
    if ";" in text:
        people = [one for part in text.split(";") for one in _inverted_pair(part)]
        yield from map(split, filter(None, map(_clean, people)))
        return
    if listed := _with_initials(text):
        yield from listed
        return
    parts = [part for part in _NAME_SEPARATOR.split(text) if part]
    people = [person for part in parts for person in _split_people(part)]
    names = [split(person_name) for person_name in map(_clean, people) if person_name]
    # Do not split organisation names at "and": `Centers for Disease Control and Prevention`.
    if len(names) > 1 and any(name.family is None for name in names):
        names = [PersonName(whole=body)] if (body := _clean(text)) else []
    yield from names


def _with_initials(text: str) -> list[PersonName]:
    """Several names with initials, as in a list of references: `Okafor, A., & Lind, B.`."""
    names = read_authors(text, 0)
    if not names or not names.has_initials or names.truncated or names.span[1] < len(text):
        return []
    people = [
        PersonName(family=one.family, given=_separate(one.given or ""), suffix=one.suffix)
        for one in names.authors
    ]
    return people if len(people) > 1 else []


def _separate(given: str) -> str:
    """`A. N.` for `AN`, as PubMed writes initials."""
    is_run = given.isalpha() and given.isupper() and given.isascii()
    return " ".join(f"{letter}." for letter in given) if is_run else given


def _literal(text: str) -> str | None:
    """The name in `{Name}`."""
    is_literal = text.startswith("{") and text.find("}") == len(text) - 1
    return (text[1:-1].strip() or None) if is_literal else None


def _split_unless(organisations: Collection[str], name: str) -> PersonName:
    """The name in its parts; an organisation's as it is, also if only its words show that."""
    if body := _literal(name):
        return PersonName(whole=body)
    is_organisation = name in organisations or has_organisation_shape(name)
    return PersonName(whole=name) if is_organisation else split_name(_person_only(name))


def _person_only(name: str) -> str:
    """The name without a title before it and an affiliation in brackets after it."""
    bare = _AFFILIATION.sub("", name)
    return _HONORIFIC.sub("", bare) or name


def _inverted_pair(part: str) -> tuple[str, ...]:
    """Two people in `Family, Given and Family, Given`; else one name, which may contain `and`."""
    pair = _INVERTED_PAIR.fullmatch(part)
    return (pair[1], pair[2]) if pair else (part,)


def _split_people(part: str) -> list[str]:
    """Several people if each part between commas has at least two words; else one."""
    pieces = [piece.strip() for piece in part.split(",") if piece.strip()]
    return pieces if all(" " in piece for piece in pieces) else [part]


def _linked_authors(blocks: Iterable[str]) -> Iterator[PersonName]:
    """The authors in JSON-LD, of the first object that has any."""
    for node in (node for block in blocks for node in main_objects(block)):
        candidates = [_author_name(author) for author in as_sequence(node.get("author"))]
        if names := [name for name in candidates if name]:
            yield from names
            return


def _author_name(author: object) -> PersonName | None:
    if isinstance(author, str):
        return split_name(text) if (text := _clean(author)) else None
    if not isinstance(author, dict) or not isinstance(author.get("name"), str):
        return None
    text = _clean(author["name"])
    is_organisation = any(name.endswith("organization") for name in type_names(author))
    return (PersonName(whole=text) if is_organisation else split_name(text)) if text else None


def _clean(text: str) -> str:
    """A name; empty for a URL, an e-mail address or a text that is too long for a name."""
    plain = plain_text(text).strip(" ,;")
    return "" if len(plain) > _MAX_NAME_LENGTH or _URL_OR_EMAIL.search(plain) else plain


def _full_name(name: PersonName) -> str:
    return name.whole or " ".join(filter(None, (name.given, name.family, name.suffix)))


_MAX_TITLE_LENGTH = 500
_SHORT_MONTHS = (
    *("Jan.", "Feb.", "Mar.", "Apr.", "May", "June"),
    *("July", "Aug.", "Sept.", "Oct.", "Nov.", "Dec."),
)
_MAX_APA_AUTHORS, _FIRST_APA_AUTHORS = 20, 19
"""Up to 20 authors are all listed; of more, the first 19 and the last."""
_QUOTED = re.compile('["\u201c]([^"\u201c\u201d]*)["\u201d]')
_END_PUNCTUATION = (".", "?", "!", "\u2026", "\u3002", "\uff1f", "\uff01")


@dataclass(frozen=True, slots=True, kw_only=True)
class CitationMetadata:
    """The parts of the citation."""

    # Empty where the page does not say it.
    title: str
    author: str
    site: str
    date: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CitationFormats:
    """The citation in two styles."""

    apa: str
    mla: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PageCitation:
    """How to cite the page."""

    url: str
    accessed_date: str
    metadata: CitationMetadata
    formatted: CitationFormats


def cite_page(url: str, accessed: date, reading: Reading, *, at: str) -> PageCitation:
    """The citation of a page, from its own metadata."""
    authors = page_authors(reading)
    metadata = CitationMetadata(
        title=_one_line(reading.title, _MAX_TITLE_LENGTH),
        author="; ".join(map(_reading_order, authors)),
        site=_site_name(at, reading),
        date=date_of(reading.published) or "",
    )
    return PageCitation(
        url=url,
        accessed_date=accessed.isoformat(),
        metadata=metadata,
        formatted=CitationFormats(
            apa=_apa(url, accessed, metadata, authors), mla=_mla(url, accessed, metadata, authors)
        ),
    )


def _apa(
    url: str, accessed: date, metadata: CitationMetadata, authors: tuple[PersonName, ...]
) -> str:
    title = metadata.title or "[Untitled page]"
    when = f"({_apa_date(metadata.date)})."
    author = _apa_authors(authors)
    head = (
        f"{_with_full_stop(author)} {when} {_with_full_stop(title)}"
        if author
        else f"{_with_full_stop(title)} {when}"
    )
    site = "" if metadata.site == author else f" {_with_full_stop(metadata.site)}"
    # A page without a date may change, so that APA asks for the date of access.
    access_date = f"{MONTHS[accessed.month - 1]} {accessed.day}, {accessed.year}"
    return (
        f"{head}{site} {url}"
        if metadata.date
        else f"{head}{site} Retrieved {access_date}, from {url}"
    )


def _mla(
    url: str, accessed: date, metadata: CitationMetadata, authors: tuple[PersonName, ...]
) -> str:
    author = _mla_authors(authors)
    # If the author is the site itself, it is only given as the site.
    head = "" if not author or author == metadata.site else f"{_with_full_stop(author)} "
    inner = _QUOTED.sub("\u2018\\1\u2019", metadata.title)
    title = f"\u201c{_with_full_stop(inner)}\u201d" if inner else "Untitled page."
    published = f"{_mla_date(metadata.date)}, " if metadata.date else ""
    access_date = _mla_date(accessed.isoformat())
    return f"{head}{title} {metadata.site}, {published}{url}. Accessed {access_date}."


def _apa_authors(authors: tuple[PersonName, ...]) -> str:
    names = [_inverted(name, initials=True) for name in authors]
    if len(names) > _MAX_APA_AUTHORS:
        return f"{', '.join(names[:_FIRST_APA_AUTHORS])}, \u2026 {names[-1]}"
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])}, & {names[-1]}"


def _mla_authors(authors: tuple[PersonName, ...]) -> str:
    if not authors:
        return ""
    first = _inverted(authors[0], initials=False)
    if len(authors) > 2:
        return f"{first}, et al."
    return f"{first}, and {_reading_order(authors[1])}" if len(authors) == 2 else first


def _inverted(name: PersonName, *, initials: bool) -> str:
    """`Family, Given` or `Family, G. N.`; a name without parts unchanged."""
    if not name.family:
        return name.whole or ""
    given = _initials(name.given or "") if initials else name.given
    return ", ".join(filter(None, (name.family, given, name.suffix)))


def _initials(given: str) -> str:
    """Initials: `J.-L. M.` for `Jean-Luc Marie`."""
    words = ("-".join(f"{part[0]}." for part in word.split("-") if part) for word in given.split())
    return " ".join(filter(None, words))


def _reading_order(name: PersonName) -> str:
    parts = (name.given, name.family, name.suffix) if name.family else (name.whole,)
    return " ".join(filter(None, parts))


def _apa_date(iso_date: str) -> str:
    if not iso_date:
        return "n.d."
    year, *rest = iso_date.split("-")
    day = f" {int(rest[1])}" if len(rest) > 1 else ""
    return f"{year}, {MONTHS[int(rest[0]) - 1]}{day}" if rest else year


def _mla_date(iso_date: str) -> str:
    year, *rest = iso_date.split("-")
    day = f"{int(rest[1])} " if len(rest) > 1 else ""
    return f"{day}{_SHORT_MONTHS[int(rest[0]) - 1]} {year}" if rest else year


def _site_name(url: str, reading: Reading) -> str:
    """The site's name, or else its host."""
    open_graph_name = reading.embedded.open_graph.get("og:site_name") if reading.embedded else None
    name = _one_line(reading.site or open_graph_name, _MAX_NAME_LENGTH)
    return name or host_of(url).removeprefix("www.")


def _one_line(text: str | None, longest: int) -> str:
    plain = plain_text(text or "")
    return plain if len(plain) <= longest else f"{plain[:longest].rstrip()}\u2026"


def _with_full_stop(text: str) -> str:
    return text if text.endswith(_END_PUNCTUATION) else f"{text}."
