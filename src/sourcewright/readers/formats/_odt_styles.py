"""Styles of OpenDocument text: emphasis, code, titles and numbered lists."""

import re
from collections.abc import Iterable
from xml.etree.ElementTree import Element

from sourcewright.readers.formats._archive import attribute, child, local_name

_MAX_CHAIN = 12
_CODE_NAME = re.compile(r"preformatted|\bcode\b|source_20_text|listing", re.IGNORECASE)
_BOLD = re.compile(r"bold|[6-9]00")
_MONOSPACED = re.compile(r"courier|mono|consolas|menlo|fixed", re.IGNORECASE)


class TextStyles:
    """The styles of a document by name; automatic ones come before those of the template."""

    def __init__(self, roots: Iterable[Element | None]) -> None:
        self._styles: dict[str, Element] = {}
        self._lists: dict[str, Element] = {}
        self._tags: dict[str, tuple[str, ...]] = {}
        for root in roots:
            for group in () if root is None else root:
                for style in group if local_name(group.tag).endswith("styles") else ():
                    table = self._lists if local_name(style.tag) == "list-style" else self._styles
                    table.setdefault(attribute(style, "name") or "", style)

    def tags(self, name: str) -> tuple[str, ...]:
        """The HTML elements for text of a style: `b`, `i`, `s`, `code`."""
        if name not in self._tags:
            self._tags[name] = self._read_tags(name)
        return self._tags[name]

    def is_code(self, name: str) -> bool:
        """Whether paragraphs of a style are lines of code."""
        return any(_CODE_NAME.search(one) for one in self._chain(name))

    def is_title(self, name: str) -> bool:
        return name == "Title" or self._parent(name) == "Title"

    def is_numbered(self, name: str, depth: int) -> bool:
        """Whether the items of a list at a depth are numbered."""
        levels = self._lists.get(name)
        kinds = [local_name(level.tag) for level in levels if levels is not None] if levels else []
        kind = kinds[min(depth, len(kinds) - 1)] if kinds else ""
        return kind == "list-level-style-number"

    def _read_tags(self, name: str) -> tuple[str, ...]:
        weight = self._property(name, "font-weight")
        posture = self._property(name, "font-style")
        line = self._property(name, "text-line-through-style")
        font = self._property(name, "font-name") or self._property(name, "font-family")
        tags = (
            ("b", bool(_BOLD.fullmatch(weight)) or name == "Strong_20_Emphasis"),
            ("i", posture in {"italic", "oblique"} or name == "Emphasis"),
            ("s", line not in {"", "none"}),
            ("code", bool(_MONOSPACED.search(font)) or self.is_code(name)),
        )
        return tuple(tag for tag, holds in tags if holds)

    def _property(self, name: str, which: str) -> str:
        for one in self._chain(name):
            value = attribute(child(self._styles.get(one), "text-properties"), which)
            if value:
                return value
        return ""

    def _chain(self, name: str) -> list[str]:
        """A style and those that it is derived from."""
        names: list[str] = []
        while name and name not in names and len(names) < _MAX_CHAIN:
            names.append(name)
            name = self._parent(name)
        return names

    def _parent(self, name: str) -> str:
        return attribute(self._styles.get(name), "parent-style-name") or ""
