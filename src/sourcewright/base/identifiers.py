"""Parses identifiers of papers: DOIs, arXiv ids, PubMed and PMC ids, in all usual spellings."""

import re
from dataclasses import dataclass, field
from typing import Literal, TypeAlias
from urllib.parse import quote, unquote

from sourcewright.base.doi_endings import shorter_dois
from sourcewright.base.doi_prefix import DOI_PREFIX
from sourcewright.base.errors import InvalidInput
from sourcewright.base.landing_pages import identifier_in_url
from sourcewright.base.spellings import (
    MAX_LENGTH,
    quoted_for_message,
    strip_trailing_punctuation,
    strip_wrapping,
    undo_encodings,
    with_plain_dashes,
)
from sourcewright.base.suggestions import suggestion_for

REFERENCE_PATTERN = "[0-9]"
"""For JSON Schema, ECMA-262, unanchored. Every accepted reference contains a digit; for the rest, the
parser's error messages are better than a pattern's."""
REFERENCE_MIN_LENGTH = 4
REFERENCE_MAX_LENGTH = MAX_LENGTH

_ACCEPTED = "accepted: a DOI (10.1234/abc), an arXiv id (2401.12345, hep-th/9901001), a PubMed id (pmid:12345), a PMC id (PMC12345), or the URL of one of them"
# Quantifiers of white space are possessive, to avoid exponential backtracking.
_LABELLED_URL = re.compile(r"(?:doi|arxiv|pmid|pmcid|url)\s*+[:=]?\s*+(?=https?:)", re.IGNORECASE)
_ENCODED_URL = re.compile(r"https?%3a", re.IGNORECASE)
_URL = re.compile(r"https?:/", re.IGNORECASE)
_PAGE = re.compile(r"https?://[^/\s]\S*", re.IGNORECASE)
_WWW = re.compile(r"^www\.(?=[^/\s]+\.[a-z]{2,}(?:/|$))", re.IGNORECASE)
_HOST = re.compile(r"(?:[a-z0-9-]++\.)+[a-z]{2,}/", re.IGNORECASE)
_DOI_LABEL = re.compile(
    r"(?:(?:urn:|info:)?doi|(?:info:)?hdl)[\s:\uff1a=/]*(?=10(?:[./]|$)|[(\[<])"
)
_DOI = re.compile(DOI_PREFIX + r"/.+", re.DOTALL)
_SHORT_DOI = re.compile(r"10/[a-z0-9]+")
_ARXIV_LABEL = re.compile(r"arxiv(?:[\s:]+|\.(?=[0-9]))")
_ARXIV_CLASS = re.compile(r"(?<!\s)\s*+\[[a-z.-]++\]$")
_ARXIV_NEW = re.compile(r"([0-9]{4}\.[0-9]{4,5})(?:v([0-9]{1,4}))?")
_ARXIV_OLD = re.compile(
    r"([a-z]+(?:-[a-z]+)*)(?:\.([a-z]+(?:-[a-z]+)*))?/([0-9]{2})([0-9]{2})([0-9]{3})(?:v([0-9]{1,4}))?"
)
_PMID = re.compile(r"pmid\s*+:?\s*+([0-9]{1,12})")
_PMCID = re.compile(r"(?:pmcid\s*+:?\s*+(?:pmc\s*+)?|pmc\s*+)([0-9]{1,12})")
_CLOSERS = ")]}>.,;:!?\"'`\u2019\u201d\u00bb "


@dataclass(frozen=True, slots=True)
class Doi:
    """A digital object identifier, in lower case."""

    value: str
    written: str | None = field(default=None, compare=False, repr=False)
    """The DOI with trailing punctuation, which may belong to it; None if there was none."""

    @property
    def kind(self) -> Literal["doi"]:
        return "doi"

    @property
    def readings(self) -> tuple["Doi", ...]:
        """The possible DOIs in the order to try: as written, then without the punctuation."""
        return (Doi(self.written), Doi(self.value)) if self.written else (self,)

    @property
    def shorter(self) -> tuple["Doi", ...]:
        """Other DOIs, to be tried if this one does not exist: without what was copied with it."""
        return tuple(Doi(one) for one in shorter_dois(self.value) if _DOI.fullmatch(one))

    @property
    def url(self) -> str:
        """Its URL at doi.org, encoded so that every browser and client parses it the same way."""
        odd = self.value.endswith("/") or {".", ".."} & set(self.value.split("/"))
        prefix, _, suffix = self.value.partition("/")
        return f"https://doi.org/{prefix}/{quote(suffix, safe=':;(),' if odd else ':;(),/')}"

    @property
    def arxiv(self) -> "ArxivId | None":
        """The arXiv id in a DOI that arXiv registered; None for other DOIs."""
        registrant, _, rest = self.value.partition("/arxiv.")
        try:
            return _parse_bare_arxiv(rest) if registrant == "10.48550" else None
        except InvalidInput:
            return None

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, slots=True)
class ArxivId:
    """An arXiv id; `value` identifies the paper, `version` one version of it."""

    value: str
    version: int | None = None

    @property
    def kind(self) -> Literal["arxiv"]:
        return "arxiv"

    @property
    def url(self) -> str:
        return f"https://arxiv.org/abs/{self}"

    @property
    def doi(self) -> Doi:
        """The DOI that arXiv registers for the paper, whatever its version."""
        return Doi(f"10.48550/arxiv.{self.value}")

    def __str__(self) -> str:
        return self.value if self.version is None else f"{self.value}v{self.version}"


