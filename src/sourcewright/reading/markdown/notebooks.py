"""Jupyter notebooks (.ipynb) as Markdown: text, code and the text that the code printed."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from sourcewright.base.formats.json_values import count_of
from sourcewright.reading.markdown.writer import code_fence, join_blocks

_MOST_CHARACTERS = 40_000_000
"""Longer than other JSON, because pictures are in it; they are few strings, and not many values."""
_MOST_OUTPUT = 20_000
_TEXTS = ("text/markdown", "text/latex", "text/plain")
"""Forms of the same output, the best first."""
_LANGUAGE = re.compile(r"[\w+#.-]{1,30}")
_COLOUR = re.compile(r"\x1b\[[0-9;]{0,20}m")
_HEADING = re.compile(r"^#{1,2} +(\S.{0,300}?)[ #]*$", re.MULTILINE)


class Notebook(NamedTuple):
    """A notebook as Markdown, with the title of the file, or else its first heading."""

    content: str
    title: str | None


def notebook_in(text: str) -> Notebook | None:
    """The notebook in a JSON text; None if the text is something else."""
    if '"nbformat"' not in text or len(text) > _MOST_CHARACTERS:
        return None
    try:
        notebook = json.loads(text)
    except (ValueError, RecursionError):
        return None
    cells = _cells(notebook)
    if cells is None:
        return None
    language = _language(notebook)
    parts = (part for cell in cells for part in _cell(cell, language))
    return Notebook(join_blocks(*parts), _title(notebook, cells))


def _cells(notebook: Any) -> list[Mapping[str, Any]] | None:
    """The cells; before version 4 they were in worksheets."""
    if not isinstance(notebook, dict) or not isinstance(notebook.get("nbformat"), int):
        return None
    sheets = _list(notebook.get("worksheets"))
    holders = [notebook, *(one for one in sheets if isinstance(one, dict))]
    if not any(isinstance(one.get("cells"), list) for one in holders):
        return None
    return [cell for one in holders for cell in _list(one.get("cells")) if isinstance(cell, dict)]


def _cell(cell: Mapping[str, Any], language: str) -> Iterator[str]:
    kind = cell.get("cell_type")
    source = _joined(cell.get("source", cell.get("input"))).strip("\n")
    if kind == "code":
        yield code_fence(source, language) if source.strip() else ""
        for output in _list(cell.get("outputs")):
            yield _output(output) if isinstance(output, dict) else ""
    elif kind == "heading":
        level = count_of(cell.get("level")) or 1
        yield f"{'#' * min(level, 6)} {' '.join(source.split())}"
    else:
        yield source if kind == "markdown" else code_fence(source, "") if source.strip() else ""


def _output(output: Mapping[str, Any]) -> str:
    """What a cell printed, returned or failed with; a picture is named."""
    kind = output.get("output_type")
    if kind in {"error", "pyerr"}:
        return _printed(f"{_joined(output.get('ename'))}: {_joined(output.get('evalue'))}")
    if kind == "stream":
        return _printed(_joined(output.get("text")))
    data = output.get("data")
    forms = data if isinstance(data, dict) else {"text/plain": output.get("text")}
    form = next((name for name in _TEXTS if _joined(forms.get(name)).strip()), None)
    if any(name.startswith("image/") for name in forms):
        return "[picture]"
    if form is None:
        return ""
    text = _joined(forms[form])
    return _printed(text) if form == "text/plain" else text[:_MOST_OUTPUT].strip()


def _printed(text: str) -> str:
    text = _COLOUR.sub("", text).strip("\n")
    more = len(text) - _MOST_OUTPUT
    note = f"\n… {more} more characters" if more > 0 else ""
    return f"Output:\n\n{code_fence(text[:_MOST_OUTPUT] + note, '')}" if text.strip() else ""


def _language(notebook: Mapping[str, Any]) -> str:
    metadata = _mapping(notebook.get("metadata"))
    names = (
        _mapping(metadata.get("language_info")).get("name"),
        _mapping(metadata.get("kernelspec")).get("language"),
    )
    language = next((one for one in names if isinstance(one, str)), "python")
    return language if _LANGUAGE.fullmatch(language) else ""


def _title(notebook: Mapping[str, Any], cells: list[Mapping[str, Any]]) -> str | None:
    """The title of the file, or else the first heading."""
    title = _mapping(notebook.get("metadata")).get("title")
    if isinstance(title, str) and title.strip():
        return title.strip()
    texts = (_joined(one.get("source")) for one in cells if one.get("cell_type") == "markdown")
    headings = (match for text in texts if (match := _HEADING.search(text)))
    return next((match[1] for match in headings), None)


def _joined(lines: Any) -> str:
    """A text, which may be a list of lines; the oldest notebooks have no line breaks in them."""
    pieces = [one for one in (lines if isinstance(lines, list) else [lines]) if type(one) is str]
    has_breaks = any(piece.endswith("\n") for piece in pieces[:-1])
    return ("" if has_breaks else "\n").join(pieces)


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
