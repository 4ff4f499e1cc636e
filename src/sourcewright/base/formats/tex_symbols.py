"""TeX symbols: the command for a character in a formula, such as a Greek letter or a sign."""

import re
from functools import cache

_ENSURED = re.compile(r"\\ensuremath\{(.*)\}", re.DOTALL)
_SPECIAL = {"\\": r"\backslash ", **{one: "\\" + one for one in "{}%$&#_"}}
_SIGNS = {
    "\u00d7": r"\times",
    "\u00b7": r"\cdot",
    "\u2026": r"\dots",
    "\u2192": r"\to",
    "\u00b0": r"^\circ",
}


@cache
def tex_symbol(character: str) -> str:
    """A character in a formula; signs and Greek letters are commands."""
    if character in _SPECIAL or character in _SIGNS:
        return _SPECIAL.get(character) or _SIGNS[character]
    if character.isascii():
        return character
    command = _commands().get(ord(character), "")
    match = _ENSURED.fullmatch(command)
    return match[1] if match else character


@cache
def _commands() -> dict[int, str]:
    """The table of pylatexenc, which is slow to load."""
    from pylatexenc.latexencode import get_builtin_uni2latex_dict

    return dict(get_builtin_uni2latex_dict())
