"""Rows of tables in lists of references: entries laid out in cells, or data after the list."""

import re

from sourcewright.base.reference_headings import has_date
from sourcewright.references.strings.names import begins_with_name

_ROW = re.compile(r"\s{0,9}\|(?P<cells>.*)\|\s{0,9}$")
_CELL_EDGE = re.compile(r"(?<!\\)\|")
_MIN_ENTRY = 60
"""Characters of a table cell with a date that is a reference, if no name begins it."""


def entry_of_row(line: str) -> str:
    """The cells of a table row that contains a reference; blank for another row.

    A line that is no row of a table is returned as it is.
    """
    row = _ROW.match(line)
    if row is None:
        return line
    cells = [cell.strip() for cell in _CELL_EDGE.split(row["cells"])]
    longest = max(cells, key=len)
    is_entry = len(longest) >= _MIN_ENTRY or begins_with_name(longest)
    return " ".join(cells).strip() if is_entry and has_date(longest) else ""
