"""DataCite, against the simulated site and with unusual answers."""

import pytest

from sourcewright.base.text.plain import plain_text
from sourcewright.domain.papers.scholar import WorkQuery
from sourcewright.providers.datacite import DataCite, read_answer, read_work

pytestmark = pytest.mark.anyio

DOI = "10.5555/tides"


def record(**attributes):
    return {"type": "dois", "attributes": {"doi": DOI, "titles": [], "creators": [], **attributes}}


async def test_every_work_of_the_corpus_is_read_as_it_was_written(provide, internet):
    datacite = await provide("datacite")
    works = internet.corpus.of_agency("datacite")

    for written in works:
        read = await datacite.describe_doi(written.key)

        assert read.doi == written.key
        assert read.title == (plain_text(written.title) or None)
        assert read.year == written.year
        assert [author.name for author in read.authors] == [a.full_name for a in written.authors]

    assert len(works) > 10


async def test_an_arxiv_paper_names_what_it_became(provide):
    work = await (await provide("datacite")).describe_doi("10.48550/arxiv.2401.99901")

    assert work.published_as == ("10.5555/arxiv-pair",)


@pytest.mark.parametrize(
    ("changes", "sent"), [({"DATACITE_EMAIL": "a@uni.edu"}, True), ({"CONTACT_EMAIL": ""}, False)]
)
async def test_an_address_goes_along_with_every_request_where_there_is_one(
    provide, internet, changes, sent
):
    datacite = await provide("datacite", **changes)
    doi = "10.48550/arxiv.2401.99901"

    await datacite.describe_doi(doi)
    await datacite.describe_works((doi,))
    await datacite.search_works(WorkQuery(text="tides", limit=3))

    seen = ["mailto=a%40uni.edu" in one.query for one in internet.requests_to("api.datacite.org")]
    assert seen == [sent] * 3


@pytest.mark.parametrize(("options", "starts"), [({}, 500), ({"mailto": "a@uni.edu"}, 1000)])
def test_a_caller_with_an_address_may_send_twice_as_many_requests(options, starts):
    rate = DataCite.rate(options) or DataCite.info.rate

    assert (rate.starts, rate.per_seconds) == (starts, 300.0)


@pytest.mark.parametrize(
    ("creator", "name", "is_organisation"),
    [
        ({"name": "Byron, Ada", "nameType": "Personal"}, "Ada Byron", False),
        ({"name": "Byron, Ada", "givenName": "Ada", "familyName": "Byron"}, "Ada Byron", False),
        ({"name": "Tides, Inc.", "nameType": "Organizational"}, "Tides, Inc.", True),
        ({"name": "Tides, Inc."}, "Tides, Inc.", False),
        ("Ada Byron", "Ada Byron", False),
    ],
)
def test_a_creator_is_read_in_every_form(creator, name, is_organisation):
    [author] = read_work(record(creators=[creator, None, {"name": " "}])).authors

    assert (author.name, author.is_organisation) == (name, is_organisation)


@pytest.mark.parametrize(
    ("titles", "title"),
    [
        ([{"title": "Sub", "titleType": "Subtitle"}, {"title": "Main"}], "Main: Sub"),
        ([{"title": "Übersetzt", "titleType": "TranslatedTitle"}], "Übersetzt"),
        ([{"lang": "da"}, {"title": "Main"}], "Main"),
        ("Main", "Main"),
        ([], None),
    ],
)
def test_the_main_title_with_its_subtitle_is_the_title(titles, title):
    assert read_work(record(titles=titles)).title == title


@pytest.mark.parametrize("publisher", ["Tide House", {"name": "Tide House", "lang": "en"}])
def test_a_publisher_is_a_name_or_has_one(publisher):
    assert read_work(record(publisher=publisher)).publisher == "Tide House"


@pytest.mark.parametrize(
    ("rights", "licence"),
    [
        ([{"rights": "Open Access", "rightsUri": "info:eu-repo/semantics/openAccess"}], None),
        ([{"rights": "No license"}], None),
        ([{"rightsIdentifier": "cc-by-4.0", "rightsUri": "https://x.example"}], "cc-by-4.0"),
        ([{"rights": "CC-BY-SA 4.0"}], "cc-by-sa-4.0"),
        ([{"rights": "http://creativecommons.org/licenses/by/3.0/us/"}], "cc-by-3.0"),
        ([], None),
    ],
)
def test_a_licence_is_one_that_has_a_name(rights, licence):
    assert read_work(record(rightsList=rights)).licence == licence


@pytest.mark.parametrize(
    ("attributes", "kinds"),
    [
        ({}, None),
        ({"isActive": False, "state": "registered"}, None),
        (
            {"relatedIdentifiers": [{"relationType": "IsObsoletedBy", "relatedIdentifier": "x"}]},
            None,
        ),
        ({"dates": [{"dateType": "Withdrawn", "date": "2021-05-04"}]}, ["withdrawal"]),
    ],
)
def test_only_a_date_of_withdrawal_is_a_withdrawal(attributes, kinds):
    notices = read_work(record(**attributes)).notices

    assert (None if notices is None else [notice.kind for notice in notices]) == kinds


def test_an_answer_about_another_doi_is_not_the_answer():
    with pytest.raises(ValueError):
        read_answer({"data": record()}, "10.5555/other")


def test_the_case_of_a_doi_does_not_matter():
    assert read_answer({"data": record()}, DOI.upper()).doi == DOI
