"""HAL, over every recorded answer."""

import json

import pytest

from sourcewright.providers.hal import read_answer, read_work


@pytest.fixture
def files(recorded):
    return [file for file in recorded("other_scholar") if "-hal-" in file.name]


def docs_in(file):
    return json.loads(file.read_text(encoding="utf-8"))["response"]["docs"]


def test_every_recorded_deposit_is_read_as_the_table_says(files, table, summary):
    rows = summary((file, map(read_work, docs_in(file))) for file in files)

    assert rows == table("hal")


def test_a_recorded_file_is_a_copy_only_once_it_is_said_to_be_open(files):
    docs = [doc for file in files for doc in docs_in(file)]

    assert len(docs) == 3
    for doc in docs:
        [copy] = read_work({**doc, "openAccess_bool": True}).copies

        assert copy.url == doc["fileMain_s"]
        assert read_work(doc).copies == ()


def test_a_recorded_deposit_answers_for_its_own_doi(files):
    docs = [doc for file in files for doc in docs_in(file)]
    answer = {"response": {"numFound": len(docs), "docs": docs}}

    [work] = read_answer(answer, "10.1007/978-3-031-03948-5_7")

    assert work.year == 2022
