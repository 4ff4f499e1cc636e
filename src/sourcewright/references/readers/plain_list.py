"""Reads a plain list of references, or the list at the end of a document."""

import re
from dataclasses import replace

from sourcewright.base.reference_headings import has_date
from sourcewright.references.limits import MAX_REFERENCE
from sourcewright.references.lists.entries import ListEntry, is_labelled_list, split_entries
from sourcewright.references.lists.footnotes import begins_note, footnotes
from sourcewright.references.lists.sections import NumberedLine, reference_sections
from sourcewright.references.model import ReadReference, Reference, UnreadableReference
from sourcewright.references.strings.reference import read_reference

_EMPHASIS = re.compile(
    r"(?<![\w*_`\\])(?P<mark>\*{1,3}|_{1,3}|`)(?=[^\s*_`])(?P<text>[^*_`\n]{0,300}[^\s*_`])(?P=mark)(?![\w*_`])"
)
"""Emphasis and code in Markdown, which documents are converted to."""
_ESCAPED = re.compile(r"\\(?P<mark>[\[\]*_<>#|$&])")
"""A character that Markdown escapes, but none that has an accent in LaTeX, such as `\\'e`."""
_SEE = re.compile(r"(?:see(?:\salso)?|cf\.?|e\.g\.,?|vgl\.?|siehe)\s", re.IGNORECASE)


def read_list_references(text: str) -> tuple[ReadReference, ...]:
    """One result for each entry, in order: of the lists under headings, else of the whole text.

    Raises:
        InvalidInput: It has too many entries.
    """
    lines = _lines(text)
    if is_labelled_list(lines):
        return _read_lines(lines)
    return read_document_references(text) or _read_lines(lines)


def read_document_references(text: str) -> tuple[ReadReference, ...]:
    """The references of a document; none if no list of references is found.

    Raises:
        InvalidInput: It has too many entries.
    """
    sections = tuple(map(_without_notes, reference_sections(text)))
    listed = tuple(reference for section in sections for reference in _read_lines(section))
    taken = {line.number for section in sections for line in section}
    notes = (_read_note(note) for note in footnotes(text) if note.line not in taken)
    return (*(note for note in notes if note is not None), *listed)


def _without_notes(section: tuple[NumberedLine, ...]) -> tuple[NumberedLine, ...]:
    """A list of references without the footnotes of its page, unless it consists of them."""
    others = tuple(line for line in section if not begins_note(line.text))
    return others if any(has_date(line.text) for line in others) else section


def _lines(text: str) -> tuple[NumberedLine, ...]:
    return tuple(
        NumberedLine(number=number, text=line) for number, line in enumerate(text.splitlines(), 1)
    )


def _read_lines(lines: tuple[NumberedLine, ...]) -> tuple[ReadReference, ...]:
    return tuple(map(_read_entry, split_entries(lines)))


def _read_entry(entry: ListEntry) -> ReadReference:
    if len(entry.text) > MAX_REFERENCE:
        return UnreadableReference(
            text=entry.text,
            reason=f"it is longer than {MAX_REFERENCE} characters, so it is not a single reference",
            line=entry.line,
        )
    text = _ESCAPED.sub(r"\g<mark>", _EMPHASIS.sub(r"\g<text>", entry.text))
    reference = replace(read_reference(text), line=entry.line)
    if _says_something(reference):
        return reference
    return UnreadableReference(
        text=text,
        reason="it has no year, identifier, or authors with a title",
        key=reference.key,
        line=entry.line,
    )


def _read_note(note: ListEntry) -> Reference | None:
    """The reference in a footnote; None if it is a remark."""
    reference = _read_entry(replace(note, text=_SEE.sub("", note.text)))
    if isinstance(reference, UnreadableReference):
        return None
    if reference.title and reference.authors and reference.year:
        return reference
    # A remark with an identifier: its words are not those of a title.
    identifiers = (reference.doi, reference.arxiv_id, reference.pmid, reference.pmcid)
    bare = replace(reference, title=None, authors=(), venue=None, publisher=None, year=None)
    return replace(bare, volume=None, issue=None, pages=None) if any(identifiers) else None


def _says_something(reference: Reference) -> bool:
    identifiers = (
        *(reference.doi, reference.arxiv_id, reference.pmid, reference.pmcid, reference.isbn),
        *(reference.url, reference.case_citation),
    )
    subject = reference.title and (reference.authors or reference.venue)
    return bool(reference.year or subject or any(identifiers))
