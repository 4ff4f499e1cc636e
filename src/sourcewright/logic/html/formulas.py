"""Writes formulas between dollar signs, as they are written in TeX, or as their symbols."""

import re
from collections.abc import Callable, Mapping

from sourcewright.logic.html.document import Node
from sourcewright.logic.html.visibility import formula_before, visible
from sourcewright.logic.text.plain import raised

_LONGEST = 5000
_COMMAND = re.compile(r"\\(?:begin|end)\s*\{\w{1,20}\*?\}|\\[A-Za-z]{1,30}")
_WORD = re.compile(r"[^\W\d_]{4,}")
_UNSEEN = frozenset(("annotation", "annotation-xml", "mphantom", "maction", "mprescripts"))
_DEEPEST = 60
_BLANKS = ("", None)
_WITHIN = re.compile(r"\([^()]*\)|[^\W_]+[\u2070-\u207f\u00b2\u00b3\u00b9]+")
_DISPLAYED = re.compile(r"^\{\\(?:displaystyle|textstyle)\b(.*)\}$", re.DOTALL)


def formula_of(node: Node) -> str | None:
    """The formula that an element is; None where it is something else."""
    if node.tag == "math":
        return _of_math(node)
    if node.tag == "script" and (node.get("type") or "").startswith("math/tex"):
        display = "mode=display" in node.get("type").replace(" ", "")
        return _between_dollars(node.text or "", display=display)
    if node.tag == "img" and node.get("aria-hidden") == "true":
        # A picture for eyes beside a formula for screen readers: one of the two is seen.
        twin = formula_before(node)
        return None if twin is None else _of_math(twin)
    return None


def _of_math(math: Node) -> str:
    symbols = _symbols(math)
    told = next((one.text for one in math.iter("annotation") if _is_tex(one)), None)
    tex = (told or math.get("alttext") or "").strip()
    if not tex or not _is_shown(tex, symbols):
        return symbols
    return _between_dollars(tex, display=math.get("display") == "block")


def _is_tex(annotation: Node) -> bool:
    return "tex" in (annotation.get("encoding") or "").lower()


def _is_shown(tex: str, symbols: str) -> bool:
    """Whether every word in the source of a formula is seen in it: the source itself is not."""
    return len(tex) <= _LONGEST and all(
        word in symbols for word in _WORD.findall(_COMMAND.sub(" ", tex))
    )


def _symbols(math: Node) -> str:
    """What is seen of a formula, on one line: what stands above or below stays apart."""
    return " ".join(visible(_spelt(math, 0))[:_LONGEST].split())


def _spelt(node: Node, depth: int) -> str:
    if not isinstance(node.tag, str) or node.tag in _UNSEEN or depth > _DEEPEST:
        return ""
    parts = [part for part in (_spelt(child, depth + 1) for child in node) if part]
    if node.tag in _FORMS and len(parts) > 1:
        return _FORMS[node.tag](*map(_grouped, parts[:3]))
    if node.tag == "msqrt":
        return f"\u221a{_grouped(''.join(parts))}"
    between = {"mtr": ", ", "mtable": "; "}.get(node.tag, "")
    return (node.text or "").strip(_BLANKS[node.tag != "mtext"]) + between.join(parts)


def _grouped(part: str) -> str:
    """A part as one, in brackets where it has parts of its own."""
    return part if len(part) == 1 or part.isalnum() or _WITHIN.fullmatch(part) else f"({part})"


def _powered(base: str, power: str, *_: str) -> str:
    return base + (raised(power.strip("()")) or f"^{power}")


def _indexed(base: str, index: str, power: str = "") -> str:
    return _powered(f"{base}_{index}", power) if power else f"{base}_{index}"


_FORMS: Mapping[str, Callable[..., str]] = {
    "mfrac": lambda above, below, *_: f"{above}/{below}",
    "msup": _powered,
    "mover": _powered,
    "msub": _indexed,
    "munder": _indexed,
    "msubsup": _indexed,
    "munderover": _indexed,
    "mroot": lambda inner, degree, *_: f"{inner}^(1/{degree})",
}


def _between_dollars(tex: str, *, display: bool) -> str:
    inner = " ".join(visible(_DISPLAYED.sub(r"\1", tex.strip())[:_LONGEST]).split())
    mark = "$$" if display else "$"
    return f"{mark}{inner}{mark}" if inner else ""
