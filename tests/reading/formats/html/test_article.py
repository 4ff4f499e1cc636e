"""What surrounds the text of an article, recognised by its shape and not by names or words."""

import pytest

from sourcewright.reading.formats.html import read_html

URL = "https://example.org/2026/11/the-old-piers-of-the-north-are-sound"
PARAGRAPH = (
    "Number {} of the old piers was measured twice by the divers, once at low water and once at "
    "high water, and what they found was written down in the evening of the same day."
)
BODY = "".join(f"<p>{PARAGRAPH.format(number)}</p>" for number in range(1, 9))
HEAD = '<meta property="article:published_time" content="2026-11-17">'
CARD = (
    "<div class=k1><img src=/{0}.jpg alt='Story {0}'><h4><a href=/s/{0}>Another story of the "
    "harbour, number {0}</a></h4><p>Its first sentence promises a lot. There is more to read.</p>"
    "</div>"
)
CARDS = f"<div class=k0><h3>K0</h3>{''.join(map(CARD.format, range(4)))}</div>"
AUTHOR = (
    "<div class=x3><p>Ada Pier has written about harbours, piers and ships for this paper since "
    "2012. She lives by the sea.</p></div>"
)


def content(above="", below="", head=HEAD, body=f"<div class=x1>{BODY}</div>", url=URL):
    page = (
        f"<html><head><title>The old piers</title>{head}</head><body><main><div class=x0>"
        f"<h1>The old piers</h1>{above}{body}{below}</div></main></body></html>"
    )
    return read_html(page, url=url).content


WHOLE = "\n\n".join(["# The old piers", *map(PARAGRAPH.format, range(1, 9))])


@pytest.mark.parametrize(
    "above",
    [
        "<div>Ada Pier</div><div>17 November 2026, 10:04</div>",
        "<div><a href=/ada>Ada Pier</a></div><time>17. November 2026</time><div>Teilen</div>",
        "<ul><li>2026年11月17日</li><li>共有</li></ul>",
        "<p>Von Ada Pier</p><p>Lesezeit 4 Minuten</p>",
        "<div>on November 17, 2026 at 12:06 PM, updated November 17, 2026 at 12:10 PM</div>",
        "<div>17/11/2026 a las 06:14h.</div>",
        "<h2>The divers of the harbour went down once more, and came up with good news for all.</h2>",
    ],
)
def test_lines_between_headline_and_text_are_left_to_the_metadata(above):
    assert content(above) == WHOLE


def test_a_byline_beside_the_image_of_its_author_is_no_caption():
    lines = "<div><img src=/ada.png><div>Ada Pier</div><time>17 November 2026</time></div>"

    assert content(lines) == WHOLE


def test_a_headline_is_known_with_a_kicker_before_it():
    lines = (
        "<div class=l>Von Ada Pier und Karl Doe</div><div><time>17.11.2026, 10.32 Uhr</time></div>"
    )
    page = (
        "<html><head><title>Divers find the old piers sound - The Harbour</title>"
        f"{HEAD}</head><body><main><div class=x0><h2><span>Streit um Hafen</span> <span>Divers "
        f"find the old piers sound</span></h2>{lines}<div class=x1>{BODY}</div></div>"
        "</main></body></html>"
    )

    text = read_html(page, url="https://example.org/panorama/a-4c0f1d6e").content

    headline = "## Streit um Hafen Divers find the old piers sound"
    assert text == WHOLE.replace("# The old piers", headline)


def test_lines_above_a_short_text_are_left_to_the_metadata():
    lines = "<div>Ada Pier</div><div>17 November 2026, 10:04</div>"
    short = f"<div class=x1><p>{PARAGRAPH.format(1)}</p><p>Nobody was hurt.</p></div>"

    text = content(lines, body=short)

    assert text == f"# The old piers\n\n{PARAGRAPH.format(1)}\n\nNobody was hurt."


