"""Corrects BibTeX: finds the value of each field of an entry, and writes another in its form."""

import re
from collections.abc import Iterator
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from sourcewright.references.bibtex_writer import latex_name, latex_pages, latex_title
from sourcewright.references.corrections.edits import (
    IDENTIFIERS,
    FieldCorrection,
    Groups,
    Slot,
    replaced_inside,
)
from sourcewright.references.latex import to_latex
from sourcewright.references.model import ReadReference

GROUPS: Groups = MappingProxyType(
    {
        "title": (("title",),),
        "authors": (("author",),),
        "year": (("year", "date"),),
        "venue": (
            ("journal", "journaltitle", "shortjournal"),
            ("booktitle",),
            ("maintitle",),
            ("eventtitle",),
            ("series",),
            ("howpublished",),
        ),
        "volume": (("volume",),),
        "issue": (("number",), ("issue",)),
        "pages": (("pages",), ("eid",), ("articleno",)),
        "publisher": (("publisher",), ("school",), ("institution",), ("organization",)),
        "location": (("address",), ("location",)),
        "doi": (("doi",),),
        "pmid": (("pmid",),),
        "pmcid": (("pmcid", "pmc"),),
    }
)
_OPENING = re.compile(r"@\s{0,9}[\w-]{1,40}\s{0,9}[{(]\s{0,99}[^\s,{}()=\"]{0,400}\s{0,99},?")
_NAME = re.compile(r"[\s,]{0,999}([A-Za-z][\w:.+-]{0,99})\s{0,99}=\s{0,99}")
_NEXT_NAME = re.compile(r"[,\n]\s{0,99}([A-Za-z][\w:.+-]{0,99})\s{0,99}=\s{0,99}")
"""A field after text that belongs to none, such as a remark after `%`."""
_BARE = re.compile(r"[^\s,#{}\"]{1,400}")
_JOINED = re.compile(r"\s{0,99}#\s{0,99}")


def entry_spans(text: str, references: tuple[ReadReference, ...]) -> Iterator[tuple[int, int]]:
    """Where each entry stands; an empty span for one that is not found as it was read."""
    at = 0
    for reference in references:
        start = text.find(reference.text, at) if reference.text else -1
        at = max(at, start + len(reference.text))
        yield (start, at) if start >= 0 else (0, 0)


def bibtex_slots(text: str, start: int, end: int) -> list[Slot]:
    """The fields of the entry in a span, in order; an entry with a subtitle has no title alone."""
    slots = list(_slots(text, start, end))
    has_subtitle = any(slot.name == "subtitle" for slot in slots)
    return [slot for slot in slots if not (has_subtitle and slot.name == "title")]


def _slots(text: str, start: int, end: int) -> Iterator[Slot]:
    opening = _OPENING.match(text, start, end)
    at = opening.end() if opening else end
    while name := _NAME.match(text, at, end) or _NEXT_NAME.search(text, at, end):
        at = _end_of_value(text, name.end(), end)
        if at == name.end():
            return
        yield Slot(name=name[1].casefold(), start=name.end(), end=at, text=text[name.end() : at])


def _end_of_value(text: str, start: int, end: int) -> int:
    """Where a value ends: one piece, or several that `#` joins."""
    at = _end_of_piece(text, start, end)
    while at > start and (joined := _JOINED.match(text, at, end)):
        at = _end_of_piece(text, joined.end(), end)
    return at


def _end_of_piece(text: str, start: int, end: int) -> int:
    opener = text[start : start + 1]
    if opener not in ("{", '"'):
        bare = _BARE.match(text, start, end)
        return bare.end() if bare else start
    depth = 0
    for at in range(start, end):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        if depth == 0 and at > start and text[at] == ("}" if opener == "{" else '"'):
            return at + 1
    return start


def write_ascii_value(slot: Slot, correction: FieldCorrection) -> str | None:
    """The corrected value with commands for letters beyond ASCII, as the rest of the file has."""
    value = write_bibtex_value(slot, correction)
    return value if value is None or value.isascii() else _encoder().unicode_to_latex(value)


@lru_cache(maxsize=1)
def _encoder() -> Any:
    # A letter without a command stays as it is.
    from pylatexenc.latexencode import UnicodeToLatexEncoder

    return UnicodeToLatexEncoder(
        non_ascii_only=True,
        unknown_char_policy="keep",
        unknown_char_warning=False,
        replacement_latex_protection="braces-all",
    )


def write_bibtex_value(slot: Slot, correction: FieldCorrection) -> str | None:
    """The corrected value, in braces, quotes or bare as the one before."""
    inner = _inner(slot.text)
    if correction.field in IDENTIFIERS:
        return _with_identifier(slot, correction)
    if correction.field == "year" and inner is not None:
        replacement = replaced_inside(slot.text, correction.given, correction.value)
        if replacement is not None or slot.name == "date":
            return replacement
    if inner is None and slot.text.isdigit() and correction.value.isdigit():
        return correction.value
    protected = correction.field == "title" and _is_wrapped(inner or "")
    value = f"{{{to_latex(correction.value)}}}" if protected else _latex(correction)
    quoted = slot.text.startswith('"') and inner is not None and '"' not in value
    return f'"{value}"' if quoted else f"{{{value}}}"


def _with_identifier(slot: Slot, correction: FieldCorrection) -> str | None:
    for given in (correction.given, to_latex(correction.given)):
        replacement = replaced_inside(slot.text, given, correction.value)
        if replacement is not None:
            return replacement
    return f"{{{correction.value}}}"


def _latex(correction: FieldCorrection) -> str:
    if correction.field == "authors":
        others = ("others",) if correction.truncated else ()
        return " and ".join((*map(latex_name, correction.names), *others))
    if correction.field == "title":
        return latex_title(correction.value)
    if correction.field == "pages":
        return latex_pages(correction.value)
    return to_latex(correction.value)


def _inner(text: str) -> str | None:
    """The text between the delimiters of a single piece; None for abbreviations and joined ones."""
    if len(text) > 1 and text[0] + text[-1] in ("{}", '""'):
        return text[1:-1] if _end_of_piece(text, 0, len(text)) == len(text) else None
    return None


def _is_wrapped(inner: str) -> bool:
    """Whether a second pair of braces protects the whole value."""
    return inner.startswith("{") and _end_of_piece(inner, 0, len(inner)) == len(inner)
