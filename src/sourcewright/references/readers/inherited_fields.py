"""Inheritance in BibTeX and biblatex: the fields that an entry takes from `crossref` and `xdata`."""

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from sourcewright.references.bibtex_entries import BibtexEntry

Fields: TypeAlias = Mapping[str, str]

_MAX_DEPTH = 4
"""Entries between one and its most distant ancestor; files have cycles, too."""
_DATES = frozenset({"year", "date"})
_OF_TITLE = frozenset({"title", "subtitle"})
_NEVER_FROM_PARENT = frozenset(
    {
        *("crossref", "xdata", "pages", "eid", "articleno", "doi", "url", "ee", "link"),
        *("bdsk-url-1", "bdsk-url-2", "eprint", "archiveprefix", "eprinttype"),
        *("arxivid", "arxiv", "pmid", "pmcid", "pmc"),
        # The editor of a volume is not the author of a paper in it.
        "editor",
    }
)


def entries_by_key(entries: Iterable[BibtexEntry]) -> Mapping[str, Fields]:
    """The fields of each entry under its key in lower case; of duplicates, the first."""
    by_key: dict[str, Fields] = {}
    for entry in entries:
        if entry.key:
            by_key.setdefault(entry.key.casefold(), entry.fields)
    return by_key


def with_inherited(fields: Fields, entries: Mapping[str, Fields], depth: int = 0) -> Fields:
    """The fields with those that the entry lacks and that `xdata` or `crossref` provides."""
    if depth == _MAX_DEPTH or not ("crossref" in fields or "xdata" in fields):
        return fields
    for key in fields.get("xdata", "").split(","):
        fields = {**with_inherited(entries.get(_key(key), {}), entries, depth + 1), **fields}
    parent = with_inherited(entries.get(_key(fields.get("crossref", "")), {}), entries, depth + 1)
    return {**_from_parent(parent, fields), **fields}


def _key(text: str) -> str:
    return text.strip().casefold()


def _from_parent(parent: Fields, fields: Fields) -> dict[str, str]:
    """What an entry lacks of its parent, whose title is that of the book if the entry has one."""
    lost = _NEVER_FROM_PARENT | (_DATES if _DATES & fields.keys() else frozenset())
    if "title" not in fields:
        return {name: value for name, value in parent.items() if name not in lost}
    taken = {name: value for name, value in parent.items() if name not in lost | _OF_TITLE}
    return {**taken, "booktitle": parent["title"]} if "title" in parent else taken
