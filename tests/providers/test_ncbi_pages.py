"""PubMed's abstract pages, against the simulated site, and over the real records that were kept."""

from xml.etree.ElementTree import Element

import pytest

from sourcewright.base.errors import BadAnswer, InvalidInput, NotFound
from sourcewright.providers.ncbi import pmid_in_url
from sourcewright.providers.ncbi.records import parse_records, read_record
from sourcewright.world.corpus.ids import pmcid, pmid

pytestmark = pytest.mark.anyio

HOST, PAGES = "eutils.ncbi.nlm.nih.gov", "pubmed.ncbi.nlm.nih.gov"
RECORD = """<?xml version="1.0" ?>
<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle//EN" "https://dtd.nlm.nih.gov/x.dtd">
<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID Version="1">7</PMID><Article>
<Journal><JournalIssue><Volume>3</Volume><PubDate>{date}</PubDate></JournalIssue>
<Title>Fogs</Title></Journal><ArticleTitle>Of 10<sup>6</sup> fogs &lt; 5 <i>m</i>.</ArticleTitle>
<Abstract><AbstractText Label="AIM">To see.</AbstractText><AbstractText/></Abstract>
<AuthorList><Author><LastName>Doe</LastName><Initials>J</Initials></Author>
<Author><CollectiveName>Fog Group</CollectiveName></Author></AuthorList>
<PublicationTypeList><PublicationType UI="x">Retracted Publication</PublicationType>
</PublicationTypeList></Article></MedlineCitation><PubmedData><ArticleIdList>
<ArticleId IdType="doi">10.1000/FOG</ArticleId></ArticleIdList><ReferenceList><Reference>
<ArticleIdList><ArticleId IdType="doi">10.1000/other</ArticleId></ArticleIdList></Reference>
</ReferenceList></PubmedData></PubmedArticle></PubmedArticleSet>"""


@pytest.fixture
async def pages(provide):
    return await provide("ncbi", role="reading")


async def test_pages_are_read_though_the_conversion_of_numbers_is_turned_off(provide):
    off = {"DOIGET_ENABLE_NCBI": "0"}

    assert await provide("ncbi", role="papers", **off) is None
    assert (await provide("ncbi", role="reading", **off)).accepts(f"https://{PAGES}/123/")


async def test_the_caller_is_named_with_every_page(provide, internet):
    caller = {"PUBMED_EMAIL": "reader@uni.edu", "PUBMED_API_KEY": "k-123"}
    ncbi = await provide("ncbi", role="reading", **caller)

    with pytest.raises(NotFound):
        await ncbi.read_site(f"https://{PAGES}/99999999/")

    [seen] = internet.requests_to(HOST)
    assert seen.query == (
        "db=pubmed&id=99999999&retmode=xml&tool=sourcewright&email=reader%40uni.edu&api_key=k-123"
    )


def read(date="<Year>2020</Year>"):
    return read_record(parse_records(RECORD.format(date=date).encode()), "7", "ncbi").work


@pytest.mark.parametrize(
    ("url", "number"),
    [
        ("https://pubmed.ncbi.nlm.nih.gov/123/", "123"),
        ("http://pubmed.ncbi.nlm.nih.gov/123?from=x", "123"),
        ("https://www.ncbi.nlm.nih.gov/pubmed/123", "123"),
        ("https://pubmed.ncbi.nlm.nih.gov/", None),
        ("https://pubmed.ncbi.nlm.nih.gov/?term=fog", None),
        ("https://pubmed.ncbi.nlm.nih.gov/123/similar/", None),
        ("https://www.ncbi.nlm.nih.gov/pmc/articles/PMC123/", None),
        ("https://pubmed.ncbi.nlm.nih.gov.evil.example/123/", None),
    ],
)
def test_abstract_pages_are_taken_and_nothing_else(url, number):
    assert pmid_in_url(url) == number


async def test_records_of_the_corpus_are_read_as_they_were_written(pages, internet):
    works = [work for work in internet.corpus.works if pmid(work)][:20]

    for written in works:
        number = pmid(written)
        reading = await pages.read_site(f"https://pubmed.ncbi.nlm.nih.gov/{number}/")

        assert (reading.kind, reading.site) == ("pubmed", "PubMed")
        assert reading.title == written.plain_title.rstrip(".")
        assert (reading.author or "") == "; ".join(one.full_name for one in written.authors)
        assert f"- DOI: {written.doi.lower()}" in reading.content
        assert f"- PMID: {number}" in reading.content
        assert (f"- PMCID: {pmcid(written)}" in reading.content) == bool(pmcid(written))


