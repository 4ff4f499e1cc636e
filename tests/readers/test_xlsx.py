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
    def make(*sheets: str, properties: str = "") -> bytes:
        numbers = range(1, len(sheets) + 1)
        names = "".join(f'<sheet name="Sheet {n}" r:id="r{n}"/>' for n in numbers)
        rows = "".join(f'<R Id="r{n}" Target="worksheets/s{n}.xml"/>' for n in numbers)
        return pack(
            {
                "xl/workbook.xml": f"<workbook {R}>{properties}<sheets>{names}</sheets></workbook>",
                "xl/_rels/workbook.xml.rels": f"<Rs>{rows}</Rs>",
                "xl/sharedStrings.xml": STRINGS,
                "xl/styles.xml": STYLES,
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

    assert reading.content.endswith("*499 more rows left out*")
    assert reading.cut


async def test_what_one_sheet_leaves_out_is_told_of_the_whole(read, book):
    long, short = "<row><c><v>5</v></c></row>" * 2500, "<row><c><v>7</v></c></row>"

    reading = await read(book(long, short))

    assert reading.content.endswith("| 7 |\n| --- |")
    assert reading.cut
