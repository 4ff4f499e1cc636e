"""Builds the reference page of errors: the class hierarchy and the error codes."""

import inspect

from sourcewright.base import errors
from sourcewright.cli.reference.markdown import code, codes, page, table
from sourcewright.domain.codes import CODES, DENIED_CODES, DISPOSITIONS, Code

_ADVICE = {
    "terminal": "Repeating the call does not change it.",
    "retry_after": "Possibly temporary; try again later.",
    "needs_config": "A setting or a file must be changed by the operator.",
}

_CODES_LEAD = "A failing `doiget_*` tool returns one of these codes.\nThe disposition, not the name of the code, says what to do."

_HEAD = ("Code", "Disposition", "What to do", "Comes from")


def errors_page() -> str:
    _summary, tree, rule = inspect.cleandoc(errors.__doc__ or "").split("\n\n")
    rows = [
        (code(name), code(disposition), _ADVICE[disposition], _origins(name))
        for name, disposition in DISPOSITIONS.items()
    ]
    return page(
        "Errors",
        rule,
        "## The tree",
        f"```text\n{tree}\n```",
        "## Codes",
        _CODES_LEAD,
        table(_HEAD, rows),
    )


def _origins(name: Code) -> str:
    kinds = [
        f"{kind.__name__} ({cause})" if cause else kind.__name__
        for (kind, cause), code in CODES.items()
        if code == name
    ]
    reasons = [f"Denied ({reason})" for reason, code in DENIED_CODES.items() if code == name]
    return codes([*kinds, *reasons])
