"""OpenDocument text: order, lists, tables, emphasis, notes, and archives that are traps."""

import pytest

from sourcewright.base.errors import BadAnswer, Unreadable

pytestmark = pytest.mark.anyio
SPACES = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for name in ("office", "text", "table", "style", "fo", "draw", "meta", "xlink", "dc", "svg")
)
STYLES = (
    "<office:automatic-styles>"
    '<style:style style:name="B"><style:text-properties fo:font-weight="bold"/></style:style>'
    '<style:style style:name="I"><style:text-properties fo:font-style="italic"/></style:style>'
    '<style:style style:name="U"><style:text-properties style:text-position="super 58%"/></style:style>'
    '<style:style style:name="D"><style:text-properties style:text-position="sub 58%"/></style:style>'
    '<style:style style:name="UI"><style:text-properties style:text-position="33% 58%" fo:font-style="italic"/></style:style>'
    '<style:style style:name="Q" style:parent-style-name="Quotations"/>'
    '<style:style style:name="C" style:parent-style-name="Preformatted_20_Text"/>'
    '<text:list-style style:name="N"><text:list-level-style-number text:level="1"/>'
    '<text:list-level-style-bullet text:level="2"/></text:list-style></office:automatic-styles>'
)
META = (
    f"<office:document-meta {SPACES}><office:meta><dc:title>On tides</dc:title>"
    "<meta:initial-creator>A. Okonkwo</meta:initial-creator><dc:date>2020-03-09T10:00:00</dc:date>"
    "</office:meta></office:document-meta>"
)
TYPE = "application/vnd.oasis.opendocument.text"


@pytest.fixture
def odt(pack):
    def make(body: str, **parts: str) -> bytes:
        main = (
            f"<office:document-content {SPACES}>{STYLES}<office:body><office:text>{body}"
            "</office:text></office:body></office:document-content>"
        )
        return pack({"mimetype": TYPE, "content.xml": main, "meta.xml": META, **parts})

    return make


def cell(text: str, more: str = "") -> str:
    return f"<table:table-cell {more}><text:p>{text}</text:p></table:table-cell>"


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (
            '<text:h text:outline-level="2">Piers</text:h><text:p>Two<text:s text:c="2"/>words</text:p>',
            "## Piers\n\nTwo words",
        ),
        ('<text:p text:style-name="Title">Tides</text:p><text:p>x</text:p>', "# Tides\n\nx"),
        (
            (
                '<text:p>2<text:span text:style-name="U">k</text:span> or 2<text:span '
                'text:style-name="UI">n</text:span><text:span text:style-name="U">+1</text:span> or '
                '1010<text:span text:style-name="D">2</text:span></text:p>'
            ),
            "2^k or 2ⁿ⁺¹ or 1010₂",
        ),
        (
            (
                '<text:p>The <text:span text:style-name="B">high</text:span> <text:span '
                'text:style-name="I">tide</text:span><text:line-break/>*rose*</text:p>'
            ),
            "The **high** *tide*\n\\*rose\\*",
        ),
        (
            (
                '<text:p>See <text:a xlink:href="https://p.example/">port</text:a>, <text:a '
                'xlink:href="javascript:x()">no</text:a>.</text:p>'
            ),
            "See [port](https://p.example/), no.",
        ),
        (
            (
                '<text:list text:style-name="N"><text:list-item><text:p>one</text:p><text:list '
                'text:style-name="N"><text:list-item><text:p>in</text:p></text:list-item></text:list>'
                "</text:list-item><text:list-item><text:p>two</text:p></text:list-item></text:list>"
            ),
            "1. one\n   - in\n2. two",
        ),
        (
            (
                f"<table:table><table:table-column/><table:table-header-rows><table:table-row>{cell('Pier')}"
                f"{cell('Wood')}</table:table-row></table:table-header-rows><table:table-row>"
                f"{cell('A | B', 'table:number-columns-spanned=&quot;2&quot;'.replace('&quot;', chr(34)))}"
                "<table:covered-table-cell/></table:table-row></table:table>"
            ),
            "| Pier | Wood |\n| --- | --- |\n| A \\| B |  |",
        ),
        (
            (
                '<text:p text:style-name="C">if x:</text:p><text:p text:style-name="C"><text:s '
                'text:c="4"/>go()</text:p><text:p>End</text:p>'
            ),
            "```\nif x:\n    go()\n```\n\nEnd",
        ),
        (
            (
                "<text:p>It rose<text:note><text:note-citation>1</text:note-citation><text:note-body>"
                "<text:p>By a metre.</text:p></text:note-body></text:note><office:annotation><dc:creator>"
                "Ada</dc:creator><dc:date>2020</dc:date><text:p>How far?</text:p></office:annotation></text:p>"
            ),
            "It rose[^1][^c1]\n\n[^1]: By a metre.\n\n[^c1]: Comment by Ada: How far?",
        ),
        (
            (
                "<text:tracked-changes><text:deletion><text:p>Gone</text:p></text:deletion>"
                "</text:tracked-changes><text:section><text:p>In a section</text:p></text:section>"
            ),
            "In a section",
        ),
        (
            (
                "<text:p><draw:frame><svg:desc>A pier</svg:desc></draw:frame></text:p><text:p><draw:frame>"
                "<draw:text-box><text:p>Boxed</text:p></draw:text-box></draw:frame></text:p>"
            ),
            "A pier\n\nBoxed",
        ),
    ],
)
async def test_text_keeps_its_form(read, odt, body, text):
    reading = await read(odt(body))

    assert reading.content == text
    assert (reading.kind, reading.cut) == ("odt", False)


