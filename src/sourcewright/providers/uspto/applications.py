"""Application files of the USPTO as patents: numbers, dates, status, and who owns them."""

import re
from collections.abc import Sequence
from typing import Any

from sourcewright.base.formats.json_values import (
    Record,
    records_of,
    require_value,
    required_count,
    required_records,
    text_of,
    texts_of,
)
from sourcewright.base.text.dates import date_of
from sourcewright.domain.records.assignees import assignee_key, clean_name
from sourcewright.domain.records.patent_numbers import number_from_parts, patent_page
from sourcewright.domain.records.patents import Patent

_META = "applicationMetaData"
_APPLICATION = re.compile(r"([0-9]{2})([0-9]{6})")
_CLASSES = {"design": "D", "plant": "PP", "reissue": "RE"}
_TRANSFER = re.compile(r"ASSIGNMENT|MERGER|CHANGE OF NAME|CONVERSION")
_LOAN = re.compile(r"SECURITY|COLLATERAL|CONDITIONAL|LIEN|MORTGAGE|PLEDGE|RELEASE|LICEN[CS]E")


def read_list(answer: Any) -> tuple[tuple[Patent, ...], int]:
    """The applications that a search found, and how many there are."""
    total = required_count(answer["count"])
    files = required_records(answer["patentFileWrapperDataBag"])
    if total and not files:
        raise ValueError(f"{total} applications announced, but none sent")
    return tuple(map(read_file, files)), total


def read_file(record: Record) -> Patent:
    """The granted patent, else the published application, else the application itself."""
    facts: Record = record[_META]
    application = require_value(text_of(record["applicationNumberText"]), "application number")
    granted = text_of(facts.get("patentNumber"))
    publication = text_of(facts.get("earliestPublicationNumber"))
    if granted:
        number = number_from_parts("US", _with_class(granted, facts), None)
    elif publication:
        number = number_from_parts("", publication, None)
    else:
        number = application_number(application)
    grant_date = date_of(facts.get("grantDate"))
    center = f"https://patentcenter.uspto.gov/applications/{application}"
    return Patent(
        number=number,
        title=require_value(text_of(facts["inventionTitle"]), "title"),
        url=patent_page(number) if granted or publication else center,
        assignee=_assignee(record, facts),
        inventor=text_of(facts.get("firstInventorName")),
        filed=date_of(facts["filingDate"]),
        granted=grant_date,
        published=grant_date if granted else date_of(facts.get("earliestPublicationDate")),
        status=text_of(facts.get("applicationStatusDescriptionText")),
        family_id=f"application {application}",
        cpc=tuple("".join(one.split()) for one in texts_of(facts.get("cpcClassificationBag"))),
    )


def _with_class(number: str, facts: Record) -> str:
    """A patent number with the letters of its class, which designs, plants and reissues have."""
    kind = (text_of(facts.get("applicationTypeLabelName")) or "").lower()
    return f"{_CLASSES.get(kind, '')}{number}" if number.isdecimal() else number


def application_number(digits: str) -> str:
    """The number of an application in the usual spelling, which no patent number has."""
    match = _APPLICATION.fullmatch(digits)
    return f"US{match[1]}/{match[2]}" if match else digits


def _assignee(record: Record, facts: Record) -> str | None:
    """The owner after the last recorded transfer, else the applicant."""
    applicant = text_of(facts.get("firstApplicantName"))
    transfers = [one for one in records_of(record.get("assignmentBag")) if _is_transfer(one)]
    owner = _last_owner(transfers)
    if applicant and (owner is None or assignee_key(owner) == assignee_key(applicant)):
        return clean_name(applicant)  # which is not in capitals
    return clean_name(owner) if owner else None


def _last_owner(transfers: Sequence[Record]) -> str | None:
    """The owner after the latest transfers; of a chain of them on one day, the one at its end."""
    latest = max(map(_recording, transfers), default=None)
    links = [one for one in transfers if _recording(one) == latest]
    givers = {assignee_key(name) for one in links for name in _names(one, "assignor")}
    owners = [name for one in links for name in _names(one, "assignee")[:1]]
    return next((one for one in owners if assignee_key(one) not in givers), None) or next(
        iter(owners), None
    )


def _names(assignment: Record, role: str) -> list[str]:
    parties = records_of(assignment.get(f"{role}Bag"))
    names = (text_of(one.get(f"{role}NameText") or one.get(f"{role}Name")) for one in parties)
    return [name for name in names if name]


def _is_transfer(assignment: Record) -> bool:
    """Whether the patent has another owner by it; a loan has none."""
    words = (text_of(assignment.get("conveyanceText")) or "").upper()
    return bool(_TRANSFER.search(words)) and not _LOAN.search(words)


def _recording(assignment: Record) -> tuple[str, str]:
    """When it was recorded; of several on one day, when it was signed."""
    signed = (
        text_of(one.get("executionDate")) or ""
        for one in records_of(assignment.get("assignorBag"))
    )
    return text_of(assignment.get("assignmentRecordedDate")) or "", max(signed, default="")
