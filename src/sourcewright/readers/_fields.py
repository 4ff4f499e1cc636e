"""Fields of Word documents, which stand between marks: their instruction, then what they show."""

import re
from xml.etree.ElementTree import Element

from sourcewright.readers._archive import attribute, local

FIELDS = {"fldChar", "instrText"}
WEB = ("http://", "https://", "mailto:")
"""How the addresses begin that a link may lead to."""
_LONGEST = 2_500
_LINK = re.compile(r'\s{0,99}HYPERLINK\s{1,99}"([^"\s]{1,2000})"')


class Fields:
    """Makes links of the fields that are links, and nothing of others."""

    def __init__(self) -> None:
        self._open: list[str] = []

    def take(self, one: Element) -> str:
        """What a mark or an instruction adds to the text."""
        kind = attribute(one, "fldCharType")
        if kind == "begin":
            self._open.append("")
        elif self._open and local(one.tag) == "instrText":
            self._open[-1] = (self._open[-1] + (one.text or ""))[:_LONGEST]
        elif self._open and kind == "separate":
            found = _LINK.match(self._open[-1])
            self._open[-1] = found[1] if found and found[1].startswith(WEB) else ""
            return "[" if self._open[-1] else ""
        elif self._open and kind == "end":
            return self._close()
        return ""

    def end(self) -> str:
        """What closes the fields that go on behind a paragraph."""
        return "".join(self._close() for _ in tuple(self._open))

    def _close(self) -> str:
        target = self._open.pop()
        return f"]({target})" if target.startswith(WEB) else ""
