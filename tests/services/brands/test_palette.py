"""Which colours a text states, and what it calls them."""

import pytest

from sourcewright.services.brands.markup import markup_of
from sourcewright.services.brands.palette import stated_colours


def colours(page):
    markup = markup_of(page.encode(), url="https://a.example/")
    return [(one.hex, one.name, one.role) for one in stated_colours(markup.lines, markup.title)]


STATED = {
    "a label and its code on one line": (
        "<h2>Colours</h2><p>Tide: #0055AA</p>",
        [("#0055aa", "Tide", None)],
    ),
    "a label above its code": (
        "<h2>Colours</h2><p>Tide</p><p>#0055AA</p><p>Moss</p><p>#00AA55</p>",
        [("#0055aa", "Tide", None), ("#00aa55", "Moss", None)],
    ),
    "a label below its code": (
        "<h2>Colours</h2><p>#0055AA</p><p>Tide</p><p>#00AA55</p><p>Moss</p>",
        [("#0055aa", "Tide", None), ("#00aa55", "Moss", None)],
    ),
    "a heading as the name": (
        "<h2>Palette</h2><h3>Tide</h3><p>Hex 0055AA</p><p>RGB 0 85 170</p><h3>Moss</h3><p>#0A5</p>",
        [("#0055aa", "Tide", None), ("#00aa55", "Moss", None)],
    ),
    "a role and a name": (
        (
            "<h2>Colours</h2><p>Primary</p><p>Tide</p><p>#0055AA</p><p>Used for text.</p>"
            "<p>Moss</p><p>#00AA55</p>"
        ),
        [("#0055aa", "Tide", "primary"), ("#00aa55", "Moss", None)],
    ),
    "a section of one role": (
        "<h2>Secondary palette</h2><ul><li>Tide #0055AA</li><li>Moss #00AA55</li></ul>",
        [("#0055aa", "Tide", "secondary"), ("#00aa55", "Moss", "secondary")],
    ),
    "only red, green and blue": (
        "<h2>Colours</h2><p>Ember</p><p>R 217 G 72 B 15</p>",
        [("#d9480f", "Ember", None)],
    ),
    "other systems after the code": (
        (
            "<h2>Colours</h2><p>Ember</p><p>#D9480F</p><p>CMYK 0 67 93 15</p><p>Pantone 1665 C</p>"
            "<p>Ash</p><p>#999999</p>"
        ),
        [("#d9480f", "Ember", None), ("#999999", "Ash", None)],
    ),
}


@pytest.mark.parametrize("case", STATED)
def test_a_stated_colour_has_its_own_name_and_role(case):
    page, expected = STATED[case]

    assert colours(page) == expected


@pytest.mark.parametrize(
    "page",
    [
        "<p>Photograph #123456 is free.</p>",
        "<p>Read #facade and #add.</p>",
        "<h2>Colours</h2><p>Never use #FF00FF.</p>",
        "<style>a { color: #0055AA }</style><p style='color:#0055AA'>Blue</p>",
        "<a href='#0055AA'>Up</a>",
        "<h2>Colours</h2><p>RGB 300 0 0</p>",
        "<p>&#123456;</p>",
    ],
)
def test_what_only_looks_like_a_colour_is_none(page):
    assert colours(page) == []
