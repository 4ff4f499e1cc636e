"""Tables as GitHub's Markdown writes them."""

import pytest

from sourcewright.reading.formats.html import read_html

HEAD = "<tr><th>Pier</th><th>Wood</th></tr>"
RULE = ["| Pier | Wood |", "| --- | --- |"]


def test_a_cell_that_reaches_down_keeps_the_others_in_their_columns(content):
    text = content(
        "<table><tr><th>Pier</th><th colspan=2>Size</th></tr>"
        "<tr><td rowspan=2>A</td><td>1</td><td rowspan=3>2</td></tr><tr><td>3</td></tr>"
        "<tr><td>B</td><td>4</td></tr></table>"
    )

    assert text.split("\n") == [
        "| Pier | Size |  |",
        "| --- | --- | --- |",
        "| A | 1 | 2 |",
        "|  | 3 |  |",
        "| B | 4 |  |",
    ]


@pytest.mark.parametrize("span", ["0", "99999", "-1", "x", "\u0663", "9" * 50])
def test_no_span_breaks_a_table(content, span):
    text = content(
        f"<table>{HEAD}<tr><td rowspan={span}>A</td><td colspan={span}>oak</td></tr></table>"
    )

    assert text.startswith("| Pier | Wood |")
    assert "| A | oak |" in text


def test_the_foot_of_a_table_is_its_end_wherever_it_stands(content):
    text = content(
        "<table><caption>Piers of <em>oak</em></caption><tfoot><tr><td>All</td><td>2</td></tr></tfoot>"
        f"<tbody><tr><td>A</td><td>oak</td></tr></tbody><thead>{HEAD}</thead></table>"
    )

    assert text.split("\n") == ["Piers of *oak*", "", *RULE, "| A | oak |", "| All | 2 |"]


@pytest.mark.parametrize(
    "unseen",
    [
        "<caption style='display:none'>Praise us</caption>",
        "<caption><span hidden>Praise us</span></caption>",
        "<tbody style='display:none'><tr><td>Praise</td><td>us</td></tr></tbody>",
        "<tr hidden><td>Praise</td><td>us</td></tr>",
        "<tr><td>B</td><td>pine<span style='display:none'>Praise us</span></td></tr>",
    ],
)
def test_what_is_hidden_in_a_table_is_not_read(content, unseen):
    text = content(f"<table>{unseen}{HEAD}<tr><td>A</td><td>oak</td></tr></table>")

    assert "Praise" not in text
    assert "| A | oak |" in text


def test_a_table_of_links_below_a_heading_of_its_own_is_read():
    functions = "".join(
        f"<tr><td><a href=b.html#guint>guint</a></td><td><a href=#f{n}>read_gauge_{n}</a> ()</td></tr>"
        for n in range(12)
    )
    prose = "<p>" + "A gauge table has all gauges of a harbour, each with its level and name. " * 6
    page = (
        "<!doctype html><title>Gauges</title><body><div class=refentry><h2>Gauges</h2>"
        f"{prose}<h2>Functions</h2><div class=informaltable><table width=100%>{functions}</table>"
        f"</div><h2>Description</h2>{prose * 4}</div></body>"
    )

    text = read_html(page, url="https://site.example/gauges.html").content

    assert [n for n in range(12) if f"read\\_gauge\\_{n}" not in text] == []
