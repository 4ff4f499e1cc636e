"""Media types (MIME): sniffs what a body is, by its bytes first, then by its Content-Type."""

import codecs
import re
from urllib.parse import urlsplit

from sourcewright.base.text.charsets import charset_in, wide_codec

UNSUPPORTED = "unsupported"
_HEAD_BYTES = 4096
_MAX_SCAN = 65_536
_MAX_BLANKS = 64
_MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"\x89PNG", "a PNG image"),
    (b"GIF8", "a GIF image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"II*\x00", "a TIFF image"),
    (b"MM\x00*", "a TIFF image"),
    (b"\x00\x00\x01\x00", "an icon"),
    (b"8BPS", "a Photoshop image"),
    (b"OggS", "an Ogg recording"),
    (b"fLaC", "a FLAC recording"),
    (b"ID3", "an MP3 recording"),
    (b"\x1aE\xdf\xa3", "a Matroska video"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ", "an xz archive"),
    (b"\x28\xb5\x2f\xfd", "a zstd archive"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old or encrypted Office file"),
    (b"\x7fELF", "a program"),
    (b"\x00asm", "a program"),
    (b"SQLite format 3", "an SQLite database"),
    (b"wOFF", "a font"),
    (b"wOF2", "a font"),
    (b"%!PS", "a PostScript file"),
)
_OPEN_DOCUMENT = b"mimetypeapplication/vnd.oasis.opendocument."
_RIFF = {b"WEBP": "a WebP image", b"WAVE": "a WAVE recording", b"AVI ": "an AVI video"}
_ENCRYPTED_OFFICE = "EncryptedPackage".encode("utf-16-le")
_PARTS = (
    (re.compile(r"word/document\d*\.xml"), "docx"),
    (re.compile(r"ppt/presentation\d*\.xml"), "pptx"),
    (re.compile(r"xl/workbook\d*\.xml"), "xlsx"),
    (re.compile(r"meta-inf/container\.xml"), "epub"),
)
"""The main part of each document format; some programs append a number to its name."""
_MAX_MEMBERS = 4096
"""Archive members that are examined at most."""
_TYPES = {
    "text/html": "html",
    "application/xhtml+xml": "html",
    "text/markdown": "markdown",
    "text/x-markdown": "markdown",
    "text/csv": "csv",
    "text/tab-separated-values": "csv",
    "application/csv": "csv",
    "application/json": "json",
    "text/json": "json",
    "application/x-ndjson": "json",
    "application/jsonl": "json",
    "application/xml": "xml",
    "text/xml": "xml",
}
_SUFFIXES = {
    **dict.fromkeys((".md", ".markdown", ".mdown"), "markdown"),
    **dict.fromkeys((".csv", ".tsv"), "csv"),
    **dict.fromkeys((".htm", ".html", ".xhtml"), "html"),
    ".txt": "text",
    ".xml": "xml",
}
_HTML_DOCUMENT = re.compile(r"<(?:!doctype\s{1,9}html|html)\b", re.IGNORECASE)
_HTML_FRAGMENT = re.compile(
    r"\s*+(?:<!--(?>.{0,2000}?-->)\s*+)*+<(?:head|body|title|meta|link|script|style|h[1-6]|div|p|table|a|span|br)\b",
    re.IGNORECASE | re.DOTALL,
)
_ANY_TAG = re.compile(rb"<[a-zA-Z/!?]")
_XML = re.compile(r"\s*<(?:\?xml\b|rss\b|feed\b|svg\b)", re.IGNORECASE)
_JSON = re.compile(r"""\s*(?:\{\s*["}]|\[\s*(?:["{\[\]]|-?\d|true\b|false\b|null\b))""")
_CONTROLS = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f]")


def sniff_kind(body: bytes, *, content_type: str, url: str = "") -> str:
    """The kind of a body; `unsupported` if it has no text that can be read."""
    if _is_pdf(body, content_type):
        return "pdf"
    if body.startswith(b"PK\x03\x04"):
        return _kind_of_archive(body)
    if body[:_MAX_BLANKS].lstrip().startswith(b"{\\rtf"):
        return "rtf"
    if _known_binary(body) is not None or not _is_text(body, content_type):
        return UNSUPPORTED
    return _kind_of_text(body, content_type, url)


def describe_unsupported(body: bytes, *, content_type: str) -> str:
    """A description of an unsupported body, such as `a PNG image`."""
    known = _known_archive(body) if body.startswith(b"PK\x03\x04") else _known_binary(body)
    media_type = _type_of(content_type)
    if known is None and media_type.startswith(("image/", "audio/", "video/", "font/")):
        known = f"a file of type {media_type}"
    return known or "a file without text"


def _known_archive(body: bytes) -> str:
    is_open_document = _OPEN_DOCUMENT in body[:_HEAD_BYTES]
    return "an OpenDocument file" if is_open_document else "a zip archive"


def _is_pdf(body: bytes, content_type: str) -> bool:
    start = body[:1024]
    if start.lstrip().removeprefix(codecs.BOM_UTF8).startswith(b"%PDF-"):
        return True
    if b"%PDF-" not in start:
        return False
    media_type = _type_of(content_type)
    is_plain_text = media_type.startswith("text/") and b"\x00" not in body
    return media_type == "application/pdf" or (not is_plain_text and b"endobj" in body)


def _kind_of_archive(body: bytes) -> str:
    if _OPEN_DOCUMENT + b"text" in body[:_HEAD_BYTES]:
        return "odt"
    names = _member_names(body)
    for part, kind in _PARTS:
        if any(part.fullmatch(name) for name in names):
            return kind
    # The type is in a member of its own, which some programs compress.
    is_open_document = {"mimetype", "content.xml"} <= names
    return "odt" if is_open_document and _OPEN_DOCUMENT not in body[:_HEAD_BYTES] else UNSUPPORTED


def _member_names(body: bytes) -> set[str]:
    """The normalised member names in a zip archive's central directory, as far as it is valid."""
    end = body.rfind(b"PK\x05\x06", max(0, len(body) - 66_000))
    names: set[str] = set()
    if end < 0 or len(body) < end + 20:
        return _names_in_local_headers(body)
    offset = int.from_bytes(body[end + 16 : end + 20], "little")
    for _ in range(_MAX_MEMBERS):
        if body[offset : offset + 4] != b"PK\x01\x02":
            break
        name_length, extra, comment = (
            int.from_bytes(body[offset + field : offset + field + 2], "little")
            for field in (28, 30, 32)
        )
        names.add(_normalised_name(body[offset + 46 : offset + 46 + name_length]))
        offset += 46 + name_length + extra + comment
    return names or _names_in_local_headers(body)


def _names_in_local_headers(body: bytes) -> set[str]:
    """The member names in the local headers of a truncated zip archive."""
    names: set[str] = set()
    offset = 0
    for _ in range(_MAX_MEMBERS):
        if offset < 0:
            break
        name_length = int.from_bytes(body[offset + 26 : offset + 28], "little")
        names.add(_normalised_name(body[offset + 30 : offset + 30 + min(name_length, 500)]))
        offset = body.find(b"PK\x03\x04", offset + 30)
    return names


def _normalised_name(name: bytes) -> str:
    return name.decode("utf-8", "replace").replace("\\", "/").lstrip("/").lower()


def _known_binary(body: bytes) -> str | None:
    head = body[:16]
    if head.startswith(b"\xd0\xcf\x11\xe0") and _ENCRYPTED_OFFICE in body[:_MAX_SCAN]:
        return "a password-protected Office file"
    if head.startswith(b"RIFF"):
        return _RIFF.get(head[8:12], "a RIFF file")
    if head[4:8] == b"ftyp":
        return "an MP4 or HEIF file"
    return next((words for magic, words in _MAGIC if head.startswith(magic)), None)


def _is_text(body: bytes, content_type: str) -> bool:
    boms = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_BE)
    codec = charset_in(content_type) or ""
    if body.startswith(boms) or codec.startswith("utf-16") or wide_codec(body) is not None:
        return True
    head = body[:_HEAD_BYTES]
    controls = len(_CONTROLS.findall(head.decode("latin-1")))
    return b"\x00" not in head and controls <= 2 + len(head) // 50


