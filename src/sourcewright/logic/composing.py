"""Puts what a site says in Markdown: facts in a list, code in a fence, comments in their places."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from sourcewright.logic.cleaning import plain_text, shown

DEEPEST = 8
"""Deeper comments are not set in any further, but say how deep they are."""
_LONGEST_REMARK = 20_000
_TICKS = re.compile(r"`{3,}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """What somebody said under something."""

    text: str
    """Markdown."""
    author: str | None = None
    when: str | None = None
    depth: int = 0
    about: str | None = None
    """What else is worth saying in its heading, such as its points."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Remarks:
    """Remarks as Markdown, as far as limits allow."""

    text: str
    count: int
    cut: bool


def facts(**told: object) -> str:
    """One line for each that is known; underscores in names stand for blanks."""
    known = ((name.replace("_", " "), value) for name, value in told.items())
    lines = [
        f"- {name}: {plain_text(str(value))}" for name, value in known if value not in (None, "")
    ]
    return "\n".join(lines)


def joined(*blocks: str | None) -> str:
    """Those that say something, a blank line apart."""
    return "\n\n".join(block.strip("\n") for block in blocks if block and block.strip())


def fenced(text: str, language: str = "") -> str:
    """Code, in a fence that nothing inside can close."""
    longest = max((len(ticks) for ticks in _TICKS.findall(text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"


def clipped(text: str, most: int) -> tuple[str, bool]:
    """So many characters of a text at most, and whether some are missing."""
    return (text, False) if len(text) <= most else (text[:most].rstrip(), True)


def conversation(remarks: Iterable[Remark], *, most: int, characters: int) -> Remarks:
    """Remarks in their order, each set in as deep as it stands, until a limit ends them."""
    written: list[str] = []
    size, cut = 0, False
    for remark in remarks:
        text, short = clipped(remark.text, _LONGEST_REMARK)
        block = _set_in(remark, text)
        size += len(block)
        if len(written) >= most or size > characters:
            return Remarks(text="\n\n".join(written), count=len(written), cut=True)
        written.append(block)
        cut = cut or short
    return Remarks(text="\n\n".join(written), count=len(written), cut=cut)


def _set_in(remark: Remark, text: str) -> str:
    deep = f"depth {remark.depth}" if remark.depth > DEEPEST else None
    heading = ", ".join(
        filter(None, (f"**{remark.author or 'somebody'}**", remark.when, remark.about, deep))
    )
    margin = "  " * min(remark.depth, DEEPEST)
    lines = [
        f"{margin}- {heading}",
        "",
        *(f"{margin}  {line}" for line in shown(text).split("\n")),
    ]
    return "\n".join(line.rstrip() for line in lines)
