"""Writes formulas (TeX, MathML, MathJax, KaTeX) as their TeX source or as their symbols.

Finds TeX in running text, which keeps every character that Markdown would escape.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from itertools import islice, takewhile

from lxml import etree

from sourcewright.logic.html.document import Node
from sourcewright.logic.html.visibility import formula_before, is_hidden, visible
from sourcewright.logic.text.plain import raised

_LONGEST = 5000
_COMMAND = re.compile(r"\\(?:begin|end)\s*\{\w{1,20}\*?\}|\\[A-Za-z]{1,30}")
_WORD = re.compile(r"[^\W\d_]{4,}")
_UNSEEN = frozenset(("annotation", "annotation-xml", "mphantom", "maction", "mprescripts"))
_DEEPEST = 60
_BLANKS = ("", None)
_WITHIN = re.compile(
    r"\([^()]*+\)|[^\W_\u2070-\u207f\u00b2\u00b3\u00b9]++[\u2070-\u207f\u00b2\u00b3\u00b9]++"
)
_DISPLAYED = re.compile(r"^\{\\(?:displaystyle|textstyle)\b(.*)\}$", re.DOTALL)


def formula_of(node: Node) -> str | None:
    """The formula that an element is; None where it is something else."""
    if node.tag == "math":
        return _of_math(node)
    if node.tag in _RENDERED_TAGS:
        return _rendered(node)
    if _is_source(node):
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
    said = unicodedata.normalize("NFKC", _COMMAND.sub(" ", tex[:_LONGEST]))
    return len(tex) <= _LONGEST and all(word in symbols for word in _WORD.findall(said))


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


_RENDERED_TAGS = frozenset(("mjx-container", "span"))
"""Elements that a formula may be drawn in."""
_RENDERED = frozenset(
    ("MathJax", "MathJax_CHTML", "MathJax_SVG", "MathJax_MathML", "mjx-chtml", "mjx-svg", "katex")
)
_DISPLAYS = ("MathJax_Display", "MathJax_SVG_Display", "MJXc-display", "katex-display")
_CLASS_CODE = re.compile(r"\bmjx-c([0-9A-F]{2,6})\b")
_PLAIN_CODE = re.compile(r"(?:#MJ[\w-]{1,40}-)?([0-9A-F]{2,6})")
_NOT_DRAWN = frozenset(("math", "script", "style", "title", "defs"))
_MOST_PARTS = 5000


def _is_source(node: Node) -> bool:
    if node is None or node.tag != "script":
        return False
    return (node.get("type") or "").startswith("math/tex")


def _rendered(node: Node) -> str | None:
    """A formula that MathJax or KaTeX has drawn; None for any other element."""
    names = (node.get("class") or "").split()
    if "MathJax_Preview" in names:
        return "" if any(map(_is_source, islice(node.itersiblings(), 2))) else None
    if node.tag != "mjx-container" and _RENDERED.isdisjoint(names):
        return None
    above = node.getparent()
    framed = above is not None and any(one in (above.get("class") or "") for one in _DISPLAYS)
    if _is_source(node.getnext()) or (framed and _is_source(above.getnext())):
        return ""  # its source follows, and is read there
    return _best_form(node, display=framed or node.get("display") in ("true", "block"))


def _best_form(node: Node, *, display: bool) -> str:
    """The TeX or the MathML beside what is drawn, where it says the same; else what is drawn."""
    drawn = _drawn(node)
    math = _math_in(node, is_drawn=bool(drawn))
    if math is not None and (not drawn or _is_shown(_symbols(math), drawn)):
        if display:
            math.set("display", "block")
        return _of_math(math)
    sources = (one.get("data-latex") for one in islice(node.iter("*"), _MOST_PARTS))
    latex = next(filter(None, sources), "")
    if latex and drawn and _is_shown(latex, drawn):
        return _between_dollars(latex, display=display)
    return drawn


def _math_in(node: Node, *, is_drawn: bool) -> Node | None:
    """The MathML of a formula; what is hidden beside no drawing is nobody's formula."""
    math = next(node.iter("math"), None)
    if math is None:
        given = (node.get("data-mathml") or "")[: 10 * _LONGEST]
        parser = etree.XMLParser(resolve_entities=False, no_network=True, recover=True)
        found = etree.fromstring(given.encode(), parser) if given and is_drawn else None
        return None if found is None else _without_namespace(found)
    if is_drawn or next(node.iter("svg"), None) is not None:
        return math
    around = takewhile(lambda one: one is not node, (math, *math.iterancestors()))
    return None if any(map(is_hidden, around)) else math


