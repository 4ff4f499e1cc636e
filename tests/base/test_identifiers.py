"""Every spelling of a reference leads to one identifier, and nonsense leads to an explanation."""

import re
import sys

import pytest

from sourcewright.base.errors import InvalidInput
from sourcewright.base.identifiers import (
    REFERENCE_MAX_LENGTH,
    REFERENCE_MIN_LENGTH,
    REFERENCE_PATTERN,
    ArxivId,
    Doi,
    Pmcid,
    Pmid,
    parse_arxiv,
    parse_doi,
    parse_reference,
)

SICI = "10.1002/(SICI)1097-4571(199806)49:8<693::AID-ASI4>3.0.CO;2-O"
HASH = "10.1002/(SICI)1098-1063(1997)7:5<559::AID-HIPO11>3.0.CO;2-#"

DOIS = {
    "10.1234/ABC": "10.1234/abc",
    "doi:10.1234/abc": "10.1234/abc",
    "DOI:10.1234/abc": "10.1234/abc",
    "DOI 10.1234/abc": "10.1234/abc",
    "doi: 10.1234/abc": "10.1234/abc",
    "doi=10.1234/abc": "10.1234/abc",
    "DOI: (10.1234/abc)": "10.1234/abc",
    "DOI: https://doi.org/10.1234/abc": "10.1234/abc",
    "urn:doi:10.1234/abc": "10.1234/abc",
    "info:doi/10.1234/abc": "10.1234/abc",
    "hdl:10.1234/abc": "10.1234/abc",
    "https://doi.org/10.1234/abc": "10.1234/abc",
    "http://dx.doi.org/10.1234/abc": "10.1234/abc",
    "HTTPS://DOI.ORG/10.1234/ABC": "10.1234/abc",
    "https://www.doi.org/10.1234/abc": "10.1234/abc",
    "doi.org/10.1234/abc": "10.1234/abc",
    "dx.doi.org/10.1234/abc": "10.1234/abc",
    "https://hdl.handle.net/10.1234/abc": "10.1234/abc",
    "https://doi.org/doi:10.1234/abc": "10.1234/abc",
    "https://dx.doi.org.proxy.library.example/10.1234/abc": "10.1234/abc",
    "https://doi.org/10.1234/abc/": "10.1234/abc",
    "https://doi.org/10.1234/abc?utm_source=x&y=z": "10.1234/abc",
    "https://doi.org/10.1234/abc#abstract": "10.1234/abc",
    "https://doi.org/10.1234/abc.": "10.1234/abc",
    "https://doi.org/10.1234%2Fabc": "10.1234/abc",
    "https://doi.org/10.1234%252Fabc": "10.1234/abc",
    "https%3A%2F%2Fdoi.org%2F10.1234%2Fabc": "10.1234/abc",
    "10.1234%2Fabc": "10.1234/abc",
    "10.1234%252Fabc": "10.1234/abc",
    "  10.1234/abc\n": "10.1234/abc",
    "\u00a010.1234/abc\u2003": "10.1234/abc",
    "<10.1234/abc>": "10.1234/abc",
    "[10.1234/abc]": "10.1234/abc",
    "(doi:10.1234/abc).": "10.1234/abc",
    "(https://doi.org/10.1234/abc/).": "10.1234/abc",
    "<https://doi.org/10.1234/abc>": "10.1234/abc",
    '"10.1234/abc"': "10.1234/abc",
    "\u201c10.1234/abc,\u201d": "10.1234/abc",
    "\u00ab10.1234/abc\u00bb": "10.1234/abc",
    "`10.1234/abc`": "10.1234/abc",
    "10.1234/abc.": "10.1234/abc",
    "10.1234/abc),": "10.1234/abc",
    "10.1234/abc].": "10.1234/abc",
    "10.1234/abc;": "10.1234/abc",
    "10.1234/a?b": "10.1234/a?b",
    "10.1234/a#b": "10.1234/a#b",
    "10.1234/ab+": "10.1234/ab+",
    "10.1234/ab-": "10.1234/ab-",
    "10.1234/a//b": "10.1234/a//b",
    "10.1234/abc/": "10.1234/abc/",
    "10.1234/a..b": "10.1234/a..b",
    "10.1000.10/123": "10.1000.10/123",
    "10.123456789/x": "10.123456789/x",
    "10.1016/S0370-1573(98)00122-3": "10.1016/s0370-1573(98)00122-3",
    "(10.1016/S0370-1573(98)00122-3)": "10.1016/s0370-1573(98)00122-3",
    "10.1234/abc(1)": "10.1234/abc(1)",
    "(10.1234/abc(1)": "10.1234/abc(1)",
    "10.1234/a)b(c)": "10.1234/a)b(c)",
    "10.1890/0012-9658(2006)87[1234:TIOPOT]2.0.CO;2": "10.1890/0012-9658(2006)87[1234:tiopot]2.0.co;2",
    SICI: SICI.lower(),
    f"<{SICI}>": SICI.lower(),
    SICI.replace("<", "&lt;").replace(">", "&gt;"): SICI.lower(),
    SICI.replace("<", "%3C").replace(">", "%3E"): SICI.lower(),
    r"10.1007/978-3-319-75889-3\_1": "10.1007/978-3-319-75889-3_1",
    HASH: HASH.lower(),
    f"https://doi.org/{HASH}": HASH.lower(),
    "10.1234/\u00dcber": "10.1234/\u00dcber",
    "10.1234/U\u0308ber": "10.1234/\u00dcber",
    "https://doi.org/10.1234/%C3%9Cber": "10.1234/\u00dcber",
    "10.1234/\u8ad6\u6587": "10.1234/\u8ad6\u6587",
    "10.1234/a\u2013b": "10.1234/a-b",
    "10.1234/a\u2011b": "10.1234/a-b",
    "10.1234/\u03b1\u2013\u03b2": "10.1234/\u03b1\u2013\u03b2",
    "\ufeff10.1234/abc": "10.1234/abc",
    "10.1234/\u200babc\u00ad": "10.1234/abc",
    "https://link.springer.com/article/10.1007/s00120-007-1345-2": "10.1007/s00120-007-1345-2",
    "https://link.springer.com/article/10.1007/s00120-007-1345-2#Abs1": "10.1007/s00120-007-1345-2",
    "https://link.springer.com/content/pdf/10.1007%2Fs00120-007-1345-2.pdf": "10.1007/s00120-007-1345-2",
    "link.springer.com/chapter/10.1007/978-3-319-75889-3_1": "10.1007/978-3-319-75889-3_1",
    "https://onlinelibrary.wiley.com/doi/full/10.1002/adma.202000001": "10.1002/adma.202000001",
    f"https://onlinelibrary.wiley.com/doi/{SICI}/abstract": SICI.lower(),
    "https://onlinelibrary.wiley.com/doi/10.1002/a.1/abstract;jsessionid=0A.f01": "10.1002/a.1",
    "https://journals.plos.org/plosone/article?id=10.1371/journal.pone.0000217": "10.1371/journal.pone.0000217",
    "https://journals.plos.org/plosone/article/file?id=10.1371/journal.pone.0000217&type=printable": "10.1371/journal.pone.0000217",
    "https://www.biorxiv.org/content/10.1101/2020.01.01.123456v2.full.pdf": "10.1101/2020.01.01.123456",
    "https://www.biorxiv.org/content/10.1101/2020.01.01.123456v2": "10.1101/2020.01.01.123456",
    "https://www.medrxiv.org/content/10.1101/2020.01.01.20123456v1.full-text": "10.1101/2020.01.01.20123456",
    "https://example.org/content/10.1101/2020.01.01.123456v2": "10.1101/2020.01.01.123456v2",
    "https://www.frontiersin.org/articles/10.3389/fpsyg.2020.00001/full": "10.3389/fpsyg.2020.00001",
    "https://iopscience.iop.org/article/10.1088/1361-6633/aa5514/pdf": "10.1088/1361-6633/aa5514",
    "https://www.degruyter.com/document/doi/10.1515/9783110498790/html": "10.1515/9783110498790",
    "https://academic.oup.com/nar/article/doi/10.1093/nar/gkaa1100/6029189": "10.1093/nar/gkaa1100",
    "https://www.tandfonline.com/doi/abs/10.1080/01621459.2020.1": "10.1080/01621459.2020.1",
    "https://dataverse.example.edu/dataset.xhtml?persistentId=doi:10.7910/DVN/NJ7XSO": "10.7910/dvn/nj7xso",
    "https://datadryad.org/stash/dataset/doi:10.5061/dryad.8515": "10.5061/dryad.8515",
    "https://zenodo.org/badge/doi/10.5281/zenodo.15497.svg": "10.5281/zenodo.15497",
    "https://api.crossref.org/works/10.1126%2Fscience.169.3946.635/agency": "10.1126/science.169.3946.635",
    "https://api.openalex.org/works/https://doi.org/10.1155/2012/291294": "10.1155/2012/291294",
    "https://pubmed.ncbi.nlm.nih.gov/?term=10.1234%2Fabc": "10.1234/abc",
    "10.48550/arXiv.2301.00001": "10.48550/arxiv.2301.00001",
    "https://doi.org/10.48550/arXiv.2301.00001": "10.48550/arxiv.2301.00001",
}

