"""Quotations as Markdown writes them."""


def test_the_paragraphs_of_a_quotation_stay_together(content):
    text = content(
        "<blockquote><div><div><div><div><p>We saw the piers.</p><p>They were sound.</p>"
        "</div></div></div></div><p>Ada Pier, diver</p></blockquote>"
    )

    assert text == "> We saw the piers.\n>\n> They were sound.\n>\n> Ada Pier, diver"


def test_a_quotation_holds_quotations_lists_and_code(content):
    text = content(
        "<blockquote><p>She wrote to us:</p><blockquote><p>The oak is sound.</p></blockquote>"
        "<ul><li>so is the pine</li><li>so is the iron</li></ul><pre>a\n  b</pre></blockquote>"
    )

    assert text.split("\n") == [
        "> She wrote to us:",
        ">",
        "> > The oak is sound.",
        ">",
        "> - so is the pine",
        "> - so is the iron",
        ">",
        "> ```",
        "> a",
        ">   b",
        "> ```",
    ]


def test_two_quotations_stay_two(content):
    text = content(
        "<blockquote>The oak is sound.</blockquote><blockquote>No, it is not.</blockquote>"
    )

    assert text == "> The oak is sound.\n\n> No, it is not."


def test_a_page_that_is_indented_as_a_quotation_keeps_its_headings(content):
    text = content("<blockquote><h2>Methods</h2><p>We counted every pier.</p></blockquote>")

    assert text == "## Methods\n\nWe counted every pier."
