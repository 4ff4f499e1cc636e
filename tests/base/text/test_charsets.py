"""Charset detection: declared charsets, wrong ones, none at all, and hostile bytes."""

import codecs
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sourcewright.base.text.charsets import decode

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
    message = {
        "header": "",
        "meta": f'<html><head><meta charset="{label}">',
        "http-equiv": f"<meta http-equiv=Content-Type content='text/html; charset={label}'>",
        "xml": f'<?xml version="1.0" encoding="{label}"?>',
    }[where]
    content_type = f'text/html; charset="{label}"' if where == "header" else "text/html"

    read = decode((message + text).encode(codec), content_type=content_type)

    assert read == message + text


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


PROSE = {
    "cp932 euc_jp iso2022_jp": "港の記録係は毎日の潮の高さと時刻を帳面に書き、前の年の数字とくらべている。"
    "冬の風が強い日には、水は予想よりも高くなることがある。",
    "gb18030": "港口的记录员每天都把潮水的高度和时间写在本子上。并且和前一年的数字比较。"
    "在风大的日子里。水会比他们想的高。所以人们要早一点回家。",
    "big5hkscs": "港口的記錄員每天都把潮水的高度和時間寫在本子上。並且和前一年的數字比較。"
    "在風大的日子裡。水會比他們想的高。所以人們要早一點回家。",
    "cp949": "항구의 기록원은 매일 조수의 높이와 시각을 장부에 적고 지난해의 숫자와 비교한다. "
    "바람이 강한 날에는 물이 예상보다 더 높아지는 일이 있다.",
    "cp1251 koi8-r iso8859-5 cp866": "Смотритель гавани каждый день записывает высоту и время "
    "прилива и сравнивает их по числам прошлого года. Зимой вода стоит выше.",
    "cp1253 iso8859-7": "Ένας φύλακας του λιμανιού γράφει κάθε μέρα το ύψος και την ώρα της "
    "παλίρροιας και τα συγκρίνει με τους αριθμούς του περασμένου χρόνου.",
    "cp1255": "שומר הנמל כותב בכל יום את הגובה ואת השעה של הגאות ומשווה אותם למספרים של השנה שעברה.",
    "cp1256": "يكتب حارس الميناء كل يوم ارتفاع المد ووقته في الدفتر ويقارنه بأرقام السنة الماضية.",
    "cp874": "ผู้ดูแลท่าเรือจดความสูงและเวลาของน้ำขึ้นทุกวันและเปรียบเทียบกับตัวเลขของปีที่แล้ว",
    "cp1252": "Le gardien du port note chaque jour la hauteur et l\u2019heure de la marée, déjà relevées "
    "l\u2019année passée à côté, où l\u2019été fut très sec.",
    "latin-1": "Der Wärter schreibt täglich die Höhe auf, prüft sie über Jahre und grüßt süße Gäste.",
    "iso8859-15": "Città e perché: più là, così lunedì il mare è già giù, e però può essere più su.",
}
ENCODED = [(codec, text) for names, text in PROSE.items() for codec in names.split()]


@pytest.mark.parametrize("parameter", ["", "; charset=utf-8", "; charset=iso-8859-1"])
@pytest.mark.parametrize("times", [1, 400])
@pytest.mark.parametrize(("codec", "text"), ENCODED)
def test_what_says_nothing_of_itself_or_what_servers_say_of_everything_is_guessed(
    codec, text, times, parameter
):
    page = f"<html><head><title>Tides</title></head><body>{'<p>' * 3000}{text * times}</p>"

    assert decode(page.encode(codec), content_type=f"text/html{parameter}") == page


@pytest.mark.parametrize(
    ("charset", "codec"), [("shift_jis", "gb18030"), ("euc-kr", "cp932"), ("big5", "cp949")]
)
def test_a_page_that_cannot_be_what_it_says_is_guessed(charset, codec):
    [text] = [text for one, text in ENCODED if one == codec]

    assert decode(text.encode(codec), content_type=f"text/html; charset={charset}") == text


def test_bytes_that_mean_nothing_are_some_text():
    noise = random.Random(1).randbytes(200_000)

    assert len(decode(noise)) > 190_000


def test_one_broken_letter_does_not_make_another_encoding_of_a_page():
    body = (RUSSIAN * 5).encode() + b"\xff" + RUSSIAN.encode()

    assert decode(body) == RUSSIAN * 5 + "\ufffd" + RUSSIAN


def test_a_body_that_was_cut_within_a_letter_is_still_utf_8():
    assert decode("zwölf Fälle ü".encode()[:-1]) == "zwölf Fälle \ufffd"


def test_a_name_that_is_none_is_not_followed():
    assert decode("Füße".encode("cp1252"), content_type="text/html; charset=rot13") == "Füße"


def test_a_declaration_far_below_the_head_is_found_where_the_bytes_need_one():
    body = b" " * 5000 + b"<meta charset=iso-8859-2>" + "\u0142\u0105ka".encode("iso8859-2")

    assert decode(body).endswith("\u0142\u0105ka")


@pytest.mark.parametrize(
    "content_type", ["", "text/html; charset=utf-16", "text/html; charset=utf-8"]
)
@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_utf_16_is_known_without_its_mark(codec, content_type):
    page = f"<!doctype html><html><head><title>{CHINESE}</title></head><p>{CHINESE}</p></html>"

    assert decode(page.encode(codec), content_type=content_type) == page


def test_a_letter_at_the_very_end_is_no_accident_in_utf_8():
    assert decode("<p>caf\u00e9".encode("cp1252")) == "<p>caf\u00e9"


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
