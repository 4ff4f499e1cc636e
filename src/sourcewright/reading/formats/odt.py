"""ODT (OpenDocument text): headings, lists, tables, links, emphasis, notes and comments."""

import re
from collections.abc import Iterable, Iterator
from xml.etree.ElementTree import Element

from sourcewright.base.errors import BadAnswer
from sourcewright.base.pages import SOURCE
from sourcewright.reading.formats._archive import (
    Archive,
    attribute,
    author_of,
    child,
    local_name,
    title_of,
)
from sourcewright.reading.formats._office import MONOSPACED
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

KINDS = ("odt",)
_CONTENT, _STYLES, _META = "content.xml", "styles.xml", "meta.xml"
_ENCRYPTION = "META-INF/manifest.xml"
_MAX_BLANKS, _MAX_REPEATS, _MAX_DEPTH = 200, 60, 150
_WRAPPERS = {
    *("section", "index-body", "table-of-content", "text-box", "frame", "soft-page-break"),
    *("table-header-rows", "table-rows", "table-row-group", "list-header"),
}
_SKIPPED = {
    *(
        "tracked-changes",
        "sequence-decls",
        "variable-decls",
        "forms",
        "bookmark",
        "bookmark-start",
    ),
    *("bookmark-end", "table-of-content-source", "soft-page-break", "annotation-end", "ruby-text"),
    *("table-column", "table-columns", "image", "object", "object-ole", "desc", "title"),
}
_TAGS = {"list-item": "li", "table": "table", "table-row": "tr", "table-cell": "td"}


def read(body: bytes, *, url: str, content_type: str) -> Reading:
    """The text of the document, then its notes and comments."""
    del url, content_type
    archive = Archive(body)
    if _is_encrypted(archive):
        raise BadAnswer(SOURCE, "it is password-protected", cause="shape")
    root = archive.required(_CONTENT)
    writer = _Writer(archive, _TextStyles([root, archive.tree(_STYLES)]))
    text = child(root, "body", "text")
    content, is_cut = body_markdown(writer.page([] if text is None else list(text)))
    properties = _properties(archive)
    return Reading(
        content="\n\n".join(filter(None, [content, *writer.notes()])),
        kind="odt",
        title=title_of(properties.get("title")) or writer.title,
        author=author_of(properties.get("initial-creator") or properties.get("creator")),
        modified=properties.get("date"),
        language=properties.get("language"),
        cut=archive.cut or is_cut,
    )


def _is_encrypted(archive: Archive) -> bool:
    manifest = archive.tree(_ENCRYPTION)
    return manifest is not None and any(
        local_name(one.tag) == "encryption-data" for one in manifest.iter()
    )


def _properties(archive: Archive) -> dict[str, str]:
    meta = child(archive.tree(_META), "meta")
    pairs = ((local_name(one.tag), (one.text or "").strip()) for one in meta or [])
    return {name: text for name, text in pairs if text}


_MAX_CHAIN = 12
_CODE_NAME = re.compile(r"preformatted|\bcode\b|source_20_text|listing", re.IGNORECASE)
_BOLD = re.compile(r"bold|[6-9]00")
_RAISED, _LOWERED = re.compile(r"super|[1-9]"), re.compile(r"sub|-[1-9]")


