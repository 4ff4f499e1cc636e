"""The notebook of the guide gives the outputs that are stored in it."""

import ast
import contextlib
import io
import json
from pathlib import Path
from typing import Any

NOTEBOOK = Path(__file__).parents[2] / "docs" / "guides" / "notebook.ipynb"


def outputs(source: str, names: dict[str, Any]) -> tuple[str, str]:
    """What a cell prints, and the value of its last expression."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), names)
        code = compile(ast.Expression(last.value), "cell", "eval") if last else None
        value = eval(code, names) if code else None
    return printed.getvalue(), "" if value is None else repr(value)


def test_every_cell_gives_what_is_stored() -> None:
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    names: dict[str, Any] = {}
    given, stored = [], []
    for cell in (one for one in cells if one["cell_type"] == "code"):
        given.append(outputs("".join(cell["source"]), names))
        printed = [one["text"] for one in cell["outputs"] if one["output_type"] == "stream"]
        values = [one["data"]["text/plain"] for one in cell["outputs"] if "data" in one]
        stored.append(
            tuple("".join("".join(text) for text in texts) for texts in (printed, values))
        )

    assert given == stored
    assert len(given) > 5
