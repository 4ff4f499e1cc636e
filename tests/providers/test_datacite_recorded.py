"""DataCite, over every recorded answer."""

import base64
import json
from collections import Counter

import pytest

from sourcewright.base.errors import BadAnswer, NotFound
from sourcewright.providers.datacite import read_answer, read_work

pytestmark = pytest.mark.anyio

HOST = "api.datacite.org"
OTHER_ANSWERS = ("err404-", "activities-", "client-prefixes-")


def answer_in(file):
    """The answer; some recordings are wrapped in base64."""
    body = file.read_bytes()
    return json.loads(base64.b64decode(body) if file.suffix == ".txt" else body)


def works_in(file):
    answer = answer_in(file)
    if "attributes" in answer:  # one record, without the envelope
        return [read_work(answer)]
    if isinstance(answer["data"], list):
        return [read_work(one) for one in answer["data"]]
    return [read_answer(answer, answer["data"]["id"].upper())]


def test_every_recorded_work_is_read_as_the_table_says(recorded, table, summary):
    files = [one for one in recorded("datacite") if not one.name.startswith(OTHER_ANSWERS)]

    rows = summary((file, works_in(file)) for file in files)

    assert rows == table("datacite")


def test_the_recorded_works_add_up(recorded, table):
    files = {file.name for file in recorded("datacite")}
    rows = table("datacite")

    message = Counter(row[8] for row in rows)

    assert {row[0] for row in rows} <= files
    assert len(rows) == 111
    assert message == {"does not say": 111}
    assert all(row[2] for row in rows)
    assert [row[6] for row in rows if not row[5]] == ["10.14457/kmitl.res.2006.17"]


async def test_answers_about_something_else_are_not_works(recorded, provide, internet):
    datacite = await provide("datacite")
    others = [f for f in recorded("datacite") if f.name.startswith(OTHER_ANSWERS[1:])]

    for file in others:
        internet.mends()
        internet.says(HOST, answer_in(file))

        with pytest.raises(BadAnswer):
            await datacite.describe_doi("10.5555/any")

    assert len(others) == 2


@pytest.mark.parametrize(("status", "error"), [(404, NotFound), (200, BadAnswer)])
async def test_the_recorded_absence_is_absence_only_with_its_status(
    recorded, provide, internet, status, error
):
    [file] = [one for one in recorded("datacite") if one.name.startswith("err404-")]
    internet.says(HOST, file.read_bytes(), status=status)

    with pytest.raises(error):
        await (await provide("datacite")).describe_doi("10.5555/any")
