"""What the styles and lists of a Word document make of its paragraphs."""

from xml.etree.ElementTree import Element

from sourcewright.readers._archive import Archive, attribute, child, local

_DEEPEST = 6
_BODY_TEXT = "9"
"""The outline level that says of a paragraph that it is no heading."""


class Styles:
    """Which paragraphs are headings, and which are items of a list that counts."""

    def __init__(self, archive: Archive) -> None:
        self._levels: dict[str, int] = {}
        self._lists: dict[str, Element] = {}
        self._formats: dict[tuple[str, str], str] = {}
        self._kinds: dict[str, str] = {}
        for style in archive.children("word/styles.xml"):
            self._learn(style)
        for one in archive.children("word/numbering.xml"):
            self._count(one)

    def level_of(self, paragraph: Element) -> int | None:
        """The level of a heading; None for anything else."""
        own = _outline_level(paragraph)
        return own or self._levels.get(value(paragraph, "pPr", "pStyle"))

    def item_of(self, paragraph: Element) -> tuple[str, int, bool] | None:
        """The list that a paragraph is an item of, its depth, and whether it is numbered."""
        found = child(paragraph, "pPr", "numPr")
        if found is None:
            found = self._lists.get(value(paragraph, "pPr", "pStyle"))
        number = "" if found is None else value(found, "numId")
        if found is None or number in {"", "0"}:
            return None
        depth = value(found, "ilvl") or "0"
        form = self._formats.get((self._kinds.get(number, ""), depth), "bullet")
        return number, _small(depth), form not in {"bullet", "none"}

    def _learn(self, style: Element) -> None:
        key, name = attribute(style, "styleId") or "", value(style, "name").lower()
        level = _outline_level(style)
        if name == "title":
            level = 1
        elif name.startswith("heading "):
            level = min(_small(name.removeprefix("heading ")), _DEEPEST)
        if level:
            self._levels[key] = level
        numbered = child(style, "pPr", "numPr")
        if numbered is not None:
            self._lists[key] = numbered

    def _count(self, one: Element) -> None:
        if local(one.tag) == "num":
            self._kinds[attribute(one, "numId") or ""] = value(one, "abstractNumId")
        for level in one if local(one.tag) == "abstractNum" else ():
            key = (attribute(one, "abstractNumId") or "", attribute(level, "ilvl") or "")
            self._formats[key] = value(level, "numFmt") or "bullet"


def value(element: Element, *path: str) -> str:
    """What the element at the end of the path is set to."""
    return attribute(child(element, *path), "val") or ""


def _outline_level(element: Element) -> int | None:
    level = value(element, "pPr", "outlineLvl")
    return min(_small(level) + 1, _DEEPEST) if level and level != _BODY_TEXT else None


def _small(number: str) -> int:
    return int(number) if number.isdecimal() and len(number) == 1 else 0