def test_lines_that_are_much_of_a_short_text_are_kept():
    lines = "".join(f"<div>Pier number {number}: oak</div>" for number in range(9))
    short = f"<div class=x1><p>{PARAGRAPH.format(1)}</p></div>"

    assert content(lines, body=short).count(": oak") == 9


def test_a_summary_above_the_text_is_kept():
    points = [f"Pier number {number} is as sound as on its first day" for number in range(4)]

    text = content(f"<ul>{''.join(f'<li>{point}</li>' for point in points)}</ul>")

    assert all(f"- {point}" in text for point in points)


NEWS = "".join(
    f"<tr><td>{hour}:15</td><td><a href=/n/{hour}>Another story of the harbour, number {hour}</a></td></tr>"
    for hour in range(10, 18)
)
TABLE_OF_LINKS = (
    f"<div class=k2><h2>News</h2><table><tr><th>No</th><th>Title</th></tr>{NEWS}</table></div>"
)


@pytest.mark.parametrize("below", [CARDS, AUTHOR, CARDS + AUTHOR, TABLE_OF_LINKS])
def test_what_follows_outside_the_text_is_left_out(below):
    assert content(below=below) == WHOLE


@pytest.mark.parametrize(
    ("below", "expected"),
    [
        (
            (
                "<div><table><tr><th>Pier</th><th>Wood</th></tr><tr><td>1</td><td>oak</td></tr>"
                "</table></div>"
            ),
            "| 1 | oak |",
        ),
        ("<div><pre><code>pier = 1</code></pre></div>", "pier = 1"),
        (
            (
                "<section><h3>Is oak sound?</h3><p>It is, if it stays under water all the time.</p>"
                "<h3>Is pine sound?</h3><p>It is not, and it never was in this harbour.</p></section>"
            ),
            "It is not, and it never was in this harbour.",
        ),
    ],
)
def test_tables_code_and_answers_after_the_text_are_kept(below, expected):
    assert expected in content(below=below)


def test_messages_of_a_thread_are_all_kept():
    messages = "".join(
        f"<div class=m><div class=n>{PARAGRAPH.format(number)}</div></div>"
        for number in range(20, 23)
    )
    first = f"<div class=m><div class=n>{BODY}</div></div>"

    text = content(head="", body=f"<div>{first}{messages}</div>")

    assert all(PARAGRAPH.format(number) in text for number in range(20, 23))


@pytest.mark.parametrize(
    ("url", "head"),
    [
        ("https://example.org/2026/11/17/4711", ""),
        ("https://example.org/a/202611/17/WS65571297.html", ""),
        ("https://example.org/piers-of-an-open-community-license-text", ""),
        (
            "https://example.org/piers",
            (
                f"{HEAD}<script type='application/ld+json'>"
                '[{"@type": "FAQPage", "mainEntity": [{"@type": "Question", "name": "Oak?"}]}]'
                "</script>"
            ),
        ),
    ],
)
def test_addresses_with_a_date_or_a_title_are_those_of_articles(url, head):
    assert content("<div>Ada Pier</div><div>17 November</div>", head=head, url=url) == WHOLE


def test_the_headline_is_the_heading_with_the_words_of_the_title():
    page = (
        "<html><head><title>The old piers of the north - The Pier Times</title></head><body>"
        "<h1>The Pier Times</h1><div>Edition 17</div><main><div><h2>The old piers of the north"
        f"</h2><div>By Ada Pier</div><div>{BODY}</div></div></main></body></html>"
    )

    text = read_html(page, url=URL).content

    assert text == WHOLE.replace("# The old piers", "## The old piers of the north")


def test_a_notice_far_below_the_text_is_left_out():
    links = "".join(f"<li><a href=/{number}>Part {number}</a></li>" for number in range(40))
    notice = (
        "All rights of this page are reserved. No part of it may be copied without the permission "
        "of the publisher, who answers letters within a week."
    )

    text = content(below=f"<ul>{links}</ul><div><div>{notice}</div></div>")

    assert text == WHOLE


