"""Patent numbers of all offices in one form: office, number, kind (`US10165245B2`)."""

import re
from dataclasses import dataclass
from typing import Final, get_args
from urllib.parse import quote

from sourcewright.domain.records.patents import Office

_MAX_LENGTH: Final = 200
_URL: Final = re.compile(
    r"https?://patents\.google\.com/(?:xhr/query\?id=)?patent/([A-Z]{2}[A-Z0-9]{3,20})(?:[/?#]\S*)?",
    re.IGNORECASE,
)
_NUMBER: Final = re.compile(
    r"(?P<office>[A-Z]{2})(?P<class>RE|PP|D|T|H|X|S)?(?P<digits>[0-9]{3,15})(?P<kind>[A-Z][0-9]?)?"
)
_US_DIGITS: Final = re.compile(r"[0-9]{7,8}")
_SEPARATORS: Final = re.compile(r"[\s,./\-:_]+")
_US_GRANTS: Final = re.compile(r"B[0-7]?|E[0-7]?|S[0-7]?|P[235]?")
"""Patents, reissues, designs and plants; P1 is the application for a plant, H no patent."""
_GRANTS: Final = re.compile(r"[BC][0-7]?")
_LATER: Final = {
    "EP": frozenset({"B2", "B3"}),
    "DE": frozenset({"C3", "C4", "C5"}),
    "GB": frozenset({"C", "C2", "C3"}),
}
"""Documents after an opposition or a limitation: the patent was granted before."""
_LONG: Final = 6
"""Digits of a number that are no year and no model of a product."""
_CENTURY: Final = 78
"""The PCT began in 1978: two digits from 78 on are a year of the 20th century."""


@dataclass(frozen=True, slots=True)
class PatentNumber:
    """A publication number."""

    office: str
    digits: str
    """With the letters of its class, as in `D901234`."""
    kind: str | None = None

    def __str__(self) -> str:
        return f"{self.office}{self.digits}{self.kind or ''}"

    @property
    def is_grant(self) -> bool:
        """Whether the patent is granted with this document.

        Kinds with 8 and 9 are corrections, which are published later (WIPO standard ST.16).
        """
        kind = self.kind or ""
        if self.office == "US":
            old = kind == "A" and len(self.digits) <= 7
            return old or bool(_US_GRANTS.fullmatch(kind))
        is_later = kind in _LATER.get(self.office, ())
        return self.office != "WO" and not is_later and bool(_GRANTS.fullmatch(kind))

    @property
    def is_unmistakable(self) -> bool:
        """Whether it is hardly anything else, such as the number of a standard (EN 60601-1-2)."""
        is_long = sum(map(str.isdigit, self.digits)) >= _LONG
        return is_long and (self.kind is not None or self.office in get_args(Office))

    def is_same(self, other: "PatentNumber") -> bool:
        """Whether both name the same document; a missing kind matches any."""
        kinds = {self.kind, other.kind} - {None}
        return (self.office, self.digits) == (other.office, other.digits) and len(kinds) < 2


def parse_patent_number(text: str) -> PatentNumber | None:
    """Parse a number in any office's spelling, or a Google Patents URL.

    A number of seven or eight digits without an office is one of the US. None for anything else.
    """
    text = text.strip()
    if not text or len(text) > _MAX_LENGTH:
        return None
    url = _URL.fullmatch(text)
    compact = _SEPARATORS.sub("", url[1] if url else text).upper()
    if _US_DIGITS.fullmatch(compact):
        return PatentNumber("US", compact)
    match = _NUMBER.fullmatch(compact)
    if match is None:
        return None
    digits = _canonical_digits(match["office"], match["digits"])
    if match["class"]:
        digits = digits.lstrip("0")  # USPTO's files write D0798021 for D798,021
    return PatentNumber(match["office"], f"{match['class'] or ''}{digits}", match["kind"])


def _canonical_digits(office: str, digits: str) -> str:
    """The digits with years in full and serial numbers in their full width.

    DOCDB writes US2006142694 for US 2006/0142694, and WO0123456 for WO 01/23456.
    """
    if office == "US" and len(digits) in (10, 11) and digits[:2] in ("19", "20"):
        return digits[:4] + digits[4:].zfill(7)
    if office == "WO" and len(digits) == 7:
        century = "19" if int(digits[:2]) >= _CENTURY else "20"
        return century + digits[:2] + digits[2:].zfill(6)
    if office == "KR" and len(digits) == 13 and digits[2:4] in ("19", "20"):
        return digits[2:]
    return digits.zfill(7) if office == "EP" else digits


def docdb_number(number: PatentNumber) -> str:
    """The digits as the EPO's database writes them."""
    digits = number.digits
    if number.office == "US" and len(digits) == 11:
        return digits[:4] + digits[5:] if digits[4] == "0" else digits
    if number.office == "WO" and len(digits) == 10 and digits < "2004" and digits[4] == "0":
        return digits[2:4] + digits[5:]
    return digits


def number_from_parts(office: str, digits: str, kind: str | None) -> str:
    """The normalised number from the parts of a source; unchanged if they are unusual."""
    joined = f"{office}{digits}{kind or ''}"
    parsed = parse_patent_number(joined)
    return str(parsed) if parsed else _SEPARATORS.sub("", joined)


def patent_page(number: str) -> str:
    """The public detail page of a publication."""
    return f"https://patents.google.com/patent/{quote(number, safe='')}/en"
