"""Numbers in citations: what is numeric or plural, page ranges, ordinals."""

import re
from collections.abc import Mapping

_NUMBER = r"[^\W\d_]{0,9}\d+[^\W\d_]{0,9}"
_NUMERIC = re.compile(rf"{_NUMBER}(?:\s{{0,3}}(?:[,&/\u2013-]|and)\s{{0,3}}{_NUMBER})*", re.ASCII)
_ROMAN = r"(?<!\w)[ivxlc]{1,9}"
_SEVERAL = re.compile(
    # The comma in 7,654,321 separates no numbers.
    r"\d[^\W\d_]{0,9}\s{0,3}(?:--|[&\u2013-]|,(?!\d{3}(?!\d))|and\s)\s{0,3}[^\W\d_]{0,9}\d"
    rf"|{_ROMAN}\s{{0,3}}(?:--|[\u2013-])\s{{0,3}}{_ROMAN}(?!\w)"
)
_RANGE = re.compile(
    r"(?<![\w:])(?P<prefix>(?:\d{0,9}[A-Za-z]{1,9})?)(?P<first>\d{1,9})"
    r"\s{0,3}(?:--|[\u2010-\u2015-])\s{0,3}"
    r"(?P<other>(?:\d{0,9}[A-Za-z]{1,9})?)(?P<last>\d{1,9})(?![\w:])"
)
_DASH = re.compile(r"\s{0,3}(?:--|[\u2010-\u2015-])\s{0,3}")


def is_numeric(value: str) -> bool:
    return bool(_NUMERIC.fullmatch(value.strip()))


def is_plural(value: str) -> bool:
    return bool(_SEVERAL.search(value))


def page_ranges(value: str, page_format: str, delimiter: str) -> str:
    """The pages with each range in the style's form: `expanded` or `minimal-two`."""
    written = _RANGE.sub(lambda match: _range(match, page_format, delimiter), value)
    return _DASH.sub(delimiter, written) if is_plural(value) else written


def _range(match: re.Match[str], page_format: str, delimiter: str) -> str:
    prefix, first, other, last = match.group("prefix", "first", "other", "last")
    if len(last) < len(first) and other in ("", prefix):
        last = first[: len(first) - len(last)] + last
        other = other or prefix
    if other == prefix and int(first) < int(last) and page_format == "minimal-two":
        return f"{prefix}{first}{delimiter}{_shortened(first, last)}"
    return f"{prefix}{first}{delimiter}{other}{last}"


def _shortened(first: str, last: str) -> str:
    """The last page without the digits it shares, but with two digits at least."""
    if len(first) != len(last):
        return last
    same = next(n for n, (a, b) in enumerate(zip(first, last, strict=True)) if a != b)
    return last[min(same, max(len(last) - 2, 0)) :]


def ordinal(value: str, suffixes: Mapping[int, str], default: str) -> str:
    """`2nd` for `2`; a value that is not a plain number stays as it is."""
    if not value.isascii() or not value.isdigit():
        return value
    number = int(value[-9:])
    ending = suffixes.get(number % 100) if 10 < number % 100 < 14 else suffixes.get(number % 10)
    return value + (ending or default)
