"""Which identifiers name the same paper: its DOIs, its arXiv id, its PubMed and PMC ids."""

import re
from collections.abc import Iterator

from sourcewright.base.errors import InvalidInput
from sourcewright.base.identifiers import ArxivId, Doi, Reference, parse_reference
from sourcewright.base.works import Work
from sourcewright.references.entries import Entry

_SUBJECT_CLASS = re.compile(r"\.[A-Za-z-]++(?=/)")
_PINNED_KEY = re.compile(r"arxiv_.*?(v[0-9]{1,4})(?:_[0-9a-f]{8})?", re.DOTALL)


def reference_names(reference: Reference) -> frozenset[str]:
    """The names under which the library may have the paper, whatever its version."""
    if isinstance(reference, Doi):
        return frozenset(map(_doi_name, reference.readings))
    return frozenset({_arxiv_name(reference) if _is_arxiv(reference) else str(reference)})


def entry_names(entry: Entry) -> frozenset[str]:
    """All names of the paper in an entry.

    A preprint with a DOI of its own is another work, unless arXiv registered that DOI.
    """
    preprint = entry.holding.preprint
    dois = (entry.doi, *entry.aliases, entry.published_doi)
    ids = (*dois, entry.arxiv_id, entry.pmid, entry.pmcid)
    all_ids = (*ids, preprint if preprint and not preprint.startswith("10.") else None)
    return frozenset(name for text in all_ids if text for name in _names_of_text(text))


def other_ids(work: Work, reference: Doi | ArxivId) -> tuple[Doi | ArxivId, ...]:
    """The other ids of the paper in a record, such as the published DOI of an arXiv paper."""
    is_from_arxiv = isinstance(reference, ArxivId) or reference.arxiv is not None
    texts = [work.doi, *work.aliases, work.arxiv_id, *(work.published_as if is_from_arxiv else ())]
    references = [other for text in texts if text for other in _parse(text)]
    preprints = [other for text in work.preprints for other in _parse(text)]
    arxivs = [
        other
        for other in preprints
        if _is_arxiv(other) or (isinstance(other, Doi) and other.arxiv)
    ]
    known = [other for other in (*references, *arxivs) if isinstance(other, Doi | ArxivId)]
    return tuple(dict.fromkeys(other for other in known if other != reference))


def pinned_version(key: str) -> str | None:
    """The arXiv version that an entry's key names: `v2` for `arxiv_2401.12345v2`."""
    match = _PINNED_KEY.fullmatch(key)
    return match[1] if match else None


def holds_version(entry: Entry, reference: Reference) -> bool:
    """Whether an entry can be the referenced paper: a given version must be that of its file.

    An entry without a file can receive the file of any version that its key does not exclude.
    """
    if not isinstance(reference, ArxivId) or reference.version is None:
        return True
    requested, pinned = f"v{reference.version}", pinned_version(entry.key)
    version = entry.holding.file_version or pinned
    if entry.pdf_path is None:
        return pinned in {None, requested}
    return version == requested


def _is_arxiv(reference: Reference) -> bool:
    return isinstance(reference, ArxivId)


def _arxiv_name(reference: Reference) -> str:
    return f"arxiv:{_SUBJECT_CLASS.sub('', reference.value)}"


def _doi_name(doi: Doi) -> str:
    return _arxiv_name(doi.arxiv) if doi.arxiv else doi.value


def _names_of_text(text: str) -> Iterator[str]:
    for reference in _parse(text):
        # A stored DOI was parsed before; punctuation at its end belongs to it.
        exact = reference.readings[0] if isinstance(reference, Doi) else reference
        yield from reference_names(exact)


def _parse(text: str) -> Iterator[Reference]:
    try:
        yield parse_reference(text)
    except InvalidInput:
        return
