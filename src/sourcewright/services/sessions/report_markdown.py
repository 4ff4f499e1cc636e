"""A research session as a Markdown report."""

import re
from collections.abc import Iterator, Sequence

from sourcewright.base.text.phrases import count_phrase
from sourcewright.domain.users.sessions import Session, Step
from sourcewright.services.sessions.report import (
    Report,
    ReportSource,
    clean_line,
    clean_text,
    doi_link,
    step_labels,
)

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~&!])")
_BLOCK_START = re.compile(r"^([ ]{0,3})(?=#|>|\||`{3}|~{3}|[-=*_]{2,}[ \t]*$)", re.MULTILINE)
"""Where a heading, quotation, table, fence or rule would begin."""
_IMAGE_OR_ODD_LINK = re.compile(r"!(?=\[)|(?<=\])\((?!<?https?://)", re.IGNORECASE)


def markdown_report(report: Report) -> str:
    """The report: goal, facts, steps, open questions, sources, provenance."""
    session = report.session
    blocks = [
        f"# {_inline(session.subject.goal)}",
        _facts(report),
        *([f"## Summary\n\n{_prose(session.subject.summary)}"] if session.subject.summary else []),
        "## Steps",
        *_steps(report),
        "## Open Questions",
        _questions(session),
        *([f"## Answered Questions\n\n{_answered(session)}"] if _closed(session) else []),
        "## Sources",
        _sources(report),
        "---",
        (
            f"*Exported {report.exported_at} from session {_inline(session.id)}, tenant"
            f" {_inline(session.owner.tenant)}. Titles and URLs of sources are third-party text.*"
        ),
    ]
    return "\n\n".join(blocks) + "\n"


def _facts(report: Report) -> str:
    session = report.session
    problem = report.notice_problem
    state = f"completed {session.head.completed_at}" if session.is_complete else "in progress"
    counts = (
        f"{count_phrase(len(session.steps), 'step')}, "
        f"{count_phrase(len(session.sources), 'source')}"
    )
    return "\n".join(
        [
            f"- Session: {_inline(session.id)}",
            f"- Started: {session.head.started_at}",
            f"- State: {state}",
            f"- Recorded: {counts}",
            *([f"- Retractions: {_inline(problem)}"] if problem else []),
        ]
    )


def _steps(report: Report) -> Iterator[str]:
    session = report.session
    superseded = session.superseded_by()
    for step in session.steps:
        labels = step_labels(session, step, superseded)
        suffix = f" ({_inline('; '.join(labels))})" if labels else ""
        yield f"### Step {step.number}{suffix}"
        yield _prose(step.description)
        if step.reasoning:
            yield f"**Reasoning:** {_prose(step.reasoning)}"
        if step.rejected_approaches:
            rejected = "\n".join(f"- {_inline(one)}" for one in step.rejected_approaches)
            yield f"**Rejected approaches:**\n\n{rejected}"
        yield _step_facts(step, report.sources)


def _step_facts(step: Step, sources: Sequence[ReportSource]) -> str:
    numbers = [f"[{one.number}]" for one in sources if one.source.found_in == step.position]
    facts = [
        f"Confidence: {step.confidence}" if step.confidence else None,
        f"Sources: {', '.join(numbers)}" if numbers else None,
        f"Answers question {step.closes_gap}" if step.closes_gap else None,
        f"Raises question {step.opens_gap}" if step.opens_gap else None,
        f"Recorded: {step.at}",
    ]
    return "*" + " · ".join(fact for fact in facts if fact) + "*"


def _questions(session: Session) -> str:
    if not session.open_gaps:
        return "None recorded."
    return "\n".join(
        f"- {_inline(gap.description)} (question {gap.number}, step {session.step_name(gap.found_in)})"
        for gap in session.open_gaps
    )


def _closed(session: Session) -> bool:
    return any(not gap.is_open for gap in session.gaps)


def _answered(session: Session) -> str:
    return "\n".join(
        f"- {_inline(gap.description)} (question {gap.number}, raised in step {session.step_name(gap.found_in)},"
        f" answered in step {session.step_name(gap.closed_in or 0)})"
        for gap in session.gaps
        if not gap.is_open
    )


def _sources(report: Report) -> str:
    if not report.session.sources:
        return "None recorded."
    lines = [_source(one, report.session) for one in report.sources]
    omitted = report.session.head.omitted_sources
    note = f"\n\n{count_phrase(omitted, 'more source')} could not be recorded." if omitted else ""
    return "\n".join([*lines, "", report.selection.note]) + note


def _source(listed: ReportSource, session: Session) -> str:
    source = listed.source
    title = _inline(listed.title)
    if listed.link:
        name = f"[{title}](<{listed.link}>)"
    else:
        name = f"{title} ({_code(source.url)})" if source.title else _code(source.url)
    doi = source.doi and doi_link(source.doi)
    step = f"step {session.step_name(source.found_in)}" if source.found_in else None
    details = [
        _inline(source.author) if source.author else None,
        _inline(source.date) if source.date else None,
        f"[doi:{_inline(source.doi)}](<{doi}>)" if source.doi and doi else None,
        listed.kind,
        f"reputation {listed.rating.tier}" if listed.rating else None,
        step,
        _inline(listed.link_note) if listed.link_note else None,
        _snapshot(listed),
    ]
    notice = f" **{_inline(listed.notice)}.**" if listed.notice else ""
    known = " · ".join(one for one in details if one)
    return f"{listed.number}. {name}{notice}" + (f" — {known}" if known else "")


def _snapshot(listed: ReportSource) -> str | None:
    if listed.check is None or not listed.check.wants_snapshot:
        return None
    if listed.check.snapshot:
        return f"[archived {listed.check.snapshot.taken_at[:10]}](<{listed.check.snapshot.url}>)"
    problem = listed.check.snapshot_problem
    return f"archive could not be queried ({_inline(problem)})" if problem else "not archived"


def _inline(text: str) -> str:
    """Third-party text on one line, with Markdown's special characters escaped."""
    return _SPECIAL.sub(r"\\\1", clean_line(text))


def _prose(text: str) -> str:
    """The caller's own text: its emphasis, lists and web links stay, but no headings, images or HTML."""
    escaped = clean_text(text).replace("&", "&amp;").replace("<", "&lt;")
    plain = _IMAGE_OR_ODD_LINK.sub(lambda match: f"\\{match[0]}", escaped)
    return _BLOCK_START.sub(r"\1\\", plain)


def _code(text: str) -> str:
    return f"`{clean_line(text).replace('`', chr(39))}`"
