"""Word's paragraph styles, numbered lists, fields and tables.

A field is enclosed by markers: first its instruction, then its result. In tables, merged cells
are padded and deleted rows dropped.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from xml.etree.ElementTree import Element

from sourcewright.reading.formats._archive import Archive, attribute, child, local_name
from sourcewright.reading.formats._office import MONOSPACED
from sourcewright.reading.html.inline import absolute_url
from sourcewright.reading.markdown.emphasis import emphasis_span
from sourcewright.reading.markdown.writer import code_span

_MAX_HEADING = 6
_BODY_TEXT = "9"
"""The outline level of body text, which is not a heading."""
_LEVELS = 9
_ROLES = {
    "code": re.compile(r"\bcode\b|preformatted|macro text|listing", re.IGNORECASE),
    "quote": re.compile(r"^(?:intense )?quote$|^block text$|^quotations?$", re.IGNORECASE),
    "caption": re.compile(r"\bcaption$", re.IGNORECASE),
}
"""Names of styles, which are the same in every language of Word."""
_MAX_STYLE_CHAIN = 12
"""Limit for chains of styles based on each other; real documents have shorter ones."""


@dataclass(slots=True)
class _Numbering:
    """A numbering definition, which several lists may share."""

    formats: dict[int, str] = field(default_factory=dict)
    starts: dict[int, int] = field(default_factory=dict)
    unmarked: set[int] = field(default_factory=set)
    """Depths whose items show no marker: further paragraphs of the item before."""
    link: str = ""
    """The style that holds the numbering, if it is not defined here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Traits:
    """Properties of a paragraph or a style; unset where nothing is specified."""

    level: int | None = None
    """Heading level; 0 for no heading."""
    list: str = ""
    depth: str = ""

    def over(self, other: "_Traits") -> "_Traits":
        """These properties, with unset ones taken from `other`."""
        return _Traits(
            level=other.level if self.level is None else self.level,
            list=self.list or other.list,
            depth=self.depth or other.depth,
        )


class ParagraphStyles:
    """Determines which paragraphs are headings or list items, and counts numbered items."""

    def __init__(self, archive: Archive, main: str) -> None:
        self._styles: dict[str, Element] = {}
        self._lists: dict[str, _Numbering] = {}
        self._numbering_ids: dict[str, str] = {}
        self._start_overrides: dict[str, dict[int, int]] = {}
        self._counts: Counter[tuple[str, int]] = Counter()
        self._traits: dict[str, _Traits] = {}
        self._roles: dict[str, str] = {}
        for style in archive.children(archive.part("styles", of=main, usual="word/styles.xml")):
            if local_name(style.tag) == "style":
                self._styles[attribute(style, "styleId") or ""] = style
        numbering = archive.part("numbering", of=main, usual="word/numbering.xml")
        for one in archive.children(numbering):
            self._read_numbering(one)

    def level_and_mark(self, paragraph: Element) -> tuple[int, tuple[int, str] | None]:
        """Heading level (0 for none), and depth and marker of a list item, which may be empty."""
        properties = child(paragraph, "pPr")
        if properties is None:
            return 0, None
        traits = _traits_in(properties).over(self._style_traits(val_of(properties, "pStyle")))
        return traits.level or 0, None if traits.level else self._list_mark(traits)

    def is_code(self, paragraph: Element) -> bool:
        """Whether a paragraph is a line of code, by the name of its style or by its font."""
        return self.role(paragraph) == "code" or is_monospaced(paragraph)

    def role(self, paragraph: Element) -> str:
        """What the name of its style says: `code`, `quote`, `caption`, or nothing."""
        style = val_of(child(paragraph, "pPr"), "pStyle")
        if style not in self._roles:
            names = [val_of(one, "name") for one in self._style_chain(style)]
            roles = (role for role, words in _ROLES.items() if any(map(words.search, names)))
            self._roles[style] = next(roles, "")
        return self._roles[style]

    def _list_mark(self, traits: _Traits) -> tuple[int, str] | None:
        if traits.list in {"", "0"}:
            return None
        depth, key = _digit(traits.depth), self._numbering_id(traits.list)
        numbering = self._lists.get(key, _Numbering())
        if depth in numbering.unmarked:
            return depth, ""
        counts = numbering.formats.get(depth, "bullet") not in {"bullet", "none"}
        return depth, f"{self._next_number(key, traits.list, depth)}." if counts else "-"

    def _style_traits(self, name: str) -> _Traits:
        """Properties of a style, including inherited ones."""
        if name not in self._traits:
            # The style `Title` is not inherited: a style based on it may be that of the author.
            is_title = val_of(self._styles.get(name), "name").lower() == "title"
            traits = _Traits(level=1 if is_title else None)
            if name not in self._styles:
                # Some programs write no styles; `Heading1` is the usual id of `heading 1`.
                traits = _Traits(level=_level_named(name.replace("eading", "eading ", 1)))
            for style in self._style_chain(name):
                properties = child(style, "pPr")
                by_name = _Traits(level=_level_named(val_of(style, "name")))
                traits = traits.over(by_name)
                if properties is not None:
                    traits = traits.over(_traits_in(properties))
            self._traits[name] = traits
        return self._traits[name]

    def _next_number(self, key: str, number: str, depth: int) -> int:
        """The number of the next item; lists with one definition continue unless one restarts.

        A list restarts each depth where it first has an item, and not those around it.
        """
        start = self._start_overrides.get(number, {}).pop(depth, None)
        if start is not None:
            self._counts[key, depth] = start - 1
        elif (key, depth) not in self._counts:
            starts = self._lists.get(key, _Numbering()).starts
            self._counts[key, depth] = starts.get(depth, 1) - 1
        self._counts[key, depth] += 1
        for deeper in range(depth + 1, _LEVELS):
            self._counts.pop((key, deeper), None)
        return self._counts[key, depth]

    def _style_chain(self, style: str) -> Iterator[Element]:
        """A style and its base styles."""
        for _ in range(_MAX_STYLE_CHAIN):
            element = self._styles.get(style)
            if element is None:
                return
            yield element
            style = val_of(element, "basedOn")

    def _numbering_id(self, number: str) -> str:
        key = self._numbering_ids.get(number, "")
        linked = self._lists.get(key, _Numbering()).link
        for style in self._style_chain(linked) if linked else ():
            return self._numbering_ids.get(val_of(style, "pPr", "numPr", "numId"), key)
        return key

    def _read_numbering(self, one: Element) -> None:
        if local_name(one.tag) == "num":
            number = attribute(one, "numId") or ""
            self._numbering_ids[number] = val_of(one, "abstractNumId")
            overrides = (part for part in one if local_name(part.tag) == "lvlOverride")
            self._start_overrides[number] = {
                _digit(attribute(part, "ilvl") or ""): _start_number(val_of(part, "startOverride"))
                for part in overrides
                if child(part, "startOverride") is not None
            }
        elif local_name(one.tag) == "abstractNum":
            numbering = _Numbering(link=val_of(one, "numStyleLink"))
            self._lists[attribute(one, "abstractNumId") or ""] = numbering
            for level in (part for part in one if local_name(part.tag) == "lvl"):
                depth = _digit(attribute(level, "ilvl") or "")
                numbering.formats[depth] = val_of(level, "numFmt") or "bullet"
                numbering.starts[depth] = _start_number(val_of(level, "start") or "1")
                marker = child(level, "lvlText")
                if marker is not None and not (attribute(marker, "val") or "").strip():
                    numbering.unmarked.add(depth)


