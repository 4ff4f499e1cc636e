"""Workbooks: sheets as tables, with shared texts, dates and gaps."""

import pytest

pytestmark = pytest.mark.anyio
R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
STYLES = """<styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy\\-mm"/>
<numFmt numFmtId="165" formatCode="0.00&quot;m&quot;"/></numFmts>
<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs>
</styleSheet>"""
STRINGS = "<sst><si><t>Port</t></si><si><r><t>Saint</t></r><r><t>-Malo</t></r></si></sst>"


@pytest.fixture
def book(pack):
    def make(
        *sheets: str, properties: str = "", styles: str = STYLES, strings: str = STRINGS
    ) -> bytes:
        numbers = range(1, len(sheets) + 1)
        names = "".join(f'<sheet name="Sheet {n}" r:id="r{n}"/>' for n in numbers)
        rows = "".join(f'<R Id="r{n}" Target="worksheets/s{n}.xml"/>' for n in numbers)
        return pack(
            {
                "xl/workbook.xml": f"<workbook {R}>{properties}<sheets>{names}</sheets></workbook>",
                "xl/_rels/workbook.xml.rels": f"<Rs>{rows}</Rs>",
                "xl/sharedStrings.xml": strings,
                "xl/styles.xml": styles,
                **{
                    f"xl/worksheets/s{n}.xml": f"<w><sheetData>{sheet}</sheetData></w>"
                    for n, sheet in zip(numbers, sheets, strict=True)
                },
            }
        )

    return make


async def test_cells_show_what_people_see(read, book):
    first = (
        '<row><c r="A1" t="s"><v>0</v></c><c r="C1" t="inlineStr"><is><t>When</t></is></c></row>'
        '<row><c r="A2" t="s"><v>1</v></c><c r="B2"><v>0.1</v></c><c r="C2" s="1"><v>43899</v></c></row>'
        '<row><c r="A3" t="b"><v>1</v></c><c r="B3" s="3"><v>13.5</v></c>'
        '<c r="C3" s="2"><v>43899.75</v></c></row><row/>'
    )

    reading = await read(book(first, "<row><c><v>7</v></c></row>"))

    assert reading.content == (
        "## Sheet 1\n\n| Port |  | When |\n| --- | --- | --- |\n| Saint-Malo | 0.1 | 2020-03-09 |\n"
        "| TRUE | 13.5 | 2020-03-09 18:00:00 |\n\n## Sheet 2\n\n| 7 |\n| --- |"
    )
    assert (reading.kind, reading.cut) == ("xlsx", False)


async def test_a_book_may_count_its_days_from_1904(read, book):
    sheet = '<row><c s="1"><v>42437</v></c></row>'

    reading = await read(book(sheet, properties='<workbookPr date1904="1"/>'))

    assert "| 2020-03-09 |" in reading.content


@pytest.mark.parametrize(
    "cell",
    [
        '<c t="s"><v>99</v></c>',
        '<c t="s"><v>x</v></c>',
        '<c s="1"><v>1e300</v></c>',
        '<c r="ZZZ1"/>',
    ],
)
async def test_odd_cells_spoil_no_sheet(read, book, cell):
    reading = await read(book(f"<row><c><v>1</v></c>{cell}</row>"))

    assert "| 1 |" in reading.content


async def test_a_long_sheet_says_how_much_is_left_out(read, book):
    reading = await read(book("<row><c><v>5</v></c></row>" * 2500))

    assert reading.content.endswith("*499 more rows omitted*")
    assert reading.cut


async def test_what_one_sheet_leaves_out_is_told_of_the_whole(read, book):
    long, short = "<row><c><v>5</v></c></row>" * 2500, "<row><c><v>7</v></c></row>"

    reading = await read(book(long, short))

    assert reading.content.endswith("| 7 |\n| --- |")
    assert reading.cut


@pytest.mark.parametrize(
    ("code", "number", "shown"),
    [
        ("0%", "0.25", "25%"),
        ("0.0%", "0.12345", "12.345%"),
        ("[h]:mm:ss", "1.5", "36:00:00"),
        ("hh:mm", "0.75", "18:00:00"),
        ("yyyy-mm-dd hh:mm:ss.000", "43899.75", "2020-03-09 18:00:00"),
        ("d/m/yyyy", "1", "1900-01-01"),
        ("d/m/yyyy", "61", "1900-03-01"),
        ("[Red]0.0", "3.5", "3.5"),
        ("0 &quot;days&quot;", "3", "3"),
    ],
)
async def test_a_number_is_what_its_format_makes_of_it(read, book, code, number, shown):
    styles = f"""<styleSheet><numFmts><numFmt numFmtId="170" formatCode="{code}"/></numFmts>
        <cellXfs><xf numFmtId="170"/></cellXfs></styleSheet>"""

    reading = await read(book(f'<row><c s="0"><v>{number}</v></c></row>', styles=styles))

    assert reading.content == f"## Sheet 1\n\n| {shown} |\n| --- |"


