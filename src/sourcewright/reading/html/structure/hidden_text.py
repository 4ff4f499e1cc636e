"""Removes hidden text from Markdown: comments, and inline HTML that hides its content."""

import re

from sourcewright.reading.css.stylesheets import parse_declarations
from sourcewright.reading.html.visibility import hides_element

# Comments count as hidden, except in code; an unclosed comment extends to the end of the text.
_PIECE = re.compile(
    r"(?P<code>^ {0,3}(?P<fence>`{3,}+|~{3,}+)[^\n]*+\n.*?(?:^ {0,3}(?P=fence)|\Z)|`[^`\n]++`)"
    r"|<!--.*?(?:-->|\Z)"
    r"|^ {0,3}\[(?://|comment)\]:[ \t]*(?:#|<>)[^\n]*"
    r"|<(?P<tag>[a-zA-Z][a-zA-Z0-9]{0,15})\b(?P<given>[^<>]{0,2000})>",
    re.DOTALL | re.MULTILINE,
)
_NEVER_SHOWN = frozenset(("script", "style", "template", "noembed"))
_VOID_TAGS = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta")
)
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")
_HIDDEN_ATTRIBUTE = re.compile(r"(?:^|\s)hidden(?=[\s=/]|$)", re.IGNORECASE)
_STYLE_ATTRIBUTE = re.compile(r"\bstyle\s*=\s*(\"[^\"]*\"|'[^']*'|\S+)", re.IGNORECASE)


def without_hidden_text(text: str) -> str:
    """The Markdown without hidden text; code is left unchanged."""
    if "<" not in text and "]:" not in text:
        return text
    parts: list[str] = []
    position = 0
    while match := _PIECE.search(text, position):
        parts.append(text[position : match.start()])
        position = match.end()
        if match["tag"] and _is_hidden(match["tag"].lower(), match["given"]):
            position = _end_of(text, match["tag"].lower(), position)
        elif match["tag"] or match["code"]:
            parts.append(match[0])
    return "".join([*parts, text[position:]])


def _is_hidden(tag: str, attributes: str) -> bool:
    if tag in _NEVER_SHOWN or _HIDDEN_ATTRIBUTE.search(_QUOTED.sub("", attributes)):
        return True
    style = _STYLE_ATTRIBUTE.search(attributes)
    return style is not None and hides_element(parse_declarations(style[1].strip("\"'")).values)


def _end_of(text: str, tag: str, start: int) -> int:
    """The end of an element whose start tag ends at `start`; the text's end if it is unclosed."""
    if tag in _VOID_TAGS:
        return start
    depth = 1
    for match in re.compile(rf"<(/?){tag}\b[^<>]*>", re.IGNORECASE).finditer(text, start):
        depth += -1 if match[1] else 1
        if not depth:
            return match.end()
    return len(text)
