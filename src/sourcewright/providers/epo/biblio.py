"""Bibliographic data in EPO's XML: titles, applicants, dates, classifications of publications."""

import re
from collections.abc import Iterable, Iterator
from typing import Final
from xml.etree.ElementTree import Element

from sourcewright.base.formats.json_values import abstract_of, required_count, text_of
from sourcewright.domain.records.assignees import clean_name
from sourcewright.domain.records.patent_numbers import (
    number_from_parts,
    parse_patent_number,
    patent_page,
)
from sourcewright.domain.records.patents import Patent

_X: Final = "{http://www.epo.org/exchange}"
_OPS: Final = "{http://ops.epo.org}"
_DAY: Final = f"{_X}document-id/{_X}date"
_DATE: Final = re.compile(r"([0-9]{4})([0-9]{2})([0-9]{2})")
_FORMATS: Final = ("original", "docdb", "docdba", "epodoc")
"""Spellings of a name, the applicant's own first."""


def read_search(root: Element) -> tuple[tuple[Patent, ...], int]:
    """The publications of a search, and how many there are.

    Raises:
        ValueError: It is not a search result.
    """
    search = root.find(f"{_OPS}biblio-search")
    if search is None:
        raise ValueError("not a search result")
    total = required_count(search.get("total-result-count"))
    patents = read_documents(root)
    if total and not patents:
        raise ValueError(f"{total} publications announced, but none sent")
    return patents, total


def read_documents(root: Element) -> tuple[Patent, ...]:
    """Every publication in a response, without those that were not found."""
    documents = root.iter(f"{_X}exchange-document")
    return tuple(read_document(one) for one in documents if one.get("status") != "not found")


def read_document(document: Element) -> Patent:
    office, digits, kind = (document.attrib[name] for name in ("country", "doc-number", "kind"))
    data = document.find(f"{_X}bibliographic-data")
    if data is None:
        raise ValueError("a publication without bibliographic data")
    number = number_from_parts(office, digits, kind)
    published = _date(data.findall(f"{_X}publication-reference/{_DAY}"))
    parsed = parse_patent_number(number)
    names = {
        role: _name(data.findall(f"{_X}parties/{_X}{role}s/{_X}{role}"), f"{role}-name")
        for role in ("applicant", "inventor")
    }
    return Patent(
        number=number,
        title=_in_english(data.findall(f"{_X}invention-title")) or number,
        url=patent_page(number),
        abstract=abstract_of(_in_english(document.findall(f"{_X}abstract"))),
        assignee=names["applicant"],
        inventor=names["inventor"],
        filed=_date(data.findall(f"{_X}application-reference/{_DAY}")),
        granted=published if parsed and parsed.is_grant else None,
        published=published,
        priority=_earliest(data.findall(f"{_X}priority-claims/{_X}priority-claim/{_DAY}")),
        family_id=document.get("family-id"),
        cpc=tuple(
            dict.fromkeys(filter(None, map(_symbol, data.iter(f"{_X}patent-classification"))))
        ),
    )


def _in_english(elements: list[Element]) -> str | None:
    ordered = sorted(elements, key=lambda one: one.get("lang") != "en")
    return next(filter(None, (text_of("".join(one.itertext())) for one in ordered)), None)


def _date(elements: Iterable[Element]) -> str | None:
    return next(_dates(elements), None)


def _earliest(elements: Iterable[Element]) -> str | None:
    return min(_dates(elements), default=None)


def _dates(elements: Iterable[Element]) -> Iterator[str]:
    matches = (_DATE.fullmatch((one.text or "").strip()) for one in elements)
    return ("-".join(match.groups()) for match in matches if match)


def _name(parties: list[Element], tag: str) -> str | None:
    """The name of the first party, in its own spelling if known."""
    first = [one for one in parties if one.get("sequence", "1") == "1"]
    known = {one.get("data-format", ""): one.findtext(f"{_X}{tag}/{_X}name") for one in first}
    names = (known.get(form) for form in _FORMATS)
    text = next(filter(None, map(text_of, names)), None)
    return clean_name(text) if text else None


def _symbol(classification: Element) -> str | None:
    scheme = classification.find(f"{_X}classification-scheme")
    if scheme is None or not scheme.get("scheme", "").startswith("CPC"):
        return None
    parts = ("section", "class", "subclass", "main-group", "subgroup")
    section, group, sub, main, rest = (
        classification.findtext(f"{_X}{one}") or "" for one in parts
    )
    return f"{section}{group}{sub}{main}/{rest}" if section else None
