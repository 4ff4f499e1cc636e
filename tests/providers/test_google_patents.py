"""The public pages of Google Patents."""

import pytest

from sourcewright.domain.errors import BadAnswer
from sourcewright.world.patents import PUBLICATIONS

pytestmark = pytest.mark.anyio

HOST = "patents.google.com"


@pytest.fixture
async def pages(provide):
    return await provide("google_patents")


@pytest.mark.parametrize("one", PUBLICATIONS, ids=lambda one: one.number)
async def test_every_page_is_read_with_its_dates_apart(pages, one):
    patent = await pages.describe_patent(one.number)

    assert (patent.number, patent.title) == (one.number, one.title)
    assert (patent.filed, patent.published, patent.granted) == (
        *(one.filed, one.published, one.granted),
    )
    assert (patent.assignee, patent.inventor) == (one.applicant, one.inventor)
    assert patent.abstract == one.abstract
    assert patent.pdf == f"https://patentimages.storage.googleapis.com/{one.number}.pdf"


async def test_a_number_without_its_kind_finds_the_document(pages):
    assert (await pages.describe_patent("US10165245")).number == "US10165245B2"


@pytest.mark.parametrize(
    "body", [b"<html><head><title>Sorry</title></head></html>", b"<html></html>", b"x"]
)
async def test_a_page_of_another_kind_is_no_patent(pages, internet, body):
    internet.says(HOST, body)

    with pytest.raises(BadAnswer):
        await pages.describe_patent("US10165245B2")
