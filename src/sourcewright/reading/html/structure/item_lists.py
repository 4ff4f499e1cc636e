"""Lists that a page writes with other elements: schema.org's ingredients, items of manual pages.

In `div`s ingredients are lines of their own, and those that are mostly a link look like navigation.
Converters of manual pages write an item as a definition whose term is its bullet or number.
"""

import re

from sourcewright.reading.html.document import AttributeIndex, Node

_LIST_TAGS = {
    **dict.fromkeys(("recipeingredient", "ingredients", "supply", "tool"), "ul"),
    **dict.fromkeys(("recipeinstructions", "step"), "ol"),
}
_LINE_TAGS = frozenset(("div", "p", "span"))
_MIN_ITEMS = 2
_BULLET = re.compile("[•◦▪‣∙○●■]")
_ANY_BULLET = re.compile("[•◦▪‣∙○●■*+·o-]")
"""Also symbols that a definition can explain, but no two definitions of a list."""
_NUMBER = re.compile(r"(\d{1,4})[.)]")


def prepare_item_lists(body: Node, index: AttributeIndex) -> None:
    """Make lists of elements with nothing but marked lines, and of definitions of mere marks."""
    for definitions in [*body.iter("dl")]:
        _make_list(definitions)
    entries = index.where("itemprop", lambda value: value.lower() in _LIST_TAGS)
    for parent in {node.getparent(): None for _, node in entries}:
        if parent is not None and parent.tag == "div" and _is_list(parent):
            parent.tag = _LIST_TAGS[parent[0].get("itemprop").lower()]
            for node in parent:
                node.tag = "li"


def _is_list(parent: Node) -> bool:
    names = {(node.get("itemprop") or "").lower() for node in parent}
    tags = {node.tag for node in parent}
    is_marked = len(names) == 1 and not names.isdisjoint(_LIST_TAGS)
    is_bare = not any((text or "").strip() for text in (parent.text, *(n.tail for n in parent)))
    return len(parent) >= _MIN_ITEMS and is_marked and is_bare and tags <= _LINE_TAGS


def _make_list(definitions: Node) -> None:
    """Turn definitions into a list if each has one text and its term is a bullet or a number."""
    terms, texts = definitions[::2], definitions[1::2]
    tags = [node.tag for node in definitions]
    if not terms or tags != ["dt", "dd"] * len(terms):
        return
    marks = ["".join(term.itertext()).strip() for term in terms]
    numbers = [match[1] for mark in marks if (match := _NUMBER.fullmatch(mark))]
    if len(numbers) < len(marks) and not _are_bullets(marks):
        return
    definitions.tag = "ol" if numbers else "ul"
    for term, text in zip(terms, texts, strict=True):
        term.drop_tree()
        text.tag = "li"
    for text, number in zip(texts, numbers, strict=False):
        text.set("value", number)


def _are_bullets(marks: list[str]) -> bool:
    is_repeated = len(marks) >= _MIN_ITEMS and len({*marks}) == 1
    bullet = _ANY_BULLET if is_repeated else _BULLET
    return all(map(bullet.fullmatch, marks))
