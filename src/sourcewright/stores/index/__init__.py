"""The library index: ranked search and recency over the metadata files it is built from."""

from sourcewright.stores.index.index import LibraryIndex

__all__ = ["LibraryIndex"]
