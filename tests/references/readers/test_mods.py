"""MODS: records of articles, chapters and books, with and without prefixes."""

import pytest

from sourcewright.base.errors import InvalidInput
from sourcewright.references.reader import detect_format, read_references

ARTICLE = """<mods ID="lee2014"><titleInfo><nonSort>The</nonSort><title>memory of harbours</title>
<subTitle>a review</subTitle></titleInfo>
<titleInfo type="abbreviated"><title>Mem. harb.</title></titleInfo>
<name type="personal"><namePart type="given">Ann</namePart><namePart type="given">B.</namePart>
<namePart type="family">Lee</namePart><role><roleTerm type="text">author</roleTerm></role></name>
<name type="corporate"><namePart>Harbour Institute</namePart></name>
<name type="personal"><namePart>Ed Itor</namePart><role><roleTerm>editor</roleTerm></role></name>
<genre>journal article</genre><relatedItem type="host"><titleInfo><title>Journal of Water</title>
</titleInfo><part><detail type="volume"><number>79</number></detail><detail type="issue">
<number>2</number></detail><extent unit="page"><start>12</start><end>25</end></extent>
<date>2014</date></part></relatedItem><identifier type="doi">10.5555/w</identifier></mods>"""
BOOK = """<mods><titleInfo><title>Waves</title></titleInfo><genre>book</genre><originInfo>
<publisher>Quay Press</publisher><place><placeTerm>Faro</placeTerm></place>
<dateIssued>1999</dateIssued></originInfo><name><namePart>Berg, Bo</namePart></name></mods>"""


def collection(*records):
    return (
        '<?xml version="1.0"?><modsCollection xmlns="http://www.loc.gov/mods/v3">'
        f"{''.join(records)}</modsCollection>"
    )


def test_records_are_read_with_all_their_parts():
    article, book = read_references(collection(ARTICLE, BOOK))

    assert article.key == "lee2014"
    assert article.title == "The memory of harbours: a review"
    assert [author.name for author in article.authors] == ["Ann B. Lee", "Harbour Institute"]
    assert (article.kind, article.venue, article.year) == ("article", "Journal of Water", 2014)
    assert (article.volume, article.issue, article.pages) == ("79", "2", "12-25")
    assert article.doi == "10.5555/w"
    assert (book.kind, book.publisher, book.location, book.year) == (
        "book",
        "Quay Press",
        "Faro",
        1999,
    )


def test_a_record_may_stand_alone_or_have_a_prefix():
    alone = BOOK.replace("<mods>", '<mods xmlns="http://www.loc.gov/mods/v3">')
    prefixed = (
        '<m:mods xmlns:m="http://www.loc.gov/mods/v3"><m:titleInfo><m:title>Waves</m:title>'
        "</m:titleInfo></m:mods>"
    )

    assert [one.title for text in (alone, prefixed) for one in read_references(text)] == [
        "Waves",
        "Waves",
    ]


@pytest.mark.parametrize("kind", ["suffix", "termsOfAddress"])
def test_a_suffix_and_a_single_page_are_read(kind):
    record = (
        "<mods><titleInfo><title>Waves</title></titleInfo><name type='personal'>"
        f"<namePart type='family'>Hall</namePart><namePart type='{kind}'>Jr.</namePart></name>"
        "<part><detail type='page'><number>5</number></detail></part></mods>"
    )

    (read,) = read_references(collection(record))

    assert (read.authors[0].family, read.authors[0].suffix) == ("Hall", "Jr.")
    assert read.pages == "5"


def test_what_is_broken_or_has_no_record_is_refused_with_its_reason():
    assert detect_format(collection()) == "mods"
    with pytest.raises(InvalidInput, match="no records"):
        read_references(collection())
    with pytest.raises(InvalidInput, match="not MODS"):
        read_references(collection(ARTICLE)[:-9])
