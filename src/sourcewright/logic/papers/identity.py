"""Which identifiers name the same paper: its DOIs, its arXiv id, its PubMed and PMC ids."""

import re
from collections.abc import Iterator

from sourcewright.domain.entries import Entry
from sourcewright.domain.errors import InvalidInput
from sourcewright.domain.identifiers import ArxivId, Doi, Reference, parse_reference
from sourcewright.domain.works import Work

_CLASS = re.compile(r"\.[A-Za-z-]++(?=/)")
_PINNED = re.compile(r"arxiv_.*?(v[0-9]{1,4})(?:_[0-9a-f]{8})?", re.DOTALL)


def names_of(reference: Reference) -> frozenset[str]:
    """The names under which the library may know what is meant, whatever its version."""
    if isinstance(reference, Doi):
        return frozenset(map(_doi_name, reference.readings))
    return frozenset({_arxiv_name(reference) if _is_arxiv(reference) else str(reference)})


def names_in(entry: Entry) -> frozenset[str]:
    """Every name of the paper that an entry gives.

    A preprint with a DOI of its own is another work, unless arXiv registered that DOI.
    """
    preprint = entry.holding.preprint
    said = (entry.doi, entry.published_doi, entry.arxiv_id, entry.pmid, entry.pmcid)
    own = (*said, preprint if preprint and not preprint.startswith("10.") else None)
    return frozenset(name for text in own if text for name in _names(text))


def other_ids(work: Work, reference: Doi | ArxivId) -> tuple[Doi | ArxivId, ...]:
    """The other ids that a record gives for the paper: what arXiv's paper became, and the reverse."""
    is_arxivs = isinstance(reference, ArxivId) or reference.arxiv is not None
    said = [work.doi, work.arxiv_id, *(work.published_as if is_arxivs else ())]
    read = [one for text in said if text for one in _read(text)]
    preprints = [one for text in work.preprints for one in _read(text)]
    arxivs = [one for one in preprints if _is_arxiv(one) or (isinstance(one, Doi) and one.arxiv)]
    known = [one for one in (*read, *arxivs) if isinstance(one, Doi | ArxivId)]
    return tuple(dict.fromkeys(one for one in known if one != reference))


def pinned_version(key: str) -> str | None:
    """The version of arXiv's that an entry's name stands for: `v2` of `arxiv_2401.12345v2`."""
    found = _PINNED.fullmatch(key)
    return found[1] if found else None


def holds_version(entry: Entry, reference: Reference) -> bool:
    """Whether an entry may be what is meant: a version that was named must be its file's.

    Without a file, an entry takes the file of any version that its name does not exclude.
    """
    if not isinstance(reference, ArxivId) or reference.version is None:
        return True
    asked, pinned = f"v{reference.version}", pinned_version(entry.key)
    held = entry.holding.file_version or pinned
    if entry.pdf_path is None:
        return pinned in {None, asked}
    return held == asked


def _is_arxiv(reference: Reference) -> bool:
    return isinstance(reference, ArxivId)


def _arxiv_name(reference: Reference) -> str:
    return f"arxiv:{_CLASS.sub('', reference.value)}"


def _doi_name(doi: Doi) -> str:
    return _arxiv_name(doi.arxiv) if doi.arxiv else doi.value


def _names(text: str) -> Iterator[str]:
    for reference in _read(text):
        # What is stored was read once already; punctuation at its end is the DOI's own.
        exact = reference.readings[0] if isinstance(reference, Doi) else reference
        yield from names_of(exact)


def _read(text: str) -> Iterator[Reference]:
    try:
        yield parse_reference(text)
    except InvalidInput:
        return
