"""References: parse, check, format and correct bibliographies, without asking anybody.

`read_references` takes BibTeX, RIS, CSL-JSON, EndNote, MODS, NBIB, LaTeX, Word sources and lists as
people write them; `read_reference` one citation string. `check_reference` compares one with the
records of indexes, field by field. `format_reference` writes it in a citation style, and
`correct_document` puts a file right and leaves the rest of it as it was.
"""

from typing import TYPE_CHECKING

from sourcewright._doors import door

if TYPE_CHECKING:
    from sourcewright.references.checks import CitationCheck, Evidence, FieldCheck
    from sourcewright.references.comparison.check import check_citation, check_reference
    from sourcewright.references.comparison.people import compare_authors
    from sourcewright.references.comparison.string_check import check_string
    from sourcewright.references.comparison.titles import title_agreement
    from sourcewright.references.corrections.document import CorrectedDocument, correct_document
    from sourcewright.references.corrections.edits import FieldCorrection
    from sourcewright.references.identifiers_in_text import IdentifierInText, identifiers_in
    from sourcewright.references.item_export import bibtex, csl_json, ris
    from sourcewright.references.lists.sections import reference_sections
    from sourcewright.references.model import (
        ReadReference,
        Reference,
        ReferenceField,
        ReferenceKind,
        UnreadableReference,
    )
    from sourcewright.references.reader import ReferenceFormat, detect_format, read_references
    from sourcewright.references.source_items import work_item
    from sourcewright.references.strings.reference import read_reference
    from sourcewright.references.styles.processor import format_reference
    from sourcewright.references.styles.style_file import StyleName

__all__ = [
    "CitationCheck",
    "CorrectedDocument",
    "Evidence",
    "FieldCheck",
    "FieldCorrection",
    "IdentifierInText",
    "ReadReference",
    "Reference",
    "ReferenceField",
    "ReferenceFormat",
    "ReferenceKind",
    "StyleName",
    "UnreadableReference",
    "bibtex",
    "check_citation",
    "check_reference",
    "check_string",
    "compare_authors",
    "correct_document",
    "csl_json",
    "detect_format",
    "format_reference",
    "identifiers_in",
    "read_reference",
    "read_references",
    "reference_sections",
    "ris",
    "title_agreement",
    "work_item",
]

__getattr__, __dir__ = door(
    __name__,
    {
        "CitationCheck": "checks",
        "Evidence": "checks",
        "FieldCheck": "checks",
        "check_citation": "comparison.check",
        "check_reference": "comparison.check",
        "compare_authors": "comparison.people",
        "check_string": "comparison.string_check",
        "title_agreement": "comparison.titles",
        "CorrectedDocument": "corrections.document",
        "correct_document": "corrections.document",
        "FieldCorrection": "corrections.edits",
        "IdentifierInText": "identifiers_in_text",
        "identifiers_in": "identifiers_in_text",
        "bibtex": "item_export",
        "csl_json": "item_export",
        "ris": "item_export",
        "reference_sections": "lists.sections",
        "ReadReference": "model",
        "Reference": "model",
        "ReferenceField": "model",
        "ReferenceKind": "model",
        "UnreadableReference": "model",
        "ReferenceFormat": "reader",
        "detect_format": "reader",
        "read_references": "reader",
        "work_item": "source_items",
        "read_reference": "strings.reference",
        "format_reference": "styles.processor",
        "StyleName": "styles.style_file",
    },
)
