"""Books: chapters in the order of reading."""

import pytest

from sourcewright.base.errors import BadAnswer

pytestmark = pytest.mark.anyio
CONTAINER = '<c><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></c>'
BOOK = """<package xmlns="o" xmlns:dc="d"><metadata><dc:title>On tides</dc:title>
<dc:creator>A. Okonkwo</dc:creator><dc:creator>B. Lund</dc:creator><dc:language>en</dc:language>
<dc:date>2020</dc:date></metadata><manifest>
<item id="a" href="last.xhtml" media-type="application/xhtml+xml"/>
<item id="b" href="text/first%20one.xhtml" media-type="application/xhtml+xml"/>
<item id="c" href="cover.png" media-type="image/png"/></manifest>
<spine><itemref idref="c"/><itemref idref="b"/><itemref idref="a"/><itemref idref="a"/></spine></package>"""


def page(body: str) -> str:
    return f"<html xmlns='http://www.w3.org/1999/xhtml'><body>{body}</body></html>"


PARTS = {
    "META-INF/container.xml": CONTAINER,
    "OPS/book.opf": BOOK,
    "OPS/text/first one.xhtml": page("<h1>One</h1><p>The water rises.</p>"),
    "OPS/last.xhtml": page("<h1>Two</h1><ul><li>ebb</li><li>flood</li></ul>"),
}


async def test_chapters_stand_in_the_order_of_reading(read, pack):
    reading = await read(pack(PARTS))

    assert reading.content == "# One\n\nThe water rises.\n\n# Two\n\n- ebb\n- flood"
    assert (reading.title, reading.author) == ("On tides", "A. Okonkwo; B. Lund")
    assert (reading.kind, reading.language, reading.published) == ("epub", "en", "2020")


async def test_a_locked_book_says_so(read, pack):
    locks = "<e><d><CipherReference URI='OPS/last.xhtml'/></d></e>"

    with pytest.raises(BadAnswer, match="reading the book failed: it is copy-protected"):
        await read(pack({**PARTS, "META-INF/encryption.xml": locks}))


async def test_a_book_without_its_list_is_damaged(read, pack):
    with pytest.raises(BadAnswer, match=r"OPS/book\.opf is missing"):
        await read(pack({"META-INF/container.xml": CONTAINER}))


def about(facts: str) -> dict[str, str]:
    book = BOOK.partition("<metadata>")[0] + f"<metadata>{facts}</metadata><manifest>"
    return {**PARTS, "OPS/book.opf": book + BOOK.partition("<manifest>")[2]}


@pytest.mark.parametrize(
    "facts",
    [
        (
            '<dc:creator role="trl">B. Lund</dc:creator><dc:creator role="aut">A. Okonkwo</dc:creator>'
            '<dc:title>On tides</dc:title><dc:date event="modification">2022</dc:date>'
            '<dc:date event="publication">1999</dc:date>'
        ),
        (
            '<dc:title id="s">A subtitle</dc:title><dc:title id="t">On tides</dc:title>'
            '<meta refines="#s" property="title-type">subtitle</meta>'
            '<meta refines="#t" property="title-type">main</meta>'
            '<dc:creator id="e">B. Lund</dc:creator><meta refines="#e" property="role">edt</meta>'
            "<dc:creator>A. Okonkwo</dc:creator><dc:date>1999</dc:date>"
        ),
    ],
    ids=["older", "newer"],
)
async def test_a_book_tells_its_author_from_others(read, pack, facts):
    reading = await read(pack(about(facts)))

    assert (reading.title, reading.author) == ("On tides", "A. Okonkwo")
    assert reading.published == "1999"


async def test_the_day_of_a_change_is_no_day_of_publication(read, pack):
    reading = await read(pack(about('<dc:date event="modification">2022</dc:date>')))

    assert reading.published is None


async def test_a_chapter_that_is_missing_is_told(read, pack):
    parts = {name: part for name, part in PARTS.items() if name != "OPS/last.xhtml"}

    reading = await read(pack(parts))

    assert reading.content == "# One\n\nThe water rises."
    assert reading.cut


async def test_names_are_found_and_locked_however_they_are_written(read, pack):
    chapter = PARTS["OPS/text/first one.xhtml"]
    parts = {name: part for name, part in PARTS.items() if "first" not in name}
    locks = "<e><CipherReference URI='OPS/text/first%20one.xhtml'/></e>"

    reading = await read(pack({**parts, "OPS/text/first%20one.xhtml": chapter}))

    assert reading.content.startswith("# One\n\nThe water rises.\n\n# Two")
    with pytest.raises(BadAnswer, match="it is copy-protected"):
        await read(pack({**PARTS, "META-INF/encryption.xml": locks}))


async def test_a_chapter_without_end_ends_at_its_limit(read, pack):
    endless = "<html><body>" + f"<p>{'water ' * 1000}</p>" * 900

    reading = await read(pack({**PARTS, "OPS/last.xhtml": endless}))

    assert reading.content.startswith("# One\n\nThe water rises.\n\nwater water")
    assert reading.cut


async def test_footnotes_of_chapters_are_told_apart(read, pack):
    chapter = page(
        "<p>The water rises<a epub:type='noteref' href='#n'>1</a>.</p>"
        "<aside epub:type='footnote' id='n'><p>Twice a day.</p></aside>"
    )

    reading = await read(
        pack({**PARTS, "OPS/text/first one.xhtml": chapter, "OPS/last.xhtml": chapter})
    )

    assert reading.content == (
        "The water rises[^1].\n\n[^1]: Twice a day.\n\n"
        "The water rises[^1-2].\n\n[^1-2]: Twice a day."
    )


async def test_a_figure_of_a_book_keeps_its_text(read, pack):
    figure = "<figure><img src='../a.png' alt='A pier'/><figcaption>{}</figcaption></figure>"

    reading = await read(pack({**PARTS, "OPS/last.xhtml": page(figure.format("The old pier"))}))

    assert reading.content.endswith("![A pier]()\n*The old pier*")
