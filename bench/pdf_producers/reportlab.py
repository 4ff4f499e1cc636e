"""Draws documents with ReportLab: no structure in the file, right-to-left lines in visual order.

It does not shape Arabic, so that it sets Hebrew alone of what is written from right to left.
"""

import re
from collections.abc import Iterable, Iterator
from functools import partial
from html import escape
from pathlib import Path
from typing import Any

from reportlab.graphics.shapes import Drawing, Line, PolyLine, Rect, String
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4, A5
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase.pdfmetrics import registerFont, stringWidth
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    BaseDocTemplate,
    Flowable,
    Frame,
    FrameBreak,
    HRFlowable,
    NextPageTemplate,
    PageTemplate,
    Paragraph,
    Preformatted,
    Spacer,
    Table,
)

from pdf_markdown import Block, Layout, Source, Span, plain
from pdf_producers import plot

NAME = "ReportLab"
_HEBREW = Path("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")
"""A font with Hebrew letters, digits and points; fonts of Hebrew alone lack the last two."""
_PAPER = {"a4": A4, "a5": A5}
_SIDE, _TOP, _GAP, _TITLE = 17 * mm, 20 * mm, 8 * mm, 26 * mm
_FACTORS = {1: 1.7, 2: 1.3, 3: 1.12}
_FORMS = {
    "bold": "<b>{}</b>",
    "italic": "<i>{}</i>",
    "code": '<font face="Courier">{}</font>',
    "note": "<super>{}</super>",
}
_RULES: dict[str, list[tuple[Any, ...]]] = {
    "grid": [("GRID", (0, 0), (-1, -1), 0.5, colors.black)],
    "lines": [
        ("LINEABOVE", (0, 0), (-1, 0), 1, colors.black),
        ("LINEBELOW", (0, 0), (-1, 0), 0.5, colors.black),
        ("LINEBELOW", (0, -1), (-1, -1), 1, colors.black),
    ],
    "none": [],
}
_LATIN = re.compile(r"[0-9A-Za-z][0-9A-Za-z.,]*(?<![.,])")


def unsettable(source: Source) -> str | None:
    """Why this document cannot be set, if it cannot."""
    if source.language == "ar":
        return "ReportLab does not shape Arabic"
    if source.rtl and not _HEBREW.exists():
        return "there is no font for Hebrew"
    return None


def produce(source: Source, layout: Layout, target: Path) -> None:
    """Draw one document."""
    if source.rtl:
        registerFont(TTFont("Hebrew", _HEBREW))
    width, height = _PAPER[layout.paper]
    across = (width - 2 * _SIDE - (layout.columns - 1) * _GAP) / layout.columns

    def columns(high: float) -> list[Frame]:
        return [
            Frame(_SIDE + at * (across + _GAP), _TOP, across, high, 0, 0, 0, 0)
            for at in range(layout.columns)
        ]

    body = height - 2 * _TOP
    title = Frame(_SIDE, height - _TOP - _TITLE, width - 2 * _SIDE, _TITLE, 0, 0, 0, 0)
    document = BaseDocTemplate(str(target), pagesize=(width, height), invariant=True)
    head = partial(_running, source, (width, height))
    document.addPageTemplates(
        [
            PageTemplate("first", [title, *columns(body - _TITLE)], onPage=head),
            PageTemplate("later", columns(body), onPage=head),
        ]
    )
    setter = (_RightToLeft if source.rtl else _Setter)(across, layout.size)
    document.build([NextPageTemplate("later"), *_story(source, layout, setter)])


def _running(source: Source, size: tuple[float, float], canvas: Canvas, document: Any) -> None:
    canvas.setFont("Hebrew" if source.rtl else "Times-Roman", 8)
    text = _visual(source.running) if source.rtl else source.running
    canvas.drawCentredString(size[0] / 2, size[1] - _TOP / 2, text)
    canvas.drawCentredString(size[0] / 2, _TOP / 2, f"\u2013 {document.page} \u2013")


def _story(source: Source, layout: Layout, setter: "_Setter") -> Iterator[Flowable]:
    for block in source.blocks:
        if block.kind != "note":
            yield from setter.block(block, layout)
        if block.kind == "heading" and block.level == 1:
            yield FrameBreak()
    if source.notes:
        yield HRFlowable(width="40%", thickness=0.5, hAlign="LEFT", spaceBefore=8)
    for number, note in source.notes.items():
        yield from setter.text((Span(number, "note"), Span(" "), *note.spans), size=8)


