"""Citations and case names in what people write."""

import pytest

from sourcewright.domain.records.case_citations import case_name_in, citation_in, preferred_first


@pytest.mark.parametrize(
    ("text", "citation"),
    [
        ("384 U.S. 436", "384 U.S. 436"),
        ("384 US 436", "384 U.S. 436"),
        ("384 U. S. 436 (1966)", "384 U.S. 436"),
        ("Miranda v. Arizona, 384 U.S. 436, 444 (1966)", "384 U.S. 436"),
        ("86 S.Ct. 1602", "86 S. Ct. 1602"),
        ("16 L.Ed.2d 694", "16 L. Ed. 2d 694"),
        ("123 F. 3d 456", "123 F.3d 456"),
        ("999 F.Supp.2d 1", "999 F. Supp. 2d 1"),
        ("14 Cal. 5th 1", "14 Cal. 5th 1"),
        ("5 U.S. (1 Cranch) 137", "5 U.S. 137"),
        ("Dred Scott v. Sandford, 60 U.S. (19 How.) 393 (1857)", "60 U.S. 393"),
        ("17 U.S. (4 Wheat.) 316, 407", "17 U.S. 316"),
        ("Roe v. Wade", None),
        ("42 U.S.C. § 1983", None),
        ("top 10 cases 2020", None),
        ("", None),
    ],
)
def test_a_citation_is_found_in_its_usual_spelling(text, citation):
    assert citation_in(text) == citation


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Miranda v. Arizona", "Miranda v. Arizona"),
        ("Miranda vs Arizona", "Miranda v. Arizona"),
        ("Brown v. Board of Education, 347 U.S. 483 (1954)", "Brown v. Board of Education"),
        ("Roe v. Wade (1973)", "Roe v. Wade"),
        ("In re Gault", "In re Gault"),
        ("the right to silence", None),
        ("v. Arizona", None),
        ("a v. b v. c", None),
    ],
)
def test_a_case_name_is_told_from_other_words(text, name):
    assert case_name_in(text) == name


def test_official_reporters_come_before_regional_ones_and_databases_last():
    mixed = ["1966 U.S. LEXIS 2817", "16 L. Ed. 2d 694", "86 S. Ct. 1602", "384 U.S. 436"]

    assert preferred_first(mixed) == (
        "384 U.S. 436",
        "86 S. Ct. 1602",
        "16 L. Ed. 2d 694",
        "1966 U.S. LEXIS 2817",
    )
