"""CSS parsing: the rules of a page's style sheets that decide what is visible.

Parsing every rule with tinycss2 would take as long as reading the page. One regular expression
splits the sheets into rules, and only those that can matter are parsed.
"""

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple

from tinycss2 import parse_blocks_contents, serialize

from sourcewright.base.text.text_cache import cached_if_short
from sourcewright.reading.css.media import group_applies, media_matches
from sourcewright.reading.css.values import CssColour, background_parts, parse_colour

_MAX_CHARACTERS = 500_000
_MAX_RULES, _MAX_NESTING, _MAX_NESTED_RULES = 10_000, 20, 6
_MAX_SELECTORS, _MAX_BODY = 4000, 8000
"""Characters of a selector list, and of a rule's body, that are parsed."""
_STRING = r"\"[^\"\\\n]*+(?:\\.[^\"\\\n]*+)*+\"?|'[^'\\\n]*+(?:\\.[^'\\\n]*+)*+'?"
_COMMENT = re.compile(rf"({_STRING})|/\*[^*]*+(?:\*(?!/)[^*]*+)*+(?:\*/|\Z)|<!--|-->", re.DOTALL)
_QUOTED = re.compile(_STRING, re.DOTALL)
# Text without braces; those within strings, escapes and URLs do not count.
_TEXT = rf"(?:[^{{}}\"'\\(]++|{_STRING}|\\.|(?<=[uU][rR][lL])\((?!\s*+[\"'])[^)]*+\)?+|\(|\\)"
# The last alternative consumes trailing text in one step; without it each character is tried.
_RULE = re.compile(rf"({_TEXT}*+)\{{({_TEXT}*+)(?:\}}|\Z)|({_TEXT}*+)\{{|\}}|{_TEXT}++", re.DOTALL)
_STATEMENT = re.compile(r"\s*+@[^;{}]*+;")
"""An at-rule without a block, such as `@import`."""
_BRACKET = re.compile(r"[()\[\]{}]")
_SELECTOR = re.compile(
    rf"(?:[^,(\[\"'\\]++|\\.|{_STRING}|\[[^\]]*+\]?+"
    r"|\((?:[^()]++|\((?:[^()]++|\([^()]*+\))*+\))*+\)|[(\\])++",
    re.DOTALL,
)
"""One selector of a list; parentheses may be nested three deep."""
_NEEDS_PARSER = re.compile(r"[\\{}\[]|/\*|\([^();!]*+[;!]")
"""Escapes, comments, blocks, and separators within parentheses."""
_LONG_NUMBER = re.compile(r"\d{100,}")
_PROPERTIES = frozenset(
    (
        *("display", "visibility", "opacity", "font", "font-size", "text-indent", "clip"),
        *("clip-path", "left", "right", "top", "bottom", "margin-left", "margin-top"),
        *("height", "max-height", "width", "max-width", "overflow", "padding-bottom"),
        *("padding-top", "color", "background", "background-color", "background-clip"),
        *("background-image", "text-fill-color", "text-shadow", "content-visibility", "zoom"),
        *("transform", "transition", "animation", "will-change", "translate", "filter"),
        "position",
    )
)
_NOTHING = r"0?\.?0*(?:px|r?em|%)?(?=\s*(?:[;!}]|$))"
_CONSTANT = r"(?:calc|min|max|clamp)\([^;%]{0,80}(?:;|$)"
"""A calculation that does not depend on a percentage."""
# Each pattern begins with a character that the regular expression engine finds quickly. The `y`
# is the last letter of display, visibility and opacity.
_HIDING_VALUE = re.compile(
    r":(?:(?:(?<=y:)|(?<=zoom:))\s*(?:none|hidden|collapse|\.?0|[a-z-]+\()"
    rf"|(?:(?<=font:)|(?<=font-size:))\s*(?:0|1px|\.[01]|{_CONSTANT})"
    rf"|(?<=th:|ht:)\s*(?:[01](?:px)?\s*(?:[;!]|$)|{_NOTHING}|{_CONSTANT})"
    r"|(?:(?<=clip:)|(?<=path:))\s*[a-z]+\(|(?<=indent:)\s*100%"
    r"|(?:(?<=fill-color:)|(?<=color:)(?<!-color:))\s*"
    r"(?:transparent|#\w{4}(?:\w{4})?(?!\w)|[a-z]+\([^;]{0,60}?[,/]\s*0?\.?0*%?\s*\)))",
    re.IGNORECASE,
)
_OFF_SCREEN = re.compile(r"-(?<=[\s:(,]-)(?:\d{3}|\d{2,9}(?:r?em|v[wh])|\de\d)", re.IGNORECASE)
_HIDING_FUNCTION = re.compile(
    r"\((?:(?:(?<=scale\()|(?<=scale.\()|(?<=opacity\())\s*0|(?<=calc\()[^;%]{0,60}\d{3})",
    re.IGNORECASE,
)
_SPACED_COLON = re.compile(r"(?<!\s)\s++:")
_COLOUR = re.compile(r"(?<![\w-])color\s*:\s*([^;!}]{1,80})", re.IGNORECASE)
_BACKGROUND = re.compile(r"background(?:-color)?\s*:\s*([^;!}]{1,200})", re.IGNORECASE)
_HIDING_VARIABLE = re.compile(
    rf"(?<![\w-])(--[\w-]++)\s*+:\s*+(none|hidden|collapse|transparent|-\s*\d{{3,9}}\w*|var\([^;{{}}]{{0,100}}|{_NOTHING})",
    re.IGNORECASE,
)
_DECLARED_VARIABLE = re.compile(r"(?<![\w-])(--[\w-]++)\s*+:([^;{}]*+)")
_VARIABLE = re.compile(r"var\(\s*(--[\w-]+)\s*(?:,\s*([^()]*))?\)")
_MAX_SUBSTITUTIONS, _MAX_VALUE = 5, 500
_USED_VARIABLE = re.compile(r"var\(\s*(--[\w-]+)(\s*,\s*(?:none|hidden|collapse|transparent|0))?")
WORD = re.compile(r"[\w-]+")


