"""Store keys written by doiget, which are replaced by ours when an entry is rewritten."""

import re
from collections.abc import Mapping, Sequence

from sourcewright.base.clocks import Clock
from sourcewright.base.errors import InvalidInput
from sourcewright.base.identifiers import parse_doi
from sourcewright.domain.papers.file_names import is_store_key, legacy_key, store_key
from sourcewright.references.entries import Entry
from sourcewright.stores.files import Folder

_VERSION = re.compile(r"v[0-9]+\Z")
_CACHE_SECONDS = 60.0
_UNHASHED_CHARS = 192
"""A long key is cut here; a hash that depends on letter case follows."""


class LegacyKeys:
    """Finds the doiget keys of a paper. doiget keeps the letter case of a DOI as typed."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._mixed_case: Mapping[str, tuple[str, ...]] = {}
        self._fresh_until = float("-inf")

    def of(self, doi: str, metadata: Folder) -> Sequence[str]:
        """Keys that may be the paper's; only their files tell whether they are."""
        lower_case = legacy_key(doi)
        return sorted({lower_case, *self._mixed_case_keys(metadata).get(_folded(lower_case), ())})

    def _mixed_case_keys(self, metadata: Folder) -> Mapping[str, tuple[str, ...]]:
        """Keys with capitals, by their folded form. Our keys have none, so there are few."""
        now = self._clock.monotonic()
        if now >= self._fresh_until:
            keys: dict[str, tuple[str, ...]] = {}
            for name in metadata.names():
                key = name.removesuffix(".toml")
                if key != name and key != key.lower() and is_store_key(key):
                    keys[_folded(key)] = (*keys.get(_folded(key), ()), key)
            self._mixed_case, self._fresh_until = keys, now + _CACHE_SECONDS
        return self._mixed_case


def own_key(key: str, doi: str | None) -> str:
    """Our key for a paper that may be stored under a doiget key."""
    if doi is None or not key.startswith("doi_"):
        return key
    try:
        reference = parse_doi(doi)
    except InvalidInput:
        return key
    is_legacy = _folded(key) == _folded(legacy_key(str(reference)))
    return store_key(reference) if is_legacy else key


def identifier_of(entry: Entry) -> str | None:
    """The identifier that the entry's key stands for, as given in the file."""
    if entry.key.startswith("doi_"):
        return entry.doi.casefold() if entry.doi else None
    # The version is part of the key, but not of every such field.
    return _VERSION.sub("", entry.arxiv_id.casefold()) if entry.arxiv_id else None


def _folded(key: str) -> str:
    return key[:_UNHASHED_CHARS].lower()
