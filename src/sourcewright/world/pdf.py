"""Writes small, valid PDFs: a paper with real text, and a scan without any."""

import re
import textwrap
import zlib
from collections.abc import Iterator
from functools import cache, lru_cache
from hashlib import sha256
from itertools import islice
from random import Random

from sourcewright.world.corpus.expansion import Stock, abstract
from sourcewright.world.corpus.works import Work

_WIDTH, _HEIGHT, _MARGIN = 595, 842, 56
_LEADING = 14
_LINES = (_HEIGHT - 2 * _MARGIN) // _LEADING
_SECTIONS = ("1 Introduction", "2 Methods", "3 Results", "4 Discussion", "5 Conclusions")
_PARAGRAPHS_PER_SECTION = 5
_SCAN_SIZE = (120, 160)
_RIGHT_TO_LEFT = re.compile(r"[\u0590-\u06ff]+(?: [\u0590-\u06ff]+)*")

Line = tuple[int, str]
"""A font size and a text."""


@lru_cache(maxsize=64)
def paper(work: Work, version: int = 0) -> bytes:
    """The work as a PDF of several pages; a version adds arXiv's stamp."""
    return _typeset(work, list(_lines(work, version)))


@lru_cache(maxsize=8)
def first_page(work: Work) -> bytes:
    """The first page only: a small, valid PDF of the right paper."""
    return _typeset(work, list(islice(_lines(work, 0), _LINES)))


def _typeset(work: Work, lines: list[Line]) -> bytes:
    writer = _Writer()
    glyphs = _Glyphs()
    pages = writer.reserve()
    contents = [
        writer.stream("", _page(lines[at : at + _LINES], glyphs))
        for at in range(0, len(lines), _LINES)
    ]
    fonts = f"/F1 {_latin(writer)} 0 R /F2 {glyphs.write(writer)} 0 R"
    leaves = [
        writer.add(
            f"<< /Type /Page /Parent {pages} 0 R /MediaBox [0 0 {_WIDTH} {_HEIGHT}] "
            f"/Resources << /Font << {fonts} >> >> /Contents {content} 0 R >>"
        )
        for content in contents
    ]
    return writer.finish(work, pages, leaves)


@lru_cache(maxsize=8)
def scan(work: Work) -> bytes:
    """A scan: grey noise instead of text, with the page count of the record."""
    writer = _Writer()
    pages = writer.reserve()
    width, height = _SCAN_SIZE
    noise = Random(work.key).randbytes(width * height)
    image = writer.stream(
        f"/Type /XObject /Subtype /Image /Width {width} /Height {height} "
        "/ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /FlateDecode ",
        zlib.compress(noise),
    )
    draw = writer.stream("", f"q {_WIDTH} 0 0 {_HEIGHT} 0 0 cm /Im1 Do Q".encode())
    leaf = (
        f"<< /Type /Page /Parent {pages} 0 R /MediaBox [0 0 {_WIDTH} {_HEIGHT}] "
        f"/Resources << /XObject << /Im1 {image} 0 R >> >> /Contents {draw} 0 R >>"
    )
    return writer.finish(work, pages, [writer.add(leaf) for _ in range(_scanned_pages(work))])


def _scanned_pages(work: Work) -> int:
    first, _, last = work.pages.partition("-")
    return int(last) - int(first) + 1 if first.isdecimal() and last.isdecimal() else 2


class _Writer:
    """Numbers PDF objects, records their offsets, and writes the cross-reference table."""

    def __init__(self) -> None:
        self._objects: list[bytes] = []

    def reserve(self) -> int:
        """The number of an object that is written last, because others refer to it."""
        return self.add("")

    def add(self, text: str) -> int:
        self._objects.append(text.encode("latin-1"))
        return len(self._objects)

    def stream(self, entries: str, data: bytes) -> int:
        head = f"<< {entries}/Length {len(data)} >>\nstream\n".encode("latin-1")
        self._objects.append(head + data + b"\nendstream")
        return len(self._objects)

    def finish(self, work: Work, pages: int, leaves: list[int]) -> bytes:
        kids = " ".join(f"{leaf} 0 R" for leaf in leaves)
        tree = f"<< /Type /Pages /Kids [{kids}] /Count {len(leaves)} >>"
        self._objects[pages - 1] = tree.encode()
        root = self.add(f"<< /Type /Catalog /Pages {pages} 0 R >>")
        info = self.add(_information(work))
        written = bytearray(b"%PDF-1.5\n%\xe2\xe3\xcf\xd3\n")
        table = b"0000000000 65535 f \n"
        for number, content in enumerate(self._objects, start=1):
            table += b"%010d 00000 n \n" % len(written)
            written += b"%d 0 obj\n%b\nendobj\n" % (number, content)
        start, size = len(written), len(self._objects) + 1
        name = sha256(work.key.encode()).hexdigest()[:32]
        written += b"xref\n0 %d\n%b" % (size, table)
        written += (
            f"trailer\n<< /Size {size} /Root {root} 0 R /Info {info} 0 R "
            f"/ID [<{name}> <{name}>] >>\nstartxref\n{start}\n%%EOF\n"
        ).encode()
        return bytes(written)


