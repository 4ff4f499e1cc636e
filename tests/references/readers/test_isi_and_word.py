"""Exports of Web of Science, and the sources of Word."""

import pytest

from sourcewright.base.errors import InvalidInput
from sourcewright.references.reader import detect_format, read_references

ISI = """\ufeffFN Clarivate Analytics Web of Science
VR 1.0
PT J
AU Lee, AB
   Berg, B
AF Lee, Ann Britt
   van den Berg, Bo
TI Optical spectroscopy of photorefractive
   crystals in harbours
SO JOURNAL OF TIDAL RESEARCH
LA English
DT Article
C1 [Lee, AB] Harbour Univ, UA-03028 Kiev, Ukraine.
CR BERCHA DM, 1997, FIZ TVERD TELA, V39, P1219
   BRAVINA SL, 1997, FERROELECTRICS, V192, P197
PU ISLAND PRESS
PI LONDON
PY 2006
VL 18
IS 23
BP 5323
EP 5331
DI 10.5555/isi.1
PM 16000001
UT WOS:000238592600006
ER

PT B
AU Roe, J
BE Editor, E
TI A chapter
SO A BOOK
DT Article; Book Chapter
PY 2010
AR 77
UT WOS:2
ER

EF
"""
WORD = """<?xml version="1.0"?>
<b:Sources SelectedStyle="\\APA.XSL" xmlns:b="http://schemas.openxmlformats.org/officeDocument/2006/bibliography">
<b:Source><b:Tag>Lee19</b:Tag><b:SourceType>JournalArticle</b:SourceType>
<b:Author><b:Author><b:NameList>
<b:Person><b:Last>Lee</b:Last><b:First>Ann</b:First><b:Middle>B.</b:Middle></b:Person>
<b:Person><b:Last>Berg</b:Last><b:First>Bo</b:First></b:Person>
</b:NameList></b:Author></b:Author>
<b:Title>Tides</b:Title><b:JournalName>Journal of Tides</b:JournalName><b:Year>2019</b:Year>
<b:Volume>3</b:Volume><b:Issue>2</b:Issue><b:Pages>1-9</b:Pages><b:DOI>10.5555/w</b:DOI></b:Source>
<b:Source><b:Tag>WHO20</b:Tag><b:SourceType>Report</b:SourceType>
<b:Author><b:Author><b:Corporate>World Health Organization</b:Corporate></b:Author></b:Author>
<b:Title>World report</b:Title><b:Year>2020</b:Year><b:City>Geneva</b:City></b:Source>
<b:Source><b:Tag>Empty</b:Tag></b:Source>
</b:Sources>
"""


def test_an_export_of_web_of_science_is_read():
    assert detect_format(ISI) == "isi"
    article, chapter = read_references(ISI)

    assert [author.name for author in article.authors] == ["Ann Britt Lee", "Bo van den Berg"]
    assert article.title == "Optical spectroscopy of photorefractive crystals in harbours"
    assert (article.venue, article.year) == ("JOURNAL OF TIDAL RESEARCH", 2006)
    assert (article.volume, article.issue, article.pages) == ("18", "23", "5323-5331")
    assert (article.doi, article.pmid, article.line) == ("10.5555/isi.1", "16000001", 3)
    assert (chapter.kind, chapter.key, chapter.pages) == ("chapter", "WOS:2", "77")
    assert [author.name for author in chapter.authors] == ["J Roe"]


def test_the_sources_of_word_are_read():
    assert detect_format(WORD) == "word-sources"
    article, report, empty = read_references(WORD)

    assert [author.name for author in article.authors] == ["Ann B. Lee", "Bo Berg"]
    assert (article.kind, article.title, article.venue) == ("article", "Tides", "Journal of Tides")
    assert (article.year, article.volume, article.issue) == (2019, "3", "2")
    assert (article.pages, article.doi, article.key) == ("1-9", "10.5555/w", "Lee19")
    assert [(a.name, a.is_organisation) for a in report.authors] == [
        ("World Health Organization", True)
    ]
    assert (report.kind, report.location) == ("report", "Geneva")
    assert empty.reason == "the source has no title and no authors"


def test_a_list_of_sources_with_a_document_type_is_refused():
    with pytest.raises(InvalidInput, match="document type"):
        read_references(WORD.replace("<b:Sources", "<!DOCTYPE x []><b:Sources", 1))
