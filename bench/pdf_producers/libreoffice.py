"""Sets documents with LibreOffice from flat OpenDocument text, with its own notes and columns."""

import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import groupby
from pathlib import Path

from pdf_markdown import Block, Layout, Source, Span

NAME = "LibreOffice"
_PROGRAMS = ("soffice", "libreoffice")
_SECONDS = 180
_FACTORS = {1: 1.7, 2: 1.3, 3: 1.12}
_NAMESPACES = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{rest}"'
    for name, rest in {
        "office": "office:1.0",
        "style": "style:1.0",
        "text": "text:1.0",
        "table": "table:1.0",
        "draw": "drawing:1.0",
        "fo": "xsl-fo-compatible:1.0",
        "svg": "svg-compatible:1.0",
    }.items()
)
_PAPER = {"a4": (210, 297), "a5": (148, 210)}
_BORDERS = {"grid": "0.5pt solid #000000", "lines": "none", "none": "none"}
_FONTS = {"he": "Noto Sans Hebrew", "ar": "Noto Sans Arabic"}


def unavailable() -> str | None:
    return None if _program() else "LibreOffice is not installed"


def produce(source: Source, layout: Layout, target: Path) -> None:
    """Convert one document."""
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder, "page.fodt")
        page.write_text("".join(_document(source, layout)), encoding="utf-8")
        subprocess.run(
            [
                *(_program(), f"-env:UserInstallation=file://{folder}/profile", "--headless"),
                *("--convert-to", "pdf:writer_pdf_Export", "--outdir", folder, str(page)),
            ],
            check=True,
            capture_output=True,
            timeout=_SECONDS,
        )
        shutil.move(page.with_suffix(".pdf"), target)


def _program() -> str:
    return next(filter(None, map(shutil.which, _PROGRAMS)), "")


def _document(source: Source, layout: Layout) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield f'<office:document {_NAMESPACES} office:version="1.3"'
    yield ' office:mimetype="application/vnd.oasis.opendocument.text"><office:styles>'
    yield from _styles(source, layout)
    yield "</office:styles><office:automatic-styles>"
    yield from _automatic_styles(source, layout)
    yield "</office:automatic-styles><office:master-styles>"
    yield '<style:master-page style:name="Standard" style:page-layout-name="Page"><style:header>'
    yield f'<text:p text:style-name="Running">{escape(source.running)}</text:p></style:header>'
    yield '<style:footer><text:p text:style-name="Running">p. <text:page-number/></text:p>'
    yield "</style:footer></style:master-page></office:master-styles><office:body><office:text>"
    yield from _body(source)
    yield "</office:text></office:body></office:document>"


def _text_properties(size: float, more: str = "") -> str:
    return (
        f'<style:text-properties fo:font-size="{size:.1f}pt" style:font-size-complex="{size:.1f}pt"'
        f" {more}/>"
    )


def _styles(source: Source, layout: Layout) -> Iterator[str]:
    mode = "rl-tb" if source.rtl else "lr-tb"
    side = "end" if source.rtl else "start"
    language = f'fo:language="{source.language}" style:language-complex="{source.language}"'
    complex_font = _FONTS.get(source.language, "Noto Sans")
    fonts = f'fo:font-family="Noto Serif" style:font-family-complex="{complex_font}"'
    yield (
        '<style:default-style style:family="paragraph"><style:paragraph-properties'
        f' style:writing-mode="{mode}" fo:orphans="2" fo:widows="2"/>'
        + _text_properties(layout.size, f'{fonts} {language} fo:hyphenate="false"')
        + "</style:default-style>"
    )
    for name, align, size in (
        ("Text", "justify", layout.size),
        ("Running", "center", 8),
        ("Cell", side, 8.5),
        ("Caption", side, 8.5),
        ("Footnote", side, 8),
    ):
        yield _paragraph_style(name, f'fo:text-align="{align}" fo:margin-bottom="2mm"', size)
    yield _paragraph_style(
        "Quote", 'fo:margin-left="8mm" fo:margin-right="8mm" fo:margin-bottom="2mm"', layout.size
    )
    yield _paragraph_style("Item", f'fo:text-align="{side}"', layout.size)
    mono = 'fo:font-family="DejaVu Sans Mono"'
    yield _paragraph_style("Code", "", 8, mono)
    bold = 'fo:font-weight="bold" style:font-weight-complex="bold"'
    for level, factor in _FACTORS.items():
        spaced = f'fo:text-align="{side}" fo:margin-top="4mm" fo:margin-bottom="2mm" fo:keep-with-next="always"'
        yield _paragraph_style(f"Heading{level}", spaced, factor * layout.size, bold)
    yield _paragraph_style("Head", f'fo:text-align="{side}"', 8.5, bold)
    italic = 'fo:font-style="italic" style:font-style-complex="italic"'
    for name, properties in (("bold", bold), ("italic", italic), ("code", mono)):
        yield f'<style:style style:name="{name}" style:family="text"><style:text-properties {properties}/></style:style>'


