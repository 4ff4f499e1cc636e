"""Content that arrives late, is folded away, repeated, or in frames."""

import pytest

from sourcewright.reading.formats.html import read_html

URL = "https://example.org/stories/one"
PROSE = (
    "The survey of the northern harbours was finished in the spring, and its authors wrote that "
    "the old piers, which had been built of oak, were sound. Nobody had expected that."
)
BEECH, ELM = PROSE.replace("oak", "beech"), PROSE.replace("oak", "elm")
ANSWER = "Yes: a pier of oak may be mended in winter, as long as the water is below its beams."
MANY = 5_000


def content(inner: str) -> str:
    page = (
        f"<html><body><nav><a href=/>Home</a></nav><main><article><h1>The harbours</h1>"
        f"<p>{PROSE}</p>{inner}<p>{PROSE[::-1]} {PROSE}</p></article></main></body></html>"
    )
    return read_html(page, url=URL).content


def test_a_part_that_arrives_late_is_read_where_it_belongs():
    text = content(
        f'<div><template id="B:0"></template></div><p>{ELM}</p>'
        f'<div hidden id="S:0"><p>{BEECH}</p></div>'
    )

    assert text.index("built of beech") < text.index("built of elm")


def test_a_late_part_without_a_place_is_read_where_it_stands():
    text = content(f'<p>{ELM}</p><div hidden id="S:1"><p>{BEECH}</p></div>')

    assert text.index("built of elm") < text.index("built of beech")


def test_a_late_part_is_never_put_inside_itself():
    text = content(f'<div hidden id="S:2"><template id="B:2"></template><p>{BEECH}</p></div>')

    assert text.count("built of beech") == 1


@pytest.mark.parametrize("name", ["faq__answer", "tab-pane", "accordion-body"])
def test_what_a_reader_unfolds_is_read(name):
    text = content(
        f"<h2>May it be mended?</h2>"
        f'<div class="{name}" style="display:none"><p>{ANSWER} {BEECH}</p></div>'
    )

    assert "mended in winter" in text


def test_many_late_parts_do_not_hide_the_page():
    parts = "".join(f'<div hidden id="S:{at:x}"><p>{at}</p></div>' for at in range(MANY))

    assert "northern harbours" in content(parts)


def test_what_stands_on_a_page_twice_is_read_once():
    text = content(
        f'<div class="wide"><p>{BEECH}</p></div><div class="narrow"><p>{BEECH}</p></div>'
    )

    assert text.count("built of beech") == 1


def test_short_headings_and_code_may_stand_on_a_page_twice():
    part = "<h2>Example</h2><pre>harbour.measure(pier, exactly=True)\nharbour.close()</pre>"

    text = content(f"{part}<p>{BEECH}</p>{part}<p>{ELM}</p>")

    assert text.count("## Example") == 2
    assert text.count("harbour.measure(pier, exactly=True)") == 2


def test_of_two_twins_the_one_that_is_seen_is_read():
    text = content(
        f"<style>.narrow {{ display: none }}</style>"
        f'<div class="narrow"><p>{BEECH}</p></div><div class="wide"><p>{BEECH}</p></div>'
    )

    assert text.count("built of beech") == 1


def test_what_a_component_shows_of_itself_is_read():
    shadow = f"<template shadowrootmode=open><p>{BEECH}</p></template>"

    assert BEECH in content(f"<pier-card>{shadow}</pier-card>")


def test_a_page_in_frames_says_what_it_says_without_them():
    page = (
        "<html><title>Piers</title><frameset cols='1,2'><frame src=a><frame src=b>"
        f"<noframes><body><p>{BEECH}</p><p>{ELM}</p></body></noframes></frameset></html>"
    )

    assert read_html(page, url=URL).content == f"{BEECH}\n\n{ELM}"
