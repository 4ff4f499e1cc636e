"""Conditions of a CSL style: what the branch of a `choose` tests of an item."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from xml.etree.ElementTree import Element

from sourcewright.references.styles.item_variables import ItemVariables
from sourcewright.references.styles.numbers import is_numeric

_TESTS: Mapping[str, Callable[[ItemVariables, str], bool]] = MappingProxyType(
    {
        "type": lambda item, value: value == item.type,
        "variable": lambda item, variable: item.has(variable),
        "is-numeric": lambda item, variable: is_numeric(item.text(variable)),
        "is-uncertain-date": lambda item, variable: item.is_uncertain(variable),
        # A bibliography has neither.
        "locator": lambda _item, _value: False,
        "disambiguate": lambda _item, _value: False,
    }
)


def holds(branch: Element, item: ItemVariables) -> bool:
    tests = [
        test(item, value)
        for attribute, test in _TESTS.items()
        for value in branch.get(attribute, "").split()
    ]
    match = branch.get("match", "all")
    if match == "none":
        return not any(tests)
    return any(tests) if match == "any" else all(tests)
