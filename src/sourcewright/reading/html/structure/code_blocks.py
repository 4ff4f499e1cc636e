"""Code blocks of highlighters and editors as plain `pre` elements, line by line.

Shiki, Twoslash, Prism, highlight.js, CodeMirror, Monaco, Ace and line-number tables wrap tokens
and lines in elements, and put line numbers, pop-ups, labels and buttons among them.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import islice, pairwise

from sourcewright.reading.html.document import AttributeIndex, Node
from sourcewright.reading.html.fences import code_language

_EDITOR_TEXT = frozenset({"cm-content", "CodeMirror-code", "view-lines", "ace_text-layer"})
"""Classes of the elements that hold the lines of an editor."""
_EDITOR_NAMES = frozenset({"cm-editor", "CodeMirror", "monaco-editor", "ace_editor"})
_LINE_NAMES = frozenset(
    (
        *("line", "token-line", "code-line", "ec-line", "view-line", "cl", "cm-line"),
        *("hljs-ln-code", "blob-code", "ace_line"),
    )
)
_NOTE_NAMES = frozenset(
    (
        *("twoslash-popup-container", "twoslash-meta-line", "twoslash-popup-code"),
        *("error-behind", "playground-link", "language-id", "line-numbers-rows"),
        *("line-numbers-wrapper", "CodeMirror-gutter-wrapper", "cm-gutters", "ace_gutter"),
    )
)
"""Classes of elements in and beside code that are no part of it."""
_LABEL_NAMES = frozenset({"lang", "language-id", "code-lang", "language-name", "copy", "toolbar"})
_LABEL_CHARACTERS = 30
_CODE_NAME = re.compile(
    r"cm-content|CodeMirror|view-lines|ace_text|twoslash|shiki|language-id|error-behind|codebox"
    r"|blob-code|\bcode\b|highlight|language-|hljs|prism"
)
_GUTTER_NAME = re.compile(
    r"gutter|line-?no|line-?num|blob-num|hljs-ln-numbers|linenos", re.IGNORECASE
)
_CODE_CELL = re.compile(r"\bcode\b|blob-code|rouge-code|hljs-ln-code|code-cell", re.IGNORECASE)
_LANGUAGE = re.compile(r"[A-Za-z][\w+#.-]{0,19}")
_HIGHLIGHTER = re.compile(r"\bsyntaxhighlighter\s+(?!nogutter)([a-z][\w+#-]{0,19})")
_MAX_LINES, _MAX_WRAPPED, _MAX_STEPS = 20_000, 8, 2
_MIN_COUNT, _MAX_DIGITS = 2, 7


def prepare_code(body: Node, index: AttributeIndex) -> None:
    """Turn editors and tables of code into `pre` elements, and drop what is not code."""
    for _, node in index.with_class(("conum",)):
        _show_callout(node)
    candidates = [node for _, node in index.where("class", _CODE_NAME.search)]
    for node in candidates:
        if node.tag != "pre" and not _EDITOR_TEXT.isdisjoint(_names(node)):
            _make_pre_of_editor(node)
    for table in {cell.getparent() for cell in candidates if cell.tag == "td"}:
        _make_pre_of_table(table)
    for pre in list(body.iter("pre")):
        _drop_line_numbers(pre)
        _name_language(pre)
        _drop_labels(pre)
        _drop_notes(pre)
        _keep_blank_lines(pre)
        _separate_lines(pre)


def _names(node: Node) -> list[str]:
    return (node.get("class") or "").split()


def _show_callout(mark: Node) -> None:
    """Write the number of an explanation, which Asciidoctor has a style sheet show, as text."""
    number = mark.get("data-value") or ""
    if not number.isdecimal():
        return
    copy = mark.getnext()
    if copy is not None and copy.tag == "b" and (copy.text or "").strip("()") == number:
        copy.drop_tree()
    mark.tag, mark.text = "span", f"({number})"


def _make_pre_of_editor(text: Node) -> None:
    """Make the lines of an editor a `pre`, and drop the rest of the editor."""
    for line in text.iter("pre"):
        line.tag = "div"
    for node in [*text.iter("*")]:
        if _GUTTER_NAME.search(node.get("class") or ""):
            _drop(node)
    text.tag = "pre"
    editor = next(
        (node for node in text.iterancestors() if not _EDITOR_NAMES.isdisjoint(_names(node))), None
    )
    if editor is not None:
        for child in list(editor):
            editor.remove(child)
        editor.text = None
        editor.append(text)
        text.tail = None


def _make_pre_of_table(row: Node) -> None:
    """Make a table of numbered lines, or its cell of code, a `pre`."""
    if row is None or row.tag != "tr" or next(row.iterancestors("pre"), None) is not None:
        return
    cells = [cell for cell in row if cell.tag == "td"]
    if len(cells) != 2 or not _is_gutter(cells[0]) or not _CODE_CELL.search(_class(cells[1])):
        return
    code = cells[1]
    table: Node = next(row.iterancestors("table"), None)
    if table is None or next(code.iter("pre"), None) is not None:
        return
    if len(code) and next(code.iter("div"), None) is not None:
        row.remove(cells[0])
        code.tag = "pre"
        outer = " ".join(_class(node) for node in islice(table.iterancestors(), 2))
        match = _HIGHLIGHTER.search(outer)
        code.set("data-language", match[1] if match else "")
        return
    for gutter in [cell for cell in table.iter("td") if _is_gutter(cell)]:
        _drop(gutter)
    table.tag = "pre"


def _class(node: Node) -> str:
    return node.get("class") or ""


def _is_gutter(cell: Node) -> bool:
    is_named = _GUTTER_NAME.search(_class(cell)) or cell.get("data-line-number")
    if not is_named:
        return _is_count(cell)
    return not cell.text_content().strip(" \t\r\n.:|+-0123456789")


def _drop_line_numbers(pre: Node) -> None:
    """Drop the numbers of lines beside the code: before it, or before the element around it."""
    around = (pre, *islice(pre.iterancestors(), _MAX_STEPS))
    for node in [one.getprevious() for one in around]:
        if node is not None and _is_count(node):
            # Without the numbers, what is around the table says nothing about the code in it.
            pre.set("data-language", code_language(pre))
            _drop(node)


def _is_count(node: Node) -> bool:
    """Whether its text is the numbers of several lines, each one more than the one before."""
    words = " ".join(islice(node.itertext(), _MAX_LINES)).split()
    if len(words) < _MIN_COUNT or not (words[0].isdecimal() and words[-1].isdecimal()):
        return False
    first = int(words[0]) if len(words[0]) < _MAX_DIGITS else 0
    return words == [str(first + at) for at in range(len(words))]


def _name_language(pre: Node) -> None:
    """Take the language from the label that is shown with the code, if no attribute names it."""
    if pre.get("data-language"):
        return
    labels = (
        node for node in _near(pre) if not _LABEL_NAMES.isdisjoint(_names(node)) and not len(node)
    )
    for label in labels:
        name = (label.text or "").strip().lower()
        if _LANGUAGE.fullmatch(name) and name != "copy":
            pre.set("data-language", name)
            return


def _near(pre: Node) -> Iterator[Node]:
    """The first elements inside a `pre`, and those beside it."""
    yield from islice(pre.iterchildren(), 2)
    wrapper = pre.getparent()
    yield from (node for node in wrapper if node is not pre) if _is_wrapper(wrapper) else ()


def _drop_labels(pre: Node) -> None:
    """Drop buttons, names of languages and line numbers beside the code in its own wrapper."""
    wrapper = pre.getparent()
    for node in [child for child in wrapper if child is not pre] if _is_wrapper(wrapper) else ():
        if _is_label(node) or _is_language(node, pre):
            _drop(node)


def _is_language(node: Node, pre: Node) -> bool:
    """Whether its text is the language that the code is declared to be in."""
    text = "".join(islice(node.itertext(), _MAX_WRAPPED)).strip().lower()
    return 0 < len(text) <= _LABEL_CHARACTERS and text == code_language(pre)


def _is_wrapper(node: Node) -> bool:
    """Whether an element has one code block, and little else."""
    return len(node) <= _MAX_WRAPPED and len([*islice(node.iter("pre"), 2)]) == 1


def _is_label(node: Node) -> bool:
    if not isinstance(node.tag, str) or node.tag in {"pre", "figcaption", "p"}:
        return node.tag == "p" and "codebox" in _names(node.getparent())
    is_short = len("".join(islice(node.itertext(), _MAX_WRAPPED)).strip()) <= _LABEL_CHARACTERS
    is_control = node.tag == "button" or (is_short and next(node.iter("button"), None) is not None)
    names = _names(node)
    return (
        is_control
        or (is_short and not _LABEL_NAMES.isdisjoint(names))
        or not _NOTE_NAMES.isdisjoint(names)
    )


def _drop_notes(pre: Node) -> None:
    """Drop pop-ups, error messages of Twoslash and line numbers inside the code."""
    is_twoslash = "twoslash" in _names(pre)
    for node in [*islice(pre.iterdescendants(), _MAX_LINES * 10)]:
        names = _names(node) if isinstance(node.tag, str) else []
        if not _NOTE_NAMES.isdisjoint(names) or (is_twoslash and "error" in names):
            _drop(node)


def _drop(node: Node) -> None:
    if node.getparent() is not None:
        node.drop_tree()


def _keep_blank_lines(pre: Node) -> None:
    """Give blank lines, which are empty elements, a blank that holds their place."""
    for node in islice(pre.iter("div", "td"), _MAX_LINES * 10):
        is_line = not _LINE_NAMES.isdisjoint(_names(node))
        if is_line and len(node) <= 1 and not "".join(islice(node.itertext(), 4)).strip():
            for child in list(node):
                node.remove(child)
            node.text = "\u00a0"


def _separate_lines(pre: Node) -> None:
    """Put the line breaks between line elements that only a style sheet puts below each other."""
    for parent in (pre, *islice(pre.iter("code"), 2)):
        lines = [child for child in islice(parent, _MAX_LINES) if _is_line(child)]
        for line, following in pairwise(lines):
            if line.getnext() is following and not line.tail and not _ends_line(line):
                line.tail = "\n"


def _is_line(node: Node) -> bool:
    return node.tag in {"span", "code"} and (
        not _LINE_NAMES.isdisjoint(_names(node)) or node.get("data-line") is not None
    )


def _ends_line(line: Node) -> bool:
    last: Iterable[str] = islice(reversed([*line.itertext()]), 1)
    ends_with_break = len(line) and line[-1].tag == "br"
    return bool(ends_with_break) or any(text.endswith("\n") for text in last)
