"""Metadata of HTML pages: authors, dates, publisher and linked data."""

import json

import pytest

from sourcewright.reading.formats.html import read_html
from sourcewright.reading.readings import Reading

URL = "https://example.org/stories/one"


def read(head: str, body: str = "", lang: str = "") -> Reading:
    return read_html(f"<html {lang}><head>{head}</head><body>{body}</body></html>", url=URL)


def linked_data(value: object) -> str:
    return f'<script type="application/ld+json">{json.dumps(value)}</script>'


def test_a_graph_tells_author_dates_and_publisher():
    graph = {
        "@graph": [
            {"@type": "Organization", "name": "Elsewhere"},
            {
                "@type": ["NewsArticle"],
                "headline": "Piers of oak",
                "author": [{"@type": "Person", "name": "Ada Pier"}, {"name": "Bo Dock"}],
                "datePublished": "2021-03-09T10:00:00Z",
                "dateModified": "2021-04-01",
                "publisher": {"name": "Harbour News"},
            },
        ]
    }

    reading = read(linked_data(graph))

    assert (reading.title, reading.author) == ("Piers of oak", "Ada Pier, Bo Dock")
    assert (reading.published, reading.modified) == ("2021-03-09T10:00:00+00:00", "2021-04-01")
    assert reading.site == "Harbour News"


def test_meta_tags_tell_what_linked_data_does_not():
    reading = read(
        '<meta property="og:title" content="Piers of oak | Harbour News">'
        '<meta property="og:site_name" content="Harbour News"><meta name="author" content="Ada Pier">'
        '<meta property="article:published_time" content="2020-01-02T00:00:00+00:00">'
        '<meta property="article:modified_time" content="2020-02-03">'
        '<link rel="canonical" href="/one">',
        lang='lang="de_AT"',
    )

    assert (reading.title, reading.author) == ("Piers of oak", "Ada Pier")
    assert (reading.published, reading.modified) == ("2020-01-02", "2020-02-03")
    assert reading.canonical == "https://example.org/one"
    assert reading.language == "de-AT"


@pytest.mark.parametrize(
    "written", ["March 9, 2021", "9th March 2021", "Mar. 9 2021", "2021/03/09"]
)
def test_a_date_for_people_is_read(written):
    reading = read("", f"<time>{written}</time>")

    assert reading.published == "2021-03-09"


@pytest.mark.parametrize(
    ("written", "published"),
    [
        ("2021-03-09T23:30:15.5-08:00", "2021-03-09T23:30:15-08:00"),
        ("2021-03-09 23:30", "2021-03-09T23:30:00"),
        ("2021-03-09T00:00:00-05:00", "2021-03-09"),
        ("2021-03-09T25:61", "2021-03-09"),
        ("2021-03-09 at noon", "2021-03-09"),
        ("2021-03", "2021-03"),
        ("2021-02-31T10:00:00Z", "2021-02"),
    ],
)
def test_a_date_is_kept_as_exactly_as_it_is_given(written, published):
    reading = read(f'<meta property="article:published_time" content="{written}">')

    assert reading.published == published


def test_a_byline_names_the_author():
    reading = read("", '<p class="byline">By Ada Pier</p>')

    assert reading.author == "Ada Pier"


def test_citation_tags_are_kept_and_authors_stand_together():
    reading = read(
        '<meta name="citation_title" content="On piers"><meta name="citation_author" content="Pier, A">'
        '<meta name="citation_author" content="Dock, B"><meta name="citation_doi" content="10.1/x">'
    )

    assert reading.embedded
    assert reading.embedded.citation == {
        "citation_title": "On piers",
        "citation_author": "Pier, A; Dock, B",
        "citation_doi": "10.1/x",
    }
    assert reading.title == "On piers"


def test_linked_data_is_kept_verbatim_and_bad_json_is_left_out():
    good = '{"@type":  "Thing" }'

    reading = read(
        f'<script type="application/ld+json">{good}</script>'
        '<script type="application/ld+json">{broken</script>'
        '<script type="application/ld+json">{"n": NaN}</script>'
    )

    assert reading.embedded
    assert reading.embedded.json_ld == (good,)


def test_linked_data_is_bounded():
    small = [linked_data({"n": n}) for n in range(20)]
    large = linked_data({"x": "y" * 33_000})
    half = [linked_data({"n": n, "x": "y" * 30_000}) for n in range(3)]

    few, none, total = read("".join(small)), read(large), read("".join(half))

    assert few.embedded
    assert len(few.embedded.json_ld) == 16
    assert few.embedded.json_ld_omitted == 4
    assert none.embedded
    assert (none.embedded.json_ld, none.embedded.json_ld_omitted) == ((), 1)
    assert total.embedded
    assert len(total.embedded.json_ld) == 2


def test_meta_maps_are_bounded():
    wide = "\u00e9" * 3000
    many = "".join(f"<meta property=og:x{n} content={wide}>" for n in range(80))

    reading = read(many)

    assert reading.embedded
    assert len(reading.embedded.open_graph) == 64
    assert max(len(value.encode()) for value in reading.embedded.open_graph.values()) <= 2048


def test_a_page_that_says_nothing_about_itself_has_no_embedded_data():
    assert read("", "<p>Words.</p>").embedded is None