class _Setter:
    """Makes flowables of the blocks of a document from left to right."""

    font = "Times-Roman"
    side = "LEFT"

    def __init__(self, width: float, size: float) -> None:
        self.width = width
        self.size = size

    def block(self, block: Block, layout: Layout) -> Iterator[Flowable]:
        match block.kind:
            case "heading":
                yield from self.heading(block)
            case "item":
                mark = "\u2022" if block.number is None else f"{block.number}."
                yield from self.item(block, mark)
            case "code":
                style = ParagraphStyle(
                    "code", fontName="Courier", fontSize=8, leading=10, leftIndent=6
                )
                yield Preformatted(block.code, style)
                yield Spacer(0, 6)
            case "figure":
                yield _plot() if block.code == plot.NAME else _chart(self.width)
                yield from self.text(block.spans, size=8.5)
            case "table":
                yield self.table(block, layout)
                yield Spacer(0, 8)
            case "quote":
                yield from self.text(block.spans, indent=16)
            case _:
                yield from self.text(block.spans)

    def heading(self, block: Block) -> Iterator[Flowable]:
        size = self.size * _FACTORS[block.level]
        style = ParagraphStyle(
            "heading",
            fontName="Helvetica-Bold",
            fontSize=size,
            leading=1.2 * size,
            spaceBefore=8,
            spaceAfter=4,
            keepWithNext=block.level > 1,
        )
        yield Paragraph(_inline(block.spans), style)

    def item(self, block: Block, mark: str) -> Iterator[Flowable]:
        depth = 14 * block.level
        style = ParagraphStyle(
            "item",
            fontName=self.font,
            fontSize=self.size,
            leading=1.3 * self.size,
            leftIndent=14 + depth,
            bulletIndent=2 + depth,
            spaceAfter=2,
        )
        yield Paragraph(_inline(block.spans), style, bulletText=mark)

    def text(
        self, parts: Iterable[Span], *, size: float = 0, indent: float = 0
    ) -> Iterator[Flowable]:
        style = ParagraphStyle(
            "text",
            fontName=self.font,
            fontSize=size or self.size,
            leading=1.3 * (size or self.size),
            leftIndent=indent,
            rightIndent=indent,
            spaceAfter=6,
            alignment=4,
        )
        yield Paragraph(_inline(parts), style)

    def table(self, block: Block, layout: Layout) -> Flowable:
        across = len(block.rows[0])
        style = ParagraphStyle("cell", fontName=self.font, fontSize=8.5, leading=10.5)
        head = ParagraphStyle("head", parent=style, fontName="Times-Bold")
        rows = [
            [Paragraph(_inline(cell), style if at else head) for cell in row]
            for at, row in enumerate(block.rows)
        ]
        widths = [self.width / (across + 0.6)] * across
        widths[0] *= 1.6
        return Table(
            rows,
            colWidths=widths,
            repeatRows=1,
            style=[("VALIGN", (0, 0), (-1, -1), "TOP"), *_RULES[layout.rules]],
        )


class _RightToLeft(_Setter):
    """Breaks lines itself and draws each from its last letter to its first."""

    font = "Hebrew"

    def heading(self, block: Block) -> Iterator[Flowable]:
        yield from self.text(block.spans, size=self.size * _FACTORS[block.level])

    def item(self, block: Block, mark: str) -> Iterator[Flowable]:
        yield from self.text((Span(f"{mark} "), *block.spans), indent=14 * block.level)

    def text(
        self, parts: Iterable[Span], *, size: float = 0, indent: float = 0
    ) -> Iterator[Flowable]:
        size = size or self.size
        lines = self._lines(plain(tuple(parts)), size, self.width - indent)
        yield _Lines(list(lines), size, indent, is_heading=size > self.size)

    def table(self, block: Block, layout: Layout) -> Flowable:
        rows = [[_visual(plain(cell)) for cell in reversed(row)] for row in block.rows]
        style = [("FONT", (0, 0), (-1, -1), "Hebrew", 8.5), ("ALIGN", (0, 0), (-1, -1), "RIGHT")]
        return Table(rows, repeatRows=1, style=[*style, *_RULES[layout.rules]])

    def _lines(self, text: str, size: float, width: float) -> Iterator[str]:
        line = ""
        for word in text.split():
            longer = f"{line} {word}".strip()
            if line and stringWidth(longer, self.font, size) > width:
                yield _visual(line)
                longer = word
            line = longer
        yield _visual(line)


class _Lines(Flowable):  # type: ignore[misc]  # ReportLab has no type hints
    """Lines that end at the right margin."""

    def __init__(self, lines: list[str], size: float, indent: float, *, is_heading: bool) -> None:
        super().__init__()
        self._lines, self._size, self._indent = lines, size, indent
        self.keepWithNext = is_heading
        self.spaceBefore, self.spaceAfter = 8 * is_heading, 5

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        del height
        self._width = width
        return width, 1.3 * self._size * len(self._lines)

    def split(self, width: float, height: float) -> list[Flowable]:
        del width
        first = int(height / (1.3 * self._size))
        if not 0 < first < len(self._lines):
            return []
        parts = (self._lines[:first], self._lines[first:])
        return [
            _Lines(part, self._size, self._indent, is_heading=self.keepWithNext) for part in parts
        ]

    def draw(self) -> None:
        self.canv.setFont("Hebrew", self._size)
        for at, line in enumerate(reversed(self._lines)):
            self.canv.drawRightString(
                self._width - self._indent, 1.3 * self._size * at + 0.3 * self._size, line
            )


def _chart(width: float) -> Flowable:
    """A picture of nothing, where a figure stands."""
    sky = Rect(0, 4, width, 32 * mm - 8, fillColor=colors.lightsteelblue, strokeColor=None)
    return Drawing(width, 32 * mm, sky)


def _plot() -> Flowable:
    bars = [
        Rect(
            x, plot.BOTTOM, plot.BAR_WIDTH, high, fillColor=colors.lightsteelblue, strokeColor=None
        )
        for x, high in plot.BARS
    ]
    axes = [
        Line(plot.LEFT, plot.BOTTOM, plot.WIDTH, plot.BOTTOM),
        Line(plot.LEFT, plot.BOTTOM, plot.LEFT, plot.HEIGHT - 10),
    ]
    texts = [
        String(one.x, one.y, one.text, fontSize=plot.SIZE, textAnchor="middle")
        for one in plot.labels()
    ]
    curve = PolyLine([value for point in plot.CURVE for value in point])
    return Drawing(plot.WIDTH, plot.HEIGHT, *bars, *axes, curve, *texts)


def _visual(text: str) -> str:
    """A line as it is drawn from left to right: letters turned round, numbers kept."""
    return _LATIN.sub(lambda number: number[0][::-1], text)[::-1]


def _inline(parts: Iterable[Span]) -> str:
    return "".join(_FORMS.get(part.style, "{}").format(escape(part.text)) for part in parts)