class Declarations(NamedTuple):
    """The values of properties that matter, in lower case, and which are `!important`."""

    values: Mapping[str, str]
    important: frozenset[str]


def may_hide(body: str, variables: Container[str] = ()) -> bool:
    """Whether declarations could hide something; cheaper than parsing them."""
    if " :" in body:
        body = _SPACED_COLON.sub(":", body)
    if "\\" in body or "/*" in body or _HIDING_VALUE.search(body) or _OFF_SCREEN.search(body):
        return True
    if "(" in body and _HIDING_FUNCTION.search(body):
        return True
    if "background" in body and _COLOUR.search(body):
        return True
    used = _USED_VARIABLE.findall(body) if "var(" in body else ()
    return any(name in variables or fallback for name, fallback in used)


def text_colours(body: str) -> set[CssColour]:
    """The colours that declarations give to text."""
    colours = (parse_colour(value.strip().lower()) for value in _COLOUR.findall(body))
    return {colour for colour in colours if colour is not None}


def background_colours(body: str) -> set[CssColour]:
    """The colours that declarations give to backgrounds."""
    values = (background_parts(value.lower())[0] for value in _BACKGROUND.findall(body))
    return {colour for colour in map(parse_colour, values) if colour is not None}


class StyleRule(NamedTuple):
    """One selector and the declarations for the elements that it matches."""

    selector: str
    declarations: Declarations
    order: int
    is_certain: bool