def _paragraph_style(name: str, properties: str, size: float, more: str = "") -> str:
    return (
        f'<style:style style:name="{name}" style:family="paragraph">'
        f"<style:paragraph-properties {properties}/>{_text_properties(size, more)}</style:style>"
    )


def _automatic_styles(source: Source, layout: Layout) -> Iterator[str]:
    width, height = _PAPER[layout.paper]
    mode = "rl-tb" if source.rtl else "lr-tb"
    yield (
        f'<style:page-layout style:name="Page"><style:page-layout-properties fo:page-width="{width}mm"'
        f' fo:page-height="{height}mm" fo:margin-top="10mm" fo:margin-bottom="10mm"'
        f' fo:margin-left="17mm" fo:margin-right="17mm" style:writing-mode="{mode}"/>'
        '<style:header-style><style:header-footer-properties fo:min-height="10mm"/></style:header-style>'
        '<style:footer-style><style:header-footer-properties fo:min-height="10mm"/></style:footer-style>'
        "</style:page-layout>"
    )
    yield (
        '<style:style style:name="Columns" style:family="section"><style:section-properties'
        f' text:dont-balance-text-columns="true"><style:columns fo:column-count="{layout.columns}" fo:column-gap="8mm"/>'
        "</style:section-properties></style:style>"
    )
    yield (
        '<style:style style:name="Row" style:family="table-row">'
        '<style:table-row-properties fo:keep-together="always"/></style:style>'
    )
    yield (
        '<style:style style:name="Table" style:family="table"><style:table-properties'
        f' style:writing-mode="{mode}" table:align="margins"/></style:style>'
    )
    for name, edges in (
        ("Top", "border-top border-bottom"),
        ("Middle", ""),
        ("Bottom", "border-bottom"),
    ):
        lines = (
            " ".join(f'fo:{edge}="0.5pt solid #000000"' for edge in edges.split())
            if layout.rules == "lines"
            else ""
        )
        border = "" if lines else f'fo:border="{_BORDERS[layout.rules]}"'
        yield (
            f'<style:style style:name="{name}" style:family="table-cell"><style:table-cell-properties'
            f' fo:padding="1mm" {border} {lines}/></style:style>'
        )
    for name, mark in (("Bullets", False), ("Numbers", True)):
        yield f'<text:list-style style:name="{name}">{"".join(_levels(numbered=mark))}</text:list-style>'
    yield (
        '<style:style style:name="Chart" style:family="graphic"><style:graphic-properties'
        ' draw:fill="solid" draw:fill-color="#88aacc" draw:stroke="none" style:wrap="none"/></style:style>'
    )


def _levels(*, numbered: bool) -> Iterator[str]:
    for level in range(1, 5):
        kind = (
            f'number text:level="{level}" style:num-format="1" style:num-suffix="."'
            if numbered
            else f'bullet text:level="{level}" text:bullet-char="\u2022"'
        )
        tag = kind.split(" ", 1)[0]
        yield (
            f"<text:list-level-style-{kind}><style:list-level-properties"
            f' text:space-before="{6 * (level - 1)}mm" text:min-label-width="6mm" text:min-label-distance="2mm"/>'
            f"</text:list-level-style-{tag}>"
        )


