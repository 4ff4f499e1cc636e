"""Bytes as text: what is said of them, what they are, and that nothing breaks."""

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sourcewright.logic.decoding import decode

RUSSIAN = "Приливы и отливы в заливе"
JAPANESE = "潮汐の観測記録とその解釈"
CHINESE = "潮汐观测记录及其解释"
FRENCH = "Les marées d\u2019été à Saint-Malo"


@pytest.mark.parametrize(
    ("mark", "codec"),
    [
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
        (codecs.BOM_UTF32_BE, "utf-32-be"),
    ],
)
def test_a_mark_wins_over_everything_that_is_said(mark, codec):
    body = mark + f"<meta charset=windows-1251>{JAPANESE}".encode(codec)

    text = decode(body, content_type="text/html; charset=iso-8859-1")

    assert text == f"<meta charset=windows-1251>{JAPANESE}"


@pytest.mark.parametrize(
    ("label", "codec", "text"),
    [
        ("windows-1251", "cp1251", RUSSIAN),
        ("KOI8-R", "koi8-r", RUSSIAN),
        ("Shift_JIS", "cp932", JAPANESE),
        ("x-sjis", "cp932", JAPANESE),
        ("EUC-JP", "euc_jp", JAPANESE),
        ("ISO-2022-JP", "iso2022_jp", JAPANESE),
        ("gb2312", "gb18030", CHINESE),
        ("GBK", "gb18030", CHINESE),
        ("Big5", "big5", "潮汐觀測記錄"),
        ("euc-kr", "cp949", "조석 관측 기록"),
        ("iso-8859-1", "cp1252", FRENCH),
        ("us-ascii", "cp1252", FRENCH),
        ("iso-8859-9", "cp1254", "İstanbul\u2019da gelgit"),
    ],
)
@pytest.mark.parametrize("where", ["header", "meta", "http-equiv", "xml"])
def test_what_is_said_is_understood_as_the_web_means_it(label, codec, text, where):
    said = {
        "header": "",
        "meta": f'<html><head><meta charset="{label}">',
        "http-equiv": f"<meta http-equiv=Content-Type content='text/html; charset={label}'>",
        "xml": f'<?xml version="1.0" encoding="{label}"?>',
    }[where]
    content_type = f'text/html; charset="{label}"' if where == "header" else "text/html"

    read = decode((said + text).encode(codec), content_type=content_type)

    assert read == said + text


@pytest.mark.parametrize("text", [RUSSIAN, JAPANESE])
def test_utf_16_without_a_mark_is_what_its_server_says(text):
    assert decode(text.encode("utf-16-le"), content_type="text/plain; charset=utf-16") == text


@pytest.mark.parametrize("wrong", ["iso-8859-1", "windows-1251", "gbk", "shift_jis", "utf-16"])
def test_a_page_in_utf_8_is_read_right_whatever_its_server_says(wrong):
    body = f"<p>{FRENCH} {RUSSIAN} {JAPANESE}</p>".encode()

    assert decode(body, content_type=f"text/html; charset={wrong}") == body.decode()


def test_a_page_that_only_claims_to_be_utf_8_is_read_as_what_is_usual():
    body = FRENCH.encode("cp1252")

    assert decode(body, content_type="text/html; charset=utf-8") == FRENCH


def test_the_language_of_a_page_says_what_is_usual_there():
    page = f'<html lang="ru-RU"><title>{RUSSIAN}</title>'

    assert decode(page.encode("cp1251"), content_type="text/html") == page


def test_one_broken_letter_does_not_make_another_encoding_of_a_page():
    body = (RUSSIAN * 5).encode() + b"\xff" + RUSSIAN.encode()

    assert decode(body) == RUSSIAN * 5 + "\ufffd" + RUSSIAN


def test_a_body_that_was_cut_within_a_letter_is_still_utf_8():
    assert decode("zwölf Fälle ü".encode()[:-1]) == "zwölf Fälle \ufffd"


def test_a_name_that_is_none_is_not_followed():
    assert decode("Füße".encode("cp1252"), content_type="text/html; charset=rot13") == "Füße"


def test_a_declaration_far_below_the_head_is_not_looked_for():
    body = b" " * 5000 + b"<meta charset=windows-1251>" + "été".encode("cp1252")

    assert decode(body).endswith("été")


@given(
    st.binary(max_size=300),
    st.sampled_from(
        ["", "utf-8", "utf-16", "shift_jis", "gb18030", "iso-2022-jp", "hz", "x" * 99]
    ),
)
def test_no_bytes_break_it_and_nothing_unfit_comes_out(body, label):
    text = decode(body, content_type=f"text/html; charset={label}")

    assert "\x00" not in text
    assert text.encode().decode() == text
