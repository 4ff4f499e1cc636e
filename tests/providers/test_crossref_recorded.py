"""Crossref, over every recorded answer."""

import json
from collections import Counter

import pytest

from sourcewright.base.errors import BadAnswer, NotFound, Unavailable
from sourcewright.providers.crossref import read_answer, read_notices, read_work

pytestmark = pytest.mark.anyio

HOST = "api.crossref.org"
DOI = "10.5555/any"

# Files that hold no envelope with works: what they are, and what asking for a work must give.
OTHER_ANSWERS = (
    "-agency.json",
    "transform-",
    "journals-1",
    "journals-2",
    "funders-10-",
    "funders-o",
)


def envelopes(file):
    """The JSON documents in a file: one, or one per line."""
    text = file.read_text(encoding="utf-8")
    return (
        [json.loads(line) for line in text.splitlines()]
        if file.suffix == ".txt"
        else [json.loads(text)]
    )


def is_other(file):
    is_list = "-works-" in file.name
    return file.name.startswith(("err", "excerpt")) or (
        not is_list and any(mark in file.name for mark in OTHER_ANSWERS)
    )


def works_in(file):
    for envelope in envelopes(file):
        if isinstance(envelope, list):  # a client's cache, without the envelope
            yield from map(read_work, envelope)
        elif envelope["message-type"] == "work-list":
            yield from map(read_work, envelope["message"]["items"])
        else:
            yield read_answer(envelope, envelope["message"]["DOI"])


def test_every_recorded_work_is_read_as_the_table_says(recorded, table, summary):
    files = [file for file in recorded("crossref") if not is_other(file)]

    rows = summary((file, works_in(file)) for file in files)

    assert rows == table("crossref")


def test_the_recorded_works_add_up(recorded, table):
    files = {file.name for file in recorded("crossref")}
    rows = table("crossref")

    message = Counter(row[8] for row in rows)

    assert {row[0] for row in rows} <= files
    assert len(rows) == 341
    assert message == {"does not say": 338, "correction": 2, "no notice": 1}
    assert sum(bool(row[9]) for row in rows) == 9
    assert sum(not row[2] for row in rows) == 3
    assert sum(not row[5] for row in rows) == 24


async def test_answers_about_something_else_are_not_works(recorded, provide, internet):
    crossref = await provide("crossref")
    others = [file for file in recorded("crossref") if is_other(file) and "err" not in file.name]

    for file in others:
        internet.mends()
        internet.says(HOST, file.read_bytes())

        with pytest.raises(BadAnswer):
            await crossref.describe_doi(DOI)

    assert len(others) > 30


@pytest.mark.parametrize(
    ("start", "status", "error"),
    [
        ("err404-works-10", 404, NotFound),
        ("err404-works-query", 404, BadAnswer),
        ("err400-works-10", 400, BadAnswer),
        ("err400-works-sample", 400, BadAnswer),
        ("err500-works", 500, Unavailable),
        ("err504-journals", 504, Unavailable),
        ("err301", 200, BadAnswer),
        ("err404-works-10", 200, BadAnswer),
        ("err500-works", 200, BadAnswer),
    ],
)
async def test_a_recorded_failure_keeps_its_name(
    recorded, provide, internet, start, status, error
):
    [file] = [one for one in recorded("crossref") if one.name.startswith(start)]
    internet.says(HOST, file.read_bytes(), status=status)

    with pytest.raises(error):
        await (await provide("crossref")).describe_doi(DOI)


def test_the_best_known_retraction_is_read_as_one(recorded):
    """Two entries about the same paper: the correction of 2004 does not hide the retraction."""
    [file] = [one for one in recorded("crossref") if one.name.startswith("excerpt-updated-by")]
    record = {"DOI": "10.1016/s0140-6736(97)11096-0", **json.loads(file.read_text())}

    notices = read_work(record).notices

    assert [(one.kind, one.date, one.asserted_by) for one in notices] == [
        ("retraction", "2010-02-06", "retraction-watch"),
        ("correction", "2004-03-06", "retraction-watch"),
    ]


def test_recorded_notices_name_the_works_that_they_are_about(recorded):
    [file] = [
        one for one in recorded("crossref") if one.name.startswith("journals-1932-6203-works")
    ]
    envelope = json.loads(file.read_text(encoding="utf-8"))
    notice = next(one for one in envelope["message"]["items"] if one["DOI"].endswith("0129989"))
    envelope["message"] = {"total-results": 1, "items": [notice]}

    [found] = read_notices(envelope, "10.1371/JOURNAL.pone.0120799")

    assert (found.kind, found.doi) == ("correction", "10.1371/journal.pone.0129989")
