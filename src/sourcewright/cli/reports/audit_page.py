"""HTML report of an audit: one page without scripts, and without external styles or images."""

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

from sourcewright.cli.reports.audit_table import entry_name, rows_of, summary_line

_STYLE = """
body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem;
color:#1d2733;background:#fff}
h1{font-size:1.5rem}h2{font-size:1.1rem;margin:2rem 0 .5rem}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:.4rem .8rem .4rem 0;border-bottom:1px solid #d5dce3;
overflow-wrap:anywhere}
th{font-weight:600}td:first-child,.status{white-space:nowrap}
pre{white-space:pre-wrap;background:#f3f6f8;padding:.6rem;margin:.3rem 0}
.status{border-radius:.3rem;padding:0 .4rem;background:#e7ecf0}
.mismatch,.not_found,.retracted{background:#fbe3e0}.verified{background:#dff1e3}
@media (prefers-color-scheme:dark){body{color:#e3e8ed;background:#14191f}
th,td{border-color:#36414c}pre{background:#1e262e}.status{background:#2c3640}
.mismatch,.not_found,.retracted{background:#5b2a26}.verified{background:#23472c}}
"""


def audit_page(audits: Sequence[tuple[str, Mapping[str, Any]]]) -> str:
    """The page for all files; `audits` are the name of each file and its result."""
    parts = [part for name, answer in audits for part in _file(name, answer)]
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>Audit of references</title><style>{_STYLE}</style></head><body>"
        f"<h1>Audit of references</h1>{''.join(parts)}</body></html>\n"
    )


def _file(name: str, answer: Mapping[str, Any]) -> Iterator[str]:
    entries = answer["entries"]
    yield f"<h2>{escape(name)}</h2><p>{escape(summary_line(entries))}."
    yield f" Checked at {escape(answer['checkedAt'])}.</p>"
    yield "<table><thead><tr><th>entry</th><th>status</th><th>problem</th><th>the record says</th>"
    yield "<th>what to do</th></tr></thead><tbody>"
    for entry in entries:
        yield from _rows(entry)
    yield "</tbody></table>"


def _rows(entry: Mapping[str, Any]) -> Iterator[str]:
    label = "retracted" if "retracted" in entry["flags"] else entry["status"]
    status = f'<span class="status {escape(label)}">{escape(label.replace("_", " "))}</span>'
    rows = rows_of(entry) or [(entry_name(entry), "", "", "")]
    for at, (name, *cells) in enumerate(rows):
        texts = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
        yield f"<tr><td>{escape(name)}</td><td>{'' if at else status}</td>{texts}</tr>"
    if suggestion := entry.get("suggestion"):
        yield f'<tr><td></td><td colspan="4"><pre>{escape(suggestion)}</pre></td></tr>'
