"""Variables of a CSL-JSON item: text, numbers, names and dates, checked and bounded."""

import re
from collections.abc import Mapping
from typing import Any

from sourcewright.references.styles.dates import parse_date
from sourcewright.references.styles.names import parse_names
from sourcewright.references.styles.styled_text import one_line, parse_markup, without_markers

_MAX_LENGTH = 20_000
_NUMBERS = frozenset(
    {
        *("chapter-number", "collection-number", "edition", "issue", "number"),
        *("number-of-pages", "number-of-volumes", "page", "part-number", "printing-number"),
        *("section", "supplement-number", "volume"),
    }
)
_VERBATIM = frozenset({"DOI", "URL", "page"})
_PAGE_LABEL = re.compile(r"pp?\.?\s?(?=[0-9])", re.IGNORECASE)
_DOI_PREFIX = re.compile(r"(?:https?://(?:dx\.)?doi\.org/|doi:\s*)", re.IGNORECASE)


class ItemVariables:
    """The variables of an item that a style can use."""

    def __init__(self, item: Mapping[str, Any]) -> None:
        self.raw = item
        kind = item.get("type")
        self.type = kind if isinstance(kind, str) else ""
        self._texts: dict[str, str] = {}

    @property
    def is_english(self) -> bool:
        """Whether titles get the capitals of English; true if no language is given."""
        language = self.raw.get("language")
        return not isinstance(language, str) or not language or language.lower().startswith("en")

    def is_number(self, variable: str) -> bool:
        return variable in _NUMBERS

    def text(self, variable: str) -> str:
        """A variable as text with markers; empty if it is absent, or a name or date."""
        if variable not in self._texts:
            self._texts[variable] = self._read(variable)
        return self._texts[variable]

    def _read(self, variable: str) -> str:
        if variable == "page-first" and "page-first" not in self.raw:
            return re.split(r"[\s,;\u2010-\u2015-]", self.text("page").strip())[0]
        value = self.raw.get(variable)
        if isinstance(value, bool) or not isinstance(value, (str, int, float)):
            return ""
        line = one_line(str(value)[:_MAX_LENGTH])
        if variable == "DOI":
            line = _DOI_PREFIX.sub("", line)
        if variable == "page" and (label := _PAGE_LABEL.match(line)):
            line = line[label.end() :]
        return without_markers(line) if variable in _VERBATIM else parse_markup(line)

    def has(self, variable: str) -> bool:
        value = self.raw.get(variable)
        if isinstance(value, Mapping):
            return parse_date(value) is not None
        if isinstance(value, list):
            return bool(parse_names(value))
        return bool(self.text(variable))

    def is_uncertain(self, variable: str) -> bool:
        value = self.raw.get(variable)
        return isinstance(value, Mapping) and bool(value.get("circa"))
