"""Terminal output: colours, tables, messages. The only module that prints.

Colours only on a terminal; anything that came from outside is stripped of
control characters first, so that no record can draw on the screen.
"""

import io
import json
import re
import shutil
import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from types import MappingProxyType
from typing import Any, TypedDict, Unpack

import click

from sourcewright.cli.accounts import Remark, in_brief, in_full, words_in_brief
from sourcewright.cli.exit_codes import EXIT_CODES, RESEARCH_EXIT_CODES
from sourcewright.cli.tables import laid_out
from sourcewright.cli.wrapping import wrapped, wrapped_markdown
from sourcewright.domain.codes import Code
from sourcewright.logic.text.phrases import counted
from sourcewright.settings.declared import EMAIL_NEEDED, MISSING_EMAIL

_ACTING = ("Cc", "Cf", "Cs")
"""Kinds of characters that are not shown but obeyed."""
_NOT_PLAIN_ASCII = re.compile(r"[^\n\x20-\x7e]")

ADVICE = {
    "retry_after": "this may pass by itself; try again later",
    "needs_config": "this will not change by itself; `sourcewright doctor` says what to set",
    "terminal": "asking again will not change this",
}
RESEARCH_ADVICE: Mapping[str, str] = MappingProxyType(
    {
        "retry_after_delay": "this may pass by itself; try again later",
        "check_api_key": "set or check the key; `sourcewright doctor` says what is missing",
        "inform_user": "asking the same again will not change this; ask differently",
        "try_different_provider": "ask another engine with --provider",
        "broaden_query": "ask with fewer or more common words",
        "report_bug": "this is a defect of ours; please report it",
    }
)

_LONGEST_WRAPPED = 500_000
_NARROWEST, _WIDEST = 40, 100
"""Between these a paragraph takes the width of the terminal: longer lines are hard to read."""


def plain(text: object) -> str:
    """Text that cannot move the cursor, change colours or reverse what is read."""
    return "".join(
        " " if char in "\n\r\t" else char
        for char in str(text)
        if char in "\n\r\t" or unicodedata.category(char) not in _ACTING
    )


class Style(TypedDict, total=False):
    """How a line stands out where there are colours."""

    bold: bool
    colour: str | None


def line(text: str = "", **style: Unpack[Style]) -> None:
    bold, colour = style.get("bold"), style.get("colour")
    click.echo(click.style(plain(text), bold=bold, fg=colour) if bold or colour else plain(text))


def data(payload: object) -> None:
    """The structured result, for programs; what could act on a terminal stands escaped."""
    click.echo(_as_json(payload, indent=2))


def _as_json(payload: object, *, indent: int | None = None) -> str:
    return _NOT_PLAIN_ASCII.sub(_shown, json.dumps(payload, ensure_ascii=False, indent=indent))


def _shown(match: re.Match[str]) -> str:
    """A character as it is, or escaped if a terminal would obey it or the output cannot carry it."""
    char = match[0]
    try:
        char.encode(sys.stdout.encoding)
    except UnicodeEncodeError:
        return json.dumps(char)[1:-1]
    return json.dumps(char)[1:-1] if unicodedata.category(char) in _ACTING else char


def take_any_encoding() -> None:
    """Let a terminal that lacks a character show its number, instead of ending the command."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def document(text: str) -> None:
    """A file's worth of text as it is, for a pipe. Whoever made it left no control characters in."""
    click.echo(text, nl=False)


def reading(text: str, *, as_it_is: bool = False) -> None:
    """A page's text with its lines and nothing that a terminal would obey; long ones in a pager.

    On a terminal its lines are broken between words, unless it is to be seen as it is.
    """
    shown = "".join(
        char for char in text if char in "\n\t" or unicodedata.category(char) not in _ACTING
    ).rstrip("\n")
    if sys.stdout.isatty() and not as_it_is and len(shown) <= _LONGEST_WRAPPED:
        shown = wrapped_markdown(shown, _width(""))
    if sys.stdout.isatty() and shown.count("\n") >= shutil.get_terminal_size().lines:
        click.echo_via_pager(f"{shown}\n")
    else:
        click.echo(shown)


def paragraph(text: str, *, indent: str = "") -> None:
    """Text over as many lines as it needs, wide characters counted as wide."""
    for part in wrapped(plain(text), _width(indent)):
        line(f"{indent}{part}")