@dataclass(eq=False)
class RawRule:
    """One rule as written; parsed only if it is relevant."""

    selectors: str
    body: str
    order: int
    is_certain: bool
    """Whether it applies unconditionally, as far as the groups around it say."""

    @cached_property
    def plain_body(self) -> str:
        """The body without its strings."""
        return _without_strings(self.body)

    def may_hide(self, variables: Container[str]) -> bool:
        """Whether its declarations could hide something; these variables have such a value."""
        return self.is_certain and may_hide(self.plain_body, variables)

    def concerns(self, properties: Iterable[str], words: frozenset[str]) -> bool:
        """Whether its body has one of the substrings and its selectors one of the words."""
        body = self.plain_body.lower()
        if "\\" not in body and not any(name in body for name in properties):
            return False
        selectors = self.selectors[:_MAX_SELECTORS]
        if "{" in body:
            selectors += body
        return (
            "*" in selectors or "\\" in selectors or not words.isdisjoint(WORD.findall(selectors))
        )

    def variables(self) -> Iterator[tuple[str, str]]:
        """The custom properties that it declares, with their values."""
        for name, value in _DECLARED_VARIABLE.findall(self.plain_body):
            yield name, value.partition("!")[0].strip().lower()

    def rules(self, accepts: Callable[[str], bool]) -> Iterator[StyleRule]:
        """The rules for the wanted ones of its selectors, nested rules included."""
        selectors = split_selectors(self.selectors)
        if "{" not in self.body and not any(map(accepts, selectors)):
            return
        if "{" not in self.body:
            declarations = parse_declarations(self.plain_body)
            for selector in filter(accepts, selectors if declarations.values else ()):
                yield StyleRule(selector, declarations, self.order, self.is_certain)
            return
        content = _parse_block(self.body[:_MAX_BODY])
        for selector, declarations, is_certain in _flatten(self.selectors, content, 0):
            if accepts(selector):
                yield StyleRule(selector, declarations, self.order, self.is_certain and is_certain)


def _flatten(
    selectors: str, content: list[Any], depth: int
) -> Iterator[tuple[str, Declarations, bool]]:
    """The selectors of a rule and of the rules nested in it, with their declarations."""
    declarations = _declarations(_parts(content))
    if declarations.values:
        for selector in split_selectors(selectors):
            yield selector, declarations, True
    for item in content if depth < _MAX_NESTED_RULES else ():
        inner, applies = _nested(selectors, item)
        if applies is not False:
            for selector, values, is_certain in _flatten(
                inner, parse_blocks_contents(item.content), depth + 1
            ):
                yield selector, values, is_certain and bool(applies)


def _nested(selectors: str, item: Any) -> tuple[str, bool | None]:
    """The selectors of a nested rule or group, and whether it applies."""
    if item.type == "qualified-rule":
        return _nested_selectors(selectors, serialize(item.prelude)), True
    if item.type == "at-rule" and item.content is not None:
        return selectors, group_applies(f"@{item.lower_at_keyword} {serialize(item.prelude)}")
    return "", False


def _nested_selectors(outer: str, inner: str) -> str:
    """Selectors of a nested rule as if it were not nested; empty if they become too long."""
    parent = outer.strip() if WORD.fullmatch(outer.strip().lstrip(".#")) else f":is({outer})"
    selectors = (
        selector.replace("&", parent) if "&" in selector else f"{parent} {selector}"
        for selector in split_selectors(inner)
    )
    nested = ",".join(selectors)
    return nested if len(nested) <= _MAX_SELECTORS else ""


def _bounded(css: str) -> str:
    """The text without numbers that are too long; empty if brackets are nested too deeply."""
    depth = 0
    for bracket in _BRACKET.findall(css):
        depth += 1 if bracket in "([{" else -1
        if depth > _MAX_NESTING:
            return ""
    return _LONG_NUMBER.sub("0", css)


def split_selectors(selectors: str) -> list[str]:
    """The selectors of a list that is separated by commas."""
    selectors = selectors[:_MAX_SELECTORS]
    if any(character in selectors for character in "([\"'\\"):
        return [part.strip() for part in _SELECTOR.findall(selectors)]
    return [part.strip() for part in selectors.split(",")]


def substitute(value: str, variable: Callable[[str], str]) -> str:
    """The value with its variables replaced; those without a value by their fallback."""
    for _ in range(_MAX_SUBSTITUTIONS):
        if "var(" in value and len(value) <= _MAX_VALUE:
            value = _VARIABLE.sub(lambda match: variable(match[1]) or match[2] or "", value)
    return value.strip()


def hiding_variables(sheets: Iterable[str]) -> dict[str, str]:
    """Custom properties that some rule gives a value which could hide something."""
    return {name: value for css in sheets for name, value in _HIDING_VARIABLE.findall(css)}


