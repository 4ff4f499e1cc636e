"""JSON, XML and CSV as text for people."""

import json

import pytest

from sourcewright.base.errors import BadAnswer

pytestmark = pytest.mark.anyio


async def test_json_on_one_line_is_laid_out(read):
    value = {"title": "Tides", "values": list(range(100)), "place": "Baía"}

    reading = await read(json.dumps(value, ensure_ascii=False).encode(), "application/json")

    lines = reading.content.split("\n")
    assert (lines[0], lines[-1]) == ("```json", "```")
    assert lines[2] == '  "title": "Tides",'
    assert json.loads("\n".join(lines[1:-1])) == value
    assert (reading.kind, reading.title, reading.cut) == ("json", "Tides", False)


@pytest.mark.parametrize(
    "text",
    [
        '{\n "a": 1.10,\n "a": 2\n}',
        '{"a": 1}\n{"a": 2}',
        "[" * 100_000 + "]" * 100_000,
        '{"n": ' + "9" * 10_000 + "}",
        '{"broken": ]}',
    ],
    ids=["for-people", "lines", "deep", "long-number", "broken"],
)
async def test_json_that_is_clear_or_cannot_be_understood_stays_as_it_is(read, text):
    reading = await read(text.encode(), "application/json")

    assert reading.content == f"```json\n{text}\n```"


async def test_a_fence_inside_cannot_end_the_block(read):
    reading = await read(b'{"a": "x",\n```\n}', "application/json")

    assert reading.content.startswith("````json\n")
    assert reading.content.endswith("\n````")


async def test_json_that_is_too_long_is_cut_and_says_so(read):
    reading = await read(json.dumps(["words"] * 600_000).encode(), "application/json")

    assert len(reading.content) < 5_000_100
    assert reading.cut


async def test_xml_is_an_outline(read):
    body = """<?xml version="1.0" encoding="windows-1251"?>
        <feed xmlns="http://www.w3.org/2005/Atom"><title>Приливы</title>
        <entry id="7"><summary>high <b>and</b> low</summary></entry></feed>"""

    reading = await read(body.encode("cp1251"), "application/atom+xml")

    assert reading.content.split("\n") == [
        "- feed",
        "  - title: Приливы",
        "  - entry (id=7)",
        "    - summary: high and low",
    ]
    assert (reading.kind, reading.title) == ("xml", "Приливы")


@pytest.mark.parametrize(
    "declared",
    [
        '<!ENTITY y "ha"><!ENTITY x "&y;&y;">',
        '<!ENTITY x SYSTEM "file:///etc/passwd">',
        '<!ENTITY % x "ha">',
        f'<!ENTITY x "{"ha" * 9999}">',
    ],
)
async def test_xml_whose_entities_could_harm_is_refused(read, declared):
    body = f"<?xml version='1.0'?><!DOCTYPE a [{declared}]><a><b>&x;</b></a>"

    with pytest.raises(BadAnswer, match="declares entities"):
        await read(body.encode(), "application/xml")


async def test_xml_that_was_cut_keeps_what_came(read):
    reading = await read(b"<?xml version='1.0'?><a><b>one</b><b>tw", "text/xml")

    assert "- b: one" in reading.content
    assert reading.cut


async def test_deep_xml_ends_at_its_limit(read):
    reading = await read(b"<?xml version='1.0'?>" + b"<a>" * 100_000, "text/xml")

    assert reading.content.count("- a") == 64
    assert reading.cut


async def test_words_that_claim_to_be_xml_are_refused(read):
    with pytest.raises(BadAnswer, match="not well-formed XML"):
        await read(b"no markup at all", "application/xml")


