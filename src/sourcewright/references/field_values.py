"""Values of reference fields as authors write them: names, years, page ranges."""

import re
from collections.abc import Iterable

from sourcewright.base.text.person_names import split_name
from sourcewright.base.text.plain import plain_text
from sourcewright.base.works import Author
from sourcewright.references.limits import MAX_AUTHORS, MAX_VALUE

_YEAR = re.compile(r"(?<!\d)(1[0-9]\d\d|2[01]\d\d)(?!\d)")
_DASHES = re.compile(r"\s?(?:-{2,3}|[\u2010-\u2015\u2212])\s?")
_ET_AL = re.compile(r"(?:and\s)?(?:others|et\.?\sal(?:ii|ia)?\.?)", re.IGNORECASE)


def year_in(text: str) -> int | None:
    """The first year in a date."""
    match = _YEAR.search(text[:MAX_VALUE])
    return int(match[1]) if match else None


def page_range(text: str) -> str | None:
    """Pages with a hyphen between first and last; None if there are none."""
    return _DASHES.sub("-", plain_text(text[:MAX_VALUE])).strip(" ,.") or None


def authors_of(names: Iterable[str]) -> tuple[tuple[Author, ...], bool]:
    """Authors from `Family, Given` or `Given Family`, and whether others are only implied."""
    authors, truncated = [], False
    for name in names:
        text = plain_text(name[:MAX_VALUE]).strip(" ,;")
        if _ET_AL.fullmatch(text):
            truncated = True
        elif text:
            authors.append(author_from_text(text))
        if len(authors) == MAX_AUTHORS:
            return tuple(authors), True
    return tuple(authors), truncated


def author_from_text(text: str) -> Author:
    parts = split_name(text)
    if parts.family is None:
        return Author(name=text, is_organisation=" " in text)
    return person(parts.family, parts.given or "", parts.suffix or "")


def person(family: str, given: str, suffix: str = "") -> Author:
    """A person by the parts of the name, of which any may be empty."""
    return Author(
        name=" ".join(filter(None, (given, family, suffix))),
        family=family or None,
        given=given or None,
        suffix=suffix or None,
    )


def organisation(name: str) -> Author:
    return Author(name=name, is_organisation=True)


def is_et_al(text: str) -> bool:
    """Whether a name stands for authors who are not listed."""
    return _ET_AL.fullmatch(text) is not None
