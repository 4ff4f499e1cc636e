"""Tables, code, quotations and lists stay part of the main content, also at its end."""

import pytest

from sourcewright.reading.formats.html import read_html

TEXT = (
    "The divers measured every pier of the northern harbour twice, once at low water and once at "
    "high water, and wrote down what they had found in the same evening, so that nothing was lost."
)
PIECES = {
    "a table": (
        "<table><tr><th>Pier</th><th>Wood</th></tr><tr><td>1</td><td>{}</td></tr></table>",
        "| 1 | oak |",
    ),
    "code": ("<pre><code>{}</code></pre>", "```\noak\n```"),
    "a quotation": ("<blockquote>{}</blockquote>", "> oak"),
    "a list": ("<ul><li>{}</li><li>pine</li></ul>", "- oak\n- pine"),
    "a figure": ("<figure><img src=a.png alt=pier><figcaption>{}</figcaption></figure>", "*oak*"),
}
MENU = "<ul><li><a href=/a>About us</a></li><li><a href=/b>Prices</a></li></ul>"


def content_of(before, inner, after=""):
    page = f"<body>{before}<article><h1>Piers</h1>{inner}</article>{after}</body>"
    return read_html(page, url="https://example.org/piers").content


@pytest.mark.parametrize("piece", PIECES)
@pytest.mark.parametrize("times", [1, 30], ids=["small", "large"])
def test_what_ends_a_text_is_kept(piece, times):
    markup, expected = PIECES[piece]

    content = content_of("", f"<p>{TEXT}</p>" * times + markup.format("oak"))

    assert content.endswith(expected)


@pytest.mark.parametrize("times", [1, 30], ids=["small", "large"])
@pytest.mark.parametrize("around", ["nav", "aside", "footer", "form"])
def test_what_stands_apart_is_left_out(around, times):
    markup, _ = PIECES["a table"]

    content = content_of(
        "", f"<p>{TEXT}</p>" * times, f"<{around}>{markup.format('oak')}</{around}>"
    )

    assert "oak" not in content


def test_a_list_of_links_in_a_small_text_is_kept_whole():
    works = [
        f"<li><a href=https://doi.org/10.1/{who}>{who} 2020</a></li>" for who in ("Doe", "Roe")
    ]

    content = content_of("", f"<p>Oak lasts.</p><h2>References</h2><ol>{''.join(works)}</ol>")

    assert [f"[{who} 2020](https://doi.org/10.1/{who})" in content for who in ("Doe", "Roe")] == [
        True,
        True,
    ]


@pytest.mark.parametrize("name", ["sidebar", "cookie-banner", "newsletter", "site-footer"])
def test_what_is_named_as_something_else_is_left_out_of_a_small_page(name):
    content = content_of(
        "", f"<p>{TEXT}</p>", f"<div class={name}><p>Harbour news, every week.</p></div>"
    )

    assert content == f"# Piers\n\n{TEXT}"


def test_a_menu_on_a_small_page_is_left_out():
    content = content_of(f"<div>{MENU}</div>", f"<p>{TEXT}</p>")

    assert content == f"# Piers\n\n{TEXT}"


def test_each_piece_of_a_small_page_is_read():
    pieces = [markup.format("oak") for markup, _ in PIECES.values()]
    terms = "<dl><dt>Keel</dt><dd>what holds a ship straight</dd></dl>"
    folded = "<details><summary>More</summary>Ask the harbour master.</details>"

    content = content_of("", "".join([*pieces, terms, folded]))

    kept = ("| 1 | oak |", "```", "> oak", "- pine", "pier", "Keel", "straight", "More", "master.")
    assert [word for word in kept if word not in content] == []