@pytest.mark.parametrize("sign", [",", ";", "\t", "|"])
async def test_csv_is_a_table(read, sign):
    rows = [["Port", "Tide, highest"], ["Saint-Malo", '"13.5"'], ["two\nlines", "1"]]
    text = "\n".join(
        sign.join('"' + cell.replace('"', '""') + '"' for cell in row) for row in rows
    )

    reading = await read(text.encode(), "text/csv")

    assert reading.content.split("\n") == [
        "| Port | Tide, highest |",
        "| --- | --- |",
        '| Saint-Malo | "13.5" |',
        "| two lines | 1 |",
    ]
    assert (reading.kind, reading.cut) == ("csv", False)


async def test_a_long_csv_says_how_much_is_left_out(read):
    wide = ",".join(str(number) for number in range(70))

    reading = await read("\n".join([wide] * 2501).encode(), "text/csv")

    assert reading.content.endswith("\n\n*500 more rows and 10 more columns omitted*")
    assert reading.content.count("\n| 0 |") == 2000
    assert reading.cut


async def test_a_cell_without_end_ends_the_table_before_it(read):
    cell = b'a,"' + b"x" * 2_000_000

    reading = await read(b"Port,Tide\nBrest,7\n" + cell, "text/csv")

    assert reading.content == "| Port | Tide |\n| --- | --- |\n| Brest | 7 |"
    assert reading.cut
    with pytest.raises(BadAnswer, match="not CSV"):
        await read(cell, "text/csv")


@pytest.mark.parametrize(
    "text",
    [
        'id;note\n1;"one, two,\nthree, four"\n2;"five, six"\n3;"seven, eight, nine"',
        "id;note\n1;2,5\n2;3,5",
        "sep=;\r\nid;note\r\n1;a,b,c",
        "id\tnote\n1,2\t3,4",
    ],
    ids=["quoted", "decimal-commas", "named", "tabs"],
)
async def test_the_sign_between_cells_is_told_from_those_inside_them(read, text):
    reading = await read(text.encode(), "text/csv")

    assert reading.content.startswith("| id | note |\n")


async def test_json_that_is_laid_out_keeps_every_digit_and_every_key(read):
    pad = "x" * 300
    body = f'{{"a":1.10,"a":1e999,"b":[12345678901234567890.5,NaN],"c":{{}},"d":"caf\\u00e9 \\ud83d","p":"{pad}"}}'

    reading = await read(body.encode(), "application/json")

    assert reading.content.split("\n")[1:-1] == [
        "{",
        '  "a": 1.10,',
        '  "a": 1e999,',
        '  "b": [',
        "    12345678901234567890.5,",
        "    NaN",
        "  ],",
        '  "c": {},',
        '  "d": "caf\\u00e9 \\ud83d",',
        f'  "p": "{pad}"',
        "}",
    ]


async def test_json_that_is_too_long_to_be_understood_is_laid_out_and_takes_little_memory(
    documents_with, visit
):
    record = '{"a":[1,{"b":[]}],"c":"%s"}\n' % ("\U0001f600" * 300)
    reader = documents_with(memory_mebibytes=200, processes=1)

    reading = await reader.read(visit(record.encode() * 20_000, "application/json"))

    start = '```json\n{\n  "a": [\n    1,\n    {\n      "b": []\n    }\n  ],\n  "c": "'
    assert reading.content.startswith(start)
    assert reading.content.count('"\n}\n{\n  "a": [') > 9_000
    assert reading.cut


async def test_json_that_is_laid_out_shows_characters_and_not_their_numbers(read):
    body = '{"d": "caf\\u00e9 \\n \\ud83d\\ude00", "p": "%s"}' % ("x" * 300)

    reading = await read(body.encode(), "application/json")

    assert '  "d": "café \\n 😀",\n' in reading.content


async def test_xml_may_give_names_to_a_few_characters(read):
    body = """<!DOCTYPE svg PUBLIC "x" "x.dtd" [<!ENTITY ns "http://www.w3.org/2000/svg">
        <!ENTITY who "Ada Quill">]><svg xmlns="&ns;"><title>&who;</title><text>caf&eacute;</text></svg>"""

    reading = await read(body.encode(), "image/svg+xml")

    assert reading.content == "- svg\n  - title: Ada Quill\n  - text: café"
    assert not reading.cut


