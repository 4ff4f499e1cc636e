"""Parts of pages of any kind that are left out: cards of other products, labels, filters, banners."""

import json

import pytest

from sourcewright.reading.formats.html import read_html

URL = "https://shop.example.org/kettle"
PRODUCT = {"@context": "https://schema.org", "@type": "Product", "name": "Kettle of copper"}
DESCRIPTION = (
    "The kettle is made of copper by a smith in the north, and holds a litre and a half of water. "
    "It is lined with tin, so that nothing of the copper comes into the tea, and it has a handle "
    "of oak that stays cool. The smith has made it for thirty years, and repairs every one."
)
CARD = (
    '<div class="x7"><a href="/p{0}"><img src="/p{0}.jpg" alt=""></a>'
    "<h3>Pot of the form number {0}</h3><p>${0}9.50</p></div>"
)
CARDS = f"<section class=x3><h2>Noch mehr</h2>{''.join(map(CARD.format, range(1, 8)))}</section>"


def content(inner, *, above="", data=PRODUCT):
    script = f'<script type="application/ld+json">{json.dumps(data)}</script>' if data else ""
    page = (
        f"<html><head><title>Kettle of copper</title>{script}</head><body>{above}<main>"
        f"<div class=x1><h1>Kettle of copper</h1><p>{DESCRIPTION}</p></div>{inner}</main></body></html>"
    )
    return read_html(page, url=URL).content


def items(label, *, count=8, tag="div"):
    """A list of things, each with a name, a description and the same label."""
    cards = "".join(
        f"<li class=x5><h3><a href=/t{number}>Thing of the form {'abcdefghijkl'[number]}</a></h3>"
        f"<p>It was made by hand in the year {1900 + number}, of oak and of iron.</p>"
        f"<div class=x9><{tag}>{label}</{tag}></div></li>"
        for number in range(count)
    )
    return f"<ul class=x4>{cards}</ul>"


def test_cards_of_other_products_are_left_out_with_their_heading():
    text = content(CARDS)

    assert DESCRIPTION in text
    assert "Pot of the form" not in text
    assert "Noch mehr" not in text


def test_a_list_of_products_keeps_its_cards():
    products = [{**PRODUCT, "name": f"Pot {number}"} for number in range(1, 8)]
    page = {"@context": "https://schema.org", "@graph": products}

    assert content(CARDS, data=page).count("Pot of the form") == 7
    few = f"<p>{DESCRIPTION.upper()}</p><div>{''.join(map(CARD.format, range(1, 5)))}</div>"
    assert content(few, data=page).count("Pot of the form") == 4


def test_siblings_without_links_to_other_pages_are_no_cards():
    variants = CARDS.replace("<a ", "<b ").replace("</a>", "</b>")

    assert content(variants).count("Pot of the form") == 7


@pytest.mark.parametrize("tag", ["button", "label", "div"])
def test_a_label_that_every_item_repeats_is_left_out(tag):
    text = content(items("Vergleichen", tag=tag), data=None)

    assert text.count("Thing of the form") == 8
    assert text.count("It was made by hand") == 8
    assert "Vergleichen" not in text


@pytest.mark.parametrize("label", ["Weight:", "Made in 1950"])
def test_names_of_values_and_figures_stay(label):
    assert content(items(label), data=None).count(label) == 8


def test_a_name_beside_its_value_stays():
    named = items("Holz").replace("Holz</div>", "Holz</div><div>Eiche aus dem Norden</div>")

    assert content(named, data=None).count("Holz") == 8


def test_a_label_of_a_few_items_stays():
    text = content(items("Neu", count=3) + items("Alt", count=2), data=None)

    assert "Neu" in text
    assert "Alt" in text


def test_a_banner_above_the_headline_is_left_out():
    text = content("", above="<div class=x0><p>Zehn Euro mehr bis zum Sonntag sparen.</p></div>")

    assert text.startswith("# Kettle of copper")


def test_a_text_under_a_heading_above_the_headline_stays():
    lead = (
        "<h2>Copper of the north</h2><p>We make what our mothers and fathers have made here.</p>"
    )
    text = content("", above=f"<main><div class=x0>{lead}</div></main>")

    assert "Copper of the north" in text


def test_the_options_of_a_filter_are_left_out():
    options = "".join(
        f"<li><label><input type=checkbox>{name}</label></li>"
        for name in ("Eiche", "Birke", "Ulme")
    )
    text = content(f"<div class=x2><p>{DESCRIPTION[:150]}</p><ul>{options}</ul></div>")

    assert "Birke" not in text


def test_a_small_form_is_left_out_and_a_paragraph_in_a_form_stays():
    letter = "<form><p>Unser Brief</p><input name=mail><button>Bestellen</button></form>"
    text = content(f"{letter}<form><p>{DESCRIPTION.replace('copper', 'iron')}</p></form>")

    assert "Bestellen" not in text
    assert "The kettle is made of iron" in text


def test_urls_of_images_in_a_list_of_fields_are_left_out():
    fields = "".join(
        f"<dt>thumb_{number}:</dt><dd>https://cdn.example.org/{number}.jpg?v=2</dd>"
        for number in range(6)
    )
    text = content(f"<dl><dt>Wood</dt><dd>Oak</dd>{fields}</dl>")

    assert "cdn.example.org" not in text
    assert "thumb" not in text
    assert "Oak" in text


def test_a_line_that_follows_its_copy_is_read_once_and_equal_items_stay():
    copies = (
        "<div class=x6><div>Made by hand</div></div><div class=x8><div>Made by hand</div></div>"
    )
    text = content(f"{copies}<ul><li>Sound oak</li><li>Sound oak</li></ul><p>{DESCRIPTION}</p>")

    assert text.count("Made by hand") == 1
    assert text.count("Sound oak") == 2
