"""Invented ids that catalogues give to works, derived deterministically from each work."""

from functools import cache
from hashlib import sha256

from sourcewright.world.corpus.works import Work

_MEDICAL = frozenset({"tides", "fog"})
"""Journals that PubMed indexes."""
_CATALOGUED = frozenset({"crossref", "datacite"})
_DEPOSITED = frozenset({"10.5555/fine-paper", "10.5555/retracted-paper"})


def openalex_id(work: Work) -> str:
    """`W` and digits; empty for works of agencies that OpenAlex does not harvest."""
    return f"W99{_digits(work.key, 8, 'openalex')}" if work.agency in _CATALOGUED else ""


def merged_id(work: Work) -> str:
    """The id of a duplicate that OpenAlex has since merged into this work."""
    return f"W98{_digits(work.key, 8, 'openalex')}" if work.agency in _CATALOGUED else ""


def semantic_scholar_id(work: Work) -> str:
    if work.agency not in _CATALOGUED:
        return ""
    return sha256(f"semantic scholar {work.key}".encode()).hexdigest()[:40]


def pmid(work: Work) -> str:
    """Digits; empty for what PubMed does not index."""
    indexed = work.journal.key in _MEDICAL or "europepmc" in _places(work)
    return f"99{_digits(work.key, 6, 'pubmed')}" if indexed and not work.update_to else ""


def pmcid(work: Work) -> str:
    """`PMC` and digits; empty for a work that is not in PMC."""
    generated = work.key[-4:]
    deposited = work.key in _DEPOSITED or "europepmc" in _places(work)
    every_third = generated.isdecimal() and int(generated) % 3 == 0
    if not pmid(work) or not (deposited or every_third):
        return ""
    return f"PMC99{_digits(work.key, 6, 'pmc')}"


def numbers(work: Work) -> tuple[str, ...]:
    """Every id of the work in any catalogue."""
    ids = (openalex_id(work), semantic_scholar_id(work), pmid(work), pmcid(work))
    return tuple(number for number in ids if number)


def _places(work: Work) -> set[str]:
    return {location.known_to for location in work.elsewhere}


@cache
def _digits(key: str, count: int, catalogue: str) -> str:
    digest = sha256(f"{catalogue} {key}".encode()).digest()
    return f"{int.from_bytes(digest[:8]) % 10**count:0{count}d}"
