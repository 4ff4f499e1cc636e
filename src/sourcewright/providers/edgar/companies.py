"""EDGAR's filers: the list of filers with a ticker, and the search by present or former name."""

import re
from typing import Any
from xml.etree.ElementTree import Element

from sourcewright.base.formats.json_values import record_of, require_value, text_of
from sourcewright.base.formats.parsers import parse_xml
from sourcewright.domain.records.filers import ticker_key
from sourcewright.domain.records.filings import Filer, FilerDirectory

_ATOM = "{http://www.w3.org/2005/Atom}"
_CIK = re.compile(r"\d{1,10}", re.ASCII)
# Without results EDGAR sends an HTML page that says so, not an empty feed.
_NO_MATCH = re.compile(rb"No matching (?:companies|CIK|Ticker Symbol)", re.IGNORECASE)


def read_directory(answer: Any) -> FilerDirectory:
    """The filers with a ticker; one with several tickers has an entry for each.

    Raises:
        ValueError: There are none, which cannot be true.
    """
    filers = tuple(_listed(record_of(one)) for one in record_of(answer).values())
    if not filers:
        raise ValueError("the list of companies is empty")
    return FilerDirectory(filers=filers)


def parse_feed(body: bytes) -> Element | None:
    """The feed; None for the page that says that there is no such company."""
    return None if _NO_MATCH.search(body[:50_000]) else parse_xml(body)


def read_matches(feed: Element | None) -> tuple[str, ...]:
    """The CIK numbers of the companies that match, each once.

    Raises:
        ValueError: It is a feed of another kind.
    """
    if feed is None:
        return ()
    if feed.tag != f"{_ATOM}feed":
        raise ValueError(f"expected a feed, got {feed.tag[:40]!r}")
    companies = list(feed.iter(f"{_ATOM}company-info"))
    if not companies:
        raise ValueError("the feed names no company")
    return tuple(dict.fromkeys(_cik(one.findtext(f"{_ATOM}cik")) for one in companies))


def _listed(entry: Any) -> Filer:
    return Filer(
        cik=_cik(str(entry["cik_str"])),
        name=require_value(text_of(entry["title"]), "title"),
        ticker=ticker_key(require_value(text_of(entry["ticker"]), "ticker")),
    )


def _cik(value: str | None) -> str:
    text = (value or "").strip()
    if not _CIK.fullmatch(text):
        raise ValueError(f"{text[:40]!r} is not a CIK number")
    return text.zfill(10)