ARXIV_IDS = {
    "2401.12345": "2401.12345",
    "arXiv:2401.12345": "2401.12345",
    "ARXIV:2401.12345V2": "2401.12345v2",
    "arxiv: 2401.12345v12": "2401.12345v12",
    "arXiv 2401.12345": "2401.12345",
    "arXiv:2401.12345v2 [hep-th]": "2401.12345v2",
    "(arXiv:2401.12345).": "2401.12345",
    "\uff08arXiv:2401.12345\uff09\u3002": "2401.12345",
    "https://arxiv.org/abs/2401.12345\uff0c": "2401.12345",
    "0704.0001": "0704.0001",
    "1412.9999": "1412.9999",
    "1501.00001": "1501.00001",
    "hep-th/9901001": "hep-th/9901001",
    "arXiv:hep-th/9901001v3": "hep-th/9901001v3",
    "HEP-TH/9901001": "hep-th/9901001",
    "math.GT/0309136": "math.GT/0309136",
    "math.gt/0309136": "math.GT/0309136",
    "cond-mat.mtrl-sci/0309136": "cond-mat.mtrl-sci/0309136",
    "math/0703001": "math/0703001",
    "https://arxiv.org/abs/2401.12345v2": "2401.12345v2",
    "https://arxiv.org/pdf/2401.12345v2.pdf": "2401.12345v2",
    "https://arxiv.org/pdf/2401.12345.pdf).": "2401.12345",
    "https://arxiv.org/pdf/2401.12345#page=2": "2401.12345",
    "https://arxiv.org/abs/2401.12345?context=cs": "2401.12345",
    "https://arxiv.org/html/2401.12345v1": "2401.12345v1",
    "https://arxiv.org/format/2401.12345": "2401.12345",
    "https://arxiv.org/e-print/2401.12345": "2401.12345",
    "http://export.arxiv.org/abs/hep-th/9901001": "hep-th/9901001",
    "https://www.arxiv.org/abs/math.GT/0309136v1": "math.GT/0309136v1",
    "https://arxiv.org/abs/hep-th%2F9901001": "hep-th/9901001",
    "arxiv.org/abs/2401.12345": "2401.12345",
    "https://www.alphaxiv.org/abs/2401.12345v2": "2401.12345v2",
    "https://ar5iv.labs.arxiv.org/html/2401.12345": "2401.12345",
    "https://huggingface.co/papers/2401.12345": "2401.12345",
}