def _without_namespace(math: Node) -> Node:
    for one in math.iter("*"):
        one.tag = etree.QName(one).localname
    return math


def _drawn(node: Node) -> str:
    """The characters that are drawn, in their order."""
    parts = islice(_drawn_parts(node), _MOST_PARTS)
    return " ".join(visible(unicodedata.normalize("NFKC", "".join(parts))).split())


def _drawn_parts(node: Node) -> Iterator[str]:
    """Text, and the characters that MathJax draws by their codes."""
    code = _CLASS_CODE.search(node.get("class") or "") or _PLAIN_CODE.fullmatch(
        node.get("data-c") or node.get("xlink:href") or ""
    )
    yield _mark_before(node)
    yield chr(min(int(code[1], 16), 0x10FFFF)) if code else ""
    yield node.text or ""
    for child in node:
        if isinstance(child.tag, str) and child.tag not in _NOT_DRAWN:
            yield from _drawn_parts(child)
        yield child.tail or ""


_MARKS = {"msup": "^", "msub": "_", "mfrac": "/"}


def _mark_before(node: Node) -> str:
    """What keeps a power, an index or a denominator apart from what it follows."""
    above = node.getparent()
    if node.tag == "mjx-script":
        return _MARKS.get(above.tag.removeprefix("mjx-"), "")
    if node.tag == "mjx-dbox":
        return "/"
    if "msupsub" in (node.get("class") or ""):
        # KaTeX sets a second row where something stands below the line.
        return "_" if any("vlist-t2" in (one.get("class") or "") for one in node) else "^"
    is_second = node.get("data-mml-node") and node.getprevious() is not None
    return _MARKS.get(above.get("data-mml-node") or "", "") if is_second else ""


_TEX_TOKEN = re.compile(
    r"\\(?:[\\()\[\]]|(?P<edge>begin|end)\{(?P<name>[A-Za-z]{1,20}\*?)\})|\$\$"
)
_MOST_UNCLOSED = 5
_TEX_ENDS = {"\\(": "\\)", "\\[": "\\]", "$$": "$$"}
_UNSAFE = re.compile(r"<[A-Za-z/!?][^<>]{0,2000}>|\]\(\s{0,9}[A-Za-z][\w+.-]{0,20}:")
"""What a reader of Markdown would take for a tag, or for a link that leaves the page."""


def tex_spans(text: str) -> list[tuple[int, int]]:
    r"""Where TeX stands in a text: in \( \), in \[ \], in $$ $$ and in environments."""
    if "\\" not in text and "$$" not in text:
        return []
    spans: list[tuple[int, int]] = []
    place: int | None = 0
    for _ in range(_MOST_UNCLOSED):
        if place is not None:
            place = _find_spans(text, place, spans)
    return [(at, end) for at, end in spans if not _UNSAFE.search(text, at, end)]


def _find_spans(text: str, place: int, spans: list[tuple[int, int]]) -> int | None:
    """Adds the spans from a place on; returns where to go on after one that was never closed."""
    opener: re.Match[str] | None = None
    for token in _TEX_TOKEN.finditer(text, place):
        if opener is not None and token[0] == _end_of(opener):
            spans.append((opener.start(), token.end()))
            opener = None
        elif _end_of(token) and (opener is None or token[0] == opener[0] != "$$"):
            # What opens again was not closed before.
            opener = token
    return None if opener is None else opener.end()


def _end_of(token: re.Match[str]) -> str:
    if token["edge"]:
        return f"\\end{{{token['name']}}}" if token["edge"] == "begin" else ""
    return _TEX_ENDS.get(token[0], "")
