"""`sourcewright info`: show what the library has stored about a paper."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from sourcewright.cli import notices, options, render, tool_calls
from sourcewright.settings import Settings


@click.command("info")
@click.argument("ref")
@options.as_json
def command(ref: str, as_json: bool) -> int:
    """Show what the library has stored about a paper.

    \b
    Example:
      sourcewright info 10.1371/journal.pone.0033693
    """
    result = tool_calls.call("doiget_info", {"ref": ref}).structured
    if as_json:
        render.data(result)
        return render.exit_code(result)
    if not result["ok"]:
        return render.failure(result)
    library = Settings.from_environment().store_root
    if result["metadata"] is None:
        render.item(f"{ref} is not in the library {library}; add it with `sourcewright fetch`")
    else:
        _show(result, library)
        notices.show(result["integrity"])
    return 0


def _show(result: Mapping[str, Any], library: Path) -> None:
    entry, missing = result["metadata"], result.get("missing_pdf")
    holding = entry["doiget"]
    year = f" ({entry['year']})" if "year" in entry else ""
    render.item(f"{entry['title']}{year}", bold=True)
    render.fields(
        [
            ("authors", "; ".join(entry.get("authors", ()))),
            ("in", entry.get("venue", "")),
            ("DOI", entry.get("doi", "")),
            ("arXiv", entry.get("arxiv_id", "")),
            ("library", library),
            ("key", result["safekey"]),
            ("pdf", _missing_pdf_text(missing) if missing else _pdf_text(entry, holding)),
            ("warning", "" if missing else _changed_pdf_text(result.get("pdf_problem"))),
            ("licence", holding.get("license", "")),
            (
                "fetched",
                f"{holding.get('fetched_at', '')} from {holding.get('source', 'unknown')}",
            ),
            ("tags", ", ".join(holding.get("tags", ()))),
            ("collections", ", ".join(holding.get("collections", ()))),
            ("note", holding.get("annotation", "")),
        ]
    )


def _missing_pdf_text(name: str) -> str:
    return f"{name} is missing; `sourcewright fetch` downloads it again"


def _changed_pdf_text(problem: str | None) -> str:
    return f"{problem}; `sourcewright fetch` downloads it again" if problem else ""


def _pdf_text(entry: Mapping[str, Any], holding: Mapping[str, Any]) -> str:
    if "pdf_path" not in entry:
        return "none"
    details = [holding[name] for name in ("origin", "file_check") if name in holding]
    details_text = ", ".join([f"{holding.get('size_bytes', 0)} bytes", *details])
    return f"{entry['pdf_path']} ({details_text})"
