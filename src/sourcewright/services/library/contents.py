"""The content of stored papers: the text of a PDF with its pages, and its bytes."""

import asyncio
from dataclasses import dataclass

from sourcewright.base.errors import BadAnswer, NotFound, Unreadable
from sourcewright.base.formats.codec import JsonCodec
from sourcewright.base.formats.digests import file_digest
from sourcewright.base.pages import FetchedDocument
from sourcewright.domain.document_ports import ReadsDocuments
from sourcewright.reading.readings import Reading
from sourcewright.references.entries import Entry
from sourcewright.services.cache import Operation, OperationCache
from sourcewright.services.library.catalogue import Library

SOURCE = "library"
PREFIX = "paper://"
PDF_TYPE = "application/pdf"
MOST_PDF_BYTES = 100 * 1024 * 1024
"""As for a PDF that is fetched or added."""

_TEXT = Operation(
    name="library.text",
    version=1,
    ttl_seconds=3600.0,
    codec=JsonCodec(Reading),
    keep=lambda reading: not reading.cut,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _File:
    """Cache key of a text: the digest of the file."""

    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredPdf:
    """The PDF of a paper as it is now."""

    entry: Entry
    body: bytes
    sha256: str
    problem: str | None = None
    """Why it is not the file that was stored."""

    @property
    def uri(self) -> str:
        return f"{PREFIX}{self.entry.key}/pdf"


class PaperContents:
    """Reads stored papers, found by key or by any id.

    Raises:
        InvalidInput: The name is neither a key nor a reference.
        NotFound: The library has no such paper, or no PDF of it.
        StoreError: The file could not be read.
    """

    def __init__(
        self, *, library: Library, documents: ReadsDocuments, cache: OperationCache
    ) -> None:
        self._library = library
        self._documents = documents
        self._cache = cache

    async def pdf(self, name: str) -> StoredPdf:
        """Return the PDF of a paper, compared with the digest of the one that was stored."""
        stored = await self._library.named(name)
        if stored is None:
            raise NotFound(SOURCE, f"it has no paper {name}")
        entry, problem = await self._library.as_found(stored, in_use=True)
        body = await self._library.pdf_bytes(entry, MOST_PDF_BYTES)
        if body is None:
            raise NotFound(SOURCE, f"it has the record of {name}, but no PDF")
        return StoredPdf(
            entry=entry,
            body=body,
            sha256=await asyncio.to_thread(file_digest, body),
            problem=problem.detail if problem else None,
        )

    async def text(self, pdf: StoredPdf) -> Reading:
        """Return the text of a PDF as Markdown, with a comment where each page begins.

        Raises:
            BadAnswer: It has no text, or could not be read.
        """
        document = FetchedDocument(body=pdf.body, url=pdf.uri, content_type=PDF_TYPE, mode="plain")
        try:
            text = await self._cache.through(
                _TEXT, _File(sha256=pdf.sha256), lambda: self._documents.read(document)
            )
        except BadAnswer as error:
            message = f"{pdf.entry.pdf_path}: {error.detail}; its bytes are the resource {pdf.uri}"
            raise Unreadable(SOURCE, message, cause=error.cause) from error
        return text.value
