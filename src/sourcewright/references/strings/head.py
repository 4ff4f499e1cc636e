"""The head of a citation string: authors, the year after them, a title in quotation marks."""

import re
from dataclasses import dataclass

from sourcewright.references.field_values import organisation
from sourcewright.references.identifiers_in_text import IdentifierInText
from sourcewright.references.model import Span
from sourcewright.references.strings.names import AuthorList, read_authors

_QUOTES = {
    "\u201c": "\u201d",
    "\u201d": "\u201d",
    "\u201e": "\u201c\u201d",
    "\u201a": "\u2018\u2019",
    '"': '"',
    "\u00ab": "\u00bb",
    "\u00bb": "\u00ab",
    "\u2018": "\u2019",
    "\u300c": "\u300d",
    "\u300a": "\u300b",
    "'": "'",
}
_OPENING_QUOTE = re.compile(
    r"(?:^|(?<=[.,:;)\]]\s)|(?<=[.,:;)\]]\s\s))(?![\u2018'][tTsS](?:\s|-[A-Z]))[\u201c\u201d\u201e\u201a\"\u00ab\u00bb\u2018']|[\u300c\u300a]"
)
_YEAR_AFTER_AUTHORS = re.compile(
    r"[\s.,]{0,3}(?:[(\[]\s?(?P<bracketed>(?:1[5-9]|20)\d\d)[a-z]?(?:[,/\s\u2013-][^()\[\]]{0,30})?[)\]]"
    r"|[(\[](?:n\.\s?d\.|in press|forthcoming|undated|no date)[)\]]"
    r"|(?P<bare>(?:1[5-9]|20)\d\d)[a-z]?(?=[.,:]\s)(?![.,]\s{0,2}\d))[.,:]?\s{0,3}"
)
_YEAR_BEFORE_QUOTE = re.compile(r"[.,]?\s\(?(?:1[5-9]|20)\d\d[a-z]?\)?[.,]?\s$")
_EARLY_YEAR = re.compile(
    r"(?<!\d)\s\(\s?(?P<year>(?:1[5-9]|20)\d\d|n\.d\.)[a-z]?(?:,\s[^()]{0,30})?\)\s?[.,:]?(?:\s(?=[^\W\d_]|[\"\u201c\u2018\[]|\d{1,4}\w{0,3}\s[^\W\d_])|(?=\u300c))"
)
_CASE_YEAR = re.compile(r"[\[(][^()\[\]]{0,40}?(?P<year>(?:1[6-9]|20)\d\d)[\])]")
_NOTICES = frozenset(
    (
        *("addendum", "correction", "corrigenda", "corrigendum", "editorial", "errata", "erratum"),
        *("foreword", "index", "introduction", "obituary", "preface", "retraction"),
    )
)
_ABOUT_ANOTHER = re.compile(
    r"(?:comments?|commentary|reply|response|rejoinder|correction|corrigendum|erratum|addendum"
    r"|retraction|discussion|review)\s(?:on|to|of|for)\b",
    re.IGNORECASE,
)
"""The beginning of a title that names another work, where authors are not given."""
_WORD = re.compile(r"[^\W\d_]{2}")
EDGES = " \t\r\n.,;:\u201c\u201d\"'\u2018\u00ab\u00bb\u300c\u300d\u300e\u300f-\u2013\u2014/"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceHead:
    """The beginning of a reference: label, authors, and a year after them."""

    authors: AuthorList | None
    year: str | None
    year_span: Span | None
    end: int
    title_span: Span | None = None
    """A title before the year, if there are no authors."""


