"""NCBI, against the simulated site and with unusual answers."""

import pytest

from sourcewright.base.errors import BadAnswer, NotFound
from sourcewright.base.identifiers import Pmcid, Pmid
from sourcewright.providers.ncbi.summaries import read_answer
from sourcewright.world.corpus.ids import pmcid, pmid

pytestmark = pytest.mark.anyio

HOST = "eutils.ncbi.nlm.nih.gov"
UID = "31452104"
DOI = "10.5555/tides"


def listed(*ids):
    return [{"idtype": kind, "idtypen": 1, "value": value} for kind, value in ids]


def answered(**fields):
    return {"result": {"uids": [UID], UID: {"uid": UID, **fields}}}


async def test_every_number_of_the_corpus_leads_to_its_work(provide, internet):
    ncbi = await provide("ncbi")
    works = [work for work in internet.corpus.works if pmid(work)]

    for work in works[:40]:
        assert await ncbi.doi_of(Pmid(pmid(work))) == work.key
    for work in [work for work in works if pmcid(work)][:20]:
        assert await ncbi.doi_of(Pmcid(pmcid(work))) == work.key

    assert len(works) > 20


@pytest.mark.parametrize("number", [Pmid("1000001"), Pmcid("PMC1000001")])
async def test_a_record_without_a_doi_has_none(provide, number):
    assert await (await provide("ncbi")).doi_of(number) is None


async def test_a_number_too_large_for_ncbi_is_absent(provide):
    with pytest.raises(NotFound):
        await (await provide("ncbi")).doi_of(Pmid("999999999999"))


async def test_the_caller_is_named_with_every_question(provide, internet):
    ncbi = await provide("ncbi", PUBMED_EMAIL="reader@uni.edu", PUBMED_API_KEY="k-123")

    await ncbi.doi_of(Pmid("1000001"))

    [seen] = internet.requests_to(HOST)
    assert seen.path == "/entrez/eutils/esummary.fcgi"
    assert seen.query == (
        "db=pubmed&id=1000001&retmode=json&tool=sourcewright&email=reader%40uni.edu&api_key=k-123"
    )


async def test_without_a_key_none_is_sent(provide, internet):
    await (await provide("ncbi", CONTACT_EMAIL="")).doi_of(Pmcid("PMC1000001"))

    assert internet.requests_to(HOST)[0].query == (
        "db=pmc&id=1000001&retmode=json&tool=sourcewright"
    )


@pytest.mark.parametrize(
    ("fields", "doi"),
    [
        ({"articleids": listed(("pubmed", UID), ("doi", "10.5555/TIDES"))}, DOI),
        ({"articleids": listed(("doi", "https://doi.org/10.5555/tides"))}, DOI),
        ({"articleids": listed(("doi", "n/a"), ("doi", DOI))}, DOI),
        ({"articleids": [], "elocationid": "pii: 7. doi: 10.5555/Tides"}, DOI),
        ({"articleids": listed(("doi", DOI)), "elocationid": "doi: 10.5555/other"}, DOI),
        ({"articleids": listed(("pubmed", UID)), "elocationid": ""}, None),
        ({"articleids": listed(("doi", "")), "elocationid": "e0042"}, None),
        ({"articleids": None}, None),
    ],
)
def test_the_doi_is_the_one_that_the_record_names(fields, doi):
    assert read_answer(answered(**fields), UID) == doi


@pytest.mark.parametrize(
    "answer",
    [
        answered(error="cannot get document summary"),
        {"result": {"uids": []}},
        {"header": {}, "esummaryresult": [f"Invalid uid {UID} at position= 0"]},
    ],
)
def test_the_ways_of_saying_that_there_is_no_record(answer):
    with pytest.raises(NotFound):
        read_answer(answer, UID)


@pytest.mark.promise("absence.failure-is-no-absence")
@pytest.mark.parametrize(
    "answer",
    [
        answered(error="backend timeout"),
        answered(error=""),
        answered(error={"code": 1}),
        {"esummaryresult": ["NCBI C++ Exception: cannot open file"]},
        {"esummaryresult": [f"Invalid uid {UID}", "NCBI C++ Exception: x"]},
        {"esummaryresult": []},
        {"error": "API rate limit exceeded", "count": "11"},
        {"result": {}},
        {"result": {"uids": None}},
        {"result": {"uids": [UID]}},
        {"result": {"uids": [UID], UID: None}},
        {"result": {"uids": [UID], UID: {"uid": "7"}}},
        {"result": {"uids": [UID], UID: {"uid": UID, "articleids": "doi"}}},
        {"result": {"uids": [UID], UID: {"uid": UID, "articleids": [["doi"]]}}},
    ],
)
async def test_any_other_answer_is_neither_a_record_nor_its_absence(provide, internet, answer):
    internet.says(HOST, answer)

    with pytest.raises(BadAnswer):
        await (await provide("ncbi")).doi_of(Pmid(UID))
