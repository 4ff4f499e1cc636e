"""Parses a citation string in any common style."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import replace

from sourcewright.base.text.plain import plain_text
from sourcewright.references.field_values import page_range
from sourcewright.references.identifiers_in_text import IdentifierInText, identifiers_in
from sourcewright.references.limits import MAX_REFERENCE
from sourcewright.references.model import Reference, ReferenceField, Span
from sourcewright.references.strings.body import Body, read_body
from sourcewright.references.strings.bylines import read_byline
from sourcewright.references.strings.gbt7714 import read_marked
from sourcewright.references.strings.gost import read_gost
from sourcewright.references.strings.head import (
    EDGES,
    ReferenceHead,
    quoted_title,
    read_case_head,
    read_head,
)
from sourcewright.references.strings.kinds import kind_of_citation
from sourcewright.references.strings.law_reviews import read_law_review, read_quoted_law_review
from sourcewright.references.strings.numbers import Numbers, read_numbers

LABEL = re.compile(
    r"\s{0,9}(?:\[(?P<bracket>[^\[\]]{1,60})\]|\((?P<round>\d{1,4})\)"
    r"|(?P<number>\d{1,4})(?:[.)]\s{1,9}|\s{1,9}|(?=[^\W\d_a-z]\.))|[\u2022*\u2013-]\s{1,9})\s{0,9}"
)
"""The number or the key before a reference in a list."""
_SIGNAL = re.compile(
    r"(?:[Ss]ee(?: also|,? e\.g\.,)?|[Cc]f\.|[Vv]gl\.(?: auch| dazu)?|[Ss]iehe(?: auch)?|[Vv]oir(?: aussi)?)"
    r"\s(?=[^\W\d_a-z](?:[^\W\d_A-Z]|\.))"
)
"""The word before a reference in a footnote: `See Lee`, `Vgl. Berg`."""
_EMPHASIS = re.compile(r"(?<![\w*])(\*{1,3})(?=[^\s*])([^*\r\n]{1,500})(?<=[^\s*])\1(?![\w*])")
_LINK = re.compile(r"\[([^\[\]]{1,500})\]\((?:<?(https?://[^\s<>]{1,500}?)>?)\)(?![^\s.,;)\]])")
_DAY = (
    r"[A-Z][a-z]+\s\d{1,2},?\s\d{4}|\d{1,2}(?:er)?\.?\s(?:de\s)?[^\W\d_]+\.?,?\s(?:de\s)?\d{4}"
    r"|\d{4}\s[A-Z][a-z]+\.?(?:\s\d{1,2})?(?!\w)|\d{4}[-/]\d{1,2}[-/]\d{1,2}"
    r"|\d{1,2}[-/.]\d{1,2}[-/.]\d{4}|[A-Z][a-z]+\s\d{4}"
)
_NOISE = re.compile(
    r"\[(?:[Oo]nline|[Ii]nternet|[Cc]omputer software|[Dd]ata\s?set|[Pp]reprint|PDF|[Ww]eb|[Ee]lectronic [Rr]esource)\]"
    rf"|[(\[]?(?<!\w)(?:[Aa]ccessed|[Rr]etrieved|[Ll]ast (?:accessed|visited)|[Cc]ited|[Uu]pdated|[Aa]bgerufen am|[Zz]ugriff am|[Cc]onsult\u00e9 le|[Cc]onsultado el)\s(?:on\s|:\s?)?(?:{_DAY})?[)\]]?(?:,?\s?from)?"
    r"|[Rr]etrieved\sfrom|[Aa]vailable\s(?:at|from|online)(?:\sat)?:?|\bURL:?(?=\s)|\b[Dd][Oo][Ii]:?(?=\s{0,2}$)"
)
_AFTER_TITLE = re.compile(
    r"\s?\[[^\[\]]{1,80}\][.,]?$|[.,]?\s\(?\d{1,2}(?:st|nd|rd|th)\s[Ee]d(?:n|ition)?\.?\)?\.?(?:\s[^\W\d_a-z].*)?$"
    r"|(?<=\w)\.\s(?:1[5-9]|20)\d\d\.?$"
)
_END_OF_LAW = re.compile(
    r",\s(?=\d|c\.|ch\.|Pub\.|Stat\.|OJ\b|O\.J\.|BGBl|\u00a7|L\.\s?\d)|\s(?=\u00a7|\d{1,3}\sU\.)|\s\(\d{4}\)"
)
_QUOTATION = {
    '"': '"',
    "\u201c": "\u201d",
    "\u201e": "\u201c\u201d",
    "\u2018": "\u2019",
    "\u00ab": "\u00bb",
    "\u00bb": "\u00ab",
}
"""The marks that open a quotation, with those that close it."""
_LINE_HYPHEN = re.compile(r"(?<=[^\W\d_])-[ \t]{0,4}\r?\n[ \t]{0,9}(?=[^\W\d_A-Z])")
"""A hyphen at the end of a line, in a word."""
_PLAIN = str.maketrans(
    "\r\n\t\u00a0\u2009\u202f\u060c\u061b\uff0c\uff1a\uff1b\uff0e", "      ,;,:;."
)
"""White space, and the punctuation of other scripts, as the patterns have it."""


def read_reference(text: str) -> Reference:
    """The parts of a citation string; missing or unclear parts are None.

    Of a text that is longer than any reference, only the beginning is examined.
    """
    text = _without_markdown(_LINE_HYPHEN.sub("", unicodedata.normalize("NFC", text)))
    plain = text[:MAX_REFERENCE].translate(_PLAIN)
    label = LABEL.match(plain)
    start = _start(plain, label)
    identifiers = identifiers_in(plain)
    masked = _masked(plain, identifiers)
    spans: dict[ReferenceField, Span] = {}
    values: dict[str, str | None] = {}
    head, body, numbers = _parts(masked, start, identifiers)
    for name, span in _text_parts(masked, body):
        spans[name] = span
        values[name] = plain_text(masked[slice(*span)])
    _add_numbers(numbers, identifiers, spans, values)
    if head.authors is not None:
        spans["authors"] = _trimmed(masked, head.authors.span)
    kind = kind_of_citation(plain, values, is_chapter=body.is_chapter)
    if kind == "law":
        head, values["title"] = replace(head, authors=None), _law_title(plain, start, spans)
    return Reference(
        text=text,
        key=next(filter(None, label.groups()), None) if label else None,
        kind=kind,
        authors=head.authors.authors if head.authors else (),
        authors_truncated=head.authors is not None and head.authors.truncated,
        title=values.get("title"),
        venue=values.get("venue"),
        publisher=values.get("publisher"),
        year=_year(head, numbers, spans),
        volume=values.get("volume"),
        issue=values.get("issue"),
        pages=page_range(values.get("pages") or ""),
        doi=values.get("doi"),
        arxiv_id=values.get("arxiv_id"),
        pmid=values.get("pmid"),
        pmcid=values.get("pmcid"),
        isbn=values.get("isbn"),
        url=values.get("url"),
        case_citation=values.get("case_citation"),
        spans=spans,
    )


def _start(plain: str, label: re.Match[str] | None) -> int:
    """Where the reference begins, after its label and a word such as `See`."""
    start = label.end() if label else len(plain) - len(plain.lstrip())
    signal = _SIGNAL.match(plain, start)
    return signal.end() if signal else start


def _without_markdown(text: str) -> str:
    """The text without the asterisks of emphasis, and with the addresses of its links."""
    linked = _LINK.sub(lambda link: link[2] if "://" in link[1] else f"{link[1]} {link[2]}", text)
    return _EMPHASIS.sub(r"\2", linked)


def _add_numbers(
    numbers: Numbers,
    identifiers: tuple[IdentifierInText, ...],
    spans: dict[ReferenceField, Span],
    values: dict[str, str | None],
) -> None:
    names: tuple[ReferenceField, ...] = ("volume", "issue", "pages")
    for name in names:
        if name in numbers.values:
            spans[name], values[name] = numbers.spans[name], numbers.values[name]
    for field, one in {one.field: one for one in reversed(identifiers)}.items():
        spans[field], values[field] = one.span, one.value


def _law_title(plain: str, start: int, spans: dict[ReferenceField, Span]) -> str:
    """The name of a law: what stands before its place in a code or a gazette."""
    spans.pop("authors", None)
    end = _END_OF_LAW.search(plain, start)
    spans["title"] = _trimmed(plain, (start, end.start() if end else len(plain)))
    return plain_text(plain[slice(*spans["title"])])


def _parts(
    masked: str, start: int, identifiers: tuple[IdentifierInText, ...]
) -> tuple[ReferenceHead, Body, Numbers]:
    case = next((one for one in identifiers if one.field == "case_citation"), None)
    if case is not None:
        head = read_case_head(masked, start, case)
        return head, Body(title=(start, case.span[0]), venue=None), Numbers(start=len(masked))
    readers = (read_marked, read_law_review, read_quoted_law_review, read_gost, read_byline)
    special = next((parts for read in readers if (parts := read(masked, start))), None)
    if special is not None:
        return special
    head = read_head(masked, start)
    quote = quoted_title(masked, head)
    numbers = read_numbers(masked, quote[1] if quote else head.end, has_year=head.year is not None)
    return head, read_body(masked, head, quote, numbers), numbers


def _masked(plain: str, identifiers: tuple[IdentifierInText, ...]) -> str:
    """The text with identifiers and remarks about access replaced by spaces, of equal length."""
    characters = list(plain)
    spans = [one.outer for one in identifiers if one.field != "case_citation"]
    spans += [match.span() for match in _NOISE.finditer(plain)]
    for start, end in spans:
        characters[start:end] = " " * (end - start)
    return "".join(characters)


def _text_parts(masked: str, body: Body) -> Iterator[tuple[ReferenceField, Span]]:
    """The positions of title, venue and publisher, without the punctuation around them."""
    parts: tuple[tuple[ReferenceField, Span | None], ...] = (
        ("title", body.title),
        ("venue", body.venue),
        ("publisher", body.publisher),
    )
    for name, span in parts:
        if span is None:
            continue
        start, end = span
        if name == "title" and (remark := _AFTER_TITLE.search(masked[start:end].rstrip())):
            end = start + remark.start()
        else:
            start, end = _within_quotes(masked, span)
        start, end = _trimmed(masked, (start, end))
        if name == "title":
            end = _end_of_quote(masked, start, end)
        if any(map(str.isalnum, masked[start:end])):
            yield name, (start, end)


def _within_quotes(masked: str, span: Span) -> Span:
    """The span without the quotation marks that enclose it."""
    start, end = span
    closers = _QUOTATION.get(masked[start : start + 1])
    is_quoted = closers is not None and end - start > 1 and masked[end - 1] in closers
    return (start + 1, end - 1) if is_quoted else span


def _trimmed(masked: str, span: Span) -> Span:
    start, end = span
    part = masked[start:end]
    start += len(part) - len(part.lstrip(EDGES))
    return start, max(start, start + len(masked[start:end].rstrip(EDGES + "([")))


def _end_of_quote(masked: str, start: int, end: int) -> int:
    """The end of a title, after the closing mark of a quotation in it: `Comment on "X"`."""
    open_marks: list[str] = []
    for character in masked[start:end]:
        if open_marks and character in _QUOTATION[open_marks[-1]]:
            open_marks.pop()
        elif character in _QUOTATION:
            open_marks.append(character)
    if not open_marks:
        return end
    closers, last = _QUOTATION[open_marks[0]], min(end + 4, len(masked))
    return next((at + 1 for at in range(end, last) if masked[at] in closers), end)


def _year(head: ReferenceHead, numbers: Numbers, spans: dict[ReferenceField, Span]) -> int | None:
    if head.year is not None and head.year_span is not None:
        spans["year"] = head.year_span
        return int(head.year)
    if "year" in numbers.values:
        spans["year"] = numbers.spans["year"]
        return int(numbers.values["year"])
    return None