def split_style_sheets(sheets: Iterable[tuple[str, str, bool]]) -> list[RawRule]:
    """The rules of style sheets, given as text, media query and whether they surely apply."""
    rules: list[RawRule] = []
    remaining = _MAX_CHARACTERS
    for text, media, is_certain in sheets:
        matches = media_matches(media)
        if matches is not False:
            css = text[:remaining]
            if "/*" in css or "<!--" in css or "-->" in css:
                css = _COMMENT.sub(r"\1", css)
            more = _split_rules(css, len(rules), is_certain=is_certain and bool(matches))
            rules += islice(more, _MAX_RULES - len(rules))
        remaining -= len(text)
        if remaining <= 0 or len(rules) >= _MAX_RULES:
            break
    return rules


def _split_rules(css: str, order: int, *, is_certain: bool) -> Iterator[RawRule]:
    groups: list[bool | None] = []
    """For each open group, such as `@media`, whether it applies; None if that is not known."""
    for prelude, body in _blocks(css):
        if prelude == "}":
            groups = groups[:-1]
        elif body is None:
            groups.append(group_applies(prelude))
            if len(groups) > _MAX_NESTING:
                return
        elif False not in groups and not prelude.startswith("@"):
            order += 1
            yield RawRule(prelude, body, order, is_certain and None not in groups)


def _blocks(css: str) -> Iterator[tuple[str, str | None]]:
    """Each rule with its body, the begin of each group without one, and `}` for its end."""
    position = 0
    while match := _RULE.match(css, position):
        position = match.end()
        prelude = match[1] if match[2] is not None else match[3]
        if prelude is None:
            if match[0] == "}":
                yield "}", None
            continue
        prelude, body = _without_statements(prelude), match[2]
        if body is None and not prelude.startswith("@"):
            end = _end_of_block(css, position)
            body, position = css[position:end], end + 1
        yield prelude, body


def _end_of_block(css: str, position: int) -> int:
    """Where the block that was opened before this position ends."""
    depth = 1
    for match in _RULE.finditer(css, position):
        depth += (match[3] is not None) - (match[0] == "}")
        if not depth:
            return match.start()
    return len(css)


def _without_statements(prelude: str) -> str:
    position = 0
    while match := _STATEMENT.match(prelude, position):
        position = match.end()
    return prelude[position:].strip()


@cached_if_short
def parse_declarations(body: str) -> Declarations:
    """The declarations of a `style` attribute."""
    body = _without_strings(body)
    if _NEEDS_PARSER.search(body):
        return _declarations(_parts(_parse_block(body)))
    return _declarations(_plain_parts(body))


def _without_strings(body: str) -> str:
    body = body[:_MAX_BODY]
    return _QUOTED.sub("''", body) if '"' in body or "'" in body else body


def _plain_parts(body: str) -> Iterator[tuple[str, str, bool]]:
    """Names, values and importance of declarations without any syntax that needs a parser."""
    for part in body.split(";"):
        name, _, value = part.partition(":")
        value, important, _ = value.partition("!")
        yield name.strip().lower(), value.strip().lower(), bool(important)


def _parse_block(body: str) -> list[Any]:
    parsed: list[Any] = parse_blocks_contents(
        _bounded(body), skip_comments=True, skip_whitespace=True
    )
    return parsed


def _parts(content: Iterable[Any]) -> Iterator[tuple[str, str, bool]]:
    for item in content:
        if item.type == "declaration":
            yield item.lower_name, serialize(item.value).strip().lower(), item.important


def _declarations(parts: Iterable[tuple[str, str, bool]]) -> Declarations:
    values: dict[str, str] = {}
    important: set[str] = set()
    for full_name, full_value, is_important in parts:
        name = full_name.removeprefix("-webkit-")
        if name not in _PROPERTIES:
            continue
        for part, value in _longhands(name, full_value):
            if part in important and not is_important:
                continue
            values[part] = value
            if is_important:
                important.add(part)
    return Declarations(values, frozenset(important))


def _longhands(name: str, value: str) -> Iterator[tuple[str, str]]:
    """The properties that a declaration sets, with their values."""
    if name == "font":
        yield "font-size", "0" if re.match(r"0(?:px)?[/\s]", value) else "1rem"
    elif name == "background":
        colour, image = background_parts(value)
        yield "background-color", colour
        yield "background-image", image
    else:
        yield name, value
