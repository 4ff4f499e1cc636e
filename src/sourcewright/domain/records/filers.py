"""Filers by name, ticker or number: exact matches and candidates for a query."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sourcewright.domain.records.filings import Filer

_STATE = re.compile(r"/[A-Za-z ]{1,20}/?$")
_LEGAL_FORMS = frozenset(
    [
        "inc",
        "incorporated",
        "corp",
        "corporation",
        "co",
        "company",
        "cos",
        "companies",
        "ltd",
        "limited",
        "plc",
        "llc",
        "lp",
        "llp",
        "sa",
        "ag",
        "nv",
        "se",
        "spa",
        "ab",
        "asa",
        "oyj",
        "bv",
        "kk",
        "trust",
        "holding",
        "holdings",
        "group",
        "grp",
        "com",
        "the",
        "adr",
        "and",
        "new",
        "de",
    ]
)
_FORM = re.compile(
    r"(?<![\w-])(?:10-[KQ]|8-K|6-K|20-F|40-F|S-1|DEF 14A)(?:/A)?(?![\w-])", re.IGNORECASE
)
_HYPHENATED_FORM = re.compile(r"^(?:(?:6|8|10|11|20|40)(?= ?[KQF])|[FS](?= ?\d)) ?")
_SPACED_FORM = re.compile(r"^(?:DEF|PRE|SC)(?=1[34])")
_MAX_CANDIDATES = 10
_MAX_NAME_WORDS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class NameMatch:
    """The filers that match a name."""

    exact: tuple[Filer, ...] = ()
    """Filers with exactly this name, apart from the legal form; each once."""
    prefixed: tuple[Filer, ...] = ()
    """Filers whose names begin with it."""


def cik_in(text: str) -> str | None:
    """The ten digits of a CIK number, if the text is one: `320193`, `CIK0000320193`."""
    match = re.fullmatch(r"(?:CIK\s*[:#]?\s*)?(\d{1,10})", text.strip(), re.IGNORECASE | re.ASCII)
    return match[1].zfill(10) if match else None


def ticker_key(text: str) -> str:
    """A ticker in the spelling of the SEC: `brk.b` is BRK-B."""
    return re.sub(r"[./ ]", "-", text.strip()).upper()


def with_ticker(filers: Iterable[Filer], ticker: str) -> Filer | None:
    key = ticker_key(ticker)
    return next((one for one in filers if one.ticker == key), None)


def name_words(name: str) -> tuple[str, ...]:
    """The distinctive words of a name, without legal forms at its end."""
    plain = re.sub(r"['’]", "", _STATE.sub("", name.rstrip())).casefold()  # noqa: RUF001 -- as people type
    words = re.findall(r"[^\W_]+", plain)
    while len(words) > 1 and words[-1] in _LEGAL_FORMS:
        words.pop()
    if len(words) > 1 and words[0] == "the":
        words = words[1:]
    return tuple(words)


def match_name(filers: Iterable[Filer], name: str) -> NameMatch:
    """The filers among those given that match a name."""
    query_words = name_words(name)
    exact: dict[str, Filer] = {}
    prefixed: dict[str, Filer] = {}
    if not query_words or len(query_words) > _MAX_NAME_WORDS:
        return NameMatch()
    for filer in filers:
        for one in (filer.name, *filer.former_names):
            words = name_words(one)
            if words == query_words:
                exact.setdefault(filer.cik, filer)
            elif words[: len(query_words)] == query_words:
                prefixed.setdefault(filer.cik, filer)
    return NameMatch(exact=tuple(exact.values()), prefixed=tuple(prefixed.values()))


def candidates(*lists: Sequence[Filer]) -> tuple[Filer, ...]:
    """The first few of several lists of filers, each once."""
    known = {filer.cik: filer for filers in reversed(lists) for filer in reversed(filers)}
    return tuple(reversed(known.values()))[:_MAX_CANDIDATES]


def without_form(text: str) -> tuple[str, str] | None:
    """Split a query such as `Apple 10-K` into company and form; None if it names no form."""
    match = _FORM.search(text)
    rest = " ".join((text[: match.start()] + " " + text[match.end() :]).split()) if match else ""
    return (rest, match[0].upper()) if match and rest else None


def form_names(forms: str) -> tuple[str, ...]:
    """One form, or several separated by commas, as EDGAR writes them."""
    return tuple(form_name(one) for one in re.split("[,;|]", forms) if one.strip())


def is_of_form(form: str, forms: str | None) -> bool:
    """Whether a filing is of one of these forms; of any if none is given."""
    return forms is None or form_key(form) in map(form_key, form_names(forms))


def form_name(form: str) -> str:
    """The form as EDGAR writes it: `10k` is 10-K, `def14a` is DEF 14A."""
    text = " ".join(form.upper().split())
    hyphenated = _HYPHENATED_FORM.sub(lambda number: f"{number[0].rstrip()}-", text)
    return _SPACED_FORM.sub(r"\g<0> ", hyphenated)


def form_key(form: str) -> str:
    """A spelling in which `10K`, `10-k` and `10-K` are the same form."""
    return re.sub(r"[\s-]", "", form).upper()


def folder_url(cik: str, accession: str) -> str:
    """The URL of the folder with the documents of a filing."""
    number = accession.replace("-", "")
    return f"https://www.sec.gov/Archives/edgar/data/{int(cik)}/{number}"


def index_url(cik: str, accession: str) -> str:
    """The URL of the list of documents of a filing."""
    return f"{folder_url(cik, accession)}/{accession}-index.htm"
