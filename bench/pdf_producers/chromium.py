"""Sets documents as HTML and prints them with Chromium; notes stand at the end, as on the web."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import groupby
from pathlib import Path

from pdf_markdown import Block, Layout, Source, Span
from pdf_producers import plot

NAME = "Chromium"
_PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_TAGS = {"bold": "strong", "italic": "em", "code": "code"}
_SECONDS = 120
_RULES = {
    "grid": "th, td { border: 0.5pt solid black }",
    "lines": "table { border-block: 1pt solid black } th { border-bottom: 0.5pt solid black }",
    "none": "",
}
_STYLE = """
@page {{ size: {paper}; margin: 20mm 17mm;
  @top-center {{ content: "{running}"; font: 8pt serif }}
  @bottom-center {{ content: counter(page); font: 8pt serif }} }}
body {{ font: {size}pt/1.35 "Noto Serif", "Noto Sans Hebrew", "Noto Sans Arabic", serif; margin: 0;
  columns: {columns}; column-gap: 8mm; text-align: justify }}
h1 {{ font-size: 1.7em; column-span: all; text-align: start }}
h2 {{ font-size: 1.3em }} h3 {{ font-size: 1.12em }}
h1, h2, h3 {{ line-height: 1.2; margin: 1em 0 0.4em; break-after: avoid }}
table {{ border-collapse: collapse; margin: 0.5em auto; text-align: start; font-size: 8.5pt }}
th, td {{ padding: 1.5pt 6pt; vertical-align: top }}
{rules}
pre {{ font: 8.5pt/1.3 monospace; background: #eee; padding: 4pt; text-align: start }}
figure {{ margin: 0.8em 0; break-inside: avoid }}
.chart {{ height: 32mm; background: linear-gradient(#8ac, #def) }}
figcaption {{ font-size: 8.5pt }}
.notes {{ border-top: 0.5pt solid black; margin-top: 1em; padding-top: 0.4em; font-size: 8pt }}
"""


def unavailable() -> str | None:
    return None if _program() else "Chromium is not installed"


def produce(source: Source, layout: Layout, target: Path) -> None:
    """Print one document."""
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder, "page.html")
        page.write_text("".join(_page(source, layout)), encoding="utf-8")
        # Its sandbox never works for root, and the page is our own.
        sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
        subprocess.run(
            [
                *(_program(), "--headless", "--disable-gpu", "--no-pdf-header-footer", *sandbox),
                *(f"--user-data-dir={folder}/profile", f"--print-to-pdf={target}", page.as_uri()),
            ],
            check=True,
            capture_output=True,
            timeout=_SECONDS,
        )


def _program() -> str:
    return next(filter(None, map(shutil.which, _PROGRAMS)), "")


def _page(source: Source, layout: Layout) -> Iterator[str]:
    direction = "rtl" if source.rtl else "ltr"
    style = _STYLE.format(
        paper=layout.paper,
        columns=layout.columns,
        size=layout.size,
        running=source.running,
        rules=_RULES[layout.rules],
    )
    yield f'<!doctype html><html lang="{source.language}" dir="{direction}"><meta charset="utf-8">'
    yield f"<title>{escape(source.running)}</title><style>{style}</style><body>"
    body = [block for block in source.blocks if block.kind != "note"]
    for kind, run in groupby(body, key=lambda block: block.kind):
        blocks = list(run)
        yield from _lists(blocks) if kind == "item" else map(_block, blocks)
    if source.notes:
        yield '<div class="notes">'
        for number, note in source.notes.items():
            yield f"<p><sup>{number}</sup> {_inline(note.spans)}</p>"
        yield "</div>"


def _lists(items: Sequence[Block]) -> Iterator[str]:
    """Items in a row as nested lists."""
    ends: list[str] = []
    for item in items:
        while len(ends) > item.level + 1:
            yield ends.pop()
        if len(ends) == item.level + 1:
            yield "</li>"
        else:
            tag = "ul" if item.number is None else "ol"
            ends.append(f"</li></{tag}>")
            yield f"<{tag}>"
        yield f"<li>{_inline(item.spans)}"
    yield from reversed(ends)


def _block(block: Block) -> str:
    words = _inline(block.spans)
    match block.kind:
        case "heading":
            return f"<h{block.level}>{words}</h{block.level}>"
        case "quote":
            return f"<blockquote><p>{words}</p></blockquote>"
        case "code":
            return f"<pre><code>{escape(block.code)}</code></pre>"
        case "figure":
            chart = plot.svg() if block.code == plot.NAME else '<div class="chart"></div>'
            return f"<figure>{chart}<figcaption>{words}</figcaption></figure>"
        case "table":
            return f"<table>{''.join(_rows(block))}</table>"
        case _:
            return f"<p>{words}</p>"


def _rows(table: Block) -> Iterator[str]:
    for at, row in enumerate(table.rows):
        tag = "td" if at else "th"
        cells = "".join(f"<{tag}>{_inline(cell)}</{tag}>" for cell in row)
        # The head of a table over several pages is repeated.
        yield f"<tr>{cells}</tr>" if at else f"<thead><tr>{cells}</tr></thead>"


def _inline(parts: Iterable[Span]) -> str:
    return "".join(map(_styled, parts))


def _styled(part: Span) -> str:
    if part.style == "note":
        return f"<sup>{part.text}</sup>"
    tag = _TAGS.get(part.style)
    return f"<{tag}>{escape(part.text)}</{tag}>" if tag else escape(part.text)
