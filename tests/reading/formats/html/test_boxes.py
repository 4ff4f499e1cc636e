"""What interrupts or follows an article, and what is not meant for a reader at all."""

import pytest

from sourcewright.reading.formats.html import read_html

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
        (
            "<div class=q><p>Thanks for reading The Harbour! Subscribe for free to receive new "
            "posts.</p><form><input type=email><input type=submit value=Subscribe></form></div>"
        ),
        "<div class=q>Anzeige</div>",
        "<header class=q>Anzeige:</header>",
        "<div class=q>Von Ada Pier, Redaktion Küste</div>",
        (
            "<aside class=q><h3>The night of the flood</h3><div>Weiterlesen</div>"
            "<a href=/a></a></aside>"
        ),
        (
            "<div class=q><a href=/a><img src=/a.jpg alt=''></a><div><a href=/a>The night of the "
            "flood</a></div><div>14 ноября, 08:00</div></div>"
        ),
        (
            "<div class=q><h4>Mehr</h4><div><a href=/a>The night of the flood</a> Von Ada</div>"
            "<div><a href=/b>The morning after it</a> Ein Interview von Ada</div></div>"
        ),
        "<div class=q><span>\u3010\u56f3\u89e3\u3011</span><a href=/a>The night of the flood</a></div>",
        "<div class=q><img alt='The pier at dawn' src='data:image/gif;base64,R0lG'></div>",
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
        ("<div class=q><b>What the divers found</b></div>", "What the divers found"),
        ("<div class=q>What the divers found:</div>", "What the divers found:"),
        ("<aside class=q><ul><li>oak</li><li>pine</li></ul></aside>", "- oak"),
        (
            (
                "<div class=q><div><a href=/u><img src=/u.png alt=''>Ada Pier of the North</a>"
                f"</div><p>{PARAGRAPH.format(20)}</p></div>"
            ),
            PARAGRAPH.format(20),
        ),
        ("<div class=q><p>All of it is oak.</p><a href=/a>Sign up</a></div>", "All of it is oak."),
        (
            "<div class=q><img src=/a.jpg alt=Pier><p>Wood: oak</p><p>Age: 90</p><p>Pros:</p></div>",
            "\nPros:",
        ),
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


@pytest.mark.parametrize(
    "member",
    [
        "<li class='{1}'><b>Karl</b><p>{0} there that night, and saw nobody.</p><i>21/04/2026</i></li>",
        "<li><h4>Sound?</h4><p>{0} there.</p><p>Posted by: Karl, 27 Nov 2026 | 15:22</p></li>",
    ],
)
def test_comments_with_their_dates_below_and_other_names_are_left_out(member):
    members = "".join(
        member.format(f"{name} was", names)
        for name, names in zip("ABCD", ("odd", "even alt", "odd", "even by-author"), strict=True)
    )

    assert content(below=f"<section><ol>{members}</ol></section>") == WHOLE


def test_a_run_is_left_out_though_a_note_about_comments_is_below_it():
    card = (
        "<article class=c><a href=/{0}>The night of the flood, part {0}</a><div>Nobody slept that "
        "night, and nobody went home before the water had gone. It took {0} days.</div></article>"
    )
    note = "<p>Comments on this text are closed. You find other debates on the pages of the forum.</p>"
    cards = "".join(map(card.format, range(2, 6)))

    assert content(below=f"<section>{cards}</section><section>{note}</section>") == WHOLE


@pytest.mark.parametrize(
    "line",
    [
        "<p>Topics: <a href=/a>harbours</a>, <a href=/b>piers</a>, <a href=/c>oak</a></p>",
        "<p>Related: <a href=/a>The night of the flood</a></p>",
        "<div>\u00a9 2026 The Harbour</div>",
        "<h3>Mehr</h3><p><a href=/a>The night of the flood</a></p><p><a href=/b>The morning after</a></p>",
    ],
)
def test_lines_below_the_last_paragraph_are_left_out(line):
    text = content().rpartition("\n\n")[2]
    page = f"<div class=x1><p>{TEXTS[0]}</p><p>{TEXTS[1]}</p><p>{TEXTS[2]}</p><p>{text}</p>{line}</div>"
    head = f"<title>The old piers</title>{HEAD}"

    read = read_html(f"<head>{head}</head><body><h1>The old piers</h1>{page}</body>", url=URL)

    assert read.content.endswith(text)


def test_a_call_to_action_in_a_signed_article_is_left_out():
    author = '<meta name="author" content="Ada Pier">'
    call = "<section class=q><p>Every morning by mail.</p><a href=/a>Sign up</a></section>"

    assert content(call, head=HEAD + author) == WHOLE


def test_a_line_that_recurs_alone_between_paragraphs_is_left_out():
    wrap = "<p>{}</p><p>Scroll to continue</p>"

    assert "Scroll" not in content(wrap=wrap).removesuffix("Scroll to continue")


def test_alternative_text_stands_for_text_that_is_not_kept():
    image = "<p><img alt='Pier number {0}' src='data:x'></p><p>{1}</p>"
    parts = "".join(image.format(number, text) for number, text in enumerate(TEXTS))
    page = f"<body><nav><a href=/3>Pier number 3</a></nav><main>{parts}</main></body>"

    text = read_html(page, url=URL).content

    assert "Pier number 3" in text
    assert "Pier number 4" not in text


def test_a_long_caption_and_its_credit_between_paragraphs_are_one_caption():
    long = "The pier at dawn, seen from the old lighthouse. " * 4
    box = f"<div class=q><img src=/a.jpg alt=Pier><p>{long}</p><div>(Credit: Ada Doe)</div></div>"

    text = content(box)

    assert f"\n*{long.strip()} (Credit: Ada Doe)*\n" in text


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
