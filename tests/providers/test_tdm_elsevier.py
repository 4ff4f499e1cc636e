"""Elsevier's article API, against the simulated site and with unusual answers."""

import pytest

from sourcewright.base.errors import NotFound, Refused
from sourcewright.providers.tdm_elsevier import is_preview, read_answer, read_work
from sourcewright.world.sites.tdm_elsevier import NARROW_KEY, PREVIEW_KEY, WRONG_KEY

pytestmark = pytest.mark.anyio

DOI = "10.1016/j.invented.2018.01.001"


@pytest.fixture
def elsevier(provide):
    async def build(key="a-fine-key"):
        return await provide(
            "tdm_elsevier", DOIGET_KEY_ELSEVIER=key, DOIGET_AGREE_TDM_ELSEVIER="1"
        )

    return build


def core(**fields):
    return {"prism:doi": DOI, "dc:title": "T", **fields}


async def test_a_work_is_read_as_it_was_written(elsevier, internet):
    written = internet.corpus.by_doi(DOI)

    read = await (await elsevier()).describe_doi(DOI)

    assert (read.source, read.doi, read.title) == ("tdm-elsevier", DOI, written.title)
    assert [author.name for author in read.authors] == ["Bjørn Ødegård", "Wei Li"]
    assert [author.family for author in read.authors] == ["Ødegård", "Li"]
    assert (read.year, read.published) == (2018, "2018-01-31")
    assert (read.venue, read.volume, read.issue) == (
        written.journal.name,
        written.volume,
        written.issue,
    )
    assert (read.pages, read.issn) == (written.pages, written.journal.issn[:1])
    assert read.url.startswith("https://www.sciencedirect.com/")
    assert read.licence is None


async def test_the_key_goes_out_as_a_header_and_nowhere_else(elsevier, internet):
    await (await elsevier("a-fine-key")).describe_doi(DOI)

    [seen] = internet.requests_to("api.elsevier.com")
    assert seen.headers["x-els-apikey"] == "a-fine-key"
    assert (seen.path, seen.query) == (
        "/content/article/doi/10.1016%2Fj.invented.2018.01.001",
        "view=META",
    )


@pytest.mark.parametrize(("key", "status"), [(WRONG_KEY, 401), (NARROW_KEY, 403)])
async def test_a_key_that_opens_nothing_is_a_refusal(elsevier, key, status):
    with pytest.raises(Refused) as caught:
        await (await elsevier(key)).describe_doi(DOI)

    assert caught.value.status == status
    assert key not in str(caught.value)


async def test_what_it_does_not_have_is_absent(elsevier):
    with pytest.raises(NotFound):
        await (await elsevier()).describe_doi("10.1016/j.nobody.2020.1")


def test_an_answer_about_another_doi_is_not_the_answer():
    with pytest.raises(ValueError):
        read_answer({"full-text-retrieval-response": {"coredata": core()}}, "10.1016/j.other")


@pytest.mark.parametrize(
    ("creators", "names"),
    [
        ([{"$": "Li, Wei"}, {"$": "Consortium"}], ["Wei Li", "Consortium"]),
        ({"$": "Li, Wei"}, ["Wei Li"]),
        ("Li, Wei", ["Wei Li"]),
        ([{"$": ""}, {}], []),
        (None, []),
    ],
)
def test_authors_come_in_several_shapes(creators, names):
    read = read_work(core(**{"dc:creator": creators}))

    assert [author.name for author in read.authors] == names


def test_an_open_licence_is_named():
    licence = "http://creativecommons.org/licenses/by/4.0/"

    assert read_work(core(openaccessUserLicense=licence)).licence == "cc-by-4.0"


def test_a_first_page_stands_in_for_the_range():
    assert read_work(core(**{"prism:startingPage": "e12"})).pages == "e12"


async def test_an_article_comes_as_a_pdf_and_the_key_goes_out_as_a_header(elsevier, internet):
    file = await (await elsevier()).deliver(DOI)

    [seen] = internet.requests_to("api.elsevier.com")
    assert file.body.startswith(b"%PDF-")
    assert seen.headers["accept"] == "application/pdf"
    assert seen.headers["x-els-apikey"] == "a-fine-key"
    assert (seen.path, seen.query) == ("/content/article/doi/10.1016%2Fj.invented.2018.01.001", "")


@pytest.mark.parametrize("key", [WRONG_KEY, NARROW_KEY, PREVIEW_KEY])
async def test_a_key_without_the_right_to_an_article_is_a_refusal(elsevier, key):
    with pytest.raises(Refused) as caught:
        await (await elsevier(key)).deliver(DOI)

    assert key not in str(caught.value)


async def test_an_article_that_is_not_there_is_absent(elsevier):
    with pytest.raises(NotFound):
        await (await elsevier()).deliver("10.1016/nobody.1")


@pytest.mark.parametrize(
    ("status", "is_part"),
    [
        ("WARNING - Response limited to first page because requestor not entitled", True),
        ("OK", False),
        (None, False),
    ],
)
def test_a_preview_is_known_by_its_header(status, is_part):
    assert is_preview({"x-els-status": status} if status else {}) is is_part
