"""Shared by the commands `sessions` and `export`: finds, shows, writes and deletes sessions."""

import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

import click

from sourcewright.base.errors import InvalidInput, SessionNotFound
from sourcewright.base.text.phrases import count_phrase
from sourcewright.cli import render, tool_calls
from sourcewright.cli.exit_codes import RESEARCH_EXIT_CODES
from sourcewright.cli.shell.confirmation import confirm
from sourcewright.cli.shell.output_files import write_file
from sourcewright.domain.users.sessions import Limits, SessionListing

_LEAST_PREFIX, _SHOWN_PREFIX = 4, 8
_STDOUT = Path("-")
_NOT_FOUND = "session_not_found"
_FORMATS = ("markdown", "json", "html")

Command = TypeVar("Command", bound=Callable[..., Any])


def export_options(command: Command) -> Command:
    """Add the options for the formats and files to write."""
    decorated = click.option(
        "--verify-links",
        is_flag=True,
        help="Check every source's link, and find archived copies of dead ones.",
    )(command)
    words = {"markdown": "a report", "json": "all data", "html": "a page for readers"}
    for name in reversed(_FORMATS):
        decorated = click.option(
            f"--{name}",
            name,
            type=click.Path(path_type=Path, allow_dash=True, dir_okay=False),
            help=f"Write {words[name]} to this file; - means standard output.",
        )(decorated)
    return decorated


def listings() -> Sequence[SessionListing]:
    """Return the caller's sessions, the most recently used first."""
    return tool_calls.run_with_application(_listings)


def damage() -> str | None:
    """Return a message about sessions that were lost with a damaged file."""
    return tool_calls.run_with_application(_damage)


def listing_fields(one: SessionListing) -> dict[str, Any]:
    fields = asdict(one)
    times = {name: _timestamp(fields.pop(name)) for name in ("used_at", "expires_at")}
    return {**fields, **times}


def export(session: str, *, verify_links: bool = False, **files: Any) -> int:
    """Write a session in each format that has a file; without any, print it as Markdown."""
    targets: dict[str, Path] = {name: files[name] for name in _FORMATS if files.get(name)}
    if list(targets.values()).count(_STDOUT) > 1:
        raise click.UsageError("only one format can be written to standard output")
    targets = targets or {"markdown": _STDOUT}
    try:
        documents = tool_calls.run_with_application(
            lambda application: _documents(
                application, session, list(targets), verify_links=verify_links
            )
        )
    except SessionNotFound as error:
        return _not_found(error)
    for name, target in targets.items():
        if target == _STDOUT:
            render.document(documents[name])
        else:
            write_file(target, documents[name])
            render.status(f"wrote {target}")
    return 0


def show(session: str, step: int | None, *, as_json: bool) -> int:
    """Print a session, or one step of it; returns the exit code."""
    result = tool_calls.run_with_application(lambda application: _read(application, session, step))
    if as_json:
        render.data(result)
        return render.exit_code(result)
    if render.is_failure(result):
        return render.failure(result)
    if step is None:
        _show_session(result)
    else:
        _show_step(result["step"], result["sources"])
    return 0


def delete(session: str, *, confirmed: bool, as_json: bool) -> int:
    """Delete a session, after confirmation on a terminal; returns the exit code."""

    async def work(application: Any) -> str:
        services = application.services.sessions
        session_id = await _session_id(application, session)
        if not confirmed:
            goal = (await services.research_session.read(session_id)).subject.goal
            if not confirm(render.plain(f"Delete {session_id} ({goal:.200})?")):
                raise click.Abort
        await services.store.delete(services.owner(), session_id)
        return session_id

    try:
        deleted = tool_calls.run_with_application(work)
    except SessionNotFound as error:
        return _not_found(error)
    if as_json:
        render.data({"deleted": deleted})
    else:
        render.item(f"deleted {deleted}")
    return 0


def _not_found(error: SessionNotFound) -> int:
    """Print the error with the code of the tools; returns the exit code."""
    notes = [("help", "`sourcewright sessions list` lists your sessions")]
    render.problem(_NOT_FOUND, str(error), notes)
    return RESEARCH_EXIT_CODES[_NOT_FOUND]


