"""Hostile HTML: any markup is read, in time that is not quadratic."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sourcewright.reading.formats.html import read_html

URL = "https://example.org/page"
UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e007f]"
)
PIECES = st.sampled_from(
    [
        *("<p>", "</p>", "<div class='x'>", "</div>", "<table>", "<tr>", "<td>", "<li>", "<ul>"),
        *("<pre>", "</pre>", "<a href='", "'>", "<img alt=x>", "<!--", "-->", "<script>", "]]>"),
        *("<br>", "<br>", "<h1>", "<noscript>", "<base href='http://[x'>", "&#x202e;", "&#0;"),
        *("<meta property=og:title content=", "<svg>", "<math>", "\u202e", "\U000e0041", "\ud800"),
        '<script type="application/ld+json">{"@graph": [{"@type": "Article", "author": []}]}</script>',
        '<script type="application/ld+json">[[[{"datePublished": 5}]]]</script>',
    ]
)
SOUP = st.lists(st.one_of(PIECES, st.text(max_size=20)), max_size=60).map("".join)


@given(SOUP)
def test_any_text_is_read_and_nothing_unseen_comes_out(text):
    reading = read_html(text, url=URL)

    assert not UNSEEN.search(reading.content)
    assert not UNSEEN.search(reading.title or "")


@pytest.mark.parametrize("url", ["", "http://[broken", "x" * 5000])
def test_any_address_is_taken(url):
    reading = read_html("<base href='http://[y'><p>Words <a href='/a'>here</a>.</p>", url=url)

    assert "Words" in reading.content


MANY = 4_000
HOSTILE = {
    "deep nesting": lambda n: "<div>" * (8 * n) + "deep",
    "deep inline nesting": lambda n: "<b>" * (8 * n) + "deep",
    "angle brackets": lambda n: "<" * (40 * n),
    "attributes": lambda n: "<p " + " ".join(f"a{number}=1" for number in range(n)) + ">x",
    "unclosed tags": lambda n: "<p><a href=/x>word <li>" * (n // 5),
    "unclosed tables": lambda n: "<table><tr><td>x" * (n // 5),
    "hidden in hidden": lambda n: "<div aria-hidden=true> <i></i>" * (n // 5),
    "list items": lambda n: "<ol>" + "<li>x" * n + "</ol>",
    "headings": lambda n: "<h2>Title words" * (n // 5),
    "nested lists": lambda n: "<ul><li>" * (8 * n),
    "a wide table": lambda n: "<table><tr>" + "<td colspan=999>x" * n + "<tr><td>y</table>",
    "nested json": lambda n: '<script type="application/ld+json">' + "[" * (8 * n),
    "many classes": lambda n: "".join(f"<p class='a{i} b{i}'>t{i}" for i in range(n // 5)),
}


@pytest.mark.parametrize("shape", HOSTILE)
def test_no_page_takes_time_that_grows_with_its_square(shape, growth, often):
    def read(text):
        assert read_html(text, url=URL).kind == "html"

    assert growth(read, HOSTILE[shape], often(MANY, 100_000)) < 24
