"""CSL processor: formats one CSL-JSON item as the bibliography entry of a style."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any
from xml.etree.ElementTree import Element

from sourcewright.references.styles.conditions import holds
from sourcewright.references.styles.dates import parse_date, render_date
from sourcewright.references.styles.item_variables import ItemVariables
from sourcewright.references.styles.name_parts import has_spaced_script
from sourcewright.references.styles.names import NameFormat, name_format, render_names
from sourcewright.references.styles.numbers import is_numeric, is_plural, ordinal, page_ranges
from sourcewright.references.styles.style_file import Style, StyleName, load_style
from sourcewright.references.styles.styled_text import affixed, italic, join, quoted, to_plain
from sourcewright.references.styles.text_case import apply_case


def format_reference(item: Mapping[str, Any], style: StyleName, *, markdown: bool = False) -> str:
    """One work as text in a style; with `markdown`, italics are marked with asterisks."""
    loaded = load_style(style)
    entry = _Entry(loaded, ItemVariables(item))
    return to_plain(entry.layout(), markdown=markdown)


@dataclass(frozen=True, slots=True)
class _Part:
    """Rendered text, whether it uses a variable, and whether one had a value."""

    text: str = ""
    has_variable: bool = False
    has_value: bool = False


class _Entry:
    """The rendering of one item."""

    def __init__(self, style: Style, item: ItemVariables) -> None:
        self._style = style
        self._item = item
        self._is_substituting = 0
        self._used: set[str] = set()
        """Variables that replaced missing names, and are not printed again."""
        self._renderers: Mapping[str, Callable[[Element], _Part]] = MappingProxyType(
            {
                "text": self._text,
                "number": self._number,
                "label": self._label,
                "group": self._group,
                "choose": self._choose,
                "names": self._names,
                "date": self._date,
            }
        )

    def layout(self) -> str:
        layout = self._style.layout
        text = join((part.text for part in self._children(layout)), layout.get("delimiter", ""))
        return affixed(text, layout.get("prefix", ""), layout.get("suffix", ""))

    def _children(self, element: Element) -> Iterator[_Part]:
        """The parts of an element; those of a `choose` count as its own, for its delimiter."""
        for child in element:
            if child.tag == "choose":
                yield from self._chosen(child)
            elif child.tag in self._renderers:
                yield self._renderers[child.tag](child)

    def _value(self, variable: str) -> str:
        """The text of a variable; a variable that replaced missing names is not printed again."""
        if variable in self._used:
            return ""
        value = self._item.text(variable)
        if value and self._is_substituting:
            self._used.add(variable)
        return value

    def _text(self, element: Element) -> _Part:
        if macro := element.get("macro"):
            part = _sequence(self._children(self._style.macros[macro]))
        elif element.get("variable") == "year-suffix":
            # Its absence says nothing about the group that it is in: `(n.d.)`.
            return _Part(self._value("year-suffix"))
        elif variable := element.get("variable"):
            value = self._written(variable, self._value(variable))
            part = _Part(value, has_variable=True, has_value=bool(value))
        elif term := element.get("term"):
            part = _Part(self._style.term(term, element.get("form", "long")))
        else:
            part = _Part(element.get("value", ""))
        return _Part(self._formatted(part.text, element), part.has_variable, part.has_value)

    def _written(self, variable: str, value: str) -> str:
        delimiter = self._style.term("page-range-delimiter")
        if variable == "page":
            return page_ranges(value, self._style.options["page-range-format"], delimiter)
        if self._item.is_number(variable) and is_numeric(value) and is_plural(value):
            return value.replace("-", delimiter)
        return value

    def _number(self, element: Element) -> _Part:
        variable = element.get("variable", "")
        value = self._written(variable, self._value(variable))
        if element.get("form") == "ordinal":
            suffixes = {n: self._style.term(f"ordinal-{n:02}") for n in (1, 2, 3, 11, 12, 13)}
            value = ordinal(value, suffixes, self._style.term("ordinal"))
        return _Part(self._formatted(value, element), has_variable=True, has_value=bool(value))

    def _label(self, element: Element) -> _Part:
        variable = element.get("variable", "")
        value = "" if variable in self._used else self._item.text(variable)
        if not value:
            return _Part()
        # A version with a hyphen, such as 2021-04, is one version.
        plural = (self._item.is_number(variable) and is_plural(value)) or (
            variable == "number-of-volumes" and value.isdecimal() and int(value[-9:]) > 1
        )
        term = self._style.term(variable, element.get("form", "long"), plural=plural)
        return _Part(self._formatted(term, element))

    def _group(self, element: Element) -> _Part:
        part = _sequence(self._children(element), element.get("delimiter", ""))
        # A group with variables, none of which has a value, is left out with its words.
        if part.has_variable and not part.has_value:
            return _Part(has_variable=True)
        # What it prints counts as a value in the group around it, as CSL 1.0.2 says.
        is_printed = bool(part.text)
        return _Part(self._formatted(part.text, element), part.has_variable, is_printed)

    def _choose(self, element: Element) -> _Part:
        return _sequence(self._chosen(element))

    def _chosen(self, element: Element) -> Iterator[_Part]:
        for branch in element:
            if branch.tag == "else" or (
                branch.tag in ("if", "else-if") and holds(branch, self._item)
            ):
                yield from self._children(branch)
                return

    def _names(self, element: Element, inherited: NameFormat | None = None) -> _Part:
        form = name_format(element, inherited)
        variables = [one for one in element.get("variable", "").split() if one not in self._used]
        text = render_names(variables, self._item.raw, element, form, self._style)
        if text:
            if self._is_substituting:
                self._used.update(variables)
            return _Part(text, has_variable=True, has_value=True)
        return self._substitute(element, form)

    def _substitute(self, element: Element, form: NameFormat) -> _Part:
        substitute = element.find("substitute")
        for candidate in () if substitute is None else substitute:
            self._is_substituting += 1
            part = (
                self._names(candidate, form)
                if candidate.tag == "names"
                else self._renderers[candidate.tag](candidate)
                if candidate.tag in self._renderers
                else _Part()
            )
            self._is_substituting -= 1
            if part.text:
                return _Part(part.text, has_variable=True, has_value=True)
        return _Part(has_variable=True)

    def _date(self, element: Element) -> _Part:
        variable = element.get("variable", "")
        date = None if variable in self._used else parse_date(self._item.raw.get(variable))
        text = render_date(date, element, self._style) if date else ""
        return _Part(text, has_variable=True, has_value=bool(text))

    def _formatted(self, text: str, element: Element) -> str:
        if not text:
            return ""
        if self._item.is_english or element.get("text-case") != "title":
            text = apply_case(text, element.get("text-case"))
        if element.get("quotes") == "true":
            text = quoted(text)
        is_slanted = "variable" not in element.attrib or has_spaced_script(text)
        if element.get("font-style") == "italic" and is_slanted:
            text = italic(text)
        return affixed(text, element.get("prefix", ""), element.get("suffix", ""))


def _sequence(parts: Iterable[_Part], delimiter: str = "") -> _Part:
    rendered = list(parts)
    return _Part(
        join((part.text for part in rendered), delimiter),
        any(part.has_variable for part in rendered),
        any(part.has_value for part in rendered),
    )
