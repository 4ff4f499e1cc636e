"""What interrupts or follows an article, and what is not meant for a reader at all."""

import pytest

from sourcewright.readers.formats.html import read_html

URL = "https://example.org/2026/11/the-old-piers-of-the-north-are-sound"
HEAD = '<meta property="article:published_time" content="2026-11-17">'
PARAGRAPH = (
    "Number {} of the old piers was measured twice by the divers, once at low water and once at "
    "high water, and what they found was written down in the evening of the same day."
)
TEXTS = [PARAGRAPH.format(number) for number in range(1, 9)]
WHOLE = "\n\n".join(["# The old piers", *TEXTS])


def content(inside="", below="", head=HEAD, wrap="<p>{}</p>"):
    parts = [wrap.format(text) for text in TEXTS]
    body = "".join([*parts[:4], inside, *parts[4:]])
    page = (
        f"<html><head><title>The old piers</title>{head}</head><body><main><div class=x0>"
        f"<h1>The old piers</h1><div class=x1>{body}</div>{below}</div></main></body></html>"
    )
    return read_html(page, url=URL).content


@pytest.mark.parametrize(
    "inside",
    [
        "<p><a href=/a>Lesen Sie auch: Die Nacht der Flut</a></p>",
        "<p><strong>IN HARBOURS:</strong> <a href=/a>The night of the flood</a></p>",
        (
            "<div class=q><img src=/a.jpg alt=x><h3><a href=/a>The night of the flood</a></h3>"
            "<p>Nobody slept that night.</p></div>"
        ),
        (
            "<div class=q><h4>Mehr</h4><ul><li><a href=/a>The night of the flood</a></li>"
            "<li><a href=/b>The morning after the flood</a></li></ul></div>"
        ),
        "<div class=q><h4>Our letter</h4><form><input><button>Sign up</button></form></div>",
        "<div class=q>Anzeige</div>",
        '<x-data>{"slot": 12, "sizes": [[300, 250]]}</x-data>',
        '<div class="sr-only">The advertisement ends here, and the text goes on below it.</div>',
        '<div class="hidden">You have read all of your free articles. Subscribe to read on.</div>',
        "<div role=dialog><p>We would like to send you our letter, every morning.</p></div>",
    ],
)
def test_what_interrupts_an_article_is_left_out(inside):
    assert content(inside) == WHOLE


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        ("<ul><li><a href=/a>The survey of the harbour</a></li><li>oak</li></ul>", "- oak"),
        ("<h2><a href=/a>What the divers found there</a></h2>", "## [What the divers found"),
        ("<blockquote>Sound!</blockquote>", "> Sound!"),
        ("<p>Anzeige</p>", "Anzeige"),
        ("<p>The survey: <a href=/a>The harbour</a> and its piers.</p>", "and its piers."),
        ("<p>Source: <a href=/a>oak.example</a></p>", "oak.example"),
        ('<div class="hidden md:block">A line for wide screens only.</div>', "wide screens"),
        ('<pre>{"slot": 12}</pre>', '{"slot": 12}'),
    ],
)
def test_what_belongs_to_an_article_stays_in_it(inside, expected):
    assert expected in content(inside)


@pytest.mark.parametrize(
    "member",
    [
        "<li><b>Karl</b> 03.11.2026 <p>I was there that night, and I saw nobody.</p></li>",
        (
            "<div class=c><div>Karl, 3 November 2026</div><p>I was there, and saw nobody.</p>"
            "<a href=#>Reply</a></div>"
        ),
        (
            "<article class=c><h4><a href=/a>The night of the flood in the north</a></h4>"
            "<p>Nobody slept that night.</p></article>"
        ),
    ],
)
def test_a_run_of_like_shaped_elements_after_the_text_is_left_out(member):
    below = f"<section><h3>Mehr</h3>{member * 4}</section>".replace("I was", "{} was")

    assert content(below=below) == WHOLE


def test_images_outside_figures_have_their_captions_too():
    box = "<div class=q><img src=/a.jpg alt=Pier><p>The pier at dawn. Photo: Ada Doe</p></div>"

    text = content(box)

    image = "![Pier](https://example.org/a.jpg)\n*The pier at dawn. Photo: Ada Doe*"
    assert text == WHOLE.replace(f"{TEXTS[3]}\n\n", f"{TEXTS[3]}\n\n{image}\n\n")


def test_paragraphs_beside_images_stay_paragraphs():
    text = content(wrap="<div class=q><img src=/a.jpg alt=Pier><p>{}</p></div>")

    assert all(f"\n{paragraph}" in text for paragraph in TEXTS)


def test_shortcodes_that_were_not_rendered_are_removed():
    opened, closed = '[vc_row css=".a"][vc_column_text]', "[/vc_column_text][/vc_row]"

    text = content(
        f"<p>{opened}{PARAGRAPH.format(20)}{closed}</p><p><code>[vc_row]</code> is it.</p>"
    )

    assert PARAGRAPH.format(20) in text
    assert "`[vc_row]` is it." in text
    assert text.count("[vc_") == 1


@pytest.mark.parametrize("mark", ["[1]", "[sic]", "[some_name]", "[see below]", "[/b]"])
def test_other_brackets_stay(mark):
    text = content(f"<p>The divers {mark} wrote it down, every evening, in the same old book.</p>")

    assert mark.replace("[", "\\[").replace("]", "\\]").replace("_", "\\_") in text


def test_text_for_two_widths_is_read_once():
    twice = "".join(f"<p class=wide>{text}</p><p class=narrow>{text}</p>" for text in TEXTS)
    page = f"<body><h1>The old piers</h1><div>{twice}</div></body>"

    assert read_html(page, url=URL).content == WHOLE


def test_a_line_that_a_text_repeats_is_kept():
    lines = "".join(f"<p>{TEXTS[0]}</p><p>{TEXTS[0]}</p><p>{text}</p>" for text in TEXTS[1:])

    text = read_html(f"<body><h1>The old piers</h1><div>{lines}</div></body>", url=URL).content

    assert text.count(TEXTS[0]) == 2 * len(TEXTS[1:])


def test_a_paragraph_that_recurs_under_another_heading_is_kept():
    section = "<section><h2>{}</h2><p>{}</p><p>{}</p></section>"
    parts = section.format("First", TEXTS[0], TEXTS[1]) + section.format(
        "Next", TEXTS[2], TEXTS[0]
    )

    text = read_html(f"<body><h1>The old piers</h1>{parts}</body>", url=URL).content

    assert text.count(TEXTS[0]) == 2


def test_a_list_of_words_that_recurs_under_another_heading_is_read_once():
    words = " <br>".join(f"therapy of harbours number {number}" for number in range(9))
    section = "<section><h2>{}</h2><p>{}</p><p>{}</p></section>"
    parts = section.format("First", words, TEXTS[1]) + section.format("Next", TEXTS[2], words)

    text = read_html(f"<body><h1>The old piers</h1>{parts}</body>", url=URL).content

    assert text.count("therapy of harbours number 7") == 1


def test_markup_escaped_for_pages_without_scripts_is_left_out():
    pixel = f'<img src="https://example.org/?{"name=value" * 90}">'
    escaped = pixel.replace("<", "&lt;").replace(">", "&gt;")

    assert content(below=f"<noscript>{escaped}</noscript>") == WHOLE
