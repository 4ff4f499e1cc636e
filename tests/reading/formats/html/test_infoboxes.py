"""Infoboxes, definition tables and the edit links of wikis."""

import pytest

from sourcewright.reading.formats.html import read_html

LEAD = (
    "<p>Lumenfjord is a city on the west coast. It was founded in the thirteenth century by "
    "fishers and traders, and its harbour was for three hundred years the largest of the coast."
    "</p><p>It lies between seven hills and the open sea, and has a mild climate with much rain "
    "in autumn and winter. The university was established in 1946.</p>"
)
SHEET = f"<style>{'.locmap .od{position:absolute;line-height:110%} ' * 30}</style>"
NAMES = [f"Name {number}" for number in range(20)]


def wiki(inner: str) -> str:
    page = (
        "<!doctype html><html lang=en><title>Lumenfjord - Wiki</title><body class=mediawiki>"
        "<nav><ul><li><a href=/>Main page</a><li><a href=/c>Contents</a></ul></nav>"
        "<main id=content><h1>Lumenfjord</h1><div id=siteSub>From Wiki, the free one</div>"
        f"<div class=mw-parser-output>{inner}{LEAD}</div></main><footer>Privacy</footer>"
    )
    return read_html(page, url="https://wiki.example/wiki/Lumenfjord").content


def rows(names: list[str], value: str = "<a href=/v>value</a> of it") -> str:
    return "".join(f"<tr><th scope=row>{name}</th><td>{value}</td></tr>" for name in names)


@pytest.mark.parametrize(
    "odd_row",
    [
        "",
        f"<tr><td colspan=2>{SHEET}60.1; 5.3</td></tr>",
        "<tr><td colspan=2><table><tr><td><img src=a.jpg alt=Dusk></td><td>View</td></tr></table></td></tr>",
        f"<tr><td colspan=2><table class=infobox-subbox>{rows(['Inner a', 'Inner b'])}</table></td></tr>",
        f"<tr><th>History</th><td>{'It was long and is told here at length. ' * 30}</td></tr>",
        f"<tr><th>Arms</th><td>{SHEET}<table><tr><td>a</td><td>b</td></tr></table></td></tr>",
    ],
    ids=["plain", "style sheet", "picture", "inner box", "long value", "inner table"],
)
def test_an_infobox_keeps_all_its_rows(odd_row):
    table = f"<table class='infobox vcard'><tr><th colspan=2>Lumenfjord</th></tr>{rows(NAMES)}{odd_row}</table>"

    lines = wiki(table).split("\n")

    written = [line for line in lines if line.startswith("| Name ")]
    assert written == [f"| {name} | [value](https://wiki.example/v) of it |" for name in NAMES]
    assert "absolute" not in "".join(lines)
    assert sum("Inner" in line for line in lines) == odd_row.count("Inner")


def test_the_items_of_a_cell_are_told_apart():
    table = rows(
        NAMES, "<div><ul><li>Bokmål</li><li><b>Nynorsk</b></li><li>English</li></ul></div>"
    )

    assert "| Name 1 | Bokmål, **Nynorsk**, English |" in wiki(f"<table>{table}</table>")


def test_the_paragraphs_of_items_in_a_cell_are_told_apart():
    table = rows(NAMES, "<ul><li><p>Bokmål</p></li><li><p><b>Nynorsk</b></p></li></ul>")

    assert "| Name 1 | Bokmål, **Nynorsk** |" in wiki(f"<table>{table}</table>")


def test_a_portable_infobox_is_a_table():
    data = "".join(
        f"<div class='pi-item pi-data'><h3 class=pi-data-label>{name}</h3>"
        f"<div class='pi-data-value pi-font'>{name} is</div></div>"
        for name in NAMES
    )
    box = f"<aside class='portable-infobox pi-x'><h2 class='pi-item pi-title'>Ada</h2><section>{data}</section></aside>"

    text = wiki(box)

    assert text.count("\n| Name ") == len(NAMES)
    assert "| Name 7 | Name 7 is |" in text


def test_a_table_of_links_to_other_pages_is_no_infobox():
    links = rows(["Hills", "Bays", "Piers", "Ships"], "<a href=/1>Another page of it</a>")

    assert "Another" not in wiki(f"<table role=navigation class=navbox>{links}</table>")


@pytest.mark.parametrize(
    "link",
    [
        "<span class=mw-editsection>[<a href='/w?action=edit'>edit</a> | <a href=/s>source</a>]</span>",
        "<span class='mw-editsection'><span>[</span><a href=/e>Bearbeiten</a><span>]</span></span>",
        "<span class=editsection>[<a href=/e>edit</a>]</span>",
    ],
)
@pytest.mark.parametrize("shape", ["<h2>History{}</h2>", "<div><h2>History</h2>{}</div>"])
def test_edit_links_are_no_text(link, shape):
    text = wiki(f"{shape.format(link)}<p>The town burned in 1702 and was rebuilt in stone.</p>")

    assert "## History\n\nThe town burned" in text


def test_the_address_for_print_is_no_text():
    address = "https://wiki.example/?oldid=1"
    footer = f"<div class=printfooter>Retrieved from <a href='{address}'>{address}</a></div>"

    assert "oldid" not in wiki(f"{LEAD}{footer}")


def test_a_definition_list_of_a_text_is_whole(content):
    pairs = "".join(f"<dt>Term {n}</dt><dd>What {n} means</dd>" for n in range(6))

    assert content(f"<dl>{pairs}</dl>").split("\n\n") == [
        text for n in range(6) for text in (f"Term {n}", f"What {n} means")
    ]
