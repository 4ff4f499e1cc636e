"""bioRxiv and medRxiv, against the simulated site and with unusual answers."""

import pytest

from sourcewright.base.errors import BadAnswer, NotFound, Unavailable
from sourcewright.providers.biorxiv import read_entries, read_preprints, read_versions, read_work

pytestmark = pytest.mark.anyio

HOST = "api.biorxiv.org"
DOI = "10.1101/2021.02.30.999001"
PAPER = "10.5555/only-in-biorxiv"


def version(number, **fields):
    return {
        "doi": DOI,
        "version": str(number),
        "date": f"2021-02-0{number}",
        "title": f"T{number}",
        "authors": "Byron, A.; Tides Consortium",
        "type": "new results",
        "server": "bioRxiv",
        "license": "cc_by_nc_nd",
        **fields,
    }


def pair(preprint=DOI, paper=PAPER):
    return {"preprint_doi": preprint, "published_doi": paper}


async def test_a_preprint_is_described_by_its_latest_version(provide):
    work = await (await provide("biorxiv")).describe_doi(DOI)

    assert (work.title, work.venue) == ("Lake trout sleep by the moon", "bioRxiv")
    assert (work.year, work.published, work.updated) == (2021, "2021-02-27", "2022-02-27")
    assert [author.name for author in work.authors] == ["Sukarno", "Jane Smith"]
    assert (work.version, work.licence, work.type) == ("2", "cc-by", "preprint")
    assert (work.published_as, work.notices) == ((PAPER,), None)


async def test_a_preprint_of_the_other_server_is_found_there(provide, internet):
    doi = "10.64898/2024.13.01.99000001"

    work = await (await provide("biorxiv")).describe_doi(doi)

    assert (work.venue, work.published_as) == ("medRxiv", ("10.5555/medical-pair",))
    assert [seen.path.split("/")[2] for seen in internet.requests_to(HOST)] == [
        "biorxiv",
        "medrxiv",
    ]


async def test_the_pdf_of_the_latest_version_is_where_the_servers_say(provide):
    [copy] = await (await provide("biorxiv")).find_copies(DOI)

    assert copy.url == f"https://www.biorxiv.org/content/{DOI}v2.full.pdf"
    assert (copy.is_pdf, copy.licence) == (True, "cc-by")


async def test_a_withdrawn_preprint_says_so_and_offers_what_came_before(provide):
    biorxiv = await provide("biorxiv")

    work = await biorxiv.describe_doi("10.1101/999002")
    [copy] = await biorxiv.find_copies("10.1101/999002")

    assert [(notice.kind, notice.date) for notice in work.notices] == [
        ("withdrawal", work.updated)
    ]
    assert f"v{int(work.version) - 1}.full.pdf" in copy.url


@pytest.mark.parametrize(
    ("paper", "preprints"),
    [
        (PAPER, (DOI,)),
        (PAPER.upper(), (DOI,)),
        ("10.5555/medical-pair", ("10.64898/2024.13.01.99000001",)),
        ("10.5555/fine-paper", ()),
        (DOI, ()),
    ],
)
async def test_the_preprint_of_a_paper_is_found(provide, paper, preprints):
    assert await (await provide("biorxiv")).find_preprints(paper) == preprints


async def test_nothing_is_said_before_both_servers_have_answered(provide, internet):
    internet.breaks(HOST, status=503, path="/pubs/medrxiv/*")

    with pytest.raises(Unavailable):
        await (await provide("biorxiv")).find_preprints("10.5555/fine-paper")


async def test_a_preprint_that_neither_has_is_absent(provide):
    biorxiv = await provide("biorxiv")

    with pytest.raises(NotFound):
        await biorxiv.describe_doi("10.1101/000000")

    assert await biorxiv.find_copies("10.1101/000000") == ()


@pytest.mark.parametrize("doi", ["10.1101/../x", "10.1101//x", "10.1101/./x", "10.1101/x/.."])
async def test_a_doi_cannot_lead_to_another_path(provide, internet, doi):
    with pytest.raises(BadAnswer):
        await (await provide("biorxiv")).describe_doi(doi)

    assert not internet.requests_to(HOST)


@pytest.mark.parametrize(
    "status", ["no posts found", "No articles found", "no articles found for x"]
)
def test_nothing_is_nothing_where_the_server_says_so(status):
    assert read_entries({"messages": [{"status": status}], "collection": []}) == ()
    assert read_entries({"messages": [{"status": status}]}) == ()


@pytest.mark.parametrize(
    "answer",
    [
        {"messages": [{"status": "ok"}], "collection": []},
        {"messages": [{"status": "ok"}]},
        {"messages": [{"status": "error: too busy"}], "collection": []},
        {"messages": [{"status": "no posts found"}], "collection": [{}]},
        {"messages": [], "collection": []},
        {"collection": []},
    ],
)
def test_an_empty_list_alone_is_not_nothing(answer):
    with pytest.raises((ValueError, LookupError)):
        read_entries(answer)


@pytest.mark.parametrize("order", [(1, 2, 10), (10, 2, 1)])
def test_the_order_of_the_versions_changes_nothing(order):
    [work] = read_versions(tuple(version(n, date="2021-02-02") for n in order), DOI)

    assert (work.version, work.title) == ("10", "T10")


@pytest.mark.parametrize(
    ("licence", "named"),
    [
        ("cc_by", "cc-by"),
        ("cc_by_nc_nd", "cc-by-nc-nd"),
        ("cc0", "cc0"),
        ("cc_no", None),
        ("", None),
    ],
)
def test_a_licence_has_its_usual_name(licence, named):
    assert read_work((version(1, license=licence),)).licence == named


def test_names_are_turned_and_groups_stay():
    authors = read_work((version(1),)).authors

    assert [(author.name, author.family) for author in authors] == [
        ("A. Byron", "Byron"),
        ("Tides Consortium", None),
    ]


@pytest.mark.parametrize("change", [{"doi": "10.1101/other"}, {"server": "elsewhere.example/"}])
def test_an_answer_about_something_else_is_not_read(change):
    with pytest.raises(ValueError):
        read_versions((version(1, **change),), DOI)


def test_pairs_about_other_papers_are_not_an_answer():
    with pytest.raises(ValueError):
        read_preprints((pair(), pair("10.1101/x", "10.5555/y")), PAPER)

    assert read_preprints((pair(), pair("10.1101/x"), pair()), PAPER) == (DOI, "10.1101/x")
