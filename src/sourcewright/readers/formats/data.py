"""JSON, XML and CSV as readable text, bounded."""

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any
from xml.etree.ElementTree import Element

from sourcewright.domain.errors import BadAnswer
from sourcewright.domain.pages import SOURCE
from sourcewright.domain.readings import Reading
from sourcewright.logic.formats.media_types import recognise
from sourcewright.logic.formats.parsers import parse_document
from sourcewright.logic.markdown.writer import MAX_COLUMNS, MAX_ROWS, left_out, table_of
from sourcewright.logic.text.charsets import decode

KINDS = ("json", "xml", "csv")
_LONGEST = 5_000_000
_LONGEST_CELL = 1_000_000
_LONGEST_LINE = 200
_LOOK = 20_000
_DELIMITERS = ",;\t|"
_NAMED_DELIMITER = re.compile(r"sep=([,;\t|])\r?\n", re.IGNORECASE)
_QUOTED = re.compile(r'"[^"]*"')
_BACKTICKS = re.compile(r"`{3,}")
_SIGN = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[\[\]{},:]|[^\s\[\]{},:"]++')
_DEEPEST = 100


def read(body: bytes, *, url: str, content_type: str) -> Reading | Iterator[Reading]:
    """The data in the form that shows most of it."""
    kind = recognise(body, content_type=content_type, url=url)
    if kind == "xml":
        return read_xml(body, content_type=content_type)
    text = decode(body, content_type=content_type)
    return read_json(text) if kind == "json" else read_csv(text)


def read_json(text: str) -> Reading:
    """Indented; as it is where it is written for people already, or cannot be understood."""
    text = text.replace("\r\n", "\n").strip()
    title, shown = None, text
    try:
        # What is made of a long one would take many times its size.
        title = _title_in(json.loads(text)) if len(text) <= _LONGEST else None
        if max(map(len, text[:_LOOK].splitlines()), default=0) > _LONGEST_LINE:
            shown = "".join(_laid_out(text))
    except (ValueError, RecursionError):
        shown = text
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


def _laid_out(text: str) -> Iterator[str]:
    """Each thing on a line of its own, and written as it was: a number keeps its digits."""
    depth, length, is_open = 0, 0, False
    for found in _SIGN.finditer(text):
        sign = _readable(found[0])
        closes = sign in {"]", "}"}
        depth -= closes
        is_next = depth == 0 and length > 0 and sign not in {",", ":"} and not closes
        before = f"\n{'  ' * depth}" if is_open != closes or is_next else ""
        is_open = sign in {"[", "{"}
        depth += is_open
        if depth > _DEEPEST:
            raise ValueError("nested too deep to be laid out")
        after = {",": f"\n{'  ' * depth}", ":": " "}.get(sign, "")
        yield f"{before}{sign}{after}"
        length += len(before) + len(sign) + len(after)
        if length > _LONGEST:
            return


def _readable(sign: str) -> str:
    """A text with its characters in place of their numbers, where there are such characters."""
    if "\\u" not in sign:
        return sign
    plain = json.dumps(json.loads(sign), ensure_ascii=False)
    return plain if plain.isprintable() else sign


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
    content = "\n".join(lines)
    return Reading(
        content=content[:_LONGEST],
        kind="xml",
        title=_title_below(root),
        cut=cut or len(content) > _LONGEST,
    )


def _title_below(root: Element) -> str | None:
    """What a title is called where sections have titles too, else the first of any."""
    titles = {_local(one.tag): one for one in reversed(list(root.iter()))}
    found = next((titles[name] for name in ("article-title", "title") if name in titles), None)
    return None if found is None else _words("".join(found.itertext())) or None


def _undeclared(text: str) -> str:
    """The text without the declaration of an encoding that it has no longer."""
    return re.sub(r"\A\s*<\?xml\b[^<>]{0,200}\?>", "", text)


def _outline(element: Element, depth: int, lines: list[str]) -> None:
    words, mixed = _words(element.text), any(_words(child.tail) for child in element)
    if mixed or (words and len(element)):
        words, children = _words("".join(element.itertext())), []
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


def read_csv(text: str) -> Iterator[Reading]:
    """A table, and then what it cannot show: that is counted, which may take longer."""
    csv.field_size_limit(_LONGEST_CELL)
    named = _NAMED_DELIMITER.match(text)
    delimiter = named[1] if named else _delimiter(text[:_LOOK])
    lines = io.StringIO(text[named.end() :] if named else text, newline="")
    rows = _Rows(csv.reader(lines, delimiter=delimiter))
    kept = list(islice(rows, MAX_ROWS + 1))
    if rows.problem and len(kept) < 2:
        raise BadAnswer(SOURCE, rows.problem, cause="shape")
    yield Reading(
        content=table_of([row[:MAX_COLUMNS] for row in kept]),
        kind="csv",
        cut=len(kept) > MAX_ROWS or bool(rows.problem),
    )
    more = sum(1 for _ in rows)
    note = left_out(more, max(0, rows.widest - MAX_COLUMNS), at_least=bool(rows.problem))
    yield Reading(content=f"\n\n{note}" if note else "", kind="csv", cut=note is not None)


class _Rows:
    """The rows of a CSV that say something, as far as it is one."""

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
    """The sign that divides most of the first lines; what is quoted divides nothing."""
    lines = [line for line in _QUOTED.sub("x", text).splitlines()[:20] if line.strip()]
    counts = {sign: [line.count(sign) for line in lines] for sign in _DELIMITERS}
    return max(_DELIMITERS, key=lambda sign: (sum(map(bool, counts[sign])), sum(counts[sign])))
