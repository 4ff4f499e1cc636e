"""Terminal output: colours, tables, messages. The only module that prints.

Colours are used only on a terminal. Control characters are removed from external text,
so that it cannot send escape sequences to the terminal.
"""

import io
import json
import re
import shutil
import sys
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypedDict, Unpack

import click
from click.exceptions import NoArgsIsHelpError

from sourcewright.base.text.phrases import count_phrase
from sourcewright.cli.attempts import Remark, brief_paper_remarks, remarks_on
from sourcewright.cli.exit_codes import EXIT_CODES, MISUSE, RESEARCH_EXIT_CODES
from sourcewright.cli.line_wrap import wrap_markdown, wrap_text
from sourcewright.cli.shell.messages import terminal_message, unknown_name, usage_problem
from sourcewright.cli.tables import table_lines
from sourcewright.domain.codes import Code
from sourcewright.settings.declared import MISSING_EMAIL

_CONTROL_CATEGORIES = ("Cc", "Cf", "Cs")
"""Unicode categories of control characters, format characters and lone surrogates."""
_NOT_PLAIN_ASCII = re.compile(r"[^\n\x20-\x7e]")

ADVICE = {
    "retry_after": "this may be temporary; try again later",
    "needs_config": "a setting must be changed; `sourcewright doctor` says which",
    "terminal": "repeating the request does not change this",
}
RESEARCH_ADVICE: Mapping[str, str] = MappingProxyType(
    {
        "retry_after_delay": "this may be temporary; try again later",
        "check_api_key": "set or check the API key; `sourcewright doctor` says what is missing",
        "inform_user": "repeating the same request does not change this; change the request",
        "try_different_provider": "use another engine with --provider",
        "broaden_query": "use fewer or more common words",
        "report_bug": "this is a bug in sourcewright; please report it",
    }
)
_ADVICE_BY_KIND: Mapping[str, str] = MappingProxyType(
    {
        "browser_unavailable": "install Chromium, or set CHROME_PATH; `sourcewright doctor` checks it",
        "content_empty": "there is nothing to show; use another source or another name",
        "internal": "`sourcewright doctor` finds what is wrong; if it finds nothing, please report this bug",
        "session_not_found": "`sourcewright sessions list` lists your sessions",
    }
)
"""For errors whose suggested action in the contract does not help at a terminal."""

_LONGEST_WRAPPED = 500_000
"""Longer texts are not wrapped, because it would take too long."""
_NARROWEST, _WIDEST = 40, 100
"""Paragraphs take the terminal's width within these limits: longer lines are hard to read."""


def plain(text: object) -> str:
    """Text on one line without control characters.

    Such text cannot move the cursor, change colours or reverse the reading direction.
    """
    return "".join(
        " " if char in "\n\r\t" else char
        for char in str(text)
        if char in "\n\r\t" or unicodedata.category(char) not in _CONTROL_CATEGORIES
    )


class TextStyle(TypedDict, total=False):
    """Emphasis of a line on a terminal with colours."""

    bold: bool
    colour: str | None


def line(text: str = "", **style: Unpack[TextStyle]) -> None:
    """Print a line; one that is too long for the terminal is wrapped under its indent."""
    start = text.lstrip(" ")
    if sys.stdout.isatty() and len(text.encode()) > shutil.get_terminal_size().columns:
        item(start, indent=" " * (len(text) - len(start)), **style)
    else:
        exact_line(text, **style)


def exact_line(text: str, **style: Unpack[TextStyle]) -> None:
    """Print a line as it is: of a table, or for a program."""
    bold, colour = style.get("bold"), style.get("colour")
    click.echo(click.style(plain(text), bold=bold, fg=colour) if bold or colour else plain(text))


def data(payload: object) -> None:
    """Print the structured result as JSON, with control characters escaped."""
    click.echo(_as_json(payload, indent=2))


def json_text(text: str) -> None:
    """Print JSON on one line, byte for byte; only control characters are escaped."""
    click.echo(_NOT_PLAIN_ASCII.sub(_escaped_if_needed, text))


def _as_json(payload: object, *, indent: int | None = None) -> str:
    return _NOT_PLAIN_ASCII.sub(
        _escaped_if_needed,
        json.dumps(
            payload,
            ensure_ascii=False,
            indent=indent,
            # On one line it is what the server sends, byte for byte.
            separators=(",", ":") if indent is None else None,
        ),
    )


def _escaped_if_needed(match: re.Match[str]) -> str:
    """The character, escaped if it is a control character or the output cannot encode it."""
    char = match[0]
    try:
        char.encode(sys.stdout.encoding)
    except UnicodeEncodeError:
        return json.dumps(char)[1:-1]
    return json.dumps(char)[1:-1] if unicodedata.category(char) in _CONTROL_CATEGORIES else char


