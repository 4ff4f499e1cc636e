"""Converts works to library entries, and merges a stored entry with a new description.

Merging never loses what was known.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sourcewright.base.identifiers import ArxivId, Doi
from sourcewright.base.notices import Integrity, merge_notices, status_of
from sourcewright.base.text.person_names import split_name
from sourcewright.base.text.plain import plain_text
from sourcewright.base.works import Author, Work
from sourcewright.domain.papers.file_names import store_key
from sourcewright.domain.papers.titles import is_title_with_subtitle
from sourcewright.references.entries import USER_SUPPLIED, Acquisition, Entry

_REPLACEMENT_CHARACTER = "\ufffd"
_UNKNOWN_LICENSE = "unknown"
_DESCRIPTIVE = (
    *(
        "title",
        "authors",
        "organisations",
        "year",
        "doi",
        "arxiv_id",
        "preprint_doi",
        "published_doi",
        "pmid",
        "pmcid",
        "abstract",
        "venue",
    ),
    *("volume", "issue", "pages", "keywords", "arxiv_categories", "type", "publisher"),
    *("issn", "isbn", "url"),
)


def merge_entries(
    existing: Entry, incoming: Entry, *, user_authored: bool = False
) -> tuple[Entry, tuple[str, ...]]:
    """The merged entry, and a warning for each field in which the new value was rejected.

    A stored value wins over a different one, unless the new text only repairs it. How the paper
    was obtained is taken from the new description, except that `unknown` never replaces a known
    value, and that tags, collections and annotation are only changed by a write of the user.
    Without a new PDF, everything about the stored one is kept.
    """
    fields: dict[str, Any] = {}
    warnings = []
    for name in _DESCRIPTIVE:
        old, new = getattr(existing, name), getattr(incoming, name)
        accepts = (
            _is_unknown(existing, name) or _is_repair(old, new) or _is_same_id(name, old, new)
        )
        accepts = accepts or (name == "title" and is_title_with_subtitle(old, new))
        fields[name] = new if accepts and new else old
        if new and not accepts and new != old:
            warnings.append(f"{name}: kept {_quoted(old)}, not {_quoted(new)}")
    keeps_pdf = existing.claims_pdf and not incoming.claims_pdf
    merged = replace(
        incoming,
        **fields,
        aliases=tuple(dict.fromkeys((*existing.aliases, *incoming.aliases))),
        schema_version=max(existing.schema_version, incoming.schema_version, key=version_of),
        pdf_path=existing.pdf_path if keeps_pdf else incoming.pdf_path,
        holding=_merged_holding(
            existing.holding, incoming.holding, user_authored=user_authored, keeps_pdf=keeps_pdf
        ),
        extras=_merge_tables(existing.extras, incoming.extras),
    )
    return merged, tuple(warnings)


def version_of(text: str) -> tuple[int, int]:
    """`MAJOR.MINOR` as numbers, for comparison.

    Raises:
        ValueError: It does not have that form.
    """
    major, minor = text.split(".")
    if not (major.isdecimal() and minor.isdecimal() and len(text) < 20):
        raise ValueError(f"{text} is not of the form MAJOR.MINOR")
    return int(major), int(minor)


def _merged_holding(
    existing: Acquisition, incoming: Acquisition, *, user_authored: bool, keeps_pdf: bool
) -> Acquisition:
    holding = replace(
        incoming,
        license=_merged_license(existing, incoming, keeps_pdf=keeps_pdf),
        oa_status=incoming.oa_status or existing.oa_status,
        short_venue=incoming.short_venue or existing.short_venue,
        repaired_fields={**existing.repaired_fields, **incoming.repaired_fields},
        extras=_merge_tables(existing.extras, incoming.extras),
        **_merged_check(existing, incoming),
    )
    if keeps_pdf:
        holding = replace(
            holding,
            source=existing.source,
            size_bytes=existing.size_bytes,
            pdf_sha256=existing.pdf_sha256,
            pdf_modified=existing.pdf_modified,
            origin=existing.origin,
            file_check=existing.file_check,
            file_evidence=existing.file_evidence,
            preprint=existing.preprint,
            file_version=existing.file_version,
        )
    if user_authored:
        return holding
    return replace(
        holding,
        tags=existing.tags or incoming.tags,
        collections=existing.collections or incoming.collections,
        annotation=existing.annotation or incoming.annotation,
    )


def _merged_check(existing: Acquisition, incoming: Acquisition) -> dict[str, Any]:
    """The notices of both; a check that could not be made keeps the result of an earlier one."""
    latest = incoming if incoming.notices_checked_at else existing
    check = Integrity(
        status=status_of(incoming.notices),
        notices=incoming.notices,
        checked_by=incoming.notices_checked_by,
        reinstated_on=incoming.reinstated_on,
    )
    return {
        "notices": merge_notices(existing, check),
        "notices_checked_at": latest.notices_checked_at,
        "notices_checked_by": latest.notices_checked_by,
        "reinstated_on": incoming.reinstated_on or existing.reinstated_on,
    }


def _merged_license(existing: Acquisition, incoming: Acquisition, *, keeps_pdf: bool) -> str:
    """The licence of the file: as long as the file is kept, what is known about it is kept."""
    if keeps_pdf and existing.origin == USER_SUPPLIED:
        return existing.license
    accepts = incoming.license != _UNKNOWN_LICENSE and not keeps_pdf
    known = existing.license != _UNKNOWN_LICENSE
    return existing.license if known and not accepts else incoming.license


def _is_unknown(entry: Entry, name: str) -> bool:
    """Whether the field is unknown; a title that only repeats the id is a placeholder."""
    value = getattr(entry, name)
    if name != "title" or not value:
        return not value
    ids = [text.casefold() for text in (entry.doi, entry.arxiv_id) if text]
    placeholders = {label + text for label in ("", "doi:", "arxiv:") for text in ids}
    return value.strip().casefold() in placeholders


def _is_repair(old: Any, new: Any) -> bool:
    """Whether the new value is the old one without markup, or with lost characters restored."""
    if isinstance(old, tuple) and isinstance(new, tuple):
        return len(old) == len(new) and all(map(_is_repair, old, new))
    if not (isinstance(old, str) and isinstance(new, str)):
        return bool(old == new)
    return old == new or plain_text(old) == new or _restores_characters(old, new)


def _restores_characters(old: str, new: str) -> bool:
    same_length = len(old) == len(new) and _REPLACEMENT_CHARACTER not in new
    return same_length and all(
        a in {b, _REPLACEMENT_CHARACTER} for a, b in zip(old, new, strict=True)
    )


def _is_same_id(name: str, old: Any, new: Any) -> bool:
    return name.endswith("doi") and str(old).casefold() == str(new).casefold()


def _merge_tables(existing: Mapping[str, Any], incoming: Mapping[str, Any]) -> dict[str, Any]:
    """The existing fields, plus those that only the other has; nested tables are merged."""
    merged = {**incoming, **existing}
    for key, old in existing.items():
        new = incoming.get(key)
        if isinstance(old, Mapping) and isinstance(new, Mapping):
            merged[key] = _merge_tables(old, new)
    return merged


def _quoted(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:80] + "... (cut)"


def entry_of(
    work: Work, reference: Doi | ArxivId, holding: Acquisition, pdf_path: str | None
) -> Entry:
    """The entry of a work; the reference replaces a missing title."""
    published_dois = work.published_as if _arxiv_id(reference) else ()
    return Entry(
        key=store_key(reference),
        title=work.title or _placeholder(reference),
        authors=tuple(inverted_name(author) for author in work.authors),
        organisations=tuple(author.name for author in work.authors if author.is_organisation),
        holding=holding,
        year=work.year,
        doi=work.doi or (str(reference) if isinstance(reference, Doi) else None),
        aliases=work.aliases,
        arxiv_id=work.arxiv_id or _arxiv_id(reference),
        published_doi=next((doi for doi in published_dois if doi != work.doi), None),
        abstract=work.abstract,
        venue=work.venue,
        volume=work.volume,
        issue=work.issue,
        pages=work.pages,
        arxiv_categories=work.categories,
        type=work.type,
        publisher=work.publisher,
        issn=work.issn,
        isbn=work.isbn,
        url=work.url,
        pdf_path=pdf_path,
    )


def _arxiv_id(reference: Doi | ArxivId) -> str | None:
    own = reference.arxiv if isinstance(reference, Doi) else reference
    return own.value if own else None


def inverted_name(author: Author) -> str:
    """`Family, Given` where the source separates the two, else the name unchanged.

    With a suffix `Family, Suffix, Given`, if that can be taken apart again.
    """
    if not (author.family and author.given):
        return author.name
    whole = f"{author.family}, {author.suffix}, {author.given}"
    has_suffix = author.suffix and split_name(whole).suffix == author.suffix
    return whole if has_suffix else f"{author.family}, {author.given}"


def _placeholder(reference: Doi | ArxivId) -> str:
    return f"arxiv:{reference}" if isinstance(reference, ArxivId) else str(reference)
