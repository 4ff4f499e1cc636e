"""Citations of web pages in APA's and MLA's form."""

from datetime import date

import pytest

from sourcewright.reading.readings import EmbeddedMetadata, Reading
from sourcewright.services.pages.web_citation import cite_page

URL = "https://www.harbour.example/fog"
DAY = date(2026, 11, 16)


def cited(**changes):
    reading = {"title": "Fog at sea", "site": "Harbour News", "published": "2020-03-09"} | changes
    return cite_page(URL, DAY, Reading(content="", kind="html", **reading), at=URL)


def test_a_citation_has_the_fields_of_the_page():
    made = cited(author="Jane Doe", published="2020-03-09T23:00:00Z")

    assert made.url == URL
    assert made.accessed_date == "2026-11-16"
    assert made.metadata.title == "Fog at sea"
    assert made.metadata.author == "Jane Doe"
    assert made.metadata.site == "Harbour News"
    assert made.metadata.date == "2020-03-09"


@pytest.mark.parametrize(
    ("author", "apa", "mla"),
    [
        ("Jane Doe", "Doe, J.", "Doe, Jane."),
        ("Jean-Luc M. de la Mer", "de la Mer, J.-L. M.", "de la Mer, Jean-Luc M."),
        ("Jane Doe and John Roe", "Doe, J., & Roe, J.", "Doe, Jane, and John Roe."),
        ("Doe, Jane; Roe, John Jr.", "Doe, J., & Roe, J., Jr.", "Doe, Jane, and John Roe Jr."),
        ("Doe, Jane; Roe, Al and Poe, Ed", "Doe, J., Roe, A., & Poe, E.", "Doe, Jane, et al."),
        ("By Ann Poe, Jane Doe & Jo Roe", "Poe, A., Doe, J., & Roe, J.", "Poe, Ann, et al."),
        ("Harbour Office of Fogs", "Harbour Office of Fogs.", "Harbour Office of Fogs."),
        (
            "Centers for Fog Control and Prevention",
            "Centers for Fog Control and Prevention.",
            "Centers for Fog Control and Prevention.",
        ),
        ("keeper_of_fogs", "keeper_of_fogs.", "keeper_of_fogs."),
        ("Jane Doe, PhD, Jo Roe, MD", "Doe, J., & Roe, J.", "Doe, Jane, and Jo Roe."),
    ],
)
def test_authors_are_named_as_the_styles_name_them(author, apa, mla):
    formatted = cited(author=author).formatted

    assert formatted.apa == f"{apa} (2020, March 9). Fog at sea. Harbour News. {URL}"
    assert formatted.mla == (
        f"{mla} \u201cFog at sea.\u201d Harbour News, 9 Mar. 2020, {URL}. Accessed 16 Nov. 2026."
    )


@pytest.mark.parametrize("author", [None, "", "https://www.facebook.com/harbour", "x" * 300])
def test_without_an_author_the_title_comes_first(author):
    made = cited(author=author)

    assert made.metadata.author == ""
    assert made.formatted.apa == f"Fog at sea. (2020, March 9). Harbour News. {URL}"
    assert made.formatted.mla.startswith("\u201cFog at sea.\u201d Harbour News, 9 Mar. 2020")


def test_a_site_that_is_its_own_author_is_named_once():
    formatted = cited(author="Harbour News").formatted

    assert formatted.apa == f"Harbour News. (2020, March 9). Fog at sea. {URL}"
    assert formatted.mla.count("Harbour News") == 1


def test_a_page_without_a_date_has_the_day_on_which_it_was_read():
    made = cited(published=None)

    assert made.metadata.date == ""
    assert made.formatted.apa == (
        f"Fog at sea. (n.d.). Harbour News. Retrieved November 16, 2026, from {URL}"
    )
    assert made.formatted.mla == (
        f"\u201cFog at sea.\u201d Harbour News, {URL}. Accessed 16 Nov. 2026."
    )


@pytest.mark.parametrize(
    ("published", "apa", "mla"),
    [("2020", "(2020)", " 2020,"), ("2020-09", "(2020, September)", " Sept. 2020,")],
)
def test_a_date_is_as_exact_as_it_is_known(published, apa, mla):
    formatted = cited(published=published).formatted

    assert apa in formatted.apa
    assert mla in formatted.mla


@pytest.mark.parametrize(
    ("title", "apa", "mla"),
    [
        ("Is it fog?", "Is it fog? (2020", "\u201cIs it fog?\u201d"),
        ('The "fog" of war', 'The "fog" of war. (2020', "\u201cThe \u2018fog\u2019 of war.\u201d"),
        ("A <b>bold</b>\n title ", "A bold title. (2020", "\u201cA bold title.\u201d"),
        (None, "[Untitled page]. (2020", "Untitled page."),
    ],
)
def test_titles_end_once_and_are_plain_text(title, apa, mla):
    formatted = cited(title=title).formatted

    assert formatted.apa.startswith(apa)
    assert formatted.mla.startswith(mla)


def test_of_many_authors_the_first_nineteen_and_the_last_are_named():
    names = [f"Ann Author{chr(97 + at)}" for at in range(25)]

    apa = cited(author="; ".join(names)).formatted.apa

    assert "Authors, A., \u2026 Authory, A. (2020" in apa
    assert "Authort" not in apa


def test_a_site_without_a_name_is_called_by_its_host():
    assert cited(site=None).metadata.site == "harbour.example"


def test_the_head_of_a_page_names_site_and_authors_where_its_text_does_not():
    embedded = EmbeddedMetadata(
        open_graph={"og:site_name": "Harbour Weekly"},
        citation={"citation_author": "de la Mer, Ana Luz; Roe, John"},
    )

    made = cited(site=None, author=None, embedded=embedded)

    assert made.metadata.site == "Harbour Weekly"
    assert made.metadata.author == "Ana Luz de la Mer; John Roe"


def test_linked_data_tells_bodies_from_people():
    block = (
        '{"@graph": [{"@type": "NewsArticle", "author": ['
        '{"@type": "Organization", "name": "Blue Lantern"},'
        '{"@type": "Person", "name": "Jane Doe"}, {"name": 7}, null]}]}'
    )

    made = cited(author=None, embedded=EmbeddedMetadata(json_ld=(block,)))

    assert made.formatted.apa.startswith("Blue Lantern, & Doe, J. (2020")
