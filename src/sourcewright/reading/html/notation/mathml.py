"""MathML as its symbols on one line, for formulas without their TeX source."""

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from sourcewright.base.text.plain import superscript_of
from sourcewright.reading.html.document import Node
from sourcewright.reading.html.visibility import strip_invisible

_MAX_LENGTH = 5000
_INVISIBLE_TAGS = frozenset(("annotation", "annotation-xml", "mphantom", "maction", "mprescripts"))
_MAX_DEPTH, _MAX_RUN = 60, 40
_STRIPPED_CHARACTERS = ("", None)
_SINGLE_OPERAND = re.compile(
    r"\([^()]*+\)|[^\W_\u2070-\u207f\u00b2\u00b3\u00b9]++[\u2070-\u207f\u00b2\u00b3\u00b9]++"
)
_ACCENTS = {
    **dict.fromkeys("^\u02c6", "\u0302"),
    **dict.fromkeys("~\u02dc", "\u0303"),
    **dict.fromkeys("\u00af\u02c9\u2015\u203e", "\u0304"),
    "\u02d9": "\u0307",
    "\u00a8": "\u0308",
    "\u02c7": "\u030c",
    "\u2192": "\u20d7",
}
"""Characters above a letter, as the marks that join it."""
_PRIMES = "'\u2032\u2033\u2034"
_SEPARATORS = {"mtr": ", ", "mtable": "; "}
_RUNS_ON = re.compile(r"(?:[A-Za-z]{2}|[_^][^\W_]+)\Z")
"""The name of a function, or an index without brackets, at the end of a text."""
_NAME = re.compile(r"[A-Za-z]{2}")


def symbols_of(math: Node) -> str:
    """The visible symbols of a formula on one line, with fractions and indices marked."""
    return " ".join(strip_invisible(_linearised(math, 0))[:_MAX_LENGTH].split())


def _linearised(node: Node, depth: int) -> str:
    if not isinstance(node.tag, str) or node.tag in _INVISIBLE_TAGS or depth > _MAX_DEPTH:
        return ""
    parts = [part for part in (_linearised(child, depth + 1) for child in node) if part]
    if node.tag == "mfrac" and (node.get("linethickness") or "").startswith("0"):
        return "; ".join(parts)
    if node.tag in _LAYOUTS and len(parts) > 1:
        return _LAYOUTS[node.tag](*map(_grouped, parts[:3]))
    if node.tag == "msqrt":
        return f"\u221a{_grouped(_joined(parts))}"
    if node.tag in _SEPARATORS:
        return _SEPARATORS[node.tag].join(parts)
    own = (node.text or "").strip(_STRIPPED_CHARACTERS[node.tag != "mtext"])
    return _joined([strip_invisible(own), *parts])


def _joined(parts: Sequence[str]) -> str:
    """The parts one after the other, with blanks where a name or an index would run on."""
    return "".join(f"{part}{_gap(part, after)}" for part, after in pairwise((*parts, "")))


def _gap(before: str, after: str) -> str:
    if _RUNS_ON.search(before[-_MAX_RUN:]) and after[:1].isalnum():
        return " "
    return " " if before[-1:].isalpha() and _NAME.match(after) else ""


def _grouped(part: str) -> str:
    """The part, in brackets if it consists of several."""
    return (
        part
        if len(part) == 1 or part.isalnum() or _SINGLE_OPERAND.fullmatch(part)
        else f"({part})"
    )


def _with_accent(base: str, accent: str, *_: str) -> str:
    mark = _ACCENTS.get(accent, "") if len(base) == 1 else ""
    return base + mark if mark else _with_exponent(base, accent)


def _with_exponent(base: str, power: str, *_: str) -> str:
    if not power.strip(_PRIMES):
        return base + power
    return base + (superscript_of(power.strip("()")) or f"^{power}")


def _with_index(base: str, index: str, power: str = "") -> str:
    return _with_exponent(f"{base}_{index}", power) if power else f"{base}_{index}"


_LAYOUTS: Mapping[str, Callable[..., str]] = {
    "mfrac": lambda above, below, *_: f"{above}/{below}",
    "msup": _with_exponent,
    "mover": _with_accent,
    "msub": _with_index,
    "munder": _with_index,
    "msubsup": _with_index,
    "munderover": _with_index,
    "mroot": lambda inner, degree, *_: f"{inner}^(1/{degree})",
}
