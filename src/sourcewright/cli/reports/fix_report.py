"""Report of corrected copies: what was changed and what was not, as a list and a diff."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sourcewright.base.text.phrases import count_phrase
from sourcewright.cli import render
from sourcewright.cli.reports.audit_table import field_name
from sourcewright.services.trust.audit_bibliography import AuditedEntry
from sourcewright.services.trust.corrected_copy import CorrectedCopy, EntryLeft


@dataclass(frozen=True, slots=True, kw_only=True)
class Fix:
    """The corrected copy of one file, and where it was written."""

    copy: CorrectedCopy
    path: Path | None
    """None if nothing was changed."""


def fixed_name(path: Path) -> Path:
    """Where the corrected copy of a file is written: `references.bib`, `references.fixed.bib`."""
    return path.with_name(f"{path.stem}.fixed{path.suffix}")


def show_fix(fix: Fix) -> None:
    """Print what was changed, what was not, and the diff."""
    copy = fix.copy
    for one in copy.left:
        lead = f"not changed: {_name(one.entry)}"
        render.item(f"{lead}: {_subject(one)}{one.reason}")
        if one.suggestion:
            render.document(f"{one.suggestion}\n")
    for line in copy.diff.splitlines():
        render.exact_line(line, colour={"+": "green", "-": "red"}.get(line[:1]))
    render.item(summary(fix))


def summary(fix: Fix) -> str:
    if fix.path is not None:
        return f"{count_phrase(len(fix.copy.fixed), 'field')} corrected in {fix.path}"
    return fix.copy.refusal or "nothing to correct; no file was written"


def fix_data(fix: Fix) -> dict[str, Any]:
    """The structured result."""
    return {
        "file": None if fix.path is None else str(fix.path),
        "summary": summary(fix),
        "changes": [
            {
                **dict(_place(one.entry)),
                "field": one.field,
                "before": one.before,
                "after": one.after,
            }
            for one in fix.copy.fixed
        ],
        "left": [
            {
                **dict(_place(one.entry)),
                **({"field": one.field} if one.field else {}),
                "reason": one.reason,
                **({"suggestion": one.suggestion} if one.suggestion else {}),
            }
            for one in fix.copy.left
        ],
        "diff": fix.copy.diff,
    }


def _place(entry: AuditedEntry) -> Iterator[tuple[str, Any]]:
    yield "index", entry.index
    if entry.entry.key:
        yield "key", entry.entry.key
    if entry.entry.line:
        yield "line", entry.entry.line


def _name(entry: AuditedEntry) -> str:
    name = entry.entry.key or str(entry.index + 1)
    return f"{name} (line {entry.entry.line})" if entry.entry.line else name


def _subject(left: EntryLeft) -> str:
    return f"{field_name(left.field)}: " if left.field else ""
