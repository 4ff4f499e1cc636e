"""Books: the chapters in the order of reading."""

from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import unquote

from sourcewright.domain.errors import BadAnswer
from sourcewright.domain.pages import SOURCE
from sourcewright.domain.readings import Reading
from sourcewright.logic.decoding import decode
from sourcewright.logic.extracting.blocks import blocks_of
from sourcewright.logic.extracting.parsing import MAX_CHARACTERS, body_of, parsed
from sourcewright.logic.extracting.rendering import markdown_of
from sourcewright.readers._archive import Archive, attribute, child, local, resolved
from sourcewright.readers._package import Package

KINDS = ("epub",)
_CONTAINER = "META-INF/container.xml"
_LOCKS = "META-INF/encryption.xml"
_MAX_CHAPTERS = 2000
_MAX_CHARACTERS = 5_000_000


def read(body: bytes, *, url: str, content_type: str) -> Iterator[Reading]:
    """Chapter by chapter, so that what was read is kept when a later one never ends."""
    del url, content_type
    archive = Archive(body)
    rootfile = child(archive.required(_CONTAINER), "rootfiles", "rootfile")
    place = attribute(rootfile, "full-path") or ""
    package = Package(archive.required(place))
    about = package.about()
    chapters = [resolved(place, one, archive.names) for one in package.chapters()]
    _refuse_locked(archive, chapters)
    length = 0
    for name in chapters[:_MAX_CHAPTERS]:
        text, is_cut = _chapter(archive.read(name))
        gap = "\n\n" if length and text else ""
        length += len(text)
        is_cut = is_cut or archive.cut or len(chapters) > _MAX_CHAPTERS
        yield replace(about, content=gap + text, cut=is_cut or length > _MAX_CHARACTERS)
        if length > _MAX_CHARACTERS:
            return


def _refuse_locked(archive: Archive, chapters: list[str]) -> None:
    """Fonts are often scrambled; a book whose chapters are cannot be read."""
    root = archive.tree(_LOCKS)
    locked = {
        unquote(attribute(one, "URI") or "").lstrip("/")
        for one in ([] if root is None else root.iter())
        if local(one.tag) == "CipherReference"
    }
    if locked & {unquote(name) for name in chapters}:
        raise BadAnswer(SOURCE, "it is protected against reading", cause="shape")


def _chapter(body: bytes | None) -> tuple[str, bool]:
    """The text of a chapter, and whether some of it is lost; all of it where there is none."""
    if body is None:
        return "", True
    text = decode(body)
    blocks, _, _ = blocks_of(body_of(parsed(text)))
    return markdown_of(blocks, ""), len(text) > MAX_CHARACTERS
