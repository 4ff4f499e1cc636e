"""Rows of labels and links that only their style sets apart: each is a word of its own."""

import pytest

from sourcewright.reading.formats.html import read_html

TEXT = "The film was shot on the coast in one summer, with a crew of nine and two old boats."


def page(inner: str) -> str:
    html = f"<title>Films</title><body><main><h1>Films</h1><p>{TEXT}</p>{inner}</main></body>"
    return read_html(html, url="https://example.org/films").content


@pytest.mark.parametrize(
    ("row", "text"),
    [
        ("<span class=x>2026</span><span class=x>1h 54m</span><span class=x>PG</span>", "2026 1h 54m PG"),
        ("<span>Action</span><span>Open World</span>", "Action Open World"),
        ("<a href=/a>sea</a><a href=/b>boats</a>", "[sea](https://example.org/a) [boats](https://example.org/b)"),
        ("<label>Small</label><label>Large</label>", "Small Large"),
    ],
)  # fmt: skip
def test_labels_without_space_between_them_are_words_of_their_own(row, text):
    assert text in page(f"<div>It is known for {row} in all the towns of the coast.</div>")
    table = f"<tr><th>Film<th>Facts<tr><td>Boats<td>{row}<tr><td>Piers<td>none"
    assert text in page(f"<table>{table}</table>")


@pytest.mark.parametrize(
    ("row", "text"),
    [
        ("<span>The c</span><span>omparison</span>", "The comparison"),
        ("<span>3</span><span>rd</span> street", "3rd street"),
        ("<span class=drop>T</span><span class=rest>HE BOAT</span>", "THE BOAT"),
        ("<span class=l>H</span><span class=l>I</span>", "HI"),
        ("<b>Boat</b><b>House</b>", "BoatHouse"),
        ("<a href=/a>Boat</a><a href=/a>House</a>", "[BoatHouse](https://example.org/a)"),
        ("<span>船の</span><span>家族</span>", "船の家族"),
        ("<code><span>moor</span><span>Boat</span></code>", "`moorBoat`"),
    ],
)
def test_parts_of_a_word_stay_together(row, text):
    assert text in page(f"<p>It is known for {row} in all the towns of the coast.</p>")
