"""JSON with comments (JSONC): parsed, or changed in one value with the rest of the text kept.

Editors accept comments and trailing commas in their settings files. They are replaced by
spaces here, so that what is left is JSON with every character at its old place.
"""

import json
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

# What is not closed is matched to its end, and stays for the parser to refuse.
_STRING_OR_COMMENT = re.compile(r'"(?:[^"\\\n]|\\.)*"?|//[^\n]*|/\*[^*]*(?:\*(?!/)[^*]*)*(?:\*/)?')
_STRING_OR_COMMA = re.compile(r'"(?:[^"\\\n]|\\.)*"?|,(?=[ \t\r\n]*[}\]])')
_SPACE = re.compile(r"[ \t\r\n]*")
_INDENT = re.compile(r"^([ \t]+)\S", re.MULTILINE)
_BOM = "\ufeff"


class JsonSyntaxError(ValueError):
    """The text is not JSON; the message names the line and the column."""


class _Member(NamedTuple):
    """One member of an object, by its places in the text."""

    key: str
    at: int
    value_at: int
    value_end: int


def parse_json(text: str, *, comments: bool) -> Any:
    """The value of a JSON text; of an empty text it is an empty object.

    Raises:
        JsonSyntaxError: It is not JSON, or has comments where none are accepted.
    """
    blank = _blank(text) if comments else text.replace(_BOM, " ", 1)
    if not blank.strip():
        return {}
    try:
        return json.loads(blank)
    except json.JSONDecodeError as error:
        line = text.count("\n", 0, error.pos) + 1
        column = error.pos - text.rfind("\n", 0, error.pos)
        raise JsonSyntaxError(f"line {line}, column {column}: {error.msg}") from error
    except (ValueError, RecursionError) as error:
        raise JsonSyntaxError("a number is too long, or it is nested too deeply") from error


def set_json_value(text: str, path: tuple[str, ...], value: Any) -> str:
    """The text with another value at a path of keys; objects that are missing are added.

    Raises:
        JsonSyntaxError: It is not JSON.
        ValueError: The path leads through something that is not an object.
    """
    parse_json(text, comments=True)
    blank = _blank(text)
    if not blank.strip():
        text, blank = f"{text}{{}}\n", f"{blank}{{}}\n"
    start, end = _after_space(blank, 0), len(blank)
    for depth, key in enumerate(path):
        if not blank.startswith("{", start):
            raise ValueError(f"{'.'.join(path[:depth]) or 'the file'} is not an object")
        # Of two members with one name, parsers take the last.
        member = next((one for one in reversed(_members(blank, start)) if one.key == key), None)
        if member is None:
            for inner in reversed(path[depth + 1 :]):
                value = {inner: value}
            return _with_member(text, blank, start, (key, value))
        start, end = member.value_at, member.value_end
    return _with_value(text, (start, end), value)


def _blank(text: str) -> str:
    """The text with spaces instead of comments, trailing commas and a byte order mark."""
    without = _STRING_OR_COMMENT.sub(_spaces_for_comment, text.replace(_BOM, " ", 1))
    return _STRING_OR_COMMA.sub(_spaces_for_comment, without)


def _spaces_for_comment(match: re.Match[str]) -> str:
    """Spaces for a comment or a comma; a string is kept, and so is a comment without an end."""
    text = match[0]
    unclosed = text.startswith("/*") and (len(text) < len("/**/") or not text.endswith("*/"))
    return text if unclosed or text.startswith('"') else " " * len(text)


def _after_space(blank: str, at: int) -> int:
    space = _SPACE.match(blank, at)
    return space.end() if space else at


def _members(blank: str, start: int) -> list[_Member]:
    """The members of the object that begins at `start`."""
    decoder = json.JSONDecoder()
    members: list[_Member] = []
    at = _after_space(blank, start + 1)
    while not blank.startswith("}", at):
        key, end = decoder.raw_decode(blank, at)
        value_at = _after_space(blank, _after_space(blank, end) + 1)
        _, value_end = decoder.raw_decode(blank, value_at)
        members.append(_Member(key, at, value_at, value_end))
        at = _after_space(blank, value_end)
        at = _after_space(blank, at + 1) if blank.startswith(",", at) else at
    return members


def _with_value(text: str, span: tuple[int, int], value: Any) -> str:
    """The text with the value at `span` replaced, unless it is the same."""
    start, end = span
    if json.loads(_blank(text[start:end])) == value:
        return text
    return text[:start] + _written(text, value, _line_indent(text, start)) + text[end:]


def _with_member(text: str, blank: str, start: int, member: tuple[str, Any]) -> str:
    """The text with a member at the end of the object that begins at `start`."""
    key, value = member
    members = _members(blank, start)
    outer, newline = _line_indent(text, start), _newline(text)
    indent = _line_indent(text, members[-1].at) if members else outer
    if indent == outer:  # the object is empty or on one line
        indent = outer + _unit(text)
    added = f"{newline}{indent}{json.dumps(key)}: {_written(text, value, indent)}"
    if not members:
        close = blank.index("}", start)
        # A comment in the empty object stays before the new member.
        return f"{text[:close].rstrip()}{added}{newline}{outer}{text[close:]}"
    end = members[-1].value_end
    return _after_member(text, blank, end, (added, f"{newline}{outer}"))


def _after_member(text: str, blank: str, end: int, parts: tuple[str, str]) -> str:
    """The text with a member added after the last one, which ends at `end`, and its comment."""
    added, break_before_close = parts
    close = _after_space(blank, end)
    comma = _trailing_comma(text, end, close)
    separator, last = (",", "") if comma is None else ("", ",")
    after = end if comma is None else comma + 1
    line_end = blank.find("\n", after, close)
    if line_end < 0:  # the object ends on this line
        return f"{text[:end]}{separator}{text[end:after]}{added}{last}{break_before_close}{text[after:].lstrip(' ')}"
    line_end -= text[:line_end].endswith("\r")
    return f"{text[:end]}{separator}{text[end:line_end]}{added}{last}{text[line_end:]}"


def _trailing_comma(text: str, start: int, end: int) -> int | None:
    """The place of a comma between the last member and the end of its object."""
    without_comments = _STRING_OR_COMMENT.sub(_spaces_for_comment, text[start:end])
    at = without_comments.find(",")
    return None if at < 0 else start + at


def _written(text: str, value: Any, indent: str) -> str:
    """A value as JSON, in the style of the text."""
    if not isinstance(value, Mapping):
        return json.dumps(value, ensure_ascii=False)
    inner = indent + _unit(text)
    rows = [f"{json.dumps(key)}: {_written(text, one, inner)}" for key, one in value.items()]
    newline = _newline(text)
    between = f",{newline}{inner}"
    return f"{{{newline}{inner}{between.join(rows)}{newline}{indent}}}" if rows else "{}"


def _line_indent(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _unit(text: str) -> str:
    """One level of indentation: that of the first indented line."""
    indented = _INDENT.search(text)
    return indented[1] if indented else "  "


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"
