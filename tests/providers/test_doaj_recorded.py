"""DOAJ, over every recorded answer."""

import json

import pytest

from sourcewright.base.errors import BadAnswer
from sourcewright.providers.doaj import read_answer, read_work

pytestmark = pytest.mark.anyio

HOST = "doaj.org"


def answer_in(file):
    return json.loads(file.read_text(encoding="utf-8"))


def works_in(file):
    answer = answer_in(file)
    return [read_work(one) for one in answer.get("results", [answer])]


def test_every_recorded_article_is_read_as_the_table_says(recorded, table, summary):
    files = [file for file in recorded("doaj") if "journals" not in file.name]

    rows = summary((file, works_in(file)) for file in files)

    assert rows == table("doaj")


def test_the_recorded_articles_add_up(recorded):
    files = [file for file in recorded("doaj") if "journals" not in file.name]
    works = [work for file in files for work in works_in(file)]

    assert len(works) == 46
    assert sum(work.doi is None for work in works) == 6
    assert sum(len(work.copies) for work in works) == 46
    assert sum(copy.is_pdf for work in works for copy in work.copies) == 17


def test_each_recorded_article_answers_a_question_about_its_own_doi_alone(recorded):
    for file in recorded("doaj"):
        answer = answer_in(file)
        for record in answer.get("results", []) if "articles" in file.name else []:
            doi = read_work(record).doi
            alone = {"total": 1, "results": [record]}

            assert read_answer(alone, "10.5555/other") == ()
            assert doi is None or [work.doi for work in read_answer(alone, doi.upper())] == [doi]


async def test_answers_about_journals_are_not_articles(recorded, provide, internet):
    doaj = await provide("doaj")
    others = [file for file in recorded("doaj") if "journals" in file.name]

    for file in others:
        internet.mends()
        internet.says(HOST, answer_in(file))

        with pytest.raises(BadAnswer):
            await doaj.find_copies("10.5555/any")

    assert len(others) == 4
