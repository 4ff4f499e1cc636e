"""Word's paragraph styles, lists, fields and tables.

Fields of Word documents, which stand between marks: their instruction, then what they show.
The tables of Word documents: cells that are merged, and rows that were deleted.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from sourcewright.readers.formats._archive import Archive, attribute, child, local

_DEEPEST = 6
_BODY_TEXT = "9"
"""The outline level that says of a paragraph that it is no heading."""
_LEVELS = 9
_LONGEST_LINE = 12
"""So many styles may each be based on the next; there are no more in documents for people."""


@dataclass(slots=True)
class _List:
    """A way of counting, which several lists may go on with."""

    formats: dict[int, str] = field(default_factory=dict)
    starts: dict[int, int] = field(default_factory=dict)
    link: str = ""
    """The style that says how it counts, where it does not say so itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Traits:
    """What a paragraph or a style says; empty where it says nothing."""

    level: int | None = None
    """Of a heading; 0 for none."""
    list: str = ""
    depth: str = ""

    def over(self, other: "_Traits") -> "_Traits":
        """These, and what another says beside them."""
        return _Traits(
            level=other.level if self.level is None else self.level,
            list=self.list or other.list,
            depth=self.depth or other.depth,
        )


class Styles:
    """Which paragraphs are headings, and which are items of a list that counts."""

    def __init__(self, archive: Archive, main: str) -> None:
        self._styles: dict[str, Element] = {}
        self._lists: dict[str, _List] = {}
        self._kinds: dict[str, str] = {}
        self._restarts: dict[str, dict[int, int]] = {}
        self._counts: Counter[tuple[str, int]] = Counter()
        self._traits: dict[str, _Traits] = {}
        for style in archive.children(archive.part("styles", of=main, usual="word/styles.xml")):
            if local(style.tag) == "style":
                self._styles[attribute(style, "styleId") or ""] = style
        numbering = archive.part("numbering", of=main, usual="word/numbering.xml")
        for one in archive.children(numbering):
            self._learn(one)

    def level_and_mark(self, paragraph: Element) -> tuple[int, tuple[int, str] | None]:
        """The level of a heading, 0 for none, and the depth and the sign of an item of a list."""
        properties = child(paragraph, "pPr")
        if properties is None:
            return 0, None
        traits = _traits_in(properties).over(self._styled(value(properties, "pStyle")))
        return traits.level or 0, None if traits.level else self._mark_of(traits)

    def _mark_of(self, traits: _Traits) -> tuple[int, str] | None:
        if traits.list in {"", "0"}:
            return None
        depth, key = _small(traits.depth), self._counting(traits.list)
        form = self._lists.get(key, _List()).formats.get(depth, "bullet")
        counts = form not in {"bullet", "none"}
        return depth, f"{self._next(key, traits.list, depth)}." if counts else "-"

    def _styled(self, name: str) -> _Traits:
        """What a style says, and those that it is based on."""
        if name not in self._traits:
            # A title is one by its own name: what is based on it may name the author.
            is_title = value(self._styles.get(name), "name").lower() == "title"
            found = _Traits(level=1 if is_title else None)
            for style in self._line(name):
                properties = child(style, "pPr")
                named = _Traits(level=_level_named(value(style, "name")))
                found = found.over(named)
                if properties is not None:
                    found = found.over(_traits_in(properties))
            self._traits[name] = found
        return self._traits[name]

    def _next(self, key: str, number: str, depth: int) -> int:
        """The number of an item: lists that count alike go on, unless one begins anew."""
        for at, start in self._restarts.pop(number, {}).items():
            self._counts[key, at] = start - 1
        if (key, depth) not in self._counts:
            known = self._lists.get(key, _List()).starts
            self._counts[key, depth] = known.get(depth, 1) - 1
        self._counts[key, depth] += 1
        for deeper in range(depth + 1, _LEVELS):
            self._counts.pop((key, deeper), None)
        return self._counts[key, depth]

    def _line(self, style: str) -> Iterator[Element]:
        """A style, and those that it is based on."""
        for _ in range(_LONGEST_LINE):
            found = self._styles.get(style)
            if found is None:
                return
            yield found
            style = value(found, "basedOn")

    def _counting(self, number: str) -> str:
        key = self._kinds.get(number, "")
        linked = self._lists.get(key, _List()).link
        for style in self._line(linked) if linked else ():
            return self._kinds.get(value(style, "pPr", "numPr", "numId"), key)
        return key

    def _learn(self, one: Element) -> None:
        if local(one.tag) == "num":
            number = attribute(one, "numId") or ""
            self._kinds[number] = value(one, "abstractNumId")
            overrides = (part for part in one if local(part.tag) == "lvlOverride")
            self._restarts[number] = {
                _small(attribute(part, "ilvl") or ""): _count(value(part, "startOverride"))
                for part in overrides
                if child(part, "startOverride") is not None
            }
        elif local(one.tag) == "abstractNum":
            known = _List(link=value(one, "numStyleLink"))
            self._lists[attribute(one, "abstractNumId") or ""] = known
            for level in (part for part in one if local(part.tag) == "lvl"):
                at = _small(attribute(level, "ilvl") or "")
                known.formats[at] = value(level, "numFmt") or "bullet"
                known.starts[at] = _count(value(level, "start") or "1")


