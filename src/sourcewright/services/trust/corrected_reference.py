"""The corrected reference: the fields of the cited version, as BibTeX or CSL-JSON."""

import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from sourcewright.base.text.person_names import PersonName
from sourcewright.base.text.unicode import fold_without_spaces
from sourcewright.base.works import Author, Work, WorkRecord
from sourcewright.domain.scholar.merge import merge_group
from sourcewright.references.checks import CitationCheck, FieldCheck
from sourcewright.references.comparison.candidates import years_of
from sourcewright.references.comparison.people import shared_authors
from sourcewright.references.comparison.titles import title_agreement
from sourcewright.references.corrections.edits import IDENTIFIERS, FieldCorrection, shown_names
from sourcewright.references.entry_types import kind_of_type
from sourcewright.references.item_export import bibtex, csl_json, item_keys
from sourcewright.references.model import Reference, ReferenceField
from sourcewright.references.source_items import Item, work_item
from sourcewright.services.trust.cases import AGENCIES

MAX_SUGGESTED_AUTHORS = 20
_MEETING = re.compile(r"\b(?:proceedings|conference|symposium|workshop|congress)\b", re.IGNORECASE)
"""Words of the venues of conference papers; journals with such a name have volumes."""
_ITEM_FIELDS: Mapping[ReferenceField, tuple[str, ...]] = MappingProxyType(
    {
        "title": ("title",),
        "venue": ("container-title",),
        "volume": ("volume",),
        "issue": ("issue",),
        "pages": ("page", "number"),
        "publisher": ("publisher",),
        "doi": ("DOI",),
    }
)


def suggested_item(reference: Reference, check: CitationCheck) -> Item | None:
    """The record as an item; None if it is unclear which work is cited, or nothing is wrong."""
    if check.status != "mismatch" or not _is_clear(reference, check):
        return None
    # Agencies first: they have the type of the work, and the parts of its names.
    records = sorted(check.version, key=lambda one: one.source not in AGENCIES)
    record = merge_group(records).record
    years = [year for one in records for year in years_of(one)]
    year = reference.year if reference.year in years else record.year
    fields = ("title", "doi", "arxiv_id", "venue", "volume", "issue", "pages", "publisher")
    values = {name: getattr(record, name) for name in fields}
    return work_item(
        Work(
            source=record.source,
            authors=_with_parts(record.authors, records, reference),
            year=year,
            type=_type_of(records, reference),
            url=_url_of(records, record),
            **values,
        )
    )


def _with_parts(
    authors: Iterable[Author], records: Sequence[WorkRecord], reference: Reference
) -> tuple[Author, ...]:
    """The authors, with family and given name as another record, or the citation, divides them.

    In a name without parts, such as `太郎 山田`, nothing says which of them is the family name.
    """
    listed = [*reference.authors, *(one for record in reversed(records) for one in record.authors)]
    divided = {_letters(one): one for one in listed if one.family and one.given}
    return tuple(one if one.family else divided.get(_letters(one), one) for one in authors)


def _letters(author: Author) -> str:
    """The letters of a name in any order of its parts."""
    return "".join(sorted(fold_without_spaces(author.name)))


def _type_of(records: Sequence[WorkRecord], reference: Reference) -> str | None:
    """The type according to the agency; else one that says more than "article".

    OpenAlex and Semantic Scholar call conference papers articles. Where nobody says more, the type
    of the entry stands, and the venue tells what a text without a type means.
    """
    types = [one.type for one in records if one.type]
    by_agency = next((one.type for one in records if one.source in AGENCIES and one.type), None)
    specific = next((one for one in types if kind_of_type(one) not in (None, "article")), None)
    if by_agency or specific or not types:
        return by_agency or specific
    if kind_of_type(reference.entry_type) in ("conference", "chapter"):
        return reference.entry_type
    is_meeting = any(_MEETING.search(one.venue or "") and not one.volume for one in records)
    return "proceedings-article" if is_meeting else types[0]


