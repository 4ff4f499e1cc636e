"""Assignees: names without legal forms, families once, owners grouped."""

import pytest

from sourcewright.domain.records.assignees import (
    assignee_key,
    by_assignee,
    one_per_family,
    without_legal_form,
)
from sourcewright.domain.records.patents import Patent


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("Apple Inc.", "Apple"),
        ("Google LLC", "Google"),
        ("Toyota Motor Corp", "Toyota Motor"),
        ("Siemens Aktiengesellschaft", "Siemens"),
        ("Foo Bar Co., Ltd.", "Foo Bar"),
        ("BOER BEHEER NIJMEGEN BV [NL]", "BOER BEHEER NIJMEGEN"),
        ("Koninklijke Philips N.V.", "Koninklijke Philips"),
        ("PROGENIKA BIOPHARMA, S.A.", "PROGENIKA BIOPHARMA"),
        ("Smith & Co", "Smith"),
        ("Incyte Corporation", "Incyte"),
        ("Ltd", "Ltd"),
        ("AG", "AG"),
        ("", ""),
    ],
)
def test_the_legal_form_is_left_off_and_nothing_else(name, short):
    assert without_legal_form(name) == short


def test_spellings_of_one_company_have_one_key():
    names = ["Meridian Tidal Power, Inc.", "MERIDIAN TIDAL POWER INC", "Meridian Tidal Power [US]"]

    assert len({assignee_key(name) for name in names}) == 1
    assert assignee_key(None) == ""


def patent(number, assignee=None, family=None):
    return Patent(
        number=number, title="T", url="https://x.example/", assignee=assignee, family_id=family
    )


def test_a_family_is_shown_once_and_a_number_too():
    patents = [
        patent("US1234567A1", family="1"),
        patent("EP1234567A1", family="1"),
        patent("EP7654321A1"),
        patent("EP7654321B1"),
        patent("EP1111111A1", family="2"),
    ]

    assert [one.number for one in one_per_family(patents)] == [
        "US1234567A1",
        "EP7654321A1",
        "EP1111111A1",
    ]


def test_the_most_frequent_assignee_comes_first_and_the_unnamed_last():
    patents = [
        patent("EP0000001A1"),
        patent("EP0000002A1", "Small Ltd"),
        patent("EP0000003A1", "Big Inc."),
        patent("EP0000004A1", "BIG INC"),
    ]

    ordered, clusters = by_assignee(patents)

    assert [one.number[-3] for one in ordered] == ["3", "4", "2", "1"]
    assert [(one.assignee, one.count) for one in clusters] == [("Big Inc.", 2), ("Small Ltd", 1)]


def publication(number, **fields):
    known = {"title": "Turbine", "assignee": "Meridian, Inc.", "inventor": "Ada Harbour"}
    return Patent(number=number, url="https://a.example/", **{**known, **fields})


def test_without_families_the_publications_of_one_application_are_one():
    patents = [
        publication("US20160142694A1", filed="2014-11-20", priority="2014-11-20"),
        publication("US10165245B2", filed="2014-11-20"),
        publication("EP3020964A1", filed="2015-11-19", priority="2014-11-20"),
    ]

    assert [one.number for one in one_per_family(patents)] == ["US20160142694A1"]


@pytest.mark.parametrize(
    "other",
    [
        {"title": "Another turbine"},
        {"inventor": "Bela Anker"},
        {"assignee": "Driftwood"},
        {"assignee": None},
        {"filed": "2014-11-21"},
    ],
)
def test_what_differs_in_any_of_these_is_another_family(other):
    one = publication("US20160142694A1", filed="2014-11-20")
    two = publication("US10165245B2", **{"filed": "2014-11-20", **other})

    assert len(one_per_family([one, two])) == 2
