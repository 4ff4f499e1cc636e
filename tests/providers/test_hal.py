"""HAL, against the simulated site and with unusual answers."""

import pytest

from sourcewright.base.errors import NotFound
from sourcewright.providers.hal import read_answer, read_work

pytestmark = pytest.mark.anyio

HOST = "api.archives-ouvertes.fr"
DOI = "10.5555/tide"
FILE = "https://hal.science/hal-01/document"


def record(**fields):
    return {"doiId_s": DOI, "title_s": ["T"], "uri_s": "https://hal.science/hal-01v1", **fields}


async def test_every_deposit_is_read_as_it_was_written(provide, internet):
    hal = await provide("hal")
    written = [w for w in internet.corpus.works if w.journal.key in {"conference", "fog"}]

    for deposit in written:
        read = await hal.describe_doi(deposit.key)

        assert (read.doi, read.year) == (deposit.key, deposit.year)
        assert read.title == (deposit.plain_title or None)
        assert [author.name for author in read.authors] == [a.full_name for a in deposit.authors]
        assert read.venue == deposit.journal.name
        assert await hal.find_copies(deposit.key) == ()

    assert len(written) > 30


async def test_a_copy_that_nobody_else_knows_is_found(provide):
    hal = await provide("hal")

    [copy] = await hal.find_copies("10.5555/only-in-hal")

    assert (copy.url, copy.is_pdf) == ("https://hal.science/hal-09990001/document", True)
    assert copy.licence == "cc-by"


async def test_a_paper_that_nobody_deposited_is_not_there(provide):
    hal = await provide("hal")

    assert await hal.find_copies("10.5555/fine-paper") == ()
    with pytest.raises(NotFound):
        await hal.describe_doi("10.5555/fine-paper")


@pytest.mark.parametrize(
    ("claim", "copies"),
    [(True, [FILE]), (False, []), (None, []), ("true", []), (1, [])],
)
def test_a_file_counts_only_where_anybody_may_read_it(claim, copies):
    read = read_work(record(fileMain_s=FILE, openAccess_bool=claim)).copies

    assert [copy.url for copy in read] == copies


def test_names_stand_apart_only_where_the_lists_agree():
    full = {"authFullName_s": ["Ada Byron", "Tides"], "authFirstName_s": ["Ada"]}

    [ada, tides] = read_work(record(**full, authLastName_s=["Byron"])).authors
    [whole] = read_work(
        record(authFullName_s=["Ada Byron"], authFirstName_s=["Ada"], authLastName_s=["Byron"])
    ).authors

    assert (ada.name, ada.family, tides.name) == ("Ada Byron", None, "Tides")
    assert (whole.name, whole.given, whole.family) == ("Ada Byron", "Ada", "Byron")


def test_fields_may_hold_one_value_or_many():
    one = read_work(record(title_s="T", abstract_s="A", issue_s="2", doiId_s=[DOI]))
    many = read_work(record(title_s=["T", "U"], abstract_s=["A"], issue_s=["2"]))

    assert (one.title, one.abstract, one.issue, one.doi) == ("T", "A", "2", DOI)
    assert (many.title, many.abstract, many.issue, many.doi) == ("T", "A", "2", DOI)


def test_every_deposit_of_a_paper_gives_its_file():
    docs = [
        record(fileMain_s=f"https://hal.science/hal-0{n}/document", openAccess_bool=True)
        for n in (1, 2)
    ]

    works = read_answer({"response": {"numFound": 2, "docs": docs}}, DOI)

    assert len(works) == 2


async def test_what_is_needed_is_asked_for_and_nothing_else(provide, internet):
    await (await provide("hal")).find_copies("10.5555/a b")

    [seen] = internet.requests_to(HOST)
    assert seen.path == "/search/"
    assert "openAccess_bool%2CfileMain_s" in seen.query
    assert seen.query.startswith("q=doiId_s%3A%2210.5555%2Fa+b%22+OR+doiId_id%3A%2210.5555%2Fa+b")
