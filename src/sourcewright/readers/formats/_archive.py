"""ZIP archives of XML (office formats, EPUB), read within limits, also when damaged.

Gives an archive that was cut off the list of contents that it has lost with its end.
What documents say of themselves, without what programs put there when nobody says anything.
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

from sourcewright.domain.errors import BadAnswer
from sourcewright.domain.pages import SOURCE
from sourcewright.logic.formats.parsers import parse_document, parse_first

_LOCAL = struct.Struct("<4s5H3L2H")
_SIZES = struct.Struct("<4s3L")
_LISTED = struct.Struct("<4s6H3L5H2L")
_END = struct.Struct("<4s4H2LH")
_BEGINS, _FOLLOWS = b"PK\x03\x04", b"PK\x07\x08"
_SIZE_FOLLOWS = 8
"""The sign of a part whose size stands behind it."""
_UNKNOWN = 2**31 - 1
_MOST = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """A part as it stands in the archive."""

    at: int
    name: bytes
    flags: int
    method: int
    check: int
    packed: int
    size: int
    end: int


def completed(body: bytes) -> bytes:
    """The archive with a list of the parts that it still has; the last may be cut itself."""
    listed = [_listing(part) for part in _parts(body)]
    directory = b"".join(listed)
    count = len(listed)
    end = _END.pack(b"PK\x05\x06", 0, 0, count, count, len(directory), len(body), 0)
    return body + directory + end


def _parts(body: bytes) -> Iterator[_Part]:
    at = 0
    for _ in range(_MOST):
        if body[at : at + 4] != _BEGINS or len(body) < at + _LOCAL.size:
            return
        part = _part(body, at)
        yield part
        at = part.end


def _part(body: bytes, at: int) -> _Part:
    head = _LOCAL.unpack_from(body, at)
    flags, method, check, packed, size, named, extra = (
        head[one] for one in (2, 3, 6, 7, 8, 9, 10)
    )
    begin = at + _LOCAL.size
    data = begin + named + extra
    end = data + packed
    if flags & _SIZE_FOLLOWS and not packed:
        found = body.find(_FOLLOWS, data)
        packed, size = (found if found >= 0 else len(body)) - data, _UNKNOWN
        end = data + packed + _SIZES.size
        if found >= 0 and end <= len(body):
            _, check, _, size = _SIZES.unpack_from(body, found)
    return _Part(
        at=at,
        name=body[begin : begin + named],
        flags=flags & ~_SIZE_FOLLOWS,
        method=method,
        check=check,
        packed=max(0, min(packed, len(body) - data)),
        size=size,
        end=end,
    )


def _listing(part: _Part) -> bytes:
    sizes = (part.check, part.packed, part.size)
    place = (len(part.name), 0, 0, 0, 0, 0, part.at)
    head = _LISTED.pack(b"PK\x01\x02", 20, 20, part.flags, part.method, 0, 0, *sizes, *place)
    return head + part.name


_PROGRAM = re.compile(r"^Microsoft (?:Word|PowerPoint|Excel) - ", re.IGNORECASE)
_NO_TITLE = re.compile(
    r"untitled.*|.*\.(?:docx?|pdf|dvi|tex|indd|qxd|pptx?|xlsx?|rtf|ps|eps|fm)|[\W\d_]*"
    r"|(?:PowerPoint )?presentation|(?:document|slide|book|sheet|presentation)[ _-]?\d{1,4}"
    r"|\W?anonymous\W?|no title|word document",
    re.IGNORECASE,
)
_NO_AUTHOR = re.compile(
    r"\W?(?:anonymous|unknown|unspecified|user|owner|admin|administrator)\W?|openpyxl|python-docx"
    r"|[\W\d_]*",
    re.IGNORECASE,
)
_LONGEST = 2_000


def title_of(said: str | None) -> str | None:
    """A title that somebody gave."""
    title = _PROGRAM.sub("", (said or "")[:_LONGEST]).strip()
    return None if _NO_TITLE.fullmatch(title) else title


def author_of(said: str | None) -> str | None:
    """An author with a name."""
    author = (said or "")[:_LONGEST].strip()
    return None if _NO_AUTHOR.fullmatch(author) else author


_LARGEST_PART = 64 * 2**20
_ALL_PARTS = 160 * 2**20
_PIECE = 2**16
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, ValueError)
_DAMAGED = "it is damaged"
_RELATED = "/relationships}"
"""How the namespace of references ends, in either of the two that documents use."""


class Archive:
    """The parts of a document. `cut` says whether a limit or damage kept something away."""

    def __init__(self, body: bytes) -> None:
        self.cut = False
        self._known: dict[str, list[tuple[str, str, str]]] = {}
        self._zip = self._opened(body)
        self._left = _ALL_PARTS
        parts = {one.replace("\\", "/").lstrip("/"): one for one in self._zip.namelist()}
        self.names = frozenset(parts)
        # Parts are told apart without regard to case, and some programs change it.
        self._places = {name.lower(): one for name, one in parts.items()} | parts

    def _opened(self, body: bytes) -> zipfile.ZipFile:
        with contextlib.suppress(*_BROKEN):
            return zipfile.ZipFile(io.BytesIO(body))
        self.cut = True
        try:
            return zipfile.ZipFile(io.BytesIO(completed(body)))
        except _BROKEN as error:
            raise BadAnswer(SOURCE, _DAMAGED, cause="shape") from error

    def place(self, name: str) -> str | None:
        """Where a part is; None when there is no such part."""
        return self._places.get(name) or self._places.get(name.lower())

    def read(self, name: str) -> bytes | None:
        """The bytes of a part as far as they are sound and may be; None when there is no part."""
        place = self.place(name)
        if place is None:
            return None
        data = bytearray()
        most = min(_LARGEST_PART, self._left)
        try:
            with self._zip.open(place) as part:
                while len(data) < most and (piece := part.read(min(_PIECE, most - len(data)))):
                    data += piece
                self.cut = self.cut or bool(part.read(1))
        except _BROKEN:
            self.cut = True
        except RuntimeError as error:
            raise BadAnswer(SOURCE, "it is protected by a password", cause="shape") from error
        self._left -= len(data)
        return bytes(data)

    def tree(self, name: str) -> Element | None:
        """The XML of a part; None when there is no such part, or none that can be read."""
        data = self.read(name)
        if data is None:
            return None
        try:
            return self._parsed(data)
        except ValueError:
            self.cut = True
            return None

    def required(self, name: str) -> Element:
        """The XML of a part that no such document is without."""
        data = self.read(name)
        if data is None:
            raise BadAnswer(SOURCE, f"{_DAMAGED}: {name} is missing", cause="shape")
        try:
            return self._parsed(data)
        except ValueError as error:
            raise BadAnswer(SOURCE, f"{_DAMAGED}: {error}", cause="shape") from error

    def first(
        self, name: str, element: str, *, most: int, fillings: frozenset[str]
    ) -> tuple[list[Element], int, bool]:
        """The first elements of a name in a part that have a filling, and how many more it has.

        The last says whether a limit or damage kept some of them away.
        """
        before, self.cut = self.cut, False
        try:
            data = self.read(name) or b""
            found, more, cut = parse_first(data, element, most=most, fillings=fillings)
        except ValueError:
            found, more, cut = [], 0, True
        cut = cut or self.cut
        self.cut = before or cut
        return found, more, cut

    def _parsed(self, data: bytes) -> Element:
        root, cut = parse_document(data)
        self.cut = self.cut or cut
        _choose(root)
        return root

    def children(self, name: str) -> list[Element]:
        """What stands right below the root of a part; nothing when there is no such part."""
        root = self.tree(name)
        return [] if root is None else list(root)

    def links(self, name: str) -> dict[str, str]:
        """Where the references of a part lead, by their ids: to other parts or to addresses."""
        return {key: target for key, _, target in self._references(name)}

    def part(self, kind: str, *, of: str = "", usual: str = "") -> str:
        """The part of a kind that another part refers to, else the one of the usual name."""
        found = (target for _, one, target in self._references(of) if one == kind)
        return next((target for target in found if self.place(target)), usual)

    def _references(self, name: str) -> list[tuple[str, str, str]]:
        """Each as its id, its kind and its target; they are asked for again and again."""
        if name not in self._known:
            folder, _, file = name.rpartition("/")
            found = self.children(f"{folder}/_rels/{file}.rels".lstrip("/"))
            self._known[name] = [self._reference(name, one) for one in found]
        return self._known[name]

    def _reference(self, name: str, one: Element) -> tuple[str, str, str]:
        target, kind = one.get("Target", ""), one.get("Type", "").rpartition("/")[2]
        if one.get("TargetMode") != "External":
            target = resolved(name, target, self.names)
        return one.get("Id", ""), kind, target

    def about(self) -> dict[str, str | None]:
        """What the document says of itself, by the names that a reading has for it."""
        wanted = {"title": "title", "creator": "author", "modified": "modified"}
        checks = {"title": title_of, "author": author_of}
        said: dict[str, str | None] = {}
        for one in self.children(self.part("core-properties", usual="docProps/core.xml")):
            name = wanted.get(local(one.tag))
            if name is not None:
                text = (one.text or "").strip() or None
                said[name] = checks[name](text) if name in checks else text
        return said


def _choose(root: Element) -> None:
    """Leave one of the ways in which a thing is given for newer and for older programs."""
    for one in list(root.iter()):
        if local(one.tag) == "AlternateContent":
            one[:] = one[:1]


def resolved(part: str, target: str, names: Collection[str] = ()) -> str:
    """The part that a reference in another part names; signs may be written as their numbers."""
    written = target.partition("#")[0]
    places = [
        one.lstrip("/")
        if one.startswith("/")
        else posixpath.normpath(posixpath.join(posixpath.dirname(part), one))
        for one in (written, unquote(written))
    ]
    return places[0] if places[0] in names else places[1]


def local(tag: str) -> str:
    """A name without its namespace."""
    return tag.rpartition("}")[2]


def related(element: Element, name: str = "id") -> str:
    """The id of the reference that an element makes."""
    ending = _RELATED + name
    return next((value for key, value in element.attrib.items() if key.endswith(ending)), "")


def child(element: Element | None, *path: str) -> Element | None:
    """The first descendant by these names, one below the other."""
    for name in path:
        if element is None:
            return None
        element = next((one for one in element if local(one.tag) == name), None)
    return element


def attribute(element: Element | None, name: str) -> str | None:
    """An attribute by its name without a namespace."""
    if element is None:
        return None
    return next((value for key, value in element.attrib.items() if local(key) == name), None)
