"""A research session as one self-contained HTML page, readable without script or network."""

from collections.abc import Iterable, Iterator
from html import escape

from sourcewright.base.text.phrases import count_phrase
from sourcewright.base.urls.canonical import host_of
from sourcewright.domain.users.sessions import Gap, Session, Step
from sourcewright.services.sessions.report import (
    Report,
    ReportSource,
    clean_line,
    clean_text,
    doi_link,
    step_labels,
)
from sourcewright.services.sessions.report_graph import BranchGraph, graph_of, svg_row
from sourcewright.services.sessions.report_style import STYLE
from sourcewright.services.sessions.summaries import one_line

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
"""Content security policy: even injected content could not load or run anything."""
_TONE = {"high": "good", "low": "bad", "medium": "warn", "mixed": "warn"}


def html_report(report: Report) -> str:
    """The page: goal, map of the steps, steps, questions, sources, provenance."""
    session, graph = report.session, graph_of(report.session)
    body = "\n".join(
        [
            _header(report),
            *_summary(session),
            _section("Open questions", _questions(session, session.open_gaps, "None recorded.")),
            *_answered(session),
            _section("Map of the research", _map(session, graph)),
            _section("Steps", "\n".join(_steps(report, graph))),
            _section("Sources", _sources(report)),
            _footer(report),
        ]
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n<link rel="icon" href="data:,">\n'
        f"<title>{_line(one_line(session.subject.goal, 100))}</title>\n"
        f"<style>{STYLE}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def _header(report: Report) -> str:
    session = report.session
    state = (
        f"completed {_time(session.head.completed_at)}" if session.is_complete else "in progress"
    )
    counts = (
        f"{count_phrase(len(session.steps), 'step')},"
        f" {count_phrase(len(session.sources), 'source')},"
        f" {count_phrase(len(session.open_gaps), 'open question')}"
    )
    withdrawn = sum(one.is_withdrawn for one in report.sources)
    facts = {
        "Started": _time(session.head.started_at),
        "State": state,
        "Recorded": counts,
        **(
            {"Retracted": f"{count_phrase(withdrawn, 'source')}, marked below"}
            if withdrawn
            else {}
        ),
        **({"Retractions": report.notice_problem} if report.notice_problem else {}),
        **({"Links": _links_fact(report)} if report.checks else {}),
    }
    rows = "".join(f"<dt>{name}</dt><dd>{_line(value)}</dd>" for name, value in facts.items())
    return (
        f'<header>\n<p class="kicker">Research report</p>\n'
        f'<h1 dir="auto">{_line(session.subject.goal)}</h1>\n<dl class="facts">{rows}</dl>\n</header>'
    )


def _links_fact(report: Report) -> str:
    states = [check.state for check in report.checks.values()]
    live = states.count("live") + states.count("refused")
    dead = states.count("dead")
    unchecked = len(report.sources) - live - dead
    parts = [
        f"{live} of {len(report.sources)} answer",
        f"{dead} dead" if dead else "",
        f"{unchecked} not checked" if unchecked else "",
    ]
    return ", ".join(part for part in parts if part)


def _summary(session: Session) -> Iterator[str]:
    if session.subject.summary:
        yield _section("Summary", _paragraph(session.subject.summary))


def _questions(session: Session, gaps: Iterable[Gap], otherwise: str) -> str:
    items = "".join(
        f'<li><span dir="auto">{_line(gap.description)}</span>'
        f' <span class="meta">{_step_link(session, gap.found_in)}{_closing(session, gap)}</span></li>'
        for gap in gaps
    )
    return f"<ul>{items}</ul>" if items else f"<p>{otherwise}</p>"


def _closing(session: Session, gap: Gap) -> str:
    return f", answered in {_step_link(session, gap.closed_in)}" if gap.closed_in else ""


def _answered(session: Session) -> Iterator[str]:
    closed = [gap for gap in session.gaps if not gap.is_open]
    if closed:
        yield _section("Answered questions", _questions(session, closed, ""))


def _map(session: Session, graph: BranchGraph) -> str:
    superseded = session.superseded_by()
    rows = []
    for row, step in enumerate(session.steps):
        old = step.position in superseded
        drawing = svg_row(graph, row, classes=["superseded"] if old else [])
        css = ' class="old"' if old else ""
        words = f"<bdi{css}>{_line(one_line(step.description))}</bdi>"
        label = _map_label(session, step)
        rows.append(
            f'<li>{drawing}<a href="#step-{step.position}"><b>{step.number}</b> {words}</a>'
            f"{label}</li>"
        )
    return f'<ol class="map">{"".join(rows)}</ol>' if rows else "<p>None recorded.</p>"


def _map_label(session: Session, step: Step) -> str:
    """The name of a branch where it begins, and what a revision revises."""
    branch = session.branch_of(step)
    if branch and branch.first_step == step.position:
        return f'<span class="tag">{_line(one_line(branch.id, 24))}</span>'
    if step.revises is None:
        return ""
    return f'<span class="tag">revises {_line(session.step_name(step.revises))}</span>'


def _steps(report: Report, graph: BranchGraph) -> Iterator[str]:
    session = report.session
    superseded = session.superseded_by()
    by_step: dict[int, list[ReportSource]] = {}
    for source in report.sources:
        by_step.setdefault(source.source.found_in or 0, []).append(source)
    for row, step in enumerate(session.steps):
        classes = f"l{graph.lanes[row]}" + (" superseded" if step.position in superseded else "")
        tags = [
            f'<span class="tag">{_line(one)}</span>'
            for one in step_labels(session, step, superseded)
        ]
        if step.confidence:
            tone = _TONE[step.confidence]
            tags.append(f'<span class="tag {tone}">{step.confidence} confidence</span>')
        yield (
            f'<article id="step-{step.position}" class="{classes}">\n'
            f"<h3>Step {step.number} {' '.join(tags)}</h3>\n"
            f"{''.join(_step_body(step))}"
            f'<p class="meta">{" · ".join(_step_facts(step, by_step.get(step.position, [])))}</p>\n'
            "</article>"
        )


def _step_body(step: Step) -> Iterator[str]:
    yield _paragraph(step.description)
    if step.reasoning:
        yield _paragraph(step.reasoning, label="Why")
    if step.rejected_approaches:
        items = "".join(f'<li dir="auto">{_line(one)}</li>' for one in step.rejected_approaches)
        yield f'<p class="label">Rejected approaches</p>\n<ul>{items}</ul>\n'


def _step_facts(step: Step, sources: list[ReportSource]) -> Iterator[str]:
    yield f'<time datetime="{_line(step.at)}">{_line(_time(step.at))}</time>'
    if sources:
        links = " ".join(f'<a href="#source-{one.number}">[{one.number}]</a>' for one in sources)
        yield f"sources {links}"
    if step.opens_gap:
        yield f"raises question {step.opens_gap}"
    if step.closes_gap:
        yield f"answers question {step.closes_gap}"


def _sources(report: Report) -> str:
    items = "\n".join(_source(one, report.session) for one in report.sources)
    omitted = report.session.head.omitted_sources
    note = (
        f"<p>{count_phrase(omitted, 'more source')} could not be recorded.</p>" if omitted else ""
    )
    if not report.session.sources:
        return f"<p>None recorded.</p>{note}"
    return f'<ol class="sources">\n{items}\n</ol><p>{_line(report.selection.note)}</p>{note}'


def _source(listed: ReportSource, session: Session) -> str:
    source = listed.source
    classes = ' class="withdrawn"' if listed.is_withdrawn else ""
    if listed.link:
        title = _link(listed.link, f'<span dir="auto">{_line(listed.title)}</span>', css="title")
    else:
        title = f'<span class="title" dir="auto">{_line(listed.title)}</span> <code>{_line(source.url)}</code>'
    notice = f'<p class="notice" role="note">{_line(listed.notice)}</p>' if listed.notice else ""
    return (
        f'<li id="source-{listed.number}"{classes}>{title} {" ".join(_tags(listed))}'
        f'{notice}<div class="meta">{" · ".join(_details(listed, session))}</div></li>'
    )


def _tags(listed: ReportSource) -> Iterator[str]:
    if listed.notice_word:
        yield f'<span class="tag bad">{_line(listed.notice_word)}</span>'
    if listed.kind:
        yield f'<span class="tag">{_line(listed.kind)}</span>'
    if listed.rating:
        tone, basis = _TONE[listed.rating.tier], _line(listed.rating.basis)
        yield f'<span class="tag {tone}" title="{basis}">reputation: {listed.rating.tier}</span>'
    if listed.check and listed.check.state in ("dead", "unchecked"):
        yield f'<span class="tag {"bad" if listed.check.state == "dead" else "warn"}">{_line(listed.link_note or "")}</span>'


def _details(listed: ReportSource, session: Session) -> Iterator[str]:
    source = listed.source
    yield _line(host_of(source.url) or source.url)
    yield from (
        f'<span dir="auto">{_line(one)}</span>' for one in (source.author, source.date) if one
    )
    if source.doi:
        link = doi_link(source.doi)
        yield _link(link, f"doi:{_line(source.doi)}") if link else f"doi:{_line(source.doi)}"
    if listed.rating:
        yield f"rated {listed.rating.tier}: {_line(listed.rating.basis)}"
    if source.found_in:
        yield f"found in {_step_link(session, source.found_in)}"
    if listed.check and listed.check.wants_snapshot:
        yield _archive(listed)


def _archive(listed: ReportSource) -> str:
    check = listed.check
    if check and check.snapshot:
        return _link(check.snapshot.url, f"archived copy of {_line(check.snapshot.taken_at[:10])}")
    problem = check.snapshot_problem if check else None
    return f"archive could not be queried ({_line(problem)})" if problem else "no archived copy"


def _footer(report: Report) -> str:
    session = report.session
    return (
        f"<footer><p>Exported {_line(report.exported_at)} by Sourcewright from session"
        f" {_line(session.id)}, tenant {_line(session.owner.tenant)}.</p>"
        "<p>Titles and URLs of sources are third-party text. The report shows what was found"
        " and how; it is not a verdict.</p></footer>"
    )


def _section(title: str, inside: str) -> str:
    return f"<section>\n<h2>{title}</h2>\n{inside}\n</section>"


def _paragraph(text: str, *, label: str | None = None) -> str:
    lead = f'<span class="label">{label}:</span> ' if label else ""
    return f'<p class="text" dir="auto">{lead}{escape(clean_text(text))}</p>\n'


def _step_link(session: Session, position: int | None) -> str:
    name = session.step_name(position or 0)
    return f'<a href="#step-{position}">step {_line(name)}</a>'


def _link(url: str, inside: str, *, css: str = "") -> str:
    css_class = f' class="{css}"' if css else ""
    return f'<a{css_class} href="{escape(url)}" rel="noopener noreferrer">{inside}</a>'


def _line(text: str) -> str:
    return escape(clean_line(text))


def _time(stamp: str | None) -> str:
    """A timestamp for people, to the second."""
    return f"{stamp[:19].replace('T', ' ')} UTC" if stamp else ""