def _kind_of_text(body: bytes, content_type: str, url: str) -> str:
    head, media_type = _head_of(body, content_type), _type_of(content_type)
    declared = _TYPES.get(media_type) or ("xml" if media_type.endswith("+xml") else None)
    declared = declared or ("json" if media_type.endswith("+json") else None)
    sniffed = _conclusive_kind(head, body)
    if sniffed == "html" or (sniffed is not None and declared not in {"markdown", "csv"}):
        return sniffed
    by_suffix = _by_suffix(url)
    if by_suffix == "xml" and not head.lstrip().startswith("<"):
        by_suffix = None
    if declared == "html" and _ANY_TAG.search(body, 0, _MAX_SCAN) is None:
        return by_suffix if by_suffix not in {None, "html"} else "text"
    # Markdown may begin with HTML, so an HTML fragment counts only if nothing else is declared.
    return declared or by_suffix or ("html" if _HTML_FRAGMENT.match(head) else "text")


def _conclusive_kind(head: str, body: bytes) -> str | None:
    """The kind, where the content alone is conclusive; else None."""
    if _JSON.match(head) and body[-64:].rstrip(b"\x00\r\n\t ;")[-1:] in (b"}", b"]"):
        return "json"
    if not head.lstrip("\ufeff \t\r\n").startswith("<"):
        return None
    if _HTML_DOCUMENT.search(head):
        return "html"
    return "xml" if _XML.match(head) else None


def _head_of(body: bytes, content_type: str) -> str:
    declared = charset_in(content_type) or ""
    codec = wide_codec(body, declared) or declared
    if body.startswith(codecs.BOM_UTF16_LE):
        codec = "utf-16-le"
    elif body.startswith(codecs.BOM_UTF16_BE):
        codec = "utf-16-be"
    wide = codec.startswith("utf-16")
    text = body[:_HEAD_BYTES].decode(codec if wide else "latin-1", "replace")
    return text.removeprefix("\ufeff").removeprefix("\xef\xbb\xbf")


def _by_suffix(url: str) -> str | None:
    path = urlsplit(url).path.lower() if url else ""
    return next((kind for suffix, kind in _SUFFIXES.items() if path.endswith(suffix)), None)


def _type_of(content_type: str) -> str:
    return content_type[:200].partition(";")[0].strip().lower()
