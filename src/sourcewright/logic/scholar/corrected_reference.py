"""The corrected reference: the fields of the version that is meant, as BibTeX or CSL-JSON."""

from dataclasses import replace

from sourcewright.domain.citations import CitationCheck
from sourcewright.domain.references import Reference
from sourcewright.domain.works import Work
from sourcewright.logic.citations.candidates import years_of
from sourcewright.logic.references.item_export import bibtex, csl_json, item_keys
from sourcewright.logic.references.source_items import Item, work_item
from sourcewright.logic.scholar.merge import merge_group


def suggested_item(reference: Reference, check: CitationCheck) -> Item | None:
    """The record as an item; None if it is not clear which work is meant, or nothing is wrong."""
    if check.status != "mismatch" or not check.version or check.confidence == "low":
        return None
    record = merge_group(check.version).record
    years = [year for one in check.version for year in years_of(one)]
    year = reference.year if reference.year in years else record.year
    fields = ("title", "authors", "doi", "arxiv_id", "venue", "volume", "issue", "pages")
    values = {name: getattr(record, name) for name in fields}
    work = Work(source=record.source, year=year, type=record.type, url=record.url, **values)
    return work_item(replace(work, publisher=record.publisher))


def suggested_bibtex(reference: Reference, check: CitationCheck) -> str | None:
    """The corrected entry under the key of the reference."""
    item = suggested_item(reference, check)
    if item is None:
        return None
    return bibtex(item, reference.key or item_keys([item])[0])


def suggested_csl(reference: Reference, check: CitationCheck) -> str | None:
    item = suggested_item(reference, check)
    if item is None:
        return None
    return csl_json([(item, reference.key or item_keys([item])[0])])
