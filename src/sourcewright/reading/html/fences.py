"""Code blocks as Markdown fences, with their language.

Preformatted text keeps its lines and its indentation, without hidden parts.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from sourcewright.reading.html.document import Node
from sourcewright.reading.html.inline import IGNORED_TAGS
from sourcewright.reading.html.notation.exponents import SCRIPT_TAGS, script_text
from sourcewright.reading.html.visibility import is_hidden, strip_invisible
from sourcewright.reading.markdown.writer import code_fence

_LANGUAGE = re.compile(
    r"(?:language|lang|brush|highlight(?:-source|-lang)?)[-:]\s?([\w+#.-]{1,20})"
    r"|\b(?:hljs|sourceCode)\s+(?!lang)([a-z][\w+#-]{0,19})"
)
_LANGUAGE_LIST = (
    "bash clojure console cpp csharp css dart elixir erlang fortran fsharp golang graphql groovy "
    "haskell html ini java javascript js json julia kotlin latex lisp lua makefile matlab nginx "
    "ocaml pascal perl php powershell prolog python ruby rust sass scala scheme scss sql swift toml "
    "typescript vbnet verilog xml yaml zig"
)
_LANGUAGES, _CODE_TAGS = frozenset(_LANGUAGE_LIST.split()), ("pre", "code")
"""Languages whose bare name is a class of code, as rustdoc and others have it."""
_NO_LANGUAGE = frozenset(("default", "none", "text", "plaintext", "plain", "nohighlight", "auto"))
_LINE_TAGS = frozenset(
    ("div", "p", "li", "tr", "ul", "ol", "table", "section", "figure", "blockquote")
)
_LINE_NUMBER_CLASS = re.compile(r"gutter|line-?no|line-?num|\bln\b|rouge-gutter", re.IGNORECASE)
_WRAPPERS, _TABLE_WRAPPERS = 2, 5
_MAX_DEPTH = 200


def code_block(node: Node) -> str:
    """Code in a fence longer than any inside it; empty for a column of line numbers."""
    if _is_line_number_column(node) or _is_line_number_column(node.getparent()):
        return ""
    # Editors write blanks as no-break spaces.
    layout = _layout_text(node).replace("\u00a0", " ")
    lines = [strip_invisible(line).rstrip() for line in layout.split("\n")]
    text = "\n".join(lines).strip("\n")
    return code_fence(text, code_language(node)) if text.strip() else ""


def _layout_text(node: Node) -> str:
    text: list[str] = []
    at_line_start, line_ended = True, False
    for piece in _pieces(node, 0):
        if piece is None:
            line_ended = not at_line_start
        elif piece:
            if line_ended and not piece.startswith("\n"):
                text.append("\n")
            text.append(piece)
            at_line_start, line_ended = piece.endswith("\n"), False
    return "".join(text)


def _pieces(node: Node, depth: int) -> Iterator[str | None]:
    """Pieces of text in order; None where a line begins or ends."""
    yield node.text or ""
    for child in node:
        if isinstance(child.tag, str) and depth < _MAX_DEPTH and not _is_ignored(child):
            line_edge: Iterable[None] = (None,) if child.tag in _LINE_TAGS else ()
            yield from line_edge
            whole = _whole_piece(child)
            yield from (whole,) if whole else _pieces(child, depth + 1)
            yield from line_edge
        yield child.tail or ""


def _whole_piece(node: Node) -> str | None:
    if node.tag == "br":
        return "\n"
    return script_text(node) if node.tag in SCRIPT_TAGS else None


def _is_ignored(node: Node) -> bool:
    return (
        node.tag in IGNORED_TAGS
        or node.tag == "button"
        or is_hidden(node)
        or _is_line_number_column(node)
    )


def _is_line_number_column(node: Node) -> bool:
    """Whether it holds line numbers, which are not part of the code."""
    if node is None or not _LINE_NUMBER_CLASS.search(node.get("class") or ""):
        return False
    return not node.text_content().strip(" \t\r\n.:|0123456789")


def code_language(node: Node) -> str:
    """The language that the code, or an element around it, is declared to be in."""
    for candidate in (node, *node.iter("code"), *_code_wrappers(node)):
        language = _declared_language(candidate)
        if language:
            return "" if language in _NO_LANGUAGE else language
    return ""


def _code_wrappers(node: Node) -> Iterator[Node]:
    """The two elements around code, and those around the table of it and its line numbers."""
    yield from islice(node.iterancestors(), _WRAPPERS)
    for cell in islice(node.iterancestors("td"), 1):
        if _is_line_number_column(cell.getprevious()):
            yield from islice(cell.iterancestors(), _TABLE_WRAPPERS)


def _declared_language(node: Node) -> str:
    attribute = node.get("data-lang") or node.get("data-language") or ""
    match = _LANGUAGE.search(node.get("class") or "")
    language = attribute if re.fullmatch(r"[\w+#.-]{1,20}", attribute) else ""
    language = language or (match[1] or match[2] if match else "")
    return language.lower() or _bare_language(node)


def _bare_language(node: Node) -> str:
    classes = (node.get("class") or "")[:200].lower().split() if node.tag in _CODE_TAGS else []
    return next((name for name in classes if name in _LANGUAGES), "")
