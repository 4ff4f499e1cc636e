"""Controls of a page: filters with checkboxes, and small forms such as sign-up and search."""

from collections.abc import Iterator
from itertools import islice

from sourcewright.reading.html.blocks import Container
from sourcewright.reading.html.position import self_and_ancestors
from sourcewright.reading.html.selection.body import Selection, is_paragraph

_MAX_FORM, _MAX_FORMS_SHARE = 300, 0.25
_MAX_OPTION, _MIN_OPTIONS, _MAX_OPTIONS_SHARE = 120, 3, 0.1
_OPTION_TYPES = frozenset(("checkbox", "radio"))
_OPTION_DISTANCE = 3


def small_forms(page: Selection) -> set[int]:
    """Positions of kept blocks in forms with little text, and no paragraph of it."""
    forms: dict[Container, list[int]] = {}
    for at, place in _kept_places(page):
        form = next((outer for outer in self_and_ancestors(place) if outer.tag == "form"), None)
        if form is not None and form.characters <= _MAX_FORM:
            forms.setdefault(form, []).append(at)
    dropped = {
        at
        for positions in forms.values()
        if not any(is_paragraph(page.blocks[at]) for at in positions)
        for at in positions
    }
    return page.at_most(dropped, _MAX_FORMS_SHARE)


def filter_options(page: Selection) -> set[int]:
    """Positions of the kept labels of checkboxes and radio buttons, if there are several."""
    options: dict[Container, bool] = {}
    labels: set[int] = set()
    for at, place in _kept_places(page):
        for near in islice(self_and_ancestors(place), _OPTION_DISTANCE):
            if near not in options:
                options[near] = near.characters <= _MAX_OPTION and _has_option(near)
            if options[near]:
                labels.add(at)
                break
    return page.at_most(labels, _MAX_OPTIONS_SHARE) if len(labels) >= _MIN_OPTIONS else set()


def _kept_places(page: Selection) -> Iterator[tuple[int, Container]]:
    for at, block in enumerate(page.blocks):
        if page.kept[at] and block.text:
            yield at, block.place


def _has_option(place: Container) -> bool:
    """Whether there is a box that a reader can tick; those of a task list are disabled."""
    boxes = (node for node in place.node.iter("input") if node.get("type") in _OPTION_TYPES)
    return any(node.get("disabled") is None for node in boxes)
