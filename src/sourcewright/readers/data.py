"""JSON, XML and CSV as text that people can read, and bounded."""

import csv
import io
import json
import re
from itertools import islice
from typing import Any
from xml.etree.ElementTree import Element

from sourcewright.domain.errors import BadAnswer
from sourcewright.domain.pages import SOURCE
from sourcewright.domain.readings import Reading
from sourcewright.logic.decoding import decode
from sourcewright.logic.parsing import parse_document
from sourcewright.logic.recognising import recognise
from sourcewright.logic.tabulating import MAX_COLUMNS, MAX_ROWS, left_out, table_of

KINDS = ("json", "xml", "csv")
_LONGEST = 5_000_000
_LONGEST_CELL = 1_000_000
_LONGEST_LINE = 2_000
_LOOK = 20_000
_DELIMITERS = ",;\t|"
_BACKTICKS = re.compile(r"`{3,}")


def read(body: bytes, *, url: str, content_type: str) -> Reading:
    """The data in the form that shows most of it."""
    kind = recognise(body, content_type=content_type, url=url)
    if kind == "xml":
        return read_xml(body, content_type=content_type)
    text = decode(body, content_type=content_type)
    return read_json(text) if kind == "json" else read_csv(text)


def read_json(text: str) -> Reading:
    """Indented; as it is where it is written for people already, or cannot be understood."""
    title, shown = None, text.strip()
    try:
        value = json.loads(text)
        title = _title_in(value)
        if max(map(len, text[:_LOOK].splitlines()), default=0) > _LONGEST_LINE // 10:
            shown = json.dumps(value, indent=2, ensure_ascii=False)
    except (ValueError, RecursionError):
        shown = text.strip()
    return Reading(
        content=_fenced(shown[:_LONGEST], "json"),
        kind="json",
        title=title,
        cut=len(shown) > _LONGEST,
    )


def _title_in(value: Any) -> str | None:
    if not isinstance(value, dict):
        return None
    named = (value.get(name) for name in ("title", "name"))
    return next((name for name in named if isinstance(name, str)), None)


def _fenced(text: str, language: str) -> str:
    longest = max((len(run) for run in _BACKTICKS.findall(text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def read_xml(body: bytes, *, content_type: str) -> Reading:
    """Each element on a line under the one that holds it."""
    text = decode(body, content_type=content_type)
    try:
        root, cut = parse_document(_undeclared(text).encode())
    except ValueError as error:
        raise BadAnswer(SOURCE, str(error), cause="shape") from error
    lines: list[str] = []
    _outline(root, 0, lines)
    title = next((one.text for one in root.iter() if _local(one.tag) == "title"), None)
    content = "\n".join(lines)
    return Reading(
        content=content[:_LONGEST], kind="xml", title=title, cut=cut or len(content) > _LONGEST
    )


def _undeclared(text: str) -> str:
    """The text without the declaration of an encoding that it has no longer."""
    return re.sub(r"\A\s*<\?xml\b[^<>]{0,200}\?>", "", text)


def _outline(element: Element, depth: int, lines: list[str]) -> None:
    words, mixed = _words(element.text), any(_words(child.tail) for child in element)
    if mixed or (words and len(element)):
        words, children = _words(" ".join(element.itertext())), []
    else:
        children = list(element)
    said = ", ".join(f"{_local(name)}={value}" for name, value in element.attrib.items())
    about = f" ({said})" if said else ""
    lines.append(f"{'  ' * depth}- {_local(element.tag)}{about}" + (f": {words}" if words else ""))
    for child in children:
        _outline(child, depth + 1, lines)


def _words(text: str | None) -> str:
    return " ".join((text or "").split())


def _local(tag: str) -> str:
    return tag.rpartition("}")[2]


def read_csv(text: str) -> Reading:
    """A table; what it cannot show is counted."""
    csv.field_size_limit(_LONGEST_CELL)
    lines = io.StringIO(text, newline="")
    rows = csv.reader(lines, delimiter=_delimiter(text[:_LOOK]))
    try:
        kept = [row for row in islice(rows, MAX_ROWS + 1) if row]
        more, widest = 0, max((len(row) for row in kept), default=0)
        for row in rows:
            more += bool(row)
            widest = max(widest, len(row))
    except csv.Error as error:
        raise BadAnswer(SOURCE, f"it is not CSV: {error}", cause="shape") from error
    note = left_out(more, max(0, widest - MAX_COLUMNS))
    table = table_of([row[:MAX_COLUMNS] for row in kept])
    content = table if note is None else f"{table}\n\n{note}"
    return Reading(content=content, kind="csv", cut=note is not None)


def _delimiter(text: str) -> str:
    """The sign that divides the first lines most evenly."""
    lines = [line for line in text.splitlines()[:20] if line.strip()]
    counts = {sign: [line.count(sign) for line in lines] for sign in _DELIMITERS}
    return max(_DELIMITERS, key=lambda sign: (min(counts[sign], default=0), sum(counts[sign])))
