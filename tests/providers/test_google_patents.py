"""The public pages of Google Patents."""

import pytest

from sourcewright.base.errors import BadAnswer
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


REAL = b"""<html><head>
<meta name="DC.title" content="Formation fluid sampling apparatus and methods \n ">
<meta name="DC.date" content="2006-12-27" scheme="dateSubmitted">
<meta name="citation_patent_application_number" content="US:11/616,583">
<meta name="citation_patent_number" content="US:7654321">
<meta name="DC.date" content="2010-02-02" scheme="issue">
<meta name="DC.contributor" content="Alexander F. Zazovsky" scheme="inventor">
<meta name="DC.contributor" content="Colin Longfield" scheme="inventor">
<meta name="DC.contributor" content="Schlumberger Technology Corp" scheme="assignee">
<meta name="DC.relation" content="US:2441894" scheme="references">
</head><body><article>
<dd itemprop="publicationNumber">US7654321B2</dd>
<dd itemprop="directAssociations"><span itemprop="publicationNumber">US20080156487A1</span></dd>
<dd itemprop="assigneeCurrent">\n Schlumberger Technology Corp\n </dd>
<time itemprop="priorityDate" datetime="2006-12-27">2006-12-27</time>
<time itemprop="filingDate" datetime="2006-12-27">2006-12-27</time>
<time itemprop="publicationDate" datetime="2010-02-02">2010-02-02</time>
</article></body></html>"""


@pytest.mark.parametrize("number", ["US7654321B2", "US7654321"])
async def test_a_real_patent_has_its_kind_and_its_grant_though_the_metadata_have_no_kind(
    pages, internet, number
):
    internet.says(HOST, REAL, content_type="text/html")

    patent = await pages.describe_patent(number)

    assert (patent.number, patent.filed, patent.granted) == (
        *("US7654321B2", "2006-12-27", "2010-02-02"),
    )
    assert (patent.published, patent.priority) == ("2010-02-02", "2006-12-27")
    assert (patent.assignee, patent.inventor) == (
        *("Schlumberger Technology Corp", "Alexander F. Zazovsky"),
    )
    assert patent.title == "Formation fluid sampling apparatus and methods"


async def test_the_page_of_another_kind_of_the_same_number_is_not_taken(pages, internet):
    internet.says(HOST, REAL, content_type="text/html")

    with pytest.raises(BadAnswer):
        await pages.describe_patent("US7654321A")
