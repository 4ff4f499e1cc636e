"""Parts of a paper's original record: what describes it, and bulk such as its reference list."""

from collections.abc import Mapping
from typing import Any

_BULK = frozenset(
    {
        # Crossref
        *("assertion", "indexed", "link", "reference"),
        # DataCite: the deposited XML says all of it again
        *("xml", "viewsOverTime", "downloadsOverTime", "citationsOverTime"),
        # OpenAlex, Semantic Scholar, CORE
        *("abstract_inverted_index", "concepts", "counts_by_year", "embedding", "fullText"),
        *("mesh", "referenced_works", "references", "related_works", "topics"),
    }
)
"""Fields with lists of hundreds of entries, and with an index's own figures."""
_MOST_ENTRIES = 50
"""Of any other list, such as the authors, who are all named in `work`."""
_BOOKKEEPING = frozenset(
    {
        # Crossref
        *("URL", "alternative-id", "content-domain", "created", "deposited", "isbn-type"),
        *("issn-type", "journal-issue", "member", "prefix", "published", "reference-count"),
        *("resource", "score", "source", "update-policy"),
        # DataCite
        *("isActive", "metadataVersion", "registered", "schemaVersion", "state", "suffix"),
    }
)
"""Fields about the deposit rather than the paper, and those that repeat another field."""
_INNER_BOOKKEEPING = frozenset(
    {"asserted-by", "authenticated-orcid", "delay-in-days", "doi-asserted-by", "sequence"}
)
"""The same inside authors, funders and licences; the order of authors is that of the list."""
_REPEATED_DATE = frozenset({"date-time", "timestamp"})
_EMPTY: tuple[object, ...] = (None, "", [], {})


def without_bulk(record: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, int]]:
    """Return the record as a reader needs it, and how many entries each field of bulk has.

    What is empty, repeats another field or describes the deposit is left out without a count.
    """
    omitted = {
        name: len(value) if isinstance(value, list) else 1
        for name, value in record.items()
        if name in _BULK or (isinstance(value, list) and len(value) > _MOST_ENTRIES)
    }
    gone = omitted.keys() | _BOOKKEEPING
    return _without_empty(
        {name: value for name, value in record.items() if name not in gone}
    ), omitted


def _without_empty(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return an object without empty members, at any depth, and with each date once."""
    gone = _INNER_BOOKKEEPING | (_REPEATED_DATE if record.get("date-parts") else frozenset())
    members = {name: _concise(value) for name, value in record.items() if name not in gone}
    return {name: value for name, value in members.items() if value not in _EMPTY}


def _concise(value: Any) -> Any:
    if isinstance(value, Mapping):
        return _without_empty(value)
    if isinstance(value, list):
        return [_concise(one) for one in value]
    return value
