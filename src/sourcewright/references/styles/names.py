"""Lists of names in a citation: `and`, et al., labels, several roles."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from xml.etree.ElementTree import Element

from sourcewright.references.styles.name_parts import (
    Name,
    in_reading_order,
    inverted,
    parse_name,
    short_name,
)
from sourcewright.references.styles.style_file import Style
from sourcewright.references.styles.styled_text import affixed, join
from sourcewright.references.styles.text_case import apply_case

_MAX_NAMES = 10_000


@dataclass(frozen=True, slots=True)
class NameFormat:
    """The children of a `names` element, which its substitutes inherit."""

    name: Element
    label: Element | None
    label_first: bool


def name_format(element: Element, inherited: NameFormat | None) -> NameFormat:
    """The format of a `names` element; one without children of its own inherits all."""
    children = [child.tag for child in element]
    if inherited and not {"name", "label"} & set(children):
        return inherited
    name = element.find("name")
    return NameFormat(
        name=Element("name") if name is None else name,
        label=element.find("label"),
        label_first="label" in children
        and ("name" not in children or children.index("label") < children.index("name")),
    )


def parse_names(raw: object) -> tuple[Name, ...]:
    names = raw[:_MAX_NAMES] if isinstance(raw, list) else []
    parsed = (parse_name(name) for name in names if isinstance(name, Mapping))
    return tuple(name for name in parsed if name)


def render_names(
    variables: Sequence[str],
    item: Mapping[str, Any],
    element: Element,
    form: NameFormat,
    style: Style,
) -> str:
    """The names of several roles, each with its label."""
    roles = [(role, names) for role in variables if (names := parse_names(item.get(role)))]
    if [role for role, _ in roles] == ["editor", "translator"] and roles[0][1] == roles[1][1]:
        roles = [("editortranslator", roles[0][1])]
    delimiter = element.get("delimiter") or style.options.get("names-delimiter", "")
    lists = [_with_label(role, names, form, style) for role, names in roles]
    return affixed(join(lists, delimiter), element.get("prefix", ""), element.get("suffix", ""))


def _with_label(role: str, names: Sequence[Name], form: NameFormat, style: Style) -> str:
    listed = affixed(
        _name_list(names, _Options(form.name, style)),
        form.name.get("prefix", ""),
        form.name.get("suffix", ""),
    )
    label = _label(role, form.label, style, plural=len(names) > 1)
    return join((label, listed) if form.label_first else (listed, label))


def _label(role: str, label: Element | None, style: Style, *, plural: bool) -> str:
    if label is None:
        return ""
    term = style.term(role, label.get("form", "long"), plural=plural)
    text = apply_case(term, label.get("text-case"))
    return affixed(text, label.get("prefix", ""), label.get("suffix", ""))


class _Options:
    """The options of a `name` element, with those of the style behind them."""

    def __init__(self, element: Element, style: Style) -> None:
        self._element = element
        self._style = style

    def get(self, option: str, default: str = "") -> str:
        return self._element.get(option) or self._style.options.get(option, default)

    def number(self, option: str) -> int:
        return int(self.get(option, "0"))

    @property
    def conjunction(self) -> str:
        word = self.get("and")
        return "&" if word == "symbol" else self._style.term("and") if word else ""

    @property
    def et_al(self) -> str:
        return self._style.term("et-al")


def _name_list(names: Sequence[Name], options: _Options) -> str:
    delimiter = options.get("delimiter", ", ")
    smallest, first = options.number("et-al-min"), options.number("et-al-use-first")
    texts = [_written(name, number, options) for number, name in enumerate(names)]
    if not smallest or len(texts) < smallest or len(texts) <= first:
        return _all_names(texts, delimiter, options)
    leading = join(texts[:first], delimiter)
    if options.get("et-al-use-last") == "true" and len(texts) > first + 1:
        return f"{leading}{delimiter}\u2026 {texts[-1]}"
    rule = options.get("delimiter-precedes-et-al", "contextual")
    return join((leading, options.et_al), delimiter if _precedes(rule, first) else " ")


def _all_names(texts: Sequence[str], delimiter: str, options: _Options) -> str:
    if len(texts) < 2 or not options.conjunction:
        return join(texts, delimiter)
    rule = options.get("delimiter-precedes-last", "contextual")
    before = delimiter if _precedes(rule, len(texts) - 1) else " "
    leading = join(texts[:-1], delimiter)
    return join((leading, f"{options.conjunction} {texts[-1]}"), before)


def _precedes(rule: str, leading: int) -> bool:
    """Whether the delimiter stands before the last name, or before et al."""
    return rule == "always" or (rule == "contextual" and leading > 1)


def _written(name: Name, number: int, options: _Options) -> str:
    initialize = None if options.get("initialize") == "false" else options.get("initialize-with")
    if options.get("form") == "short":
        return short_name(name)
    order = options.get("name-as-sort-order")
    is_inverted = order == "all" or (order == "first" and number == 0)
    return (inverted if is_inverted else in_reading_order)(name, initialize)