def _information(work: Work) -> str:
    year = work.year or 2000
    authors = "; ".join(author.full_name for author in work.authors[:20])
    fields = (("Title", work.plain_title), ("Author", authors), ("Subject", f"doi:{work.doi}"))
    texts = " ".join(f"/{name} {_hex(text)}" for name, text in fields)
    return f"<< {texts} /Producer (an invented press) /CreationDate (D:{year:04d}0101000000Z) >>"


def _hex(text: str) -> str:
    return f"<FEFF{text.encode('utf-16-be').hex().upper()}>"


class _Glyphs:
    """A font without glyphs, only with a Unicode mapping, for non-Latin text."""

    def __init__(self) -> None:
        self._codes: dict[str, int] = {}

    def encode(self, text: str) -> str:
        codes = (self._codes.setdefault(c, len(self._codes) + 1) for c in text)
        return "<" + "".join(f"{code:04X}" for code in codes) + ">"

    def write(self, writer: _Writer) -> int:
        meaning = writer.stream("", self._to_unicode().encode())
        descriptor = writer.add(
            "<< /Type /FontDescriptor /FontName /Invented /Flags 4 /FontBBox [0 -200 1000 900] "
            "/ItalicAngle 0 /Ascent 900 /Descent -200 /CapHeight 700 /StemV 80 >>"
        )
        content = writer.add(
            "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Invented /DW 600 "
            "/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> "
            f"/CIDToGIDMap /Identity /FontDescriptor {descriptor} 0 R >>"
        )
        return writer.add(
            "<< /Type /Font /Subtype /Type0 /BaseFont /Invented /Encoding /Identity-H "
            f"/DescendantFonts [{content} 0 R] /ToUnicode {meaning} 0 R >>"
        )

    def _to_unicode(self) -> str:
        rows = [
            f"<{code:04X}> <{char.encode('utf-16-be').hex().upper()}>"
            for char, code in self._codes.items()
        ]
        # A block of the table may hold a hundred rows at most.
        blocks = [rows[at : at + 100] for at in range(0, len(rows), 100)]
        tables = "\n".join(
            f"{len(block)} beginbfchar\n" + "\n".join(block) + "\nendbfchar" for block in blocks
        )
        return (
            "/CIDInit /ProcSet findresource begin 12 dict begin begincmap\n"
            "/CMapName /Invented def /CMapType 2 def\n"
            "1 begincodespacerange <0000> <FFFF> endcodespacerange\n"
            f"{tables}\nendcmap CMapName currentdict /CMap defineresource pop end end\n"
        )


def _latin(writer: _Writer) -> int:
    return writer.add(
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
    )


def _page(lines: list[Line], glyphs: _Glyphs) -> bytes:
    commands = [f"BT {_LEADING} TL {_MARGIN} {_HEIGHT - _MARGIN} Td".encode()]
    commands += [_line(size, text, glyphs) + b" T*" for size, text in lines]
    return b"\n".join([*commands, b"ET"])


def _line(size: int, text: str, glyphs: _Glyphs) -> bytes:
    """One line in one font: PDF readers lose single letters between font changes."""
    try:
        plain = text.encode("cp1252")
    except UnicodeEncodeError:
        # A page holds letters in the order in which they are seen, not spoken.
        seen = _RIGHT_TO_LEFT.sub(lambda match: match[0][::-1], text)
        return f"/F2 {size} Tf {glyphs.encode(seen)} Tj".encode()
    for special in (b"\\", b"(", b")"):
        plain = plain.replace(special, b"\\" + special)
    return b"/F1 %d Tf (%b) Tj" % (size, plain)


@cache
def _stock() -> Stock:
    return Stock.load()


def _lines(work: Work, version: int) -> Iterator[Line]:
    """The paper from its title to its last section, wrapped into lines."""
    if version and work.manuscript:
        yield 9, f"arXiv:{work.manuscript.id}v{version} [{work.manuscript.categories[0]}]"
    yield from _wrapped(9, f"{work.journal.name} ({work.year or 'n.d.'})", 100)
    yield from _wrapped(9, f"https://doi.org/{work.doi}", 100)
    yield from _wrapped(16, work.plain_title or "Untitled", 56)
    yield from _wrapped(11, ", ".join(author.full_name for author in work.authors), 84)
    yield 10, ""
    if work.abstract:
        yield 12, "Abstract"
        yield from _wrapped(10, work.abstract, 96)
    for section in _SECTIONS:
        yield 12, section
        for number in range(_PARAGRAPHS_PER_SECTION):
            prose = abstract(_stock(), Random(f"{work.key}:{section}:{number}"))
            yield from _wrapped(10, prose, 96)
            yield 10, ""


def _wrapped(size: int, text: str, width: int) -> Iterator[Line]:
    for line in textwrap.wrap(text, width):
        yield size, line
