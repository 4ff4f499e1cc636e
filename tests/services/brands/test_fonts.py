"""Which fonts a text states, and for what."""

import pytest

from sourcewright.domain.records.brands import Font, Typography
from sourcewright.services.brands.fonts import google_families, stated_fonts, with_google_fonts
from sourcewright.services.brands.markup import markup_of


def fonts(page):
    stated = stated_fonts(markup_of(page.encode(), url="https://a.example/").lines)
    return {
        use: (font.family, font.weights)
        for use in ("heading", "body", "mono")
        if (font := getattr(stated, use))
    }


STATED = {
    "<p>Headlines: Fjord One</p>": {"heading": ("Fjord One", ())},
    "<p>Body copy \u2013 Source Serif 4, 400 and 700</p>": {
        "body": ("Source Serif 4", (400, 700))
    },
    "<p>Inter Bold: headings</p>": {"heading": ("Inter", (700,))},
    "<p>We use S\u00f6hne for headlines and Inter for body text.</p>": {
        "heading": ("S\u00f6hne", ())
    },
    "<table><tr><td>Headings</td><td>Inter Semi-Bold</td></tr></table>": {
        "heading": ("Inter", (600,))
    },
    "<h3>Code</h3><p>Fjord Mono</p>": {"mono": ("Fjord Mono", ())},
    "<p>Headings: use the same size everywhere.</p>": {},
    "<p>Our headings are bold.</p>": {},
}


@pytest.mark.parametrize("text", STATED)
def test_a_font_is_taken_only_with_its_use(text):
    assert fonts(f"<h2>Typography</h2>{text}") == STATED[text]


def test_outside_a_section_on_fonts_nothing_is_a_font():
    assert fonts("<h2>News</h2><p>Headlines: Storm Ahead</p>") == {}


def test_google_fonts_gives_weights_and_origin_to_stated_families_alone():
    url = "https://fonts.googleapis.com/css2?family=Inter:ital,wght@0,400;1,700&family=Lora"

    completed = with_google_fonts(
        Typography(heading=Font(family="Inter"), body=Font(family="Own"), google_fonts_url=url)
    )

    assert completed.heading == Font(
        family="Inter", weights=(400, 700), origin="google_fonts", origin_id="Inter"
    )
    assert completed.body == Font(family="Own")
    assert completed.mono is None
    assert google_families("https://fonts.googleapis.com/css?family=Lora|Open+Sans:400,700") == {
        "lora": (),
        "open sans": (400, 700),
    }
