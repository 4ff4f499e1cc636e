"""Sets documents with pdfLaTeX, as papers are: hyphenation, kerning, notes, and its own fonts."""

import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise
from pathlib import Path

from pdf_markdown import Block, Layout, Source, Span
from pdf_producers import plot

NAME = "LaTeX"
_PROGRAM = "pdflatex"
_SECONDS = 120
_LONG = 20
"""Rows of a table that may go over several pages."""
_HEADINGS = {1: "section*", 2: "subsection*", 3: "subsubsection*"}
_COMMANDS = {"bold": "textbf", "italic": "emph", "code": "texttt"}
_ESCAPES = {
    **{char: f"\\{char}" for char in "#$%&_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    '"': r"\textquotedbl{}",
    "\u2212": r"$-$",
    "\u00b5": r"\textmu{}",
}
_SPECIAL = re.compile("|".join(map(re.escape, _ESCAPES)))
_SETUP = r"""\documentclass[10pt,%(paper)spaper%(columns)s]{article}
\usepackage[T1]{fontenc}\usepackage{mathptmx}
\usepackage{array,booktabs,fancyhdr,longtable,textcomp}
\usepackage[hmargin=17mm,vmargin=22mm]{geometry}
\pagestyle{fancy}\fancyhf{}\fancyhead[L]{\small %(running)s}\fancyhead[R]{\small\thepage}
\setlength{\headheight}{13pt}\setlength{\emergencystretch}{3em}
\begin{document}
"""


def unavailable() -> str | None:
    return None if shutil.which(_PROGRAM) else "pdfLaTeX is not installed"


def unsettable(source: Source) -> str | None:
    """Why this document cannot be set, if it cannot."""
    return "pdfLaTeX sets no lines from right to left" if source.rtl else None


def produce(source: Source, layout: Layout, target: Path) -> None:
    """Compile one document."""
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder, "page.tex")
        page.write_text("\n".join(_page(source, layout)), encoding="utf-8")
        subprocess.run(
            [_PROGRAM, "-interaction=batchmode", "-halt-on-error", page.name],
            cwd=folder,
            check=True,
            capture_output=True,
            timeout=_SECONDS,
        )
        shutil.move(page.with_suffix(".pdf"), target)


def _page(source: Source, layout: Layout) -> Iterator[str]:
    title, *blocks = [block for block in source.blocks if block.kind != "note"]
    yield _SETUP % {
        "paper": layout.paper,
        "columns": ",twocolumn" if layout.columns > 1 else "",
        "running": _escaped(source.running),
    }
    heading = rf"{{\LARGE\bfseries {_inline(title.spans, source)}\par}}\bigskip"
    yield rf"\twocolumn[{heading}]" if layout.columns > 1 else rf"\noindent{heading}"
    for kind, run in groupby(blocks, key=lambda block: block.kind):
        if kind == "item":
            yield from _lists(list(run), source)
        else:
            yield from (_block(block, source, layout) for block in run)
    yield r"\end{document}"


def _lists(items: Sequence[Block], source: Source) -> Iterator[str]:
    ends: list[str] = []
    for item in items:
        while len(ends) > item.level + 1:
            yield ends.pop()
        if len(ends) <= item.level:
            name = "itemize" if item.number is None else "enumerate"
            yield rf"\begin{{{name}}}"
            ends.append(rf"\end{{{name}}}")
        label = "" if item.number is None else f"[{item.number}.]"
        yield rf"\item{label} {_inline(item.spans, source)}"
    yield from reversed(ends)


def _block(block: Block, source: Source, layout: Layout) -> str:
    words = _inline(block.spans, source)
    if block.kind == "table":
        return _table(block, source, layout)
    forms = {
        "heading": f"\\{_HEADINGS.get(block.level - 1, 'paragraph')}{{{words}}}",
        "quote": rf"\begin{{quote}}{words}\end{{quote}}",
        "code": f"\\begin{{small}}\\begin{{verbatim}}\n{block.code}\n\\end{{verbatim}}\\end{{small}}",
        "figure": rf"\noindent{_chart(block)}\par\noindent{{\small {words}}}",
    }
    return forms.get(block.kind, words) + "\n"


def _chart(block: Block) -> str:
    if block.code != plot.NAME:
        return r"\rule{\linewidth}{30mm}"
    lines = [
        rf"\qbezier({x},{y})({(x + right) / 2},{(y + top) / 2})({right},{top})"
        for (x, y), (right, top) in pairwise(plot.CURVE)
    ]
    lines += [
        rf"\put({x},{plot.BOTTOM}){{\rule{{{plot.BAR_WIDTH}pt}}{{{high}pt}}}}"
        for x, high in plot.BARS
    ]
    lines += [
        rf"\put({one.x},{one.y}){{\makebox(0,0)[b]{{\scriptsize {_escaped(one.text)}}}}}"
        for one in plot.labels()
    ]
    axes = rf"\put({plot.LEFT},{plot.BOTTOM}){{\line(1,0){{200}}}}"
    axes += rf"\put({plot.LEFT},{plot.BOTTOM}){{\line(0,1){{90}}}}"
    return (
        rf"\setlength{{\unitlength}}{{1pt}}\begin{{picture}}({plot.WIDTH},{plot.HEIGHT})"
        rf"{axes}{''.join(lines)}\end{{picture}}"
    )


def _table(table: Block, source: Source, layout: Layout) -> str:
    across = len(table.rows[0])
    width = rf"\dimexpr(\linewidth-{2 * across}\tabcolsep)/{across}-1pt\relax"
    bar = "|" if layout.rules == "grid" else ""
    column = rf">{{\raggedright\arraybackslash}}p{{{width}}}{bar}"
    rows = [" & ".join(_inline(cell, source) for cell in row) + r" \\" for row in table.rows]
    top, middle, bottom = {
        "grid": (r"\hline", r"\hline", r"\hline"),
        "lines": (r"\toprule", "", r"\bottomrule"),
        "none": ("", "", ""),
    }[layout.rules]
    after_head = r"\midrule" if layout.rules == "lines" else middle
    body = f"\n{middle}\n".join(rows[1:])
    if len(rows) > _LONG and layout.columns == 1:
        return (
            rf"{{\footnotesize\begin{{longtable}}{{{bar}{column * across}}}"
            f"\n{top}\n{rows[0]}\n{after_head}\n\\endhead\n{body}\n{bottom}\n"
            r"\end{longtable}}"
        )
    return (
        rf"\begin{{center}}\footnotesize\begin{{tabular}}{{{bar}{column * across}}}"
        f"\n{top}\n{rows[0]}\n{after_head}\n{body}\n{bottom}\n"
        r"\end{tabular}\end{center}"
    )


def _inline(parts: Iterable[Span], source: Source) -> str:
    return "".join(_styled(part, source) for part in parts)


def _styled(part: Span, source: Source) -> str:
    if part.style == "note":
        return rf"\footnote{{{_inline(source.notes[part.text].spans, source)}}}"
    command = _COMMANDS.get(part.style)
    return f"\\{command}{{{_escaped(part.text)}}}" if command else _escaped(part.text)


def _escaped(text: str) -> str:
    return _SPECIAL.sub(lambda special: _ESCAPES[special[0]], text)
