"""Rows as Retraction Watch writes them, for tests of its list."""

import csv
import io

COLUMNS = [
    "Record ID",
    "Title",
    "Subject",
    "Institution",
    "Journal",
    "Publisher",
    "Country",
    "Author",
    "URLS",
    "ArticleType",
    "RetractionDate",
    "RetractionDOI",
    "RetractionPubMedID",
    "OriginalPaperDate",
    "OriginalPaperDOI",
    "OriginalPaperPubMedID",
    "RetractionNature",
    "Reason",
    "Paywalled",
    "Notes",
]


def row(**fields):
    """One row; `RecordID` stands for the column with a space."""
    values = {
        "Record ID": fields.pop("RecordID", "1"),
        "Title": "On bells, and harbours",
        "RetractionDate": "4/15/2021 0:00",
        "RetractionDOI": "10.7777/notice",
        "RetractionPubMedID": "0",
        "OriginalPaperDOI": "10.7777/paper",
        "OriginalPaperPubMedID": "0",
        "RetractionNature": "Retraction",
        "Reason": "+Error in Data;+Investigation by Journal/Publisher;",
        **fields,
    }
    return [values.get(name, "") for name in COLUMNS]


def csv_of(*rows):
    text = io.StringIO()
    csv.writer(text).writerows([COLUMNS, *rows])
    return text.getvalue()
