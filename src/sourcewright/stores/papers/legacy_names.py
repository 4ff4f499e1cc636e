"""doiget's own store keys, which are adopted when an entry is rewritten."""

import re
from collections.abc import Mapping, Sequence

from sourcewright.domain.entries import Entry
from sourcewright.domain.errors import InvalidInput
from sourcewright.domain.identifiers import parse_doi
from sourcewright.domain.ports import Clock
from sourcewright.logic.papers.file_names import is_key, legacy_key, store_key
from sourcewright.stores.files import Folder

ADOPTED = ".adopted"
"""Ends the name of a metadata file whose content went on under our name."""

_VERSION = re.compile(r"v[0-9]+\Z")
_FRESH_SECONDS = 60.0
_UNHASHED = 192
"""So much of a long name is the paper's; a hash that depends on letter case follows."""


class Names:
    """Which names of doiget's a paper may have. doiget keeps the letter case of a DOI as typed."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._loud: Mapping[str, tuple[str, ...]] = {}
        self._until = float("-inf")

    def of(self, doi: str, metadata: Folder) -> Sequence[str]:
        """Keys that may hold the paper; whether they do, only their files tell."""
        quiet = legacy_key(doi)
        return sorted({quiet, *self._with_capitals(metadata).get(_folded(quiet), ())})

    def _with_capitals(self, metadata: Folder) -> Mapping[str, tuple[str, ...]]:
        """Ours have none, so there are few, and none at all where doiget never wrote."""
        now = self._clock.monotonic()
        if now >= self._until:
            found: dict[str, tuple[str, ...]] = {}
            for name in metadata.names():
                key = name.removesuffix(".toml")
                if key != name and key != key.lower() and is_key(key):
                    found[_folded(key)] = (*found.get(_folded(key), ()), key)
            self._loud, self._until = found, now + _FRESH_SECONDS
        return self._loud


def own_key(key: str, doi: str | None) -> str:
    """Our name for what may be stored under one of doiget's."""
    if doi is None or not key.startswith("doi_"):
        return key
    try:
        reference = parse_doi(doi)
    except InvalidInput:
        return key
    is_legacy = _folded(key) == _folded(legacy_key(str(reference)))
    return store_key(reference) if is_legacy else key


def paper_of(entry: Entry) -> str | None:
    """The id that the entry's name stands for, as the file itself gives it."""
    if entry.key.startswith("doi_"):
        return entry.doi.casefold() if entry.doi else None
    # The version stands in the name, and not in every such field.
    return _VERSION.sub("", entry.arxiv_id.casefold()) if entry.arxiv_id else None


def _folded(key: str) -> str:
    return key[:_UNHASHED].lower()
