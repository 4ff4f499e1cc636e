"""What an entry of BibTeX takes from others, and entries that cite no work."""

from sourcewright.references.reader import read_references

VOLUME = """@book{volume, editor = {Ed Itor}, title = {Space and Beyond}, subtitle = {The Frontier},
  year = 2020, publisher = {Greenwood}, doi = {10.5555/volume}}
"""


def child(fields, *others):
    return read_references(f"@incollection{{child, {fields}}}\n{''.join(others)}")[0]


def test_a_chapter_keeps_its_own_title_and_date():
    read = child(
        "title = {Tides}, author = {Ann Lee}, date = {2019-05}, crossref = {volume}", VOLUME
    )

    assert (read.title, read.venue) == ("Tides", "Space and Beyond")
    assert (read.year, read.publisher, read.doi) == (2019, "Greenwood", None)


def test_the_editor_of_a_volume_is_not_the_author_of_a_chapter():
    assert child("title = {Tides}, crossref = {volume}", VOLUME).authors == ()


def test_a_part_without_a_title_has_that_of_its_book_and_its_author():
    book = "@book{b, title = {Relativity}, author = {Albert Einstein}, year = 1920}"

    read = child("crossref = {b}, pages = {22--23}", book)

    assert (read.title, read.venue, read.year) == ("Relativity", None, 1920)
    assert [author.name for author in read.authors] == ["Albert Einstein"]


def test_inheritance_has_several_levels():
    read = child(
        "title = {Tides}, crossref = {workshop}, xdata = {common}",
        "@proceedings{workshop, title = {Workshop}, crossref = {conference}}",
        "@proceedings{conference, title = {Conference}, year = 2011}",
        "@xdata{common, xdata = {deeper}}",
        "@xdata{deeper, publisher = {IEEE}}",
    )

    assert (read.venue, read.year, read.publisher) == ("Workshop", 2011, "IEEE")


def test_entries_that_name_each_other_are_read():
    assert child("title = {Tides}, crossref = {child}").title == "Tides"


def test_entries_that_only_hold_settings_are_no_references():
    read = read_references(
        """@IEEEtranBSTCTL{IEEEexample:BSTcontrol, CTLuse_article_number = "yes"}
@CONTROL{REVTEX42Control}
@CONTROL{apsrev42Control, author = "08", year = "1"}
@xdata{common, publisher = {IEEE}}
@set{pair, entryset = {a, b}}
@article{a, title = {Tides}, year = 2019}"""
    )

    assert [one.key for one in read] == ["a"]
