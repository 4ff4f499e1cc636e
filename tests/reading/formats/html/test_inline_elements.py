"""Elements that HTML does not know, and buttons: parts of a sentence unless they hold blocks."""

import pytest


@pytest.mark.parametrize(
    "element",
    ["x-num", "tooltip", "ix:nonfraction", "ix:nonNumeric", "relative-time", "slot", "button"],
)
def test_an_element_in_a_sentence_does_not_break_it(content, element):
    text = content(f"<p>It rose by <{element} class=v>5</{element}> per cent, they said.</p>")

    assert text == "It rose by 5 per cent, they said."


@pytest.mark.parametrize(
    ("inner", "written"),
    [
        ("<p><x-num>5</x-num><x-unit>km</x-unit> <x-where>away</x-where></p>", "5km away"),
        (
            "<div>Sales of $<ix:nonFraction><b>1,234</b></ix:nonFraction></div>",
            "Sales of $**1,234**",
        ),
        ("<x-card><p>Oak</p><p>Pine</p></x-card>", "Oak\n\nPine"),
        ("<div><x-tag>Oak</x-tag><x-tag>Pine</x-tag></div>", "Oak\n\nPine"),
        ("<p>asked the <button>harbour master</button></p>", "asked the harbour master"),
        ("<p>They asked. <button>Order</button></p>", "They asked.\n\nOrder"),
        ("<p>A <x-tip><div>deep</div></x-tip> pier</p>", "A\n\ndeep\n\npier"),
    ],
)
def test_only_blocks_divide_a_text(content, inner, written):
    assert content(inner) == written


def test_a_table_of_a_filing_keeps_its_figures_together(content):
    row = (
        "<tr><td>Net sales</td><td>$<ix:nonfraction unitref=usd scale=6>1,234</ix:nonfraction>m"
        "</td></tr>"
    )

    assert content(f"<table>{row}{row}</table>").splitlines()[0] == "| Net sales | $1,234m |"


@pytest.mark.parametrize("wrap", ["{}", "<div style='display:none'>{}</div>", "<div>{}</div>"])
def test_what_a_filing_declares_for_programs_is_left_out(content, wrap):
    header = (
        "<ix:header><ix:hidden><ix:nonNumeric name='dei:cik'>0000320193</ix:nonNumeric></ix:hidden>"
        "<ix:references><link:schemaRef>aapl.xsd</link:schemaRef></ix:references><ix:resources>"
        "<xbrli:context><xbrli:period>2024-09-28</xbrli:period></xbrli:context></ix:resources>"
        "</ix:header>"
    )

    assert content(f"{wrap.format(header)}<p>Annual report.</p>") == "Annual report."


def test_an_unknown_element_that_a_style_sheet_hides_is_left_out(content):
    text = content(
        "<p>Oak <x-tip>Praise us!</x-tip>lasts.</p>", "<style>x-tip { display: none }</style>"
    )

    assert text == "Oak lasts."
