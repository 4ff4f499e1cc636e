"""Reads references in any format: BibTeX, RIS, CSL-JSON, EndNote, MODS, NBIB, LaTeX, Word, a list."""

import re
from collections.abc import Callable, Mapping
from pathlib import PurePath
from types import MappingProxyType
from typing import Literal

from sourcewright.base.errors import InvalidInput
from sourcewright.references.limits import MAX_BYTES
from sourcewright.references.model import ReadReference

ReferenceFormat = Literal[
    "bibtex",
    "ris",
    "csl-json",
    "endnote-xml",
    "endnote",
    "mods",
    "nbib",
    "isi",
    "word-sources",
    "latex",
    "list",
]
"""The formats; `endnote` is its tagged format, `isi` that of Web of Science, `latex` the
environment `thebibliography`, and `list` is for references as people write them, also at the end
of a document."""


_JSON = re.compile(r"\s{0,999}(?:\[\s{0,999}[\[{\]]|\{\s{0,999}[\"}])")
_RIS = re.compile(r"^[\ufeff ]{0,2}TY {1,2}- ", re.MULTILINE)
_BIBTEX = re.compile(r"^\s{0,99}@\w{1,40}\s{0,9}[{(]", re.MULTILINE)
_NBIB = re.compile(r"^\ufeff?PMID {0,2}- ?\d", re.MULTILINE)
_ENDNOTE = re.compile(r"^\ufeff?%0 {1,2}\w", re.MULTILINE)
_ENDNOTE_XML = re.compile(
    r"\s{0,999}(?:<\?xml[^>]{0,200}>|<!DOCTYPE|<!--|<xml>|<records>|<record>)"
)
_MODS = re.compile(r"<(?:\w{1,20}:)?mods(?:Collection)?[\s>]")
_WORD = re.compile(r"<(?:\w{1,20}:)?Sources\s[^>]{0,2000}officeDocument/2006/bibliography")
_ISI = re.compile(
    r"^\ufeff?(?:FN (?:ISI|Thomson|Clarivate) |PT [A-Z]\s{1,9}(?:AU|AF|BA|BE|CA|TI) \S)",
    re.MULTILINE,
)
_LATEX = re.compile(r"\\bibitem\b|\\begin\{thebibliography\}")
_PATTERNS: tuple[tuple[ReferenceFormat, re.Pattern[str]], ...] = (
    ("ris", _RIS),
    ("nbib", _NBIB),
    ("endnote", _ENDNOTE),
    ("isi", _ISI),
    ("bibtex", _BIBTEX),
    ("latex", _LATEX),
)
_SNIFF_LENGTH = 65_536
FORMATS_BY_SUFFIX: Mapping[str, ReferenceFormat] = MappingProxyType(
    {
        **dict.fromkeys((".bib", ".bibtex", ".biblatex"), "bibtex"),
        ".ris": "ris",
        **dict.fromkeys((".json", ".csl", ".csljson"), "csl-json"),
        ".xml": "endnote-xml",
        ".mods": "mods",
        ".nbib": "nbib",
        ".enw": "endnote",
        **dict.fromkeys((".isi", ".ciw"), "isi"),
        ".bbl": "latex",
    }
)


def read_references(
    text: str,
    *,
    format: ReferenceFormat | None = None,  # noqa: A002 -- the contract's own word
) -> tuple[ReadReference, ...]:
    """Every entry of a bibliography in order: the reference, or why it could not be read.

    Without a format, the text decides.

    Raises:
        InvalidInput: It is too long, has too many entries, or is invalid as a whole.
    """
    if len(text) > MAX_BYTES:
        raise InvalidInput(f"it is longer than {MAX_BYTES // 1024 // 1024} million characters")
    text = text.removeprefix("\ufeff")
    return _READERS[format or detect_format(text)](text)


def detect_format(text: str) -> ReferenceFormat:
    """The format of a bibliography, by how it begins."""
    head = text[:_SNIFF_LENGTH].removeprefix("\ufeff")
    if _JSON.match(head):
        return "csl-json"
    is_markup = head.lstrip().startswith("<")
    if is_markup and _MODS.search(head):
        return "mods"
    if is_markup and _WORD.search(head):
        return "word-sources"
    if _ENDNOTE_XML.match(head):
        return "endnote-xml"
    return next((name for name, pattern in _PATTERNS if pattern.search(head)), "list")


def stated_format(name: str, text: str) -> ReferenceFormat | None:
    """The format that the name of a file states, unless its text is in another.

    XML may be that of EndNote, MODS or Word.
    """
    suffix_format = FORMATS_BY_SUFFIX.get(PurePath(name).suffix.casefold())
    detected = detect_format(text)
    if suffix_format is None or detected == "list":
        return suffix_format
    pattern = dict(_PATTERNS).get(suffix_format)
    is_stated = pattern is not None and pattern.search(text[:_SNIFF_LENGTH])
    return suffix_format if is_stated else detected


def _read_bibtex(text: str) -> tuple[ReadReference, ...]:
    # Imported here, so that a library is loaded only if its format is read.
    from sourcewright.references.readers.bibtex import read_bibtex_references

    return read_bibtex_references(text)


def _read_ris(text: str) -> tuple[ReadReference, ...]:
    from sourcewright.references.readers.ris import read_ris_references

    return read_ris_references(text)


def _read_csl(text: str) -> tuple[ReadReference, ...]:
    from sourcewright.references.readers.csl import read_csl_references

    return read_csl_references(text)


def _read_endnote_xml(text: str) -> tuple[ReadReference, ...]:
    from sourcewright.references.readers.endnote import read_endnote_references

    return read_endnote_references(text)


def _read_endnote(text: str) -> tuple[ReadReference, ...]:
    from sourcewright.references.readers.tagged import read_refer_references

    return read_refer_references(text)


def _read_mods(text: str) -> tuple[ReadReference, ...]:
    from sourcewright.references.readers.mods import read_mods_references

    return read_mods_references(text)


def _read_nbib(text: str) -> tuple[ReadReference, ...]:
    from sourcewright.references.readers.tagged import read_nbib_references

    return read_nbib_references(text)


def _read_isi(text: str) -> tuple[ReadReference, ...]:
    from sourcewright.references.readers.tagged import read_isi_references

    return read_isi_references(text)


def _read_word(text: str) -> tuple[ReadReference, ...]:
    from sourcewright.references.readers.word_sources import read_word_references

    return read_word_references(text)


def _read_latex(text: str) -> tuple[ReadReference, ...]:
    from sourcewright.references.readers.bibitems import read_bibitems

    return read_bibitems(text)


def _read_list(text: str) -> tuple[ReadReference, ...]:
    from sourcewright.references.readers.plain_list import read_list_references

    return read_list_references(text)


_READERS: Mapping[ReferenceFormat, Callable[[str], tuple[ReadReference, ...]]] = MappingProxyType(
    {
        "bibtex": _read_bibtex,
        "ris": _read_ris,
        "csl-json": _read_csl,
        "endnote-xml": _read_endnote_xml,
        "endnote": _read_endnote,
        "mods": _read_mods,
        "nbib": _read_nbib,
        "isi": _read_isi,
        "word-sources": _read_word,
        "latex": _read_latex,
        "list": _read_list,
    }
)
