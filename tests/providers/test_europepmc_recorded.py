"""Europe PMC, over every recorded answer."""

import json

import pytest

from sourcewright.base.errors import BadAnswer
from sourcewright.providers.europepmc import read_work, record_of_doi

pytestmark = pytest.mark.anyio


def records_in(file):
    answer = json.loads(file.read_text(encoding="utf-8"))
    return answer["resultList"]["result"] if "resultList" in answer else [answer["full"]]


def in_json(files):
    return [file for file in files if file.suffix == ".json"]


def test_every_recorded_work_is_read_as_the_table_says(recorded, table, summary):
    files = in_json(recorded("europepmc"))

    rows = summary((file, map(read_work, records_in(file))) for file in files)

    assert rows == table("europepmc")


def test_every_recorded_hit_is_found_by_its_doi(recorded):
    for file in in_json(recorded("europepmc")):
        answer = json.loads(file.read_text(encoding="utf-8"))
        for one in answer.get("resultList", {"result": []})["result"]:
            if "doi" in one:
                assert record_of_doi(answer, one["doi"].upper()) is one


def test_the_recorded_copies_add_up(recorded):
    records = [one for file in in_json(recorded("europepmc")) for one in records_in(file)]

    copies = [copy for one in records for copy in read_work(one).copies]

    assert len(copies) == 6
    assert {copy.licence for copy in copies} == {"cc-by"}


async def test_an_error_in_xml_is_not_an_answer(recorded, provide, internet):
    [file] = [one for one in recorded("europepmc") if one.suffix == ".xml"]
    internet.says("www.ebi.ac.uk", file.read_bytes(), content_type="application/xml")

    with pytest.raises(BadAnswer):
        await (await provide("europepmc")).describe_doi("10.1158/0008-5472.can-09-4563")