def escape_unencodable() -> None:
    """Escape characters that stdout cannot encode, instead of failing."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def document(text: str) -> None:
    """Print the text of a whole file unchanged; the caller has removed control characters."""
    click.echo(text, nl=False)


def page_text(text: str, *, as_it_is: bool = False) -> None:
    """Print a page's text without control characters; long texts in a pager.

    On a terminal lines are wrapped between words, unless `as_it_is`.
    """
    markdown = "".join(
        char
        for char in text
        if char in "\n\t" or unicodedata.category(char) not in _CONTROL_CATEGORIES
    ).rstrip("\n")
    if sys.stdout.isatty() and not as_it_is and len(markdown) <= _LONGEST_WRAPPED:
        markdown = wrap_markdown(markdown, _width(""))
    if sys.stdout.isatty() and markdown.count("\n") >= shutil.get_terminal_size().lines:
        click.echo_via_pager(f"{markdown}\n")
    else:
        click.echo(markdown)


def paragraph(text: str, *, indent: str = "") -> None:
    """Print text wrapped to the terminal's width, measured in terminal cells."""
    for part in wrap_text(plain(text), _width(indent)):
        exact_line(f"{indent}{part}")


def item(text: str, *, indent: str = "", lead: str = "", **style: Unpack[TextStyle]) -> None:
    """Print a title or a remark: wrapped on a terminal, one line in a pipe, for programs.

    `lead` is right-aligned in the first line's indent.
    """
    line, first = plain(text), lead.rjust(len(indent))
    parts = wrap_text(line, _width(indent)) if sys.stdout.isatty() else [line]
    for at, part in enumerate(parts):
        exact_line(f"{indent if at else first}{part}", **style)