@dataclass(frozen=True, slots=True)
class Pmid:
    """A PubMed id: digits, written with a label because digits alone are ambiguous."""

    value: str

    @property
    def kind(self) -> Literal["pmid"]:
        return "pmid"

    @property
    def url(self) -> str:
        return f"https://pubmed.ncbi.nlm.nih.gov/{self.value}/"

    def __str__(self) -> str:
        return f"pmid:{self.value}"


@dataclass(frozen=True, slots=True)
class Pmcid:
    """A PubMed Central id, `PMC` included."""

    value: str

    @property
    def kind(self) -> Literal["pmcid"]:
        return "pmcid"

    @property
    def url(self) -> str:
        return f"https://pmc.ncbi.nlm.nih.gov/articles/{self.value}/"

    def __str__(self) -> str:
        return self.value


Reference: TypeAlias = Doi | ArxivId | Pmid | Pmcid


def parse_reference(text: str) -> Reference:
    """Parse a reference to a paper: an identifier in any spelling, or a URL that contains one.

    Raises:
        InvalidInput: It is not a reference; the message says why and what is accepted.
    """
    clean = _without_label(text)
    if _URL.match(clean) or (_HOST.match(clean) and not _ARXIV_OLD.match(clean.lower())):
        return _parse_url(clean)
    return _parse_plain(undo_encodings(clean), original=text)


def page_url_without_identifier(text: str) -> str | None:
    """Return the URL of a page that must be fetched to learn which paper it is about.

    None for text that is not a URL, and for a URL that contains an identifier, even an invalid one.
    """
    try:
        clean = _without_label(text)
        address = _WWW.sub("https://www.", clean)
        has_identifier = identifier_in_url(address) is not None
    except (InvalidInput, ValueError):
        return None
    return None if has_identifier or not _PAGE.fullmatch(address) else address


def parse_doi(text: str) -> Doi:
    """Parse a DOI.

    Raises:
        InvalidInput: It is not a reference, or an identifier of another kind.
    """
    reference = parse_reference(text)
    if isinstance(reference, Doi):
        return reference
    raise InvalidInput(f"{reference} is not a DOI; expected something like 10.1234/abc")


def parse_arxiv(text: str) -> ArxivId:
    """Parse an arXiv id, also from the DOI that arXiv registered for it.

    Raises:
        InvalidInput: It is not a reference, or an identifier of another kind.
    """
    reference = parse_reference(text)
    arxiv_id = reference.arxiv if isinstance(reference, Doi) else reference
    if isinstance(arxiv_id, ArxivId):
        return arxiv_id
    raise InvalidInput(f"{reference} is not an arXiv id; expected something like 2401.12345")


def _without_label(text: str) -> str:
    clean = _LABELLED_URL.sub("", strip_wrapping(text), count=1)
    return strip_wrapping(unquote(clean)) if _ENCODED_URL.match(clean) else clean


def _parse_url(text: str) -> Reference:
    _refuse_white_space(text)
    try:
        plain = identifier_in_url(text if _URL.match(text) else f"https://{text}")
    except ValueError as error:
        raise InvalidInput(f"URL {quoted_for_message(text)} is malformed: {error}") from error
    if plain is None:
        raise InvalidInput(f"URL {quoted_for_message(text)} contains no identifier; {_ACCEPTED}")
    return _parse_plain(undo_encodings(plain))


