"""Footnotes of pages have the form of Markdown, however a page marks them."""

import pytest

from sourcewright.readers.formats.html import read_html

SHAPES = {
    "Markdown": (
        "<p>It rose<sup id=fnref:1><a class=footnote-ref href=#fn:1>1</a></sup> by a metre.</p>",
        (
            "<div class=footnotes><hr><ol><li id=fn:1><p>In March. <a class=footnote-backref "
            "href=#fnref:1>↩</a></p></li></ol></div>"
        ),
    ),
    "Sphinx": (
        (
            "<p>It rose<a class='footnote-reference brackets' href=#f1 id=id1 role=doc-noteref>"
            "<span class=fn-bracket>[</span>1<span class=fn-bracket>]</span></a> by a metre.</p>"
        ),
        (
            "<aside class='footnote-list brackets'><aside class='footnote brackets' id=f1 "
            "role=doc-footnote><span class=label><span class=fn-bracket>[</span><a "
            "role=doc-backlink href=#id1>1</a><span class=fn-bracket>]</span></span>"
            "<p>In March.</p></aside></aside>"
        ),
    ),
    "docutils": (
        "<p>It rose<a class='footnote-reference brackets' href=#f1 id=id1>1</a> by a metre.</p>",
        (
            "<dl class='footnote brackets'><dt class=label id=f1><span class=brackets><a "
            "class=fn-backref href=#id1>1</a></span></dt><dd><p>In March.</p></dd></dl>"
        ),
    ),
    "Asciidoctor": (
        "<p>It rose<sup class=footnote>[<a id=_ref_1 class=footnote href=#_def_1>1</a>]</sup> by a metre.</p>",
        "<div id=footnotes><hr><div class=footnote id=_def_1><a href=#_ref_1>1</a>. In March.</div></div>",
    ),
    "Texinfo": (
        "<p>It rose<a id=DOCF1 href=#FOOT1><sup>1</sup></a> by a metre.</p>",
        "<div class=footnote><hr><h5><a id=FOOT1 href=#DOCF1>(1)</a></h5><p>In March.</p></div>",
    ),
    "MediaWiki": (
        (
            "<p>It rose<sup id=cite_ref-1 class=reference><a href=#cite_note-1><span>[</span>1"
            "<span>]</span></a></sup> by a metre.</p>"
        ),
        (
            "<ol class=references><li id=cite_note-1><span class=mw-cite-backlink>^ <a "
            "href=#cite_ref-1><sup><i>a</i></sup></a></span> <span class=reference-text>In March."
            "</span></li></ol>"
        ),
    ),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_footnotes_of_any_make_have_one_form(content, shape):
    text, notes = SHAPES[shape]

    assert content(text + notes) == "It rose[^1] by a metre.\n\n[^1]: In March."


def test_a_note_of_several_paragraphs_is_one_note(content):
    note = "<li id=n2><p>In March.</p><p>And in <code>April</code>. <a href=#r2>↩</a></p></li>"

    written = content(f"<p>It rose <a id=r2 href=#n2>[2]</a>.</p><ol>{note}</ol>")

    assert written == "It rose [^2].\n\n[^2]: In March.\n\n    And in `April`."


def test_citations_keep_their_names_and_equal_labels_are_told_apart(content):
    text = "<p>See <a id=r1 href=#n1>[Vik2020]</a>, <a id=r2 href=#n2>[Vik2020]</a>.</p>"
    notes = "".join(
        f"<div id=n{n} class=citation>[<a href=#r{n}>Vik2020</a>] Volume {n} of the book.</div>"
        for n in (1, 2)
    )

    assert content(text + notes) == (
        "See [^Vik2020], [^Vik2020-2].\n\n"
        "[^Vik2020]: Volume 1 of the book.\n[^Vik2020-2]: Volume 2 of the book."
    )


def test_a_table_of_contents_has_no_footnotes(content):
    contents = "<ul id=toc><li><a id=t1 href=#api>API</a></li></ul>"
    section = "<div id=api><h2><a href=#t1>API</a></h2><p>Everything that can be called is here.</p></div>"

    assert "[^" not in content(contents + section)


@pytest.mark.parametrize(
    "shape",
    [
        lambda n: "".join(
            f"<p>a<a id=r{k} href=#n{k}>[{k}]</a><p id=n{k}>b<a href=#r{k}>^</a>" for k in range(n)
        ),
        lambda n: "<div id=n>" + "<a id=r href=#n>1</a>" * n + "<a href=#r>^</a></div>",
        lambda n: "<p>" + "<a id=r href=#n>1</a>" * n + "<p id=n>b<a href=#r>^</a></p>",
    ],
    ids=["notes", "inside", "references"],
)
def test_footnotes_of_any_number_take_linear_time(growth, shape):
    assert growth(lambda text: read_html(text, url="https://x.example/"), shape, 8000) < 20