def item(text: str, *, indent: str = "", lead: str = "", **style: Unpack[Style]) -> None:
    """A title or a remark: one line in a pipe, where a program looks for it, or as many as needed.

    `lead` stands at the end of the first line's indent.
    """
    shown, first = plain(text), lead.rjust(len(indent))
    parts = wrapped(shown, _width(indent)) if sys.stdout.isatty() else [shown]
    for at, part in enumerate(parts):
        line(f"{indent if at else first}{part}", **style)


def _width(indent: str) -> int:
    """Columns for text behind the indent, however narrow the terminal."""
    columns = min(max(shutil.get_terminal_size().columns, _NARROWEST), _WIDEST)
    return max(columns - len(indent), _NARROWEST // 2)


def fields(rows: Iterable[tuple[str, str]], *, indent: str = "  ") -> None:
    """Names and values in two columns."""
    shown = [(name, value) for name, value in rows if value]
    width = max((len(name) for name, _ in shown), default=0)
    for name, value in shown:
        lead = f"{indent}{name:<{width}}  "
        item(value, indent=" " * len(lead), lead=lead)


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """A table on a terminal, tab-separated lines in a pipe."""
    cells = [[plain(cell) for cell in row] for row in rows]
    if not sys.stdout.isatty():
        for row in cells:
            click.echo("\t".join(row))
        return
    width = shutil.get_terminal_size().columns
    for text, is_head in laid_out(head, cells, width):
        line(text, bold=is_head)


def finding(mark: str, colour: str, subject: str, texts: Sequence[str], *, width: int) -> None:
    """A marked subject and what is to be said of it: beside it, or below where that is too narrow.

    `width` is that of the widest subject.
    """
    head = f"{click.style(f'{mark:<8}', fg=colour, bold=True)}  {plain(subject):<{width}}"
    indent = " " * (8 + 2 + width + 2)
    on_terminal = sys.stdout.isatty()
    if on_terminal and shutil.get_terminal_size().columns < len(indent) + _NARROWEST:
        click.echo(head.rstrip())
        for text in texts:
            item(text, indent=" " * 4)
        return
    parts = wrapped(plain(texts[0]), _width(indent)) if on_terminal else [plain(texts[0])]
    click.echo(f"{head}  {parts[0]}")
    for part in parts[1:]:
        line(f"{indent}{part}")
    for text in texts[1:]:
        item(text, indent=indent)


def problem(code: str, message: str, notes: Iterable[tuple[str, str]] = ()) -> None:
    """An error, on stderr."""
    mark = f"error[{code}]"
    first, *others = _remark(f"{mark}: {message.replace(MISSING_EMAIL, EMAIL_NEEDED)}", "    ")
    coloured = click.style(mark, fg="red", bold=True) + first.removeprefix(mark)
    for text in (coloured, *others):
        click.echo(text, err=True)
    for kind, text in notes:
        for part in _remark(f"  = {kind}: {text}", "      "):
            click.echo(part, err=True)


def _remark(text: str, indent: str) -> list[str]:
    """A remark's lines: one in a pipe, as many as it needs on a terminal's stderr."""
    if not sys.stderr.isatty():
        return [plain(text)]
    start = text[: len(text) - len(text.lstrip())]
    first, *others = wrapped(plain(text), _width(indent))
    return [start + first, *(indent + other for other in others)]


def misuse(error: click.ClickException) -> None:
    """What is wrong with a command line, which it may repeat but not obey, on stderr."""
    shown = io.StringIO()
    error.show(shown)
    for text in shown.getvalue().splitlines():
        click.echo(plain(text), err=True)


def is_failure(structured: Mapping[str, Any]) -> bool:
    """Whether an answer is the failure form of its family."""
    return not structured.get("ok", "error" not in structured)


def failure(structured: Mapping[str, Any], *, verbose: bool = False) -> int:
    """The failure form of an answer, whichever family's; returns the exit code."""
    if _is_research(structured):
        return _research_failure(structured["error"])
    if "ok" not in structured:
        return _download_failure(structured, verbose=verbose)
    error = structured["error"]
    attempts = error.get("attempts", ())
    remarks = in_full(attempts) if verbose else in_brief(attempts, told=error["message"])
    problem(
        error["code"], error["message"], [*_notes(remarks), ("help", ADVICE[error["disposition"]])]
    )
    return exit_code(structured)


def _notes(remarks: Iterable[Remark]) -> list[tuple[str, str]]:
    return [("asked", f"{remark.sources}: {remark.said}") for remark in remarks]


def _is_research(structured: Mapping[str, Any]) -> bool:
    """Whether a failure is a research tool's; those of `paper_*` have a text for an error."""
    return "ok" not in structured and isinstance(structured["error"], Mapping)


def _research_failure(error: Mapping[str, Any]) -> int:
    advice, wait = RESEARCH_ADVICE[error["suggestedAction"]], error.get("retryAfterSeconds")
    notes = [
        ("help", advice if wait is None else f"wait {counted(wait, 'second')}, then ask again")
    ]
    if error.get("alternatives"):
        notes.append(("note", f"can be asked: {', '.join(error['alternatives'])}"))
    problem(error["kind"], error["detail"], notes)
    return RESEARCH_EXIT_CODES[error["kind"]]


def _download_failure(structured: Mapping[str, Any], *, verbose: bool) -> int:
    """A headline, who said what, and what to do; a person calls the tools by their commands."""
    checked, others = structured["checked"], structured["not_asked"] if verbose else ()
    remarks = _each(checked) if verbose else words_in_brief(checked, told=structured["detail"])
    unasked = [("not asked", f"{one['source']}: {one['said']}") for one in others]
    advice = [
        ("help", text.replace("`paper_metadata`", "`sourcewright metadata`"))
        for text in structured["suggestions"]
        # At a terminal the error itself says so.
        if not (structured["detail"] == MISSING_EMAIL and "CONTACT_EMAIL" in text)
    ]
    message = f"{structured['error']}: {structured['detail']}"
    problem(structured["code"], message, [*_notes(remarks), *unasked, *advice])
    return exit_code(structured)


def _each(checked: Iterable[Mapping[str, str]]) -> list[Remark]:
    return [Remark(one["source"], one["said"]) for one in checked]


def exit_code(structured: Mapping[str, Any]) -> int:
    """The exit code of an answer, whichever family's."""
    if not is_failure(structured):
        return 0
    if _is_research(structured):
        return RESEARCH_EXIT_CODES[structured["error"]["kind"]]
    code: Code = structured["error"]["code"] if "ok" in structured else structured["code"]
    return EXIT_CODES[code]


def account(
    attempts: Iterable[Mapping[str, Any]], *, verbose: bool = False, told: str = ""
) -> None:
    """Who was asked and what they said: in few lines, or each attempt by itself."""
    _show_remarks(in_full(attempts) if verbose else in_brief(attempts, told=told))


def tried(checked: Iterable[Mapping[str, str]], *, verbose: bool = False) -> None:
    """The same for a `paper_*` answer, which has it in words."""
    _show_remarks(_each(checked) if verbose else words_in_brief(checked))


def _show_remarks(remarks: Iterable[Remark]) -> None:
    lead = "  asked  "
    for remark in remarks:
        item(f"{remark.sources}: {remark.said}", indent=" " * len(lead), lead=lead)


def status(message: str) -> None:
    """What is being waited for, on stderr."""
    click.echo(click.style(plain(message), dim=True), err=True)


def flush() -> None:
    """Let a program that reads our output through a pipe see it now."""
    sys.stdout.flush()


def marked(mark: str, colour: str, text: str) -> None:
    """A line behind a coloured word."""
    click.echo(f"{click.style(f'{mark:<8}', fg=colour, bold=True)}  {plain(text)}")


def verbatim(text: str) -> None:
    """What a client would get, byte for byte."""
    click.echo(text)


def json_line(payload: object) -> None:
    """One object on one line, at once, for a program that follows."""
    click.echo(_as_json(payload))
    flush()


@contextmanager
def progress(total: int, *, shown: bool) -> Iterator[Callable[[], AbstractContextManager[None]]]:
    """A bar with rate and time left on a terminal's stderr.

    Gives a context for each step: what is printed in it stands above the bar, which then moves.
    """
    if not shown:
        yield nullcontext
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        ProgressColumn,
        Task,
        TimeRemainingColumn,
    )
    from rich.text import Text

    class Rate(ProgressColumn):
        """How many are done per second, or where that is too few, per minute."""

        def render(self, task: Task) -> Text:
            speed = task.finished_speed or task.speed or 0
            return Text(f"{speed:.1f}/s" if speed >= 1 else f"{speed * 60:.0f}/min")

    columns = (BarColumn(), MofNCompleteColumn(), Rate(), TimeRemainingColumn())
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    task = bar.add_task("papers", total=total)

    @contextmanager
    def step() -> Iterator[None]:
        bar.stop()
        yield
        bar.advance(task)
        bar.start()

    with bar:
        yield step