async def test_a_formula_that_was_never_worked_out_is_shown(read, book):
    row = "<row><c><f>SUM(A1:A3)</f></c><c><f>1+1</f><v>2</v></c><c><f/></c></row>"

    reading = await read(book(row))

    assert "| =SUM(A1:A3) | 2 |\n" in reading.content


async def test_characters_that_xml_does_not_have_are_written_out(read, book):
    cell = '<c t="inlineStr"><is><t>one_x000D_two _x005F_x0041_</t></is></c>'

    reading = await read(book(f"<row>{cell}</row>"))

    assert "| one two _x0041_ |" in reading.content


async def test_a_sheet_that_is_all_margin_ends_soon(read, book):
    first, far = '<row><c r="A1"><v>1</v></c></row>', '<row><c r="XFD1"><v>2</v></c></row>'

    reading = await read(book(first + far * 100_000))

    assert reading.content.startswith("## Sheet 1\n\n| 1 |\n")
    assert reading.content.endswith("*98000 more rows and 16324 more columns omitted*")


async def test_one_long_text_in_many_cells_ends_at_its_limit(read, book):
    strings = f"<sst><si><t>{'a' * 100_000}</t></si></sst>"
    row = "<row>" + '<c t="s"><v>0</v></c>' * 50 + "</row>"

    reading = await read(book(row * 500, strings=strings))

    assert len(reading.content) < 8_000_000
    assert reading.content.endswith("more rows omitted*")
    assert reading.cut


async def test_rows_behind_damage_are_not_said_to_be_counted(read, book):
    reading = await read(book("<row><c><v>5</v></c></row>" * 2500 + "<row"))

    assert reading.content.endswith("*at least 499 more rows omitted*")
    assert reading.cut


async def test_links_of_cells_follow_their_sheet(read, pack):
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink"
    targets = {"r1": "https://port.example/a b", "r2": "javascript:x()"}
    references = "".join(
        f'<R Id="{key}" Type="{kind}" Target="{target}" TargetMode="External"/>'
        for key, target in targets.items()
    )
    links = '<hyperlink ref="A1" r:id="r1"/><hyperlink ref="B1" r:id="r2"/><hyperlink ref="C1" location="S!A1"/>'
    row = '<row><c r="A1" t="inlineStr"><is><t>Port</t></is></c></row>'
    sheet = f"<w {R}><sheetData>{row}</sheetData><hyperlinks>{links}</hyperlinks></w>"
    parts = {
        "xl/workbook.xml": f'<workbook {R}><sheets><sheet name="S" r:id="s"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": '<Rs><R Id="s" Target="s1.xml"/></Rs>',
        "xl/s1.xml": sheet,
        "xl/_rels/s1.xml.rels": f"<Rs>{references}</Rs>",
    }

    reading = await read(pack(parts))

    assert reading.content == "## S\n\n| Port |\n| --- |\n\n- A1: https://port.example/a%20b"


async def test_comments_on_cells_follow_their_sheet(read, pack):
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/comments"
    comments = (
        "<comments><authors><author>Ada</author></authors><commentList>"
        '<comment ref="A1" authorId="0"><text><r><t>Which </t></r><r><t>port?</t></r></text></comment>'
        '<comment ref="B1" authorId="7"><text><t>Why?</t></text></comment></commentList></comments>'
    )
    name = "xl/workbook.xml"
    sheet = '<row><c r="A1" t="inlineStr"><is><t>Port</t></is></c><c r="B1"><v>1</v></c></row>'
    whole = pack(
        {
            name: f'<workbook {R}><sheets><sheet name="One" r:id="r1"/></sheets></workbook>',
            "xl/_rels/workbook.xml.rels": '<Rs><R Id="r1" Target="worksheets/s1.xml"/></Rs>',
            "xl/worksheets/s1.xml": f"<w><sheetData>{sheet}</sheetData></w>",
            "xl/worksheets/_rels/s1.xml.rels": f'<Rs><R Id="c" Type="{kind}" Target="/xl/c1.xml"/></Rs>',
            "xl/c1.xml": comments,
        }
    )

    reading = await read(whole)

    assert reading.content == (
        "## One\n\n| Port | 1 |\n| --- | --- |\n\n"
        "- A1: Comment by Ada: Which port?\n- B1: Comment: Why?"
    )
