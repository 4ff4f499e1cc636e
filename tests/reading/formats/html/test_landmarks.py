"""What is outside the text of a page: beside its only `article`, lists of links, consent to cookies."""

import pytest

from sourcewright.reading.formats.html import read_html

PARAGRAPH = (
    "Number {} of the old piers was measured twice by the divers, once at low water and once at "
    "high water, and what they found was written down in the evening of the same day."
)
PARAGRAPHS = [*map(PARAGRAPH.format, range(1, 6))]
BODY = "".join(f"<p>{text}</p>" for text in PARAGRAPHS)
PUBLISHED = '<meta property="article:published_time" content="2026-11-17">'
ABOUT = (
    "<p>This paper has been printed in the harbour since 1871. It belongs to those who work for it, "
    "and whoever reads it may become one of its owners for twelve crowns.</p>"
)
LINKS = "".join(
    f"<{{0}} class=n><a href=/s/{number}>Another story of the harbour, number {number}</a></{{0}}>"
    for number in range(4)
)
NOTICES = {
    "en": "We and our 812 partners use cookies to store information on a device and to personalise "
    "advertising. You may accept all of them, or reject them in the settings, at any time. Your "
    "consent is kept for a year.",
    "de": "Wir und unsere 812 Partner verwenden Cookies, um Werbung und Inhalte zu personalisieren. "
    "Sie können zustimmen oder alle ablehnen; Ihre Einwilligung lässt sich in den Einstellungen "
    "jederzeit widerrufen. Mehr steht unter Datenschutz.",
}


def content(page, head=PUBLISHED):
    html = f"<html><head><title>The old piers</title>{head}</head><body>{page}</body></html>"
    return read_html(html, url="https://example.org/p/471").content


@pytest.mark.parametrize("tag", ["article", "main"])
def test_text_beside_the_only_element_for_it_is_left_out(tag):
    text = content(
        f"<div class=w><{tag}><h1>The old piers</h1><div class=t>{BODY}</div></{tag}>"
        f"<div class=u><div class=v>{ABOUT}</div></div></div>",
        head="",
    )

    assert text == "\n\n".join(["# The old piers", *PARAGRAPHS])


def test_a_menu_that_is_far_longer_than_the_text_is_left_out():
    menu = "".join(
        f"<li><a href=/api/{n}>pier.gauge.Level.method_{n}</a></li>" for n in range(300)
    )
    text = "<h1>pier.gauge.Level.read</h1><p>Returns the level at low water.</p>"
    code = (
        "<pre>&gt;&gt;&gt; Level(3).read()\n2.5 metres above the chart datum of the harbour</pre>"
    )

    content = read_html(
        f"<title>read</title><body><div><nav><ul>{menu}</ul></nav></div><main>{text}{code}"
        "<p>Raises an error if the gauge is dry, which happens in spring.</p></main>",
        url="https://docs.example/read.html",
    ).content

    assert content.startswith("# pier.gauge.Level.read\n\nReturns the level")
    assert "method_1" not in content.replace("\\", "")


def test_a_dialog_beside_the_main_text_is_left_out_though_it_has_half_of_all_text():
    text = "<h1>Kettle of iron</h1><p>It holds two litres, for gas and for open fires.</p>"
    details = "<h2>Delivery</h2><p>Sent in two days. Returned goods are taken back.</p>"
    dialog = (
        "<div role=dialog aria-label=notice><span>We measure how visitors use the shop, to "
        "make it better. <a href=/p>Learn more</a></span><a role=button>Allow it</a></div>"
    )

    content = read_html(
        f"<title>Kettle</title><body>{dialog}<main>{text}{details}</main>",
        url="https://shop.example/kettle",
    ).content

    assert content.startswith("# Kettle of iron\n\nIt holds two litres")
    assert "We measure" not in content
    assert content.endswith("taken back.")


def test_text_is_kept_beside_an_element_that_has_little_of_it():
    text = content(
        f"<div class=w><h1>The old piers</h1><div class=t>{BODY}</div>"
        f"<article><p>{PARAGRAPH.format(9)}</p></article></div>"
    )

    assert all(paragraph in text for paragraph in PARAGRAPHS)


def test_the_texts_of_several_elements_are_all_kept():
    articles = "".join(f"<article><h2>Pier</h2><p>{text}</p></article>" for text in PARAGRAPHS)

    assert all(text in content(articles) for text in PARAGRAPHS)


@pytest.mark.parametrize("tag", ["div", "li"])
def test_a_list_of_links_below_a_short_text_is_left_out(tag):
    texts = [
        PARAGRAPHS[0],
        "Nobody had expected that the piers, which are all of oak, would last for so many years.",
    ]
    short = "".join(f"<p>{text}</p>" for text in texts)

    text = content(
        f"<div class=w><h1>The old piers</h1><div class=t>{short}</div><div class=k>"
        f"{LINKS.replace('{0}', tag)}</div></div>"
    )

    assert text == "\n\n".join(["# The old piers", *texts])


def test_a_list_of_links_in_the_text_is_kept():
    text = content(
        f"<div class=w><h1>The old piers</h1><div class=t>{BODY}<p>Sources:</p><ul>"
        f"{LINKS.replace('{0}', 'li')}</ul></div></div>"
    )

    assert text.count("Another story of the harbour") == 4


@pytest.mark.parametrize("language", NOTICES)
def test_a_notice_that_asks_for_consent_to_cookies_is_left_out(language):
    notice = (
        f"<div class=q><div class=r><h2>Cookies</h2><p>{NOTICES[language]}</p><button>OK</button>"
        "</div></div>"
    )
    short = f"<div class=w><h1>The old piers</h1><div class=t><p>{PARAGRAPHS[0]}</p></div></div>"

    assert content(notice + short) == f"# The old piers\n\n{PARAGRAPHS[0]}"


@pytest.mark.parametrize("language", NOTICES)
def test_a_notice_with_a_button_inside_the_page_is_left_out(language):
    notice = f"<div class=q><p>{NOTICES[language]}</p><button>OK</button></div>"
    text = f"<div class=w><h1>The old piers</h1><div class=t>{BODY}</div></div>"

    whole = "\n\n".join(["# The old piers", *PARAGRAPHS])
    assert content(f"<div id=app>{text}<div class=s>{notice}</div></div>") == whole


def test_a_section_about_consent_to_cookies_is_kept():
    section = f"<div class=s><h2>Cookies</h2><p>{NOTICES['en']}</p></div>"
    text = content(f"<div id=app><h1>The law</h1><div class=t>{BODY}{section}</div></div>")

    assert NOTICES["en"] in text


def test_a_list_with_buttons_and_words_of_consent_is_kept():
    words = ("Cookies", "Agree", "Deny", "Partners", "Privacy", "Manage")
    items = "".join(
        f"<div class=i><p>{PARAGRAPH.format(number)} {word}.</p><button>Save</button></div>"
        for number, word in enumerate(words)
    )
    more = "".join(f"<p>{PARAGRAPH.format(number)}</p>" for number in range(20, 40))

    text = content(f"<div id=app><div class=t>{more}</div><div class=l>{items}</div></div>")

    assert "Number 0 of the old piers" in text


def test_a_text_about_consent_to_cookies_is_kept():
    text = content(f"<h1>The old law</h1><div class=t><p>{NOTICES['en']}</p></div>")

    assert NOTICES["en"] in text
