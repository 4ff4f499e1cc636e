"""The library's index: ranked search and recency over the metadata files, which stay the truth."""

from sourcewright.stores.index.index import LibraryIndex

__all__ = ["LibraryIndex"]