def continues_in_next(paragraph: Element) -> bool:
    """Whether the next paragraph continues this one.

    Either the paragraph mark between them was deleted, or this one is a drop cap.
    """
    properties = child(paragraph, "pPr")
    if properties is None:
        return False
    is_drop_cap = attribute(child(properties, "framePr"), "dropCap") in {"drop", "margin"}
    return is_drop_cap or child(properties, "rPr", "del") is not None


def val_of(element: Element | None, *path: str) -> str:
    """The `val` attribute of the element at the end of the path."""
    return attribute(child(element, *path), "val") or ""


def _traits_in(properties: Element) -> _Traits:
    numbering, level = child(properties, "numPr"), val_of(properties, "outlineLvl")
    return _Traits(
        level=_level_of(level) if level else None,
        list=val_of(numbering, "numId"),
        depth=val_of(numbering, "ilvl"),
    )


def _level_of(outline: str) -> int:
    return 0 if outline == _BODY_TEXT else min(_digit(outline) + 1, _MAX_HEADING)


def _level_named(name: str) -> int | None:
    """The heading level in a style name, which is the same in every language."""
    lower = name.lower()
    number = lower.removeprefix("heading ")
    return None if number == lower else min(_digit(number), _MAX_HEADING)


def _digit(number: str) -> int:
    return int(number) if number.isdecimal() and len(number) == 1 else 0


def _start_number(number: str) -> int:
    return int(number) if number.isdecimal() and len(number) < 6 else 1


FIELD_ELEMENTS = {"fldChar", "instrText"}
_LONGEST = 2_500
_LINK = re.compile(r'\s{0,99}HYPERLINK\s{1,99}"([^"\s]{1,2000})"')


class FieldLinks:
    """Converts hyperlink fields to Markdown links, and drops other fields."""

    def __init__(self) -> None:
        self._open: list[str] = []

    def take(self, one: Element) -> str:
        """The Markdown that a field marker or instruction adds."""
        kind = attribute(one, "fldCharType")
        if kind == "begin":
            self._open.append("")
        elif self._open and local_name(one.tag) == "instrText":
            self._open[-1] = (self._open[-1] + (one.text or ""))[:_LONGEST]
        elif self._open and kind == "separate":
            link = _LINK.match(self._open[-1])
            self._open[-1] = link[1] if link and absolute_url(link[1], "") else ""
            return "[" if self._open[-1] else ""
        elif self._open and kind == "end":
            return self._close()
        return ""

    def end(self) -> str:
        """Closing Markdown for fields that are still open at the end of a paragraph."""
        return "".join(self._close() for _ in tuple(self._open))

    def _close(self) -> str:
        target = absolute_url(self._open.pop(), "")
        return f"]({target})" if target else ""