def read_head(text: str, start: int) -> ReferenceHead:
    """Authors and the year after them; what must follow the authors helps to find their end."""
    quote = _OPENING_QUOTE.search(text, start)
    early = _EARLY_YEAR.search(text, start, min(len(text), start + 3_000))
    if early and (quote is None or early.start() < quote.start()):
        authors = read_authors(text, start)
        if authors is None or text[authors.span[1] : early.start()].strip(EDGES):
            exact = read_authors(text, start, early.start())
            authors = exact if exact and exact.span[1] == early.start() else authors
        return _head_before_year(text, start, authors, early)
    if _ABOUT_ANOTHER.match(text, start):
        return ReferenceHead(authors=None, year=None, year_span=None, end=start)
    limit = quote.start() if quote else None
    if quote and (year := _YEAR_BEFORE_QUOTE.search(text, start, quote.start())):
        limit = year.start()
    authors = read_authors(text, start, limit)
    end = authors.span[1] if authors else start
    if year := _YEAR_AFTER_AUTHORS.match(text, end) if authors else None:
        return _head(authors, year)
    return ReferenceHead(authors=authors, year=None, year_span=None, end=end)


def _head(authors: AuthorList | None, match: re.Match[str]) -> ReferenceHead:
    name = "bracketed" if match["bracketed"] else "bare"
    has_year = match[name] is not None
    return ReferenceHead(
        authors=authors,
        year=match[name] if has_year else None,
        year_span=match.span(name) if has_year else None,
        end=match.end(),
    )


def _head_before_year(
    text: str, start: int, authors: AuthorList | None, early: re.Match[str]
) -> ReferenceHead:
    """A head that ends with a year in brackets, if not all names before it could be parsed."""
    before = (start, start + len(text[start : early.start()].rstrip(EDGES)))
    words = text[slice(*before)].split()
    is_year = early["year"][0].isdigit()
    year, year_span = (early["year"], early.span("year")) if is_year else (None, None)
    if authors is not None and len(words) == 1 and _is_title(words):
        authors = None
    if authors is None and _is_title(words):
        return ReferenceHead(
            authors=None, year=year, year_span=year_span, end=early.end(), title_span=before
        )
    if authors is None and words:
        authors = AuthorList(span=before, authors=(organisation(text[slice(*before)]),))
    elif authors is not None and before[1] - authors.span[1] > 60:
        return ReferenceHead(authors=authors, year=None, year_span=None, end=authors.span[1])
    return ReferenceHead(authors=authors, year=year, year_span=year_span, end=early.end())


def _is_title(words: list[str]) -> bool:
    """Whether the text before the year is a title, because there are no authors."""
    if len(words) == 1:
        return words[0].rstrip(EDGES).casefold() in _NOTICES
    return (
        len(words) > 9
        or any(word.endswith(":") for word in words)
        or any(word[0].islower() and len(word) > 3 for word in words)
    )


def read_case_head(text: str, start: int, case: IdentifierInText) -> ReferenceHead:
    """The head of a court case, whose year is in the law report citation or after it."""
    year = _CASE_YEAR.search(text, case.span[0])
    span = year.span("year") if year else None
    return ReferenceHead(
        authors=None, year=year["year"] if year else None, year_span=span, end=start
    )


def quoted_title(text: str, head: ReferenceHead) -> Span | None:
    """The position of a title in quotation marks, including the marks; None without them."""
    opening = _OPENING_QUOTE.search(text, head.end)
    if opening is None or (
        opening.start() - head.end > 6 and _WORD.search(text, head.end, opening.start())
    ):
        return None
    closers = _QUOTES[text[opening.start()]]
    depth = 0
    for index in range(opening.end(), len(text)):
        character = text[index]
        if character == text[opening.start()] and character not in closers:
            depth += 1
        elif character in closers and _closes(text, index):
            if depth == 0:
                return None if _goes_on(text, index + 1) else (opening.start(), index + 1)
            depth -= 1
    return None


def _goes_on(text: str, end: int) -> bool:
    """Whether a title that begins with a quotation goes on after it: `"No exit": a study`."""
    return text[end : end + 2] == ": " and text[end + 2 : end + 3].isalpha()


def _closes(text: str, index: int) -> bool:
    """Whether a quotation mark is a closing one, not an apostrophe."""
    following = text[index + 1 : index + 2]
    if text[index] in "'\u2019":
        return not following or following in ",.;:" or text[index - 1] in ",.?!"
    return not following.isalnum()
