"""MCP resources of the papers in the library: their text and their bytes."""

from collections.abc import Callable, Sequence
from urllib.parse import parse_qsl, unquote, urlsplit

from sourcewright.base.errors import InvalidInput, NotFound
from sourcewright.reading.markdown.sections import slice_text
from sourcewright.services.library.contents import PDF_TYPE, PREFIX, SOURCE, PaperContents

PART_BYTES = 10 * 1024 * 1024
"""Bytes of one answer with part of a PDF; in Base64 it is a third longer."""
MOST_TEXT_BYTES = 5_000_000
"""As much as a reading tool returns."""

PAPER_TEMPLATES: Sequence[dict[str, str]] = (
    {
        "uriTemplate": f"{PREFIX}{{key}}/text",
        "name": "Text of a Paper",
        "description": "The text of a paper in the library as Markdown; its comments say where a page begins. The key is the paper's safekey.",
        "mimeType": "text/markdown",
    },
    {
        "uriTemplate": f"{PREFIX}{{key}}/pdf{{?part}}",
        "name": "PDF of a Paper",
        "description": f"The PDF of a paper in the library. One of more than {PART_BYTES // 1024 // 1024} MiB is read in parts, numbered from 1.",
        "mimeType": PDF_TYPE,
    },
)


class PaperResources:
    """Reads the resources of papers, of the library of the current tenant."""

    def __init__(self, contents: Callable[[], PaperContents]) -> None:
        self._contents = contents

    async def read(self, uri: str) -> tuple[str, str | bytes]:
        """Return the media type and the content of a resource.

        Raises:
            NotFound: There is no such resource, paper or part, or the paper has no PDF.
            InvalidInput: The PDF must be read in parts.
            BadAnswer: The PDF has no text, or cannot be read.
            StoreError: The library could not be read.
        """
        name, _, what = uri.removeprefix(PREFIX).partition("?")[0].rpartition("/")
        if not name or what not in ("text", "pdf"):
            raise NotFound("resources", f"no resource {uri}")
        contents = self._contents()
        try:
            pdf = await contents.pdf(unquote(name))
        except InvalidInput as error:
            raise NotFound(SOURCE, str(error)) from error
        if what == "pdf":
            return _pdf_part(uri, pdf.body)
        text = (await contents.text(pdf)).content
        part = slice_text(text, most=MOST_TEXT_BYTES)
        return "text/markdown", part.text


def _pdf_part(uri: str, body: bytes) -> tuple[str, bytes]:
    """Return the whole PDF, or the part of it that the query names."""
    count = -(-len(body) // PART_BYTES)
    written = dict(parse_qsl(urlsplit(uri).query)).get("part")
    if written is None and count <= 1:
        return PDF_TYPE, body
    if written is None:
        raise InvalidInput(
            f"the PDF has {len(body)} bytes; read it in {count} parts, from {uri}?part=1 to {uri}?part={count}"
        )
    number = int(written) if written.isdecimal() and len(written) < 9 else 0
    if not 1 <= number <= max(count, 1):
        raise NotFound("resources", f"no part {written[:20]} of this PDF, which has {count}")
    part = body[(number - 1) * PART_BYTES : number * PART_BYTES]
    return PDF_TYPE if count <= 1 else "application/octet-stream", part
