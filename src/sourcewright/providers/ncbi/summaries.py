"""Parses NCBI's document summaries (ESummary): the DOI of a PubMed or PMC record."""

import re
from typing import Any

from sourcewright.base.doi_prefix import DOI_PREFIX
from sourcewright.base.errors import NotFound
from sourcewright.base.formats import json_values
from sourcewright.base.formats.json_values import Record, doi_of, record_of, text_of

# A failing server also answers 200 with an error; only these messages report absence.
_ABSENT = re.compile(r"cannot get document summary|invalid uid|uid\S*:? not found", re.IGNORECASE)


def read_answer(answer: Any, uid: str) -> str | None:
    """The DOI of the record; None if it has none.

    Raises:
        NotFound: There is no such record.
    """
    result = record_of(answer).get("result")
    if result is None:
        raise _absent_or_unreadable(uid, *json_values.texts_of(answer["esummaryresult"]))
    uids = result["uids"]
    if not isinstance(uids, list):
        raise TypeError("uids is not a list")
    if uid not in uids and uid not in result:
        raise NotFound("ncbi", f"no record {uid}")
    return read_record(record_of(result[uid]), uid)


def read_record(record: Record, uid: str) -> str | None:
    if record.get("error") is not None:
        raise _absent_or_unreadable(
            uid, json_values.require_value(text_of(record["error"]), "error")
        )
    if text_of(record["uid"]) != uid:
        raise ValueError(f"the response is about {record['uid']!r}")
    article_ids = json_values.select_field(record.get("articleids"), "idtype", "doi", "value")
    location = text_of(record.get("elocationid")) or ""
    location_dois = re.findall(r"\bdoi:\s*(" + DOI_PREFIX + r"/\S+)", location, re.IGNORECASE)
    return next(filter(None, map(doi_of, [*article_ids, *location_dois])), None)


def _absent_or_unreadable(uid: str, *messages: str) -> Exception:
    if messages and all(_ABSENT.search(text) for text in messages):
        return NotFound("ncbi", f"no record {uid}")
    return ValueError(f"an error instead of a record: {messages[:1]!r}")
