"""Figures with their digits as published: JSON whose decimal numbers stay text."""

import json
import re
from decimal import Decimal
from typing import Any, Final

from sourcewright.base.formats.answer_limits import LimitExceeded

MAX_NUMBERS: Final = 1_000_000
_FIGURE: Final = re.compile(r"[+-]?[0-9]{1,400}(?:\.[0-9]{0,400})?(?:[eE][+-]?[0-9]{1,3})?")
MISSING: Final = frozenset({None, "", ".", "..", "...", ":", "-", "NaN", "nan", "NA", "N/A"})
"""Values that offices send for a missing figure."""


def parse_figures(body: bytes) -> Any:
    """Parse strict JSON; a number with a fraction or an exponent becomes its text.

    A double would print 4785734.430 without its last zero, and has no place for 20 digits.

    Raises:
        LimitExceeded: It has far more values than any expected answer.
        ValueError: It is not JSON.
    """
    if body.count(b",") > MAX_NUMBERS:
        raise LimitExceeded(f"it has more than {MAX_NUMBERS} values")
    try:
        return json.loads(body.decode("utf-8-sig"), parse_float=str, parse_constant=_constant)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def figure_of(value: Any) -> str | None:
    """The digits of a figure; None for a missing value.

    Raises:
        TypeError: It is neither a number nor text.
        ValueError: It is text that is not a number.
    """
    if value is not None and (isinstance(value, bool) or not isinstance(value, int | str)):
        raise TypeError(f"expected a figure, got {type(value).__name__}")
    text = value.strip() if isinstance(value, str) else value
    if text in MISSING:
        return None
    text = str(text)
    if not _FIGURE.fullmatch(text):
        raise ValueError(f"expected a figure, got {text[:40]!r}")
    return text


def json_number(figure: str) -> int | float | str:
    """The figure as a JSON number, or as text where a double would change its value."""
    if figure.lstrip("+-").isdecimal():
        whole = int(figure)
        return whole if abs(whole) < 2**53 else figure
    number = float(figure)
    return number if Decimal(repr(number)) == Decimal(figure) else figure


def _constant(name: str) -> str:
    """Some offices send NaN for a missing value; infinity is not a figure."""
    if name != "NaN":
        raise ValueError(f"{name} is not a number")
    return name
