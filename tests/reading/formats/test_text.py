"""Plain text and Markdown."""

import pytest

pytestmark = pytest.mark.anyio


async def test_markdown_is_kept_as_it_is(read):
    text = "# On tides\n\n- high\n  - higher\n\n```py\n    x = 1\n```"

    reading = await read(text.encode(), "text/markdown; charset=utf-8")

    assert reading.content == text
    assert (reading.kind, reading.title) == ("markdown", "On tides")


async def test_front_matter_says_who_and_when(read):
    body = b'---\ntitle: "Tides"\nauthor: [A. Okonkwo, "B. Lund"]\ndate: 2020-03-09\nlang: en\n---\n\n# Other\n'

    reading = await read(body, "text/markdown")

    assert (reading.title, reading.author) == ("Tides", "A. Okonkwo; B. Lund")
    assert (reading.published, reading.language) == ("2020-03-09", "en")


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("# Tides\n\nwords", "Tides"),
        ("Tides\n=====\n\nwords", "Tides"),
        ("Tides of the bay\n\nwords and words", "Tides of the bay"),
        ("Words that go on\nwithout a title.", None),
        ("# a comment\nimport os\n\nwords", None),
        ("key = 1\n# a comment\nother = 2", None),
    ],
)
async def test_text_keeps_its_lines_and_its_title(read, text, title):
    reading = await read(text.replace("\n", "\r\n").encode(), "text/plain")

    assert reading.content == text
    assert (reading.kind, reading.title) == ("text", title)


async def test_text_in_another_charset_is_read_right(read):
    reading = await read("Приливы".encode("koi8-r"), "text/plain; charset=koi8-r")

    assert reading.content == "Приливы"


async def test_what_nobody_can_see_is_left_out(read):
    hidden = "seen\u200b\u202e\U000e0041\U000e0042 words\x07"

    reading = await read(hidden.encode(), "text/plain")

    assert reading.content == "seen words"


async def test_an_endless_text_ends_at_its_limit_and_says_so(read):
    reading = await read(b"0123456789abcde\n" * (22_000_000 // 16), "text/plain")

    assert len(reading.content) == 20_000_000
    assert reading.cut
