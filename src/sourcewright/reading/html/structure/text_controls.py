"""Controls that stand in a text: permalinks of headings, copy buttons, labels of open sections."""

import re
from collections.abc import Iterator
from itertools import chain, islice

from sourcewright.reading.html.document import Node
from sourcewright.reading.html.features import HEADINGS

_MAX_SYMBOL, _MAX_PIECES, _MAX_LABEL, _MAX_BUTTONS = 3, 4, 40, 5
_ASCII_SYMBOLS = frozenset("#^")
"""Other ASCII signs may be operators that a page documents."""
_NOTE_MARKS = frozenset("\u2020\u2021")
"""Signs of footnotes, which are references and no controls."""
_IN_BRACKETS = re.compile(r"\[[^\W\d_]{2,20}\]")
"""A link beside a heading that edits it, or leads to the source code of what it names."""
_COPY_NAME = re.compile(r"copy|clipboard", re.IGNORECASE)
_COPY_ATTRIBUTES = ("class", "id", "title", "aria-label")
_TOGGLE = re.compile(r"(?:expand|collapse|show|hide|toggle)\b", re.IGNORECASE)
_TOGGLE_WORD = re.compile(r"\[?(?:expand|collapse|show|hide|toggle|copy)\]?", re.IGNORECASE)


def drop_text_controls(body: Node) -> None:
    """Drop what helps to use the page, and is no part of the text beside it."""
    links = (link for link in body.iter("a") if _is_permalink(link))
    buttons = (button for button in body.iter("button") if _is_control(button))
    in_headings = (
        control
        for heading in body.iter(*HEADINGS)
        for control in islice(heading.iter("button", "a"), _MAX_BUTTONS)
        if (control.tag == "button" or _IN_BRACKETS.fullmatch(_text(control)))
        and _has_more_text(heading, control)
    )
    labels = (summary for summary in body.iter("summary") if _is_toggle(summary))
    for node in [*chain(links, buttons, in_headings, labels, _filters(body))]:
        if node.getparent() is not None:
            node.drop_tree()


def _text(node: Node) -> str:
    return "".join(islice(node.itertext(), _MAX_PIECES)).strip()


def _is_permalink(link: Node) -> bool:
    """Whether it leads to a part of the page, and shows a symbol instead of words."""
    if not (link.get("href") or "").startswith("#"):
        return False
    text = _text(link)
    return 0 < len(text) <= _MAX_SYMBOL and all(map(_is_symbol, text))


def _is_symbol(character: str) -> bool:
    if character.isascii():
        return character in _ASCII_SYMBOLS
    return not character.isalnum() and character not in _NOTE_MARKS


def _is_control(button: Node) -> bool:
    """Whether a button copies something, or shows and hides what is on the page anyway."""
    if _TOGGLE_WORD.fullmatch(_text(button)):
        return True
    return any(_COPY_NAME.search(button.get(name) or "") for name in _COPY_ATTRIBUTES)


def _has_more_text(heading: Node, button: Node) -> bool:
    """Whether a heading has text beside a button; in an accordion the button is the heading."""
    return "".join(heading.itertext()).strip() != "".join(button.itertext()).strip()


def _filters(body: Node) -> Iterator[Node]:
    """Tabs that open one and the same panel: each shows some rows of it, and all are there."""
    panels: dict[str, list[Node]] = {}
    for tab in body.iterfind(".//button[@role='tab']"):
        panels.setdefault(tab.get("aria-controls") or "", []).append(tab)
    for panel, tabs in panels.items():
        yield from tabs if panel and len(tabs) > 1 else ()


def _is_toggle(summary: Node) -> bool:
    """Whether it only offers to close what is open anyway, such as "Expand description"."""
    section = summary.getparent()
    is_open = section.tag == "details" and section.get("open") is not None
    text = _text(summary)
    return is_open and len(text) <= _MAX_LABEL and bool(_TOGGLE.match(text))
