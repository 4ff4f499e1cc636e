"""Ingredients and steps that a page marks by schema.org microdata, as lists.

In `div`s they are lines of their own, and those that are mostly a link look like navigation.
"""

from sourcewright.logic.html.document import AttributeIndex, Node

_LIST_TAGS = {
    **dict.fromkeys(("recipeingredient", "ingredients", "supply", "tool"), "ul"),
    **dict.fromkeys(("recipeinstructions", "step"), "ol"),
}
_LINE_TAGS = frozenset(("div", "p", "span"))
_MIN_ITEMS = 2


def prepare_item_lists(index: AttributeIndex) -> None:
    """Turn an element into a list if it contains nothing but marked lines."""
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
