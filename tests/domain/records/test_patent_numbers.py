"""Patent numbers of all offices in one form."""

import pytest

from sourcewright.domain.records.patent_numbers import docdb_number, parse_patent_number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("US10165245B2", "US10165245B2"),
        ("US 10,165,245 B2", "US10165245B2"),
        ("us-10165245-b2", "US10165245B2"),
        ("10,165,245", "US10165245"),
        ("US2006142694A1", "US20060142694A1"),
        ("US 2006/0142694 A1", "US20060142694A1"),
        ("US20060142694A1", "US20060142694A1"),
        ("US D901,234 S1", "USD901234S1"),
        ("USRE45,678 E1", "USRE45678E1"),
        ("EP 1 000 000 A1", "EP1000000A1"),
        ("EP0001234B1", "EP0001234B1"),
        ("EP1234", "EP0001234"),
        ("WO 2009/085664 A2", "WO2009085664A2"),
        ("WO2009085664", "WO2009085664"),
        ("WO 01/23456 A1", "WO2001023456A1"),
        ("WO9912345A1", "WO1999012345A1"),
        ("WO2001023456A1", "WO2001023456A1"),
        ("JP2006-147056A", "JP2006147056A"),
        ("CN 101234567 A", "CN101234567A"),
        ("KR10-2012-0012345", "KR20120012345"),
        ("KR20120012345A", "KR20120012345A"),
        ("https://patents.google.com/patent/US10165245B2/en", "US10165245B2"),
        ("https://patents.google.com/patent/EP3020964A1/en?oq=EP3020964A1", "EP3020964A1"),
    ],
)
def test_every_spelling_has_one_form(text, number):
    assert str(parse_patent_number(text)) == number


@pytest.mark.parametrize(
    "text",
    [
        *("", "tidal turbine", "G06F", "12", "EP", "US", "2015", "ISO 9001 A1 B2 C3"),
        *("https://example.org/patent/US10165245B2/en", "x" * 5000, "US" + "1" * 40),
    ],
)
def test_what_is_no_number_is_none(text):
    assert parse_patent_number(text) is None


@pytest.mark.parametrize(
    ("number", "is_grant"),
    [
        ("US10165245B2", True),
        ("US5123456A", True),
        ("US20060142694A1", False),
        ("USD901234S1", True),
        ("EP2400812B1", True),
        ("EP2400812A1", False),
        ("WO2009085664A2", False),
        ("JP2006147056A", False),
        ("CN101234567B", True),
        ("US10165245", False),
        # Plants: the patent, with or without an earlier publication, and the application.
        ("USPP12345P2", True),
        ("USPP12345P3", True),
        ("US20030159185P1", False),
        # A statutory invention registration is published, and is no patent.
        ("USH1234H1", False),
        ("USRE49000E1", True),
        # Corrections and amended patents come after the grant.
        ("US10165245B9", False),
        ("EP2400812B2", False),
        ("EP2400812B3", False),
        ("EP2400812B8", False),
        ("EP2400812B9", False),
        ("DE102004001234B4", True),
        ("DE4446098C2", True),
        ("DE4446098C5", False),
        ("CA2300029C", True),
        ("RU2015117646A", False),
        ("KR101234567B1", True),
        ("CN1234567C", True),
    ],
)
def test_a_kind_tells_whether_a_document_is_a_grant(number, is_grant):
    assert parse_patent_number(number).is_grant is is_grant


def test_a_kind_that_is_not_given_may_be_any():
    one, other = parse_patent_number("EP1000000"), parse_patent_number("EP1000000A1")

    assert one.is_same(other)
    assert not other.is_same(parse_patent_number("EP1000000B1"))
    assert not one.is_same(parse_patent_number("EP1000001"))


@pytest.mark.parametrize(
    ("number", "digits"),
    [
        ("US20060142694A1", "2006142694"),
        ("US10165245B2", "10165245"),
        ("WO2009085664A2", "2009085664"),
        ("WO2001023456A1", "0123456"),
        ("EP1000000A1", "1000000"),
    ],
)
def test_a_database_gets_its_own_spelling_back(number, digits):
    parsed = parse_patent_number(number)

    assert docdb_number(parsed) == digits
    assert parse_patent_number(f"{parsed.office}{digits}{parsed.kind}") == parsed
