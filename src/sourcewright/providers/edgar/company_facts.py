"""EDGAR's company facts: every figure that a company reported in XBRL, in one large file."""

from typing import Any

from sourcewright.base.formats.json_parts import Parts, digits_of, parts_of, value_of
from sourcewright.base.formats.json_values import (
    Record,
    count_of,
    record_of,
    records_of,
    require_value,
    text_of,
)
from sourcewright.domain.records.facts import (
    INSTANTS,
    Concept,
    ReportedValue,
    headline_concepts,
    headline_facts,
)
from sourcewright.domain.records.filings import CompanyFacts, Filer
from sourcewright.providers.edgar.submissions import date_of

_CONCEPTS = headline_concepts()


def read_facts(parts: Parts, cik: str) -> CompanyFacts:
    """The headline figures; only their concepts are parsed.

    Raises:
        ValueError: It is about another company.
    """
    number = str(value_of(parts["cik"])).zfill(10)
    if number != cik:
        raise ValueError(f"the response is about CIK {number[:20]}")
    filer = Filer(cik=cik, name=require_value(text_of(value_of(parts["entityName"])), "name"))
    return CompanyFacts(filer=filer, facts=headline_facts(read_concepts(parts)))


def read_concepts(parts: Parts) -> list[Concept]:
    """The concepts of headline figures, with all of their values."""
    taxonomies = parts_of(parts["facts"])
    return [
        _concept(taxonomy, name, value_of(members[name]))
        for taxonomy, names in _CONCEPTS.items()
        if taxonomy in taxonomies
        for members in (parts_of(taxonomies[taxonomy]),)
        for name in sorted(names & members.keys())
    ]


def _concept(taxonomy: str, name: str, concept: Any) -> Concept:
    units = record_of(concept["units"])
    return Concept(
        taxonomy=taxonomy,
        name=name,
        label=text_of(concept.get("label")),
        values=tuple(
            _value(unit, one) for unit, list_ in units.items() for one in records_of(list_)
        ),
        is_instant=name in INSTANTS,
    )


def _value(unit: str, entry: Record) -> ReportedValue:
    """One reported value; numbers are texts here, with the digits of the file."""
    start = entry.get("start")
    return ReportedValue(
        value=digits_of(entry["val"]),
        unit=unit,
        start=None if start is None else date_of(start),
        end=date_of(entry["end"]),
        fiscal_year=count_of(entry.get("fy")),
        fiscal_period=text_of(entry.get("fp")),
        form=require_value(text_of(entry["form"]), "form"),
        filed=date_of(entry["filed"]),
        accession=text_of(entry.get("accn")),
        frame=text_of(entry.get("frame")),
    )
