"""Writes preformatted text as it is laid out: its lines, its indentation, and nothing unseen."""

import re
from collections.abc import Iterable, Iterator

from sourcewright.logic.extracting.hiding import is_hidden, visible
from sourcewright.logic.extracting.parsing import Node
from sourcewright.logic.extracting.runs import DROPPED

_LANGUAGE = re.compile(
    r"(?:language|lang|brush|highlight(?:-source)?)[-:]\s?([\w+#.-]{1,20})"
    r"|\b(?:hljs|sourceCode)\s+(?!lang)([a-z][\w+#-]{0,19})"
)
_NO_LANGUAGE = frozenset(("default", "none", "text", "plaintext", "plain", "nohighlight", "auto"))
_LINES = frozenset(
    ("div", "p", "li", "tr", "ul", "ol", "table", "section", "figure", "blockquote")
)
_NUMBERS = re.compile(r"gutter|line-?no|line-?num|\bln\b|rouge-gutter", re.IGNORECASE)
_FENCES = re.compile(r"`{3,}")
_DEEPEST = 200


def fenced(node: Node) -> str:
    """Code in a fence longer than any inside it; empty for the numbers beside the code."""
    if _is_numbering(node) or _is_numbering(node.getparent()):
        return ""
    lines = [visible(line).rstrip() for line in _laid_out(node).split("\n")]
    text = "\n".join(lines).strip("\n")
    fence = "`" * max(3, max((len(run) + 1 for run in _FENCES.findall(text)), default=0))
    return f"{fence}{_language(node)}\n{text}\n{fence}" if text.strip() else ""


def _laid_out(node: Node) -> str:
    text: list[str] = []
    at_start, ends = True, False
    for piece in _pieces(node, 0):
        if piece is None:
            ends = not at_start
        elif piece:
            if ends and not piece.startswith("\n"):
                text.append("\n")
            text.append(piece)
            at_start, ends = piece.endswith("\n"), False
    return "".join(text)


def _pieces(node: Node, depth: int) -> Iterator[str | None]:
    """The text in its order; None where a line begins and where one ends."""
    yield node.text
    for child in node:
        if isinstance(child.tag, str) and depth < _DEEPEST and not _is_left_out(child):
            ends: Iterable[None] = (None,) if child.tag in _LINES else ()
            yield from ends
            yield from ("\n",) if child.tag == "br" else _pieces(child, depth + 1)
            yield from ends
        yield child.tail or ""


def _is_left_out(node: Node) -> bool:
    return node.tag in DROPPED or node.tag == "button" or is_hidden(node) or _is_numbering(node)


def _is_numbering(node: Node) -> bool:
    """Whether it holds the numbers of the lines, which are no part of the code."""
    if node is None or not _NUMBERS.search(node.get("class") or ""):
        return False
    return not node.text_content().strip(" \t\r\n.:|0123456789")


def _language(node: Node) -> str:
    above = node.getparent()
    around = () if above is None else (above, above.getparent())
    for one in (node, *node.iter("code"), *around):
        said = _said(one) if one is not None else ""
        if said:
            return "" if said in _NO_LANGUAGE else said
    return ""


def _said(node: Node) -> str:
    given = node.get("data-lang") or node.get("data-language") or ""
    found = _LANGUAGE.search(node.get("class") or "")
    said = given if re.fullmatch(r"[\w+#.-]{1,20}", given) else ""
    return (said or (found[1] or found[2] if found else "")).lower()
