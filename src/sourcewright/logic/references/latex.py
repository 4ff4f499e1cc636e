"""LaTeX escaping: text as LaTeX writes it, and LaTeX as plain text.

The ten characters that mean something to LaTeX are written as commands, and so
are the three that its oldest font shows as others. A brace is never written
escaped: BibTeX counts braces and does not look at what stands before them.
Everything beyond ASCII stays as it is, in UTF-8.
"""

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any

_WRITTEN = MappingProxyType(
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
# Neighbours that LaTeX would draw as one: a dash, a closing quote, a turned mark.
_LIGATURE = re.compile(r"(?<=-)(?=-)|(?<=')(?=')|(?<=`)(?=`)|(?<=,)(?=,)|(?<=[?!])(?=`)")

_MARKS: Mapping[str, str] = MappingProxyType(
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
_OWN: Mapping[str, str] = MappingProxyType(
    {
        **{name: name for name in ("LaTeX", "TeX", "BibTeX")},
        "textless": "<",
        "textgreater": ">",
        "textbar": "|",
        "textunderscore": "_",
        "textasciicircum": "^",
        "textasciitilde": "~",
    }
)
"""What pylatexenc's table lacks, or shows as another character."""
_SPACING: Mapping[str, str] = MappingProxyType(
    {",": " ", ";": " ", ":": " ", "!": "", "/": "", "-": "", "@": ""}
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
_LINK = re.compile(r"\\href\s{0,9}\{([^{}]{0,4000})\}\s{0,9}\{[^{}]{0,4000}\}")


def to_latex(text: str) -> str:
    """The text with everything escaped that LaTeX would read as a command."""
    return _LIGATURE.sub("{}", _SPECIAL.sub(lambda special: _WRITTEN[special[0]], text))


def from_latex(text: str) -> str:
    """The words without the commands, as a reader would see them."""
    return " ".join(_plain(text, tie=" ").split())


def address_in(text: str) -> str:
    """An identifier or a web address from a field, whether or not it was escaped there."""
    return _plain(_LINK.sub(r"\1", text), tie="~").strip()


@lru_cache(maxsize=4096)
def _symbol(name: str) -> str:
    """The character that a command stands for; nothing for one that only formats."""
    if name in _OWN:
        return _OWN[name]
    spec = _macros().get_macro_spec(name)
    shown = getattr(spec, "simplify_repl", None)
    # Anything longer is a template for arguments or a placeholder of the library's own.
    return shown if isinstance(shown, str) and len(shown) == 1 else ""


@lru_cache(maxsize=1)
def _macros() -> Any:
    """The table of pylatexenc of some 1,100 commands, which takes a while to load."""
    from pylatexenc.latex2text import get_default_latex_context_db

    return get_default_latex_context_db()


def _plain(text: str, *, tie: str) -> str:
    def read(token: re.Match[str]) -> str:
        if mark := token["sign"] or token["letter"]:
            base = (token["held"] or token["bare"]).removeprefix("\\")
            return unicodedata.normalize("NFC", base + _MARKS[mark])
        if name := token["name"]:
            return _symbol(name)
        escaped = token["escaped"] or ""
        return tie if token["tie"] else _SPACING.get(escaped, escaped)

    # Braces that only hold neighbours apart are dropped with all others; those
    # that a command stands for come out of `read` and are not looked at again.
    return _TOKEN.sub(read, text)
