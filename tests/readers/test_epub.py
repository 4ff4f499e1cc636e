"""Books: chapters in the order of reading."""

import pytest

from sourcewright.domain.errors import BadAnswer

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

    with pytest.raises(BadAnswer, match="reading the book failed: it is protected"):
        await read(pack({**PARTS, "META-INF/encryption.xml": locks}))


async def test_a_book_without_its_list_is_damaged(read, pack):
    with pytest.raises(BadAnswer, match=r"OPS/book\.opf is missing"):
        await read(pack({"META-INF/container.xml": CONTAINER}))
