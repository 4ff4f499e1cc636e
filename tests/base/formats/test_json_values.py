"""Values of unknown type, dates, licences and XML, read or refused."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sourcewright.base.formats import json_values
from sourcewright.base.formats.parsers import json_object_in, parse_xml
from sourcewright.base.text import dates as dating
from sourcewright.domain.papers.licences import clearest_licence, licence_of


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, None), ("", None), (" ", None), ("a <i>b</i>", "a b"), (7, "7"), (1.5, "1.5")],
)
def test_a_scalar_is_text(value, text):
    assert json_values.text_of(value) == text


@pytest.mark.parametrize("value", [{}, [], ["a"], {"a": 1}, True])
def test_a_thing_of_another_shape_is_not_text(value):
    with pytest.raises(TypeError):
        json_values.text_of(value)


@pytest.mark.parametrize(
    ("value", "texts"),
    [
        (None, ()),
        ("one", ("one",)),
        (["one", None, "", "two", "one"], ("one", "two")),
        ([], ()),
    ],
)
def test_one_thing_without_its_list_counts_as_a_list_of_one(value, texts):
    assert json_values.texts_of(value) == texts


@pytest.mark.parametrize(
    ("value", "doi"),
    [
        ("10.1234/ABC", "10.1234/abc"),
        ("https://doi.org/10.1234/ABC", "10.1234/abc"),
        ("http://dx.doi.org/10.1234/abc", "10.1234/abc"),
        ("doi:10.1234/abc.", "10.1234/abc."),
        ("10.1234/É", "10.1234/É"),
        ("10.1234/", None),
        ("see 10.1234/abc", None),
        ("", None),
        (None, None),
        (10.1, None),
    ],
)
def test_a_doi_is_kept_in_lower_case_and_nothing_else_is_one(value, doi):
    assert json_values.doi_of(value) == doi


@pytest.mark.parametrize(
    ("value", "arxiv_id"),
    [
        ("2304.05376", "2304.05376"),
        ("hep-th/9901001", "hep-th/9901001"),
        ("http://arxiv.org/abs/2111.07624v2", "2111.07624"),
        ("https://arxiv.org/pdf/2111.07624", "2111.07624"),
        ("https://doi.org/10.48550/arXiv.2312.07559", "2312.07559"),
        ("https://doi.org/10.1234/2312.07559", None),
        ("https://elsewhere.example/2111.07624", None),
        ("", None),
        (None, None),
    ],
)
def test_an_arxiv_id_is_read_from_its_addresses_and_from_nothing_else(value, arxiv_id):
    assert json_values.arxiv_id_of(value) == arxiv_id


@pytest.mark.parametrize(
    ("value", "url"),
    [
        ("https://a.example/x?y=<z>", "https://a.example/x?y=<z>"),
        (" http://a.example ", "http://a.example"),
        ("javascript:alert(1)", None),
        ("ftp://a.example", None),
        ("https://a.example/ b", None),
        (f"https://a.example/{'b' * 9000}", None),
        (None, None),
    ],
)
def test_only_a_web_address_is_one(value, url):
    assert json_values.url_of(value) == url


@pytest.mark.parametrize(
    ("parts", "date"),
    [
        ([[2020, 3, 9]], "2020-03-09"),
        ([[2020, 3]], "2020-03"),
        ([["2020", "3"]], "2020-03"),
        ([[2020, 13, 1]], "2020"),
        ([2020], "2020"),
        ([[None]], None),
        ([[]], None),
        ([], None),
        ([["2020abc"]], None),
        ([[True]], None),
        ([[0]], None),
        ([[99999]], None),
        ([[10**5000]], None),
        ("2020", None),
        (None, None),
    ],
)
def test_a_date_is_read_as_far_as_it_makes_sense(parts, date):
    assert dating.date_of_parts({"date-parts": parts}) == date


@pytest.mark.parametrize(
    ("value", "year"),
    [(2020, 2020), ("2020", 2020), ("2020abc", None), (2549, None), (True, None), (None, None)],
)
def test_a_year_that_cannot_be_meant_is_none(value, year):
    assert dating.year_of(value) == year


@settings(deadline=None)
@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists, max_leaves=8))
def test_whatever_stands_for_a_date_is_a_date_or_none(value):
    date = dating.date_of_parts({"date-parts": value, "date-time": value})

    assert date is None or dating.date_of(date) == date


def test_the_earliest_date_wins_and_a_fuller_one_in_the_same_year_says_more():
    assert dating.earliest_date(["2021", None, "2020", "2020-05", "2020-05-04"]) == "2020-05-04"


@pytest.mark.parametrize(
    ("sent", "name"),
    [
        ("http://creativecommons.org/licenses/by/4.0/", "cc-by-4.0"),
        ("https://creativecommons.org/licenses/by/4.0/legalcode", "cc-by-4.0"),
        ("http://creativecommons.org/licenses/by/4.0/deed.en_US", "cc-by-4.0"),
        ("http://creativecommons.org/licenses/by-nc-nd/3.0/us/", "cc-by-nc-nd-3.0"),
        ("https://creativecommons.org/licenses/by", "cc-by"),
        ("https://creativecommons.org/publicdomain/zero/1.0/", "cc0-1.0"),
        ("https://creativecommons.org/publicdomain/mark/1.0/", "public-domain-mark-1.0"),
        ("CC BY-NC-SA 4.0", "cc-by-nc-sa-4.0"),
        ("https://opensource.org/licenses/MIT", "mit"),
        ("http://spdx.org/licenses/MIT.json", "mit"),
        ("https://www.springer.com/tdm", "https://www.springer.com/tdm"),
        ("https://creativecommons.org.evil.example/licenses/by/4.0/", None),
        ("", None),
        (None, None),
    ],
)
def test_a_licence_has_a_short_name_only_if_it_is_the_real_one(sent, name):
    assert licence_of(sent) == (name or sent or None)


def test_of_several_licences_the_one_that_says_what_is_allowed_counts():
    house, open_one = "https://a.example/terms", "https://creativecommons.org/licenses/by/4.0/"

    assert clearest_licence([None, house, open_one]) == "cc-by-4.0"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{}",
        b"Rate exceeded.",
        b"<a>",
        b"<a></b>",
        b"<!DOCTYPE a><a/>",
        b"<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>",
        b"<a>&b;</a>",
        b"<a>" * 65 + b"</a>" * 65,
        b"<a>" + b"<b/>" * 100_001 + b"</a>",
        b"<?xml version='1.0' encoding='nonsense'?><a/>",
        b"<?xml version='1.0' encoding='rot13'?><a/>",
    ],
)
def test_xml_that_could_harm_or_is_none_is_refused(body):
    with pytest.raises(ValueError):
        parse_xml(body)


def test_xml_keeps_names_attributes_and_text():
    root = parse_xml(b"<a xmlns='urn:x' xmlns:y='urn:y'><b y:c='d'>t&amp;u</b></a>")

    [child] = root
    assert (root.tag, child.tag, child.attrib, child.text) == (
        "{urn:x}a",
        "{urn:x}b",
        {"{urn:y}c": "d"},
        "t&u",
    )


@pytest.mark.parametrize("body", [b"", b"[]", b"null", b"<html>", b"\xff", b"[" * 100_000])
def test_an_error_without_an_object_has_an_empty_one(body):
    assert json_object_in(body) == {}


@pytest.mark.parametrize("value", [None, {}, "x", 7, {"url": "https://a.example"}])
def test_anything_but_a_list_is_a_changed_shape(value):
    with pytest.raises(TypeError, match="expected a list"):
        json_values.required_records(value)


def test_an_empty_list_is_an_answer():
    assert json_values.required_records([]) == ()


@pytest.mark.parametrize(
    ("value", "count"),
    [(0, 0), (12, 12), ("12", 12), (" 7 ", 7), (3.0, 3), (None, None), ("", None), (-1, None)],
)
def test_a_count_is_a_whole_number_or_its_digits(value, count):
    assert json_values.count_of(value) == count


@pytest.mark.parametrize("value", [None, "", "x", -1, 1.5, "9" * 20])
def test_a_count_that_is_always_sent_is_not_missing(value):
    with pytest.raises(ValueError, match="expected a count"):
        json_values.required_count(value)


@pytest.mark.parametrize("value", [True, [], {}])
def test_a_count_of_another_type_is_refused(value):
    with pytest.raises(TypeError):
        json_values.count_of(value)