async def test_a_feed_with_the_entities_of_html_is_read_to_its_end(read):
    body = b"<rss><channel><title>Tides&nbsp;&amp; fogs</title><item>last &eacute;t&eacute;</item></channel></rss>"

    reading = await read(body, "application/rss+xml")

    assert reading.content.endswith("- item: last été")
    assert not reading.cut


async def test_a_name_that_is_used_without_end_ends_at_its_limit(read):
    entity = f'<!DOCTYPE a [<!ENTITY x "{"y" * 500}">]>'

    reading = await read(
        f"<?xml version='1.0'?>{entity}<a><b>first</b>{'<b>&x;</b>' * 300_000}</a>".encode(),
        "application/xml",
    )

    assert reading.content.startswith("- a\n  - b: first\n")
    assert len(reading.content) <= 5_000_000
    assert reading.cut


async def test_the_title_of_an_article_is_not_that_of_its_first_section(read):
    body = b"""<article><title-group><article-title>On <i>tidal</i> waves</article-title></title-group>
        <sec><title>Introduction</title></sec></article>"""

    reading = await read(body, "application/xml")

    assert reading.title == "On tidal waves"


async def test_markup_inside_words_leaves_them_together(read):
    body = b"<doc><p>Water is H<sub>2</sub>O.</p></doc>"

    reading = await read(body, "application/xml")

    assert reading.content == "- doc\n  - p: Water is H2O."


RSS = b"""<rss version="2.0" xmlns:content="c" xmlns:dc="d"><channel><title>Tides &amp;amp; fogs</title>
<link>https://port.example/</link><description>News of the port</description>
<item><title>High *tide*</title><link>https://port.example/1</link>
<pubDate>Fri, 01 Mar 2024 10:00:00 GMT</pubDate><dc:creator>A. Okonkwo</dc:creator>
<description>Short.</description><category>Tides</category>
<content:encoded><![CDATA[<p>It <b>rose</b> by <a href="/m">a metre</a>.</p>
<p style="display:none">Praise us</p>]]></content:encoded></item>
<item><guid>https://port.example/2</guid><description>&lt;p&gt;It fell.&lt;/p&gt;</description></item>
</channel></rss>"""
ATOM = b"""<feed xmlns="http://www.w3.org/2005/Atom"><title>Tides</title><entry><title>High tide</title>
<link rel="self" href="https://port.example/self"/><link href="https://port.example/1"/>
<updated>2024-03-01</updated><author><name>Ada</name></author><author><name>Bo</name></author>
<category term="sea"/><summary type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>It
<em>rose</em>.</p></div></summary></entry></feed>"""


async def test_a_feed_is_read_entry_by_entry(read):
    reading = await read(RSS, "application/rss+xml")

    assert reading.title == "Tides & fogs"
    assert reading.content == (
        "# Tides & fogs\n\nNews of the port\n\n## [High \\*tide\\*](https://port.example/1)\n\n"
        "Fri, 01 Mar 2024 10:00:00 GMT, A. Okonkwo\n\n"
        "It **rose** by [a metre](https://port.example/m).\n\n- category: Tides\n\n"
        "## [Untitled](https://port.example/2)\n\nIt fell."
    )


async def test_the_entries_of_atom_have_their_main_link_and_all_authors(read):
    reading = await read(ATOM, "application/atom+xml")

    assert reading.content == (
        "# Tides\n\n## [High tide](https://port.example/1)\n\n2024-03-01, Ada, Bo\n\n"
        "It *rose*.\n\n- category: sea"
    )


async def test_the_entries_of_rss_1_stand_beside_their_channel(read):
    items = "".join(f"<item><title>Tide {n}</title></item>" for n in (1, 2))
    body = f"<RDF><channel><title>Tides</title></channel>{items}</RDF>"

    reading = await read(body.encode(), "application/rdf+xml")

    assert reading.content == "# Tides\n\n## Tide 1\n\n## Tide 2"
