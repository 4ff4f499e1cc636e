"""Footnotes of pages have the form of Markdown, however a page marks them."""

import pytest

from sourcewright.reading.formats.html import read_html

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
    "Word": (
        (
            "<p>It rose<a style='mso-footnote-id:ftn1' href='#_ftn1' name='_ftnref1'><span>[1]</span>"
            "</a> by a metre.</p>"
        ),
        (
            "<div style='mso-element:footnote-list'><hr><div style='mso-element:footnote' id=ftn1>"
            "<p><a href='#_ftnref1' name='_ftn1'><span>[1]</span></a> In March.</p></div></div>"
        ),
    ),
    "Google Docs": (
        "<p>It rose<sup><a href=#ftnt1 id=ftnt_ref1>[1]</a></sup> by a metre.</p>",
        "<hr><div><p><a href=#ftnt_ref1 id=ftnt1>[1]</a><span> In March.</span></p></div>",
    ),
    "Substack": (
        (
            "<p>It rose<a id=footnote-anchor-1 href='https://example.org/one#footnote-1'>1</a> "
            "by a metre.</p>"
        ),
        (
            "<div class=footnote><a id=footnote-1 class=footnote-number "
            "href='https://example.org/one#footnote-anchor-1'>1</a>"
            "<div class=footnote-content><p>In March.</p></div></div>"
        ),
    ),
    "DocBook": (
        "<p>It rose<a href='#ftn.d1' name=d1><sup>[1]</sup></a> by a metre.</p>",
        (
            "<div class=footnotes><hr><div id=ftn.d1 class=footnote><p><a href=#d1><sup>[1] </sup>"
            "</a>In March.</p></div></div>"
        ),
    ),
    "HonKit": (
        "<p>It rose<sup><a href=#fn_1 id=reffn_1>1</a></sup> by a metre.</p>",
        "<blockquote id=fn_1><sup>1</sup>. In March.<a href=#reffn_1> \u21a9</a></blockquote>",
    ),
    "Publican": (
        "<p>It rose<a id=d1></a><a href='#ftn.d1'><sup>[1]</sup></a> by a metre.</p>",
        (
            "<div class=footnotes><hr><div id=ftn.d1 class=footnote><div class=para><a href=#d1>"
            "<sup>[1] </sup></a> In March.</div></div></div>"
        ),
    ),
    "Quarto": (
        "<p>It rose<a href=#fn1 id=fnref1 role=doc-noteref><sup>1</sup></a> by a metre.</p>",
        "<div class=column-margin><div id=fn1><p><sup>1</sup>&nbsp;In March.</p></div></div>",
    ),
    "LaTeXML": (
        (
            "<p>It rose<span id=footnote1 class='ltx_note ltx_role_footnote'><sup "
            "class=ltx_note_mark>1</sup><span class=ltx_note_outer><span class=ltx_note_content>"
            "<sup class=ltx_note_mark>1</sup><span class='ltx_tag ltx_tag_note'>1</span>In March."
            "</span></span></span> by a metre.</p>"
        ),
        "",
    ),
    "Tufte CSS": (
        (
            "<p>It rose<label for=sn class='margin-toggle sidenote-number'></label><input "
            "type=checkbox id=sn class=margin-toggle><span class=sidenote>In March.</span> by a "
            "metre.</p>"
        ),
        "",
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


def test_all_paragraphs_of_a_note_of_word_are_one_note(content):
    reference = "<p>It rose<a href='#_ftn1' name='_ftnref1'>[1]</a>.</p>"
    note = (
        "<div style='mso-element:footnote' id=ftn1><p><a href='#_ftnref1' name='_ftn1'>[1]</a> In "
        "March.</p><p>And in April.</p></div>"
    )

    assert content(reference + note) == "It rose[^1].\n\n[^1]: In March.\n\n    And in April."


def test_notes_within_one_sentence_follow_its_paragraph_in_order(content):
    notes = [f"<span class=sidenote>Note {n}.</span>" for n in (1, 2)]

    text = content(f"<p>It rose{notes[0]} and fell{notes[1]} again.</p><p>Nobody knew why.</p>")

    assert text == (
        "It rose[^1] and fell[^2] again.\n\n[^1]: Note 1.\n[^2]: Note 2.\n\nNobody knew why."
    )


def test_a_note_in_a_table_follows_the_table(content):
    note = "<span class=sidenote>Of oak.</span>"

    text = content(
        f"<table><tr><th>Pier</th><th>Size</th></tr><tr><td>A{note}</td><td>2</td></tr></table>"
    )

    assert text.split("\n\n") == ["| Pier | Size |\n| --- | --- |\n| A[^1] | 2 |", "[^1]: Of oak."]


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
