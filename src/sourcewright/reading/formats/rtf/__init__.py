"""RTF (Rich Text Format): paragraphs, headings, lists, tables, links, emphasis and notes."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from sourcewright.base.errors import BadAnswer
from sourcewright.base.pages import SOURCE
from sourcewright.reading.formats._archive import author_of, title_of
from sourcewright.reading.formats._office import MONOSPACED
from sourcewright.reading.formats.rtf.tokens import Token, TokenScanner
from sourcewright.reading.html.document import Node
from sourcewright.reading.html.markup import (
    append_code,
    append_element,
    append_label,
    append_run,
    append_text,
    body_markdown,
    new_body,
)
from sourcewright.reading.readings import Reading

KINDS = ("rtf",)
_SKIPPED = {
    *("colortbl", "pict", "header", "headerl", "headerr", "headerf", "footer"),
    *("footerl", "footerr", "footerf", "xe", "tc", "bkmkstart", "bkmkend", "object", "datafield"),
    # Properties of shapes; the other one is their drawing for older readers.
    *("sp", "shprslt"),
    *(
        "themedata",
        "listtable",
        "listoverridetable",
        "revtbl",
        "rsidtbl",
        "generator",
        "nonshppict",
    ),
    *(
        "latentstyles",
        "datastore",
        "filetbl",
        "private",
        "operator",
        "subject",
        "keywords",
        "doccomm",
    ),
}
_DESTINATIONS = {
    **dict.fromkeys(("fonttbl", "stylesheet", "fldinst", "footnote", "title", "author"), ""),
    **dict.fromkeys(("listtext", "pntext"), "marker"),
    "annotation": "footnote",
}
_STYLES = {"b": "b", "i": "i", "strike": "s", "super": "^", "sub": "_"}
_TAGS = {"b": "b", "i": "i", "s": "s", "^": "sup", "_": "sub", "c": "code"}
"""The HTML element for each letter of a style."""
_SCRIPTS = "^_"
_TYPED_MARKER = re.compile(r"\s*([\u2022\u2013\u25aa\u25e6\u00b7o-]|\(?\d{1,3}[.)])\s*\t\s*")
"""A marker that is part of the text, set off by a tab."""
_NOTE = "note"
"""The style of a run that is the label of a note."""
_HEADING = re.compile(r"heading (\d)", re.IGNORECASE)
_CODE_STYLE = re.compile(r"preformatted|\bcode\b|source text|listing", re.IGNORECASE)
_LINK = re.compile(
    r'\s{0,20}HYPERLINK\s{1,20}"((?:https?://|mailto:)[^"\s]{1,2000})"', re.IGNORECASE
)
_NUMBER = re.compile(r"\(?(?:(\d{1,9})|[A-Za-z]|[ivxIVX]{2,5})[.)]")
"""The marker of a numbered item; letters and Roman numbers become Arabic ones."""
_MAX_TEXT, _MAX_GROUPS = 10_000_000, 2000


@dataclass(frozen=True, slots=True)
class _Group:
    """What a group of braces inherits from the one around it."""

    to: str = "body"
    """Where its text goes: `body`, `skipped`, or the name of a destination."""
    style: str = ""
    hidden: bool = False
    href: str = ""


@dataclass(slots=True)
class _Paragraph:
    """Properties of the current paragraph."""

    level: int = 0
    in_table: bool = False
    is_code: bool = False
    depth: int = 0
    marker: str = ""
    first_indent: int = 0
    left_indent: int = 0


@dataclass(slots=True)
class _Document:
    """The document as far as it was read, as HTML that is then written as Markdown."""

    body: Node = field(default_factory=new_body)
    runs: list[tuple[str, str, str]] = field(default_factory=list)
    cells: list[list[tuple[str, str, str]]] = field(default_factory=list)
    paragraph: _Paragraph = field(default_factory=_Paragraph)
    gathered: dict[str, list[str]] = field(default_factory=dict)
    headings: dict[int, int] = field(default_factory=dict)
    code_styles: set[int] = field(default_factory=set)
    code_fonts: set[int] = field(default_factory=set)
    notes: list[str] = field(default_factory=list)
    lists: list[tuple[int, Node]] = field(default_factory=list)
    style_number: int = 0
    font_number: int = 0
    size: int = 0


def read(body: bytes, *, url: str, content_type: str) -> Reading:
    """The text of the document, then its notes."""
    del url, content_type
    if not body.lstrip()[:6].startswith(b"{\\rtf"):
        raise BadAnswer(SOURCE, "it is damaged: it does not begin as RTF", cause="shape")
    reader = _Reader()
    for token in TokenScanner(body):
        reader.take(token)
        if reader.document.size > _MAX_TEXT:
            break
    document = reader.end()
    content, is_cut = body_markdown(document.body)
    notes = [f"[^{number}]: {text}" for number, text in enumerate(document.notes, 1)]
    info = {name: "".join(document.gathered.get(name, [])).strip() for name in ("title", "author")}
    return Reading(
        content="\n\n".join(filter(None, [content, *notes])),
        kind="rtf",
        title=title_of(info["title"]),
        author=author_of(info["author"]),
        cut=is_cut or document.size > _MAX_TEXT or reader.is_open,
    )


class _Reader:
    """Follows the groups and control words of a document."""

    def __init__(self) -> None:
        self.document = _Document()
        self._groups = [_Group()]
        self._is_optional = False
        self._is_new = False

    @property
    def is_open(self) -> bool:
        """Whether groups are still open: the document is cut off."""
        return len(self._groups) > 1

    def take(self, token: Token) -> None:
        name = token.name
        if name == "{":
            self._groups.append(self._groups[-1])
            if len(self._groups) > _MAX_GROUPS:
                raise BadAnswer(SOURCE, "it is nested too deeply", cause="shape")
            self._is_new = True
            return
        if name == "*":
            self._is_optional = True
            return
        if name == "}":
            self._close()
        elif name == "text":
            self._add_text(token.value)
        else:
            self._control(token)
        self._is_new = self._is_optional = False

    def end(self) -> _Document:
        _end_paragraph(self.document)
        return self.document

    def _close(self) -> None:
        if len(self._groups) < 2:
            return
        group, outer = self._groups.pop(), self._groups[-1]
        if group.to == outer.to:
            return
        if group.to == "fldinst":
            link = _LINK.match("".join(self.document.gathered.pop("fldinst", [])))
            self._groups[-1] = replace(outer, href=link[1] if link else "")
        elif group.to == "footnote":
            text = " ".join("".join(self.document.gathered.pop("footnote", [])).split())
            if text:
                self.document.notes.append(text)
                self.document.runs.append((str(len(self.document.notes)), _NOTE, ""))
        elif group.to == "marker":
            text = "".join(self.document.gathered.pop("marker", [])).strip()
            self.document.paragraph.marker = text or "\u2022"

    def _add_text(self, text: str) -> None:
        group, document = self._groups[-1], self.document
        if group.to == "skipped" or group.hidden:
            return
        document.size += len(text)
        if group.to == "body":
            document.runs.append((text, group.style, group.href))
        elif group.to == "stylesheet":
            self._name_style(text.strip())
        elif group.to == "fonttbl":
            if MONOSPACED.search(text):
                document.code_fonts.add(document.font_number)
        else:
            document.gathered.setdefault(group.to, []).append(text)

    def _name_style(self, name: str) -> None:
        """Note what paragraphs of the style that is being defined are."""
        match = _HEADING.match(name)
        if match:
            self.document.headings[self.document.style_number] = min(int(match[1]) or 1, 6)
        elif _CODE_STYLE.search(name):
            self.document.code_styles.add(self.document.style_number)

    def _control(self, token: Token) -> None:
        name, group = token.name, self._groups[-1]
        if self._is_new and (name in _SKIPPED or name in _DESTINATIONS):
            to = "skipped" if name in _SKIPPED else _DESTINATIONS[name] or name
            self._groups[-1] = group if group.to == "skipped" else replace(group, to=to)
        elif self._is_optional and name not in {"cs", "s", "fldinst", "shptxt", "shpinst"}:
            self._groups[-1] = replace(group, to="skipped")
        elif name in _STYLES or name == "v":
            self._groups[-1] = _styled(group, name, is_on=token.number != 0)
        elif name == "f" and group.to == "body":
            is_code = token.number in self.document.code_fonts
            self._groups[-1] = replace(group, style=_toggled(group.style, "c", is_on=is_code))
        elif name in {"plain", "nosupersub"}:
            level = _on_the_line(group.style) if name == "nosupersub" else ""
            self._groups[-1] = replace(group, style=level, hidden=name != "plain" and group.hidden)
        elif name in {"tab", "cell", "nestcell", "row", "nestrow", "line", "par", "sect", "page"}:
            self._break(name)
        else:
            self._paragraph_property(name, token.number or 0)

    def _break(self, name: str) -> None:
        document, to = self.document, self._groups[-1].to
        if to != "body":
            self._add_text(" ")
        elif name in {"tab", "line"}:
            document.runs.append(("\t" if name == "tab" else "\n", "", ""))
        elif name in {"cell", "nestcell"}:
            document.cells.append(document.runs)
            document.runs = []
        elif name in {"row", "nestrow"}:
            _end_row(document)
        elif document.paragraph.in_table:
            document.runs.append((" ", "", ""))
        else:
            _end_paragraph(self.document)

    def _paragraph_property(self, name: str, number: int) -> None:
        document, paragraph = self.document, self.document.paragraph
        if self._groups[-1].to != "body":
            self._define(name, number)
        elif name in {"fi", "li"}:
            which = "first_indent" if name == "fi" else "left_indent"
            setattr(paragraph, which, number)
        elif name == "pard":
            document.paragraph = _Paragraph(marker=paragraph.marker)
        elif name == "intbl":
            paragraph.in_table = True
        elif name == "s":
            paragraph.level = document.headings.get(number, 0)
            paragraph.is_code = number in document.code_styles
        elif name == "outlinelevel" and 0 <= number < 9:
            paragraph.level = min(number + 1, 6)
        elif name == "ilvl":
            paragraph.depth = min(max(number, 0), 8)

    def _define(self, name: str, number: int) -> None:
        """Note the number of the style or font that is being defined."""
        if name == "s" and self._groups[-1].to == "stylesheet":
            self.document.style_number = number
        elif name == "f" and self._groups[-1].to == "fonttbl":
            self.document.font_number = number


def _end_paragraph(document: _Document) -> None:
    paragraph = document.paragraph
    runs, document.runs = document.runs, []
    marker, paragraph.marker = paragraph.marker, ""
    if paragraph.is_code or _is_code(runs):
        for line in "".join(text for text, _, _ in runs).split("\n"):
            append_code(document.body, line)
        return
    if not any(text.strip() for text, _, _ in runs):
        return
    depth = paragraph.depth
    if not marker and paragraph.first_indent < 0:
        marker, runs = _without_typed_marker(runs)
        depth = paragraph.left_indent
    if marker:
        _fill(_list_item(document, depth, marker), runs)
        return
    document.lists.clear()
    node = append_element(document.body, f"h{paragraph.level}" if paragraph.level else "p")
    _fill(node, [_plain(run) for run in runs] if paragraph.level else runs)


def _end_row(document: _Document) -> None:
    cells, document.cells, document.runs = document.cells, [], []
    document.lists.clear()
    table = document.body[-1] if len(document.body) else None
    if table is None or table.tag != "table":
        table = append_element(document.body, "table")
    row = append_element(table, "tr")
    for runs in cells:
        _fill(append_element(row, "td"), runs)


def _styled(group: _Group, name: str, *, is_on: bool) -> _Group:
    if name == "v":
        return replace(group, hidden=is_on)
    mark = _STYLES[name]
    style = _on_the_line(group.style) if mark in _SCRIPTS else group.style
    return replace(group, style=_toggled(style, mark, is_on=is_on))


def _on_the_line(style: str) -> str:
    return "".join(letter for letter in style if letter not in _SCRIPTS)


def _toggled(style: str, mark: str, *, is_on: bool) -> str:
    return style.replace(mark, "") + (mark if is_on else "")


def _is_code(runs: Sequence[tuple[str, str, str]]) -> bool:
    """Whether all text of a paragraph is in a monospaced font."""
    styles = [style for text, style, _ in runs if text.strip()]
    return bool(styles) and all("c" in style for style in styles)


def _without_typed_marker(
    runs: list[tuple[str, str, str]],
) -> tuple[str, list[tuple[str, str, str]]]:
    """The marker of a list item that was typed before its text, and the runs after it."""
    text = "".join(text for text, _, _ in runs)
    match = _TYPED_MARKER.match(text)
    if match is None:
        return "", runs
    rest, skipped = list[tuple[str, str, str]](), match.end()
    for run, style, href in runs:
        rest.append((run[skipped:], style, href))
        skipped = max(0, skipped - len(run))
    return match[1], rest


def _plain(run: tuple[str, str, str]) -> tuple[str, str, str]:
    """A run of a heading, which is often bold as a whole, without emphasis."""
    text, style, href = run
    return text, style if style == _NOTE else "", href


def _fill(node: Node, runs: list[tuple[str, str, str]]) -> None:
    """Add runs of text to an element, each in the elements of its link and emphasis."""
    for text, style, href in runs:
        if style == _NOTE:
            append_label(node, text)
            continue
        inner = node
        if href:
            inner = append_element(inner, "a")
            inner.set("href", href)
        inner = append_run(inner, [_TAGS[letter] for letter in style])
        for at, line in enumerate(text.split("\n")):
            if at:
                append_element(inner, "br")
            append_text(inner, line)


def _list_item(document: _Document, depth: int, marker: str) -> Node:
    """A new item of the list at a depth, which may be inside the last item of another."""
    lists, number = document.lists, _NUMBER.match(marker)
    tag = "ol" if number else "ul"
    while lists and (lists[-1][0] > depth or (lists[-1][0] == depth and lists[-1][1].tag != tag)):
        lists.pop()
    if not lists or lists[-1][0] < depth:
        parent = lists[-1][1][-1] if lists else document.body
        node = append_element(parent, tag)
        if number and number[1]:
            node.set("start", number[1])
        lists.append((depth, node))
    return append_element(lists[-1][1], "li")
