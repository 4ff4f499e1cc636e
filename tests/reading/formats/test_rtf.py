"""RTF: text in any encoding, emphasis, lists, tables, notes, and what is not shown."""

import pytest

from sourcewright.base.errors import BadAnswer
from sourcewright.reading.formats.rtf import read as read_rtf

HEAD = (
    rb"{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset204 Arial;}"
    rb"{\f2\fcharset128 Gothic;}{\f3\fmodern Courier New;}}{\stylesheet{\s0 Normal;}{\s1\b heading 1;}{\s7 Preformatted Text;}}"
    rb"{\info{\title On tides}{\author A. Okonkwo}}{\*\generator X;}"
)


def content(body: bytes) -> str:
    return read_rtf(HEAD + body + b"}", url="", content_type="").content


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (rb"one\par two\par", "one\n\ntwo"),
        (
            rb"The \b high\b0  tide \i rose\i0  {\b\i both}.\par",
            "The **high** tide *rose* ***both***.",
        ),
        (rb"{\b bold \plain not}", "**bold** not"),
        (rb"caf\'e9 \endash  \u8364?5 \ldblquote x\rdblquote\par", "café \u2013 €5 “x”"),
        (rb"{\f1 \'cf\'f0\'e8}{\f2 \'93\'fa\'96\'7b}", "При日本"),
        (rb"{\uc2 \u937\'ab\'cdx}\u-10179?\u-8702?", "\u03a9x😂"),
        (
            (
                rb"one\par{\shp{\*\shpinst\shpleft0{\sp{\sn shapeType}{\sv 202}}{\sp{\sn lineColor}{\sv 0}}"
                rb"{\shptxt in a box\par}}{\shprslt{\*\do\dobxcolumn{\dptxbxtext in a box\par}}}}two\par"
            ),
            "one\n\nin a box\n\ntwo",
        ),
        (rb"a\{b\}\\c\~d\_e\-f", "a{b}\\\\c d-ef"),
        (rb"\pard\s1\b Tides\b0\par\pard text", "# Tides\n\ntext"),
        (rb"\pard\outlinelevel2 Deep\par", "### Deep"),
        (
            rb'{\field{\*\fldinst{HYPERLINK "https://p.example/"}}{\fldrslt{\ul port}}} on',
            "[port](https://p.example/) on",
        ),
        (rb'{\field{\*\fldinst{HYPERLINK "javascript:x()"}}{\fldrslt port}}', "port"),
        (
            rb"\pard{\pntext 1.\tab}first\par{\pntext 2.\tab}second\par\pard{\listtext\'b7\tab}\ilvl1 inner\par",
            "1. first\n2. second\n   - inner",
        ),
        (
            rb"\pard{\listtext 3.\tab}third\par\pard{\listtext a.\tab}\ilvl1 inner\par{\listtext ii)\tab}\ilvl2 deep\par{\listtext o\tab}\ilvl3 dot\par",
            "3. third\n   1. inner\n      1. deep\n         - dot",
        ),
        (
            rb"\trowd\intbl Pier\cell Wood\cell\row\trowd\intbl A\cell{\b oak}\cell\row\pard End\par",
            "| Pier | Wood |\n| --- | --- |\n| A | **oak** |\n\nEnd",
        ),
        (rb"\pard\s7 if x:\par\pard\s7     go()\par\pard End", "```\nif x:\n    go()\n```\n\nEnd"),
        (
            rb"It rose{\footnote\pard By a {\i metre}.} more",
            "It rose[^1] more\n\n[^1]: By a metre.",
        ),
        (rb"10{\super 2}\super 3\nosupersub  m", "10²³ m"),
        (
            rb"2{\super k}, a{\sub n}{\i\sub +1}, 10{\super \u8722?}{\super 6} m",
            "2^k, a\\_(n+1), 10⁻⁶ m",
        ),
        (rb"10{\super\sub 2}", "10₂"),
        (rb"run {\f3 ls -l} now", "run `ls -l` now"),
        (
            rb"\pard\f3 if x:\line\line     go()\par\pard\f0 End",
            "```\nif x:\n\n    go()\n```\n\nEnd",
        ),
        (
            (
                rb"\pard\li360\fi-360 1.\tab one\par\pard\li720\fi-360 \bullet \tx360\tab in\par"
                rb"\pard\li360\fi-360 2.\tab two\par"
            ),
            "1. one\n   - in\n2. two",
        ),
        (rb"a{\v Praise us}{\*\secret Praise us}{\header Praise us}{\pict ffd8}b", "ab"),
        (rb"a{\pict\bin5 {{{{{}b", "ab"),
        (rb"*not* [a](b) # x", "\\*not\\* \\[a\\](b) # x"),
    ],
)
def test_text_keeps_its_form(body, text):
    assert content(body) == text


def test_a_document_says_who_wrote_it():
    reading = read_rtf(HEAD + b"text}", url="", content_type="")

    assert (reading.kind, reading.title, reading.author) == ("rtf", "On tides", "A. Okonkwo")
    assert not reading.cut


def test_a_document_that_breaks_off_is_read_as_far_as_it_goes():
    reading = read_rtf(HEAD + rb"one\par {\b two", url="", content_type="")

    assert (reading.content, reading.cut) == ("one\n\n**two**", True)


@pytest.mark.parametrize(
    "body",
    [
        b"{" * 100_000,
        b"}" * 100_000,
        b"\\" * 99_999,
        rb"\bin9999999999 x",
        rb"\u99999999999 \uc-5 \ansicpg99999 \f-1 \fcharset999 \s-9 \ilvl99 x",
        rb"\'zz\'e \'",
        rb"\cell\row\cell\nestrow" * 10_000,
        rb"{\footnote " * 1000,
        rb"{\pntext}\ilvl8 a\par{\pntext}\ilvl0 b\par" * 1000,
        "\x01\x0b\ufffe".encode() * 100,
        bytes(range(256)) * 50,
    ],
)
def test_no_document_breaks_the_reader(body):
    try:
        reading = read_rtf(HEAD + body, url="", content_type="")
    except BadAnswer:
        return
    assert isinstance(reading.content, str)


def test_what_is_no_rtf_is_said_to_be_damaged():
    with pytest.raises(BadAnswer, match="damaged"):
        read_rtf(b"plain", url="", content_type="")
