"""Real US patents in answers of the Open Data Portal's shape: numbers, dates, owners, status."""

import csv
from pathlib import Path

import pytest

from sourcewright.domain.records.patents import PatentQuery
from sourcewright.providers.uspto.applications import read_file, read_list
from sourcewright.providers.uspto.queries import search_params

# The facts of applications as USPTO published them; an empty cell is one that it does not have.
ROWS = list(
    csv.DictReader(
        Path(__file__).with_name("uspto.tsv").read_text(encoding="utf-8").splitlines(),
        delimiter="\t",
        quoting=csv.QUOTE_NONE,
    )
)


def application(row):
    facts = {
        "applicationTypeLabelName": "Utility",
        "inventionTitle": row["title"],
        "filingDate": row["filed"],
        "firstInventorName": row["inventor"],
        "patentNumber": row["patent"],
        "grantDate": row["granted"],
        "earliestPublicationNumber": row["publication"] and f"US{row['publication']}A1",
        "earliestPublicationDate": row["published"],
        "firstApplicantName": row["owner"],
    }
    return {
        "applicationNumberText": row["application"],
        "applicationMetaData": {name: value for name, value in facts.items() if value},
    }


def test_twenty_two_real_applications_have_their_numbers_and_their_dates_apart():
    answer = {"count": 22, "patentFileWrapperDataBag": [application(row) for row in ROWS]}

    patents, total = read_list(answer)

    assert (len(patents), total) == (22, 22)
    for row, patent in zip(ROWS, patents, strict=True):
        published = row["granted"] or row["published"]
        publication = f"US{row['publication']}A1"
        assert patent.number == (f"US{row['patent']}" if row["patent"] else publication)
        assert (patent.filed, patent.granted or "") == (row["filed"], row["granted"])
        assert patent.published == published
        assert (patent.title, patent.inventor) == (row["title"], row["inventor"])
        assert patent.assignee == row["owner"]
        assert patent.url == f"https://patents.google.com/patent/{patent.number}/en"


@pytest.mark.parametrize(
    ("kind", "digits", "number"),
    [
        # A suction head of J. Schmalz GmbH; US 798,021 is a patent of 1905.
        ("Design", "798021", "USD798021"),
        ("Design", "D798021", "USD798021"),
        ("Design", "D0798021", "USD798021"),
        ("Plant", "35001", "USPP35001"),
        ("Reissue", "RE049001", "USRE49001"),
        ("Utility", "10902286", "US10902286"),
    ],
)
def test_a_number_has_the_letters_of_its_class(kind, digits, number):
    facts = {
        "applicationTypeLabelName": kind,
        "inventionTitle": "SUCTION HEAD FOR A MATERIAL HANDLING LIFTER",
        "filingDate": "2016-09-19",
        "grantDate": "2017-10-03",
        "patentNumber": digits,
    }

    patent = read_file({"applicationNumberText": "29996045", "applicationMetaData": facts})

    assert (patent.number, patent.granted) == (number, "2017-10-03")


def test_a_design_is_searched_in_every_spelling_of_its_number():
    params = search_params(PatentQuery(text=None, limit=5, number="USD798021S1"))

    assert params["q"].split(" OR ") == [
        "applicationMetaData.patentNumber:D798021",
        "applicationMetaData.patentNumber:D0798021",
        "applicationMetaData.patentNumber:798021",
    ]


@pytest.mark.parametrize(
    ("digits", "number"), [("16123456", "US16/123456"), ("PCT/US23/69770", "PCT/US23/69770")]
)
def test_the_number_of_an_unpublished_application_is_not_taken_for_that_of_a_patent(
    digits, number
):
    facts = {"inventionTitle": "T", "filingDate": "2018-09-06"}

    patent = read_file({"applicationNumberText": digits, "applicationMetaData": facts})

    assert (patent.number, patent.published, patent.granted) == (number, None, None)
    assert patent.url == f"https://patentcenter.uspto.gov/applications/{digits}"


def transfer(recorded, signed, words, giver, receiver):
    return {
        "conveyanceText": words,
        "assignmentRecordedDate": recorded,
        "assignorBag": [{"assignorName": giver, "executionDate": signed}],
        "assigneeBag": [{"assigneeNameText": receiver}],
    }


ACQUIRED = ("LOGICBLOX-PREDICTIX ACQUISITIONCO, INC.", "LOGICBLOX-PREDICTIX MIDCO, LLC")
MERGERS = [
    transfer("2017-07-20", "2016-12-23", "MERGER", "PREDICTIX, LLC", ACQUIRED[0]),
    transfer("2017-07-20", "2016-12-23", "MERGER", *ACQUIRED),
]
SALE = "ASSIGNMENT OF ASSIGNORS INTEREST (SEE DOCUMENT FOR DETAILS)."
RAMBUS = transfer("2014-03-31", "2004-08-19", SALE, "BEST, SCOTT C.", "RAMBUS INC.")


@pytest.mark.parametrize(
    ("applicant", "transfers", "owner"),
    [
        (None, [], None),
        ("PolyPlus Battery Company", [], "PolyPlus Battery Company"),
        # US9111608 was sold nine years after its grant.
        (
            None,
            [RAMBUS, transfer("2023-10-13", "2023-09-28", SALE, "RAMBUS INC.", "K.MIZRA LLC")],
            "K.MIZRA LLC",
        ),
        # US6801908: one merger after the other, recorded and signed on one day.
        (None, MERGERS, "LOGICBLOX-PREDICTIX MIDCO, LLC"),
        (None, MERGERS[::-1], "LOGICBLOX-PREDICTIX MIDCO, LLC"),
        (None, [transfer("2020-01-01", "", "CHANGE OF NAME", "OLD INC", "NEW INC")], "NEW INC"),
        # The same company in capitals keeps the spelling of the application.
        ("Rambus, Inc.", [RAMBUS], "Rambus, Inc."),
        ("BEST; SCOTT C.", [RAMBUS], "RAMBUS INC."),
    ],
)
def test_the_assignee_is_the_owner_after_the_last_recorded_transfer(applicant, transfers, owner):
    facts = {"inventionTitle": "T", "filingDate": "2014-03-31", "firstApplicantName": applicant}
    record = {"applicationNumberText": "14230558", "applicationMetaData": facts}

    assert read_file(record | {"assignmentBag": transfers}).assignee == owner


@pytest.mark.parametrize(
    "words",
    [
        "SECURITY INTEREST",
        "ASSIGNMENT OF SECURITY INTEREST IN PATENTS",
        "COLLATERAL ASSIGNMENT",
        "RELEASE BY SECURED PARTY",
        "LICENSE",
    ],
)
def test_who_lends_money_or_takes_a_licence_is_no_owner(words):
    loan = transfer("2024-01-01", "2024-01-01", words, "RAMBUS INC.", "A BANK")
    facts = {"inventionTitle": "T", "filingDate": "2014-03-31"}
    record = {"applicationNumberText": "14230558", "applicationMetaData": facts}

    assert read_file(record | {"assignmentBag": [RAMBUS, loan]}).assignee == "RAMBUS INC."