PUBMED_IDS = {
    "pmid:12345": "pmid:12345",
    "PMID: 12345": "pmid:12345",
    "PMID 012345": "pmid:12345",
    "https://pubmed.ncbi.nlm.nih.gov/12345/": "pmid:12345",
    "pubmed.ncbi.nlm.nih.gov/12345": "pmid:12345",
    "https://www.ncbi.nlm.nih.gov/pubmed/12345": "pmid:12345",
    "https://europepmc.org/article/MED/12345": "pmid:12345",
    "PMC12345": "PMC12345",
    "pmc12345.": "PMC12345",
    "pmcid:PMC12345": "PMC12345",
    "PMCID: 12345": "PMC12345",
    "https://www.ncbi.nlm.nih.gov/pmc/articles/PMC12345/": "PMC12345",
    "ncbi.nlm.nih.gov/pmc/articles/PMC12345/pdf/main.pdf": "PMC12345",
    "https://pmc.ncbi.nlm.nih.gov/articles/PMC12345/#S1": "PMC12345",
    "https://europepmc.org/articles/PMC12345": "PMC12345",
}

REFUSED = {
    "": "empty",
    " \t\n": "empty",
    "()": "empty",
    "hello": "accepted: a DOI",
    "see 10.1234/abc": "accepted: a DOI",
    "10.1234": "a slash and a suffix",
    "10.1234/": "a slash and a suffix",
    "10.123/abc": "4 to 9 digits",
    "10.1234567890/abc": "4 to 9 digits",
    "10.12a4/abc": "4 to 9 digits",
    "10.\u0661\u0662\u0663\u0664/abc": "4 to 9 digits",
    "11.1234/abc": "accepted: a DOI",
    "10.1234/a b": "contains white space",
    "10.1234/a%20b": "contains white space",
    "10.1234/a\u00a0b": "contains white space",
    "https://doi.org/10.1234/a b": "contains white space",
    "10.1234/a\x00b": r"U\+0000",
    "10.1234/a%00b": r"U\+0000",
    "https%3A%2F%2Fdoi.org%2F10.1234%2Fa%0Ab": r"U\+000A",
    "10.1234/a\ud800b": r"U\+D800",
    "10.1234/a%ff": "UTF-8",
    "10.1234/a%252525252fb": "more than twice",
    "10.1234/" + "a" * 2041: "at most 2048",
    "10/b4mz6g": "short DOI",
    "https://doi.org/ra/10.1045": "contains no identifier",
    "https://example.org/paper": "contains no identifier",
    "https://example.org/?a=10.1234/abc&b=10.1234/xyz": "contains no identifier",
    "https://[": "malformed",
    "ftp://doi.org/10.1234/abc": "accepted: a DOI",
    "2401.12345v0": "versions start at 1",
    "hep-th/9913001": "month 13",
    "hep-th/0704001": "without ids of this style",
    "hep-th/990100": "accepted: a DOI",
    "https://arxiv.org/list/cs/2401": "accepted: a DOI",
    "12345": "pmid:12345",
    "pmid:0": "accepted: a DOI",
    "pmid:1234567890123": "accepted: a DOI",
    "PMC": "accepted: a DOI",
}