def _parse_plain(text: str, *, original: str = "") -> Reference:
    """Parse an identifier in lower case; a message quotes it as it was given."""
    labelled = _DOI_LABEL.match(text)
    if labelled or text.startswith(("10.", "10/")):
        return _parse_plain_doi(strip_wrapping(text[labelled.end() :]) if labelled else text)
    if not _ARXIV_CLASS.search(text):
        text = strip_trailing_punctuation(text).rstrip(_CLOSERS)
    identifier = _parse_pubmed(text) or _parse_plain_arxiv(_ARXIV_CLASS.sub("", text))
    if identifier:
        return identifier
    if text.isdecimal():
        raise InvalidInput(
            f"{quoted_for_message(text)} is a bare number, which is ambiguous; write pmid:{text} for PubMed or PMC{text} for PubMed Central"
        )
    raise InvalidInput(
        f"{quoted_for_message(original.strip() or text)} is not a known kind of reference{suggestion_for(text)}; {_ACCEPTED}"
    )


def _parse_plain_doi(text: str) -> Doi:
    whole = with_plain_dashes(text)
    value = with_plain_dashes(strip_trailing_punctuation(text))
    if not _DOI.fullmatch(value) and _is_doi(whole):
        return Doi(whole)
    if _SHORT_DOI.fullmatch(value):
        raise InvalidInput(
            f"{quoted_for_message(value)} is a short DOI, an alias; use the full DOI instead"
        )
    if not _DOI.fullmatch(value):
        raise InvalidInput(
            f"{quoted_for_message(value)} is not a DOI; expected 10., a registrant of 4 to 9 digits, "
            f"a slash and a suffix, as in 10.1234/abc{suggestion_for(value)}"
        )
    _refuse_white_space(value)
    if len(value) > MAX_LENGTH:
        raise InvalidInput(
            f"the DOI is {len(value)} characters long; at most {MAX_LENGTH} are accepted"
        )
    return Doi(value, written=whole if whole != value and _is_doi(whole) else None)


def _is_doi(text: str) -> bool:
    """Whether the text, including trailing punctuation, is a syntactically valid DOI."""
    if not text.isascii() or len(text) > MAX_LENGTH or not _DOI.fullmatch(text):
        return False
    return not any(character.isspace() for character in text)


def _refuse_white_space(text: str) -> None:
    if any(character.isspace() for character in text):
        raise InvalidInput(
            f"{quoted_for_message(text)} contains white space, which is not allowed in a DOI or URL"
        )


def _parse_pubmed(text: str) -> Pmid | Pmcid | None:
    pmid, pmcid = _PMID.fullmatch(text), _PMCID.fullmatch(text)
    digits = (pmid or pmcid or ["", ""])[1].lstrip("0")
    if pmid and digits:
        return Pmid(digits)
    return Pmcid(f"PMC{digits}") if pmcid and digits else None


def _parse_plain_arxiv(text: str) -> ArxivId | None:
    label = _ARXIV_LABEL.match(text)
    return _parse_bare_arxiv(text[label.end() :] if label else text)


def _parse_bare_arxiv(bare: str) -> ArxivId | None:
    new, old = _ARXIV_NEW.fullmatch(bare), _ARXIV_OLD.fullmatch(bare)
    if new:
        # The month and number are not validated here: arXiv itself reports unknown ids.
        return ArxivId(new[1], _parse_version(bare, new[2]))
    return _parse_old_arxiv(bare, old) if old else None


def _parse_old_arxiv(text: str, match: re.Match[str]) -> ArxivId:
    archive, subject, year, month, number, version = match.groups()
    _refuse_invalid_month(text, int(month))
    if (7, 3) < (int(year), int(month)) < (91, 7):
        raise InvalidInput(
            f"arXiv id {quoted_for_message(text)} is from a month without ids of this style"
        )
    # Two-letter subject classes are upper case (math.GT), longer ones lower case.
    ending = "" if not subject else f".{subject.upper() if len(subject) == 2 else subject}"
    return ArxivId(f"{archive}{ending}/{year}{month}{number}", _parse_version(text, version))


def _refuse_invalid_month(text: str, month: int) -> None:
    if not 1 <= month <= 12:
        raise InvalidInput(
            f"arXiv id {quoted_for_message(text)} has month {month:02}; months are 01 to 12"
        )


def _parse_version(text: str, digits: str | None) -> int | None:
    if digits is not None and digits.startswith("0"):
        raise InvalidInput(
            f"arXiv id {quoted_for_message(text)} has version {digits}; versions start at 1"
        )
    return int(digits) if digits else None
