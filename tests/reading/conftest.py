"""Hand-made documents, good and bad, and readers that are closed after the tests."""

import asyncio
import io
import zipfile
import zlib
from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.material import SHARED


def written(objects: list[bytes], root: int = 1) -> bytes:
    """A PDF of these numbered objects."""
    body, table = bytearray(b"%PDF-1.7\n"), b"0000000000 65535 f \n"
    for number, content in enumerate(objects, start=1):
        table += b"%010d 00000 n \n" % len(body)
        body += b"%d 0 obj\n%b\nendobj\n" % (number, content)
    start = len(body)
    body += b"xref\n0 %d\n%btrailer\n<< /Size %d /Root %d 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (
        len(objects) + 1,
        table,
        len(objects) + 1,
        root,
        start,
    )
    return bytes(body)


def stream(data: bytes, entries: bytes = b"") -> bytes:
    return b"<< %b /Length %d >>\nstream\n%b\nendstream" % (entries, len(data), data)


def document(
    *contents: bytes, more: tuple[bytes, ...] = (), resources: bytes = b"", entries: bytes = b""
) -> bytes:
    """One page for each content; further objects are numbered from 100."""
    fonts = b"/Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>"
    kids = [b"%d 0 R" % number for number in range(3, 3 + len(contents))]
    pages = [
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents %d 0 R "
        b"/Resources << %b %b >> >>" % (3 + len(contents) + at, fonts, resources)
        for at in range(len(contents))
    ]
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [%b] /Count %d >>" % (b" ".join(kids), len(kids)),
        *pages,
        *(stream(content, entries) for content in contents),
    ]
    return written([*objects, *[b"null"] * (99 - len(objects)), *more])


def with_text(text: str) -> bytes:
    return document(f"BT /F1 12 Tf 50 700 Td ({text}) Tj ET".encode())


def endless(*before: bytes) -> bytes:
    """Forms that draw forms that draw forms: a few bytes that take practically endless time."""
    levels = 16
    forms = [
        stream(
            b"/X Do " * 16 if level < levels - 1 else b"BT /F1 9 Tf (deep) Tj ET",
            b"/Type /XObject /Subtype /Form /BBox [0 0 600 800] "
            b"/Resources << /XObject << /X %d 0 R >> >>" % (101 + level),
        )
        for level in range(levels)
    ]
    shared = b"/XObject << /X 100 0 R >>"
    return document(*before, b"/X Do", more=tuple(forms), resources=shared)


def swelling(pieces: int = 25) -> bytes:
    """A page that is small in the file and takes 15 MB of memory for each piece."""
    piece = b"BT /F1 9 Tf 50 700 Td (swelling) Tj ET\n" * 25_000
    packer = zlib.compressobj(9)
    packed = b"".join(packer.compress(piece) for _ in range(pieces)) + packer.flush()
    return document(packed, entries=b"/Filter /FlateDecode")


@pytest.fixture
async def reader_with() -> AsyncIterator[Callable[..., Any]]:
    from sourcewright.reading.first_pages import PdfReader

    made = []

    def make(**limits: float) -> Any:
        made.append(PdfReader(**limits))
        return made[-1]

    yield make
    for reader in made:
        await reader.aclose()


@pytest.fixture
def until() -> Callable[..., Any]:
    """Waits until a condition holds, up to a limit."""

    async def wait(condition: Callable[[], Any]) -> None:
        for _ in range(30_000):
            if condition():
                return
            await asyncio.sleep(0.01)
        pytest.fail("what was waited for did not happen")

    return wait


@pytest.fixture
def children() -> Callable[[], list[int]]:
    """The processes that this one has started and that still run."""

    def list_them() -> list[int]:
        tasks = Path("/proc/self/task").glob("*/children")
        return [int(pid) for task in tasks for pid in task.read_text().split()]

    return list_them


@pytest.fixture
def make() -> dict[str, Any]:
    """The PDFs by name."""
    makers = (endless, stream, swelling, with_text, written)
    return {maker.__name__: maker for maker in makers}


@pytest.fixture
def drawn() -> Callable[..., bytes]:
    """Draws a PDF of these pages, with metadata, and with a password if it is locked."""
    from pypdf import PdfWriter
    from reportlab.pdfgen.canvas import Canvas

    def draw(*pages: str, locked: bool = False, **about: str) -> bytes:
        out = io.BytesIO()
        canvas = Canvas(out)
        for name, text in about.items():
            getattr(canvas, f"set{name.capitalize()}")(text)
        for page in pages:
            for at, line in enumerate(page.split("\n")):
                canvas.drawString(72, 720 - 20 * at, line)
            canvas.showPage()
        canvas.save()
        if locked:
            writer = PdfWriter(clone_from=io.BytesIO(out.getvalue()))
            writer.encrypt("a secret", algorithm="RC4-128")
            out.seek(0)
            writer.write(out)
            out.truncate()
        return out.getvalue()

    return draw


def packed(parts: Mapping[str, str | bytes]) -> bytes:
    """An archive of these parts."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in parts.items():
            file.writestr(name, content)
    return out.getvalue()


@pytest.fixture
def pack() -> Callable[[Mapping[str, str | bytes]], bytes]:
    return packed


def visit_of(body: bytes, content_type: str = "", *, cut: bool = False) -> Any:
    from sourcewright.base.pages import FetchedDocument

    url = "https://documents.example/it"
    return FetchedDocument(body=body, url=url, content_type=content_type, mode="plain", cut=cut)


@pytest.fixture
def visit() -> Callable[..., Any]:
    return visit_of


@pytest.fixture(scope="session")
async def shared_documents() -> AsyncIterator[Any]:
    """One reader for all tests that let its processes live."""
    from sourcewright.reading.documents import DocumentReader

    reader = DocumentReader(processes=1, page_seconds=100.0, document_seconds=100.0)
    yield reader
    await reader.aclose()


@pytest.fixture
def read(shared_documents: Any) -> Callable[..., Any]:
    """Reads a body with the media type that it is recognised as, or that is given."""

    async def reading(body: bytes, content_type: str = "") -> Any:
        return await shared_documents.read(visit_of(body, content_type))

    return reading


@pytest.fixture
async def documents_with() -> AsyncIterator[Callable[..., Any]]:
    from sourcewright.reading.documents import DocumentReader

    made = []

    def make(**limits: float) -> Any:
        made.append(DocumentReader(**limits))
        return made[-1]

    yield make
    for reader in made:
        await reader.aclose()


@pytest.fixture
def upstream() -> Callable[[str], bytes]:
    """A document from the recorded ones, which are not part of the project."""
    folder = SHARED / "upstream"

    def load(name: str) -> bytes:
        path = folder / name
        if not path.is_file():
            pytest.skip("the recorded documents are not here")
        return path.read_bytes()

    return load
