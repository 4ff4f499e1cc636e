"""Real publications of nine offices, in answers of EPO's and of the Lens' shape."""

import csv
from pathlib import Path
from xml.etree.ElementTree import Element, SubElement, tostring

import pytest

from sourcewright.base.formats.parsers import parse_xml
from sourcewright.providers.epo.biblio import read_documents, read_search
from sourcewright.providers.lens import read_list

# Facts of publications as their offices published them; an empty cell is an unknown one.
ROWS = list(
    csv.DictReader(
        Path(__file__).with_name("patents.tsv").read_text(encoding="utf-8").splitlines(),
        delimiter="\t",
        quoting=csv.QUOTE_NONE,
    )
)
EXCHANGE, OPS = "{http://www.epo.org/exchange}", "{http://ops.epo.org}"
LATER = "2029-01-01"
"""A later priority claim, or the date of a document that is only cited."""


def facts(patent):
    """The facts of a patent, as a row of the table."""
    names = ("number", "published", "filed", "granted", "priority")
    shown = {name: getattr(patent, name) or "" for name in names}
    return shown | {
        "family": patent.family_id,
        "applicant": patent.assignee or "",
        "inventor": patent.inventor or "",
        "title": "" if patent.title == patent.number else patent.title,
    }


def expected(row):
    return {name: value for name, value in row.items() if name not in _OF_THE_ANSWER}


_OF_THE_ANSWER = ("office", "digits", "kind", "language")


def child(parent, path, text=None, **attributes):
    element = parent
    for name in path.split("/"):
        element = SubElement(element, f"{EXCHANGE}{name}")
    element.attrib.update({name.replace("_", "-"): value for name, value in attributes.items()})
    element.text = text
    return element


def dated(parent, day, kind):
    document = child(parent, "document-id", document_id_type=kind)
    child(document, "doc-number", "1")
    if day:
        child(document, "date", day.replace("-", ""))


def party(data, role, name):
    """A party in its own spelling and in the database's, whose order differs."""
    if not name:
        return
    parties = child(data, f"parties/{role}s")
    for sequence, form, text in (
        ("1", "epodoc", "SOMEBODY ELSE [US]"),
        ("2", "epodoc", f" {name.upper()} [US]"),
        ("1", "original", f"{name}, "),
        ("2", "original", "SOMEBODY ELSE"),
    ):
        one = child(parties, role, sequence=sequence, data_format=form)
        child(one, f"{role}-name/name", text)


def exchange_document(row):
    document = Element(f"{EXCHANGE}exchange-document")
    document.attrib.update(
        {
            "country": row["office"],
            "doc-number": row["digits"],
            "kind": row["kind"],
            "family-id": row["family"],
        }
    )
    data = child(document, "bibliographic-data")
    dated(child(data, "publication-reference"), row["published"], "docdb")
    application = child(data, "application-reference")
    dated(application, None, "docdb")
    dated(application, row["filed"], "epodoc")
    for day in (LATER, row["priority"]):
        dated(child(data, "priority-claims/priority-claim"), day, "epodoc")
    party(data, "applicant", row["applicant"])
    party(data, "inventor", row["inventor"])
    if row["title"]:
        if row["language"] == "en":
            child(data, "invention-title", "AUTRE LANGUE", lang="fr")
        own = {"lang": row["language"]} if row["language"] else {}
        child(data, "invention-title", row["title"], **own)
    dated(child(data, "references-cited/citation/patcit"), LATER, "epodoc")
    return document


def searched(rows):
    root = Element(f"{OPS}world-patent-data")
    search = SubElement(root, f"{OPS}biblio-search", {"total-result-count": str(len(rows))})
    result = SubElement(search, f"{OPS}search-result")
    child(result, "exchange-documents").extend(map(exchange_document, rows))
    return tostring(root)


def test_twenty_two_real_publications_of_epo_have_their_four_dates_and_their_parties():
    patents, total = read_search(parse_xml(searched(ROWS)))

    assert total == 22
    assert [facts(one) for one in patents] == [expected(row) for row in ROWS]


def test_every_recorded_publication_of_epo_has_the_facts_of_the_table(recorded):
    known = {(row["number"], row["published"]): expected(row) for row in ROWS}
    read = {}
    for file in recorded("epo_ops"):
        body = file.read_bytes() if file.suffix == ".xml" else b""
        if b"<exchange-document " in body and b"<application-reference" in body:
            for one in read_documents(parse_xml(body)):
                read[one.number, one.published] = facts(one)

    assert len(read) == 13
    assert read == {key: known[key] for key in read}


def lens_record(row):
    parties = {
        f"{role}s": [{"sequence": 1, "extracted_name": {"value": row[role]}}]
        for role in ("applicant", "inventor")
        if row[role]
    }
    titles = [{"text": "AUTRE LANGUE", "lang": "fr"}] if row["language"] == "en" else []
    titles += [{"text": row["title"], "lang": row["language"] or "ru"}] if row["title"] else []
    return {
        "lens_id": "031-156-664-516-153",
        "jurisdiction": row["office"],
        "doc_number": row["digits"],
        "kind": row["kind"],
        "date_published": row["published"],
        "biblio": {
            "publication_reference": {"date": row["published"]},
            "application_reference": {"date": row["filed"]},
            "priority_claims": {
                "claims": [{"date": LATER}, {"date": row["priority"]}],
                "earliest_claim": {"date": row["priority"]},
            },
            "invention_title": titles,
            "parties": parties,
        },
        "families": {"simple_family": {"family_id": row["family"]}},
        "legal_status": {"granted": bool(row["granted"]), "grant_date": row["granted"] or LATER},
    }


def test_the_same_twenty_two_publications_of_the_lens_have_the_same_facts():
    patents, total = read_list({"total": 22, "data": [lens_record(row) for row in ROWS]})

    assert total == 22
    assert [facts(one) for one in patents] == [expected(row) for row in ROWS]


@pytest.mark.parametrize("kind", ["B2", "B3", "B8", "B9"])
def test_the_date_of_an_amended_or_corrected_patent_is_not_that_of_its_grant(kind):
    [row] = [one for one in ROWS if one["number"] == "EP2533477B1"]

    [patent] = read_documents(parse_xml(searched([row | {"kind": kind}])))

    assert (patent.number, patent.published) == (f"EP2533477{kind}", "2014-03-05")
    assert patent.granted is None
