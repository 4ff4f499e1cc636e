"""Removes hidden text from Markdown: comments, and inline HTML that hides its content."""

import re

from sourcewright.logic.html.stylesheets import declared_in
from sourcewright.logic.html.visibility import hides

# A comment in markup is not shown, unless it stands in code; what is not closed goes to the end.
_PIECE = re.compile(
    r"(?P<code>^ {0,3}(?P<fence>`{3,}+|~{3,}+)[^\n]*+\n.*?(?:^ {0,3}(?P=fence)|\Z)|`[^`\n]++`)"
    r"|<!--.*?(?:-->|\Z)"
    r"|^ {0,3}\[(?://|comment)\]:[ \t]*(?:#|<>)[^\n]*"
    r"|<(?P<tag>[a-zA-Z][a-zA-Z0-9]{0,15})\b(?P<given>[^<>]{0,2000})>",
    re.DOTALL | re.MULTILINE,
)
_NEVER = frozenset(("script", "style", "template", "noembed"))
_EMPTY = frozenset(("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta"))
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")
_HIDDEN = re.compile(r"(?:^|\s)hidden(?=[\s=/]|$)", re.IGNORECASE)
_STYLE = re.compile(r"\bstyle\s*=\s*(\"[^\"]*\"|'[^']*'|\S+)", re.IGNORECASE)


def unveiled(text: str) -> str:
    """The Markdown without what it hides; code stays as it is."""
    if "<" not in text and "]:" not in text:
        return text
    shown: list[str] = []
    at = 0
    while found := _PIECE.search(text, at):
        shown.append(text[at : found.start()])
        at = found.end()
        if found["tag"] and _is_hidden(found["tag"].lower(), found["given"]):
            at = _end_of(text, found["tag"].lower(), at)
        elif found["tag"] or found["code"]:
            shown.append(found[0])
    return "".join([*shown, text[at:]])


def _is_hidden(tag: str, given: str) -> bool:
    if tag in _NEVER or _HIDDEN.search(_QUOTED.sub("", given)):
        return True
    style = _STYLE.search(given)
    return style is not None and hides(declared_in(style[1].strip("\"'"))[0])


def _end_of(text: str, tag: str, start: int) -> int:
    """Where an element ends whose tag ends at the start."""
    if tag in _EMPTY:
        return start
    depth = 1
    for found in re.compile(rf"<(/?){tag}\b[^<>]*>", re.IGNORECASE).finditer(text, start):
        depth += -1 if found[1] else 1
        if not depth:
            return found.end()
    return len(text)