@pytest.mark.parametrize(("text", "doi"), DOIS.items())
def test_a_doi_is_read_from_any_spelling(text, doi):
    assert parse_reference(text) == Doi(doi)


@pytest.mark.parametrize(("text", "arxiv_id"), ARXIV_IDS.items())
def test_an_arxiv_id_is_read_from_any_spelling(text, arxiv_id):
    reference = parse_reference(text)

    assert isinstance(reference, ArxivId)
    assert str(reference) == arxiv_id


@pytest.mark.parametrize(("text", "pubmed_id"), PUBMED_IDS.items())
def test_a_pubmed_or_pmc_id_is_read_from_any_spelling(text, pubmed_id):
    reference = parse_reference(text)

    assert isinstance(reference, Pmid | Pmcid)
    assert str(reference) == pubmed_id


@pytest.mark.parametrize(("text", "reason"), REFUSED.items())
def test_what_is_no_reference_is_refused_with_the_reason(text, reason):
    with pytest.raises(InvalidInput, match=reason) as caught:
        parse_reference(text)

    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 800


@pytest.mark.parametrize("text", [*DOIS, *ARXIV_IDS, *PUBMED_IDS])
def test_the_name_and_the_address_of_a_reference_lead_back_to_it(text):
    reference = parse_reference(text)

    assert parse_reference(str(reference)) == reference
    assert parse_reference(reference.url) == reference


@pytest.mark.parametrize("text", [*DOIS, *ARXIV_IDS, *PUBMED_IDS])
def test_the_published_schema_admits_every_accepted_spelling(text):
    assert REFERENCE_MIN_LENGTH <= len(text) <= REFERENCE_MAX_LENGTH
    assert re.search(REFERENCE_PATTERN, text, re.ASCII)


@pytest.mark.parametrize(
    "text",
    [
        "10.1234/abc",
        "10.123456789/A.b_c/d(e)-f",
        "arXiv:2401.12345",
        "arXiv:0704.0001",
        "2401.12345",
        "0704.0001",
    ],
)
def test_whatever_the_contracts_pattern_admits_is_accepted(text):
    contract = r"^(10\.\d{4,9}/[A-Za-z0-9._/()-]+|arXiv:\d{4}\.\d{4,5}|\d{4}\.\d{4,5})$"
    assert re.search(contract, text)

    assert parse_reference(text)


def test_kinds_and_addresses_are_those_of_the_registries():
    shown = {
        (reference.kind, reference.url)
        for reference in map(
            parse_reference, [HASH, "math.GT/0309136v1", "pmid:12345", "PMC12345", "10.1234/../x"]
        )
    }

    assert shown == {
        (
            "doi",
            "https://doi.org/10.1002/(sici)1098-1063(1997)7:5%3C559::aid-hipo11%3E3.0.co;2-%23",
        ),
        ("arxiv", "https://arxiv.org/abs/math.GT/0309136v1"),
        ("pmid", "https://pubmed.ncbi.nlm.nih.gov/12345/"),
        ("pmcid", "https://pmc.ncbi.nlm.nih.gov/articles/PMC12345/"),
        ("doi", "https://doi.org/10.1234/..%2Fx"),
    }


