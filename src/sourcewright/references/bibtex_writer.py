"""Writes a library entry as BibTeX."""

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from urllib.parse import quote

from sourcewright.base.text.person_names import PersonName
from sourcewright.base.text.plain import plain_text
from sourcewright.references.entries import Entry, author_names
from sourcewright.references.entry_types import EntryKind, entry_kind_of
from sourcewright.references.latex import to_latex
from sourcewright.references.notice_text import notice_text

_TYPES: Mapping[EntryKind, str] = MappingProxyType(
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
"""The field for the venue, by entry type; `howpublished` for all others."""
_PUBLISHERS: Mapping[str, str] = MappingProxyType(
    {"mastersthesis": "school", "phdthesis": "school", "techreport": "institution"}
)
_TYPES_WITH_URL = frozenset({"dataset", "misc", "software", "techreport"})
"""Entry types that get a URL even if they have a DOI."""

_RANGE = re.compile(
    r"([A-Za-z]{0,3}\d+[A-Za-z]?)\s?(?:--|[-\u2010-\u2015])\s?([A-Za-z]{0,3}\d+[A-Za-z]?)"
)
_WORD_PART = re.compile(r"[^\W_]+")
_UNSAFE_IN_NAME = re.compile(r"[,{}\\]|(?:^|\s)and(?:\s|$)", re.IGNORECASE)
# bibtexparser drops an escaped character that is the last word before the next name.
_LOST_IN_NAME = re.compile(r"^\\|\s\\\S$")


def write_bibtex(
    entry: Entry, key: str, *, with_url: bool = False, note: str = "", file: str | None = None
) -> str:
    """One BibTeX entry, ending in a line break. Unknown fields are omitted.

    A DOI makes the URL of most types redundant; `with_url` writes it anyway.
    `note` is a note about an entry that is not in the library, `file` the path of its PDF.
    """
    kind = _TYPES[entry_kind_of(entry)]
    fields = (*_fields(entry, kind, with_url=with_url, note=note), ("file", _path(file)))
    rows = [f"  {name:<10} = {{{value}}},\n" for name, value in fields if value]
    return f"@{kind}{{{key},\n{''.join(rows)}}}\n"


def _fields(entry: Entry, kind: str, *, with_url: bool, note: str) -> Iterator[tuple[str, str]]:
    yield "title", latex_title(plain_text(entry.title))
    yield "author", " and ".join(filter(None, map(latex_name, author_names(entry))))
    yield "year", str(entry.year or "")
    yield "doi", _verbatim(entry.doi)
    yield _VENUES.get(kind, "howpublished"), _text(entry.venue)
    yield "volume", _text(entry.volume)
    yield "number", _text(entry.issue)
    yield "pages", latex_pages(entry.pages)
    yield _PUBLISHERS.get(kind, "publisher"), _text(entry.publisher)
    yield "issn", _text(", ".join(entry.issn))
    yield "isbn", _text(", ".join(entry.isbn))
    if kind == "software":
        yield "version", _version(entry)
    if with_url or kind in _TYPES_WITH_URL or not entry.doi:
        yield "url", _verbatim(entry.url)
    if entry.arxiv_id:
        yield "eprint", _verbatim(entry.arxiv_id)
        yield "archivePrefix", "arXiv"
        yield "primaryClass", _text(_primary_class(entry))
    yield "keywords", _text(", ".join(keywords_of(entry)))
    yield "abstract", _text(entry.abstract)
    yield "note", _text(note or notice_text(entry.holding.notices))


def keywords_of(entry: Entry) -> tuple[str, ...]:
    """The keywords of a paper and the tags that its reader gave it, each once."""
    return tuple(dict.fromkeys((*entry.keywords, *entry.holding.tags)))


def _path(file: str | None) -> str:
    """A path, which is written as it is; one that BibTeX cannot carry is left out."""
    is_safe = file and file.isprintable() and not set(file) & set("{}\\")
    return file if file and is_safe else ""


def _text(value: str | None) -> str:
    return to_latex(plain_text(value or ""))


def _verbatim(value: str | None) -> str:
    """A URL or an identifier, which is not typeset: only unsafe characters are percent-encoded."""
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
    """The first category; ids of the old form contain their archive."""
    archive, slash, _ = (entry.arxiv_id or "").partition("/")
    return next(iter(entry.arxiv_categories), archive if slash else None)


def latex_pages(pages: str | None) -> str:
    text = plain_text(pages or "")
    match = _RANGE.fullmatch(text)
    return f"{match[1]}--{match[2]}" if match else to_latex(text)


def latex_title(title: str) -> str:
    """The title, with those words in braces whose capitals a style must not change."""
    words = title.split(" ")
    candidates = [word for word in words[1:] if word[:1].isalpha()]
    # In title case, a capital does not mark a name.
    is_sentence_case = 2 * sum(word[0].isupper() for word in candidates) < len(candidates)
    if title.upper() == title:
        return to_latex(title)
    protected = [
        _has_fixed_case(word) or (is_sentence_case and _has_capital(word)) for word in words[1:]
    ]
    pairs = zip(words, (_has_fixed_case(words[0]), *protected), strict=True)
    return " ".join(
        _braced(word) if is_protected else to_latex(word) for word, is_protected in pairs
    )


def _has_fixed_case(word: str) -> bool:
    """DNA, mRNA, pH, X-ray: a capital after the first letter, or a single capital letter."""
    parts = _WORD_PART.findall(word)
    inner = any(letter.isupper() for part in parts for letter in part[1:])
    return inner or any(len(part) == 1 and part.isupper() and part != "A" for part in parts)


def _has_capital(word: str) -> bool:
    return any(letter.isupper() for letter in word)


def _braced(word: str) -> str:
    """The word in braces, but not as a BibTeX special character, which starts with a backslash."""
    latex = to_latex(word)
    return f"{{{{{latex}}}}}" if latex.startswith("\\") else f"{{{latex}}}"


def latex_name(name: PersonName) -> str:
    if name.family is None:
        return _braced_name(name.whole or "")
    parts = (_family(name.family), *map(_name_part, filter(None, (name.suffix, name.given))))
    return ", ".join(parts)


def _braced_name(text: str) -> str:
    return f"{{{to_latex(text)}}}" if text else ""


def _name_part(text: str) -> str:
    """A part of a name, in braces if it would split the name or be lost by some readers."""
    latex = to_latex(text)
    unsafe = _UNSAFE_IN_NAME.search(text) or _LOST_IN_NAME.search(latex)
    return f"{{{latex}}}" if unsafe else latex


def _family(text: str) -> str:
    """A family name, in braces if BibTeX would read its first words as particles."""
    lower_case = [word[:1].islower() for word in text.split()]
    return _braced_name(text) if any(lower_case[1:]) and not lower_case[0] else _name_part(text)
