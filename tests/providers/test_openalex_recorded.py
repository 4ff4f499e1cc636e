"""OpenAlex, over every recorded answer."""

import json

import pytest

from sourcewright.base.errors import BadAnswer
from sourcewright.providers.openalex import copies_of, preprints_of, read_graph_work, read_work

pytestmark = pytest.mark.anyio

# Answers to a narrower question than ours: what was selected is not a record.
NARROW = "select-open-access"


def records_in(file):
    answer = json.loads(file.read_text(encoding="utf-8"))
    if isinstance(answer, list):
        return answer
    return answer.get("results", [answer])


def works_in(file):
    return map(read_work, records_in(file))


def whole(files):
    return [file for file in files if NARROW not in file.name]


def test_every_recorded_work_is_read_as_the_table_says(recorded, table, summary):
    rows = summary((file, works_in(file)) for file in whole(recorded("openalex")))

    assert rows == table("openalex")


async def test_a_narrower_answer_is_not_a_record(recorded, provide, internet):
    narrow = [file for file in recorded("openalex") if NARROW in file.name]

    for file in narrow:
        internet.mends()
        internet.says("api.openalex.org", file.read_bytes())
        with pytest.raises(BadAnswer):
            await (await provide("openalex")).describe_doi(json.loads(file.read_text())["doi"])

    assert len(narrow) == 3


def test_the_recorded_copies_and_preprints_add_up(recorded):
    records = [one for file in whole(recorded("openalex")) for one in records_in(file)]

    copies = [copy for one in records for copy in copies_of(one)]

    assert len(records) == 65
    assert len(copies) == 33
    assert all(copy.is_pdf and copy.url.startswith("http") for copy in copies)
    assert {one for each in records for one in preprints_of(each)} == {
        "2111.07624",
        "1812.06224",
        "1804.07739",
    }


def test_every_recorded_reference_is_kept(recorded):
    records = [one for file in whole(recorded("openalex")) for one in records_in(file)]
    graph = [(one, read_graph_work(one)) for one in records if "referenced_works" in one]

    for one, node in graph:
        assert one["id"].endswith(f"/{node.id}")
        assert [f"https://openalex.org/{cited}" for cited in node.references] == one[
            "referenced_works"
        ]
    assert sum(len(node.references) for _, node in graph) == 2519


def test_no_recorded_flag_of_retraction_becomes_a_notice(recorded):
    works = [work for file in whole(recorded("openalex")) for work in works_in(file)]

    assert {work.notices for work in works} == {None}
