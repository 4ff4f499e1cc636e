"""The search for series by words of their titles."""

import pytest

from sourcewright.base.formats.codec import Undecodable
from sourcewright.domain.records.economy import Catalogue, Series
from sourcewright.domain.records.series_search import CatalogueCodec, CatalogueText

TITLES = {
    "NY.GDP.MKTP.CD": "GDP (current US$)",
    "NY.GDP.MKTP.KD.ZG": "GDP growth (annual %)",
    "NY.GDP.PCAP.KD.ZG": "GDP per capita growth (annual %)",
    "QNA": "Quarterly national accounts: GDP, growth rates",
    "EMP": "Employment-to-population ratio",
    "EDU": "Éducation: dépenses, total",
    "ID": "Gross savings\tand\nloans",
}


@pytest.fixture
def catalogue():
    entries = [Series(series_id=name, title=title, notes="n") for name, title in TITLES.items()]
    return CatalogueText.of(Catalogue(series=tuple(entries)))


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("gdp growth", ["NY.GDP.MKTP.KD.ZG", "QNA", "NY.GDP.PCAP.KD.ZG"]),
        ("growth GDP", ["NY.GDP.MKTP.KD.ZG", "NY.GDP.PCAP.KD.ZG", "QNA"]),
        ("quarterly GDP growth", ["QNA"]),
        ("employ", ["EMP"]),
        ("education depenses", ["EDU"]),
        ("ny.gdp.mktp.cd", ["NY.GDP.MKTP.CD"]),
        ("loans", ["ID"]),
        ("gdp unicorns", []),
        ("%%%", []),
    ],
)
def test_every_word_must_occur_in_the_title(catalogue, query, found):
    assert [one.series_id for one in catalogue.search(query, 10).series] == found


def test_the_best_are_shown_and_all_are_counted(catalogue):
    found = catalogue.search("gdp", 2)

    assert [one.series_id for one in found.series] == ["NY.GDP.MKTP.CD", "NY.GDP.MKTP.KD.ZG"]
    assert found.total == 4


def test_a_stored_catalogue_finds_the_same(catalogue):
    codec = CatalogueCodec()

    kept = codec.decode(codec.encode(catalogue))

    assert len(kept) == len(TITLES)
    assert kept.search("gdp", 3) == catalogue.search("gdp", 3)
    [loans] = kept.search("loans", 3).series
    assert (loans.title, loans.notes, loans.units) == ("Gross savings and loans", "n", None)


@pytest.mark.parametrize("data", [b"", b"x", b"a\tb\tc", b"\xff\xfe"])
def test_what_is_no_catalogue_is_not_read(data):
    with pytest.raises(Undecodable):
        CatalogueCodec().decode(data)
