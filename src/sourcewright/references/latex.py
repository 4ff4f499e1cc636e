"""LaTeX escaping: text to LaTeX, and LaTeX to plain text.

The ten special characters of LaTeX are written as commands, and so are three that its oldest
font encoding shows as others. Braces are never escaped with a backslash: BibTeX counts braces
without regard to it. Non-ASCII characters stay as they are, in UTF-8.
"""

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any

_ESCAPES = MappingProxyType(
    {
        "\\": r"{\textbackslash}",
        "{": r"\ensuremath{\lbrace}",
        "}": r"\ensuremath{\rbrace}",
        "$": r"\$",
        "&": r"\&",
        "#": r"\#",
        "%": r"\%",
        "_": r"\_",
        "^": r"{\textasciicircum}",
        "~": r"{\textasciitilde}",
        "<": r"\ensuremath{<}",
        ">": r"\ensuremath{>}",
        "|": r"\ensuremath{|}",
    }
)
_SPECIAL = re.compile(r"[\\{}$&#%_^~<>|]")
# Adjacent characters that LaTeX would join: a dash, a quote, an inverted mark.
_LIGATURE = re.compile(r"(?<=-)(?=-)|(?<=')(?=')|(?<=`)(?=`)|(?<=,)(?=,)|(?<=[?!])(?=`)")

_COMBINING_MARKS: Mapping[str, str] = MappingProxyType(
    {
        "`": "\u0300",
        "'": "\u0301",
        "^": "\u0302",
        "~": "\u0303",
        "=": "\u0304",
        "u": "\u0306",
        ".": "\u0307",
        '"': "\u0308",
        "r": "\u030a",
        "H": "\u030b",
        "v": "\u030c",
        "d": "\u0323",
        "c": "\u0327",
        "k": "\u0328",
        "b": "\u0331",
    }
)
_OPERATORS = (
    "arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim liminf "
    "limsup ln log max min Pr sec sin sinh sup tan tanh"
)
"""Functions of formulas, which are typeset by name."""
_OWN_COMMANDS: Mapping[str, str] = MappingProxyType(
    {
        **{name: name for name in ("LaTeX", "TeX", "BibTeX")},
        **{name: f" {name} " for name in _OPERATORS.split()},
        "hyphen": "-",
        "textless": "<",
        "textgreater": ">",
        "textbar": "|",
        "textunderscore": "_",
        "textasciicircum": "^",
        "textasciitilde": "~",
    }
)
"""Commands that pylatexenc's table lacks, or maps to another character."""
_SPACING: Mapping[str, str] = MappingProxyType(
    {",": " ", ";": " ", ":": " ", **dict.fromkeys("!/-@()[]", "")}
)
_TOKEN = re.compile(
    r"\\(?:(?P<sign>[\"'`^~=.])|(?P<letter>[uvHckdbr])(?=[\s{\\]))\s{0,9}"
    r"(?:\{\s{0,9}(?P<held>\\[ij]|[^\W\d_])\s{0,9}\}|(?P<bare>\\[ij](?![A-Za-z])|[^\W\d_]))"
    r"|\\(?P<name>[A-Za-z]+)\s?"
    r"|\\(?P<escaped>.)"
    r"|(?P<tie>~)"
    r"|[{}$]",
    re.DOTALL,
)
# Written before a year or a name to change how entries are sorted, and never typeset.
_SORT_KEY = re.compile(r"\\(?:noop|noopsort|sortnoop)\s{0,9}\{[^{}]{0,200}\}", re.IGNORECASE)
_LINK = re.compile(r"\\href\s{0,9}\{([^{}]{0,4000})\}\s{0,9}\{[^{}]{0,4000}\}")


def to_latex(text: str) -> str:
    """The text with everything escaped that LaTeX would interpret."""
    return _LIGATURE.sub("{}", _SPECIAL.sub(lambda special: _ESCAPES[special[0]], text))


def from_latex(text: str) -> str:
    """The text without commands, as it would be typeset."""
    return " ".join(_unescape(text).split())


def characters_from_latex(text: str) -> str:
    """The text with commands replaced by what they produce; braces, which group words, remain."""
    return _unescape(text, with_braces=True)


def identifier_from_latex(text: str) -> str:
    """An identifier or a URL from a field, whether or not it is escaped there."""
    return _unescape(_LINK.sub(r"\1", text), is_identifier=True).strip()


@lru_cache(maxsize=4096)
def _symbol(name: str) -> str:
    """The character that a command produces; empty for one that only formats."""
    if name in _OWN_COMMANDS:
        return _OWN_COMMANDS[name]
    spec = _macros().get_macro_spec(name)
    replacement = getattr(spec, "simplify_repl", None)
    # A longer one is a template for arguments, or a placeholder of the library.
    return replacement if isinstance(replacement, str) and len(replacement) == 1 else ""


@lru_cache(maxsize=1)
def _macros() -> Any:
    """The table of some 1,100 commands of pylatexenc, which is slow to load."""
    from pylatexenc.latex2text import get_default_latex_context_db

    return get_default_latex_context_db()


def _accented(name: str) -> str:
    r"""The letter of an accent that lost its braces, as `\vZ` for `\v{Z}`; else empty."""
    if len(name) != 2 or not name[1].isupper() or name[0] not in _COMBINING_MARKS:
        return ""
    return unicodedata.normalize("NFC", name[1] + _COMBINING_MARKS[name[0]])


def _unescape(text: str, *, with_braces: bool = False, is_identifier: bool = False) -> str:
    def read(token: re.Match[str]) -> str:
        if mark := token["sign"] or token["letter"]:
            base = (token["held"] or token["bare"]).removeprefix("\\")
            return unicodedata.normalize("NFC", base + _COMBINING_MARKS[mark])
        if name := token["name"]:
            return _symbol(name) or _accented(name)
        if with_braces and token[0] in ("{", "}"):
            return token[0]
        if token["tie"]:
            return "~" if is_identifier else " "
        escaped = token["escaped"] or ""
        # In a formula they are delimiters, in a DOI characters like others.
        is_literal = is_identifier and escaped in tuple("()[]")
        return escaped if is_literal else _SPACING.get(escaped, escaped)

    # Literal braces are dropped; those that a command produces are results of `read`,
    # which are not scanned again.
    return _TOKEN.sub(read, _SORT_KEY.sub("", text) if "oop" in text else text)