def test_markup_names_and_marks_of_a_record_are_understood():
    work = read()

    assert work.title == "Of 10\u2076 fogs < 5 m"
    assert [author.name for author in work.authors] == ["J Doe", "Fog Group"]
    assert work.authors[1].is_organisation
    assert (work.doi, work.venue, work.volume) == ("10.1000/fog", "Fogs", "3")
    assert work.abstract == "**AIM**: To see."
    assert [notice.kind for notice in work.notices] == ["retraction"]


REMARK = """<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>7</PMID><Article>
<ArticleTitle>{title}</ArticleTitle><VernacularTitle>Von Nebeln.</VernacularTitle></Article>
<CommentsCorrectionsList><CommentsCorrections RefType="{kind}"><RefSource>Fogs. 2020;3:1</RefSource>
<PMID>9</PMID></CommentsCorrections></CommentsCorrectionsList></MedlineCitation></PubmedArticle>
</PubmedArticleSet>"""


@pytest.mark.parametrize(
    ("kind", "line"),
    [
        ("RetractionIn", "- Notices: retraction Fogs. 2020;3:1"),
        ("RetractedandRepublishedIn", "- Notices: retraction Fogs. 2020;3:1"),
        ("CorrectedandRepublishedIn", "- Notices: correction Fogs. 2020;3:1"),
        ("RetractionOf", "- Notice for: retraction of Fogs. 2020;3:1 (PMID 9)"),
        ("ErratumFor", "- Notice for: correction of Fogs. 2020;3:1 (PMID 9)"),
        (
            "ExpressionOfConcernFor",
            "- Notice for: expression of concern of Fogs. 2020;3:1 (PMID 9)",
        ),
    ],
)
async def test_who_speaks_of_whom_is_told(pages, internet, kind, line):
    internet.says(HOST, REMARK.format(kind=kind, title="Of fogs.").encode())

    reading = await pages.read_site("https://pubmed.ncbi.nlm.nih.gov/7/")

    assert [one for one in reading.content.split("\n") if "Notice" in one] == [line]


@pytest.mark.parametrize("title", ["", "[Not Available]."])
async def test_a_title_that_nobody_translated_is_told_in_its_own_language(pages, internet, title):
    internet.says(HOST, REMARK.format(kind="Cites", title=title).encode())

    reading = await pages.read_site("https://pubmed.ncbi.nlm.nih.gov/7/")

    assert reading.title == "Von Nebeln"


@pytest.mark.parametrize(
    ("written", "date"),
    [
        ("<Year>2020</Year><Month>Mar</Month><Day>9</Day>", "2020-03-09"),
        ("<Year>2020</Year><Month>03</Month>", "2020-03"),
        ("<Year>2020</Year><Season>Spring</Season>", "2020"),
        ("<MedlineDate>1998 Dec-1999 Jan</MedlineDate>", "1998"),
        ("<Year>2020</Year><Month>Smarch</Month>", "2020"),
        ("", None),
    ],
)
def test_a_date_is_as_exact_as_it_is_told(written, date):
    assert read(written).published == date


async def test_an_empty_set_is_absence(pages):
    with pytest.raises(NotFound):
        await pages.read_site("https://pubmed.ncbi.nlm.nih.gov/99999999/")


@pytest.mark.parametrize(
    "body",
    [
        RECORD.format(date=""),
        RECORD.format(date="")[:-30],
        "<PubmedArticleSet><DeleteCitation/></PubmedArticleSet>",
        "<eFetchResult><ERROR>busy</ERROR></eFetchResult>",
    ],
)
async def test_another_answer_is_no_absence(pages, internet, body):
    internet.says(HOST, body.encode())

    with pytest.raises(BadAnswer):
        await pages.read_site("https://pubmed.ncbi.nlm.nih.gov/123/")


async def test_a_page_of_another_site_is_not_asked_for(pages, internet):
    with pytest.raises(InvalidInput):
        await pages.read_site("https://evil.example/123/")

    assert not internet.seen


def test_every_recorded_record_is_read(recorded):
    sets = [file.read_bytes() for file in recorded("pubmed") if file.suffix == ".xml"]
    records = [
        one
        for body in sets
        if b"<PubmedArticleSet>" in body
        for one in parse_records(body)
        if one.tag in {"PubmedArticle", "PubmedBookArticle"}
    ]

    assert len(records) > 40
    for record in records:
        alone = Element("PubmedArticleSet")
        alone.append(record)
        work = read_record(alone, record.findtext("*/PMID"), "ncbi").work

        assert work.title
        assert work.published
        assert work.authors or record.find(".//AuthorList/Author/LastName") is None
