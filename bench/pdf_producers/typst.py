"""Sets documents with Typst, which hyphenates, and puts notes at the foot of their page."""

import json
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from pdf_markdown import Block, Layout, Source, Span, plain
from pdf_producers import plot

NAME = "Typst"
_SECONDS = 120
_COMPILE = "import sys, typst; typst.compile(sys.argv[1], output=sys.argv[2])"
_RULES = {"grid": "0.5pt", "lines": "none", "none": "none"}
_CALLS = {"bold": "strong", "italic": "emph", "code": "raw"}
_CHART = "#rect(width: 100%, height: 32mm, fill: gradient.linear(aqua, white))"
_SETUP = """
#set document(date: none)
#set page(paper: {paper}, columns: {columns}, margin: (x: 17mm, y: 20mm),
  header: context text(8pt, if calc.even(here().page()) [#counter(page).display() #h(1fr) {name}]
    else [{running} #h(1fr) #counter(page).display()]))
#set text({size}pt, lang: {language}, dir: {direction},
  font: ("Libertinus Serif", "Noto Sans Hebrew", "Noto Sans Arabic"))
#set par(justify: true)
#set table(inset: 4pt, align: start)
#show raw: set text(8.5pt)
"""


class Typst:
    """Typst, as a library in the peers' environment."""

    def __init__(self, python: str) -> None:
        self._python = python

    def unavailable(self) -> str | None:
        ended = subprocess.run(
            [self._python, "-c", "import typst"], capture_output=True, check=False
        )
        return "typst is not in the peers' environment" if ended.returncode else None

    def produce(self, source: Source, layout: Layout, target: Path) -> None:
        """Compile one document."""
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder, "page.typ")
            page.write_text("\n".join(_page(source, layout)), encoding="utf-8")
            subprocess.run(
                [self._python, "-c", _COMPILE, str(page), str(target)],
                check=True,
                timeout=_SECONDS,
            )


def _page(source: Source, layout: Layout) -> Iterator[str]:
    yield _SETUP.format(
        paper=_string(layout.paper),
        columns=layout.columns,
        size=layout.size,
        running=f"#{_string(source.running)};",
        name=f"#{_string(_title(source))};",
        language=_string(source.language),
        direction="rtl" if source.rtl else "ltr",
    )
    before = ""
    for block in source.blocks:
        # Items in a row make one list; every other block ends its paragraph.
        if not before == block.kind == "item":
            yield ""
        yield _block(block, source, layout)
        before = block.kind


def _title(source: Source) -> str:
    """The name of the document for even pages, cut as running heads are."""
    return plain(source.blocks[0].spans).split(":")[0]


def _block(block: Block, source: Source, layout: Layout) -> str:
    words = _inline(block.spans, source)
    if block.kind == "table":
        return _table(block, source, layout)
    if block.kind == "heading":
        heading = f"#heading(level: {block.level})[{words}]"
        return (
            f'#place(top, scope: "parent", float: true)[{heading}]'
            if block.level == 1
            else heading
        )
    if block.kind == "item":
        return "  " * block.level + ("- " if block.number is None else "+ ") + words
    # A note is written where its mark stands.
    chart = f'#image(bytes({_string(plot.svg())}), format: "svg")'
    chart = chart if block.code == plot.NAME else _CHART
    forms = {
        "quote": f"#quote(block: true)[{words}]",
        "code": f"#raw(block: true, {_string(block.code)})",
        "figure": f"{chart}\n\n#text(8.5pt)[{words}]",
        "note": "",
    }
    return forms.get(block.kind, words)


def _table(table: Block, source: Source, layout: Layout) -> str:
    cells = [f"[{_inline(cell, source)}]" for row in table.rows for cell in row]
    across = len(table.rows[0])
    head = ", ".join(f"strong{cell}" for cell in cells[:across])
    rule = "table.hline()," if layout.rules == "lines" else ""
    return (
        f"#align(center, text(8.5pt, table(columns: {across}, stroke: {_RULES[layout.rules]},"
        f" {rule} table.header({head}), {rule} {', '.join(cells[across:])}, {rule})))"
    )


def _inline(parts: Iterable[Span], source: Source) -> str:
    return "".join(_styled(part, source) for part in parts)


def _styled(part: Span, source: Source) -> str:
    if part.style == "note":
        return f"#footnote[{_inline(source.notes[part.text].spans, source)}]"
    call = _CALLS.get(part.style)
    return f"#{call}({_string(part.text)});" if call else f"#{_string(part.text)};"


def _string(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