def _body(source: Source) -> Iterator[str]:
    title, *rest = [block for block in source.blocks if block.kind != "note"]
    yield _block(title, source)
    yield '<text:section text:style-name="Columns" text:name="Body">'
    for kind, run in groupby(rest, key=lambda block: block.kind):
        blocks = list(run)
        if kind == "item":
            yield from _lists(blocks, source)
        elif kind == "table":
            yield from ("".join(_table(block, source)) for block in blocks)
        else:
            yield from (_block(block, source) for block in blocks)
    yield "</text:section>"


def _lists(items: Sequence[Block], source: Source) -> Iterator[str]:
    depth = 0
    for item in items:
        while depth > item.level + 1:
            yield "</text:list-item></text:list>"
            depth -= 1
        if depth == item.level + 1:
            yield "</text:list-item>"
        else:
            style = "Bullets" if item.number is None else "Numbers"
            yield f'<text:list text:style-name="{style}">'
            depth += 1
        yield f'<text:list-item><text:p text:style-name="Item">{_inline(item.spans, source)}</text:p>'
    yield "</text:list-item></text:list>" * depth


def _block(block: Block, source: Source) -> str:
    words = _inline(block.spans, source)
    if block.kind == "heading":
        return (
            f'<text:h text:style-name="Heading{block.level}" text:outline-level="{block.level}">'
            f"{words}</text:h>"
        )
    if block.kind == "code":
        return "".join(
            f'<text:p text:style-name="Code">{_spaced(line)}</text:p>'
            for line in block.code.split("\n")
        )
    if block.kind == "figure":
        return (
            '<text:p text:style-name="Text"><draw:rect draw:style-name="Chart"'
            ' text:anchor-type="as-char" svg:width="60mm" svg:height="32mm"/></text:p>'
            f'<text:p text:style-name="Caption">{words}</text:p>'
        )
    style = "Quote" if block.kind == "quote" else "Text"
    return f'<text:p text:style-name="{style}">{words}</text:p>'


def _table(table: Block, source: Source) -> Iterator[str]:
    yield '<table:table table:style-name="Table">'
    yield f'<table:table-column table:number-columns-repeated="{len(table.rows[0])}"/>'
    for at, row in enumerate(table.rows):
        place = "Top" if at == 0 else "Bottom" if at == len(table.rows) - 1 else "Middle"
        style = "Cell" if at else "Head"
        cells = (
            f'<table:table-cell table:style-name="{place}"><text:p text:style-name="{style}">'
            f"{_inline(cell, source)}</text:p></table:table-cell>"
            for cell in row
        )
        line = f'<table:table-row table:style-name="Row">{"".join(cells)}</table:table-row>'
        # The head of a table over several pages is repeated.
        header = f"<table:table-header-rows>{line}</table:table-header-rows>"
        yield line if at else header
    yield '</table:table><text:p text:style-name="Cell"/>'


def _spaced(line: str) -> str:
    """A line of code with the spaces before it."""
    words = line.lstrip()
    indent = len(line) - len(words)
    return (f'<text:s text:c="{indent}"/>' if indent else "") + escape(words)


def _inline(parts: Iterable[Span], source: Source) -> str:
    return "".join(_styled(part, source) for part in parts)


def _styled(part: Span, source: Source) -> str:
    if part.style == "note":
        note = _inline(source.notes[part.text].spans, source)
        return (
            f'<text:note text:note-class="footnote"><text:note-citation>{part.text}'
            f'</text:note-citation><text:note-body><text:p text:style-name="Footnote">{note}'
            "</text:p></text:note-body></text:note>"
        )
    text = escape(part.text)
    return f'<text:span text:style-name="{part.style}">{text}</text:span>' if part.style else text