class _TextStyles:
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
        """The HTML elements for text of a style: `b`, `i`, `s`, `code`, `sup`, `sub`."""
        if name not in self._tags:
            self._tags[name] = self._read_tags(name)
        return self._tags[name]

    def is_code(self, name: str) -> bool:
        """Whether paragraphs of a style are lines of code."""
        return any(_CODE_NAME.search(one) for one in self._chain(name))

    def is_quotation(self, name: str) -> bool:
        return "Quotations" in self._chain(name)

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
        position = self._property(name, "text-position")
        font = self._property(name, "font-name") or self._property(name, "font-family")
        tags = (
            ("b", bool(_BOLD.fullmatch(weight)) or name == "Strong_20_Emphasis"),
            ("i", posture in {"italic", "oblique"} or name == "Emphasis"),
            ("s", line not in {"", "none"}),
            ("code", bool(MONOSPACED.search(font)) or self.is_code(name)),
            ("sup", bool(_RAISED.match(position))),
            ("sub", bool(_LOWERED.match(position))),
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


class _Lists:
    """The lists of a document, some of which continue another one."""

    def __init__(self, styles: _TextStyles) -> None:
        self._styles = styles
        self._nodes: dict[str, Node] = {}

    def node(self, parent: Node, one: Element) -> Node:
        """The element for a list: a new one, or that of the list which it continues."""
        continued = self._nodes.get(attribute(one, "continue-list") or "-")
        is_next = continued is not None and len(parent) and parent[-1] is continued
        node = continued if is_next else self._new(parent, one, continued)
        self._nodes[attribute(one, "id") or ""] = node
        return node

    def _new(self, parent: Node, one: Element, continued: Node | None) -> Node:
        outer = (node.get("data-style") for node in (parent, *parent.iterancestors("ul", "ol")))
        style = attribute(one, "style-name") or next(filter(None, outer), "")
        is_numbered = self._styles.is_numbered(style, _list_depth(parent))
        node = append_element(parent, "ol" if is_numbered else "ul")
        node.set("data-style", style)
        start = next((attribute(item, "start-value") for item in one), None)
        if start or continued is not None:
            node.set("start", start or str(_next_number(continued)))
        return node


class _Writer:
    """Converts the elements of a document to HTML, which is then written as Markdown."""

    def __init__(self, archive: Archive, styles: _TextStyles) -> None:
        self._archive, self._styles = archive, styles
        self._notes: dict[str, str] = {}
        self._lists = _Lists(styles)
        self.title: str | None = None

    def page(self, elements: list[Element]) -> Node:
        body = new_body()
        for one in elements:
            self._add_block(body, one, 0)
        return body

    def notes(self) -> Iterator[str]:
        yield from (f"[^{label}]: {text}" for label, text in self._notes.items() if text)

    def _add_block(self, parent: Node, one: Element, depth: int) -> None:
        name = local_name(one.tag)
        if name in _SKIPPED or depth > _MAX_DEPTH:
            return
        if name in {"p", "h"}:
            self._add_paragraph(parent, one, depth)
        elif name == "list":
            self._add_list(parent, one, depth)
        elif name in _TAGS:
            self._add_container(parent, one, depth)
        elif name in _WRAPPERS or not name[:1].islower():
            for part in one:
                self._add_block(parent, part, depth + 1)

    def _add_paragraph(self, parent: Node, one: Element, depth: int) -> None:
        style = attribute(one, "style-name") or ""
        level = self._level(one, style)
        if not level and self._styles.is_code(style):
            self._add_code(parent, one)
            return
        if not level and self._styles.is_quotation(style):
            parent = _quotation(parent)
        node = append_element(parent, f"h{level}" if level else "p")
        self._add_inline(node, one, depth)
        if level == 1 and self.title is None:
            self.title = " ".join(node.text_content().split()) or None
        for frame in one.iter():
            if local_name(frame.tag) == "text-box":
                for part in frame:
                    self._add_block(parent, part, depth + 1)

    def _level(self, one: Element, style: str) -> int:
        if self._styles.is_title(style):
            return 1
        if local_name(one.tag) != "h":
            return 0
        level = attribute(one, "outline-level") or "1"
        return min(int(level), 6) if level.isascii() and level.isdigit() and len(level) < 3 else 1

    def _add_code(self, parent: Node, one: Element) -> None:
        """Add a line to the code block before it, or begin one."""
        line = new_body()
        self._add_inline(line, one, 0)
        append_code(parent, line.text_content())

    def _add_list(self, parent: Node, one: Element, depth: int) -> None:
        node = self._lists.node(parent, one)
        for part in one:
            item = _item_before(parent, node) if not len(node) and _is_indent(part) else None
            for inner in () if item is None else part:
                # Where nested items have a style of their own, they are a list with an empty item.
                inner.attrib.setdefault("style-name", node.get("data-style"))
                self._add_block(item, inner, depth + 1)
            if item is None:
                self._add_block(node, part, depth + 1)
        if not len(node) and node.getparent() is parent:
            parent.remove(node)

    def _add_container(self, parent: Node, one: Element, depth: int) -> None:
        node = append_element(parent, _TAGS[local_name(one.tag)])
        for name, target in (
            ("number-columns-spanned", "colspan"),
            ("number-rows-spanned", "rowspan"),
        ):
            if span := attribute(one, name):
                node.set(target, span)
        for part in one:
            for _ in range(_repeats(part)):
                self._add_block(node, part, depth + 1)

    def _add_inline(self, node: Node, one: Element, depth: int) -> None:
        append_text(node, one.text)
        for part in one:
            if depth < _MAX_DEPTH:
                self._add_run(node, part, depth + 1)
            append_text(node, part.tail)

    def _add_run(self, node: Node, one: Element, depth: int) -> None:
        name = local_name(one.tag)
        if name == "s":
            count = attribute(one, "c") or "1"
            is_number = count.isdecimal() and len(count) < 10
            append_text(node, " " * (min(int(count), _MAX_BLANKS) if is_number else 1))
        elif name == "tab":
            append_text(node, "\t")
        elif name == "line-break":
            append_element(node, "br")
        elif name in {"note", "annotation"}:
            self._add_note(node, one, depth)
        elif name == "frame":
            self._add_image(node, one)
        elif name not in _SKIPPED:
            self._add_inline(self._run_node(node, one, name), one, depth)

    def _run_node(self, node: Node, one: Element, name: str) -> Node:
        """The element for a run of text: its link, its emphasis, or the one around it."""
        if name == "a":
            link = append_element(node, "a")
            link.set("href", attribute(one, "href") or "")
            return link
        style = attribute(one, "style-name") or ""
        return append_run(node, self._styles.tags(style)) if name == "span" else node

    def _add_image(self, node: Node, one: Element) -> None:
        for part in one:
            if local_name(part.tag) == "object":
                self._add_formula(node, attribute(part, "href") or "")
        described = (part.text for part in one if local_name(part.tag) in {"desc", "title"})
        alt = next((text for text in described if text and text.strip()), None)
        if alt:
            image = append_element(node, "img")
            image.set("alt", alt)

    def _add_formula(self, node: Node, reference: str) -> None:
        """Add the formula of an embedded object, which is a document of MathML."""
        root = self._archive.tree(f"{reference.removeprefix('./').rstrip('/')}/{_CONTENT}")
        if root is not None and local_name(root.tag) == "math":
            _copy(root, node, 0)

    def _add_note(self, node: Node, one: Element, depth: int) -> None:
        is_comment = local_name(one.tag) == "annotation"
        count = sum(label.startswith("c") == is_comment for label in self._notes)
        label = f"c{count + 1}" if is_comment else str(count + 1)
        self._notes[label] = ""
        inner = new_body()
        parts = one if is_comment else child(one, "note-body")
        for part in [] if parts is None else parts:
            self._add_block(inner, part, depth + 1)
        text = " ".join(body_markdown(inner)[0].split())
        author = child(one, "creator") if is_comment else None
        name = "" if author is None else " ".join((author.text or "").split())
        self._notes[label] = f"Comment by {name}: {text}" if name and text else text
        if text:
            append_label(node, label)


def _quotation(parent: Node) -> Node:
    """The quotation at the end of an element, or a new one."""
    last = parent[-1] if len(parent) else None
    return (
        last
        if last is not None and last.tag == "blockquote"
        else append_element(parent, "blockquote")
    )


def _copy(element: Element, parent: Node, depth: int) -> None:
    """Copy an element of MathML, with its attributes and its text."""
    node = append_element(parent, local_name(element.tag))
    for name in ("encoding", "display", "alttext"):
        if value := attribute(element, name):
            node.set(name, value)
    append_text(node, element.text)
    for one in element if depth < _MAX_DEPTH else ():
        _copy(one, node, depth + 1)
        append_text(node, one.tail)


def _list_depth(parent: Node) -> int:
    return sum(1 for _ in parent.iterancestors("ul", "ol"))


def _is_indent(item: Element) -> bool:
    """Whether an item has nothing but a list in it."""
    return bool(len(item)) and all(local_name(part.tag) == "list" for part in item)


def _item_before(parent: Node, node: Node) -> Node | None:
    """The last item of the list before a list."""
    before = node.getprevious()
    is_list = before is not None and node.getparent() is parent and before.tag in {"ul", "ol"}
    return before[-1] if is_list and len(before) and before[-1].tag == "li" else None


def _next_number(numbered: Node) -> int:
    """The number after the last item of a list."""
    start = numbered.get("start") or "1"
    first = int(start) if start.isascii() and start.isdigit() and len(start) < 6 else 1
    return first + len(numbered)


def _repeats(part: Element) -> int:
    """How often a cell or row is repeated; long repetitions only fill a sheet."""
    count = attribute(part, "number-columns-repeated") or "1"
    number = int(count) if count.isdecimal() and len(count) < 6 else 1
    return number if 1 <= number <= _MAX_REPEATS else 1