def _width(indent: str) -> int:
    """Columns available for text after the indent, with a minimum."""
    columns = min(max(shutil.get_terminal_size().columns, _NARROWEST), _WIDEST)
    return max(columns - len(indent), _NARROWEST // 2)


def fields(rows: Iterable[tuple[str, str | Path]], *, indent: str = "  ") -> None:
    """Print names and values in two columns; rows without a value are left out.

    A path is never wrapped, so that one with spaces can be copied.
    """
    filled = [(name, value) for name, value in rows if value]
    width = max((len(name) for name, _ in filled), default=0)
    for name, value in filled:
        lead = f"{indent}{name:<{width}}  "
        if isinstance(value, Path):
            exact_line(f"{lead}{value}")
        else:
            item(value, indent=" " * len(lead), lead=lead)


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print a table on a terminal, or tab-separated lines in a pipe; nothing without rows."""
    if not rows:
        return
    cells = [[plain(cell) for cell in row] for row in rows]
    if not sys.stdout.isatty():
        for row in (head, *cells):
            click.echo("\t".join(row))
        return
    width = shutil.get_terminal_size().columns
    for text, is_head in table_lines(head, cells, width):
        exact_line(text, bold=is_head)


def finding(mark: str, colour: str, subject: str, texts: Sequence[str], *, width: int) -> None:
    """Print a marked subject with its texts next to it, or below on a narrow terminal.

    `width` is the width of the widest subject.
    """
    head = f"{click.style(f'{mark:<8}', fg=colour, bold=True)}  {plain(subject):<{width}}"
    indent = " " * (8 + 2 + width + 2)
    on_terminal = sys.stdout.isatty()
    if on_terminal and shutil.get_terminal_size().columns < len(indent) + _NARROWEST:
        click.echo(head.rstrip())
        for text in texts:
            item(text, indent=" " * 4)
        return
    parts = wrap_text(plain(texts[0]), _width(indent) if on_terminal else sys.maxsize)
    click.echo(f"{head}  {parts[0]}")
    for text in (*parts[1:], *texts[1:]):
        item(text, indent=indent)


def problem(code: str, message: str, notes: Iterable[tuple[str, str]] = ()) -> None:
    """Print an error and its notes on stderr."""
    mark = f"error[{code}]"
    first, *others = _remark(f"{mark}: {terminal_message(message)}", "    ")
    coloured = click.style(mark, fg="red", bold=True) + first.removeprefix(mark)
    click.echo("\n".join((coloured, *others)), err=True)
    for kind, text in notes:
        for part in _remark(f"  = {kind}: {text}", "      "):
            click.echo(part, err=True)


def _remark(text: str, indent: str) -> list[str]:
    """The lines of a remark: wrapped if it is too long for a terminal, otherwise one."""
    width = _width(indent)
    if not sys.stderr.isatty() or len(text.encode()) <= width:
        return [plain(text)]
    start = text[: len(text) - len(text.lstrip())]
    first, *others = wrap_text(plain(text), width)
    return [start + first, *(indent + other for other in others)]


def usage_error(error: click.ClickException) -> None:
    """Print a usage error as any other, or the help page of a group without its command."""
    if isinstance(error, NoArgsIsHelpError):
        for text in error.format_message().splitlines():
            click.echo(plain(text), err=True)
    else:
        problem(*usage_problem(error))


def is_failure(structured: Mapping[str, Any]) -> bool:
    """Whether an answer is an error, in the format of any tool family."""
    return not structured.get("ok", "error" not in structured)


def failure(structured: Mapping[str, Any], *, verbose: bool = False) -> int:
    """Print an error answer of any tool family; returns the exit code."""
    if _is_research(structured):
        return _research_failure(structured["error"])
    if "ok" not in structured:
        return _download_failure(structured, verbose=verbose)
    error = structured["error"]
    remarks = remarks_on(error, verbose=verbose, message=error["message"])
    # The contract asks for a setting here, but no setting adds a paper to the citation graph.
    is_absent = error["code"] == "NO_OA_AVAILABLE"
    advice = ADVICE["terminal" if is_absent else error["disposition"]]
    problem(error["code"], error["message"], [*_notes(remarks), ("help", advice)])
    return exit_code(structured)


def _notes(remarks: Iterable[Remark]) -> list[tuple[str, str]]:
    return [("queried", f"{remark.sources}: {remark.text}") for remark in remarks]


def _is_research(structured: Mapping[str, Any]) -> bool:
    """Whether an error is from a research tool; the error of a `paper_*` tool is text."""
    return "ok" not in structured and isinstance(structured["error"], Mapping)


def _research_failure(error: Mapping[str, Any]) -> int:
    notes = unknown_name(error)
    if notes is not None:
        problem(error["kind"], error["detail"], notes)
        return MISUSE
    advice = _ADVICE_BY_KIND.get(error["kind"]) or RESEARCH_ADVICE[error["suggestedAction"]]
    wait = error.get("retryAfterSeconds")
    notes = [
        (
            "help",
            advice if wait is None else f"wait {count_phrase(wait, 'second')}, then try again",
        )
    ]
    if error.get("alternatives"):
        notes.append(("note", f"available: {', '.join(error['alternatives'])}"))
    problem(error["kind"], error["detail"], notes)
    return RESEARCH_EXIT_CODES[error["kind"]]


def _download_failure(structured: Mapping[str, Any], *, verbose: bool) -> int:
    """Print the error of a `paper_*` tool, with commands instead of tool names in its advice."""
    checked, others = structured["checked"], structured["not_asked"] if verbose else ()
    remarks = (
        _remarks_of(checked)
        if verbose
        else brief_paper_remarks(checked, message=structured["detail"])
    )
    not_queried = [("not queried", f"{one['source']}: {one['said']}") for one in others]
    advice = [
        ("help", text.replace("`paper_metadata`", "`sourcewright metadata`"))
        for text in structured["suggestions"]
        # `problem` already says this in the message.
        if not (structured["detail"] == MISSING_EMAIL and "CONTACT_EMAIL" in text)
    ]
    message = f"{structured['error']}: {structured['detail']}"
    problem(structured["code"], message, [*_notes(remarks), *not_queried, *advice])
    return exit_code(structured)


def _remarks_of(checked: Iterable[Mapping[str, str]]) -> list[Remark]:
    return [Remark(one["source"], one["said"]) for one in checked]


def exit_code(structured: Mapping[str, Any]) -> int:
    """The exit code of an answer of any tool family."""
    if not is_failure(structured):
        return 0
    if _is_research(structured):
        error = structured["error"]
        return RESEARCH_EXIT_CODES[error["kind"]] if unknown_name(error) is None else MISUSE
    code: Code = structured["error"]["code"] if "ok" in structured else structured["code"]
    return EXIT_CODES[code]


def source_remarks(answer: Mapping[str, Any], *, verbose: bool = False, message: str = "") -> None:
    """Print which sources were queried and their outcome: summarised, or every attempt."""
    _show_remarks(remarks_on(answer, verbose=verbose, message=message))


def paper_sources(checked: Iterable[Mapping[str, str]], *, verbose: bool = False) -> None:
    """The same for a `paper_*` answer, which has the outcomes as text."""
    _show_remarks(_remarks_of(checked) if verbose else brief_paper_remarks(checked))


def _show_remarks(remarks: Iterable[Remark]) -> None:
    lead = "  queried  "
    for remark in remarks:
        item(f"{remark.sources}: {remark.text}", indent=" " * len(lead), lead=lead)


def status(message: str) -> None:
    """Print a status message on stderr."""
    for part in wrap_text(plain(message), _width("") if sys.stderr.isatty() else sys.maxsize):
        click.echo(click.style(part, dim=True), err=True)


def flush() -> None:
    """Flush stdout, so that a program reading it through a pipe sees it now."""
    sys.stdout.flush()


def labelled_line(mark: str, colour: str, text: str) -> None:
    """Print a line after a coloured label."""
    click.echo(f"{click.style(f'{mark:<8}', fg=colour, bold=True)}  {plain(text)}")


def json_line(payload: object) -> None:
    """Print one JSON object on one line and flush (JSON Lines)."""
    click.echo(_as_json(payload))
    flush()
