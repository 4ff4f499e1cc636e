"""Books: the chapters in the order of reading."""

from collections.abc import Iterator
from dataclasses import replace
from xml.etree.ElementTree import Element

from sourcewright.domain.errors import BadAnswer
from sourcewright.domain.pages import SOURCE
from sourcewright.domain.readings import Reading
from sourcewright.logic.decoding import decode
from sourcewright.logic.extracting.blocks import blocks_of
from sourcewright.logic.extracting.parsing import body_of, parsed
from sourcewright.logic.extracting.rendering import markdown_of
from sourcewright.readers._archive import Archive, attribute, child, local, resolved

KINDS = ("epub",)
_CONTAINER = "META-INF/container.xml"
_LOCKS = "META-INF/encryption.xml"
_MAX_CHAPTERS = 2000
_MAX_CHARACTERS = 5_000_000
_TEXT = {"application/xhtml+xml", "text/html", "application/x-dtbook+xml"}


def read(body: bytes, *, url: str, content_type: str) -> Iterator[Reading]:
    """Chapter by chapter, so that what was read is kept when a later one never ends."""
    del url, content_type
    archive = Archive(body)
    rootfile = child(archive.required(_CONTAINER), "rootfiles", "rootfile")
    package = attribute(rootfile, "full-path") or ""
    book = archive.required(package)
    about = _about(book)
    chapters = [resolved(package, one) for one in _spine(book)]
    _refuse_locked(archive, chapters)
    length = 0
    for name in chapters[:_MAX_CHAPTERS]:
        text = _chapter(archive.read(name) or b"")
        if text:
            gap = "\n\n" if length else ""
            length += len(text)
            cut = archive.cut or length > _MAX_CHARACTERS or len(chapters) > _MAX_CHAPTERS
            yield replace(about, content=gap + text, cut=cut)
        if length > _MAX_CHARACTERS:
            return


def _about(book: Element) -> Reading:
    said: dict[str, list[str]] = {}
    found = child(book, "metadata")
    for one in [] if found is None else found.iter():
        text = " ".join("".join(one.itertext()).split())
        said.setdefault(local(one.tag), []).extend([text] if text and not len(one) else [])
    return Reading(
        content="",
        kind="epub",
        title=next(iter(said.get("title", [])), None),
        author="; ".join(said.get("creator", [])[:20]) or None,
        site=next(iter(said.get("publisher", [])), None),
        published=next(iter(said.get("date", [])), None),
        language=next(iter(said.get("language", [])), None),
    )


def _spine(book: Element) -> Iterator[str]:
    """The chapters, each once."""
    manifest, spine = child(book, "manifest"), child(book, "spine")
    items = {
        one.get("id", ""): one.get("href", "")
        for one in ([] if manifest is None else manifest)
        if one.get("media-type", "") in _TEXT
    }
    ids = [one.get("idref", "") for one in ([] if spine is None else spine)]
    yield from (items[key] for key in dict.fromkeys(ids) if items.get(key))


def _refuse_locked(archive: Archive, chapters: list[str]) -> None:
    """Fonts are often scrambled; a book whose chapters are cannot be read."""
    root = archive.tree(_LOCKS)
    locked = {
        attribute(one, "URI")
        for one in ([] if root is None else root.iter())
        if local(one.tag) == "CipherReference"
    }
    if locked & set(chapters):
        raise BadAnswer(SOURCE, "it is protected against reading", cause="shape")


def _chapter(body: bytes) -> str:
    blocks, _, _ = blocks_of(body_of(parsed(decode(body))))
    return markdown_of(blocks, "")
