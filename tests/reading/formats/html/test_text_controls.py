"""Permalinks, copy buttons and labels of open sections are no part of a text."""

import pytest


@pytest.mark.parametrize(
    "link",
    [
        "<a class=headerlink href=#one title='Link to this term'>¶</a>",
        "<a class=headerlink href=#one>#</a>",
        "<a class=headerlink href=#one>\uf0c1</a>",
        "<a class=anchor href=#one>§</a>",
        "<a class=tooltip href=#>ⓘ</a>",
        "<a href=#top>↑</a>",
    ],
)
def test_a_link_that_shows_a_sign_is_no_text(content, link):
    listed = f"<dl class=py><dt id=one>read(timeout){link}</dt><dd>Reads the level.</dd></dl>"
    captioned = (
        f"<p>Levels of the year{link}</p><table><tr><th>A<th>B<tr><td>1<td>2<tr><td>3<td>4</table>"
    )

    assert content(listed) == "read(timeout)\n\nReads the level."
    assert content(captioned).startswith("Levels of the year\n\n| A | B |")


@pytest.mark.parametrize(
    "link", ["<a href=#v>($)</a>", "<a href=#v>.</a>", "<a href=#s5>§ 5</a>", "<a href=#f>†</a>"]
)
def test_operators_and_references_are_text(content, link):
    shown = link.partition(">")[2].removesuffix("</a>")

    assert content(f"<p>It is {link} that applies.</p>") == f"It is {shown} that applies."


def test_a_button_in_a_heading_is_no_part_of_it(content):
    heading = "<h2>Struct Pool <button title='to the clipboard'>Copy item path</button></h2>"

    assert content(f"{heading}<p>A bounded pool.</p>") == "## Struct Pool\n\nA bounded pool."


def test_a_link_in_brackets_beside_a_heading_is_no_part_of_it(content):
    heading = "<h2>Declaration <a href=#d></a> <a href=/g.c title='go to source'>[src]</a></h2>"

    assert content(f"{heading}<p>It reads.</p>").startswith("## Declaration\n\n")
    assert content("<h2><a href=/g.c>[src]</a></h2><p>It reads.</p>").startswith("## [\\[src")


def test_a_button_that_is_the_heading_stays(content):
    question = "<h3><button aria-expanded=false>Who reads the gauges?</button></h3>"

    assert content(f"{question}<p>The keeper of the harbour.</p>") == (
        "### Who reads the gauges?\n\nThe keeper of the harbour."
    )


def test_a_heading_with_a_style_sheet_and_a_button_stays(content):
    button = "<button aria-expanded=false>Who reads the gauges?</button>"
    heading = f"<h3><style>.gauge-question{{display:flex}}</style>{button}</h3>"

    assert content(f"{heading}<p>The keeper.</p>") == "### Who reads the gauges?\n\nThe keeper."


def test_a_copy_button_is_dropped_wherever_it_stands(content):
    install = "<div><p>pip install tides</p><button class=copy-btn>Copied!</button></div>"

    assert content(install) == "pip install tides"


@pytest.mark.parametrize("label", ["show", "Hide", "[expand]", "Copy"])
def test_a_button_that_only_shows_or_hides_is_dropped(content, label):
    assert content(
        f"<div><p>The syntax:</p><button>{label}</button><p>It is simple.</p></div>"
    ) == ("The syntax:\n\nIt is simple.")


def test_the_label_of_an_open_section_is_dropped_and_that_of_a_closed_one_stays(content):
    section = "<details {}><summary><span>{}</span></summary><p>A bounded pool.</p></details>"

    assert content(section.format("open", "Expand description")) == "A bounded pool."
    assert content(section.format("", "Show the answer")) == "Show the answer\n\nA bounded pool."
    assert content(section.format("open", "Answer")) == "Answer\n\nA bounded pool."


def test_tabs_of_one_panel_are_filters(content):
    tabs = "".join(f"<button role=tab aria-controls=p>{name} Methods</button>" for name in "AB")
    rows = "<tr><th>Method<th>Meaning<tr><td>open()<td>Opens it.<tr><td>close()<td>Closes it."

    assert content(f"<div>{tabs}<div id=p role=tabpanel><table>{rows}</table></div></div>") == (
        "| Method | Meaning |\n| --- | --- |\n| open() | Opens it. |\n| close() | Closes it. |"
    )


@pytest.mark.parametrize(
    "shape",
    [
        lambda n: "<h2>" + "<button>a</button>b" * n,
        lambda n: "<p>" + "<a href=#a>¶</a>b" * n,
        lambda n: "<button role=tab aria-controls=a>b</button>" * n,
    ],
    ids=["buttons", "links", "tabs"],
)
def test_controls_of_any_number_take_linear_time(growth, shape):
    from sourcewright.reading.formats.html import read_html

    assert growth(lambda text: read_html(text, url="https://x.example/"), shape, 8000) < 20