def goes_on(paragraph: Element) -> bool:
    """Whether the next paragraph is the rest of this one.

    The end between them was deleted, or this one is the large letter that the other begins with.
    """
    properties = child(paragraph, "pPr")
    if properties is None:
        return False
    is_letter = attribute(child(properties, "framePr"), "dropCap") in {"drop", "margin"}
    return is_letter or child(properties, "rPr", "del") is not None


def value(element: Element | None, *path: str) -> str:
    """What the element at the end of the path is set to."""
    return attribute(child(element, *path), "val") or ""


def _traits_in(properties: Element) -> _Traits:
    counted, level = child(properties, "numPr"), value(properties, "outlineLvl")
    return _Traits(
        level=_level_of(level) if level else None,
        list=value(counted, "numId"),
        depth=value(counted, "ilvl"),
    )


def _level_of(outline: str) -> int:
    return 0 if outline == _BODY_TEXT else min(_small(outline) + 1, _DEEPEST)


def _level_named(name: str) -> int | None:
    """The level in the name of a style, which is the same in every language."""
    lower = name.lower()
    number = lower.removeprefix("heading ")
    return None if number == lower else min(_small(number), _DEEPEST)


def _small(number: str) -> int:
    return int(number) if number.isdecimal() and len(number) == 1 else 0


def _count(number: str) -> int:
    return int(number) if number.isdecimal() and len(number) < 6 else 1


FIELDS = {"fldChar", "instrText"}
WEB = ("http://", "https://", "mailto:")
"""How the addresses begin that a link may lead to."""
_LONGEST = 2_500
_LINK = re.compile(r'\s{0,99}HYPERLINK\s{1,99}"([^"\s]{1,2000})"')


class Fields:
    """Makes links of the fields that are links, and nothing of others."""

    def __init__(self) -> None:
        self._open: list[str] = []

    def take(self, one: Element) -> str:
        """What a mark or an instruction adds to the text."""
        kind = attribute(one, "fldCharType")
        if kind == "begin":
            self._open.append("")
        elif self._open and local(one.tag) == "instrText":
            self._open[-1] = (self._open[-1] + (one.text or ""))[:_LONGEST]
        elif self._open and kind == "separate":
            found = _LINK.match(self._open[-1])
            self._open[-1] = found[1] if found and found[1].startswith(WEB) else ""
            return "[" if self._open[-1] else ""
        elif self._open and kind == "end":
            return self._close()
        return ""

    def end(self) -> str:
        """What closes the fields that go on behind a paragraph."""
        return "".join(self._close() for _ in tuple(self._open))

    def _close(self) -> str:
        target = self._open.pop()
        return f"]({target})" if target.startswith(WEB) else ""


WRAPPERS = {"sdt", "sdtContent", "AlternateContent", "Choice", "ins", "moveTo", "customXml"}
"""What may be put around blocks, rows and cells without changing them."""
_WIDEST = 60


def rows_of(table: Element, text_of: Callable[[Element], str]) -> list[list[str]]:
    """The texts of the cells, each in its column."""
    return [
        list(_cells(row, text_of))
        for row in _unwrapped(table, "tr")
        if child(row, "trPr", "del") is None
    ]


def _cells(row: Element, text_of: Callable[[Element], str]) -> Iterator[str]:
    yield from [""] * _span(value(row, "trPr", "gridBefore") or "0")
    for cell in _unwrapped(row, "tc"):
        merged = child(cell, "tcPr", "vMerge")
        goes_on = merged is not None and attribute(merged, "val") != "restart"
        yield "" if goes_on else text_of(cell)
        yield from [""] * (_span(value(cell, "tcPr", "gridSpan")) - 1)


def _unwrapped(parent: Element, name: str) -> Iterator[Element]:
    """The elements of a name right below, also where a control is put around them."""
    for one in parent:
        if local(one.tag) == name:
            yield one
        elif local(one.tag) in WRAPPERS:
            yield from _unwrapped(one, name)


def _span(number: str) -> int:
    return min(int(number), _WIDEST) if number.isdecimal() and len(number) < 6 else 1
