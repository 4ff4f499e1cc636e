"""Reads a bibliography in any format, and identifies the papers in it."""

import codecs
import re
from collections.abc import Callable, Mapping
from types import MappingProxyType

from sourcewright.domain.errors import InvalidInput
from sourcewright.domain.papers.identifiers import parse_reference
from sourcewright.logic.references.csl import read_csl
from sourcewright.logic.references.entry_identifiers import EntryProblem, IdentifiedEntry
from sourcewright.logic.references.limits import MAX_BYTES, MAX_LINES
from sourcewright.logic.references.ris import read_ris

Results = tuple[IdentifiedEntry | EntryProblem, ...]

_JSON = re.compile(r"\s*(?:\[\s*[\[{\]]|\{\s*[\"}])")
_RIS = re.compile(r"^[\ufeff ]{0,2}TY {1,2}- ", re.MULTILINE)
_BIBTEX = re.compile(r"^\s{0,99}@\w{1,40}\s{0,9}[{(]", re.MULTILINE)
_COMMENT = re.compile(r"(?:^|(?<=\s))#.*$")
_SNIFF_LENGTH = 65_536


def read_bibliography(text: bytes, *, name: str) -> Results:
    """Every entry of a bibliography: the identified paper, or the problem with the entry.

    The format follows from the file extension (`.bib`, `.json`, `.ris`), else from the content.

    Raises:
        InvalidInput: The file is too large, or is invalid in its format.
    """
    if len(text) > MAX_BYTES:
        raise InvalidInput(f"{name} is larger than {MAX_BYTES // 1024 // 1024} MB")
    try:
        content = _decode(text)
        return _reader_for(name, content)(content)
    except InvalidInput as error:
        raise InvalidInput(f"{name} could not be read: {error}") from error


def _decode(text: bytes) -> str:
    """The text as UTF-8, else as Latin-1: identifiers are ASCII in every legacy encoding."""
    if text.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return text.decode("utf-16", errors="replace")
    if b"\0" in text:
        raise InvalidInput("it is not a text file")
    try:
        return text.decode("utf-8-sig")
    except UnicodeDecodeError:
        return text.decode("latin-1")


def _reader_for(name: str, text: str) -> Callable[[str], Results]:
    extension = name.rpartition(".")[2].casefold()
    return _READERS.get(extension) or _reader_for_content(text[:_SNIFF_LENGTH])


def _reader_for_content(head: str) -> Callable[[str], Results]:
    if _JSON.match(head):
        return read_csl
    if _RIS.search(head):
        return read_ris
    return _read_bibtex if _BIBTEX.search(head) else read_list


def _read_bibtex(text: str) -> Results:
    # Imported here, so that the library is only loaded when a BibTeX file is read.
    from sourcewright.logic.references.bibtex_reader import read_bibtex

    return read_bibtex(text)


def read_list(text: str) -> Results:
    """One reference per line; `#` begins a comment.

    Raises:
        InvalidInput: It has too many lines.
    """
    lines = text.splitlines()
    if len(lines) > MAX_LINES:
        raise InvalidInput(f"it has more than {MAX_LINES} lines")
    bare = ((number, _COMMENT.sub("", line).strip()) for number, line in enumerate(lines, 1))
    return tuple(_read_line(number, line) for number, line in bare if line)


def _read_line(number: int, line: str) -> IdentifiedEntry | EntryProblem:
    entry = line if len(line) <= 200 else f"{line[:199]}…"
    try:
        return IdentifiedEntry(
            entry=entry, reference=parse_reference(line), written=line, line=number
        )
    except InvalidInput as error:
        return EntryProblem(entry=entry, reason=str(error), line=number)


_READERS: Mapping[str, Callable[[str], Results]] = MappingProxyType(
    {
        **dict.fromkeys(("bib", "bibtex", "biblatex"), _read_bibtex),
        **dict.fromkeys(("json", "csl", "csljson"), read_csl),
        "ris": read_ris,
    }
)
