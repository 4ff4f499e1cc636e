"""Europe PMC, against the simulated site and with unusual answers."""

import pytest

from sourcewright.base.errors import BadAnswer, NotFound
from sourcewright.base.text.plain import plain_text
from sourcewright.providers.europepmc import copies_of, read_work, record_of_doi
from sourcewright.world.corpus.ids import pmcid, pmid

pytestmark = pytest.mark.anyio

HOST = "www.ebi.ac.uk"
FINE = "10.5555/fine-paper"
PDF = "https://europepmc.org/articles/PMC1?pdf=render"


def record(**fields):
    return {"id": "1", "source": "MED", "doi": FINE, "title": "T."} | fields


def answer(*hits, count=None):
    return {"hitCount": len(hits) if count is None else count, "resultList": {"result": [*hits]}}


def link(**fields):
    whole = {"availabilityCode": "OA", "documentStyle": "pdf", "site": "Europe_PMC", "url": PDF}
    return whole | fields


async def test_every_work_of_the_corpus_is_read_as_it_was_written(provide, internet):
    source = await provide("europepmc")

    for written in internet.corpus.works:
        if pmid(written):
            read = await source.describe_doi(written.key)

            assert (read.doi, read.year) == (written.key, written.year)
            assert read.title == (plain_text(written.title) or None)
            assert [one.name for one in read.authors] == [
                " ".join(one.full_name.split()) for one in written.authors
            ]
            assert bool(read.copies) == bool(pmcid(written))
            assert read.notices is None


async def test_a_copy_that_anybody_may_read_is_found_and_is_the_paper(provide, internet):
    [copy] = await (await provide("europepmc")).find_copies("10.5555/copy-at-europepmc")

    work = internet.corpus.by_doi("10.5555/copy-at-europepmc")
    assert copy.url == f"https://europepmc.org/articles/{pmcid(work)}?pdf=render"
    assert (copy.is_pdf, copy.licence) == (True, "cc-by")


async def test_a_doi_is_searched_for_in_full(provide, internet):
    await (await provide("europepmc")).find_copies(FINE)

    [seen] = internet.requests_to(HOST)
    assert "query=DOI%3A%2210.5555%2Ffine-paper%22" in seen.query
    assert "resultType=core" in seen.query


async def test_no_hit_for_an_exact_doi_is_its_way_of_saying_that_it_has_none(provide):
    with pytest.raises(NotFound) as caught:
        await (await provide("europepmc")).describe_doi("10.5555/never-registered-2019")

    assert caught.value.source == "europe-pmc"


@pytest.mark.parametrize("status", [404, 410])
async def test_a_404_from_a_search_is_never_absence(provide, internet, status):
    internet.breaks(HOST, status=status, body=b'{"errMsg": "not found"}')

    with pytest.raises(BadAnswer):
        await (await provide("europepmc")).describe_doi(FINE)


@pytest.mark.parametrize("odd", ['10.5555/a"b', "10.5555/a\\b"])
async def test_a_doi_that_its_searches_cannot_carry_is_not_asked_about(provide, internet, odd):
    with pytest.raises(BadAnswer):
        await (await provide("europepmc")).describe_doi(odd)

    assert internet.seen == []


@pytest.mark.parametrize(
    "body",
    [
        answer(count=1),
        answer(record(doi="10.5555/other")),
        answer(record(doi=None)),
        answer(count=None) | {"hitCount": None},
        answer() | {"hitCount": False},
        answer() | {"hitCount": "0"},
        answer() | {"resultList": {}},
        {"hitCount": 0},
        {"errCode": 3, "errMsg": "not valid"},
    ],
)
async def test_an_answer_that_does_not_add_up_is_never_absence(provide, internet, body):
    internet.says(HOST, body)

    with pytest.raises(BadAnswer):
        await (await provide("europepmc")).describe_doi(FINE)


def test_the_hit_with_the_doi_asked_for_is_taken():
    other = record(doi="10.5555/other", id="2")

    assert record_of_doi(answer(other, record(doi=FINE.upper())), FINE)["id"] == "1"


@pytest.mark.parametrize(
    ("links", "count"),
    [
        ([link()], 1),
        ([link(availabilityCode="F")], 1),
        ([link(availabilityCode="S")], 0),
        ([link(availabilityCode="")], 0),
        ([link(documentStyle="html")], 0),
        ([link(), link(site="PubMedCentral")], 1),
        ([link(url="ftp://x")], 0),
        (link(), 1),
        (None, 0),
    ],
)
def test_only_pdfs_that_anybody_may_read_are_copies(links, count):
    assert len(copies_of(record(fullTextUrlList={"fullTextUrl": links}))) == count


def test_an_authors_manuscript_is_told_from_the_published_version():
    [copy] = copies_of(record(fullTextUrlList={"fullTextUrl": [link()]}, authMan="Y"))

    assert copy.version == "acceptedVersion"


@pytest.mark.parametrize(
    ("fields", "names"),
    [
        ({"authorString": "Liu Q, Yu N, Cheng J."}, ["Liu Q", "Yu N", "Cheng J"]),
        (
            {
                "authorList": {
                    "author": [{"fullName": "Liu Q", "firstName": "Qi", "lastName": "Liu"}]
                }
            },
            ["Qi Liu"],
        ),
        ({"authorList": {"author": [{"collectiveName": "The Group"}]}}, ["The Group"]),
        ({}, []),
    ],
)
def test_authors_are_read_in_every_form(fields, names):
    assert [one.name for one in read_work(record(**fields)).authors] == names