@pytest.mark.parametrize(
    ("doi", "arxiv_id"),
    [
        ("10.48550/arXiv.2301.00001", ArxivId("2301.00001")),
        ("10.48550/arXiv.2301.00001v2", ArxivId("2301.00001", 2)),
        ("10.48550/arXiv.hep-th/9901001", ArxivId("hep-th/9901001")),
        ("10.48550/arXiv.math.GT/0309136", ArxivId("math.GT/0309136")),
        ("10.48550/arXiv.2313.00001", ArxivId("2313.00001")),
        ("10.48550/other", None),
        ("10.1234/arXiv.2301.00001", None),
    ],
)
def test_a_doi_of_arxiv_offers_the_arxiv_id_inside_it(doi, arxiv_id):
    assert parse_doi(doi).arxiv == arxiv_id


def test_asking_for_one_kind_refuses_the_others():
    with pytest.raises(InvalidInput, match="is not a DOI"):
        parse_doi("2401.12345")
    with pytest.raises(InvalidInput, match="is not an arXiv id"):
        parse_arxiv("10.1234/abc")

    assert parse_arxiv("10.48550/arXiv.2401.12345") == parse_arxiv("2401.12345")


HOSTILE = {
    "brackets": "(",
    "closers": ")",
    "percents": "%25",
    "entities": "&amp;",
    "dots": "1.",
    "labels": "doi:",
    "hosts": "a.",
    "hyphens": "a-",
    "versions": "v1.full",
    "slashes": "/",
    "queries": "&id=10.1234/x",
    "combining": "\u0301",
}


@pytest.mark.parametrize("unit", HOSTILE.values(), ids=HOSTILE.keys())
@pytest.mark.parametrize("start", ["", "10.1234/", "https://www.biorxiv.org/content/10.1101/"])
def test_hostile_text_costs_steps_in_proportion_to_its_length(start, unit):
    short = steps(start + unit * (900 // len(unit)))
    double = steps(start + unit * (1800 // len(unit)))
    huge = steps(start + unit * (100_000 // len(unit)))

    assert double < 2.5 * short + 200
    assert huge < 50


def steps(text):
    """How many calls, lines and returns one text costs."""
    count = 0

    def count_lines(_frame, _event, _argument):
        nonlocal count
        count += 1
        return count_lines

    earlier = sys.gettrace()
    sys.settrace(count_lines)
    try:
        parse_reference(text)
    except InvalidInput:
        pass
    finally:
        sys.settrace(earlier)
    return count


@pytest.mark.parametrize(
    ("text", "readings"),
    [
        ("10.1234/abc.", ["10.1234/abc.", "10.1234/abc"]),
        ("10.1234/S0140(98)2)", ["10.1234/s0140(98)2)", "10.1234/s0140(98)2"]),
        ("https://doi.org/10.1234/abc).", ["10.1234/abc).", "10.1234/abc"]),
        ("10.1234/abc", ["10.1234/abc"]),
        ("10.1234/a(b)", ["10.1234/a(b)"]),
        ("(10.1234/abc)", ["10.1234/abc"]),
        ("10.1234/abc\u201d", ["10.1234/abc"]),
        ("\uff0810.1234/abc\uff09\u3002", ["10.1234/abc"]),
        ("\u300c10.1234/abc\u300d\uff0c", ["10.1234/abc"]),
        ("DOI\uff1a10.1234/abc\u061f", ["10.1234/abc"]),
        ("10.1234/abc\u0964", ["10.1234/abc"]),
        ("10.1234/abc\u2020", ["10.1234/abc"]),
        ("10.1234/...", ["10.1234/..."]),
    ],
)
def test_punctuation_at_the_end_may_belong_to_a_doi_and_is_tried_first(text, readings):
    assert [doi.value for doi in parse_doi(text).readings] == readings
    assert parse_doi(text).value == readings[-1]


@pytest.mark.parametrize("run", [" ", "\n", "[", "a", "10.", "[a", "&amp;"])
def test_patterns_read_long_runs_in_one_pass(run):
    """In a time that grows with the square of the length, this would take many minutes."""
    from sourcewright.base import identifiers, spellings

    text = run * (300_000 // len(run))
    found = {**vars(identifiers), **vars(spellings)}
    sought = [found[name] for name in ("_LABELLED_URL", "_ARXIV_CLASS", "_ENTITY", "_LATEX")]
    matched = [value for value in found.values() if isinstance(value, re.Pattern)]

    for opening in ("", "doi", "pmid", "pmcid", "www."):
        for pattern in matched:
            pattern.match(opening + text)
        for pattern in sought:
            pattern.search(opening + text)
