"""Writes a library entry as BibTeX."""

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from urllib.parse import quote

from sourcewright.domain.entries import Entry
from sourcewright.logic.references.entry_types import Kind, kind_of
from sourcewright.logic.references.latex import to_latex
from sourcewright.logic.references.notice_text import notice_text
from sourcewright.logic.text.person_names import Name, names_of
from sourcewright.logic.text.plain import plain_text

_TYPES: Mapping[Kind, str] = MappingProxyType(
    {
        "article": "article",
        "book": "book",
        "chapter": "incollection",
        "conference": "inproceedings",
        "dataset": "dataset",
        "masters": "mastersthesis",
        "other": "misc",
        "preprint": "misc",
        "proceedings": "proceedings",
        "report": "techreport",
        "review": "misc",
        "software": "software",
        "standard": "misc",
        "thesis": "phdthesis",
    }
)
_VENUES: Mapping[str, str] = MappingProxyType(
    {
        "article": "journal",
        "book": "series",
        "incollection": "booktitle",
        "inproceedings": "booktitle",
        "proceedings": "series",
        "techreport": "series",
    }
)
"""What the venue is called; anywhere else it says how the work was published."""
_PUBLISHERS: Mapping[str, str] = MappingProxyType(
    {"mastersthesis": "school", "phdthesis": "school", "techreport": "institution"}
)
_LINKED = frozenset({"dataset", "misc", "software", "techreport"})
"""What is shown with its address even when a DOI says where it is."""

_RANGE = re.compile(
    r"([A-Za-z]{0,3}\d+[A-Za-z]?)\s?(?:--|[-\u2010-\u2015])\s?([A-Za-z]{0,3}\d+[A-Za-z]?)"
)
_WORD_PART = re.compile(r"[^\W_]+")
_UNSAFE_IN_NAME = re.compile(r"[,{}\\]|(?:^|\s)and(?:\s|$)", re.IGNORECASE)


def write_bibtex(entry: Entry, key: str) -> str:
    """One BibTeX entry, ending in a line break. Fields that the library does not know are absent."""
    kind = _TYPES[kind_of(entry)]
    rows = [f"  {name:<10} = {{{value}}},\n" for name, value in _fields(entry, kind) if value]
    return f"@{kind}{{{key},\n{''.join(rows)}}}\n"


def _fields(entry: Entry, kind: str) -> Iterator[tuple[str, str]]:
    yield "title", _title(plain_text(entry.title))
    yield "author", " and ".join(filter(None, map(_author, names_of(entry))))
    yield "year", str(entry.year or "")
    yield "doi", _verbatim(entry.doi)
    yield _VENUES.get(kind, "howpublished"), _text(entry.venue)
    yield "volume", _text(entry.volume)
    yield "number", _text(entry.issue)
    yield "pages", _pages(entry.pages)
    yield _PUBLISHERS.get(kind, "publisher"), _text(entry.publisher)
    yield "issn", _text(", ".join(entry.issn))
    yield "isbn", _text(", ".join(entry.isbn))
    if kind == "software":
        yield "version", _version(entry)
    if kind in _LINKED or not entry.doi:
        yield "url", _verbatim(entry.url)
    if entry.arxiv_id:
        yield "eprint", _verbatim(entry.arxiv_id)
        yield "archivePrefix", "arXiv"
        yield "primaryClass", _text(_primary_class(entry))
    yield "note", _text(notice_text(entry.holding.notices))


def _text(value: str | None) -> str:
    return to_latex(plain_text(value or ""))


def _verbatim(value: str | None) -> str:
    """Addresses and identifiers are not typeset: only what could harm is encoded."""
    return "".join(
        quote(character, safe="", errors="replace")
        if character in "{}\\ " or not character.isprintable()
        else character
        for character in value or ""
    )


def _version(entry: Entry) -> str:
    version = entry.extras.get("version")
    return _text(version) if isinstance(version, str) else ""


def _primary_class(entry: Entry) -> str | None:
    """The first category; ids of the old style carry their archive."""
    archive, slash, _ = (entry.arxiv_id or "").partition("/")
    return next(iter(entry.arxiv_categories), archive if slash else None)


def _pages(pages: str | None) -> str:
    text = plain_text(pages or "")
    found = _RANGE.fullmatch(text)
    return f"{found[1]}--{found[2]}" if found else to_latex(text)


def _title(title: str) -> str:
    """The title, with those capitals in braces that a style must not make small."""
    words = title.split(" ")
    told = [word for word in words[1:] if word[:1].isalpha()]
    # Where most words are capitalised, a capital says nothing about the word.
    sentence = 2 * sum(word[0].isupper() for word in told) < len(told)
    if title.upper() == title:
        return to_latex(title)
    protected = [_has_fixed_case(word) or (sentence and _is_name(word)) for word in words[1:]]
    marked = zip(words, (_has_fixed_case(words[0]), *protected), strict=True)
    return " ".join(_braced(word) if fixed else to_latex(word) for word, fixed in marked)


def _has_fixed_case(word: str) -> bool:
    """DNA, mRNA, pH, X-ray: a capital after the first letter, or a letter that stands alone."""
    parts = _WORD_PART.findall(word)
    inner = any(letter.isupper() for part in parts for letter in part[1:])
    return inner or any(len(part) == 1 and part.isupper() and part != "A" for part in parts)


def _is_name(word: str) -> bool:
    return any(letter.isupper() for letter in word)


def _braced(word: str) -> str:
    """Whole, and not as what BibTeX calls a special character, which begins with a backslash."""
    written = to_latex(word)
    return f"{{{{{written}}}}}" if written.startswith("\\") else f"{{{written}}}"


def _author(name: Name) -> str:
    if name.family is None:
        return _group(name.whole or "")
    parts = (_family(name.family), *map(_part, filter(None, (name.suffix, name.given))))
    return ", ".join(parts)


def _group(text: str) -> str:
    return f"{{{to_latex(text)}}}" if text else ""


def _part(text: str) -> str:
    """Braced where a word or a sign in it would part the name, or where some readers lose it."""
    written = to_latex(text)
    unsafe = _UNSAFE_IN_NAME.search(text) or written.startswith("\\")
    return f"{{{written}}}" if unsafe else written


def _family(text: str) -> str:
    """Braced where BibTeX would take the words before a small one for particles."""
    small = [word[:1].islower() for word in text.split()]
    return _group(text) if any(small[1:]) and not small[0] else _part(text)