def test_sections_beside_the_text_are_part_of_it():
    sections = "".join(
        f"<h3>Pier {number}</h3><p>{PARAGRAPH.format(number)}</p>" for number in range(20, 23)
    )

    text = content(below=f"<section>{sections}</section>")

    assert all(PARAGRAPH.format(number) in text for number in range(20, 23))


def test_a_paragraph_that_a_share_box_repeats_is_kept_in_the_text():
    lead = PARAGRAPH.format(1)

    text = content(f"<div class=share><h4>The old piers</h4><p>{lead}</p></div>")

    assert text.count(lead) == 1
    assert PARAGRAPH.format(2) in text


def test_a_list_of_articles_with_author_and_date_is_kept():
    card = (
        "<div class=k><h3><a href=/s/{0}>Another story of the harbour, number {0}</a></h3>"
        "<p>By Ada Pier</p><p>17 November 2026</p><p>Its first sentence promises a lot.</p></div>"
    )
    cards = "".join(map(card.format, range(20)))
    intro = f"<div>By <a rel=author href=/ada>Ada Pier</a></div><time>17 November 2026</time>{BODY[:900]}"

    text = content(body=intro + cards, head="", url="https://example.org/news")

    assert "Another story of the harbour, number 19" in text


REMARK = (
    "<div class=comment><h3>Remark {0}</h3><p>I have seen pier number {0} with my own eyes, and I "
    "can tell you that it was not sound at all when I was there, whatever the divers say now. "
    "Somebody should look again, and soon, before the next storm takes it.</p><p>{1}</p></div>"
)
SIGNED = HEAD + '<meta name="author" content="Ada Pier">'


def remarks(name, signature="Posted by a reader"):
    inside = "".join(REMARK.format(number, signature) for number in range(20))
    return f'<section class="{name}">{inside}</section>'


@pytest.mark.parametrize("name", ["comments", "x9 comment-list", "kommentare", "commentaires"])
def test_remarks_of_readers_are_left_out_however_long_they_are(name):
    assert content(below=remarks(name)) == WHOLE


def test_remarks_between_the_text_and_a_footer_are_left_out():
    remarks = "".join(
        f"<div class=q1><div>Bo {number}</div><div>18.11.2026 at 10:1{number}</div>"
        f"<div>{PARAGRAPH.format(number + 20)}</div></div>"
        for number in range(4)
    )
    lines = "".join(f"<div class=t>{PARAGRAPH.format(number)}</div>" for number in range(1, 9))
    page = (
        f"<html><head><title>The old piers</title>{HEAD}</head><body><div class=l><h1>The old piers"
        f"</h1>{lines}<div class=q><h4>Remarks</h4>{remarks}</div></div><div class=f><p>This site "
        "is made by the people of the harbour. All that is said here is their own view of it."
        "</p></div></body></html>"
    )

    assert read_html(page, url=URL).content == WHOLE


def test_remarks_are_left_out_of_an_element_that_is_named_after_them():
    page = f"<div class='post comments-open'><div class=x1>{BODY}</div>{remarks('comments')}</div>"

    assert content(body=page) == WHOLE


def test_remarks_are_kept_where_they_are_the_text():
    short = "<div class=x1><p>What do you think of the piers?</p></div>"

    text = content(body=short, below=remarks("comments"))

    assert "pier number 7 with my own eyes" in text


def test_remarks_are_kept_below_the_first_message_of_a_thread():
    links = "".join(
        f"<li><a href=/c/{at}>Change {at} of the tide tables</a></li>" for at in range(60)
    )
    message = f"<div class=x1>{BODY}<ul>{links}</ul></div>"

    text = content(body=message, below=remarks("comments"), head="", url="https://example.org/p/7")

    assert "pier number 7 with my own eyes" in text