def _url_of(records: Sequence[WorkRecord], record: WorkRecord) -> str | None:
    """The URL that the agency has; beside a DOI, the page of an index is no address of the work."""
    if not record.doi:
        return record.url
    registered = (one.url for one in records if one.source in AGENCIES)
    return next((url for url in registered if url and "//doi.org/" not in url), None)


def _is_clear(reference: Reference, check: CitationCheck) -> bool:
    """Whether the fields that agree leave no doubt which work is meant.

    An identifier alone does not: with another title it may be the wrong identifier.
    """
    if not check.version or check.record is None or check.confidence == "low":
        return False
    differing = {one.field for one in check.differing}
    matching = {one.field for one in check.fields if one.status == "match"}
    if differing & {"title", "authors"} and differing.intersection(IDENTIFIERS):
        # Then the identifier may be right, and the title and the authors those of another work.
        return False
    if "title" in differing:
        agreement = title_agreement(reference.title or "", check.record.title or "")
        return "authors" in matching and agreement != "different"
    if "authors" not in differing:
        return True
    return (
        not matching.isdisjoint(IDENTIFIERS)
        or {"venue", "year"} <= matching
        or shared_authors(reference.authors, check.record.authors) > 0
    )


def field_corrections(
    reference: Reference, check: CitationCheck
) -> tuple[tuple[FieldCorrection, ...], tuple[ReferenceField, ...]]:
    """The fields that can be corrected, and those for which the record has no value.

    Both are empty if it is not clear which work is meant.
    """
    item = suggested_item(reference, check)
    if item is None:
        return (), ()
    corrections = {one.field: _correction(reference, one, item) for one in check.differing}
    values = tuple(one for one in corrections.values() if one is not None)
    return values, tuple(name for name, one in corrections.items() if one is None)


def _correction(reference: Reference, check: FieldCheck, item: Item) -> FieldCorrection | None:
    if check.field == "authors":
        return _author_correction(reference, check, item)
    if check.field == "year":
        parts = item.get("issued", {}).get("date-parts", [[""]])[0]
        value = str(parts[0])
    else:
        names = _ITEM_FIELDS.get(check.field, ())
        value = next((str(item[name]) for name in names if item.get(name)), check.found or "")
    given = str(getattr(reference, check.field, None) or check.given)
    if not value or value.casefold() == given.casefold():
        return None
    return FieldCorrection(field=check.field, given=given, value=value)


def _author_correction(
    reference: Reference, check: FieldCheck, item: Item
) -> FieldCorrection | None:
    """The authors of the record; as many as the entry lists, if it says "and others"."""
    names = tuple(
        PersonName(
            family=name.get("family"),
            given=name.get("given"),
            suffix=name.get("suffix"),
            whole=name.get("literal"),
        )
        for name in item.get("author", ())
    )
    truncated = reference.authors_truncated and len(names) > len(reference.authors)
    names = names[: len(reference.authors)] if truncated else names
    if not names:
        return None
    return FieldCorrection(
        field="authors",
        given=check.given,
        value=shown_names(names),
        names=names,
        truncated=truncated,
    )


def suggested_bibtex(reference: Reference, check: CitationCheck) -> str | None:
    """The corrected entry under the key of the reference."""
    item = suggested_item(reference, check)
    if item is None:
        return None
    key = reference.key or item_keys([item])[0]
    names = item.get("author", ())
    most = max(MAX_SUGGESTED_AUTHORS, len(reference.authors))
    if len(names) <= most:
        return bibtex(item, key)
    # Collaborations have thousands of authors, for whom no answer has room.
    cut = {**item, "author": [*names[:most], {"literal": "others"}]}
    return bibtex(cut, key).replace(" and {others}", " and others", 1)


def suggested_csl(reference: Reference, check: CitationCheck) -> str | None:
    item = suggested_item(reference, check)
    if item is None:
        return None
    return csl_json([(item, reference.key or item_keys([item])[0])])
