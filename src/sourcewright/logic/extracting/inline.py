"""Writes the runs of a block as one line of Markdown."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from urllib.parse import urljoin, urlsplit

from sourcewright.logic.extracting.runs import Run

_MARKS = {"b": "**", "i": "*", "bi": "***", "s": "~~"}
# A bracket and an ampersand are special where a tag or an entity begins with them.
_SPECIAL = re.compile(r"([\\`*_\[\]]|<(?=[A-Za-z/!?])|&(?=#?[A-Za-z0-9]{1,31};))")
_WHOLE = ("img", "n", "m")
"""Styles of runs that stand for themselves."""
_ADDRESS_SPECIAL = re.compile(r"[\s()<>\x00-\x1f\x7f-\x9f\u200b-\u206f]")
_MAX_ADDRESS = 2000


def line_of(runs: Sequence[Run], base: str) -> str:
    """The runs as Markdown; neighbours that lead to one place become one link."""
    parts = [
        _linked(list(group), href, base)
        for href, group in groupby(
            _joined(runs), key=lambda run: run.href if run.style != "img" else ""
        )
    ]
    lines = "".join(parts).split("\n")
    return "\n".join(line for line in (" ".join(line.split()) for line in lines) if line)


def _joined(runs: Iterable[Run]) -> Iterator[Run]:
    """The same with neighbours of one style and one address as one, which marks go around."""
    for (href, style), group in groupby(runs, key=lambda run: (run.href, run.style)):
        same = list(group)
        if style in _WHOLE or len(same) == 1:
            yield from same
        else:
            yield Run("".join(run.text for run in same), href, style)


def address_of(href: str | None, base: str) -> str | None:
    """The absolute web address that a link leads to; None where it leads to no page."""
    if not href or href.startswith("#") or len(href) > _MAX_ADDRESS:
        return None
    try:
        address = urljoin(base, href.strip())
        scheme = urlsplit(address).scheme
    except ValueError:
        return None
    if scheme not in {"http", "https", "mailto"}:
        return None
    return _ADDRESS_SPECIAL.sub(
        lambda found: "".join(f"%{b:02X}" for b in found[0].encode()), address
    )


def _linked(runs: list[Run], href: str | None, base: str) -> str:
    text = "".join(_styled(run, base) for run in runs)
    address = address_of(href, base)
    inner = " ".join(text.split())
    if not address or not inner:
        return text
    before, after = text[:1].isspace(), text[-1:].isspace()
    return f"{' ' * before}[{inner}]({address}){' ' * after}"


def _styled(run: Run, base: str) -> str:
    if run.style == "img":
        address = address_of(run.href, base)
        return f" ![{escaped(run.text)}]({address}) " if address else f" {escaped(run.text)} "
    text = run.text
    inner = text.strip()
    if not inner or run.style in _WHOLE:
        return text
    if run.style == "c":
        return text.replace(inner, _code(inner), 1)
    mark = _MARKS.get(run.style, "")
    return text.replace(inner, f"{mark}{escaped(inner)}{mark}", 1)


def _code(text: str) -> str:
    return f"`{text}`" if "`" not in text else f"`` {text} ``"


def escaped(text: str) -> str:
    """The text with signs that Markdown would take for its own made plain."""
    return _SPECIAL.sub(r"\\\1", text)
