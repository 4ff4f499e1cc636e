r"""Reads the references of a file: a bibliography, or the list in a document of any kind.

A document is converted to text by the readers, in a process of its own. A `.tex` file without
entries of its own has them in the `.bib` or `.bbl` file beside it; no other file is opened.
"""

import asyncio
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from urllib.parse import quote

from sourcewright.base.errors import BadAnswer, InvalidInput
from sourcewright.base.formats.media_types import sniff_kind
from sourcewright.base.pages import FetchedDocument
from sourcewright.base.text.charsets import decode
from sourcewright.domain.document_ports import ReadsDocuments
from sourcewright.references.limits import MAX_BYTES, MAX_DOCUMENT_BYTES
from sourcewright.references.model import ReadReference, Reference, UnreadableReference
from sourcewright.references.reader import (
    FORMATS_BY_SUFFIX,
    ReferenceFormat,
    detect_format,
    read_references,
    stated_format,
)
from sourcewright.references.readers.latex_sources import (
    bibliography_names,
    cited_keys,
    has_bibitems,
)

_TEXT_KINDS = ("text", "markdown", "json", "xml", "csv")
_HEADING = re.compile(rb"^#{1,6}\s", re.MULTILINE)
_ARTICLE = re.compile(rb"<(?:\w{1,20}:)?article[\s>]")
_HEAD_BYTES = 4096
_NO_FILES: Mapping[str, bytes] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceFile:
    """A file that was read."""

    body: bytes
    references: tuple[ReadReference, ...]
    format: ReferenceFormat | None
    """The format of its entries; None if they are in a document, or in a file beside it."""


@dataclass(frozen=True, slots=True)
class ReferenceFiles:
    """Reads the references of files, each entry with its line or the reason it was not read."""

    documents: ReadsDocuments

    async def open_path(self, path: Path) -> ReferenceFile:
        """The content of a file on disk, its references and its format.

        Raises:
            InvalidInput: It cannot be opened or read, is too large, or has no references.
        """
        body = await asyncio.to_thread(_read_file, path)
        companions = _NO_FILES
        if path.suffix.casefold() == ".tex":
            companions = await asyncio.to_thread(_companions, path, body)
        return await self.open(body, name=path.name, companions=companions)

    async def open(
        self, body: bytes, *, name: str, companions: Mapping[str, bytes] = _NO_FILES
    ) -> ReferenceFile:
        """The content of a file, its references and its format.

        Raises:
            InvalidInput: It cannot be read, is too large, or has no references.
        """
        references = await self.read(body, name=name, companions=companions)
        return ReferenceFile(
            body=body, references=references, format=_bibliography_format(body, name)
        )

    async def read(
        self, body: bytes, *, name: str, companions: Mapping[str, bytes] = _NO_FILES
    ) -> tuple[ReadReference, ...]:
        """The references of a file by its content; `companions` are the files beside a `.tex`.

        Raises:
            InvalidInput: It cannot be read, is too large, or has no references.
        """
        if not body.strip():
            raise InvalidInput(f"{name} is empty")
        try:
            if _suffix(name) == ".tex":
                references = _read_tex(decode(body, content_type=""), companions)
            elif _is_text(body, name):
                references = _read_text(
                    body, _named_format(body, name), is_document=_is_document(body, name)
                )
            else:
                references = await self._read_document(body, name)
        except InvalidInput as error:
            raise InvalidInput(f"{name} could not be read: {error}") from error
        if not references:
            raise InvalidInput(f"no references were found in {name}")
        return references

    async def _read_document(self, body: bytes, name: str) -> tuple[ReadReference, ...]:
        if len(body) > MAX_DOCUMENT_BYTES:
            raise InvalidInput(f"it is larger than {MAX_DOCUMENT_BYTES // 1024 // 1024} MB")
        document = FetchedDocument(body=body, url=_address(name), content_type="", mode="plain")
        try:
            reading = await self.documents.read(document)
        except BadAnswer as error:
            raise InvalidInput(error.detail) from error
        references = _read_list(reading.content)
        return (*references, _rest_of(name)) if reading.cut and references else references


def _is_text(body: bytes, name: str) -> bool:
    kind = _kind(body, name)
    if _is_article(body, kind) or _is_notebook(body, kind):
        return False
    return _suffix(name) in FORMATS_BY_SUFFIX or kind in _TEXT_KINDS


def _is_article(body: bytes, kind: str | None) -> bool:
    """Whether XML is that of an article (JATS), which is no bibliography."""
    return kind == "xml" and _ARTICLE.search(body, 0, _HEAD_BYTES) is not None


