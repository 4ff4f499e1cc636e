"""Citation of a web page in APA 7 and MLA 9: author, title, site, date.

Both forms are plain text: nothing is in italics, and titles keep their own capitals.

Who wrote a page: the people or bodies that its byline, its head or its linked data name.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date

from sourcewright.domain.readings import Embedded, Reading
from sourcewright.logic.html.linked_data import nodes_in, several
from sourcewright.logic.text.dates import date_of
from sourcewright.logic.text.person_names import Name, name_of
from sourcewright.logic.text.plain import plain_text
from sourcewright.logic.urls.canonical import host_of

_MOST = 100
_LONGEST_LINE = 5_000
_LONGEST_NAME = 200
_INTRODUCED = re.compile(
    r"^(?:written |posted |reported )?(?:by|von|par|por)[:\s]\s*", re.IGNORECASE
)
_TITLE = re.compile(
    r"(?:(?:,|(?<!\s))\s++(?:ph\.?\s?d|m\.?d|md|d\.?phil|m\.?sc|mph|mba|r\.?n|esq|facc|pharmd)\.?){1,9}"
    r"(?=\s*+(?:,|;|$))",
    re.IGNORECASE,
)
# Looking back keeps a search from trying each blank of a long run anew.
_JOINT = re.compile(
    r"(?:,|(?<!\s))\s++(?:and|und|et|&)\s++|(?:(?<!\s)\s++)?[|\u2022]\s*+|(?<!\s)\s++/\s++",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"https?:|www\.|\S@[^\s@.]++\.\S", re.IGNORECASE)


def authors_of(reading: Reading) -> tuple[Name, ...]:
    """The authors in their order, each once; none where the page names nobody."""
    said = reading.embedded or Embedded()
    tags = {name.lower(): value for name, value in said.citation.items()}
    listed = tags.get("citation_author") or tags.get("citation_authors") or ""
    if ";" in listed or "," in listed:
        names = [name_of(one) for one in map(_clean, listed.split(";")) if one]
    else:
        names = [*_in_byline(listed)]
    names = names or [*_in_byline(reading.author or "")] or [*_linked(said.json_ld)]
    bodies = {plain_text(reading.site or "").casefold()}
    whole = (
        Name(whole=text) if (text := _whole(one)).casefold() in bodies else one for one in names
    )
    return tuple(dict.fromkeys(whole))[:_MOST]


def _in_byline(line: str) -> Iterator[Name]:
    """The names in one line. What cannot be told apart for sure stays whole."""
    text = _TITLE.sub("", _INTRODUCED.sub("", plain_text(line[:_LONGEST_LINE])))
    if ";" in text:
        yield from map(name_of, filter(None, map(_clean, text.split(";"))))
        return
    parts = [part for part in _JOINT.split(text) if part]
    people = [person for part in parts for person in _people(part)]
    names = [name_of(one) for one in map(_clean, people) if one]
    # `Centers for Disease Control and Prevention` is one body, and so is a part of it none.
    if len(names) > 1 and any(name.family is None for name in names):
        names = [Name(whole=body)] if (body := _clean(text)) else []
    yield from names


def _people(part: str) -> list[str]:
    """Several people where each piece between commas is a whole name; else one."""
    pieces = [piece.strip() for piece in part.split(",") if piece.strip()]
    return pieces if all(" " in piece for piece in pieces) else [part]


def _linked(blocks: Iterable[str]) -> Iterator[Name]:
    """The authors that linked data names, of the first thing that has any."""
    for node in (node for block in blocks for node in nodes_in(block)):
        found = [_thing(author) for author in several(node.get("author"))]
        if names := [name for name in found if name]:
            yield from names
            return


def _thing(author: object) -> Name | None:
    if isinstance(author, str):
        return name_of(text) if (text := _clean(author)) else None
    if not isinstance(author, dict) or not isinstance(author.get("name"), str):
        return None
    text = _clean(author["name"])
    is_body = "Organization" in several(author.get("@type"))
    return (Name(whole=text) if is_body else name_of(text)) if text else None


def _clean(text: str) -> str:
    """A name, or nothing where it is an address or far too long for one."""
    plain = plain_text(text).strip(" ,;")
    return "" if len(plain) > _LONGEST_NAME or _ADDRESS.search(plain) else plain


def _whole(name: Name) -> str:
    return name.whole or " ".join(filter(None, (name.given, name.family, name.suffix)))


_LONGEST_TITLE = 500
MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
_SHORT_MONTHS = (
    *("Jan.", "Feb.", "Mar.", "Apr.", "May", "June"),
    *("July", "Aug.", "Sept.", "Oct.", "Nov.", "Dec."),
)
_MOST_APA, _FIRST_APA = 20, 19
"""Up to so many authors are all named; of more, the first nineteen and the last."""
_QUOTED = re.compile('["\u201c]([^"\u201c\u201d]*)["\u201d]')
_ENDS = (".", "?", "!", "\u2026", "\u3002", "\uff1f", "\uff01")


@dataclass(frozen=True, slots=True, kw_only=True)
class CitationMetadata:
    """What is known of a page for citing it; empty where the page does not say."""

    title: str
    author: str
    site: str
    date: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CitationFormats:
    """A citation as the two styles write it."""

    apa: str
    mla: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """How to cite a page that was read on a day."""

    url: str
    accessed_date: str
    metadata: CitationMetadata
    formatted: CitationFormats


def citation(url: str, accessed: date, reading: Reading) -> Citation:
    """The citation of a page, from what it says of itself."""
    authors = authors_of(reading)
    known = CitationMetadata(
        title=_one_line(reading.title, _LONGEST_TITLE),
        author="; ".join(map(_spoken, authors)),
        site=_site(url, reading),
        date=date_of(reading.published) or "",
    )
    return Citation(
        url=url,
        accessed_date=accessed.isoformat(),
        metadata=known,
        formatted=CitationFormats(
            apa=_apa(url, accessed, known, authors), mla=_mla(url, accessed, known, authors)
        ),
    )


def _apa(url: str, accessed: date, known: CitationMetadata, authors: tuple[Name, ...]) -> str:
    title = known.title or "[Untitled page]"
    when = f"({_apa_date(known.date)})."
    by = _apa_authors(authors)
    head = f"{_closed(by)} {when} {_closed(title)}" if by else f"{_closed(title)} {when}"
    site = "" if known.site == by else f" {_closed(known.site)}"
    # What has no date may change, so that the day on which it was read belongs to it.
    seen = f"{MONTHS[accessed.month - 1]} {accessed.day}, {accessed.year}"
    return f"{head}{site} {url}" if known.date else f"{head}{site} Retrieved {seen}, from {url}"


def _mla(url: str, accessed: date, known: CitationMetadata, authors: tuple[Name, ...]) -> str:
    by = _mla_authors(authors)
    # An author that is the site itself is named once, as the site.
    head = "" if not by or by == known.site else f"{_closed(by)} "
    inner = _QUOTED.sub("\u2018\\1\u2019", known.title)
    title = f"\u201c{_closed(inner)}\u201d" if inner else "Untitled page."
    published = f"{_mla_date(known.date)}, " if known.date else ""
    seen = _mla_date(accessed.isoformat())
    return f"{head}{title} {known.site}, {published}{url}. Accessed {seen}."


def _apa_authors(authors: tuple[Name, ...]) -> str:
    names = [_inverted(name, initials=True) for name in authors]
    if len(names) > _MOST_APA:
        return f"{', '.join(names[:_FIRST_APA])}, \u2026 {names[-1]}"
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])}, & {names[-1]}"


def _mla_authors(authors: tuple[Name, ...]) -> str:
    if not authors:
        return ""
    first = _inverted(authors[0], initials=False)
    if len(authors) > 2:
        return f"{first}, et al."
    return f"{first}, and {_spoken(authors[1])}" if len(authors) == 2 else first


def _inverted(name: Name, *, initials: bool) -> str:
    """`Family, Given` or `Family, G. N.`; a name without parts as it is."""
    if not name.family:
        return name.whole or ""
    given = _initials(name.given or "") if initials else name.given
    return ", ".join(filter(None, (name.family, given, name.suffix)))


def _initials(given: str) -> str:
    """`Jean-Luc Marie` is `J.-L. M.`."""
    words = ("-".join(f"{part[0]}." for part in word.split("-") if part) for word in given.split())
    return " ".join(filter(None, words))


def _spoken(name: Name) -> str:
    parts = (name.given, name.family, name.suffix) if name.family else (name.whole,)
    return " ".join(filter(None, parts))


def _apa_date(written: str) -> str:
    if not written:
        return "n.d."
    year, *rest = written.split("-")
    day = f" {int(rest[1])}" if len(rest) > 1 else ""
    return f"{year}, {MONTHS[int(rest[0]) - 1]}{day}" if rest else year


def _mla_date(written: str) -> str:
    year, *rest = written.split("-")
    day = f"{int(rest[1])} " if len(rest) > 1 else ""
    return f"{day}{_SHORT_MONTHS[int(rest[0]) - 1]} {year}" if rest else year


def _site(url: str, reading: Reading) -> str:
    """The site's own name, or its host where it has none."""
    told = reading.embedded.open_graph.get("og:site_name") if reading.embedded else None
    named = _one_line(reading.site or told, _LONGEST_NAME)
    return named or host_of(url).removeprefix("www.")


def _one_line(text: str | None, longest: int) -> str:
    plain = plain_text(text or "")
    return plain if len(plain) <= longest else f"{plain[:longest].rstrip()}\u2026"


def _closed(text: str) -> str:
    return text if text.endswith(_ENDS) else f"{text}."
