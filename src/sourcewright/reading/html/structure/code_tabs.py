"""Tabs with variants of code: each label is put before its own panel, which no reader has to open.

The labels are those of radio buttons, as Material for MkDocs and VitePress have them, or have
the role of a tab.
"""

from collections.abc import Iterator, Sequence
from itertools import islice

from lxml import etree

from sourcewright.reading.html.document import Node

_MAX_TABS, _MAX_LISTS, _MAX_STEPS, _MAX_LABEL = 20, 500, 3, 60


def label_code_tabs(body: Node) -> None:
    """Move the labels of tabs to the panels that they open, if there is code in these."""
    for tabs in islice(_tab_lists(body), _MAX_LISTS):
        panels = _panels(tabs) if 1 < len(tabs) <= _MAX_TABS else []
        if any(next(panel.iter("pre"), None) is not None for panel in panels):
            for tab, panel in zip(tabs, panels, strict=True):
                _label(panel, " ".join("".join(tab.itertext()).split()))
                tab.drop_tree()


def _tab_lists(body: Node) -> Iterator[list[Node]]:
    """The labels of each group of tabs."""
    for tab_list in [*body.iterfind(".//*[@role='tablist']")]:
        yield [*islice(tab_list.iterfind(".//*[@role='tab']"), _MAX_TABS + 1)]
    groups: dict[Node, list[Node]] = {}
    radios = {one.get("id") for one in body.iter("input") if one.get("type") == "radio"} - {None}
    for label in body.iter("label") if radios else ():
        if label.get("for") in radios:
            groups.setdefault(label.getparent(), []).append(label)
    yield from groups.values()


def _panels(tabs: Sequence[Node]) -> list[Node]:
    """The elements after the list of tabs, or in the one after it: as many as there are tabs."""
    around = {*tabs[-1].iterancestors()}
    for outer in islice(tabs[0].iterancestors(), _MAX_STEPS):
        following = [*islice(outer.itersiblings(), _MAX_TABS + 1)] if outer in around else []
        for candidates in (following, [*following[0]] if following else []):
            panels = [one for one in candidates if isinstance(one.tag, str)]
            if len(panels) == len(tabs):
                return panels
    return []


def _label(panel: Node, text: str) -> None:
    if 0 < len(text) <= _MAX_LABEL:
        line = etree.Element("p")
        etree.SubElement(line, "strong").text = text
        line.tail, panel.text = panel.text, None
        panel.insert(0, line)
