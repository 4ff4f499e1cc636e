"""The Markdown documents of the PDF bench, as blocks for a producer to set and a score to compare.

Only what our own sources use is understood: headings, paragraphs, lists of single lines, quotes,
fenced code, pipe tables, footnotes, and an image whose text is the caption of a figure.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

SOURCES = Path(__file__).with_name("pdf_sources")
_ITEM = re.compile(r"( *)(-|\d+\.) (.*)")
_NOTE = re.compile(r"\[\^(\d+)\]: (.*)")
_FIGURE = re.compile(r"!\[(.*)\]\((.*)\)")
_SPAN = re.compile(
    r"\*\*(?P<bold>.+?)\*\*|\*(?P<italic>.+?)\*|`(?P<code>.+?)`|\[\^(?P<note>\d+)\]"
)
_LAYOUT = re.compile(r"(a4|a5)-([12])-(grid|lines|none)")
_INDENT = 2

Kind = Literal["heading", "paragraph", "item", "quote", "code", "table", "figure", "note"]


class Span(NamedTuple):
    """A run of text in one style; the text of a note is its number."""

    text: str
    style: str = ""


@dataclass(frozen=True, slots=True)
class Block:
    """One block; `level` is that of a heading, or the depth of an item from 0.

    `code` is the text of a listing, or the target of a figure.
    """

    kind: Kind
    spans: tuple[Span, ...] = ()
    level: int = 0
    number: int | None = None
    rows: tuple[tuple[tuple[Span, ...], ...], ...] = ()
    code: str = ""


class Layout(NamedTuple):
    """How a document is set: the paper, the columns, and the rules of its tables."""

    paper: str
    columns: int
    rules: str

    @property
    def size(self) -> float:
        """The size of the text, so that nearly every document has several pages."""
        return 11.5 if self.paper == "a4" else 9.5


@dataclass(frozen=True, slots=True)
class Source:
    """A document with all that a producer has to know."""

    name: str
    running: str
    language: str
    rtl: bool
    layouts: tuple[Layout, ...]
    blocks: tuple[Block, ...]
    text: str

    @property
    def notes(self) -> dict[str, Block]:
        return {str(block.number): block for block in self.blocks if block.kind == "note"}


def sources() -> list[Source]:
    return [_parsed(path) for path in sorted(SOURCES.glob("*.md"))]


def _parsed(path: Path) -> Source:
    text = path.read_text(encoding="utf-8")
    _, front, body = text.split("---\n", 2)
    fields = dict(line.split(": ", 1) for line in front.splitlines())
    layouts = [_LAYOUT.fullmatch(word) for word in fields["layouts"].split()]
    return Source(
        name=path.stem,
        running=fields["running"],
        language=fields["language"],
        rtl=fields.get("direction") == "rtl",
        layouts=tuple(Layout(one[1], int(one[2]), one[3]) for one in layouts if one),
        blocks=tuple(_blocks(body.split("\n"))),
        text=text,
    )


def _blocks(lines: Sequence[str]) -> Iterator[Block]:
    at = 0
    while at < len(lines):
        line = lines[at]
        if line == "```":
            end = lines.index("```", at + 1)
            yield Block("code", code="\n".join(lines[at + 1 : end]))
            at = end
        elif line.startswith("|"):
            end = next(number for number in range(at, len(lines)) if not lines[number])
            yield _table(lines[at:end])
            at = end
        elif line:
            yield _line(line)
        at += 1


def _line(line: str) -> Block:
    if line.startswith("#"):
        marks, text = line.split(" ", 1)
        return Block("heading", spans(text), level=len(marks))
    if item := _ITEM.fullmatch(line):
        number = None if item[2] == "-" else int(item[2][:-1])
        return Block("item", spans(item[3]), level=len(item[1]) // _INDENT, number=number)
    if note := _NOTE.fullmatch(line):
        return Block("note", spans(note[2]), number=int(note[1]))
    if figure := _FIGURE.fullmatch(line):
        return Block("figure", spans(figure[1]), code=figure[2])
    if line.startswith("> "):
        return Block("quote", spans(line[2:]))
    return Block("paragraph", spans(line))


def _table(lines: Sequence[str]) -> Block:
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    del rows[1]
    return Block("table", rows=tuple(tuple(spans(cell) for cell in row) for row in rows))


def spans(text: str) -> tuple[Span, ...]:
    """The text in runs of one style."""
    found, end = [], 0
    for match in _SPAN.finditer(text):
        found.append(Span(text[end : match.start()]))
        found += [Span(words, style) for style, words in match.groupdict().items() if words]
        end = match.end()
    return tuple(span for span in [*found, Span(text[end:])] if span.text)


def plain(parts: Sequence[Span]) -> str:
    """The text without its styles and without the marks of notes."""
    return "".join(part.text for part in parts if part.style != "note")
