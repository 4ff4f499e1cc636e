"""HTML report of an audit: one page without scripts, and without external styles or images."""

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any, NamedTuple

from sourcewright.base.errors import InvalidInput
from sourcewright.base.identifiers import parse_doi
from sourcewright.base.text.phrases import count_phrase
from sourcewright.base.urls.parts import url_parts_of
from sourcewright.cli.reports.audit_table import WHICH_WORK, Entry, Problem, problems_of

_STYLE = """
:root{color-scheme:light dark;--page:#fff;--ink:#1b2530;--quiet:#515f6d;--line:#d3dae1;--card:#f7f9fb;
--link:#0b57a4;--retracted:#a3170d;--not_found:#7a1fa2;--mismatch:#8a4b00;--dead_link:#35566e;
--notice:#7a5a00;--unconfirmed:#4a5560;--confirmed:#17652f}
@media (prefers-color-scheme:dark){:root{--page:#12171d;--ink:#e6ebf0;--quiet:#a9b6c3;--line:#36414d;
--card:#1a2129;--link:#8cc4ff;--retracted:#ffa198;--not_found:#dca6f5;--mismatch:#f5bd6b;
--dead_link:#9cc9e8;--notice:#e8cf6a;--unconfirmed:#c0cad4;--confirmed:#86d99c}}
*{box-sizing:border-box}
body{font:1rem/1.5 system-ui,sans-serif;margin:0 auto;max-width:60rem;padding:1.5rem 1rem 3rem;
color:var(--ink);background:var(--page);overflow-wrap:anywhere}
h1{font-size:1.6rem;line-height:1.2;margin:0 0 .5rem}
h2{font-size:1.15rem;margin:2rem 0 .25rem}
h3{font-size:1.05rem;line-height:1.35;margin:.25rem 0}
p{margin:.25rem 0}a{color:var(--link)}
.quiet{color:var(--quiet)}
.counts{display:flex;flex-wrap:wrap;gap:.4rem .5rem;list-style:none;margin:.75rem 0;padding:0}
.mark{color:var(--kind);border:1px solid var(--kind);border-radius:1rem;padding:.05rem .65rem;
font-size:.9rem;font-weight:600;white-space:nowrap}
article{background:var(--card);border:1px solid var(--line);border-left:.35rem solid var(--kind);
border-radius:.4rem;padding:.75rem 1rem;margin:.75rem 0;break-inside:avoid}
.head{display:flex;flex-wrap:wrap;gap:.3rem .75rem;align-items:center}
code,pre{font:.9rem/1.45 ui-monospace,monospace}
pre{white-space:pre-wrap;margin:.4rem 0 0;padding:.6rem .75rem;border:1px solid var(--line);
border-radius:.3rem;background:var(--page)}
.problem{margin:.5rem 0 0}.problem b,.problem .quiet{display:inline-block}
.problem b::first-letter,.problem .quiet::first-letter{text-transform:uppercase}
table{border-collapse:collapse;table-layout:fixed;width:100%;margin:.5rem 0 .25rem}
th,td{text-align:left;vertical-align:top;padding:.3rem .75rem .3rem 0;border-top:1px solid var(--line);
font-weight:400}
th:first-child{width:6rem}th{color:var(--quiet)}.right{font-weight:600}
summary{cursor:pointer;padding:.2rem 0}
.sound{list-style:none;margin:.25rem 0;padding:0}
.sound li{border-top:1px solid var(--line);padding:.4rem 0}
@media (max-width:36rem){body{padding:1rem .75rem 2rem}article{padding:.6rem .75rem}
thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
table,tbody,tr,th,td{display:block}tr{border-top:1px solid var(--line);padding:.3rem 0}
tbody th{text-transform:capitalize}th,td{border:0;padding:0}
td::before{content:attr(data-name) ": ";color:var(--quiet);font-weight:400}}
@page{margin:1.5cm}
@media print{:root{color-scheme:light;--page:#fff;--ink:#000;--quiet:#333;--line:#999;--card:#fff;
--link:#000}body{max-width:none;padding:0;font-size:.85rem}
details::details-content{content-visibility:visible;display:block;height:auto}summary{list-style:none}}
"""


class _Kind(NamedTuple):
    """What an entry is, by its gravest problem: its colour, and its name on the page."""

    colour: str
    name: str


_KINDS = (
    _Kind("retracted", "retracted"),
    _Kind("not_found", "not found"),
    _Kind("mismatch", "wrong fields"),
    _Kind("dead_link", "dead link"),
    _Kind("notice", "has a notice"),
    _Kind("unconfirmed", "not confirmed"),
    _Kind("confirmed", "confirmed"),
)
"""The gravest first."""


def audit_page(audits: Sequence[tuple[str, Mapping[str, Any]]]) -> str:
    """The page for all files; `audits` are the name of each file and its result."""
    parts = [part for name, answer in audits for part in _file(name, answer)]
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>Audit of references</title><style>{_STYLE}</style></head><body><main>"
        f"<h1>Audit of references</h1>{''.join(parts)}</main></body></html>\n"
    )


