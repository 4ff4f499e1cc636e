"""Writes formulas (TeX, MathML, MathJax, KaTeX) as their TeX source or as their symbols.

Also finds TeX in running text, so that its characters are not escaped for Markdown.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from html import unescape
from itertools import islice, takewhile

from lxml import etree

from sourcewright.reading.html.document import Node
from sourcewright.reading.html.notation.mathml import symbols_of
from sourcewright.reading.html.visibility import formula_before, is_hidden, strip_invisible

_MAX_LENGTH = 5000
_COMMAND = re.compile(r"\\(?:begin|end)\s*\{\w{1,20}\*?\}|\\[A-Za-z]{1,30}")
_WORD = re.compile(r"[^\W\d_]{4,}")
_DISPLAY_STYLE = re.compile(r"^\{\\(?:displaystyle|textstyle)\b(.*)\}$", re.DOTALL)


def formula_of(node: Node) -> str | None:
    """The formula of an element as text; None if the element is not a formula."""
    if node.tag == "math":
        return _from_mathml(node)
    if node.tag in _RENDERED_TAGS:
        return _from_drawing(node)
    if _is_source(node):
        display = "mode=display" in node.get("type").replace(" ", "")
        # Stray brackets are written as entities before a page is parsed, in scripts too.
        return _between_dollars(unescape(node.text or ""), display=display)
    if node.tag == "img" and node.get("aria-hidden") == "true":
        # An image beside MathML for screen readers: only one of the two is to be read.
        twin = formula_before(node)
        if twin is not None:
            return _from_mathml(twin)
    return _from_image(node) if node.tag == "img" else None


_IMAGE_NAMES = frozenset(
    (
        *("latex", "latexcenter", "tex", "mwe-math-fallback-image-inline"),
        "mwe-math-fallback-image-display",
    )
)
"""Classes of images of formulas: of WordPress, Art of Problem Solving and MediaWiki."""
_IMAGE_SOURCE = re.compile(
    r"/latex\.php\?|//latex\.codecogs\.com/|/media/math/render/|/mimetex\.cgi\?"
)
_TEX_SIGN = re.compile(r"[\\^_{}=+<>$]|\A\W?\w\W?\Z")
_TEX_DELIMITERS = re.compile(r"\A(\$\$?|\\[\[(])(.*?)(?:\$\$?|\\[\])])\Z", re.DOTALL)


def _from_image(image: Node) -> str | None:
    """The TeX in the text of an image; None if it is no image of a formula."""
    names = (image.get("class") or "").split()
    is_drawn = _IMAGE_SOURCE.search((image.get("src") or "")[:_MAX_LENGTH])
    tex = (image.get("alt") or "").strip()
    if not is_drawn and (_IMAGE_NAMES.isdisjoint(names) or not _TEX_SIGN.search(tex)):
        return None
    return _from_source(tex, names)


def _from_source(tex: str, names: Iterable[str]) -> str | None:
    """TeX in its own delimiters or in none, as an element with these classes has it."""
    if not tex or len(tex) > _MAX_LENGTH or _UNSAFE.search(tex):
        return None
    match = _TEX_DELIMITERS.match(tex)
    opener, inner = (match[1], match[2]) if match else ("", tex)
    display = opener in {"$$", "\\["} or any(
        name.endswith(("center", "display")) for name in names
    )
    return _between_dollars(inner, display=display)


def _from_mathml(math: Node) -> str:
    symbols = symbols_of(math)
    annotation = next(
        (element.text for element in math.iter("annotation") if _is_tex(element)), None
    )
    tex = (annotation or math.get("alttext") or "").strip()
    if not tex or not _matches_symbols(tex, symbols):
        return symbols
    return _between_dollars(tex, display=math.get("display") == "block")


def _is_tex(annotation: Node) -> bool:
    return "tex" in (annotation.get("encoding") or "").lower()


def _matches_symbols(tex: str, symbols: str) -> bool:
    """Whether the visible symbols have every word of the TeX source, which itself is hidden."""
    words = unicodedata.normalize("NFKC", _COMMAND.sub(" ", tex[:_MAX_LENGTH]))
    return len(tex) <= _MAX_LENGTH and all(word in symbols for word in _WORD.findall(words))


def _between_dollars(tex: str, *, display: bool) -> str:
    inner = " ".join(strip_invisible(_DISPLAY_STYLE.sub(r"\1", tex.strip())[:_MAX_LENGTH]).split())
    delimiter = "$$" if display else "$"
    return f"{delimiter}{inner}{delimiter}" if inner else ""


_RENDERED_TAGS = frozenset(("mjx-container", "span", "em"))
"""Elements that MathJax and KaTeX draw formulas in."""
_RENDERED_CLASSES = frozenset(
    ("MathJax", "MathJax_CHTML", "MathJax_SVG", "MathJax_MathML", "mjx-chtml", "mjx-svg", "katex")
)
_RENDERED_PARTS = ("MathJax", "mjx", "katex", "math", "tex")
"""One of these is in each of their class names: a quick test before these are split."""
_SOURCE_NAMES = frozenset(("math", "tex"))
"""Classes of an element with TeX that a script of the page draws: Pandoc, Sphinx, MediaWiki."""
_DISPLAY_CLASSES = ("MathJax_Display", "MathJax_SVG_Display", "MJXc-display", "katex-display")
_CLASS_CODE = re.compile(r"\bmjx-c([0-9A-F]{2,6})\b")
_ATTRIBUTE_CODE = re.compile(r"(?:#MJ[\w-]{1,40}-)?([0-9A-F]{2,6})")
_NOT_DRAWN = frozenset(("math", "script", "style", "title", "defs"))
_MAX_PARTS = 5000


def _is_source(node: Node) -> bool:
    if node is None or node.tag != "script":
        return False
    return (node.get("type") or "").startswith("math/tex")


def _from_drawing(node: Node) -> str | None:
    """A formula that MathJax or KaTeX has drawn; None for any other element."""
    classes = node.get("class") or ""
    if node.tag != "mjx-container" and not any(part in classes for part in _RENDERED_PARTS):
        return None
    names = classes.split()
    if not _SOURCE_NAMES.isdisjoint(names):
        tex = (node.text or "").strip()
        return _from_source(tex, names) if not len(node) and _TEX_SIGN.search(tex) else None
    if "MathJax_Preview" in names:
        return "" if any(map(_is_source, islice(node.itersiblings(), 2))) else None
    if node.tag != "mjx-container" and _RENDERED_CLASSES.isdisjoint(names):
        return None
    parent = node.getparent()
    is_display = parent is not None and any(
        name in (parent.get("class") or "") for name in _DISPLAY_CLASSES
    )
    if _is_source(node.getnext()) or (is_display and _is_source(parent.getnext())):
        return ""  # its source follows and is read instead
    return _best_source(node, display=is_display or node.get("display") in ("true", "block"))


def _best_source(node: Node, *, display: bool) -> str:
    """The TeX or MathML beside a drawn formula if they agree, else the drawn characters."""
    drawn = _drawn(node)
    math = _mathml_in(node, is_drawn=bool(drawn))
    if math is not None and (not drawn or _matches_symbols(symbols_of(math), drawn)):
        if display:
            math.set("display", "block")
        return _from_mathml(math)
    sources = (element.get("data-latex") for element in islice(node.iter("*"), _MAX_PARTS))
    latex = next(filter(None, sources), "")
    if latex and drawn and _matches_symbols(latex, drawn):
        return _between_dollars(latex, display=display)
    return drawn


def _mathml_in(node: Node, *, is_drawn: bool) -> Node | None:
    """The MathML of a formula; None if it is hidden and nothing is drawn beside it."""
    math = next(node.iter("math"), None)
    if math is None:
        attribute = (node.get("data-mathml") or "")[: 10 * _MAX_LENGTH]
        parser = etree.XMLParser(resolve_entities=False, no_network=True, recover=True)
        parsed = etree.fromstring(attribute.encode(), parser) if attribute and is_drawn else None
        return None if parsed is None else _without_namespace(parsed)
    if is_drawn or next(node.iter("svg"), None) is not None:
        return math
    enclosing = takewhile(lambda element: element is not node, (math, *math.iterancestors()))
    return None if any(map(is_hidden, enclosing)) else math


def _without_namespace(math: Node) -> Node:
    for element in math.iter("*"):
        element.tag = etree.QName(element).localname
    return math


def _drawn(node: Node) -> str:
    """The drawn characters in order."""
    parts = islice(_drawn_parts(node), _MAX_PARTS)
    return " ".join(strip_invisible(unicodedata.normalize("NFKC", "".join(parts))).split())


def _drawn_parts(node: Node) -> Iterator[str]:
    """Text nodes, and the characters that MathJax draws by code point."""
    code = _CLASS_CODE.search(node.get("class") or "") or _ATTRIBUTE_CODE.fullmatch(
        node.get("data-c") or node.get("xlink:href") or ""
    )
    yield _operator_before(node)
    yield chr(min(int(code[1], 16), 0x10FFFF)) if code else ""
    yield node.text or ""
    for child in node:
        if isinstance(child.tag, str) and child.tag not in _NOT_DRAWN:
            yield from _drawn_parts(child)
        yield child.tail or ""


_OPERATORS = {"msup": "^", "msub": "_", "mfrac": "/"}


def _operator_before(node: Node) -> str:
    """The operator before an exponent, an index or a denominator."""
    parent = node.getparent()
    if node.tag == "mjx-script":
        return _OPERATORS.get(parent.tag.removeprefix("mjx-"), "")
    if node.tag == "mjx-dbox":
        return "/"
    if "msupsub" in (node.get("class") or ""):
        # KaTeX adds a second row if there is a subscript.
        return "_" if any("vlist-t2" in (child.get("class") or "") for child in node) else "^"
    is_second = node.get("data-mml-node") and node.getprevious() is not None
    return _OPERATORS.get(parent.get("data-mml-node") or "", "") if is_second else ""


_TEX_TOKEN = re.compile(
    r"\\(?:[\\()\[\]]|(?P<edge>begin|end)\{(?P<name>[A-Za-z]{1,20}\*?)\})|\$\$"
)
_MAX_UNCLOSED, _MAX_INLINE = 5, 500
_TEX_CLOSERS = {"\\(": "\\)", "\\[": "\\]", "$$": "$$"}
_UNSAFE = re.compile(r"<[A-Za-z/!?][^<>]{0,2000}>|\]\(\s{0,9}[A-Za-z][\w+.-]{0,20}:")
"""Text that Markdown would read as a tag or as an absolute link."""


def tex_spans(text: str) -> list[tuple[int, int]]:
    r"""Start and end of TeX in a text: in \( \), \[ \], $$ $$ and $ $, and in environments."""
    if "\\" not in text and "$" not in text:
        return []
    spans: list[tuple[int, int]] = []
    position: int | None = 0
    for _ in range(_MAX_UNCLOSED):
        if position is not None:
            position = _find_spans(text, position, spans)
    spans = spans or _spans_in_dollars(text)
    return [(at, end) for at, end in spans if not _UNSAFE.search(text, at, end)]


def _spans_in_dollars(text: str) -> list[tuple[int, int]]:
    """Start and end of TeX between two dollar signs, which may also be amounts of money."""
    spans: list[tuple[int, int]] = []
    opener = -1
    for sign in re.finditer(r"\$", text):
        at = sign.start()
        inner = text[opener + 1 : at] if 0 <= opener < at <= opener + _MAX_INLINE else ""
        if _is_inline_tex(inner) and not text[at + 1 : at + 2].isalnum():
            spans.append((opener, at + 1))
            opener = -1
        else:
            opener = at
    return spans


def _is_inline_tex(inner: str) -> bool:
    """Whether there is a command or an index in it, and no blank at its ends."""
    is_index = ("_" in inner or "^" in inner) and len(inner.split()) == 1
    return inner == inner.strip() and (is_index or bool(_COMMAND.search(inner)))


def _find_spans(text: str, position: int, spans: list[tuple[int, int]]) -> int | None:
    """Add the spans from a position on; return where to continue after an unclosed one."""
    opener: re.Match[str] | None = None
    for token in _TEX_TOKEN.finditer(text, position):
        if opener is not None and token[0] == _closer_of(opener):
            spans.append((opener.start(), token.end()))
            opener = None
        elif _closer_of(token) and (opener is None or token[0] == opener[0] != "$$"):
            # The same opener again: the earlier one was never closed.
            opener = token
    return None if opener is None else opener.end()


def _closer_of(token: re.Match[str]) -> str:
    if token["edge"]:
        return f"\\end{{{token['name']}}}" if token["edge"] == "begin" else ""
    return _TEX_CLOSERS.get(token[0], "")
