"""JSON, XML and CSV as readable text, within size limits."""

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Any
from xml.etree.ElementTree import Element

from sourcewright.base.errors import BadAnswer
from sourcewright.base.formats.media_types import sniff_kind
from sourcewright.base.formats.parsers import parse_document
from sourcewright.base.pages import SOURCE
from sourcewright.base.text.charsets import decode
from sourcewright.reading.formats.data.feed import feed_markdown
from sourcewright.reading.formats.data.jats import articles_in, read_articles
from sourcewright.reading.markdown.notebooks import notebook_in
from sourcewright.reading.markdown.writer import (
    MAX_COLUMNS,
    MAX_ROWS,
    code_fence,
    markdown_table,
    omission_note,
)
from sourcewright.reading.readings import Reading

KINDS = ("json", "xml", "csv")
_LONGEST = 5_000_000
_LONGEST_CELL = 1_000_000
_LONGEST_LINE = 200
_SAMPLE = 20_000
_DELIMITERS = ",;\t|"
_NAMED_DELIMITER = re.compile(r"sep=([,;\t|])\r?\n", re.IGNORECASE)
_QUOTED = re.compile(r'"[^"]*"')
_TOKEN = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[\[\]{},:]|[^\s\[\]{},:"]++')
_DEEPEST = 100


def read(body: bytes, *, url: str, content_type: str) -> Reading | Iterator[Reading]:
    """Read JSON, XML or CSV, as detected from the content."""
    kind = sniff_kind(body, content_type=content_type, url=url)
    if kind == "xml":
        return read_xml(body, url=url, content_type=content_type)
    text = decode(body, content_type=content_type)
    return read_json(text) if kind == "json" else read_csv(text)


def read_json(text: str) -> Reading:
    """JSON, indented; unchanged if it already has short lines, or is invalid.

    A notebook is read as the document that it is.
    """
    text = text.replace("\r\n", "\n").strip()
    notebook = notebook_in(text)
    if notebook is not None:
        is_cut = len(notebook.content) > _LONGEST
        content = notebook.content[:_LONGEST]
        return Reading(content=content, kind="json", title=notebook.title, cut=is_cut)
    title, formatted = None, text
    try:
        # Parsing a long one would take many times its size in memory.
        title = _title_in(json.loads(text)) if len(text) <= _LONGEST else None
        if max(map(len, text[:_SAMPLE].splitlines()), default=0) > _LONGEST_LINE:
            formatted = "".join(_indented(text))
    except (ValueError, RecursionError):
        formatted = text
    return Reading(
        content=code_fence(formatted[:_LONGEST], "json"),
        kind="json",
        title=title,
        cut=len(formatted) > _LONGEST,
    )


def _title_in(value: Any) -> str | None:
    if not isinstance(value, dict):
        return None
    values = (value.get(name) for name in ("title", "name"))
    return next((name for name in values if isinstance(name, str)), None)


def _indented(text: str) -> Iterator[str]:
    """Indented JSON that keeps every token as written, such as the digits of a number."""
    depth, length, is_open = 0, 0, False
    for match in _TOKEN.finditer(text):
        token = _unescaped(match[0])
        closes = token in {"]", "}"}
        depth -= closes
        is_next = depth == 0 and length > 0 and token not in {",", ":"} and not closes
        before = f"\n{'  ' * depth}" if is_open != closes or is_next else ""
        is_open = token in {"[", "{"}
        depth += is_open
        if depth > _DEEPEST:
            raise ValueError("nested too deeply to be displayed")
        after = {",": f"\n{'  ' * depth}", ":": " "}.get(token, "")
        yield f"{before}{token}{after}"
        length += len(before) + len(token) + len(after)
        if length > _LONGEST:
            return


def _unescaped(token: str) -> str:
    """A JSON string with printable characters in place of their escapes."""
    if "\\u" not in token:
        return token
    unescaped = json.dumps(json.loads(token), ensure_ascii=False)
    return unescaped if unescaped.isprintable() else token


def read_xml(body: bytes, *, url: str, content_type: str) -> Reading:
    """XML as an outline, with each element on a line under its parent.

    A feed is read by its entries, and an article of a journal (JATS) as a document.
    """
    text = decode(body, content_type=content_type)
    try:
        root, cut = parse_document(_without_declaration(text).encode())
    except ValueError as error:
        raise BadAnswer(SOURCE, str(error), cause="shape") from error
    articles = articles_in(root)
    if articles:
        reading = read_articles(articles, url)
        return replace(reading, cut=cut or reading.cut)
    feed = feed_markdown(root, url)
    if feed is not None:
        text, title, is_cut = feed
        return Reading(content=text, kind="xml", title=title or None, cut=cut or is_cut)
    lines: list[str] = []
    _outline(root, 0, lines)
    content = "\n".join(lines)
    return Reading(
        content=content[:_LONGEST],
        kind="xml",
        title=_title_below(root),
        cut=cut or len(content) > _LONGEST,
    )


def _title_below(root: Element) -> str | None:
    """The first `article-title`, because sections have titles too, else the first `title`."""
    titles = {_local(one.tag): one for one in reversed(list(root.iter()))}
    element = next((titles[name] for name in ("article-title", "title") if name in titles), None)
    return None if element is None else _words("".join(element.itertext())) or None


def _without_declaration(text: str) -> str:
    """The text without its XML declaration, since the declared encoding no longer applies."""
    return re.sub(r"\A\s*<\?xml\b[^<>]{0,200}\?>", "", text)


def _outline(element: Element, depth: int, lines: list[str]) -> None:
    words, has_mixed_content = _words(element.text), any(_words(child.tail) for child in element)
    if has_mixed_content or (words and len(element)):
        words, children = _words("".join(element.itertext())), []
    else:
        children = list(element)
    attributes = ", ".join(f"{_local(name)}={value}" for name, value in element.attrib.items())
    attribute_text = f" ({attributes})" if attributes else ""
    lines.append(
        f"{'  ' * depth}- {_local(element.tag)}{attribute_text}" + (f": {words}" if words else "")
    )
    for child in children:
        _outline(child, depth + 1, lines)


def _words(text: str | None) -> str:
    return " ".join((text or "").split())


def _local(tag: str) -> str:
    return tag.rpartition("}")[2]


def read_csv(text: str) -> Iterator[Reading]:
    """Yield the table, then a note on what was left out; counting that may take longer."""
    csv.field_size_limit(_LONGEST_CELL)
    declared = _NAMED_DELIMITER.match(text)
    delimiter = declared[1] if declared else _delimiter(text[:_SAMPLE])
    lines = io.StringIO(text[declared.end() :] if declared else text, newline="")
    rows = _Rows(csv.reader(lines, delimiter=delimiter))
    first = list(islice(rows, MAX_ROWS + 1))
    if rows.problem and len(first) < 2:
        raise BadAnswer(SOURCE, rows.problem, cause="shape")
    yield Reading(
        content=markdown_table([row[:MAX_COLUMNS] for row in first]),
        kind="csv",
        cut=len(first) > MAX_ROWS or bool(rows.problem),
    )
    more = sum(1 for _ in rows)
    note = omission_note(more, max(0, rows.widest - MAX_COLUMNS), at_least=bool(rows.problem))
    yield Reading(content=f"\n\n{note}" if note else "", kind="csv", cut=note is not None)


class _Rows:
    """The non-empty rows of a CSV, up to the first syntax error."""

    def __init__(self, rows: Iterable[list[str]]) -> None:
        self._rows = iter(rows)
        self.widest = 0
        self.problem = ""

    def __iter__(self) -> Iterator[list[str]]:
        try:
            for row in self._rows:
                if row:
                    self.widest = max(self.widest, len(row))
                    yield row
        except csv.Error as error:
            self.problem = f"it is not CSV: {error}"


def _delimiter(text: str) -> str:
    """The delimiter that occurs in most of the first lines, outside of quotes."""
    lines = [line for line in _QUOTED.sub("x", text).splitlines()[:20] if line.strip()]
    counts = {delimiter: [line.count(delimiter) for line in lines] for delimiter in _DELIMITERS}
    return max(
        _DELIMITERS,
        key=lambda delimiter: (sum(map(bool, counts[delimiter])), sum(counts[delimiter])),
    )
