"""EPUB books: package metadata, and chapters in reading order."""

from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import unquote
from xml.etree.ElementTree import Element

from sourcewright.base.errors import BadAnswer
from sourcewright.base.pages import SOURCE
from sourcewright.base.text.charsets import decode
from sourcewright.reading.formats._archive import (
    Archive,
    attribute,
    child,
    local_name,
    resolve_reference,
)
from sourcewright.reading.html.blocks import blocks_of
from sourcewright.reading.html.document import MAX_CHARACTERS, AttributeIndex, body_of, parse_html
from sourcewright.reading.html.markdown import markdown_of
from sourcewright.reading.html.structure.footnotes import (
    FootnoteLabels,
    mark_footnotes,
    write_references,
)
from sourcewright.reading.readings import Reading

_TEXT = {"application/xhtml+xml", "text/html", "application/x-dtbook+xml", "text/x-oeb1-document"}
_SUFFIXES = (".xhtml", ".html", ".htm")
_MOST_AUTHORS = 20


class EpubPackage:
    """The package document of a book: metadata, manifest and spine."""

    def __init__(self, book: Element) -> None:
        self._manifest, self._spine = child(book, "manifest"), child(book, "spine")
        metadata = child(book, "metadata")
        self._metadata = (
            [] if metadata is None else [one for one in metadata.iter() if not len(one)]
        )
        self._refinements = {
            (one.get("refines", "").lstrip("#"), one.get("property", "")): _words(one)
            for one in self._metadata
            if local_name(one.tag) == "meta"
        }

    def metadata(self) -> Reading:
        """The metadata of the book, without its text."""
        return Reading(
            content="",
            kind="epub",
            title=self._first("title", "title-type", "main"),
            author="; ".join(self._values("creator", "role", "aut")[:_MOST_AUTHORS]) or None,
            site=self._first("publisher"),
            published=self._first("date", "event", "publication"),
            modified=self._refinements.get(("", "dcterms:modified")),
            language=self._first("language"),
        )

    def chapters(self) -> Iterator[str]:
        """Paths of the chapters in reading order, without duplicates."""
        items = {
            one.get("id", ""): one.get("href", "")
            for one in ([] if self._manifest is None else self._manifest)
            if one.get("media-type", "") in _TEXT or one.get("href", "").endswith(_SUFFIXES)
        }
        ids = [one.get("idref", "") for one in ([] if self._spine is None else self._spine)]
        yield from (items[key] for key in dict.fromkeys(ids) if items.get(key))

    def _first(self, name: str, trait: str = "", value: str = "") -> str | None:
        return next(iter(self._values(name, trait, value)), None)

    def _values(self, name: str, trait: str, value: str) -> list[str]:
        """Values of a metadata element: those with the trait, else those without any, else all.

        The trait is an attribute in EPUB 2, and a `refines` element in EPUB 3.
        """
        candidates = [
            (
                attribute(one, trait) or self._refinements.get((one.get("id", ""), trait)),
                _words(one),
            )
            for one in self._metadata
            if local_name(one.tag) == name and _words(one)
        ]
        for expected in (value, None):
            if matches := [words for one, words in candidates if one == expected]:
                return matches
        # A modification date is no publication date.
        return [] if name == "date" else [words for _, words in candidates]


def _words(element: Element) -> str:
    return " ".join((element.text or "").split())


KINDS = ("epub",)
_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
_MAX_CHAPTERS = 2000
_MAX_CHARACTERS = 5_000_000


def read(body: bytes, *, url: str, content_type: str) -> Iterator[Reading]:
    """Read chapter by chapter, so that finished ones are kept if a later one never ends."""
    del url, content_type
    archive = Archive(body)
    rootfile = child(archive.required(_CONTAINER), "rootfiles", "rootfile")
    package_path = attribute(rootfile, "full-path") or ""
    package = EpubPackage(archive.required(package_path))
    metadata = package.metadata()
    chapters = [resolve_reference(package_path, one, archive.names) for one in package.chapters()]
    _refuse_encrypted(archive, chapters)
    length = 0
    labels = FootnoteLabels()
    for name in chapters[:_MAX_CHAPTERS]:
        text, is_cut = _chapter(archive.read(name), labels)
        gap = "\n\n" if length and text else ""
        length += len(text)
        is_cut = is_cut or archive.cut or len(chapters) > _MAX_CHAPTERS
        yield replace(metadata, content=gap + text, cut=is_cut or length > _MAX_CHARACTERS)
        if length > _MAX_CHARACTERS:
            return


def _refuse_encrypted(archive: Archive, chapters: list[str]) -> None:
    """Refuse books with encrypted chapters; obfuscated fonts do not matter."""
    root = archive.tree(_ENCRYPTION)
    encrypted = {
        unquote(attribute(one, "URI") or "").lstrip("/")
        for one in ([] if root is None else root.iter())
        if local_name(one.tag) == "CipherReference"
    }
    if encrypted & {unquote(name) for name in chapters}:
        raise BadAnswer(SOURCE, "it is copy-protected", cause="shape")


def _chapter(body: bytes | None, labels: FootnoteLabels) -> tuple[str, bool]:
    """The text of a chapter, and whether some is missing; a missing chapter is empty and cut."""
    if body is None:
        return "", True
    text = decode(body)
    root = parse_html(text)
    mark_footnotes(body_of(root), AttributeIndex(root), labels)
    blocks, _, _ = blocks_of(body_of(root))
    return write_references(markdown_of(blocks, "")), len(text) > MAX_CHARACTERS
