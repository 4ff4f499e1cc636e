"""Takes what people wrote out of an answer: their lines as they stand, or a short title of them."""

from typing import Any

from sourcewright.logic.cleaning import shown

_HEADLINE = 80


def raw_of(value: Any) -> str:
    """A text as it came; empty where there is none.

    Raises:
        TypeError: It is no text.
    """
    if value is not None and not isinstance(value, str):
        raise TypeError(f"expected text, got {type(value).__name__}")
    return value or ""


def words_of(value: Any) -> str:
    """A text with its lines, without what cannot be seen; empty where there is none."""
    return shown(raw_of(value)).strip()


def headline_of(text: str, *, most: int = _HEADLINE) -> str:
    """The beginning of a text that has no title."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[:most].rstrip()}\u2026"


def excerpt_of(text: str, *, most: int) -> str:
    """The beginning of a Markdown text below its own title."""
    body = text.partition("\n")[2] if text.startswith("# ") else text
    return headline_of(body, most=most)