def minutes(then: float) -> str:
    """How long ago something was, in words."""
    passed = max(0, int(time.time() - then)) // 60
    if passed < 1:
        return "just now"
    if passed < 60:
        return f"{count_phrase(passed, 'minute')} ago"
    return f"{count_phrase(passed // 60, 'hour')} ago"


def short_id(session_id: str) -> str:
    """The beginning of an id for people, which every command takes; all of it for programs."""
    return session_id[:_SHOWN_PREFIX] if sys.stdout.isatty() else session_id


async def _listings(application: Any) -> Sequence[SessionListing]:
    services = application.services.sessions
    listed: Sequence[SessionListing] = await services.store.sessions(services.owner())
    return listed


async def _damage(application: Any) -> str | None:
    limits: Limits = application.services.sessions.limits
    return limits.damage()


async def _session_id(application: Any, prefix: str) -> str:
    """Return the id that begins like this; an unknown one as it is, so that it is not found.

    Raises:
        InvalidInput: Several begin like this.
    """
    ids = [one.id for one in await _listings(application)]
    if prefix in ids or len(prefix) < _LEAST_PREFIX:
        return prefix
    matches = [one for one in ids if one.startswith(prefix.lower())]
    if len(matches) > 1:
        raise InvalidInput(f"several sessions begin with {prefix}: {', '.join(matches)}")
    return matches[0] if matches else prefix


async def _read(application: Any, session: str, step: int | None) -> Mapping[str, Any]:
    arguments: dict[str, Any] = {"sessionId": await _session_id(application, session)}
    if step is not None:
        arguments["stepId"] = step
    result = await tool_calls.call_tool(application, "get_research_session", arguments)
    return result.structured


async def _documents(
    application: Any, session: str, formats: Sequence[str], *, verify_links: bool
) -> dict[str, str]:
    from sourcewright.services.sessions.research_export import document_text, render_report

    exporter = application.services.sessions.exporter
    session_id = await _session_id(application, session)
    report = await exporter.report(session_id, verify_links=verify_links)
    return {name: document_text(render_report(report, name)) for name in formats}  # type: ignore[arg-type]  # the names of the options


def _show_session(answer: Mapping[str, Any]) -> None:
    render.item(answer["researchGoal"], bold=True)
    state = f"complete since {answer['completedAt']}" if answer["isComplete"] else "in progress"
    render.fields(
        [
            ("session", answer["sessionId"]),
            ("started", answer["startedAt"]),
            ("state", state),
            ("sources", str(answer["sourceCount"])),
            ("summary", answer["summary"]),
        ]
    )
    if answer["stepIndex"]:
        render.line()
        rows = [
            (
                str(one["stepNumber"]),
                _with_revision(one),
                one.get("branchId") or "",
                one.get("confidence") or "",
            )
            for one in answer["stepIndex"]
        ]
        render.table(("step", "what was done", "branch", "confidence"), rows)
    for gap in answer["gaps"]:
        render.item(f"open: {gap['description']}", colour="yellow")


def _with_revision(step: Mapping[str, Any]) -> str:
    """The line of a step, which says first that a later step supersedes it."""
    later = step.get("supersededBy")
    mark = f"(superseded by step {later}) " if later else ""
    return f"{mark}{step['oneLiner']}"


def _show_step(step: Mapping[str, Any], sources: Sequence[Mapping[str, Any]]) -> None:
    render.item(f"Step {step['stepNumber']}: {step['description']}", bold=True)
    render.fields(
        [
            ("recorded", step["timestamp"]),
            ("why", step.get("reasoning") or ""),
            ("confidence", step.get("confidence") or ""),
            ("branch", step.get("branchId") or ""),
            ("revises", str(step.get("revisesStep") or "")),
            ("superseded by", str(step.get("supersededBy") or "")),
            ("rejected", "; ".join(step.get("rejectedApproaches") or ())),
        ]
    )
    for source in sources:
        render.item(f"{source.get('title') or source['url']}  {source['url']}", indent="  ")
        if notice := source.get("retraction"):
            kind = notice["kind"].replace("_", " ").upper()
            text = " ".join(filter(None, (kind, notice.get("date"), notice.get("noticeDoi"))))
            render.item(text, indent="    ", bold=True, colour="red")


def _timestamp(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
