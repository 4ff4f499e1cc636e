"""ZIP archives of XML (office formats, EPUB), read within limits, even when damaged.

Rebuilds the central directory of a truncated archive, and reads the document properties without
the defaults that programs fill in.
"""

import contextlib
import io
import posixpath
import re
import struct
import zipfile
import zlib
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from urllib.parse import unquote
from xml.etree.ElementTree import Element

from sourcewright.base.errors import BadAnswer
from sourcewright.base.formats.parsers import parse_document, parse_first_elements
from sourcewright.base.pages import SOURCE

_LOCAL = struct.Struct("<4s5H3L2H")
_SIZES = struct.Struct("<4s3L")
_CENTRAL = struct.Struct("<4s6H3L5H2L")
_END = struct.Struct("<4s4H2LH")
_LOCAL_SIGNATURE, _DESCRIPTOR_SIGNATURE = b"PK\x03\x04", b"PK\x07\x08"
_SIZE_FOLLOWS = 8
"""The flag of an entry whose sizes follow its data."""
_UNKNOWN_SIZE = 2**31 - 1
_MAX_ENTRIES = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    """An entry as its local header describes it."""

    at: int
    name: bytes
    flags: int
    method: int
    check: int
    packed: int
    size: int
    end: int


def rebuild_directory(body: bytes) -> bytes:
    """The archive with a new central directory of its remaining entries; the last may be cut."""
    headers = [_central_header(entry) for entry in _entries(body)]
    directory = b"".join(headers)
    count = len(headers)
    end = _END.pack(b"PK\x05\x06", 0, 0, count, count, len(directory), len(body), 0)
    return body + directory + end


def _entries(body: bytes) -> Iterator[_Entry]:
    at = 0
    for _ in range(_MAX_ENTRIES):
        if body[at : at + 4] != _LOCAL_SIGNATURE or len(body) < at + _LOCAL.size:
            return
        entry = _entry(body, at)
        yield entry
        at = entry.end


def _entry(body: bytes, at: int) -> _Entry:
    head = _LOCAL.unpack_from(body, at)
    flags, method, check, packed, size, name_length, extra = (
        head[one] for one in (2, 3, 6, 7, 8, 9, 10)
    )
    begin = at + _LOCAL.size
    data = begin + name_length + extra
    end = data + packed
    if flags & _SIZE_FOLLOWS and not packed:
        descriptor = body.find(_DESCRIPTOR_SIGNATURE, data)
        packed, size = (descriptor if descriptor >= 0 else len(body)) - data, _UNKNOWN_SIZE
        end = data + packed + _SIZES.size
        if descriptor >= 0 and end <= len(body):
            _, check, _, size = _SIZES.unpack_from(body, descriptor)
    return _Entry(
        at=at,
        name=body[begin : begin + name_length],
        flags=flags & ~_SIZE_FOLLOWS,
        method=method,
        check=check,
        packed=max(0, min(packed, len(body) - data)),
        size=size,
        end=end,
    )


def _central_header(entry: _Entry) -> bytes:
    sizes = (entry.check, entry.packed, entry.size)
    header_tail = (len(entry.name), 0, 0, 0, 0, 0, entry.at)
    head = _CENTRAL.pack(
        b"PK\x01\x02", 20, 20, entry.flags, entry.method, 0, 0, *sizes, *header_tail
    )
    return head + entry.name


_PROGRAM_PREFIX = re.compile(r"^Microsoft (?:Word|PowerPoint|Excel) - ", re.IGNORECASE)
_DEFAULT_TITLE = re.compile(
    r"untitled.*|.*\.(?:docx?|pdf|dvi|tex|indd|qxd|pptx?|xlsx?|rtf|ps|eps|fm)|[\W\d_]*"
    r"|(?:PowerPoint )?presentation|(?:document|slide|book|sheet|presentation)[ _-]?\d{1,4}"
    r"|\W?anonymous\W?|no title|word document",
    re.IGNORECASE,
)
_DEFAULT_AUTHOR = re.compile(
    r"\W?(?:anonymous|unknown|unspecified|user|owner|admin|administrator)\W?|openpyxl|python-docx"
    r"|[\W\d_]*",
    re.IGNORECASE,
)
_LONGEST = 2_000


def title_of(value: str | None) -> str | None:
    """The title, unless it is a program's default."""
    title = _PROGRAM_PREFIX.sub("", (value or "")[:_LONGEST]).strip()
    return None if _DEFAULT_TITLE.fullmatch(title) else title


def author_of(value: str | None) -> str | None:
    """The author, unless it is a program's default."""
    author = (value or "")[:_LONGEST].strip()
    return None if _DEFAULT_AUTHOR.fullmatch(author) else author


_LARGEST_PART = 64 * 2**20
_ALL_PARTS = 160 * 2**20
_CHUNK = 2**16
_ZIP_ERRORS = (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, ValueError)
_DAMAGED = "it is damaged"
_RELATED = "/relationships}"
"""The end of the namespace of references, in both variants that documents use."""