def test_a_short_article_beside_much_other_text_is_an_article():
    links = "".join(
        f"<li><a href=/s/{at}>Story {at} of the sea</a> today</li>" for at in range(60)
    )
    page = (
        f"<html><head><title>The old piers</title>{SIGNED}</head><body><div><h1>The old piers</h1>"
        f"<div>17 November 2026</div><div class=x1>{BODY}</div></div>"
        f"<div class=x4><h2>Elsewhere</h2><ul>{links}</ul></div></body></html>"
    )

    assert read_html(page, url=URL).content == WHOLE


def test_what_follows_a_short_article_is_left_out():
    two = "".join(f"<p>{PARAGRAPH.format(number)}</p>" for number in (1, 2))
    follow = "<div class=x5><h3>Our letter</h3><div>Every week, in your mailbox</div></div>"

    text = content(body=f"<div class=x1>{two}</div>", below=follow)

    assert text == "\n\n".join(["# The old piers", *map(PARAGRAPH.format, (1, 2))])


def test_numbered_sections_at_the_end_of_a_manual_are_kept():
    sections = "".join(
        f"<div class=sect2><h3>10.{number}. Choosing a pier</h3><p>{PARAGRAPH.format(number)}</p></div>"
        for number in range(10, 14)
    )
    text = content(below=f"<div class=x1><h2>10. Choosing</h2>{sections}</div>")
    assert "### 10.13. Choosing a pier\n\n" + PARAGRAPH.format(13) in text


POST = (
    "<div class=e{0}><blockquote><p>The old piers will see us all out, and the harbour with us "
    "{0}</p><p>\u2014 A. Diver (@diver) <a href=/d>November 1{0}, 2026</a></p></blockquote></div>"
)


def test_posts_of_others_that_an_article_shows_are_kept():
    posts = "".join(POST.format(number).replace(f"e{number}", "e") for number in range(3))

    text = content(body=f"<div class=x1>{BODY}{posts}</div>")

    assert text.count("> The old piers will see us all out") == 3


def test_elements_with_sentences_above_the_text_are_kept():
    facts = "".join(
        f"<div class=v><div class=h>Pier {number}</div><div class=c>It is as sound as on its "
        f"first day, in the year 187{number}.</div></div>"
        for number in range(8)
    )

    assert content(above=f"<div class=p>{facts}</div>").count("It is as sound") == 8


def test_a_table_far_below_the_text_is_left_out():
    menu = "".join(f"<li><a href=/m/{number}>Topic {number}</a></li>" for number in range(40))
    rates = "<table><tr><th>Rate</th><th>Today</th></tr><tr><td>Savings</td><td>1.2 %</td></tr></table>"
    assert content(below=f"<nav><ul>{menu}</ul></nav><div class=r1>{rates}</div>") == WHOLE


def test_a_first_paragraph_that_is_the_description_stays_in_the_text():
    first = (
        "The divers say that the piers are sound, and that nothing has to be done before spring."
    )
    head = f'{HEAD}<meta property="og:description" content="{first}">'
    body = f"<div class=x1><p>{first}</p><div class=x2>{BODY}</div></div>"
    assert first in content(head=head, body=body)


def test_an_address_with_a_title_before_a_number_is_that_of_an_article():
    url = "https://example.org/content/the-old-piers-of-the-north/25050771.html"
    assert content(above="<div>Ada Pier</div><div>Share</div>", head="", url=url) == WHOLE


@pytest.mark.parametrize("line", ["17.11.2026 10:04", "2026年11月17日", "17 November 2026 | MTI"])
def test_a_date_at_the_headline_is_the_sign_of_an_article(line):
    page = "https://example.org/news?id=520246"
    assert content(f"<div>{line}</div>", below=CARDS + AUTHOR, head="", url=page) == WHOLE


def test_a_date_elsewhere_is_no_sign_of_an_article():
    page = "https://example.org/news?id=520246"
    text = content(below=f"{CARDS}<div>Changed on 17.11.2026</div>", head="", url=page)
    assert "Its first sentence promises a lot." in text
