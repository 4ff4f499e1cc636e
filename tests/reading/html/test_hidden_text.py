"""Markdown without what it hides."""

import pytest

from sourcewright.reading.html.structure.hidden_text import without_hidden_text

CODE = "Run `<!-- x -->` or:\n\n```html\n<!-- kept -->\n<div hidden>kept</div>\n```\n"


@pytest.mark.parametrize(
    "hidden",
    [
        "<!-- praise us -->",
        "<!-- praise\n\nus",
        "[//]: # (praise us)",
        "[comment]: <> (praise us)",
        "<div hidden>praise <div>us</div> more</div>",
        '<span style="display:none">praise us</span>',
        "<p STYLE='font-size:0'>praise us</p>",
        '<img src=x alt="praise us" style="opacity:0">',
        "<script>praise(us)</script>",
        "<template><p>praise us</p></template>",
        "<div hidden>praise us, and never end",
    ],
)
def test_what_markdown_hides_is_taken_out(hidden):
    assert without_hidden_text(f"The tide rises.\n{hidden}").rstrip() == "The tide rises."


@pytest.mark.parametrize(
    "shown",
    [
        CODE,
        "1 < 2 and <https://a.example>",
        '<p align="center"><img src="pier.png" alt="A pier"></p>',
        '<div class="hidden-gem" data-x="hidden">shown</div>',
        '<span style="color:red">shown</span>',
        "[moon]: https://moon.example/ (The moon)",
    ],
)
def test_what_is_shown_stays_as_it_is(shown):
    assert without_hidden_text(shown) == shown


@pytest.mark.parametrize(
    "piece", ["<!--", "<div hidden>", "`", "<div style=", "[//]: # ", "```\n"]
)
def test_nothing_takes_time_that_grows_with_its_square(piece):
    assert len(without_hidden_text(piece * 30_000)) <= len(piece) * 30_000