async def test_lists_that_a_converter_has_divided_are_one(read, odt):
    entry = "<text:list-item><text:p>{}</text:p></text:list-item>"
    nested = f"<text:list-item><text:list>{entry.format('in')}</text:list></text:list-item>"

    reading = await read(
        odt(
            f'<text:list xml:id="l1" text:style-name="N">{entry.format("one")}</text:list>'
            f'<text:list text:style-name="M">{nested}</text:list>'
            f'<text:list text:continue-list="l1" text:style-name="N">{entry.format("two")}</text:list>'
            "<text:p>between</text:p>"
            f'<text:list text:continue-list="l1" text:style-name="N">{entry.format("three")}</text:list>'
        )
    )

    assert reading.content == "1. one\n   - in\n2. two\n\nbetween\n\n3. three"


async def test_a_nested_list_has_the_style_of_the_outer_one(read, odt):
    inner = "<text:list><text:list-item><text:p>in</text:p></text:list-item></text:list>"
    styles = (
        '<text:list-style style:name="D"><text:list-level-style-bullet text:level="1"/>'
        '<text:list-level-style-number text:level="2"/></text:list-style>'
    )
    body = f'<text:list text:style-name="D"><text:list-item><text:p>one</text:p>{inner}</text:list-item></text:list>'
    sheet = f"<office:document-styles {SPACES}><office:styles>{styles}</office:styles></office:document-styles>"

    reading = await read(odt(body, **{"styles.xml": sheet}))

    assert reading.content == "- one\n  1. in"


async def test_a_document_says_who_wrote_it(read, odt):
    reading = await read(odt("<text:p>words</text:p>"))

    assert (reading.title, reading.author) == ("On tides", "A. Okonkwo")
    assert reading.modified == "2020-03-09T10:00:00"


@pytest.mark.parametrize(
    ("body", "parts", "problem"),
    [
        ("", {"META-INF/manifest.xml": "<m><encryption-data/></m>"}, "password-protected"),
        ("", {"content.xml": "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>"}, "damaged|no text"),
        ("", {"content.xml": "no markup"}, "damaged"),
        ("", {}, "no text"),
    ],
    ids=["encrypted", "entities", "no XML", "empty"],
)
async def test_what_cannot_be_read_says_why(read, odt, body, parts, problem):
    with pytest.raises((BadAnswer, Unreadable), match=problem):
        await read(odt(body, **parts))


@pytest.mark.parametrize(
    "body",
    [
        "<text:span>" * 3000 + "deep" + "</text:span>" * 3000,
        "<text:list><text:list-item>" * 500
        + "<text:p>deep</text:p>"
        + "</text:list-item></text:list>" * 500,
        '<text:p>x<text:s text:c="999999999"/></text:p>',
        f'<text:p>x<text:s text:c="{"9" * 5000}"/></text:p>',
        (
            '<table:table><table:table-row><table:table-cell table:number-columns-repeated="16384"/>'
            "</table:table-row></table:table><text:p>x</text:p>"
        ),
        '<text:h text:outline-level="99999999999">x</text:h>',
    ],
    ids=["spans", "lists", "blanks", "digits", "cells", "level"],
)
async def test_no_document_takes_long(read, odt, body):
    reading = await read(odt(f"<text:p>a</text:p>{body}"))

    assert len(reading.content) < 1000


async def test_quotations_and_raised_numbers_keep_their_form(read, odt):
    body = (
        '<text:p text:style-name="Q">It rose.</text:p><text:p text:style-name="Q">It fell.</text:p>'
        '<text:p>Over 10 m<text:span text:style-name="U">2</text:span>.</text:p>'
    )

    reading = await read(odt(body))

    assert reading.content == "> It rose.\n>\n> It fell.\n\nOver 10 m²."


async def test_an_embedded_formula_is_read(read, odt):
    frame = '<draw:frame><draw:object xlink:href="./Object 1"/></draw:frame>'
    formula = (
        '<math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mrow><mi>E</mi><mo>=</mo>'
        "<mi>m</mi><msup><mi>c</mi><mn>2</mn></msup></mrow></semantics></math>"
    )

    reading = await read(
        odt(f"<text:p>So {frame} holds.</text:p>", **{"Object 1/content.xml": formula})
    )

    assert reading.content == "So E=mc² holds."
