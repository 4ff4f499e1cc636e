"""Prints papers of scholarly indexes: a readable list, CSV or BibTeX."""

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any

from sourcewright.base.works import Notice
from sourcewright.cli import render
from sourcewright.cli.search_results import INDENT, show_heading
from sourcewright.references.bibtex_writer import write_bibtex
from sourcewright.references.citation_keys import citation_keys
from sourcewright.references.entries import Acquisition, Entry

_MOST_AUTHORS = 6
_COLUMNS = (
    *("title", "authors", "year", "journal", "doi", "url", "pdfUrl", "openAccess"),
    *("citationCount", "citationCountSource", "retracted", "notice", "noticeDoi", "sources"),
)
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""A cell that starts with one of these is a formula to a spreadsheet."""


def show_papers(papers: Sequence[Mapping[str, Any]]) -> None:
    for number, paper in enumerate(papers, start=1):
        show_heading(number, paper["title"], paper["url"] or "(no URL known)")
        _show_notice(paper)
        facts = (_authors(paper), paper.get("journal"), str(paper.get("year") or ""))
        if any(facts):  # of a page that a search engine found, nothing is known
            render.paragraph(", ".join(filter(None, facts)), indent=INDENT)
        if paper.get("pdfUrl"):
            render.line(f"{INDENT}open copy: {paper['pdfUrl']}", colour="green")
        elif paper.get("openAccess"):
            render.line(f"{INDENT}free to read at its URL", colour="green")
        render.paragraph(", ".join(_counts(paper)), indent=INDENT)
        for version in paper.get("versions") or ():
            if version["kind"] == "preprint":
                name = version.get("arxivId") or version.get("doi") or version.get("url") or ""
                render.line(f"{INDENT}preprint: {version.get('venue') or ''} {name}".rstrip())
        excerpt = paper.get("tldr") or paper.get("abstract") or paper.get("snippet")
        if excerpt:
            render.paragraph(excerpt, indent=INDENT)


def show_seed(paper: Mapping[str, Any]) -> None:
    """Print the paper whose citations are listed, with its notices."""
    year = f" ({paper['year']})" if paper.get("year") else ""
    render.item(f"{paper['title']}{year}", bold=True)
    _show_notice(paper)


def show_failures(answer: Mapping[str, Any]) -> None:
    """List the indexes that did not answer, and why."""
    for name, why in (answer.get("sourcesFailed") or {}).items():
        render.item(f"{name} did not answer: {why.replace('_', ' ')}", colour="yellow")
    check = answer.get("noticeCheck")
    for name, why in (check["failed"] if check else {}).items():
        render.item(
            f"{name} could not be queried for retractions: {why.replace('_', ' ')}",
            colour="yellow",
        )


def as_csv(papers: Sequence[Mapping[str, Any]]) -> str:
    """The papers as CSV, one in each row."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for paper in papers:
        writer.writerow([_cell(value) for value in _row(paper)])
    return out.getvalue()


def as_bibtex(papers: Sequence[Mapping[str, Any]]) -> str:
    """The papers as BibTeX entries with unique keys."""
    entries = [_entry(paper) for paper in papers]
    keys = citation_keys(entries)
    written = (write_bibtex(entry, key) for entry, key in zip(entries, keys, strict=True))
    return "\n".join(written)


def _show_notice(paper: Mapping[str, Any]) -> None:
    for notices in _by_notice(paper.get("notices") or ()):
        kind = notices[0]["kind"].replace("_", " ")
        date, doi = (_first(notices, name) for name in ("date", "doi"))
        by = ", ".join(dict.fromkeys(map(_teller, notices)))
        colour = "red" if "RETRACTION" in kind.upper() or kind in _WORST else "yellow"
        text = f"{' '.join(filter(None, (kind.upper(), date, doi)))} (according to {by})"
        render.item(text, indent=INDENT, bold=True, colour=colour)


_WORST = ("withdrawal", "removal")


def _by_notice(notices: Sequence[Mapping[str, Any]]) -> list[list[Mapping[str, Any]]]:
    """Group reports of several indexes by notice; one without a DOI matches any of its kind."""
    groups: dict[tuple[str, str | None], list[Mapping[str, Any]]] = {}
    for notice in sorted(notices, key=lambda one: "doi" not in one):
        kind, doi = notice["kind"], notice.get("doi")
        same = next((key for key in groups if key[0] == kind and doi is None), (kind, doi))
        groups.setdefault(same, []).append(notice)
    return list(groups.values())


def _first(notices: Sequence[Mapping[str, Any]], name: str) -> str | None:
    return next((one[name] for one in notices if one.get(name)), None)


def _teller(notice: Mapping[str, Any]) -> str:
    by, source = notice.get("assertedBy"), str(notice["source"])
    return f"{by} in {source}" if by else source


def _authors(paper: Mapping[str, Any]) -> str:
    names = paper.get("authors") or []
    text = ", ".join(names[:_MOST_AUTHORS])
    return f"{text} and {len(names) - _MOST_AUTHORS} more" if len(names) > _MOST_AUTHORS else text


def _counts(paper: Mapping[str, Any]) -> list[str]:
    parts = []
    if paper.get("citationCount") is not None:
        parts.append(
            f"cited {paper['citationCount']} times according to {paper['citationCountSource']}"
        )
    if paper.get("isInfluential"):
        parts.append("influential")
    if paper.get("citationIntents"):
        parts.append(f"cited for {', '.join(paper['citationIntents'])}")
    sources = paper.get("sources") or [paper["source"]]
    return [*parts, f"in {', '.join(sources)}"]


def _row(paper: Mapping[str, Any]) -> list[Any]:
    status = paper.get("retractionStatus") or {}
    return [
        paper["title"],
        "; ".join(paper.get("authors") or ()),
        *(paper.get(name) for name in ("year", "journal", "doi", "url", "pdfUrl", "openAccess")),
        *(paper.get(name) for name in ("citationCount", "citationCountSource")),
        status.get("retracted", ""),
        status.get("kind"),
        status.get("noticeDoi"),
        "; ".join(paper.get("sources") or (paper["source"],)),
    ]


def _cell(value: Any) -> str:
    text = render.plain("" if value is None else value)
    return f"'{text}" if text.startswith(_FORMULA) else text


def _notices(paper: Mapping[str, Any]) -> tuple[Notice, ...]:
    return tuple(
        Notice(
            kind=one["kind"],
            source=one["source"],
            doi=one.get("doi"),
            date=one.get("date"),
            label=one.get("label"),
            asserted_by=one.get("assertedBy"),
        )
        for one in paper.get("notices") or ()
    )


def _entry(paper: Mapping[str, Any]) -> Entry:
    return Entry(
        key=paper.get("doi") or paper["url"] or paper["title"],
        title=paper["title"],
        authors=tuple(paper.get("authors") or ()),
        holding=Acquisition(fetched_at="", source=paper["source"], notices=_notices(paper)),
        year=paper.get("year"),
        doi=paper.get("doi"),
        arxiv_id=paper.get("arxivId"),
        pmid=f"pmid:{paper['pmid']}" if paper.get("pmid") else None,
        pmcid=paper.get("pmcid"),
        venue=paper.get("journal"),
        volume=paper.get("volume"),
        issue=paper.get("issue"),
        pages=paper.get("pages"),
        publisher=paper.get("publisher"),
        type=paper.get("type"),
        url=paper["url"] or None,
    )
