"""Author names of papers, in one form whatever the field names of a source."""

from typing import Any

from sourcewright.base.formats.json_values import entries_of, record_of, text_of, texts_of
from sourcewright.base.works import Author


def author_from_parts(
    *,
    name: str | None = None,
    given: str | None = None,
    family: str | None = None,
    suffix: str | None = None,
    is_organisation: bool = False,
) -> Author | None:
    """An author with the name in reading order; None if there is no name."""
    full_name = " ".join(filter(None, (given, family, suffix))) if family else name or given
    if not full_name:
        return None
    return Author(
        name=full_name,
        family=family,
        given=given,
        suffix=suffix,
        is_organisation=is_organisation and not family,
    )


def authors_of(entries: Any) -> tuple[Author, ...]:
    """Authors from a list in Crossref's or CSL's form; one with only `name` is an organisation."""
    return tuple(filter(None, map(_author_of, entries_of(entries))))


def _author_of(entry: Any) -> Author | None:
    if isinstance(entry, str):
        return author_from_parts(name=text_of(entry))
    parts = record_of(entry)
    return author_from_parts(
        name=text_of(parts.get("name") or parts.get("literal")),
        given=text_of(parts.get("given")),
        family=text_of(parts.get("family")),
        suffix=text_of(parts.get("suffix")),
        is_organisation="name" in parts,
    )


def split_inverted_name(name: str | None) -> tuple[str | None, str | None]:
    """Given and family name from `Family, Given`; None for both in any other form."""
    family, comma, given = (name or "").partition(",")
    if not comma or "," in given or not (family.strip() and given.strip()):
        return None, None
    return given.strip(), family.strip()


def parse_author_list(text: Any) -> tuple[Author, ...]:
    """Authors from one text: `Family, Given`, separated by semicolons."""
    names = texts_of((text_of(text) or "").split(";"))
    parts = ((name, *split_inverted_name(name)) for name in names)
    people = (
        author_from_parts(name=name, given=given, family=family) for name, given, family in parts
    )
    return tuple(filter(None, people))
