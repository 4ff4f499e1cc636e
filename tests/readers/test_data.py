"""JSON, XML and CSV as text for people."""

import json

import pytest

from sourcewright.domain.errors import BadAnswer

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
    ['<!ENTITY x "ha">', '<!ENTITY x SYSTEM "file:///etc/passwd">', '<!ENTITY % x "ha">'],
)
async def test_xml_that_declares_entities_is_refused(read, declared):
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

    assert reading.content.endswith("\n\n*500 more rows and 10 more columns left out*")
    assert reading.content.count("\n| 0 |") == 2000
    assert reading.cut


async def test_a_cell_without_end_is_refused(read):
    with pytest.raises(BadAnswer, match="not CSV"):
        await read(b'a,"' + b"x" * 2_000_000, "text/csv")