WRAPPERS = {"sdt", "sdtContent", "AlternateContent", "Choice", "ins", "moveTo", "customXml"}
"""Elements that may wrap blocks, rows and cells without changing them."""
_MAX_SPAN = 60


def rows_of(table: Element, text_of: Callable[[Element], str]) -> list[list[str]]:
    """The texts of the cells by row, padded for merged cells."""
    return [
        list(_cells(row, text_of))
        for row in _unwrapped(table, "tr")
        if child(row, "trPr", "del") is None
    ]


def _cells(row: Element, text_of: Callable[[Element], str]) -> Iterator[str]:
    yield from [""] * _span(val_of(row, "trPr", "gridBefore") or "0")
    for cell in _unwrapped(row, "tc"):
        merged = child(cell, "tcPr", "vMerge")
        is_continued = merged is not None and attribute(merged, "val") != "restart"
        yield "" if is_continued else text_of(cell)
        yield from [""] * (_span(val_of(cell, "tcPr", "gridSpan")) - 1)


def _unwrapped(parent: Element, name: str) -> Iterator[Element]:
    """Child elements with a name, including those inside wrappers."""
    for one in parent:
        if local_name(one.tag) == name:
            yield one
        elif local_name(one.tag) in WRAPPERS:
            yield from _unwrapped(one, name)


def _span(number: str) -> int:
    return min(int(number), _MAX_SPAN) if number.isdecimal() and len(number) < 6 else 1


_FALSE_VALUES = {"0", "false", "off", "none"}
_MARKS = {"b": "**", "i": "*", "s": "~~"}
_SCRIPTS = {"superscript": "sup", "subscript": "sub"}
_RUN_STYLES = {"Strong": "b", "Emphasis": "i", "IntenseEmphasis": "bi"}
_CODE_RUN = re.compile(r"code|verbatim|typewriter", re.IGNORECASE)
_WHOLE = re.compile(r"(\*{1,3})([^*]+)\1")


def emphasis_of(run: Element) -> str:
    """The emphasis of a run: `c` for code, or letters of `bis` for bold, italic and struck out."""
    properties = child(run, "rPr") if local_name(run.tag) == "r" else None
    if properties is None:
        return ""
    name = val_of(properties, "rStyle")
    font = attribute(child(properties, "rFonts"), "ascii") or ""
    if _CODE_RUN.search(name) or MONOSPACED.search(font):
        return "c"
    style = _RUN_STYLES.get(name, "")
    emphasis = (one for one in "bi" if _is_on(child(properties, one), default=one in style))
    strikes = (child(properties, one) for one in ("strike", "dstrike"))
    is_struck = any(_is_on(one, default=False) for one in strikes)
    return "".join(emphasis) + "s" * is_struck


def script_tag(run: Element) -> str:
    """`sup` or `sub` for a run above or below the line, else nothing."""
    return _SCRIPTS.get(val_of(run, "rPr", "vertAlign"), "")


def _is_on(element: Element | None, *, default: bool) -> bool:
    return default if element is None else (attribute(element, "val") not in _FALSE_VALUES)


def emphasised(pieces: Iterable[tuple[str, str]]) -> str:
    """Pieces of text, each with its emphasis, as Markdown; adjacent ones share their marks."""
    written = ((style, text) for style, text in pieces if text)
    runs = [
        (style, "".join(text for _, text in group))
        for style, group in groupby(written, key=lambda piece: piece[0])
    ]
    texts = ["", *(text for _, text in runs), ""]
    return "".join(
        _marked(text, style, before=texts[at][-1:], after=texts[at + 2][:1])
        for at, (style, text) in enumerate(runs)
    )


def _marked(text: str, style: str, *, before: str, after: str) -> str:
    inner = text.strip()
    if not style or not inner or "\n" in inner:
        return text
    start = text.index(inner)
    if style == "c":
        return f"{text[:start]}{code_span(inner)}{text[start + len(inner) :]}"
    first, last = emphasis_span(text, before, after)
    first, last = max(first, start), min(last, start + len(inner))
    marks = "".join(_MARKS[one] for one in style) if first < last else ""
    return f"{text[:first]}{marks}{text[first:last]}{marks[::-1]}{text[last:]}"


def without_emphasis(text: str) -> str:
    """The text of a heading, which is often bold as a whole, without that emphasis."""
    match = _WHOLE.fullmatch(text.strip())
    return match[2] if match else text


def is_monospaced(paragraph: Element) -> bool:
    """Whether all text of a paragraph is in a monospaced font."""
    fonts = list(_fonts(paragraph))
    return bool(fonts) and all(MONOSPACED.search(font) for font in fonts)


def _fonts(element: Element) -> Iterator[str]:
    for run in element.iter():
        if local_name(run.tag) == "r" and any((part.text or "").strip() for part in run):
            yield attribute(child(run, "rPr", "rFonts"), "ascii") or ""
