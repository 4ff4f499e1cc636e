"""The digest equals the published vectors and keeps different things apart."""

import pytest

from sourcewright.base.formats.digests import canonical_digest
from sourcewright.base.identifiers import ArxivId, Doi, parse_reference

PAPER = Doi("10.1234/foo")
PREPRINT = ArxivId("2401.12345")

VECTORS = [
    (PAPER, "crossref", None, "17a7530b46c24b037ab779e5ad8f24cb9f27a99e44506f949fc0adf2aef8f1ae"),
    (PAPER, "unpaywall", None, "25b15a76de87d5d455792af706e5dadf5a2eb5419e58bb11d3031b1ca7a025f7"),
    (
        PAPER,
        "oa-publisher",
        None,
        "95f4cc3392c7f320c72ffdbe98e14d2a296afe33f89b98119a9e2ac27fb60524",
    ),
    (PREPRINT, "arxiv", None, "37eea0478a959cd1713f9ed1bcf5a36851202c1744239b81b90db8e43cda53bf"),
    (PREPRINT, "arxiv", "v2", "291df91b7a0978adaa3bc4311f8b8f6bf843ecc0f7d00934daa9c5cb871cd981"),
]


@pytest.mark.parametrize(("reference", "resolver", "version", "digest"), VECTORS)
def test_the_published_vectors_hold(reference, resolver, version, digest):
    assert canonical_digest(reference, resolver, version) == digest


def test_no_version_and_an_empty_version_are_the_same():
    assert canonical_digest(PAPER, "crossref") == canonical_digest(PAPER, "crossref", "")


def test_the_version_inside_an_arxiv_id_counts():
    versioned = parse_reference("arXiv:2401.12345v2")

    assert canonical_digest(versioned, "arxiv") == canonical_digest(PREPRINT, "arxiv", "v2")


def test_two_spellings_of_one_doi_have_one_digest():
    spelled = parse_reference("https://doi.org/10.1234/FOO")

    assert canonical_digest(spelled, "crossref") == canonical_digest(PAPER, "crossref")


def test_a_separator_inside_a_part_is_refused():
    with pytest.raises(ValueError, match="NUL"):
        canonical_digest(PAPER, "cross\0ref")