def _is_notebook(body: bytes, kind: str | None) -> bool:
    return kind == "json" and b'"nbformat"' in body


def _is_document(body: bytes, name: str) -> bool:
    """Whether a text file has headings, so that its references are a part of it."""
    return _kind(body, name) == "markdown" and _HEADING.search(body) is not None


def _bibliography_format(body: bytes, name: str) -> ReferenceFormat | None:
    if _suffix(name) == ".tex" or not _is_text(body, name) or _is_document(body, name):
        return None
    return _named_format(body, name) or detect_format(decode(body, content_type=""))


def _named_format(body: bytes, name: str) -> ReferenceFormat | None:
    return stated_format(name, decode(body[:_HEAD_BYTES], content_type=""))


def _suffix(name: str) -> str:
    return PurePosixPath(name).suffix.casefold()


def _kind(body: bytes, name: str) -> str | None:
    return sniff_kind(body, content_type="", url=_address(name))


def _address(name: str) -> str:
    """A URL that ends in the name of the file, which readers examine for its extension."""
    return f"https://file.invalid/{quote(name, errors='replace')}"


def _read_list(text: str) -> tuple[ReadReference, ...]:
    # Imported here: it compiles many patterns, and few files need it.
    from sourcewright.references.readers.plain_list import read_document_references

    return read_document_references(text)


def _rest_of(name: str) -> UnreadableReference:
    return UnreadableReference(
        text="", reason=f"{name} could only be read in part, so that references may be missing"
    )


def _read_text(
    body: bytes, name: ReferenceFormat | None, *, is_document: bool = False
) -> tuple[ReadReference, ...]:
    """The entries of a bibliography, or of the list of references in a document."""
    if len(body) > MAX_BYTES:
        raise InvalidInput(f"it is larger than {MAX_BYTES // 1024 // 1024} MB")
    text = decode(body, content_type="")
    if is_document:
        return _read_list(text)
    name = name or detect_format(text)
    references = read_references(text, format=name)
    # Text of which no line is a reference is no list of them.
    is_list = name != "list" or any(isinstance(one, Reference) for one in references)
    return references if is_list else ()


def _read_tex(text: str, companions: Mapping[str, bytes]) -> tuple[ReadReference, ...]:
    """The entries in the file itself, else those of its `.bib` files, else of its `.bbl`."""
    if len(text) > MAX_BYTES:
        raise InvalidInput(f"it is longer than {MAX_BYTES // 1024 // 1024} million characters")
    if has_bibitems(text):
        return read_references(text, format="latex")
    databases = [
        reference
        for name, body in companions.items()
        if name.endswith(".bib")
        for reference in _read_text(body, "bibtex")
    ]
    if databases:
        return _cited(tuple(databases), cited_keys(text))
    printed = (body for name, body in companions.items() if name.endswith(".bbl"))
    references = tuple(reference for body in printed for reference in _read_text(body, "latex"))
    if references:
        return references
    names = ", ".join(bibliography_names(text))
    reason = f"; it uses {names}, which is not beside it" if names else ""
    raise InvalidInput(f"it has no \\bibitem, and there is no .bib or .bbl file beside it{reason}")


def _cited(
    references: tuple[ReadReference, ...], keys: tuple[str, ...] | None
) -> tuple[ReadReference, ...]:
    """The entries that are cited, in the order of the file; a cited key without one is reported."""
    if keys is None:
        return references
    cited = tuple(reference for reference in references if reference.key in set(keys))
    missing = [key for key in keys if key not in {reference.key for reference in references}]
    return (
        *cited,
        *(
            UnreadableReference(text=key, reason="it is cited, but has no entry", key=key)
            for key in missing
        ),
    )


def _read_file(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            # One byte over the limit, so that a larger file is refused and not truncated.
            return file.read(MAX_DOCUMENT_BYTES + 1)
    except OSError as error:
        raise InvalidInput(f"{path} cannot be opened: {error.strerror or error}") from error


def _companions(path: Path, body: bytes) -> Mapping[str, bytes]:
    """The `.bib` files that a source names and its `.bbl`, all of them in or below its folder."""
    folder = path.resolve().parent
    names = (*bibliography_names(decode(body, content_type="")), f"{path.stem}.bbl")
    files: dict[str, bytes] = {}
    for name in names:
        file = (folder / name).resolve()
        if file.is_relative_to(folder) and file.suffix in (".bib", ".bbl") and file.is_file():
            files[name] = _read_file(file)
    return files
