"""Superscripts and subscripts as text: exponents and indices that must not join their base.

Without its shape 2<sup>k</sup> would be read as "2k", and a<sub>n+1</sub> as "an+1". Ordinals
(1<sup>st</sup>), abbreviations (M<sup>me</sup>) and marks of notes are written as letters beside
their word, and the indices of chemistry (H<sub>2</sub>O) as they are usually typed.
"""

import re

from sourcewright.base.text.plain import subscript_of, superscript_of
from sourcewright.reading.html.document import Node
from sourcewright.reading.html.visibility import is_hidden

SCRIPT_TAGS = frozenset(("sup", "sub"))
_MAX_LENGTH, _MAX_NAME, _MAX_STEPS, _MAX_DEPTH = 40, 4, 4, 4
_ITALIC_TAGS = ("i", "em", "var")
_INLINE_TAGS = frozenset(("i", "em", "var", "b", "strong", "span", "a", "code", "sub", "sup"))
_EXPRESSION = re.compile(r"[A-Za-z0-9\u0370-\u03ff\u221e+\-\u2212\u00d7*/^=(),. ]++")
_OPERATOR = re.compile(r"[A-Za-z0-9)][+\-\u2212\u00d7*/^=]|^[+\-\u2212](?=\S)|\d[/.]\d")
_WORD = re.compile(r"[^\W\d_]{3}")
_LETTER = re.compile(r"[A-Za-z\u0370-\u03ff]")
_IN_BRACKETS = re.compile(r"\([A-Za-z0-9]{1,3}\)")
_SINGLE = re.compile(r"[^\W_]|[0-9]++|[A-Za-z]++|\([A-Za-z0-9]{1,3}\)")
_LIST = re.compile(r"[A-Za-z0-9](?:, ?[A-Za-z0-9])+")
_NUMERIC = re.compile(r"[+\-\u2212]?\d{1,9}(?:[./]\d{1,9})?")
_VARIABLE = re.compile(r"(?<![^\W_])[A-Za-z\u0370-\u03ff]$")
_SMALL_NUMBER = re.compile(r"(?<![\w.,])(?:\d|10)$")
_UNIT = re.compile(r"(?<![^\W_])[^\W\d_]{1,3}$")
_NOT_EXPONENTS = {
    "number": frozenset("abcdefghors\u03b7\u03bf\u03b1"),
    "small": frozenset("eo"),
    "capital": frozenset("ceort"),
    "bracket": frozenset("abcdefgh"),
}
"""Letters that are marks of notes or the ends of ordinals and abbreviations (2e, Nr, Mc) there."""


def script_text(node: Node) -> str | None:
    """The superscript or subscript as it is written beside its base; None if as plain text."""
    number = superscript_of(node.text_content()) if node.tag == "sup" else None
    if number and not _has_scripts(node):
        return number
    text = _inner_text(node, 0)
    if not 0 < len(text) <= _MAX_LENGTH:
        return None
    before, after = _text_before(node), (node.tail or "")[:1]
    if node.tag == "sup":
        return "^" + _grouped(text, after) if _is_power(node, text, before) else None
    if text.isdigit():
        # A digit beside it would make another number of both: 1010<sub>2</sub>.
        return subscript_of(text) if before[-1:].isdigit() or after.isdigit() else None
    return "_" + _grouped(text, after) if _is_index(node, text, before) else None


def _inner_text(node: Node, depth: int) -> str:
    """Its text, with the scripts in it as they are written."""
    parts = [node.text or ""]
    for child in node:
        if depth < _MAX_DEPTH and not is_hidden(child):
            script = script_text(child) if child.tag in SCRIPT_TAGS else None
            parts.append(script or _inner_text(child, depth + 1))
        parts.append(child.tail or "")
    return "".join(parts)[: 2 * _MAX_LENGTH].strip()


def _text_before(node: Node) -> str:
    """The end of the text that a script stands beside."""
    for _ in range(_MAX_STEPS):
        previous, parent = node.getprevious(), node.getparent()
        if previous is None:
            text = (parent.text or "") if parent is not None else ""
        elif previous.tail:
            text = previous.tail
        else:
            text = previous.text_content() if previous.tag in _INLINE_TAGS else ""
        if text or previous is not None or parent is None or parent.tag not in _INLINE_TAGS:
            return text[-12:]
        node = parent
    return ""


def _is_power(node: Node, text: str, before: str) -> bool:
    if _NUMERIC.fullmatch(text):
        return bool(_UNIT.search(before)) or before[-1:].isdigit() or before.endswith((")", "]"))
    base = _base_of(before)
    if base is None or next(node.iter("a"), None) is not None:
        return False
    is_name = text.isalpha() and len(text) < _MAX_NAME and (_is_italic(node) or _is_mixed(text))
    if is_name or _is_expression(text) or _has_scripts(node):
        return True
    if base == "number" and not _SMALL_NUMBER.search(before):
        return False
    is_letter = _LETTER.fullmatch(text) and text not in _NOT_EXPONENTS[base]
    return bool(is_letter or (base != "number" and _IN_BRACKETS.fullmatch(text)))


def _is_index(node: Node, text: str, before: str) -> bool:
    if not _VARIABLE.search(before):
        return False
    if _is_expression(text) or _has_scripts(node) or _LIST.fullmatch(text):
        return True
    # Names with a capital letter, such as Km and Vmax, are typed as one word.
    is_variable = not before[-1:].isupper() or _is_italic(node) or _is_in_italics(node)
    return is_variable and text.isalpha() and len(text) < _MAX_NAME


def _base_of(before: str) -> str | None:
    """What a power could be of: a variable, a number or something in brackets."""
    last = before[-1:]
    if last.isdigit():
        return "number"
    if last in {")", "]", "|"}:
        return "bracket"
    if _VARIABLE.search(before):
        return "capital" if last.isupper() else "small"
    return None


def _is_expression(text: str) -> bool:
    """Whether there are operands with an operator, and no words."""
    is_formal = _EXPRESSION.fullmatch(text) and not _WORD.search(text)
    return bool(is_formal and _OPERATOR.search(text))


def _has_scripts(node: Node) -> bool:
    return any(inner is not node for inner in node.iter(*SCRIPT_TAGS))


def _is_mixed(text: str) -> bool:
    """Whether there are letters of two alphabets, as in e<sup>i\u03c0</sup>."""
    return any(map(str.isascii, text)) and any("\u0370" <= one <= "\u03ff" for one in text)


def _is_italic(node: Node) -> bool:
    return next(node.iter(*_ITALIC_TAGS), None) is not None


def _is_in_italics(node: Node) -> bool:
    return node.getparent().tag in _ITALIC_TAGS


def _grouped(text: str, after: str) -> str:
    """The text, in brackets if it has several parts or another letter follows it."""
    compact = "".join(text.split())
    is_single = _SINGLE.fullmatch(compact) is not None
    return compact if is_single and not after.isalnum() else f"({compact})"
