"""Springer Nature's metadata API, against the simulated site and with unusual answers."""

import pytest

from sourcewright.base.errors import BadAnswer, NotFound, Refused
from sourcewright.providers.tdm_springer import TdmSpringer, read_answer, read_work
from sourcewright.world.sites.tdm_springer import NARROW_KEY, WRONG_KEY

pytestmark = pytest.mark.anyio

HOST = "api.springernature.com"
DOI = "10.1007/s99999-018-0001-0"


@pytest.fixture
def springer(provide):
    async def build(key="a-fine-key"):
        return await provide(
            "tdm_springer", DOIGET_KEY_SPRINGER=key, DOIGET_AGREE_TDM_SPRINGER="1"
        )

    return build


def record(**fields):
    return {"doi": DOI, "title": "T", **fields}


def answered(*records, total=None):
    return {"result": [{"total": total or str(len(records))}], "records": list(records)}


async def test_a_work_is_read_as_it_was_written(springer, internet):
    written = internet.corpus.by_doi(DOI)

    read = await (await springer()).describe_doi(DOI)

    assert (read.source, read.doi, read.title) == ("tdm-springer", DOI, written.title)
    assert [(one.given, one.family) for one in read.authors] == [("Parisa", "Ahmadi")]
    assert (read.year, read.published) == (2018, "2018-06-01")
    assert (read.venue, read.volume, read.issue, read.pages) == (
        written.journal.name,
        written.volume,
        written.issue,
        written.pages,
    )
    assert read.issn == written.journal.issn
    assert read.abstract == written.abstract


async def test_the_key_goes_out_and_does_not_stay_in_the_record(springer, internet):
    read = await (await springer("a-fine-key")).describe_doi(DOI)

    [seen] = internet.requests_to(HOST)
    assert "api_key=a-fine-key" in seen.query
    assert "a-fine-key" not in str(read)


@pytest.mark.parametrize(("key", "status"), [(WRONG_KEY, 401), (NARROW_KEY, 403)])
async def test_a_key_that_opens_nothing_is_a_refusal(springer, key, status):
    with pytest.raises(Refused) as caught:
        await (await springer(key)).describe_doi(DOI)

    assert caught.value.status == status
    assert key not in str(caught.value)


async def test_an_empty_list_is_its_word_that_it_has_none(springer):
    with pytest.raises(NotFound):
        await (await springer()).describe_doi("10.1007/nobody")


@pytest.mark.parametrize(
    "answer",
    [
        answered(total="3"),
        answered(record(doi="10.1007/other")),
        {"result": [], "records": []},
        {"result": [{}], "records": []},
        {"records": [record()]},
        {"result": [{"total": "0"}]},
    ],
)
async def test_a_list_that_does_not_fit_is_no_absence(springer, internet, answer):
    internet.says(HOST, answer)

    with pytest.raises(BadAnswer):
        await (await springer()).describe_doi(DOI)


@pytest.mark.parametrize(
    ("abstract", "text"),
    [
        ("Plain.", "Plain."),
        ({"h1": "Abstract", "p": "One."}, "One."),
        ({"h1": "Abstract", "p": ["One.", "Two."]}, "One.\n\nTwo."),
        ({"h1": "Abstract"}, None),
        (None, None),
    ],
)
def test_abstracts_come_in_several_shapes(abstract, text):
    assert read_work(record(abstract=abstract)).abstract == text


def test_the_counts_may_stand_without_their_list():
    assert read_answer({"result": {"total": "1"}, "records": [record()]}, DOI).title == "T"


def test_the_earliest_date_counts():
    read = read_work(record(publicationDate="2019-02-01", onlineDate="2018-11-30"))

    assert (read.year, read.published) == (2018, "2018-11-30")


def test_it_keeps_to_the_limit_of_the_basic_plan():
    rate = TdmSpringer.info.rate

    assert (rate.starts, rate.per_seconds) == (100, 60.0)
