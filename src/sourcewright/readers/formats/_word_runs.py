"""Emphasis and monospaced type of Word's runs of text."""

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from xml.etree.ElementTree import Element

from sourcewright.readers.formats._archive import attribute, child, local_name

_FALSE_VALUES = {"0", "false", "off", "none"}
_MARKS = {"b": "**", "i": "*", "bi": "***"}
_STYLES = {"Strong": "b", "Emphasis": "i", "IntenseEmphasis": "bi"}
_WHOLE = re.compile(r"(\*{1,3})([^*]+)\1")
_MONOSPACED = re.compile(
    r"courier|consolas|menlo|monaco|\bmono\b|mono$|lucida console|source code|fixedsys|inconsolata",
    re.IGNORECASE,
)


def emphasis_of(run: Element) -> str:
    """The emphasis of a run: `b`, `i`, `bi`, or empty."""
    properties = child(run, "rPr") if local_name(run.tag) == "r" else None
    if properties is None:
        return ""
    named = _STYLES.get(attribute(child(properties, "rStyle"), "val") or "", "")
    return "".join(one for one in "bi" if _is_on(child(properties, one), default=one in named))


def _is_on(element: Element | None, *, default: bool) -> bool:
    return default if element is None else (attribute(element, "val") not in _FALSE_VALUES)


def emphasised(pieces: Iterable[tuple[str, str]]) -> str:
    """Pieces of text, each with its emphasis, as Markdown; adjacent ones share their marks."""
    written = ((style, text) for style, text in pieces if text)
    return "".join(
        _marked("".join(text for _, text in group), _MARKS.get(style, ""))
        for style, group in groupby(written, key=lambda piece: piece[0])
    )


def _marked(text: str, mark: str) -> str:
    inner = text.strip()
    if not mark or not inner or "\n" in inner:
        return text
    start = text.index(inner)
    return f"{text[:start]}{mark}{inner}{mark}{text[start + len(inner) :]}"


def without_emphasis(text: str) -> str:
    """The text of a heading, which is often bold as a whole, without that emphasis."""
    match = _WHOLE.fullmatch(text.strip())
    return match[2] if match else text


def is_monospaced(paragraph: Element) -> bool:
    """Whether all text of a paragraph is in a monospaced font."""
    fonts = list(_fonts(paragraph))
    return bool(fonts) and all(_MONOSPACED.search(font) for font in fonts)


def _fonts(element: Element) -> Iterator[str]:
    for run in element.iter():
        if local_name(run.tag) == "r" and any((part.text or "").strip() for part in run):
            yield attribute(child(run, "rPr", "rFonts"), "ascii") or ""