def _file(name: str, answer: Mapping[str, Any]) -> Iterator[str]:
    ranked = sorted(
        ((_kind(entry), entry) for entry in answer["entries"]),
        key=lambda one: _KINDS.index(one[0]),
    )
    counts = [(kind, sum(one is kind for one, _ in ranked)) for kind in _KINDS]
    yield f"<h2>{escape(name)}</h2>"
    checked_at = answer["checkedAt"]
    day, time = escape(checked_at[:10]), escape(checked_at[11:16])
    yield f'<p class="quiet">{count_phrase(len(ranked), "reference")}, checked on '
    yield f'<time datetime="{escape(checked_at)}">{day} at {time} UTC</time></p><ul class="counts">'
    yield from (
        f"<li>{_mark(kind, f'{count} {kind.name}')}</li>" for kind, count in counts if count
    )
    yield "</ul>"
    sound = [entry for kind, entry in ranked if not any(problems_of(entry))]
    for kind, entry in ranked:
        if entry not in sound:
            yield from _article(kind, entry)
    if sound:
        yield f"<details><summary>{count_phrase(len(sound), 'reference')} without a problem</summary>"
        yield '<ul class="sound">'
        yield from (f"<li>{_title(one)}<br>{_place(one)}</li>" for one in sound)
        yield "</ul></details>"


def _kind(entry: Entry) -> _Kind:
    flags, status = entry["flags"], entry["status"]
    is_kind = {
        "retracted": "retracted" in flags,
        "not_found": "not_found" in (status, *flags),
        "mismatch": status == "mismatch",
        "dead_link": "dead_link" in flags,
        "notice": bool(entry.get("retractionStatus")),
        "unconfirmed": status != "verified" or any(problems_of(entry)),
        "confirmed": True,
    }
    return next(kind for kind in _KINDS if is_kind[kind.colour])


def _mark(kind: _Kind, text: str) -> str:
    return f'<span class="mark" style="--kind:var(--{kind.colour})">{escape(text)}</span>'


def _article(kind: _Kind, entry: Entry) -> Iterator[str]:
    yield f'<article style="--kind:var(--{kind.colour})"><div class="head">{_mark(kind, kind.name)}'
    yield f'<span class="quiet">{_place(entry)}</span></div><h3>{_title(entry)}</h3>'
    problems = list(problems_of(entry))
    yield from (_problem(one) for one in problems if not one.field)
    yield from _fields([one for one in problems if one.field])
    if suggestion := entry.get("suggestion"):
        yield "<details><summary>The entry as the record has it</summary>"
        yield f"<pre>{escape(suggestion)}</pre></details>"
    yield "</article>"


def _fields(problems: Sequence[Problem]) -> Iterator[str]:
    """The fields that differ, each beside what the record says."""
    if not problems:
        return
    yield '<table><thead><tr><th scope="col">Field</th><th scope="col">The file has</th>'
    yield '<th scope="col">The record says</th></tr></thead><tbody>'
    for one in problems:
        yield f'<tr><th scope="row">{escape(one.field)}</th>'
        yield f'<td data-name="The file has">{escape(one.given)}</td>'
        yield f'<td data-name="The record says" class="right">{_linked(one.record)}</td></tr>'
    yield "</tbody></table>"
    if any(one.advice == WHICH_WORK for one in problems):
        yield f'<p class="problem"><b>{WHICH_WORK}.</b></p>'


def _problem(problem: Problem) -> str:
    see = f" {_linked(problem.record)}" if problem.record else ""
    return (
        f'<p class="problem"><b>{escape(problem.text)}.</b>{see} '
        f'<span class="quiet">{escape(problem.advice)}.</span></p>'
    )


def _title(entry: Entry) -> str:
    """The title as the file has it; for one without, that of the record."""
    title = entry.get("title") or entry.get("matchedRecord", {}).get("title")
    return escape(title or "Reference without a title")


def _place(entry: Entry) -> str:
    """Where the entry is in the file, and its identifier as a link."""
    line = f"line {entry['line']}" if entry.get("line") else f"number {entry['index'] + 1}"
    key = entry.get("key")
    address = entry.get("doi") or entry.get("url") or entry.get("matchedRecord", {}).get("doi")
    parts = (f"<code>{escape(key)}</code>" if key else "", line, _linked(address or ""))
    return " · ".join(filter(None, parts))


def _linked(text: str) -> str:
    """A DOI or a web address as a link; any other text as it is."""
    try:
        address = parse_doi(text).url
    except InvalidInput:
        is_web = text.startswith(("http://", "https://")) and url_parts_of(text) is not None
        address = text if is_web else ""
    if not address:
        return escape(text)
    return f'<a href="{escape(address)}" rel="noreferrer">{escape(text)}</a>'
