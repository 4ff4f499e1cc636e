"""What the package of a book says: of the book, and in which order its chapters are read."""

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from sourcewright.domain.readings import Reading
from sourcewright.readers._archive import attribute, child, local

_TEXT = {"application/xhtml+xml", "text/html", "application/x-dtbook+xml", "text/x-oeb1-document"}
_SUFFIXES = (".xhtml", ".html", ".htm")
_MOST_AUTHORS = 20


class Package:
    """Of one book."""

    def __init__(self, book: Element) -> None:
        self._manifest, self._spine = child(book, "manifest"), child(book, "spine")
        found = child(book, "metadata")
        self._facts = [] if found is None else [one for one in found.iter() if not len(one)]
        self._refined = {
            (one.get("refines", "").lstrip("#"), one.get("property", "")): _words(one)
            for one in self._facts
            if local(one.tag) == "meta"
        }

    def about(self) -> Reading:
        """The book without its text."""
        return Reading(
            content="",
            kind="epub",
            title=self._first("title", "title-type", "main"),
            author="; ".join(self._said("creator", "role", "aut")[:_MOST_AUTHORS]) or None,
            site=self._first("publisher"),
            published=self._first("date", "event", "publication"),
            modified=self._refined.get(("", "dcterms:modified")),
            language=self._first("language"),
        )

    def chapters(self) -> Iterator[str]:
        """Where the chapters are, each once."""
        items = {
            one.get("id", ""): one.get("href", "")
            for one in ([] if self._manifest is None else self._manifest)
            if one.get("media-type", "") in _TEXT or one.get("href", "").endswith(_SUFFIXES)
        }
        ids = [one.get("idref", "") for one in ([] if self._spine is None else self._spine)]
        yield from (items[key] for key in dict.fromkeys(ids) if items.get(key))

    def _first(self, name: str, trait: str = "", wanted: str = "") -> str | None:
        return next(iter(self._said(name, trait, wanted)), None)

    def _said(self, name: str, trait: str, wanted: str) -> list[str]:
        """What is said under a name: that of the wanted trait, else of none, else everything.

        A trait stands beside the fact in older books, and in a fact of its own in newer ones.
        """
        known = [
            (attribute(one, trait) or self._refined.get((one.get("id", ""), trait)), _words(one))
            for one in self._facts
            if local(one.tag) == name and _words(one)
        ]
        for best in (wanted, None):
            if found := [words for one, words in known if one == best]:
                return found
        # When a book was changed does not say when it was published.
        return [] if name == "date" else [words for _, words in known]


def _words(element: Element) -> str:
    return " ".join((element.text or "").split())
