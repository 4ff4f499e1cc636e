"""Dates and names that a page shows or declares beside those of something else."""

import pytest

from sourcewright.reading.formats.html import read_html

URL = "https://example.org/news/the-old-piers"
TEXT = "<p>The old piers were measured twice by the divers, and they are sound, as they say.</p>"


def reading(head="", below=""):
    return read_html(
        f"<html lang=en><head><title>The old piers</title>{head}</head><body>"
        f"<h1>The old piers</h1>{below}{TEXT}</body></html>",
        url=URL,
    )


@pytest.mark.parametrize(
    "line",
    [
        "December 19, 2016 - 12:29pm",
        "19 December 2016 - 09:10",
        "19 December 2016 / 10.05",
        "Mon, 12/19/2016 - 12:29",
        "19.12.2016 - 12:29",
        "Mon Dec 19 14:51:16 EST 2016",
        "2016. 12. 19.",
    ],
)
def test_the_time_after_a_date_is_no_month(line):
    assert reading(below=f"<div>{line}</div>").published == "2016-12-19"


@pytest.mark.parametrize("line", ["2016-12", "2016/12", "2016年12月"])
def test_a_month_alone_is_read(line):
    assert reading(below=f"<div>{line}</div>").published == "2016-12"


def test_author_and_date_of_an_image_are_not_those_of_the_page():
    image = (
        '<div itemscope itemtype="http://schema.org/ImageObject">'
        '<meta itemprop="author" content="Bo Quay | The Agency">'
        '<meta itemprop="datePublished" content="2012-01-02"></div>'
    )
    found = reading('<meta name="author" content="Ada Pier">', image)
    assert (found.author, found.published) == ("Ada Pier", None)


def test_the_name_of_a_site_after_a_wide_bar_is_no_part_of_a_title():
    page = "<title>北の古い桟橋は無事だった\uff5c新聞社</title><p>桟橋は無事だった。</p>"
    assert read_html(page, url=URL).title == "北の古い桟橋は無事だった"


def test_a_year_in_a_table_gives_way_to_the_date_below_the_text():
    table = "<table><tr><td>Piers<td>1994<tr><td>Quays<td>2019</table>"
    found = reading(below=f"{table}{6 * TEXT}<div><time>10 February 2023</time></div>")
    assert found.published == "2023-02-10"


def test_a_year_alone_is_read():
    assert reading(below="<div>1994</div>").published == "1994"


@pytest.mark.parametrize(
    "page",
    [
        "<title>The Quay - The old piers</title><h1><a href=/>The Quay</a></h1><h2>The old piers</h2>",
        "<title>The Quay</title><a href=https://example.org>The Quay</a><h1>The old piers</h1>",
    ],
)
def test_the_name_of_a_site_in_its_link_to_the_first_page_is_no_title(page):
    assert read_html(f"<body>{page}{TEXT}", url=URL).title == "The old piers"


@pytest.mark.parametrize("date", ["Dezember 5, 2024", "10月 14, 2024", "ديسمبر 7, 2024"])
def test_month_and_day_in_a_byline_are_no_name(date):
    byline = (
        f"<div class=posted-by><span>{date}</span></div><h2 class=author-title>Von Ada Pier</h2>"
    )
    assert reading(below=byline).author == "Ada Pier"
