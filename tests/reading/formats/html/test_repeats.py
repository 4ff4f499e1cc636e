"""Texts that a page has twice: copies for another screen, and titles that it lists first."""

import pytest

from sourcewright.reading.formats.html import read_html

ANSWER = "Come in slowly, against the wind, and let somebody jump over with the line in hand."


def page(inner: str) -> str:
    html = f"<title>Boats</title><body><main><h1>Boats</h1>{inner}</main></body>"
    return read_html(html, url="https://example.org/boats").content


@pytest.mark.parametrize("title", ["h2", "dt"])
@pytest.mark.parametrize("target", ["", "boats.html"])
def test_a_title_that_a_table_of_contents_has_is_read_with_its_text(title, target):
    questions = [f"How do I moor a boat at the old pier in month {n}?" for n in range(1, 5)]
    contents = "".join(
        f"<div><a href='{target}#q{n}'>{question}</a></div>"
        for n, question in enumerate(questions)
    )
    body = "dd" if title == "dt" else "p"
    entries = "".join(
        f"<{title} id=q{n}>{question}</{title}><{body}>{ANSWER} Answer {n}.</{body}>"
        for n, question in enumerate(questions)
    )

    text = page(f"<div>{contents}</div><dl>{entries}</dl>")

    mark = "## " if title == "h2" else ""
    assert all(
        f"{mark}{question}\n\n{ANSWER} Answer {n}." in text for n, question in enumerate(questions)
    )


def test_what_is_said_of_several_functions_is_read_for_each():
    note = "Part of the stable interface since version 3.2."
    functions = "".join(
        f"<dl><dt>int pier_{name}(boat *b)</dt><dd>{note}<p>{about} the boat with the line.</p></dd></dl>"
        for name, about in (("moor", "Moors"), ("leave", "Frees"), ("tow", "Tows"))
    )

    text = page(f"<section><h2>Functions of piers</h2>{functions}</section>")

    assert text.count(note) == 3


def test_a_list_that_is_there_for_two_screens_is_read_once():
    facts = "".join(
        f"<dt>{name}</dt><dd>It is made of the best {name.lower()} that we could find anywhere.</dd>"
        for name in ("Oak", "Pine", "Tar")
    )

    text = page(
        f"<p>{ANSWER}</p><div class=wide><div><dl>{facts}</dl></div></div>"
        f"<div class=narrow><dl>{facts}</dl></div>"
    )

    assert text.count("the best pine") == 1


def cards(places):
    return "".join(
        f"<li class=job><p>Pilot of the boat {'abcdefgh'[number]}</p><p>{place}</p>"
        f"<p>The pay is {number}00 a week, and the boat is at sea for {number} days of it.</p></li>"
        for number, place in enumerate(places, start=1)
    )


def test_what_cards_of_a_list_have_in_common_is_read_in_each():
    places = ["Anywhere on the coast", "Only at the old pier"] * 3

    text = page(f"<ul class=jobs>{cards(places)}</ul>")

    assert text.count("Anywhere on the coast") == text.count("Only at the old pier") == 3


def test_a_card_that_recurs_is_read_once():
    once = cards(["Anywhere on the coast", "Only at the old pier", "In the harbour of the town"])

    text = page(f"<ul class=jobs>{once}{once}</ul>")

    assert text.count("Anywhere on the coast") == text.count("The pay is 100 a week") == 1
