"""Mirrors' pages are hostile: whatever one holds, reading it ends, and is never absence by accident."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sourcewright.providers.scihub.mirror_page import MirrorPage, read_mirror_page
from sourcewright.reading.html.tags import MAX_BYTES, tags

BASE = "https://mirror.shadow.example/10.5555/x"
MARKUP = [
    "<",
    ">",
    "</",
    "<!--",
    "-->",
    "<!",
    "<![CDATA[",
    "<?",
    "&",
    "&#",
    '"',
    "'",
    "=",
    "/",
    "<a ",
    "<embed src=",
    "<iframe src='",
    '<object data="',
    "<script>",
    "</script",
    "<title>",
    "<div id=buttons>",
    "onclick=",
    "location.href='",
    "//[",
    ".pdf",
    "http:",
    "javascript:",
    "\x00",
    "\ufffd",
    "captcha",
]


@given(st.lists(st.one_of(st.sampled_from(MARKUP), st.text(max_size=8)), max_size=40))
def test_any_page_is_read_and_never_denies_what_it_does_not_name(parts):
    page = read_mirror_page("".join(parts).encode("utf-8", "surrogatepass"), BASE)

    assert page.file is None or page.file.lower().startswith(("https://", "http://"))
    assert not page.is_absence
    assert not (page.file and page.is_challenge)


@given(st.binary(max_size=200))
def test_any_bytes_are_a_page(body):
    assert not read_mirror_page(body, BASE).is_absence


@given(st.lists(st.sampled_from(MARKUP[8:]), max_size=6))
def test_what_stands_before_a_file_hides_it_only_from_who_would_not_see_it(parts):
    """Text cannot end a page early: after a plain paragraph the file is found."""
    words = "".join(part for part in parts if "<" not in part)
    body = f"<p>{words}</p><embed type='application/pdf' src='/a.pdf'>".encode()

    assert read_mirror_page(body, BASE).file == "https://mirror.shadow.example/a.pdf"


def test_a_page_keeps_its_texts_and_its_attributes():
    page = b"a<P Class=b title='c&amp;d'>e&lt;<br/>f<script>if (a<b) {}</script>g<!-- <i> -->h"

    read = [(tag.name, dict(tag.attributes), tag.text) for tag in tags(page)]

    assert read == [
        ("", {}, "a"),
        ("p", {"class": "b", "title": "c&d"}, "e<"),
        ("br", {}, "f"),
        ("script", {}, "if (a<b) {}"),
        ("/script", {}, "g"),
        ("", {}, "h"),
    ]


@pytest.mark.parametrize(
    "piece", ["<", "<!--", "<a ", "<a b='", '<a b="', "&amp", "<script>", "<a b=c ", "</", "<![x["]
)
def test_a_page_that_never_ends_is_read_in_bounded_time(piece):
    page = (piece * MAX_BYTES)[: 2 * MAX_BYTES].encode()

    assert read_mirror_page(page, BASE) == MirrorPage()
