"""Builds the reference page of exit codes."""

from sourcewright.cli.exit_codes import EXIT_CODES, MEANINGS, RESEARCH_EXIT_CODES
from sourcewright.cli.reference.markdown import code, codes, page, table

_LEAD = """\
Every command ends with one of these codes.
Names in capitals are the `code` of a `doiget_*` or `paper_*` answer, the others are the `kind` of a research tool's error; see [errors](errors.md)."""

_HEAD = ("Exit code", "Meaning", "Errors with this code")


def exit_codes_page() -> str:
    known = (*EXIT_CODES.items(), *RESEARCH_EXIT_CODES.items())
    rows = [
        (
            code(str(number)),
            meaning,
            codes(name for name, exit_code in known if exit_code == number),
        )
        for number, meaning in MEANINGS.items()
    ]
    return page("Exit codes", _LEAD, table(_HEAD, rows))
