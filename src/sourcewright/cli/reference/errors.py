"""The page about what can go wrong."""

import inspect

from sourcewright.cli.reference.markdown import code, page, table
from sourcewright.domain import errors
from sourcewright.domain.codes import DISPOSITIONS

_ADVICE = {
    "terminal": "Asking again will not change it.",
    "retry_after": "It may pass by itself; ask again later.",
    "needs_config": "Something has to be set or repaired on the operator's side.",
}

_CODES_LEAD = """\
A failing `doiget_*` tool answers with one of these codes.
What to do about it is in the disposition, never in the code's name."""


def errors_page() -> str:
    _summary, tree, rule = inspect.cleandoc(errors.__doc__ or "").split("\n\n")
    rows = [
        (code(name), code(disposition), _ADVICE[disposition])
        for name, disposition in DISPOSITIONS.items()
    ]
    return page(
        "Errors",
        rule,
        "## The tree",
        f"```text\n{tree}\n```",
        "## Codes",
        _CODES_LEAD,
        table(("Code", "Disposition", "What to do"), rows),
    )
