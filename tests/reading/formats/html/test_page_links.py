"""Pagers and tables of contents of manuals are no text."""

import pytest

from sourcewright.reading.formats.html import read_html

PROSE = (
    "The gauge is read twice a day, at low and at high water, and the levels are written down in "
    "the book of the harbour, which the keeper shows to everybody who asks for it. "
)
URL = "https://docs.example/manual/select.html"


def manual(inner: str) -> str:
    page = f"<!doctype html><title>Gauges</title><body>{inner}</body>"
    return read_html(page, url=URL).content


def test_the_tables_of_docbook_that_lead_to_other_pages_are_dropped():
    pager = (
        "<div class=nav{0}><table width=100% summary='Navigation'><tr><th colspan=3>Reading</th></tr>"
        "<tr><td><a accesskey=p href=a.html>Prev</a></td><td>Levels</td>"
        "<td><a accesskey=n href=b.html>Next</a></td></tr></table><hr></div>"
    )
    text = f"<div class=refentry><h2>Reading</h2><p>{PROSE * 4}</p><p>{PROSE * 3}</p></div>"

    written = manual(pager.format("header") + text + pager.format("footer"))

    assert written.startswith("## Reading\n\nThe gauge")
    assert "Next" not in written
    assert "|" not in written


def test_the_lines_of_texinfo_between_the_parts_of_a_manual_are_dropped():
    line = "<div class=header><p>Next: <a href=#b accesskey=n rel=next>Levels</a>, Up: <a href=#a accesskey=u rel=up>Gauges</a> [<a href=#c rel=contents>Contents</a>]</p></div>"
    parts = "".join(
        f"<div class=chapter>{line}<h2>Part {n}</h2><p>{PROSE * 3}</p></div>" for n in range(4)
    )

    written = manual(f"<div class=top>{parts}</div>")

    assert "Contents" not in written
    assert [n for n in range(4) if f"## Part {n}" not in written] == []


@pytest.mark.parametrize("tag", ["p", "pre"])
def test_the_little_text_of_a_page_is_no_part_of_its_pager(tag):
    pager = "<nav class=nav-wrapper><a rel=prev href=a.html>Back</a><a rel=next href=b.html>On</a></nav>"

    written = manual(
        f"<div id=page><div id=content><main><h1>Gauges</h1><{tag}>Not for general use.</{tag}></main>"
        f"{pager}</div></div>"
    )

    assert written.startswith("# Gauges")
    assert "Not for general use." in written
    assert "Back" not in written


@pytest.mark.parametrize(
    "contents",
    [
        "<div class=x1><p>On this page</p>{}</div>",
        "<ul><li><a href=other.html>Another chapter</a>{}</li></ul>",
        "{}",
    ],
)
def test_a_table_of_contents_is_dropped(contents):
    names = ("Reading a gauge", "Writing the level down", "Keeping the book")
    entries = "".join(f"<li><a href=#s{n}>{name}</a></li>" for n, name in enumerate(names))
    sections = "".join(
        f"<h2 id=s{n}>{name}</h2><p>{PROSE * 2}</p>" for n, name in enumerate(names)
    )

    written = manual(
        f"<main><h1>Gauges</h1>{contents.format(f'<ul>{entries}</ul>')}{sections}</main>"
    )

    assert "On this page" not in written
    assert "- Reading a gauge" not in written
    assert [name for name in names if written.count(name) != 1] == []


def test_a_table_of_contents_of_definitions_that_names_its_page_is_dropped():
    names = ("Reading a gauge", "Writing the level down", "Keeping the book")
    entries = "".join(
        f"<dt><span class=section><a href='select.html#s{n}'>{name}</a></span></dt>"
        for n, name in enumerate(names)
    )
    sections = "".join(
        f"<h2 id=s{n}>{name}</h2><p>{PROSE * 2}</p>" for n, name in enumerate(names)
    )

    written = manual(f"<h1>Gauges</h1><div><p>Contents</p><dl>{entries}</dl></div>{sections}")

    assert "Contents" not in written
    assert [name for name in names if written.count(name) != 1] == []


def test_neighbouring_pages_are_recognised_by_the_names_of_their_links():
    pager = (
        "<div><a class=left-prev id=prev-link href=a.html><div><p>previous</p><p>gauge.Level.dry</p>"
        "</div></a><a class=right-next id=next-link href=b.html><div><p>next</p><p>gauge.Level.wet"
        "</p></div></a></div>"
    )
    code = "<pre>&gt;&gt;&gt; Level(3).read()\n2.5</pre>"

    written = manual(f"<main><h1>gauge.Level.read</h1><p>Reads it.</p>{code}{pager}</main>")

    assert "Reads it." in written
    assert "gauge.Level.dry" not in written


def test_a_page_of_links_to_its_own_parts_keeps_them():
    entries = "".join(
        f"<li><a href=#t{n}>Term number {n} of the harbour and its gauges</a></li>"
        for n in range(9)
    )

    assert "- Term number 3 of the harbour" in manual(f"<h1>Terms</h1><ul>{entries}</ul>")


@pytest.mark.parametrize(
    "shape",
    [
        lambda n: "<ul><li><a href=#a>a</a>" * min(n, 3000),
        lambda n: "<ul>" + "<li><a href=#a>a</a></li>" * n + "</ul>",
        lambda n: "<table><tr><td><a accesskey=p href=a>a</a><a accesskey=n href=b>b</a>" * n,
    ],
    ids=["nested", "entries", "pagers"],
)
def test_links_of_any_number_take_linear_time(growth, shape):
    assert growth(lambda text: read_html(text, url=URL), shape, 8000) < 20