class Archive:
    """The parts of a document. `cut` says whether a limit or damage lost something."""

    def __init__(self, body: bytes) -> None:
        self.cut = False
        self._reference_cache: dict[str, list[tuple[str, str, str]]] = {}
        self._zip = self._open(body)
        self._bytes_left = _ALL_PARTS
        parts = {one.replace("\\", "/").lstrip("/"): one for one in self._zip.namelist()}
        self.names = frozenset(parts)
        # Part names are case-insensitive, and some programs change their case.
        self._entries_by_name = {name.lower(): one for name, one in parts.items()} | parts

    def _open(self, body: bytes) -> zipfile.ZipFile:
        with contextlib.suppress(*_ZIP_ERRORS):
            return zipfile.ZipFile(io.BytesIO(body))
        self.cut = True
        try:
            return zipfile.ZipFile(io.BytesIO(rebuild_directory(body)))
        except _ZIP_ERRORS as error:
            raise BadAnswer(SOURCE, _DAMAGED, cause="shape") from error

    def place(self, name: str) -> str | None:
        """The archive entry of a part; None if there is no such part."""
        return self._entries_by_name.get(name) or self._entries_by_name.get(name.lower())

    def read(self, name: str) -> bytes | None:
        """The bytes of a part, up to a limit or damage; None if there is no such part."""
        entry = self.place(name)
        if entry is None:
            return None
        data = bytearray()
        limit = min(_LARGEST_PART, self._bytes_left)
        try:
            with self._zip.open(entry) as part:
                while len(data) < limit and (chunk := part.read(min(_CHUNK, limit - len(data)))):
                    data += chunk
                self.cut = self.cut or bool(part.read(1))
        except _ZIP_ERRORS:
            self.cut = True
        except RuntimeError as error:
            raise BadAnswer(SOURCE, "it is password-protected", cause="shape") from error
        self._bytes_left -= len(data)
        return bytes(data)

    def tree(self, name: str) -> Element | None:
        """The parsed XML of a part; None if it is missing or invalid."""
        data = self.read(name)
        if data is None:
            return None
        try:
            return self._parse(data)
        except ValueError:
            self.cut = True
            return None

    def required(self, name: str) -> Element:
        """The parsed XML of a mandatory part."""
        data = self.read(name)
        if data is None:
            raise BadAnswer(SOURCE, f"{_DAMAGED}: {name} is missing", cause="shape")
        try:
            return self._parse(data)
        except ValueError as error:
            raise BadAnswer(SOURCE, f"{_DAMAGED}: {error}", cause="shape") from error

    def first(
        self, name: str, element: str, *, most: int, fillings: frozenset[str]
    ) -> tuple[list[Element], int, bool]:
        """The first matching elements of a part that contain a filling, and how many more there are.

        The last value says whether a limit or damage lost some of them.
        """
        was_cut, self.cut = self.cut, False
        try:
            data = self.read(name) or b""
            elements, more, cut = parse_first_elements(data, element, most=most, fillings=fillings)
        except ValueError:
            elements, more, cut = [], 0, True
        cut = cut or self.cut
        self.cut = was_cut or cut
        return elements, more, cut

    def _parse(self, data: bytes) -> Element:
        root, cut = parse_document(data)
        self.cut = self.cut or cut
        _keep_first_alternative(root)
        return root

    def children(self, name: str) -> list[Element]:
        """The children of a part's root element; empty if there is no such part."""
        root = self.tree(name)
        return [] if root is None else list(root)

    def links(self, name: str) -> dict[str, str]:
        """Targets of a part's references by id: names of parts, or URLs."""
        return {key: target for key, _, target in self._references(name)}

    def part(self, kind: str, *, of: str = "", usual: str = "") -> str:
        """The part of a kind that another part refers to, else the one of the usual name."""
        targets = (target for _, one, target in self._references(of) if one == kind)
        return next((target for target in targets if self.place(target)), usual)

    def _references(self, name: str) -> list[tuple[str, str, str]]:
        """References as (id, kind, target), cached because they are needed often."""
        if name not in self._reference_cache:
            folder, _, file = name.rpartition("/")
            elements = self.children(f"{folder}/_rels/{file}.rels".lstrip("/"))
            self._reference_cache[name] = [self._reference(name, one) for one in elements]
        return self._reference_cache[name]

    def _reference(self, name: str, one: Element) -> tuple[str, str, str]:
        target, kind = one.get("Target", ""), one.get("Type", "").rpartition("/")[2]
        if one.get("TargetMode") != "External":
            target = resolve_reference(name, target, self.names)
        return one.get("Id", ""), kind, target

    def properties(self) -> dict[str, str | None]:
        """The document properties, by the field names of a `Reading`."""
        fields = {"title": "title", "creator": "author", "modified": "modified"}
        checks = {"title": title_of, "author": author_of}
        properties: dict[str, str | None] = {}
        for one in self.children(self.part("core-properties", usual="docProps/core.xml")):
            name = fields.get(local_name(one.tag))
            if name is not None:
                text = (one.text or "").strip() or None
                properties[name] = checks[name](text) if name in checks else text
        return properties


def _keep_first_alternative(root: Element) -> None:
    """Keep only the first alternative of content that is given for newer and older programs."""
    for one in list(root.iter()):
        if local_name(one.tag) == "AlternateContent":
            one[:] = one[:1]


def resolve_reference(part: str, target: str, names: Collection[str] = ()) -> str:
    """The part name that a reference resolves to; it may be percent-encoded."""
    path = target.partition("#")[0]
    candidates = [
        one.lstrip("/")
        if one.startswith("/")
        else posixpath.normpath(posixpath.join(posixpath.dirname(part), one))
        for one in (path, unquote(path))
    ]
    return candidates[0] if candidates[0] in names else candidates[1]


def local_name(tag: str) -> str:
    """A tag name without its namespace."""
    return tag.rpartition("}")[2]


def relationship_id(element: Element, name: str = "id") -> str:
    """The relationship id in an element's attributes."""
    ending = _RELATED + name
    return next((value for key, value in element.attrib.items() if key.endswith(ending)), "")


def child(element: Element | None, *path: str) -> Element | None:
    """The first descendant along a path of tag names."""
    for name in path:
        if element is None:
            return None
        element = next((one for one in element if local_name(one.tag) == name), None)
    return element


def attribute(element: Element | None, name: str) -> str | None:
    """The value of an attribute, regardless of its namespace."""
    if element is None:
        return None
    return next((value for key, value in element.attrib.items() if local_name(key) == name), None)
